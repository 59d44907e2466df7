/** A game with a friend: the card with the link to send, and what to do with it. */
import { button, h, setText } from "./dom.js";
import { boardAt, resultOf, sideToMove } from "./rules.js";
import { copyButton, friendLinkOf } from "./share.js";

/** What to do with the link. */
function heldText({ line, from }, isOver) {
  if (isOver) return "The game is over. Send this link to show your friend the last move.";
  return line.moves.length === from ? "Your friend begins. Send this link." : "Your move is made. Send it to your friend.";
}

export function createFriendCard(store) {
  const says = h("p", { role: "status" });
  const link = () => friendLinkOf(store.state.play);
  const send = button("Send your move", () => navigator.share({ text: "Play Connect Four with me.", url: link() }).catch(() => {}), { class: "main", id: "send-link" });
  send.hidden = !navigator.share;
  const copy = copyButton("Copy your move", () => navigator.clipboard.writeText(link()), { class: send.hidden ? "main" : null, id: "copy-game" });
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
      setText(copy, "Copy your move");
      setText(written, link());
    },
  };
}
