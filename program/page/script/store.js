/** The state of the page, and who is told when it changes. */
export function createStore(state) {
  const listeners = [];
  let told = true;
  const tell = () => {
    told = true;
    for (const listener of listeners) listener(state);
  };
  return {
    get state() {
      return state;
    },
    /** Takes parts of a new state, or a function that makes them of the present one. */
    update(change) {
      const parts = typeof change === "function" ? change(state) : change;
      if (!parts) return;
      state = { ...state, ...parts };
      if (told) queueMicrotask(tell);
      told = false;
    },
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}

// What the browser keeps; a page that may keep nothing works all the same.
const name = (key) => `fourbook.${key}`;

export function load(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name(key))) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Whether it could be kept. */
export function save(key, value) {
  try {
    localStorage.setItem(name(key), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
