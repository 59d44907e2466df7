/** The card for learning from the mistakes of a game. */
import { button, h, setText } from "./dom.js";

export function createCoachPanel(coach) {
  const title = h("p", { class: "soft", id: "coach-title" });
  const message = h("p", { class: "coach-message", id: "coach-message", role: "status" });
  const buttons = {
    again: button("Try again", coach.again, { class: "main", id: "coach-again" }),
    next: button("Next mistake", coach.next, { class: "main", id: "coach-next" }),
    refute: button("What follows?", coach.refute, { id: "coach-refute" }),
    solution: button("Show the best move", coach.solution, { class: "plain", id: "coach-solution" }),
    end: button("Leave", coach.end, { class: "plain", id: "coach-end" }),
  };
  const element = h("div", { class: "card coach", hidden: true }, title, message, h("div", { class: "actions" }, Object.values(buttons)));
  let shown;
  return {
    element,
    draw({ coach: now }) {
      element.hidden = now === null;
      if (now?.at !== shown) {
        shown = now?.at;
        // The board stays in sight on a phone.
        element.scrollIntoView({ block: "end" });
      }
      if (now === null) return;
      const { status, at, mistakes } = now;
      setText(title, status === "done" ? (mistakes.length === 0 ? "Well played" : "Your mistakes") : `Mistake ${at + 1} of ${mistakes.length}`);
      setText(message, now.message);
      message.className = `coach-message ${status}`;
      const isOpen = status === "try";
      buttons.next.hidden = !["right", "shown"].includes(status);
      setText(buttons.next, at + 1 < mistakes.length ? "Next mistake" : "Finish");
      buttons.again.hidden = status !== "refuted";
      buttons.refute.hidden = buttons.solution.hidden = !isOpen;
      setText(buttons.end, status === "done" ? "Close" : "Leave");
    },
  };
}
