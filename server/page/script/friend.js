/** A game with a friend: the card with the link to send, and what to do with it. */
import { button, h, setText } from "./dom.js";
import { boardAt, resultOf, sideToMove } from "./rules.js";
import { copyButton, friendLinkOf } from "./share.js";
import { say } from "./texts.js";

/** What to do with the link. */
function heldText({ line, from }, isOver) {
  return say(isOver ? "friend.over" : line.moves.length === from ? "friend.begins" : "friend.made");
}

export function createFriendCard(store) {
  const says = h("p", { role: "status" });
  const link = () => friendLinkOf(store.state.play);
  const send = button(say("friend.send"), () => navigator.share({ text: say("friend.invitation"), url: link() }).catch(() => {}), { class: "main", id: "send-link" });
  send.hidden = !navigator.share;
  const copy = copyButton(say("friend.copy"), () => navigator.clipboard.writeText(link()), { class: send.hidden ? "main" : null, id: "copy-game" });
  // Browsers share and copy only what comes by HTTPS or from this machine.
  const written = h("p", { class: "card-text", id: "friend-link" });
  written.hidden = Boolean(navigator.clipboard);
  copy.hidden = !written.hidden;
  const element = h("div", { class: "card friend" }, says, h("div", { class: "actions" }, send, copy, written));

  let drawn = null;
  return {
    element,
    draw({ play }) {
      if (drawn === play) return;
      drawn = play;
      const board = boardAt(play.line, play.line.moves.length);
      element.hidden = play.opponent !== "friend" || sideToMove(board) === play.you;
      if (element.hidden) return;
      setText(says, heldText(play, resultOf(board) !== null));
      setText(copy, say("friend.copy"));
      setText(written, link());
    },
  };
}
