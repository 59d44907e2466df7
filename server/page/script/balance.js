/** How far a position is won, as a height on one scale: for the bar beside the board and the graph of a game. */

/** From -1 to 1, for the first side: a third of it for winning at all, the rest for how soon. */
export function heightOf({ score }, ply, cells) {
  const forFirst = ply % 2 === 0 ? score : -score;
  if (forFirst === 0) return 0;
  const soonest = Math.max(1, Math.floor((cells - 5) / 2));
  return Math.sign(forFirst) * (0.35 + 0.65 * Math.min(1, Math.abs(forFirst) / soonest));
}
