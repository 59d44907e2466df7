// The memory of oracles that were closed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

/** Megabytes of the process after some oracles, and after many more. */
const PROGRAM = `
  const { Oracle } = await import(process.argv[1]);
  const sizes = [];
  const [some, many] = process.argv.slice(2).map(Number);
  for (let number = 1; number <= many; number++) {
    const oracle = await Oracle.load({ memory: 1 << 22 });
    await oracle.score("445352444");
    oracle.close();
    if (number !== some && number !== many) continue;
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve, gc()));
    sizes.push(process.memoryUsage().rss / 1e6);
  }
  console.log(JSON.stringify(sizes));`;

for (const [name, some, many] of [["fourbook", 100, 400], ["fourbook/worker", 10, 40]]) {
  test(`closed oracles of ${name} leave no memory behind`, () => {
    const args = ["--expose-gc", "--input-type=module", "-e", PROGRAM, name, some, many].map(String);
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 120_000 });
    const [before, after] = JSON.parse(stdout || assert.fail(stderr));
    // A book alone has 1.5 MB.
    assert.ok(after < before + 40, `${before} MB, then ${after} MB`);
  });
}

/** WebAssembly has 4 GiB, and the engine collects unused objects too late. */
test("an error for want of memory names a remedy", () => {
  const program = `
    const { OutOfMemoryError, Solver } = await import("fourbook");
    const solvers = [];
    try {
      for (;;) solvers.push(new Solver());
    } catch (error) {
      console.log(error instanceof OutOfMemoryError, error.message);
    }
    for (const solver of solvers) solver.close();
    console.log(new Solver().score("5622736721521"));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  assert.match(stdout, /^true .*; close the oracles that are not used any more\n-8\n$/);
});
