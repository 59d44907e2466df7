/** The card for learning from the mistakes of a game. */
import { button, h, setText } from "./dom.js";
import { withNames } from "./why.js";
import { sideNames } from "./store.js";

export function createCoachPanel(coach) {
  const title = h("p", { class: "soft", id: "coach-title" });
  const message = h("p", { class: "coach-message", id: "coach-message", role: "status" });
  // The first of the buttons that are shown is the one to press next.
  const buttons = {
    again: button("Try again", coach.again, { id: "coach-again" }),
    refute: button("See the refutation", coach.refute, { id: "coach-refute" }),
    solution: button("Show a best move", coach.solution, { id: "coach-solution" }),
    next: button("Next mistake", coach.next, { id: "coach-next" }),
    end: button("Leave", coach.end, { id: "coach-end" }),
  };
  const element = h("div", { class: "card coach", hidden: true }, title, message, h("div", { class: "actions" }, Object.values(buttons)));
  let shown;
  return {
    element,
    draw({ coach: now, settings }) {
      element.hidden = now === null;
      if (now?.at !== shown) {
        shown = now?.at;
        // The board stays in sight on a phone.
        element.scrollIntoView({ block: "end" });
      }
      if (now === null) return;
      const { status, at, mistakes } = now;
      setText(title, status === "done" ? (mistakes.length === 0 ? "Well played" : "Your mistakes") : `Mistake ${at + 1} of ${mistakes.length}`);
      setText(message, withNames(now.message, sideNames(settings)));
      message.className = `coach-message ${status}`;
      const isOpen = status === "try";
      buttons.next.hidden = status === "done";
      setText(buttons.next, at + 1 < mistakes.length ? (isOpen || status === "refuted" ? "Skip" : "Next mistake") : "Finish");
      buttons.again.hidden = status !== "refuted";
      buttons.refute.hidden = buttons.solution.hidden = !isOpen;
      setText(buttons.end, status === "done" ? "Close" : "Leave");
      const all = Object.values(buttons);
      const first = all.find(({ hidden }) => !hidden);
      for (const one of all) one.classList.toggle("main", one === first);
    },
  };
}
