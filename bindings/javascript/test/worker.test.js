// The oracle in a worker, in Node.js.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { Analysis, DeadlineError, GameReview, Level, Oracle, Position, PositionError, SizeError } from "fourbook/worker";
import { Oracle as Here } from "fourbook";

/** A search that takes hours. */
const LONG = { size: "8x8", book: null, memory: 1 << 22 };

test("the same answers as in the calling thread", async () => {
  const [there, here] = [await Oracle.load(), await Here.load()];
  assert.deepEqual([there.size, there.book.depth, there.book.identity], ["7x6", 12, here.book.identity]);
  const position = new Position("4453");
  for (const asked of ["4453", position]) {
    assert.equal(await there.score(asked), -2);
    const analysis = await there.analyse(asked);
    assert.ok(analysis instanceof Analysis);
    assert.deepEqual(analysis.scores, here.analyse(asked).scores);
    assert.deepEqual(analysis.bestMoves, [2, 5, 6]);
  }
  assert.deepEqual((await there.analyse("4453")).toJSON(), here.analyse("4453").toJSON());
  assert.equal(await there.outcome("44"), "win");
  assert.ok((await there.known("44")).complete);
  assert.equal(await there.bestMove("4453", { ties: "random", seed: 1 }), 5);
  assert.equal(await there.chooseMove("4453", { level: new Level("casual"), seed: 7n }), 6);
  assert.deepEqual([...(await there.scores(["44", position]))], [1, -2]);
  assert.deepEqual([...(await there.analyseMany(["4453"])).moves[0]], [-5, -5, -2, -3, -4, -2, -2]);
  const review = await there.review("445352");
  assert.ok(review instanceof GameReview);
  assert.deepEqual(review.toJSON(), here.review("445352").toJSON());
  assert.deepEqual(await there.principalVariation("445352"), here.principalVariation("445352"));
  assert.deepEqual(await there.explain("44335"), here.explain("44335"));
  await assert.rejects(there.score("4444444"), (error) => error instanceof PositionError && /^move 7/.test(error.message));
  await assert.rejects(there.score(new Position("", { size: "8x8" })), SizeError);
  await assert.rejects(there.score(7), TypeError);
  await assert.rejects(there.scores(["44", "4x"]), { name: "PositionError", message: /^positions\[1\]: move 2/ });
  await assert.rejects(there.scores(["44", 7]), { name: "TypeError", message: /^positions\[1\]: expected a Position/ });
  await assert.rejects(there.scores("44"), { name: "TypeError", message: /several positions/ });
  await assert.rejects(there.chooseMove("", { level: {} }), { name: "TypeError", message: /found Object/ });
  assert.equal(await there.score("44", null), 1);
  there[Symbol.dispose]();
  await assert.rejects(there.score(""), /the oracle was closed/);
});

test("parts come as they are found", async () => {
  const oracle = await Oracle.load({ book: null });
  const position = "56227367215";
  const parts = [];
  for await (const part of oracle.parts(position)) parts.push(part);
  assert.ok(parts.length >= 2 && !parts[0].complete && parts.at(-1).complete);
  const known = parts.map(({ scores }) => scores.filter((score) => score !== null).length);
  assert.deepEqual(known, known.toSorted((a, b) => a - b));
  const told = [];
  const whole = await oracle.analyse(position, { onPart: (part) => told.push(part) });
  assert.deepEqual(whole.scores, parts.at(-1).scores);
  assert.ok(told.length > 0);
  oracle.close();
});

test("a search is cancelled, and others go on", async () => {
  const oracle = await Oracle.load(LONG);
  const stop = new AbortController();
  const search = oracle.score("", { signal: stop.signal });
  // Answered during the other search: the two take turns.
  const easy = "634727216256773846446444368174338368683232171718711";
  assert.equal(await oracle.score(easy), 7);
  stop.abort();
  await assert.rejects(search, { name: "AbortError" });
  assert.equal(await oracle.score(easy), 7);
  await assert.rejects(oracle.score("", { signal: AbortSignal.abort() }), { name: "AbortError" });
  await assert.rejects(oracle.score("", { signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
  await assert.rejects(oracle.score("", { timeout: 50 }), DeadlineError);
  await assert.rejects(oracle.score("", { maxNodes: 1000 }), ({ name, nodes, bounds }) =>
    name === "NodeBudgetError" && nodes === 1000 && bounds.min < 0 && bounds.max > 0);
  // Leaving the loop stops the search.
  for await (const part of oracle.parts("1")) {
    assert.ok(!part.complete);
    break;
  }
  assert.equal(await oracle.score(easy), 7);
  oracle.close();
});

test("a worker that does not stop is replaced", async () => {
  const oracle = await Oracle.load(LONG);
  const stop = new AbortController();
  // The quick levels look ahead in one go, on such a board for seconds.
  const busy = oracle.chooseMove("", { level: "expert", signal: stop.signal });
  const waiting = oracle.score("634727216256773846446444368174338368683232171718711");
  setTimeout(() => stop.abort(), 20);
  await assert.rejects(busy.then((column) => Promise.reject(new Error(`played ${column} in time`))));
  assert.equal(await waiting, 7);
  oracle.close();
});

test("closing an oracle rejects what is open", async () => {
  const oracle = await Oracle.load(LONG);
  const open = oracle.score("");
  oracle.close();
  await assert.rejects(open, /the oracle was closed/);
  await assert.rejects(Oracle.load({ book: "no-such.book" }), { name: "BookError", message: /cannot read the book/ });
  await assert.rejects(Oracle.load({ size: "3x3" }), SizeError);
  await assert.rejects(Oracle.load({ signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("a process ends though its worker was not closed", () => {
  const program = `
    import { Oracle } from "fourbook/worker";
    const oracle = await Oracle.load();
    console.log(await oracle.score("4453"));`;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8", timeout: 60_000 });
  assert.deepEqual([stdout.trim(), status], ["-2", 0]);
});
