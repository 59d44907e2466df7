/** Outages: actions that fail because the host cannot be reached are retried until they succeed; and parts of the page that the host does not have. */
import { isText } from "./check.js";
import { load, save, THIS_TAB } from "./store.js";

/** Milliseconds between two attempts to reach the host. */
const PAUSE = 1500;
/** Milliseconds after which a part of the page takes long. */
const PATIENCE = 2000;
/** Attempts to load a part of the page from a host that answers, before the page is loaded again. */
const MAX_ATTEMPTS = 3;

/** The host cannot be reached. */
export class Unreachable extends Error {}

let failing = 0;
let listener = () => {};
let tellLack = () => {};
let tellSlow = () => {};
let slow = 0;
let waiting = null;

/** Calls a function with true when something fails, and with false when all of it has succeeded. */
export function onOutage(tell) {
  listener = tell;
}

/** Calls a function when a part of the page cannot be had. */
export function onLack(tell) {
  tellLack = tell;
}

/** Calls a function with true when parts of the page take long, and with false when all of them have come. */
export function onSlow(tell) {
  tellSlow = tell;
}

/** Tells it if a part takes long. */
async function timed(loading) {
  const change = (by) => {
    slow += by;
    tellSlow(slow > 0);
  };
  let isSlow = false;
  const patience = setTimeout(() => {
    isSlow = true;
    change(1);
  }, PATIENCE);
  try {
    return await loading;
  } finally {
    clearTimeout(patience);
    if (isSlow) change(-1);
  }
}

function count(change) {
  const before = failing > 0;
  failing += change;
  if (before !== failing > 0) listener(failing > 0);
}

const pause = () => new Promise((resolve) => {
  setTimeout(resolve, PAUSE);
  addEventListener("online", resolve, { once: true });
});

const isReachable = () => fetch("./", { method: "HEAD", cache: "no-store" }).then(({ ok }) => ok, () => false);

async function wait() {
  do await pause();
  while (!(await isReachable()));
  waiting = null;
}

/** All failed actions wait together. */
function untilReachable() {
  waiting ??= wait();
  return waiting;
}

const abortOf = (signal) => new Promise((_, reject) => {
  signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
});

/** Repeats an action until the host is reachable. */
export async function persist(action, signal, isOutage = (error) => error instanceof Unreachable) {
  let hasFailed = false;
  try {
    for (;;) {
      try {
        return await action();
      } catch (error) {
        if (signal?.aborted || !isOutage(error)) throw error;
      }
      if (!hasFailed) count(1);
      hasFailed = true;
      await Promise.race([untilReachable(), abortOf(signal)]);
    }
  } finally {
    if (hasFailed) count(-1);
  }
}

/**
 * Loads a part of the page, such as a module, however long the host is away. Some browsers never ask
 * again for a module that failed, and the host may have another version by now; the page is then loaded
 * again, once, which loses nothing.
 */
export async function bring(part) {
  let attempts = 0;
  try {
    return await persist(() => timed(part()), undefined, () => ++attempts < MAX_ATTEMPTS);
  } catch (error) {
    if (load("reloaded", false, isText, THIS_TAB)) {
      tellLack();
      throw error;
    }
    save("reloaded", "once", THIS_TAB);
    location.reload();
    return new Promise(() => {});
  }
}
