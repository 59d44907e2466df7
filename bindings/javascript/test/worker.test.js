// The oracle in a worker, in Node.js.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { Analysis, DeadlineError, Explanation, GameReview, Level, Oracle, Position, PositionError, SizeError } from "fourbook/worker";
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
  assert.equal(await there.bestMove("4453"), 2);
  assert.equal((await there.chooseMove("4453", { level: new Level("casual"), seed: 7n })).column, 6);
  assert.deepEqual([...(await there.scores(["44", position]))], [1, -2]);
  assert.deepEqual([...(await there.analyseMany(["4453"])).moves[0]], [-5, -5, -2, -3, -4, -2, -2]);
  assert.deepEqual((await there.review(position)).toJSON(), here.review(position).toJSON());
  const review = await there.review("445352");
  assert.ok(review instanceof GameReview);
  assert.deepEqual(review.toJSON(), here.review("445352").toJSON());
  assert.deepEqual(await there.line("445352"), here.line("445352"));
  const explanation = await there.explain("44335");
  assert.ok(explanation instanceof Explanation);
  assert.deepEqual(explanation, here.explain("44335"));
  assert.deepEqual(explanation.toJSON(), here.explain("44335").toJSON());
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

test("a worker follows strategies", async () => {
  for (const [strategies, expected] of [[undefined, true], [[], false]]) {
    const oracle = await Oracle.load({ size: "8x7", strategies });
    assert.equal((await oracle.chooseMove("", { maxNodes: 0 })).proved, expected);
    oracle.close();
  }
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

test("a worker sends an analysis once, and parts only to those who ask for them", async () => {
  const { oracleFor } = await import(new URL("client.js", import.meta.resolve("fourbook")));
  const { serve } = await import(new URL("thread.js", import.meta.resolve("fourbook")));
  const sent = [];
  const Watched = oracleFor((onMessage) => {
    const receive = serve((message) => onMessage(sent.push(message) && message), setImmediate);
    return { post: (message) => queueMicrotask(() => receive(message)), end() {}, keep() {} };
  });
  const oracle = await Watched.load();
  for (const [moves, onPart] of [["4453"], ["4453", () => {}], ["56227367215"], ["56227367215", () => {}]]) {
    sent.length = 0;
    await oracle.analyse(moves, { onPart });
    const texts = sent.map(({ part, result }) => (part ?? result).parts[0]);
    assert.equal(sent.some(({ part }) => part), onPart !== undefined);
    // The result is the last part.
    assert.equal(new Set(texts).size, onPart ? texts.length - 1 : 1);
  }
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
  await assert.rejects(oracle.scores([easy, ""], { maxNodes: 1e6 }), ({ results, solved }) => results[0] === 7 && solved === 1);
  // Leaving the loop stops the search.
  for await (const part of oracle.parts("1")) {
    assert.ok(!part.complete);
    break;
  }
  assert.equal(await oracle.score(easy), 7);
  oracle.close();
});

/** A worker that does not take turns has no answer within the limit. */
test("others are answered beside long searches, and an abort keeps the table", { timeout: 60_000 }, async () => {
  const oracle = await Oracle.load({ size: "7x6", book: null });
  const question = "5622736721521";
  const before = await oracle.analyse(question);
  const stop = new AbortController();
  const searches = ["", "1", "2"].map((moves) => oracle.score(moves, { signal: stop.signal }));
  for (let turn = 0; turn < 5; turn++) assert.equal(await oracle.score(question), -8);
  assert.equal(await Promise.race([...searches, "still searching"]), "still searching");
  stop.abort();
  for (const search of searches) await assert.rejects(search, { name: "AbortError" });
  const after = await oracle.analyse(question);
  assert.deepEqual(after.scores, before.scores);
  assert.ok(after.nodes < before.nodes / 2, `${after.nodes} and ${before.nodes} nodes`);
  oracle.close();
});

/** The clock goes on when it is read, as a fast machine knows all answers within one turn. */
test("many known positions do not block other questions", async (context) => {
  const library = import.meta.resolve("fourbook");
  const { oracleFor } = await import(new URL("client.js", library));
  const { serve } = await import(new URL("thread.js", library));
  const SameThread = oracleFor((onMessage) => {
    const receive = serve(onMessage, setImmediate);
    return { post: (message) => queueMicrotask(() => receive(message)), end() {}, keep() {} };
  });
  const oracle = await SameThread.load();
  assert.deepEqual(await oracle.known({ ...new Position("44") }), await oracle.known(new Position("44")));
  let now = 0;
  context.mock.method(performance, "now", () => now++);
  const order = [];
  const many = oracle.scores(Array(1000).fill("4453")).then(() => order.push("many"));
  await Promise.all([many, oracle.score("44").then(() => order.push("one"))]);
  assert.deepEqual(order, ["one", "many"]);
});

test("an error of a callback rejects its call", async () => {
  const oracle = await Oracle.load();
  const thrown = new Error("from the callback");
  const callbacks = [() => { throw thrown; }, async () => { throw thrown; }];
  for (const onPart of callbacks) {
    for (const moves of ["4453", "5622736721521"]) await assert.rejects(oracle.analyse(moves, { onPart }), thrown);
    await assert.rejects(Oracle.load({ onProgress: onPart }), thrown);
  }
  const parts = [];
  await oracle.analyse("4453", { onPart: ({ complete }) => parts.push(complete) });
  assert.deepEqual(parts, [true]);
  for await (const part of oracle.parts("4453")) parts.push(part.complete);
  assert.deepEqual(parts, [true, true]);
  oracle.close();
});

test("oracles share a signal, and leave nothing behind on it", async () => {
  const warned = [];
  process.on("warning", (warning) => warned.push(warning));
  const { signal } = new AbortController();
  const stop = new AbortController();
  const oracles = await Promise.all([LONG, LONG].map((options) => Oracle.load({ ...options, signal: stop.signal })));
  assert.equal(getEventListeners(stop.signal, "abort").length, 0);
  await Promise.all(Array.from({ length: 40 }, () => oracles[0].score("1112223334445556667778881", { signal, maxNodes: 0 }).catch(() => 0)));
  assert.equal(getEventListeners(signal, "abort").length, 0);
  const searches = oracles.map((oracle) => oracle.score("", { signal: stop.signal }));
  stop.abort();
  for (const search of searches) await assert.rejects(search, { name: "AbortError" });
  for (const oracle of oracles) {
    assert.equal(await oracle.score("634727216256773846446444368174338368683232171718711"), 7);
    oracle.close();
  }
  assert.deepEqual(warned, []);
});

test("unknown options are refused, and what a message cannot hold", async () => {
  const oracle = await Oracle.load();
  const calls = [
    [() => oracle.score("44", { maxnodes: 1 }), /^expected an option among maxNodes, timeout, signal, found 'maxnodes'$/],
    [() => oracle.parts("44", { onPart() {} }).next(), /found 'onPart'$/],
    [() => oracle.chooseMove("44", 3), /^expected options as an object, found the number 3$/],
    [() => oracle.score("44", { signal: {} }), /^expected signal as an AbortSignal, found Object$/],
    [() => Oracle.load({ boook: null }), /among book, size, memory, strategies, signal, onProgress, cache, found 'boook'$/],
  ];
  for (const [call, message] of calls) await assert.rejects(call, { name: "TypeError", message });
  await assert.rejects(oracle.chooseMove("44", { level: "easy" }), { name: "RangeError", message: /beginner, novice/ });
  await assert.rejects(oracle.chooseMove("44", { level: () => 3 }), { name: "DataCloneError" });
  assert.equal(await oracle.score("44"), 1);
  oracle.close();
});

test("a worker that has ended answers no more", async () => {
  const { oracleFor } = await import(new URL("client.js", import.meta.resolve("fourbook")));
  let fail;
  const Ending = oracleFor((onMessage, onError) => {
    fail = onError;
    return { post: ({ id }) => queueMicrotask(() => id === 1 && onMessage({ id, result: {} })), end() {}, keep() {} };
  });
  const oracle = await Ending.load();
  const open = oracle.score("");
  fail(new Error("it has ended"));
  for (const call of [open, oracle.score("44")]) await assert.rejects(call, /^Error: it has ended$/);
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
