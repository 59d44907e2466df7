/** Waiting for the files of the computer, which a first visit on a slow network has to download. */

/** Milliseconds between two reports, and before the first: a quick download shows nothing. */
const PAUSE = 500;

/**
 * Waits for an engine's `ready`, which reports the share of the download, from 0 to 1. Meanwhile
 * `tell` gets the share; at the end, or when `signal` is aborted, it gets null.
 */
export async function downloaded(ready, question, tell, signal) {
  let share = 0;
  const telling = setInterval(() => tell(share), PAUSE);
  const end = () => {
    clearInterval(telling);
    tell(null);
  };
  signal.addEventListener("abort", end);
  try {
    await ready(question, (now) => { share = now; });
  } finally {
    signal.removeEventListener("abort", end);
    if (!signal.aborted) end();
  }
}
