// The errors of fourbook. The library writes their texts.

/** Whatever goes wrong in fourbook. */
export class FourbookError extends Error {
  get name() {
    return "FourbookError";
  }
}

/** A text, an array or a key that is no position, or a move that cannot be played. */
export class PositionError extends FourbookError {
  get name() {
    return "PositionError";
  }
}

/** No size of a board; or something is for boards of another size. */
export class SizeError extends FourbookError {
  get name() {
    return "SizeError";
  }
}

/** No level of play. */
export class LevelError extends FourbookError {
  get name() {
    return "LevelError";
  }
}

/** Bytes that are no book, a book that cannot be had, or one that does not answer. */
export class BookError extends FourbookError {
  get name() {
    return "BookError";
  }
}

/** There is no memory for the solver's table. */
export class OutOfMemoryError extends FourbookError {
  get name() {
    return "OutOfMemoryError";
  }
}

/** A search reached a limit before it had an answer. */
export class LimitError extends FourbookError {
  get name() {
    return "LimitError";
  }
}

/** A search used up `maxNodes`. */
export class NodeBudgetError extends LimitError {
  get name() {
    return "NodeBudgetError";
  }
}

/** A search used up `timeout`. */
export class DeadlineError extends LimitError {
  get name() {
    return "DeadlineError";
  }
}

const CLASSES = {
  FourbookError, PositionError, SizeError, LevelError, BookError, OutOfMemoryError, LimitError,
  NodeBudgetError, DeadlineError, RangeError, TypeError,
};

/** An error of the class with this name; called by WebAssembly and for errors of workers. */
export function makeError(name, text) {
  return new (CLASSES[name] ?? FourbookError)(text);
}

/** Called by WebAssembly in place of a panic. */
export function throwPanic(text) {
  throw new FourbookError(`fourbook has a mistake; please report it: ${text}`);
}
