// Levels of play.

import { level_number, levels } from "./raw.js";
import { kindOf } from "./arguments.js";
import { check } from "./module.js";

let all;

export class Level {
  constructor(level) {
    check();
    if (!(level instanceof Level) && typeof level !== "string" && typeof level !== "number") {
      throw new TypeError(`expected a Level, a number or a name, found ${kindOf(level)}`);
    }
    all ??= JSON.parse(levels());
    Object.freeze(Object.assign(this, all[level_number(String(level)) - 1]));
  }

  static all() {
    new Level(1);
    return all.map(({ number }) => new Level(number));
  }

  toString() {
    return this.name;
  }
}

/** A seed as a number of 64 bits; a random one if there is none. */
export function seedOf(seed) {
  if (seed === undefined || seed === null) return crypto.getRandomValues(new BigUint64Array(1))[0];
  if (typeof seed !== "bigint" && !Number.isSafeInteger(seed)) {
    throw new TypeError(`expected a seed as a whole number below 2^53 or a BigInt, found ${kindOf(seed)}`);
  }
  const number = BigInt(seed);
  if (number === BigInt.asUintN(64, number)) return number;
  throw new RangeError(`expected a seed from 0 to 2^64 - 1, found ${seed}`);
}
