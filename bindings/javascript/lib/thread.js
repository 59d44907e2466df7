// Runs in a worker: answers several questions at a time, one part of a search each in turn.

import { toMessage } from "./analysis.js";
import { Book } from "./book.js";
import { LimitError } from "./errors.js";
import { findBook, strategiesOf } from "./oracle.js";
import { ofMessage } from "./position.js";
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

  async function start({ sources, memory, progress, ...options }, onPart) {
    await init(sources);
    const found = (await findBook({ ...options, onProgress: progress ? onPart : undefined })) ?? null;
    const book = found === null || found instanceof Book ? found : new Book(found);
    questions = new Questions(book, options.size, memory, strategiesOf(options.book, options.strategies));
    return { size: questions.size, book: book && { ...book } };
  }

  async function answer({ id, method, question, options }) {
    const onPart = (value) => post({ id, part: toMessage(value) });
    if (method === "load") return start(question, (...bytes) => onPart(bytes));
    const positions = Array.isArray(question) ? question.map(ofMessage) : ofMessage(question);
    if (method === "known") return questions.known(positions);
    const steps = questions[method](positions, budgetOf(method, options, true), options);
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
