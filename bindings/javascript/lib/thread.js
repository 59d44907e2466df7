// Runs in a worker: answers several questions at a time, one part of a search each in turn.

import { Analysis, GameReview, toMessage } from "./analysis.js";
import { Book } from "./book.js";
import { LimitError } from "./errors.js";
import { findBook } from "./oracle.js";
import { ofMessage } from "./position.js";
import { Questions, budgetOf } from "./questions.js";
import { init } from "./module.js";

/** Answers the messages for `port`, which has `post(message)`; returns their receiver. */
export function serve(post) {
  const cancelled = new Set();
  let ready;

  async function start({ sources, memory, ...options }, progress) {
    const onProgress = progress ? (...numbers) => post({ progress: numbers }) : undefined;
    await init(sources);
    const found = (await findBook({ ...options, onProgress })) ?? null;
    const book = found === null || found instanceof Book ? found : new Book(found);
    const questions = new Questions(book, options.size, memory);
    post({ facts: { size: questions.size, book: book && { ...book } } });
    return questions;
  }

  async function answer({ id, method, question, options }) {
    const questions = await ready;
    const positions = Array.isArray(question) ? question.map(ofMessage) : ofMessage(question);
    if (method === "known") return questions.known(positions);
    const steps = questions[method](positions, budgetOf(options), options ?? {});
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (value !== undefined) post({ id, part: packed(value) });
      await pause();
      if (cancelled.has(id)) return steps.return(null).value;
    }
  }

  return (message) => {
    if (message.start) {
      ready = start(message.start, message.progress);
      ready.catch((error) => post({ failure: told(error) }));
    } else if (message.cancel) {
      cancelled.add(message.cancel);
    } else {
      const { id } = message;
      answer(message)
        .then((value) => post({ id, result: packed(value) }), (error) => post({ id, error: told(error) }))
        .finally(() => cancelled.delete(id));
    }
  };
}

function packed(value) {
  if (value instanceof Analysis) return { analysis: toMessage(value) };
  if (value instanceof GameReview) return { review: value.toJSON() };
  return { value };
}

function told(error) {
  const { name, message, bounds, nodes } = error ?? {};
  return { name: name ?? "FourbookError", text: message ?? String(error), facts: error instanceof LimitError ? { bounds, nodes } : {} };
}

const channel = new MessageChannel();
const turns = [];
channel.port1.onmessage = () => turns.shift()();

/** Lets the worker look at its messages. */
function pause() {
  return new Promise((resolve) => {
    turns.push(resolve);
    channel.port2.postMessage(null);
  });
}
