/** Verdicts in words. Lengths are in moves of the winner. */
export const plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Moves of the winner until the game ends, from stones of both. */
export const movesToEnd = (plies) => Math.ceil(plies / 2);

/** A move's verdict: "wins in 4". */
export function moveVerdict({ outcome, plies }) {
  if (outcome === "draw") return "draws";
  return `${outcome === "win" ? "wins" : "loses"} in ${movesToEnd(plies)}`;
}

/** A position's verdict for the names of its sides. */
export function positionVerdict(report, side, names) {
  if (report.outcome === "draw") return "A draw with perfect play";
  const winner = report.outcome === "win" ? side : 1 - side;
  return `${names[winner]} wins in ${plural(movesToEnd(report.plies), "move")}`;
}

const SOURCES = { book: "from the book", derived: "from the book", solver: "solved" };

/** The text about the download of the computer, of which a share has arrived. */
export const downloadText = (share) => `Downloading the computer${share > 0 ? `, ${Math.floor(100 * share)} %` : ""}…`;

/** The text about a search under way, which has taken `slow` seconds if that is long. */
export const solvingText = ({ download, slow }) => (download !== null ? downloadText(download) : slow ? `Still solving, ${slow} s. Without a book, an early position can take minutes.` : "Solving…");

/** Where a verdict comes from. */
export function sourceText(report) {
  const parts = [`Score ${report.score > 0 ? "+" : report.score < 0 ? "−" : ""}${Math.abs(report.score)}`];
  if (report.plies > 0) parts.push(plural(report.plies, "stone") + " to the end");
  parts.push(SOURCES[report.source]);
  if (report.nodes > 0) parts.push(`${report.nodes.toLocaleString("en")} nodes searched`);
  return parts.join(" · ");
}

export const MARKS = {
  best: { sign: "", text: "best move" },
  "win-thrown-away": { sign: "??", text: "throws a win away" },
  "draw-thrown-away": { sign: "?", text: "throws a draw away" },
  "slower-win": { sign: "?!", text: "wins, but slower" },
  "faster-loss": { sign: "?!", text: "loses sooner than it had to" },
};

/** The number of a turn, which is a move of each side: "4." or, for the second side, "4…". `first` made move 0. */
export const turnText = (index, first) => `${Math.floor((index + first) / 2) + 1}${(index + first) % 2 === 0 ? "." : "…"}`;

/** The task of a puzzle, in words. */
export const taskText = ({ side, goal, holds }, names) => `${names[side]} to move${holds ? `: one move alone keeps the ${holds}` : ` and win in ${goal}`}`;

/** How a game has ended, for the names of its sides. */
export function resultText(result, names, resigned = false) {
  if (result === "draw") return "The game is a draw";
  return resigned ? `${names[1 - result]} resigns, ${names[result]} wins` : `${names[result]} has won`;
}

/** The proved bounds of an unknown score, in words, with the names of both sides. */
export function boundsText({ min, max }, [name, other]) {
  const signed = (score) => `${score > 0 ? "+" : score < 0 ? "−" : ""}${Math.abs(score)}`;
  const known = min > 0 ? `${name} wins` : max < 0 ? `${other} wins` : min === 0 ? `${name} does not lose` : max === 0 ? `${name} does not win` : "nobody is known to win";
  return `Proved so far: ${known}; the score is from ${signed(min)} to ${signed(max)}.`;
}
