// A program of a user in TypeScript; checked by `tsc --strict`.

import { Analysis, Book, Level, NodeBudgetError, Oracle, Position, Solver, UNPLAYABLE, init, parseGame } from "fourbook";
import type { Cell, ChosenMove, GameRecord, Mark, Outcome, Player } from "fourbook";
import { Oracle as WorkerOracle } from "fourbook/worker";
import { Oracle as CoreOracle, init as coreInit } from "fourbook/core";

export async function here(): Promise<number> {
  await init();
  const oracle: Oracle = await Oracle.load({ memory: 1 << 24, onProgress: (bytes, total) => total ?? bytes });
  const position: Position = new Position("4453").play(3).play("12");
  const record: GameRecord = parseGame("1. 4 4 2. 5 3", { size: position.size });
  const player: Player | null = position.toMove;
  const cells: Cell[] = position.threats(player ?? "X");
  const analysis: Analysis = oracle.analyse(position, { maxNodes: 1000, onPart: (part) => part.score });
  const scores: (number | null)[] = analysis.scores;
  const outcome: Outcome = oracle.outcome(position);
  const marks: Mark[] = oracle.review("4453").moves.map((move) => move.mark);
  const { column, bounds }: ChosenMove = oracle.chooseMove(position, { level: Level.all()[2] ?? "casual", seed: 7n });
  const reason: string | null = oracle.explain(position).threats[0]?.column === 0 ? "left" : oracle.explain(position).reason;
  // @ts-expect-error: there is no such level
  oracle.chooseMove(position, { level: "easy" });
  // @ts-expect-error: the levels end with 8
  oracle.chooseMove(position, { level: 9 });
  // @ts-expect-error: there is no such option
  oracle.score(position, { lvl: reason });
  for (const [each, value] of oracle.book?.positions(1) ?? []) each.key + BigInt(value);
  try {
    new Solver({ size: "8x8" }).score("", { maxNodes: 10 });
  } catch (error) {
    if (!(error instanceof NodeBudgetError)) throw error;
  }
  const many: Int8Array = oracle.analyseMany(["44"]).moves[0] ?? Int8Array.of(UNPLAYABLE);
  return record.ply + cells.length + scores.length + outcome.length + marks.length + column + (bounds?.min ?? 0) + many.length;
}

export async function byWorker(signal: AbortSignal): Promise<number | null> {
  const oracle = await WorkerOracle.load({ book: (await Book.load(null, { signal, cache: false })).toBytes(), signal });
  let last: number | null = null;
  for await (const part of oracle.parts("4453", { signal })) last = part.score;
  // @ts-expect-error: a column is a number
  const text: string = await oracle.bestMove("4453", { timeout: 1 });
  oracle.close();
  return text.length + (last ?? 0);
}

export async function withoutBook(wasm: URL): Promise<number> {
  await coreInit({ wasm });
  using oracle = new CoreOracle({ size: "6x6" });
  // @ts-expect-error: there is no such option
  oracle.bestMove("", { ties: "left" });
  return oracle.score("12") + (Book.fromBytes(new ArrayBuffer(8)).lookUp("") ?? 0);
}
