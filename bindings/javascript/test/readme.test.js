// The examples of the README, run as they are printed.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { inspect } from "node:util";
import { pathToFileURL } from "node:url";
import { test } from "node:test";

const readme = readFileSync(new URL("../README.md", import.meta.resolve("fourbook")), "utf8");
const blocks = [...readme.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, text]) => text);
/** Without those that only a bundler or a browser can run. */
const examples = blocks.filter((text) => !/\?url|Blob/.test(text));

test("the README has examples", () => {
  assert.deepEqual([blocks.length, examples.length], [4, 2]);
  assert.ok(examples.every((text) => / \/\/ /.test(text)));
});

for (const [number, text] of examples.entries()) {
  test(`example ${number + 1} of the README`, async () => {
    // A comment after an expression is its value.
    const checked = text.replace(/^(\S.*);  +\/\/ (.+)$/gm, (line, expression, value) =>
      (/^(const|import) /.test(line) ? line : `check(${expression}, ${JSON.stringify(value)});`));
    globalThis.check = (found, shown) => assert.equal(inspect(found, { compact: true, breakLength: Infinity }), shown);
    globalThis.show = (scores, complete) => assert.ok(scores.length === 7 && typeof complete === "boolean");
    assert.ok(checked !== text);
    writeFileSync(`example-${number}.js`, checked);
    await import(pathToFileURL(`example-${number}.js`));
  });
}
