// Checks of what callers pass.

/** A value in an error. */
export function kindOf(value) {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? (value.constructor?.name ?? "an object") : `the ${typeof value} ${String(value)}`;
}

/** The value, if it can be iterated over. */
export function iterable(value, expected) {
  if (typeof value !== "string" && typeof value?.[Symbol.iterator] === "function") return value;
  throw new TypeError(`expected ${expected}, found ${kindOf(value)}`);
}

export function checkedText(text, what) {
  if (typeof text === "string") return text;
  throw new TypeError(`expected ${what} as a text, found ${kindOf(text)}`);
}

/** The options that a caller passes, all of them among the known ones. */
export function optionsOf(given, ...known) {
  if (given === undefined || given === null) return {};
  if (typeof given !== "object") throw new TypeError(`expected options as an object, found ${kindOf(given)}`);
  for (const name in given) {
    if (!known.includes(name)) throw new TypeError(`expected an option among ${known.join(", ")}, found '${name}'`);
  }
  for (const name of ["onPart", "onProgress"]) {
    const callback = given[name] ?? undefined;
    if (callback !== undefined && typeof callback !== "function") {
      throw new TypeError(`expected ${name} as a function, found ${kindOf(callback)}`);
    }
  }
  const signal = given.signal ?? undefined;
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new TypeError(`expected signal as an AbortSignal, found ${kindOf(signal)}`);
  }
  return given;
}

/** A number that is at least 0 and at most `most`; `otherwise` if there is none. */
export function numberOf(value, name, most, otherwise) {
  const number = value ?? otherwise;
  if (typeof number === "number" && number >= 0 && number <= most) return number;
  const limit = most === Infinity ? "of 0 or more" : `from 0 to ${most}`;
  throw new RangeError(`expected ${name} as a number ${limit}, found ${kindOf(value)}`);
}
