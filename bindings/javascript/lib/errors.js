// The errors of fourbook. The library writes their texts.

/** A class of errors whose name no minifier changes. */
const named = (name, Base) => class extends Base {
  static name = name;

  get name() {
    return name;
  }
};

/** Any error of fourbook. */
export const FourbookError = named("FourbookError", Error);
/** A text, an array or a key that is no position, or a move that cannot be played. */
export const PositionError = named("PositionError", FourbookError);
/** An invalid board size, or a position or book for another size. */
export const SizeError = named("SizeError", FourbookError);
/** Bytes that are no book, a failed download, or a book without an answer. */
export const BookError = named("BookError", FourbookError);
/** There is no memory for the solver's table. */
export const OutOfMemoryError = named("OutOfMemoryError", FourbookError);
/** A search reached a limit before it had an answer. */
export const LimitError = class extends named("LimitError", FourbookError) {
  static name = "LimitError";
  bounds = null;
  nodes = 0;
  results = null;
  solved = null;
};
/** A search used up `maxNodes`. */
export const NodeBudgetError = named("NodeBudgetError", LimitError);
/** A search used up `timeout`. */
export const DeadlineError = named("DeadlineError", LimitError);

const CLASSES = {
  FourbookError, PositionError, SizeError, BookError, OutOfMemoryError, LimitError,
  NodeBudgetError, DeadlineError, RangeError, TypeError,
};

/** An error of the class with this name; called by WebAssembly and for errors of workers. */
export function makeError(name, text, facts) {
  return Object.assign(new (CLASSES[name] ?? FourbookError)(text), facts);
}

/** Called by WebAssembly. */
export function makeLimitError(name, text, nodes, bounds) {
  return makeError(name, text, { nodes, bounds: bounds ? { min: bounds[0], max: bounds[1] } : null });
}

/** This error, with the index of its position among many. */
export function atIndex(index, { name, message }) {
  return makeError(name, `positions[${index}]: ${message}`);
}

/** Called by WebAssembly in place of a panic. */
export function throwPanic(text) {
  throw new FourbookError(`fourbook has a mistake; please report it: ${text}`);
}
