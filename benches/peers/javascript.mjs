// Measures fourbook's npm package beside connect-four-ai; run by benches/compare-javascript. A
// number as argument is how many of the 1,000 positions are solved.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

const file = (path) => pathToFileURL(`target/javascript/${path}`).href;
const OURS = file("package/lib/node.js");
const PEER = file("peer/raw.js");
const PEER_WASM = "target/javascript/peer/raw_bg.wasm";
const SOLVED = Number(process.argv[2] ?? 1000);
/** The most seconds of a row for a program; both solve the same positions. */
const PATIENCE = 40;
/** Positions that each solver solves before it is the next one's turn. */
const TURN = 100;
/** The most stones of positions whose moves both books have. */
const MOST_LOOKED_UP = 7;

const STARTS = {
  fourbook: `const { Oracle } = await import("${OURS}"); const oracle = await Oracle.load();`,
  peer: `const { readFileSync } = await import("node:fs"); const peer = await import("${PEER}");
    peer.initSync({ module: readFileSync("${PEER_WASM}") }); const solver = new peer.Solver();`,
};

/** The median of several starts of Node.js, one program after the other, in milliseconds. */
function startTimes(runs = 11) {
  const times = { fourbook: [], peer: [] };
  for (let run = 0; run < runs; run++) {
    for (const [name, start] of Object.entries(STARTS)) {
      const program = `const begin = performance.now(); ${start} console.log(performance.now() - begin);`;
      const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
      times[name].push(Number(stdout));
    }
  }
  return [median(times.fourbook), median(times.peer)];
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

const { Oracle, Position, Solver } = await import(OURS);
const peer = await import(PEER);
peer.initSync({ module: readFileSync(PEER_WASM) });
const oracle = await Oracle.load();
const withBook = new peer.Solver();

/** Random positions that are not over and offer no win at once, the same on every machine. */
function* randomPositions(stones, seed) {
  let state = BigInt(seed);
  const next = (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & (2n ** 64n - 1n);
    return Number((state >> 33n) % BigInt(below));
  };
  for (;;) {
    let [position, moves] = [new Position(), ""];
    while (position.ply < stones && !position.over) {
      const columns = position.legalMoves();
      const column = columns[next(columns.length)];
      position = position.play(column);
      moves += column + 1;
    }
    const wins = position.legalMoves().some((column) => position.play(column).winner !== null);
    if (!position.over && !wins) yield moves;
  }
}

const first = (number, generator) => Array.from({ length: number }, () => generator.next().value);

/** Microseconds of a call: the least of some rounds, the programs in turn. */
function callTimes(calls, rounds = 15, number = 20_000) {
  const least = calls.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    calls.forEach((call, i) => {
      const begin = performance.now();
      for (let n = 0; n < number; n++) call();
      least[i] = Math.min(least[i], ((performance.now() - begin) * 1000) / number);
    });
  }
  return least;
}

/**
 * Microseconds a position for both programs, and how many positions there were. Lookups take the
 * least of some rounds; searches run once.
 */
function analyseTimes(stones) {
  const positions = randomPositions(stones, stones);
  const spent = [0, 0];
  const asked = [];
  while (asked.length < 300 && Math.max(...spent) < PATIENCE * 1e6) {
    const moves = positions.next().value;
    const [ours, theirs] = [new Position(moves), peer.Position.fromMoves(moves)];
    asked.push([ours, theirs]);
    const found = time(() => oracle.analyse(ours).scores, (took) => (spent[0] += took));
    const expected = time(() => withBook.getAllMoveScores(theirs), (took) => (spent[1] += took));
    if (String(found) !== String([...expected])) throw new Error(`${moves}: ${found} is not ${expected}`);
  }
  const number = asked.length;
  if (stones > MOST_LOOKED_UP) return [...spent.map((time) => time / number), number];
  const calls = [() => asked.forEach(([ours]) => oracle.analyse(ours)),
    () => asked.forEach(([, theirs]) => withBook.getAllMoveScores(theirs))];
  return [...callTimes(calls, 15, 20).map((time) => time / number), number];
}

function time(call, tell) {
  const begin = performance.now();
  const value = call();
  tell((performance.now() - begin) * 1000);
  return value;
}

/**
 * Microseconds that the positions take fourbook, the peer, and fourbook natively. They take turns,
 * as the speed of many machines changes from minute to minute.
 */
function solveTimes() {
  const positions = first(SOLVED, randomPositions(12, 1));
  const solver = new Solver();
  const theirs = peer.Solver.empty();
  let [ours, others, native] = [0, 0, 0];
  for (let begin = 0; begin < SOLVED; begin += TURN) {
    const turn = positions.slice(begin, begin + TURN);
    const scores = time(() => turn.map((moves) => solver.score(new Position(moves))), (took) => (ours += took));
    native += nativeTime(turn) - nativeTime(["121212"]);
    const expected = time(() => turn.map((moves) => theirs.solve(peer.Position.fromMoves(moves))), (took) => (others += took));
    if (String(scores) !== String(expected)) throw new Error(`${turn}: ${scores} are not ${expected}`);
  }
  return { ours, others, native };
}

/** Microseconds of the program for these positions on one thread. */
function nativeTime(positions) {
  let microseconds;
  time(() => spawnSync(process.env.FOURBOOK,
    ["lookup", "--no-book", "--threads", "1", "--memory", "64MiB", "--format=plain"],
    { input: `${positions.join("\n")}\n` }), (took) => (microseconds = took));
  return microseconds;
}

const shown = (microseconds) => {
  if (microseconds < 1000) return `${microseconds.toPrecision(3)} µs`;
  return microseconds < 1e6 ? `${(microseconds / 1000).toPrecision(3)} ms` : `${(microseconds / 1e6).toPrecision(3)} s`;
};
const row = (what, ours, theirs) => console.log(`| ${what} | ${shown(ours)} | ${shown(theirs)} | ${Number((theirs / ours).toPrecision(2)).toLocaleString("en")} |`);

console.log("| | fourbook | connect-four-ai | times |\n|---|---|---|---|");
const [ours, theirs] = startTimes();
row("import, with the default book", ours * 1000, theirs * 1000);
const [mine, other] = [new Position("4453"), peer.Position.fromMoves("4453")];
row("one book lookup", ...callTimes([() => oracle.score(mine), () => withBook.solve(other)]));
for (const stones of [4, 8, 12, 16, 20]) {
  const [ours, theirs, number] = analyseTimes(stones);
  row(`analyse, ${stones} stones (mean of ${number})`, ours, theirs);
}
const solved = solveTimes();
row(`${SOLVED} random positions of 12 stones, no book`, solved.ours, solved.others);
console.log(`\nThe same positions natively on one thread: ${shown(solved.native)}; WebAssembly takes ${(solved.ours / solved.native).toFixed(2)} times as long.`
  + ` Measured in Node.js ${process.versions.node}; ${cpus()[0].model}, ${cpus().length} logical processors, load ${loadavg()[0].toFixed(1)}; ${new Date().toISOString().slice(0, 10)}.`);
