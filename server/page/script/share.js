/** A position as a link and as a picture. */
import { openDialog } from "./dialogs.js";
import { button, h } from "./dom.js";
import { boardAt, movesText, sizeText, stones, winningLine } from "./rules.js";
import { addressOf } from "./views.js";

export const linkOf = (line) => {
  const query = addressOf(line);
  return `${location.origin}${location.pathname}${query && `?${query}`}#analyse`;
};

/** Whether the link could be copied. */
export async function copyLink(line) {
  try {
    await navigator.clipboard.writeText(linkOf(line));
    return true;
  } catch {
    return false;
  }
}

const CELL = 96;
const MARGIN = 28;
const CAPTION = 76;

/** Finds the colours that the style sheets' names stand for now. */
function colours() {
  const probe = h("span", { hidden: true });
  document.body.append(probe);
  const found = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const names = ["paper", "face", "hole", "ink", "soft", "first", "first-rim", "second", "second-rim"];
  const known = new Map(names.map((name) => [name, found(`--${name}`)]));
  probe.remove();
  return (name) => known.get(name);
}

/** Draws a position with a caption; the colours are those of the page. */
export function drawPicture(line, { settings, caption }) {
  const board = boardAt(line);
  const { width, height } = board.size;
  const canvas = h("canvas", { width: width * CELL + 2 * MARGIN, height: height * CELL + 2 * MARGIN + CAPTION, role: "img", "aria-label": `Picture: ${caption}` });
  const colour = colours();
  const paint = canvas.getContext("2d");
  const circle = (x, y, radius) => {
    paint.beginPath();
    paint.arc(x, y, radius, 0, 2 * Math.PI);
  };
  const centre = (column, row) => [MARGIN + (column + 0.5) * CELL, MARGIN + (height - row - 0.5) * CELL];
  paint.fillStyle = colour("paper");
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.fillStyle = colour("face");
  paint.beginPath();
  paint.roundRect(MARGIN / 2, MARGIN / 2, width * CELL + MARGIN, height * CELL + MARGIN, 22);
  paint.fill();
  const last = line.cursor > 0 ? line.moves[line.cursor - 1] : null;
  const won = winningLine(board) ?? [];
  for (let column = 0; column < width; column++) {
    for (let row = 0; row < height; row++) {
      const [x, y] = centre(column, row);
      const side = board.columns[column][row];
      circle(x, y, CELL * 0.41);
      paint.fillStyle = side === undefined ? colour("hole") : colour(side === 0 ? "first" : "second");
      paint.fill();
      if (side === undefined) continue;
      paint.lineWidth = 5;
      paint.strokeStyle = colour(side === 0 ? "first-rim" : "second-rim");
      circle(x, y, CELL * 0.3);
      paint.stroke();
      if (settings.stones === "safe" && side === 1) {
        const arm = CELL * 0.13;
        for (const way of [-1, 1]) {
          paint.beginPath();
          paint.moveTo(x - arm, y - way * arm);
          paint.lineTo(x + arm, y + way * arm);
          paint.stroke();
        }
      }
      if (won.some((cell) => cell.column === column && cell.row === row)) {
        paint.strokeStyle = "#fff";
        paint.lineWidth = 6;
        circle(x, y, CELL * 0.41);
        paint.stroke();
      } else if (column === last && row === board.columns[column].length - 1) {
        paint.fillStyle = "#000a";
        circle(x, y, CELL * 0.11);
        paint.fill();
      }
    }
  }
  const bottom = height * CELL + 2 * MARGIN;
  paint.fillStyle = colour("ink");
  paint.font = "600 26px system-ui, sans-serif";
  paint.fillText(caption, MARGIN, bottom + 24, canvas.width - 2 * MARGIN);
  paint.fillStyle = colour("soft");
  paint.font = "19px ui-monospace, monospace";
  paint.fillText(line.base === null ? movesText(line.moves.slice(0, line.cursor)) : `${stones(board)} stones`, MARGIN, bottom + 54, canvas.width - 2 * MARGIN);
  return canvas;
}

/** Shows the picture, to be saved or copied. */
export function openPicture(line, caption, settings) {
  const canvas = drawPicture(line, { settings, caption });
  const name = `fourbook-${sizeText(line.size)}-${line.base === null ? movesText(line.moves.slice(0, line.cursor)) || "empty" : "position"}.png`;
  const blob = () => new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const save = button("Save as PNG", async () => {
    const link = h("a", { href: URL.createObjectURL(await blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, { class: "main", id: "save-picture" });
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob() })]);
      copy.textContent = "✓ Copied";
    } catch {
      copy.textContent = "The browser does not allow it";
    }
  });
  openDialog("Picture", h("div", { class: "picture" }, canvas), h("div", { class: "actions" }, save, copy));
}
