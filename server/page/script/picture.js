/** Draws a position as a picture, with verdicts above it, marks on it, and a caption below. */
import { h } from "./dom.js";
import { boardAt, canPlay, movesText, nameOf, stones, threatsOf, winningLine } from "./rules.js";
import { say } from "./texts.js";
import { verdictSign } from "./words.js";

const CELL = 96;
const MARGIN = 28;
const ABOVE = 70;
const CAPTION = 104;
const NAMES = ["paper", "face", "hole", "ink", "soft", "first", "first-rim", "second", "second-rim", "number",
  "win", "win-soft", "draw", "draw-soft", "loss", "loss-soft"];

/** The letters of the page. */
const fontOfPage = () => getComputedStyle(document.body).fontFamily;

/** Finds the colours that the style sheets' names stand for now. */
function colours() {
  const probe = h("span", { hidden: true });
  document.body.append(probe);
  const known = new Map(NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  }));
  probe.remove();
  return (name) => known.get(name);
}

/** Draws circles and crosses on a canvas. */
function brushOf(paint) {
  return {
    circle(x, y, radius) {
      paint.beginPath();
      paint.arc(x, y, radius, 0, 2 * Math.PI);
    },
    cross(x, y, arm) {
      for (const way of [-1, 1]) {
        paint.beginPath();
        paint.moveTo(x - arm, y - way * arm);
        paint.lineTo(x + arm, y + way * arm);
        paint.stroke();
      }
    },
  };
}

/** Light from above on the path, which is round, or hollow. */
function shade(paint, y, radius, isHollow) {
  const light = paint.createLinearGradient(0, y - radius, 0, y + radius);
  ["#fff4", "#0003"].forEach((colour, end) => light.addColorStop(isHollow ? 1 - end : end, colour));
  paint.fillStyle = light;
  paint.fill();
}

function drawStone(paint, brush, colour, { x, y, side, isSafe }) {
  brush.circle(x, y, CELL * 0.41);
  paint.fillStyle = side === undefined ? colour("hole") : colour(side === 0 ? "first" : "second");
  paint.fill();
  if (side === undefined) return;
  shade(paint, y, CELL * 0.41, false);
  paint.lineWidth = 5;
  paint.strokeStyle = colour(side === 0 ? "first-rim" : "second-rim");
  brush.circle(x, y, CELL * 0.3);
  shade(paint, y, CELL * 0.3, true);
  paint.stroke();
  if (isSafe && side === 1) brush.cross(x, y, CELL * 0.13);
}

function drawVerdicts(paint, colour, board, report, centre) {
  paint.textAlign = "center";
  report.moves.forEach((move, column) => {
    if (!move || !canPlay(board, column)) return;
    const [x] = centre(column, 0);
    paint.fillStyle = colour(`${move.outcome}-soft`);
    paint.beginPath();
    paint.roundRect(x - CELL * 0.43, MARGIN / 2, CELL * 0.86, ABOVE - 16, 12);
    paint.fill();
    paint.fillStyle = colour(move.outcome);
    if (report.best.includes(column)) {
      paint.strokeStyle = colour(move.outcome);
      paint.lineWidth = 3;
      paint.stroke();
    }
    paint.font = `700 28px ${fontOfPage()}`;
    paint.fillText(verdictSign(move), x, MARGIN / 2 + 37);
  });
  paint.textAlign = "start";
}

function drawThreats(paint, brush, colour, board, centre) {
  paint.lineWidth = 5;
  paint.setLineDash([9, 7]);
  for (const { side, column, row } of threatsOf(board)) {
    paint.strokeStyle = colour(side === 0 ? "first-rim" : "second");
    brush.circle(...centre(column, row), side === 0 ? 25 : 16);
    paint.stroke();
  }
  paint.setLineDash([]);
}

/**
 * Draws a position in the colours of the page. `report` has the verdicts to show or is null,
 * `threats` says whether they are marked, `link` is written at the bottom.
 */
export function drawPicture(line, { settings, caption, report = null, threats = false, link = "" }) {
  const board = boardAt(line);
  const { width, height } = board.size;
  const top = report ? ABOVE : 0;
  const canvas = h("canvas", { width: width * CELL + 2 * MARGIN, height: height * CELL + 2 * MARGIN + CAPTION + top, role: "img", "aria-label": say("share.picture", { caption }) });
  const colour = colours();
  const paint = canvas.getContext("2d");
  const brush = brushOf(paint);
  const centre = (column, row) => [MARGIN + (column + 0.5) * CELL, top + MARGIN + (height - row - 0.5) * CELL];
  paint.fillStyle = colour("paper");
  paint.fillRect(0, 0, canvas.width, canvas.height);
  if (report) drawVerdicts(paint, colour, board, report, centre);
  paint.fillStyle = colour("face");
  paint.beginPath();
  paint.roundRect(MARGIN / 2, top + MARGIN / 2, width * CELL + MARGIN, height * CELL + MARGIN, 22);
  paint.fill();
  const last = line.cursor > 0 ? line.moves[line.cursor - 1] : null;
  const won = winningLine(board) ?? [];
  for (let column = 0; column < width; column++) {
    for (let row = 0; row < height; row++) {
      const [x, y] = centre(column, row);
      drawStone(paint, brush, colour, { x, y, side: board.columns[column][row], isSafe: settings.stones === "safe" });
      if (won.some((cell) => cell.column === column && cell.row === row)) {
        paint.strokeStyle = "#fff";
        paint.lineWidth = 6;
        brush.circle(x, y, CELL * 0.41);
        paint.stroke();
      } else if (column === last && row === board.columns[column].length - 1) {
        paint.fillStyle = "#000a";
        brush.circle(x, y, CELL * 0.11);
        paint.fill();
      }
    }
  }
  if (threats && won.length === 0) drawThreats(paint, brush, colour, board, centre);
  drawNumbers(paint, colour, board, centre);
  drawCaption(paint, colour, { top: top + height * CELL + 2 * MARGIN, width: canvas.width - 2 * MARGIN }, [caption,
    line.base === null ? movesText(line.moves.slice(0, line.cursor)) : say("past.stones", { count: stones(board) }), link]);
  return canvas;
}

function drawNumbers(paint, colour, board, centre) {
  paint.fillStyle = colour("number");
  paint.font = `700 13px ${fontOfPage()}`;
  paint.textAlign = "center";
  board.columns.forEach((_, column) => {
    const [x, y] = centre(column, 0);
    paint.fillText(nameOf(column), x, y + CELL * 0.5 + 9);
  });
  paint.textAlign = "start";
}

function drawCaption(paint, colour, { top, width }, [caption, moves, link]) {
  paint.fillStyle = colour("ink");
  paint.font = `600 26px ${fontOfPage()}`;
  paint.fillText(caption, MARGIN, top + 24, width);
  paint.fillStyle = colour("soft");
  paint.font = "19px ui-monospace, monospace";
  paint.fillText(moves, MARGIN, top + 54, width);
  paint.fillText(link, MARGIN, top + 82, width);
}
