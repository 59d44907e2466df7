// What runs in a worker: answers questions, several at a time, a part of a search each in turn.

import { Analysis, GameReview, toMessage } from "./analysis.js";
import { Oracle } from "./oracle.js";
import { ofMessage } from "./position.js";
import { Questions, budgetOf, checkTime } from "./questions.js";
import { init } from "./module.js";

/** Answers what `port` receives: something with `post(message)`. Returns what takes messages. */
export function serve(post) {
  const cancelled = new Set();
  let ready;

  async function start({ book, size, memory }, progress) {
    await init();
    const onProgress = progress ? (...numbers) => post({ progress: numbers }) : undefined;
    const named = book === undefined ? undefined : (book.url ?? book.bytes ?? null);
    const oracle = await Oracle.load({ book: named, size, memory, onProgress });
    const { book: found } = oracle;
    const facts = found && {
      size: found.size, depth: found.depth, kind: found.kind, encoding: found.encoding, identity: found.identity,
    };
    const questions = new Questions(found, size, memory);
    oracle.close();
    post({ facts: { size: questions.size, book: facts } });
    return questions;
  }

  async function answer({ id, method, question, options }) {
    const questions = await ready;
    const positions = Array.isArray(question) ? question.map(ofMessage) : ofMessage(question);
    if (method === "known") return questions.known(positions);
    const budget = budgetOf(options);
    const steps = questions[method](positions, budget, options);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (value !== undefined) post({ id, part: packed(value) });
      await pause();
      if (cancelled.has(id)) return steps.return(null).value;
      try {
        checkTime(budget);
      } catch (error) {
        steps.throw(error);
      }
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
  return { name: error?.name ?? "FourbookError", text: error?.message ?? String(error) };
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
