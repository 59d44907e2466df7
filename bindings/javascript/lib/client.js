// Answers by a worker: the methods of `Oracle`, as promises.

import { ofMessage } from "./analysis.js";
import { optionsOf } from "./arguments.js";
import { Book } from "./book.js";
import { FourbookError, makeError } from "./errors.js";
import { Level } from "./level.js";
import { absolute, packageBook, sources } from "./module.js";
import { LOADING, strategiesOf } from "./oracle.js";
import { allOf, toMessage } from "./position.js";
import { addQuestions, checkOptions } from "./questions.js";

/** A question as a message: a position, the moves of a game, or many positions. */
function messageOf(method, question) {
  return ["scores", "analyseMany"].includes(method) ? allOf(question, toMessage) : toMessage(question);
}

/**
 * The class for workers that `spawn(onMessage, onError)` starts: an object with `post(message)`,
 * `end()` and `keep(wanted)`, where `wanted` means that a question is open.
 */
export function oracleFor(spawn) {
  return class Oracle {
    #worker;
    /** The open questions, by number. */
    #waiting = new Map();
    #next = 1;
    /** The signals of open questions, with one listener each. */
    #signals = new Map();
    /** Why there are no answers any more. */
    #end;
    #facts;

    /** Use `load`. */
    constructor() {
      this.#worker = spawn((message) => this.#settle(message), (error) => this.#stop(error));
    }

    static async load(options) {
      const { book: named, size, memory, strategies: given, cache, signal, onProgress } = optionsOf(options, ...LOADING);
      signal?.throwIfAborted();
      const place = named === undefined ? await packageBook(size) : named;
      const book = place instanceof Book ? place.toBytes() : absolute(place);
      const progress = onProgress !== undefined && onProgress !== null;
      const strategies = strategiesOf(named, given);
      const question = { wasm: absolute(sources.wasm), book, size, memory, strategies, cache, progress };
      const onPart = progress ? (numbers) => onProgress(...numbers) : undefined;
      const oracle = new Oracle();
      try {
        oracle.#facts = await oracle.#send("load", () => question, () => ({ signal, onPart }));
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

    static {
      addQuestions(this, (oracle, method, question, options) =>
        oracle.#send(method, () => messageOf(method, question), () => checkOptions(method, options)));
    }

    async *parts(position, options) {
      checkOptions("parts", options);
      const found = [];
      let end;
      let wake;
      const tell = () => wake?.();
      const onPart = (part) => {
        found.push(part);
        tell();
      };
      const id = this.#next;
      this.analyse(position, { ...options, onPart })
        .then(() => (end = {}), (error) => (end = { error }))
        .finally(tell);
      try {
        for (;;) {
          while (found.length > 0) yield found.shift();
          if (end !== undefined && "error" in end) throw end.error;
          if (end !== undefined) return;
          await new Promise((resolve) => (wake = resolve));
        }
      } finally {
        // A caller that stops listening stops the search.
        this.#cancel(id);
      }
    }

    close() {
      this.#stop(new FourbookError("the oracle was closed"));
    }

    [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
      this.close();
    }

    async #send(method, question, check) {
      const id = this.#next++;
      const { signal, onPart, ...options } = check();
      signal?.throwIfAborted();
      if (this.#end !== undefined) throw this.#end;
      if (options.level instanceof Level) options.level = options.level.number;
      options.onPart = Boolean(onPart);
      const message = { id, method, question: question(), options };
      return new Promise((resolve, reject) => {
        this.#worker.post(message);
        this.#waiting.set(id, { resolve, reject, onPart, signal });
        this.#worker.keep(true);
        if (signal) this.#listen(signal, id);
      });
    }

    #listen(signal, id) {
      if (!this.#signals.has(signal)) {
        const ids = new Set();
        const onAbort = () => ids.forEach((each) => this.#cancel(each, signal.reason));
        this.#signals.set(signal, { ids, onAbort });
        signal.addEventListener("abort", onAbort);
      }
      this.#signals.get(signal).ids.add(id);
    }

    #settle({ id, part, result, error }) {
      if (part === undefined) {
        const asked = this.#take(id);
        if (error === undefined) asked?.resolve(ofMessage(result));
        else asked?.reject(makeError(error.name, error.text, error.facts));
        return;
      }
      const tell = async (onPart) => onPart?.(ofMessage(part));
      // The callback may throw, or return a promise that is rejected.
      tell(this.#waiting.get(id)?.onPart).catch((error) => this.#cancel(id, error));
    }

    /** Rejects a question; the worker stops between two parts of its search. */
    #cancel(id, reason) {
      const asked = this.#take(id);
      if (asked === undefined) return;
      this.#worker.post({ id, cancel: true });
      asked.reject(reason);
    }

    /** Removes an open question. */
    #take(id) {
      const asked = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#worker.keep(false);
      const listener = this.#signals.get(asked?.signal);
      listener?.ids.delete(id);
      if (listener?.ids.size === 0) {
        this.#signals.delete(asked.signal);
        asked.signal.removeEventListener("abort", listener.onAbort);
      }
      return asked;
    }

    /** Ends the worker, and rejects all open and later questions. */
    #stop(error) {
      this.#end ??= error;
      this.#worker.end();
      for (const id of [...this.#waiting.keys()]) this.#take(id).reject(error);
    }
  };
}
