// Levels of play.

import { RawLevel } from "./raw.js";
import { LevelError } from "./errors.js";
import { check } from "./module.js";
import { kindOf } from "./position.js";

const COUNT = 8;
let rawOf;

export class Level {
  #raw;

  constructor(level) {
    check();
    if (level instanceof Level) {
      this.#raw = level.#raw;
    } else if (typeof level === "string" || typeof level === "number") {
      this.#raw = RawLevel.parse(String(level));
    } else {
      throw new LevelError(`expected a Level, a number or a name, found ${kindOf(level)}`);
    }
  }

  static all() {
    return Array.from({ length: COUNT }, (_, index) => new Level(index + 1));
  }

  get number() {
    return this.#raw.number();
  }

  get name() {
    return this.#raw.name();
  }

  get horizon() {
    return this.#raw.horizon() ?? null;
  }

  get chance() {
    return this.#raw.chance();
  }

  toString() {
    return this.name;
  }

  static {
    rawOf = (level) => level.#raw;
  }
}

/** What is behind a level, its number or its name. */
export function rule(level = "perfect") {
  return rawOf(level instanceof Level ? level : new Level(level));
}

/** A seed as a number of 64 bits; one by chance if nobody has chosen one. */
export function seedOf(seed) {
  if (seed === undefined || seed === null) return crypto.getRandomValues(new BigUint64Array(1))[0];
  return BigInt.asUintN(64, BigInt(seed));
}
