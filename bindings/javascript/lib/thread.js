// Runs in a worker: answers several questions at a time, one part of a search each in turn.

import { toMessage } from "./analysis.js";
import { Book } from "./book.js";
import { LimitError } from "./errors.js";
import { findBook } from "./oracle.js";
import { Questions, budgetOf } from "./questions.js";
import { init } from "./module.js";

/**
 * Answers messages by `post(message)`; returns their receiver. `later(work)` runs some work when the
 * worker has looked at its messages.
 */
export function serve(post, later) {
  const open = new Set();
  /** The searches that wait for their turn: new ones come first. */
  const [fresh, begun] = [[], []];
  let questions;

  function next() {
    (fresh.shift() ?? begun.shift())();
    if (fresh.length + begun.length > 0) later(next);
  }

  function turn(isFresh) {
    return new Promise((resolve) => {
      if (fresh.length + begun.length === 0) later(next);
      (isFresh ? fresh : begun).push(resolve);
    });
  }

  async function start({ wasm, book: place, cache, progress, size, memory, strategies }, onPart) {
    await init({ wasm });
    const found = await findBook({ book: place, cache, onProgress: progress ? onPart : undefined });
    const book = found === null || found instanceof Book ? found : new Book(found);
    questions = new Questions(book, size, memory, strategies);
    return { size: questions.size, book: book && { ...book } };
  }

  async function answer({ id, method, question, options }) {
    const onPart = (value) => post({ id, part: toMessage(value) });
    if (method === "load") return start(question, (...bytes) => onPart(bytes));
    const steps = questions[method](question, budgetOf(method, options, true), options);
    for (let isFresh = true; ; isFresh = false) {
      const { done, value } = steps.next();
      if (done) return value;
      if (value !== undefined) onPart(value);
      await turn(isFresh);
      if (!open.has(id)) return steps.return().value;
    }
  }

  return (message) => {
    const { id } = message;
    if (message.cancel) {
      open.delete(id);
      return;
    }
    open.add(id);
    answer(message)
      .then((value) => post({ id, result: toMessage(value) }), (error) => post({ id, error: told(error) }))
      .finally(() => open.delete(id));
  };
}

function told(error) {
  const { name, message, bounds, nodes, results, solved } = error ?? {};
  const facts = error instanceof LimitError ? { bounds, nodes, results, solved } : {};
  return { name: name ?? "FourbookError", text: message ?? String(error), facts };
}
