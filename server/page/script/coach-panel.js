/** The card for learning from the mistakes of a game. */
import { button, h, setText } from "./dom.js";
import { say } from "./texts.js";

export function createCoachPanel(coach) {
  const title = h("p", { class: "soft", id: "coach-title" });
  const message = h("p", { class: "coach-message", id: "coach-message", role: "status" });
  const buttons = {
    again: button(say("do.retry"), coach.again, { class: "main", id: "coach-again" }),
    next: button(say("coach.next"), coach.next, { class: "main", id: "coach-next" }),
    refute: button(say("coach.refute"), coach.refute, { id: "coach-refute" }),
    solution: button(say("coach.solution"), coach.solution, { class: "plain", id: "coach-solution" }),
    end: button(say("coach.leave"), coach.end, { class: "plain", id: "coach-end" }),
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
      const all = mistakes.length;
      setText(title, status === "done" ? say(all === 0 ? "coach.well-played" : "coach.done") : say("coach.title", { number: at + 1, all }));
      setText(message, now.message);
      message.className = `coach-message ${status}`;
      const isOpen = status === "try";
      buttons.next.hidden = !["right", "shown"].includes(status);
      setText(buttons.next, say(at + 1 < all ? "coach.next" : "coach.finish"));
      buttons.again.hidden = status !== "refuted";
      buttons.refute.hidden = buttons.solution.hidden = !isOpen;
      setText(buttons.end, say(status === "done" ? "do.close" : "coach.leave"));
    },
  };
}
