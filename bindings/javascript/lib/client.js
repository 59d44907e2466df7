// Answers by a worker: the methods of `Oracle`, as promises.

import * as analyses from "./analysis.js";
import { Book } from "./book.js";
import { FourbookError, makeError } from "./errors.js";
import { Level } from "./level.js";
import { absolute, toldSources } from "./module.js";
import { allOf, toMessage } from "./position.js";

/** Milliseconds that a worker has to stop; after that, another worker replaces it. */
const PATIENCE = 1000;

/**
 * The class for workers that `spawn(onMessage, onError)` starts: an object with `post(message)`,
 * `end()` and `keep(wanted)`, where `wanted` means that a question is open.
 */
export function oracleFor(spawn) {
  return class Oracle {
    #worker = null;
    #start;
    #ready;
    #waiting = new Map();
    #next = 1;
    #closed = false;
    #facts;

    /** Use `load`. */
    constructor(start) {
      this.#start = start;
    }

    static async load(options) {
      const { book, size, memory, cache, signal, onProgress } = options ?? {};
      signal?.throwIfAborted();
      const bytes = book instanceof Book ? book.toBytes() : absolute(book);
      const oracle = new Oracle({ sources: toldSources(), book: bytes, size, memory, cache });
      try {
        const ready = oracle.#begin(onProgress);
        await (signal ? Promise.race([ready, aborted(signal)]) : ready);
      } catch (error) {
        oracle.close();
        throw error;
      }
      return oracle;
    }

    get size() {
      return this.#facts.size;
    }

    get book() {
      return this.#facts.book;
    }

    score(position, options) {
      return this.#ask("score", () => toMessage(position), options);
    }

    outcome(position, options) {
      return this.#ask("outcome", () => toMessage(position), options);
    }

    known(position) {
      return this.#ask("known", () => toMessage(position));
    }

    analyse(position, options) {
      return this.#ask("analyse", () => toMessage(position), options);
    }

    async *parts(position, given) {
      const { signal, ...options } = given ?? {};
      // A caller that stops listening stops the search.
      const stop = new AbortController();
      const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
      const found = [];
      let wake;
      const onPart = (part) => {
        found.push(part);
        wake?.();
      };
      let end;
      this.analyse(position, { ...options, signal: both, onPart }).then(
        (value) => {
          end = {};
          onPart(value);
        },
        (error) => {
          end = { error };
          wake?.();
        },
      );
      try {
        for (;;) {
          while (found.length > 0) yield found.shift();
          if (end?.error !== undefined) throw end.error;
          if (end !== undefined) return;
          await new Promise((resolve) => (wake = resolve));
        }
      } finally {
        stop.abort();
      }
    }

    bestMove(position, options) {
      return this.#ask("bestMove", () => toMessage(position), options);
    }

    chooseMove(position, options) {
      const level = options?.level instanceof Level ? options.level.number : options?.level;
      return this.#ask("chooseMove", () => toMessage(position), { ...options, level });
    }

    scores(positions, options) {
      return this.#ask("scores", () => allOf(positions, toMessage), options);
    }

    analyseMany(positions, options) {
      return this.#ask("analyseMany", () => allOf(positions, toMessage), options);
    }

    principalVariation(position, options) {
      return this.#ask("principalVariation", () => toMessage(position), options);
    }

    explain(position, options) {
      return this.#ask("explain", () => toMessage(position), options);
    }

    review(game, options) {
      return this.#ask("review", () => game, options);
    }

    close() {
      this.#closed = true;
      this.#worker?.end();
      this.#worker = null;
      this.#fail(new FourbookError("the oracle was closed"));
    }

    [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
      this.close();
    }

    async #ask(method, question, given) {
      const { signal, onPart, ...options } = given ?? {};
      signal?.throwIfAborted();
      if (this.#closed) throw new FourbookError("the oracle was closed");
      const id = this.#next++;
      const message = { id, method, question: question(), options };
      const onAbort = () => this.#cancel(id, signal.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
      try {
        return await new Promise((resolve, reject) => {
          this.#waiting.set(id, { message, resolve, reject, onPart });
          this.#worker.keep(true);
          this.#worker.post(message);
        });
      } finally {
        signal?.removeEventListener("abort", onAbort);
      }
    }

    /** Cancels a question: the worker stops between two parts of its search. */
    #cancel(id, reason) {
      const asked = this.#waiting.get(id);
      if (asked === undefined) return;
      asked.reject(reason);
      this.#waiting.set(id, { cancelled: true });
      this.#worker.post({ cancel: id });
      const worker = this.#worker;
      setTimeout(() => {
        if (this.#waiting.has(id) && this.#worker === worker) this.#restart();
      }, PATIENCE);
    }

    /** Replaces a worker that does not stop, and passes the open questions on. */
    #restart() {
      this.#worker.end();
      for (const [id, { cancelled }] of this.#waiting) {
        if (cancelled) this.#waiting.delete(id);
      }
      this.#begin().catch((error) => this.#fail(error));
      for (const { message } of this.#waiting.values()) this.#worker.post(message);
      this.#worker.keep(this.#waiting.size > 0);
    }

    #begin(onProgress) {
      return (this.#ready = new Promise((resolve, reject) => {
        const onMessage = (message) => {
          if (message.progress) onProgress?.(...message.progress);
          else if (message.facts) resolve((this.#facts = message.facts));
          else if (message.failure) reject(toError(message.failure));
          else this.#settle(message);
          if (message.facts) this.#worker?.keep(this.#waiting.size > 0);
        };
        const onError = (error) => {
          reject(error);
          this.#fail(error);
        };
        this.#worker = spawn(onMessage, onError);
        this.#worker.post({ start: this.#start, progress: onProgress !== undefined });
      }));
    }

    #settle({ id, part, result, error }) {
      const asked = this.#waiting.get(id);
      if (asked === undefined) return;
      if (part !== undefined) {
        asked.onPart?.(ofMessage(part));
        return;
      }
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#worker.keep(false);
      if (asked.cancelled) return;
      if (error !== undefined) asked.reject(toError(error));
      else asked.resolve(ofMessage(result));
    }

    /** Rejects all open questions; cancelled ones have been rejected already. */
    #fail(error) {
      for (const { reject } of this.#waiting.values()) reject?.(error);
      this.#waiting.clear();
    }
  };
}

function ofMessage({ analysis, review, value }) {
  if (analysis !== undefined) return analyses.ofMessage(analysis);
  if (review !== undefined) return new analyses.GameReview(review);
  return value;
}

function toError({ name, text, facts }) {
  return makeError(name, text, facts);
}

function aborted(signal) {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
