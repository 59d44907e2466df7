// The package as it is installed, in Node.js: positions, levels, answers and errors.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import {
  Book, BookError, DeadlineError, FourbookError, Level, NodeBudgetError, Oracle, Position,
  PositionError, SizeError, Solver, LimitError, UNKNOWN, UNPLAYABLE, init, parseGame, version,
} from "fourbook";
import packageFile from "fourbook/package.json" with { type: "json" };

const ROOT = process.env.FOURBOOK_ROOT;
const DATA = join(ROOT, "tests", "data");
const lines = (name) => readFileSync(join(DATA, name), "utf8").trim().split("\n").map((line) => line.split(" "));
const oracle = await Oracle.load();

test("it is ready when it has been imported, and knows its version", async () => {
  await init();
  assert.equal(version(), packageFile.version);
});

test("positions", () => {
  const position = new Position("4453");
  assert.deepEqual([position.size, position.width, position.height, position.ply], ["7x6", 7, 6, 4]);
  assert.deepEqual([position.toMove, position.over, position.winner, position.winningLine], ["X", false, null, null]);
  assert.equal(position.key, 4433222074497n);
  assert.equal(position.moves.length, 4);
  assert.equal(position.diagram, "......./......./......./......./...O.../..OXX..");
  assert.equal(position.toText("bitboards"), "[270532608, 4210688, 4]");
  assert.ok(position.equals(Position.fromMoves([3, 3, 4, 2])));
  assert.ok(position.equals(Position.fromMoves("4453")));
  assert.ok(position.equals(Position.fromKey(position.key)));
  assert.ok(position.equals(Position.fromArray(position.toArray())));
  assert.ok(position.equals(Position.fromDiagram(position.diagram)));
  assert.ok(position.equals(new Position().play(3).play("453")));
  assert.ok(!position.equals(position.mirrored()) && !position.equals("4453"));
  assert.ok(position.canonical().equals(position.mirrored().canonical()));
  assert.equal(position.canonicalKey, position.mirrored().canonicalKey);
  assert.deepEqual(new Position("111111").legalMoves(), [1, 2, 3, 4, 5, 6]);
  assert.ok(!new Position("111111").canPlay(0) && !new Position().canPlay(7));
  assert.deepEqual(new Position("121212").threats("X"), [{ column: 0, row: 3 }]);
  assert.equal(String(position).split("\n").at(-1), "1 2 3 4 5 6 7");
  assert.equal(String(position).split("\n").at(-2), ". . O X X . .");
});

test("texts of every kind are read as the file of cases says", () => {
  for (const line of readFileSync(join(DATA, "notations.tsv"), "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, size, expected, written] = /^(.*?)\t(.*?)\t(.*)$/.exec(line);
    const text = written.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
    const read = () => new Position(text, { size });
    if (expected.startsWith("!")) {
      assert.throws(read, (error) => error instanceof PositionError && error.message.includes(expected.slice(1)), line);
    } else {
      const position = Position.fromMoves(expected === "-" ? "" : expected, { size });
      assert.ok(read().equals(position), line);
      const { size: board, diagram, moves, ply } = parseGame(text, { size });
      assert.ok(new Position(diagram ?? "", { size: board }).play(moves.slice(0, ply)).equals(position), line);
    }
  }
});

test("a text says which game it is", () => {
  assert.deepEqual(parseGame("1. d1 d2 2. e1 c1"), { size: "7x6", diagram: null, moves: "4453", ply: 4 });
  assert.deepEqual(parseGame("?size=8x7&moves=445&ply=2"), { size: "8x7", diagram: null, moves: "445", ply: 2 });
  const diagram = "..../..../..../X...";
  assert.deepEqual(parseGame(diagram, { size: "7x6" }), { size: "4x4", diagram, moves: "", ply: 0 });
  assert.throws(() => parseGame("4, 8"), PositionError);
});

test("what is printed is read back on every board", () => {
  for (let width = 4; width <= 16; width++) {
    const size = `${width}x4`;
    for (const columns of [[width - 1], [width - 1, 0, width - 1], [...Array(width).keys()]]) {
      const position = Position.fromMoves(columns, { size });
      const moves = columns.map((column) => (column + 1).toString(36)).join("");
      const texts = ["moves", "diagram", "bitboards", "rows", "key"].map((notation) => position.toText(notation));
      for (const text of [moves, String(position), ...texts]) {
        assert.ok(new Position(text, { size }).equals(position), `${size}: ${text}`);
      }
    }
  }
});

test("the end of a game", () => {
  const won = new Position("1213141");
  assert.deepEqual([won.over, won.winner, won.toMove, won.legalMoves()], [true, "X", null, []]);
  assert.deepEqual(won.winningLine.map(({ row }) => row), [0, 1, 2, 3]);
  for (let column = 0; column < 7; column++) {
    assert.ok(!won.canPlay(column));
    for (const move of [column, `${column + 1}`]) {
      assert.throws(() => won.play(move), { name: "PositionError", message: /comes after the end of the game/ });
    }
  }
  const further = [
    () => new Position("12131415"), () => Position.fromMoves("12131415"), () => Position.fromMoves([0, 1, 0, 2, 0, 3, 0, 4]),
    () => oracle.score("12131415"), () => oracle.review("12131415"),
  ];
  for (const call of further) assert.throws(call, { name: "PositionError", message: /comes after the end of the game/ }, String(call));
  assert.throws(() => oracle.bestMove(won), { name: "PositionError", message: /found one that is over/ });
  assert.equal(oracle.score(won), -18);
});

test("large boards", () => {
  const position = new Position("gg1", { size: "16x7" });
  assert.deepEqual([position.size, position.ply], ["16x7", 3]);
  assert.ok(position.equals(Position.fromKey(position.key, { size: "16x7" })));
  assert.ok(position.key > 2n ** 64n);
  assert.equal(String(position).split("\n").at(-1), "1 2 3 4 5 6 7 8 9 a b c d e f g");
});

test("errors have the library's texts, and classes", () => {
  const cases = [
    [() => new Position("4444444"), PositionError, /^move 7 \('4'\) goes to a full column; a column holds 6 stones$/],
    [() => new Position("hello"), PositionError, /looks like no notation of a position/],
    [() => Position.fromKey(5), PositionError, /has the key 5; if its bottom row is missing, write key:4432676798598: the key has no bit/],
    [() => Position.fromArray([[0, 3]]), PositionError, /found 3/],
    [() => Position.fromArray([7]), TypeError, /^expected rows of numbers, the top one first, found the number 7$/],
    [() => Position.fromMoves(null), TypeError, /^expected moves as a text, or columns from 0, found null$/],
    [() => new Position("").play(7), PositionError, /^expected a column from 0 to 6, found 7$/],
    [() => new Position("").play(1.5), PositionError, /found 1.5/],
    [() => new Position("", { size: "3x3" }), SizeError, /^'3x3' is not a board size; expected WIDTHxHEIGHT/],
    [() => new Position(4453), TypeError, /expected a position as a text, found the number 4453/],
    [() => oracle.score(4453), TypeError, /^expected a Position, or a position as a text, found the number 4453$/],
    [() => oracle.score(new Position("", { size: "8x8" })), SizeError, /expected a position of 7x6 boards, found one of 8x8/],
    [() => new Level("grandmaster"), RangeError, /^'grandmaster' is not a level; expected a number from 1 to 8/],
    [() => oracle.chooseMove("", { level: {} }), TypeError, /found Object/],
    [() => oracle.chooseMove("", { seed: "7" }), TypeError, /a seed as a whole number below 2\^53 or a BigInt/],
    [() => oracle.score("", { signal: new AbortController().signal }), TypeError, /expected no signal/],
    [() => new Book(new Uint8Array(100)), BookError, /./],
    [() => new Book("a.book"), TypeError, /expected a Book or its bytes/],
    [() => oracle.book.positions(13).next(), RangeError, /from 0 to 12, the book's depth, found 13/],
    [() => new Oracle({ book: oracle.book, size: "8x8" }), SizeError, /./],
    [() => new Solver({ memory: -1 }), RangeError, /expected memory/],
    [() => oracle.scores("4453"), TypeError, /several positions/],
    [() => oracle.review("44444444"), PositionError, /move 7/],
  ];
  for (const [call, type, text] of cases) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof type, `${error?.stack}`);
      assert.match(error.message, text);
      assert.equal(error.name, type.name);
      return type === TypeError || type === RangeError || error instanceof FourbookError;
    });
  }
});

test("an error of many positions has the index", () => {
  const wrong = [
    ["4x", PositionError, /^positions\[2\]: move 2 \('x'\) is not a column/],
    [new Position("", { size: "8x8" }), SizeError, /^positions\[2\]: expected a position of 7x6 boards/],
    [7, TypeError, /^positions\[2\]: expected a Position, or a position as a text, found the number 7$/],
  ];
  for (const [position, type, text] of wrong) {
    for (const method of ["scores", "analyseMany"]) {
      assert.throws(() => oracle[method](["44", "", position]), (error) => error instanceof type && text.test(error.message));
    }
  }
});

test("a search that was stopped says what it proved", () => {
  assert.throws(() => new Solver().score("4", { maxNodes: 30_000 }), (error) => {
    assert.ok(error instanceof NodeBudgetError && error.nodes === 30_000, error.stack);
    assert.ok(error.bounds.min < 0 && error.bounds.max >= -1 && error.bounds.max - error.bounds.min < 40);
    assert.match(error.message, /; proved with 30.000 nodes: /);
    return true;
  });
  assert.throws(() => new Solver().score("4", { timeout: 0 }), { name: "DeadlineError", bounds: { min: -18, max: 18 }, nodes: 0 });
});

test("a position as JSON can be read again", () => {
  for (const position of [new Position("4453"), new Position("gg1", { size: "16x7" }), new Position()]) {
    const json = JSON.parse(JSON.stringify(position));
    assert.deepEqual([json.size, BigInt(json.key)], [position.size, position.key]);
    assert.ok(new Position(json.position, { size: json.size }).equals(position));
  }
});

test("scores and analyses from the book", () => {
  assert.deepEqual(["", "44", "4453"].map((moves) => oracle.score(moves)), [1, 1, -2]);
  assert.equal(oracle.score(new Position("4453")), -2);
  assert.deepEqual(["4453", "44"].map((moves) => oracle.outcome(moves)), ["loss", "win"]);
  const analysis = oracle.analyse("4453");
  assert.deepEqual(analysis.scores, [-5, -5, -2, -3, -4, -2, -2]);
  assert.deepEqual([analysis.score, analysis.bestMoves, analysis.complete], [-2, [2, 5, 6], true]);
  assert.deepEqual([analysis.position, analysis.outcome, analysis.pliesToEnd, analysis.source, analysis.nodes],
    ["4453", "loss", 36, "book", null]);
  assert.deepEqual(analysis.moves[0],
    { column: 2, playable: true, known: true, score: -2, outcome: "loss", source: "book", pliesToEnd: 36 });
  assert.equal(analysis.key, new Position("4453").key);
  assert.equal(oracle.nodes, 0);
  const json = JSON.parse(JSON.stringify(analysis));
  assert.deepEqual([json.best_moves, json.moves[0].column, json.plies_to_end], [["3", "6", "7"], "3", 36]);
  const won = oracle.analyse("1213141");
  assert.deepEqual(won.winningLine[3], { column: 0, row: 3 });
  assert.deepEqual(won.toJSON().winning_line[3], { column: "1", row: "4" });
});

test("copies of positions and analyses have all that these have", async () => {
  const { port1, port2 } = new MessageChannel();
  const posted = (value) => new Promise((resolve) => {
    port2.once("message", resolve);
    port1.postMessage(value);
  });
  for (const position of [new Position("4453"), new Position("gg1", { size: "16x7" })]) {
    const { size, key } = position;
    const there = new Solver({ size });
    const text = position.toText("key");
    const known = there.known(text);
    for (const copy of [{ ...position }, structuredClone(position), await posted(position)]) {
      assert.deepEqual(copy, { size, key });
      assert.deepEqual(there.known(copy).toJSON(), { ...known.toJSON(), position: there.known(position).position });
    }
    assert.deepEqual(there.known(JSON.parse(JSON.stringify(position))).key, key);
    assert.throws(() => there.score({ size, key: 5n }), PositionError);
    assert.throws(() => oracle.score({ key }), { name: "TypeError", message: /^expected a Position, or a position as a text/ });
    assert.throws(() => { position.key = 5n; }, TypeError);
    for (const copy of [{ ...known }, structuredClone(known), await posted(known)]) {
      assert.deepEqual(Object.keys(copy), Object.keys(known));
      for (const name in known) assert.deepEqual(copy[name], known[name], name);
      assert.deepEqual([copy.position, copy.ply, copy.moves.length, copy.bestMoves], [text, position.ply, position.width, []]);
      assert.ok(copy.bounds.min < 0 && copy.bounds.max > 0 && copy.moves.some(({ column }) => column === 0));
    }
    there.close();
  }
  port1.close();
  for (const value of [oracle.explain("44335"), oracle.review("445352")]) {
    assert.deepEqual(structuredClone(value), { ...value });
    assert.ok(!Object.keys(value).some((name) => name.includes("_")));
  }
});

test("moves that are played", () => {
  assert.equal(oracle.bestMove("4453"), 2);
  // The same games as in the library's own tests.
  assert.deepEqual([1, 2, 3, 4].map((seed) => oracle.chooseMove("4453", { seed }).column), [5, 2, 2, 2]);
  assert.deepEqual(oracle.chooseMove("4453", { level: "casual", seed: 7 }), { column: 6, proved: true, bounds: null });
  assert.equal(oracle.chooseMove("4453", { level: new Level(3), seed: 7n }).column, 6);
  const oracles = { "7x6": oracle, "9x7": new Oracle({ size: "9x7" }) };
  for (const [size, moves, level, seed, column] of lines("levels/moves.txt")) {
    const played = oracles[size].chooseMove(moves, { level, seed: BigInt(seed), timeout: Infinity });
    assert.deepEqual([played.column + 1, played.proved], [Number(column), true], `${size} ${moves} ${level} ${seed}`);
  }
  const columns = new Set(Array.from({ length: 40 }, () => oracle.chooseMove("", { level: "beginner" }).column));
  assert.ok(columns.size > 1, "without a seed chance decides");
});

test("where a limit ends the search, the best move known is played", () => {
  const large = new Oracle({ size: "9x8" });
  for (const level of ["master", "perfect"]) {
    // The side to move has to prevent three in a row with both ends open.
    for (const [moves, expected] of [["", 4], ["415", 5]]) {
      for (const limits of [{ maxNodes: 0 }, { maxNodes: 1000 }]) {
        const { column, proved, bounds } = large.chooseMove(moves, { level, ...limits });
        assert.deepEqual([column, proved], [expected, false], `${moves} ${level}`);
        assert.ok(bounds.min < 0 && bounds.max > 0);
      }
    }
    assert.equal(large.chooseMove("4455", { level, maxNodes: 0 }).proved, true, "no other move wins sooner");
  }
  assert.equal(large.chooseMove("", { level: "expert", maxNodes: 1e8 }).proved, true, "it needs no exact scores");
  assert.equal(large.chooseMove("", { level: "expert", timeout: 0 }).proved, false);
  large.close();
});

test("the perfect level follows strategies", async () => {
  const proved = async (options) => {
    const made = await Oracle.load({ size: "8x7", ...options });
    const found = made.chooseMove("", { maxNodes: 0 }).proved;
    made.close();
    return found;
  };
  const file = (name) => readFileSync(join(ROOT, "books", "strategies", name));
  const bytes = file("8x7-first-d12-wdl.strategy");
  assert.equal(await proved({}), true);
  assert.equal(await proved({ book: null }), false);
  assert.equal(await proved({ strategies: [] }), false);
  assert.equal(await proved({ book: null, strategies: [bytes] }), true);
  // One of exact scores has a best move beyond the book.
  const exact = new Oracle({ strategies: [file("7x6-first-d16.strategy")] });
  assert.equal(exact.bestMove("", { maxNodes: 0 }), 3);
  exact.close();
  for (const [strategies, expected] of [
    [[bytes], /strategies for 7x6 boards.*found another: 8x7 for X/], [[bytes.subarray(1)], /expected a strategy/],
    [["x"], /the bytes of a strategy/], ["x", /an array of their bytes/],
  ]) {
    assert.throws(() => new Oracle({ strategies }), expected);
  }
});

test("levels", () => {
  const all = Level.all();
  assert.deepEqual(all.map(({ number }) => number), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(all.map(String).join(), "beginner,novice,casual,intermediate,advanced,expert,master,perfect");
  assert.deepEqual([all[2].horizon, all[2].chance, all[7].horizon], [4, 20, null]);
});

/** The rule of levels, from their documentation. */
test("the same seed gives the same game in every language", () => {
  const mask = 2n ** 64n - 1n;
  const mix = (z) => {
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return z ^ (z >> 31n);
  };
  const step = 0x9e3779b97f4a7c15n;
  for (const moves of ["", "4", "44", "4453", "121212", "445352"]) {
    const position = new Position(moves);
    const { scores } = oracle.analyse(moves);
    const best = Math.max(...scores.filter((score) => score !== null));
    for (let seed = 0n; seed < 50n; seed++) {
      const state = mix(mix(seed) ^ position.key);
      let left = Number(mix((state + 2n * step) & mask) % BigInt(sum(weights((score) => score === best))));
      const candidates = weights((score) => score === best);
      const expected = candidates.findIndex((weight) => (left -= weight) < 0);
      assert.equal(oracle.chooseMove(moves, { level: "perfect", seed }).column, expected, `${moves} ${seed}`);
    }
    function weights(isCandidate) {
      return scores.map((score, column) => (score !== null && isCandidate(score) ? Math.min(column, 6 - column) + 1 : 0));
    }
  }
  function sum(numbers) {
    return numbers.reduce((a, b) => a + b);
  }
});

test("many positions", () => {
  const positions = ["44", new Position("4453"), "", "111111"];
  assert.deepEqual([...oracle.scores(positions)], positions.map((position) => oracle.score(position)));
  const { scores, moves } = oracle.analyseMany(positions);
  assert.deepEqual([...scores], positions.map((position) => oracle.score(position)));
  assert.deepEqual([...moves[1]], [-5, -5, -2, -3, -4, -2, -2]);
  assert.equal(moves[3][0], UNPLAYABLE);
});

test("a game move by move", () => {
  const review = oracle.review("445352");
  assert.deepEqual(review.moves.map(({ mark }) => mark),
    ["best", "best", "win-thrown-away", "best", "faster-loss", "win-thrown-away"]);
  assert.deepEqual(review.moves.map(({ column }) => column), [3, 3, 4, 2, 4, 1]);
  assert.deepEqual([review.positions.length, review.winner, review.over], [7, null, false]);
  assert.equal(review.line.length, review.positions[6].pliesToEnd);
  assert.deepEqual(review.line, oracle.line("445352"));
  assert.equal(review.toJSON().moves[0].column, "4");
  // A position does not know its moves.
  const ended = oracle.review(new Position("445352"));
  assert.deepEqual([ended.moves, ended.positions[0].score, ended.line], [[], review.positions[6].score, review.line]);
  assert.throws(() => oracle.review(445352), { name: "TypeError", message: /^expected a Position, or a position as a text/ });
});

test("why a game ends as it does", () => {
  const explanation = oracle.explain("44335");
  assert.deepEqual([explanation.winner, explanation.reason, explanation.row], ["X", "double-threat", "odd"]);
  assert.deepEqual(explanation.threats, [{ column: 1, row: 0 }, { column: 5, row: 0 }]);
  assert.deepEqual(explanation.line, oracle.line("44335"));
  assert.deepEqual([explanation.last.row, explanation.fours[0].from.row, explanation.threatSince], [0, 0, 5]);
  assert.deepEqual(explanation.toJSON().threats[0], { column: "2", row: "1" });
  assert.match(explanation.text, /^X wins with stone 7 in column [26], row 1/);
  assert.equal(oracle.explain("1212121").text, "X has won with four in column 1, rows 1 to 4.");
});

test("books", async () => {
  const book = await Book.load();
  assert.deepEqual([book.size, book.depth, book.kind, book.encoding], ["7x6", 12, "scores", "compact"]);
  assert.deepEqual(["44", new Position("4453"), "4444443333332"].map((it) => book.lookUp(it)), [1, -2, null]);
  const info = book.info();
  assert.deepEqual(info.sections.map(({ ply }) => ply), [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12]);
  assert.deepEqual([info.identity, info.formatVersion], [book.identity, 1]);
  assert.deepEqual(book.verify(), { passed: true, failures: [] });
  const first = [...book.positions(1)].map(([position, value]) => [position.moves, value]);
  assert.deepEqual(first, [["3", 0], ["2", 1], ["1", 2], ["4", -1]]);
  let number = 0;
  for (const [position, value] of book.positions(6)) {
    number += 1;
    if (number % 500 === 0) assert.equal(oracle.score(position.mirrored()), value);
  }
  assert.ok(number > 2000, `${number}`);
  // Other copies, other boards, and damage.
  const place = new URL("7x6-d12.book", import.meta.resolve("fourbook"));
  const loaded = await Promise.all([place, place.href, fileURLToPath(place), null].map((each) => Book.load(each)));
  const bytes = book.toBytes();
  for (const each of loaded) assert.deepEqual(each.toBytes(), bytes);
  assert.equal(Book.fromBytes(bytes.buffer).identity, book.identity);
  const small = await Book.load(join(ROOT, "examples", "4x4-d6.book"));
  assert.deepEqual([small.size, small.lookUp("")], ["4x4", 0]);
  assert.equal(new Oracle({ book: small }).score("1234"), 0);
  const shelf = await Oracle.load({ size: "6x5" });
  assert.deepEqual([shelf.book.size, shelf.book.depth, shelf.score(""), shelf.nodes], ["6x5", 8, 0, 0]);
  assert.equal((await Oracle.load({ size: "6 X 5" })).book.identity, shelf.book.identity);
  assert.equal((await Oracle.load({ size: "8x8" })).book, null);
  bytes[bytes.length - 9] ^= 1;
  assert.deepEqual(new Book(bytes).verify().failures.map(({ ply }) => ply), [12]);
  assert.throws(() => new Book(bytes.subarray(0, 1000)), BookError);
  await assert.rejects(Book.load("no-such.book"), { name: "BookError", message: /^cannot read the book no-such.book: / });
});

test("the conformance set is read as expected", async () => {
  const folder = join(ROOT, "books", "conformance");
  const [, ...books] = readFileSync(join(folder, "expected.txt"), "utf8").split(/^book /m);
  assert.ok(books.length >= 60);
  for (const [[name, verdict], ...answers] of books.map((book) => book.trim().split("\n").map((line) => line.split(" ")))) {
    const bytes = readFileSync(join(folder, name));
    if (verdict === "refused") {
      assert.throws(() => new Book(bytes), BookError, name);
      continue;
    }
    let errors = 0;
    const attempt = (get) => {
      try {
        return get();
      } catch (error) {
        assert.ok(verdict === "damaged" && error instanceof BookError, `${name}: ${error}`);
        errors += 1;
      }
    };
    const book = attempt(() => new Book(bytes));
    for (const [moves, value] of book ? answers : []) {
      const found = attempt(() => book.lookUp(Position.fromMoves(moves.replace("-", ""), { size: book.size })));
      if (found !== undefined) assert.equal(found, value === "unknown" ? null : Number(value), `${name}: ${moves}`);
    }
    assert.equal(errors > 0, verdict === "damaged", name);
  }
});

test("files that change give right answers or errors", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fourbook-"));
  const place = join(folder, "changing.book");
  const shallow = readFileSync(join(ROOT, "books", "7x6-d8.book"));
  const reference = await Book.load();
  const original = reference.toBytes();
  const questions = lines("begin-easy.txt").concat(lines("begin-medium.txt")).map(([moves]) => moves)
    .filter((moves) => reference.lookUp(moves) !== null);
  assert.ok(questions.length >= 20, `${questions.length}`);
  const half = original.length / 2;
  const changes = [
    original.subarray(0, half), // truncated
    shallow,
    Buffer.concat([original, shallow]),
    Buffer.concat([original.subarray(0, half), Buffer.from(original.subarray(0, original.length - half)).reverse()]),
    null, // deleted
  ];
  let errors = 0;
  for (const bytes of changes) {
    writeFileSync(place, original);
    const before = await Book.load(place);
    if (bytes === null) rmSync(place);
    else writeFileSync(place, bytes);
    // The loaded book is in memory.
    for (const moves of questions) assert.equal(before.lookUp(moves), reference.lookUp(moves), moves);
    const after = await Book.load(place).catch((error) => error);
    for (const moves of after instanceof Book ? questions : []) {
      try {
        const found = after.lookUp(moves);
        assert.ok(found === null || found === reference.lookUp(moves), moves);
      } catch (error) {
        assert.ok(error instanceof BookError && /block/.test(error.message), `${error}`);
        errors += 1;
      }
    }
    assert.ok(after instanceof Book || after instanceof BookError, `${after}`);
  }
  assert.ok(errors > 0);
  if (process.platform !== "win32") await assert.rejects(Book.load("/dev/zero"), /not a regular file/);
  rmSync(folder, { recursive: true });
});

test("a limit on many positions keeps the scores found before", () => {
  const solver = new Solver();
  const done = "22525762534622441115633653436713514";
  const score = solver.score(done);
  for (const [method, scores] of [["scores", (found) => found], ["analyseMany", (found) => found.scores]]) {
    assert.throws(() => solver[method]([done, "4", done], { maxNodes: 100_000 }), (error) => {
      assert.ok(error instanceof NodeBudgetError && error.bounds === null && error.nodes === 100_000, error.stack);
      assert.deepEqual([[...scores(error.results)], error.solved], [[score, UNKNOWN, UNKNOWN], 1]);
      assert.match(error.message, /^positions\[1\]: .*; solved 1 of 3 positions$/);
      if (method === "analyseMany") assert.deepEqual([...error.results.moves[2]], Array(7).fill(UNKNOWN));
      return true;
    });
  }
});

test("the JSON of a position is read again", () => {
  for (const moves of [[9, 10], [9, 0], [10, 10, 10]]) {
    const position = Position.fromMoves(moves, { size: "12x9" });
    const json = position.toJSON();
    assert.ok(new Position(json.position, { size: json.size }).equals(position), json.position);
  }
});

test("limits stop a search", () => {
  const solver = new Solver();
  assert.throws(() => solver.score("", { maxNodes: 1000 }), (error) =>
    error instanceof NodeBudgetError && error instanceof LimitError && /the node budget was used up/.test(error.message));
  assert.equal(solver.nodes, 1000);
  assert.throws(() => solver.analyse("", { timeout: 50 }), DeadlineError);
  assert.throws(() => solver.score("", { timeout: -1 }), RangeError);
  assert.equal(solver.score("22525762534622441115633653436713514", { maxNodes: 1e6 }), solver.score("22525762534622441115633653436713514"));
  const parts = [];
  const position = "5622736721521";
  const analysis = solver.analyse(position, { onPart: (part) => parts.push(part) });
  assert.deepEqual([parts[0].complete, analysis.complete, analysis.score, analysis.source], [false, true, -8, "solver"]);
  assert.ok(analysis.nodes > 0 && analysis.timeMs >= 0);
});

test("arguments are checked before WebAssembly sees them", () => {
  const calls = [
    () => new Position("", { size: 7 }), () => new Solver({ size: 7 }), () => new Oracle({ book: oracle.book, size: 7 }),
    () => Position.fromDiagram(".", { size: 7 }), () => Position.fromKey(1, { size: 7 }),
    () => new Position().toText(7), () => new Position().threats(7),
  ];
  for (const call of calls) assert.throws(call, { name: "TypeError", message: /as a text, found the number 7$/ }, String(call));
});

test("unknown options and levels are refused", async () => {
  const options = { lvl: 3 };
  const limits = "maxNodes, timeout, signal, found 'lvl'";
  const calls = [
    [() => oracle.score("44", options), `^expected an option among ${limits}$`],
    [() => oracle.analyse("44", options), `among onPart, ${limits}$`],
    [() => oracle.bestMove("44", options), `among ${limits}$`],
    [() => oracle.chooseMove("44", options), `among level, seed, ${limits}$`],
    [() => oracle.scores([], options), `among ${limits}$`],
    [() => oracle.review("44", { level: 3 }), "found 'level'$"],
    [() => new Solver(options), "among size, memory, found 'lvl'$"],
    [() => new Oracle({ memory: 1, cache: true }), "among book, size, memory, strategies, found 'cache'$"],
    [() => new Position("", options), "among size, found 'lvl'$"],
    [() => Position.fromKey(1n << 7n, options), "among size, found 'lvl'$"],
    [() => new Position("", "8x8"), "^expected options as an object, found the string 8x8$"],
    [() => Book.load(null, { size: "7x6" }), "among signal, onProgress, cache, found 'size'$"],
    [() => Oracle.load({ onpart: 1 }), "found 'onpart'$"],
    [() => Oracle.load({ onProgress: 1 }), "^expected onProgress as a function, found the number 1$"],
    [() => Oracle.load({ signal: new AbortController() }), "^expected signal as an AbortSignal, found AbortController$"],
    [() => init({ place: "" }), "among wasm, worker, book, found 'place'$"],
  ];
  for (const [call, text] of calls) {
    await assert.rejects(async () => call(), { name: "TypeError", message: new RegExp(text) }, String(call));
  }
  for (const level of ["easy", "", 0, 9, 3.5, NaN]) {
    assert.throws(() => oracle.chooseMove("", { level }), { name: "RangeError", message: /from 1 to 8 or a name: beginner, novice/ });
  }
});

test("no argument is changed silently", () => {
  const calls = [
    [() => new Position(undefined), /^expected a position as a text, found undefined$/],
    [() => new Position(null, { size: "5x5" }), /^expected a position as a text, found null$/],
    [() => oracle.score(undefined), /^expected a Position, or a position as a text, found undefined$/],
    [() => oracle.scores(["44", undefined]), /1.*found undefined$/],
    [() => oracle.analyseMany([null]), /0.*found null$/],
    [() => new Position().play(3n), /^expected a column from 0, or moves as a text of columns from 1, found the bigint 3$/],
    [() => new Position().canPlay("3"), /^expected a column as a number from 0, found the string 3$/],
    [() => new Position().canPlay(3n), /found the bigint 3$/],
    [() => Position.fromMoves([3, "3"]), /^expected a column as a number from 0, found the string 3$/],
    [() => Position.fromKey(2 ** 53), /^expected a key as a BigInt, a text or a whole number below 2\^53, found the number 9007199254740992$/],
    [() => Position.fromKey(null), /found null$/],
    [() => oracle.chooseMove("", { seed: 2 ** 53 }), /^expected a seed as a whole number below 2\^53 or a BigInt/],
    [() => oracle.chooseMove("", { seed: 1.5 }), /found the number 1.5$/],
  ];
  for (const [call, message] of calls) assert.throws(call, { name: "TypeError", message }, String(call));
  for (const seed of [-1, 2n ** 64n]) {
    assert.throws(() => oracle.chooseMove("", { seed }), { name: "RangeError", message: /^expected a seed from 0 to 2\^64 - 1, found/ });
  }
  assert.equal(oracle.chooseMove("4453", { seed: 2n ** 64n - 1n }).column >= 0, true);
  for (const options of [{ maxNodes: 10n }, { timeout: "5" }, { maxNodes: NaN }, { timeout: -1 }]) {
    assert.throws(() => new Solver().score("", options), { name: "RangeError", message: /^expected (maxNodes|timeout in milliseconds) as a number of 0 or more, found the / });
  }
});

test("parts come for answers of the book, too, and an error of the callback ends the call", () => {
  const parts = [];
  const analysis = oracle.analyse("4453", { onPart: (part) => parts.push(part) });
  assert.deepEqual(parts.map(({ complete, scores }) => [complete, scores]), [[true, analysis.scores]]);
  const solver = new Solver({ memory: 1 << 20 });
  solver.analyse("5622736721521", { onPart: (part) => parts.push(part) });
  assert.deepEqual([parts.length > 2, parts.at(-1).complete], [true, true]);
  const thrown = new Error("from the callback");
  const fail = () => {
    throw thrown;
  };
  assert.throws(() => solver.analyse("", { onPart: fail }), thrown);
  assert.throws(() => oracle.analyse("44", { onPart: fail }), thrown);
  assert.equal(solver.score("5622736721521"), -8);
  solver.close();
});

test("loading ends by a signal and by an error of its callback", async () => {
  const signal = AbortSignal.abort();
  for (const load of [() => Oracle.load({ signal, book: null }), () => Oracle.load({ signal }), () => Book.load(null, { signal })]) {
    await assert.rejects(load, { name: "AbortError" });
  }
  const thrown = new Error("from the callback");
  await assert.rejects(Book.load(null, { onProgress() { throw thrown; } }), thrown);
});

test("an oracle is closed twice, and answers no more", () => {
  const solver = new Solver({ memory: 1 << 20 });
  solver.close();
  solver.close();
  for (const call of [() => solver.score("4453"), () => solver.analyse("4453"), () => solver.nodes]) {
    assert.throws(call, { name: "FourbookError", message: /^the oracle is closed/ });
  }
});

test("a closed book answers no more, and an oracle closes the book that it made", async () => {
  const book = await Book.load();
  new Oracle({ book }).close();
  assert.equal(book.lookUp("44"), 1);
  const own = [new Oracle({ book: book.toBytes() }), await Oracle.load()];
  for (const oracle of own) {
    oracle.close();
    for (const call of [() => oracle.book.lookUp("44"), () => oracle.score("44"), () => new Oracle({ book: oracle.book })]) {
      assert.throws(call, { name: "FourbookError", message: /is closed/ });
    }
  }
  book[Symbol.dispose]();
  book.close();
  assert.throws(() => book.info(), { name: "FourbookError", message: /^the book is closed/ });
});

test("null options are the defaults", async () => {
  const solver = new Solver({ size: null, memory: null });
  assert.deepEqual([solver.size, solver.score("5622736721521", { maxNodes: null, timeout: null, signal: null })], ["7x6", -8]);
  assert.equal(oracle.bestMove("4453", { maxNodes: null }), 2);
  assert.ok([2, 5, 6].includes(oracle.chooseMove("4453", { level: null }).column));
  for (const options of [null, undefined]) {
    assert.equal((await Oracle.load(options)).analyse("44", options).score, 1);
    assert.deepEqual([new Oracle(options).book, new Position("44", options).ply, new Solver(options).size], [null, 2, "7x6"]);
  }
});

/** Each part of a search has as many nodes as the speed of the last one allows. */
test("a search goes on at full speed after the machine was held up", (context) => {
  let [now, reads] = [0, 0];
  // The first part takes a second, each later one a millisecond.
  context.mock.method(performance, "now", () => (now += reads++ < 3 ? 1000 : 1));
  assert.equal(new Solver().score("56227367215", { timeout: 10_000 }), 2);
});

test("the console shows what matters", () => {
  assert.match(inspect(oracle.analyse("4453")), /^Analysis \{\n  position: '4453',\n  size: '7x6',\n  score: -2,[^]*bestMoves: \[ 2, 5, 6 \]/);
  assert.match(inspect(new Position("4453")), /^Position 7x6\n[^]*\n\. \. O X X \. \.\n1 2 3/);
});

/** Positions that have to be freed, one by one, take more than ten times as long. */
test("a million positions take no longer than ten times 100,000", () => {
  const time = (number) => {
    const begin = process.cpuUsage();
    const position = new Position("44");
    for (let i = 0; i < number; i++) assert.ok(position.play(i % 7).ply === 3);
    return process.cpuUsage(begin).user;
  };
  time(100_000);
  const [few, many] = [time(200_000), time(2_000_000)];
  assert.ok(many < 40 * few, `${many} and ${few} microseconds`);
});

test("errors name themselves, whatever a minifier calls their classes", () => {
  const minified = (Class) => Object.defineProperty(class extends Class {}, "name", { value: "e" });
  for (const Class of [FourbookError, PositionError, LimitError, DeadlineError]) {
    assert.equal(new (minified(Class))("").name, Class.name);
  }
});

test("memory is used again", () => {
  const memory = 32 << 20;
  const use = () => new Solver({ memory }).close();
  use();
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 200; i++) use();
  assert.ok(process.memoryUsage().arrayBuffers < before + 10 * memory);
});

/** The deepest possible search: a stack that is too small would end the process. */
test("the deepest searches", () => {
  for (const size of ["7x6", "8x8", "10x10", "16x7", "4x31", "8x15"]) {
    const solver = new Solver({ size, memory: 1 << 20 });
    try {
      solver.score("", { maxNodes: 100_000 });
    } catch (error) {
      assert.ok(error instanceof NodeBudgetError, `${size}: ${error.stack}`);
    }
  }
});

/** Slow questions are left out unless the book answers them. */
for (const name of ["end-easy.txt", "middle-easy.txt", "middle-medium.txt", "quick-wins.txt", "begin-easy.txt"]) {
  test(`the scores of ${name}`, () => {
    const [moves, scores] = [lines(name).map(([it]) => it), lines(name).map(([, it]) => Number(it))];
    const solver = new Solver();
    assert.deepEqual([...solver.scores(moves)], scores);
    solver.close();
  });
}

for (const name of ["begin-medium.txt", "begin-hard.txt"]) {
  test(`the scores of ${name} that the book has`, () => {
    const known = lines(name).filter(([moves]) => moves.length <= 12);
    assert.ok(known.length > 50);
    const fresh = new Oracle({ book: oracle.book });
    assert.deepEqual([...fresh.scores(known.map(([moves]) => moves))], known.map(([, score]) => Number(score)));
    assert.equal(fresh.nodes, 0);
  });
}

for (const file of readdirSync(join(DATA, "sizes"))) {
  test(`the scores of boards of ${file}`, () => {
    const solver = new Solver({ size: file.replace(".txt", "") });
    const asked = lines(join("sizes", file)).slice(0, 40);
    assert.deepEqual([...solver.scores(asked.map(([moves]) => moves))], asked.map(([, score]) => Number(score)));
    solver.close();
  });
}

test("small boards to their end", () => {
  for (const line of readFileSync(join(DATA, "outcomes.csv"), "utf8").trim().split("\n").slice(1)) {
    const [width, height, , , score] = line.split(",");
    if (width * height > 25) continue;
    assert.equal(new Solver({ size: `${width}x${height}`, memory: 1 << 22 }).score(""), Number(score), line);
  }
});
