// fourbook without a default book and without a default address of its WebAssembly.

import { check } from "./module.js";
import { version as rawVersion } from "./raw.js";

export { Analysis, Explanation, GameReview, UNKNOWN, UNPLAYABLE } from "./analysis.js";
export { Book } from "./book.js";
export {
  BookError, DeadlineError, FourbookError, NodeBudgetError, OutOfMemoryError,
  PositionError, SizeError, LimitError,
} from "./errors.js";
export { Level } from "./level.js";
export { init } from "./module.js";
export { Oracle, Solver } from "./oracle.js";
export { parseGame, Position } from "./position.js";

/** The version of fourbook. */
export function version() {
  check();
  return rawVersion();
}
