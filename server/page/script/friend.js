/** A game with a friend: the card with the link that holds the game, to send after each move. */
import { button, h, setText } from "./dom.js";
import { boardAt, resultOf, sideToMove } from "./rules.js";
import { copyText, friendLinkOf } from "./share.js";

function textOf({ line, from }, isOver) {
  if (isOver) return "The game is over. Send this link to show your friend the last move.";
  return line.moves.length === from ? "Your friend begins. Send this link." : "Your move is made. Send this link: it holds the game.";
}

export function createFriendCard(store) {
  const says = h("p", { role: "status" });
  const link = () => friendLinkOf(store.state.play);
  const send = button("Send this link", () => navigator.share({ text: "It is your move in Connect Four.", url: link() }).catch(() => {}), { class: "main", id: "send-link" });
  send.hidden = !navigator.share;
  const copy = button("Copy the link", async () => {
    setText(copy, (await copyText(link())) ? "✓ Copied" : "The browser does not allow it");
  }, { class: send.hidden ? "main" : null, id: "copy-game" });
  const element = h("div", { class: "card friend" }, says, h("div", { class: "actions" }, send, copy));
  let drawn = null;
  return {
    element,
    draw({ play }) {
      if (drawn === play) return;
      drawn = play;
      const board = boardAt(play.line, play.line.moves.length);
      element.hidden = play.opponent !== "friend" || sideToMove(board) === play.you;
      setText(says, element.hidden ? "" : textOf(play, resultOf(board) !== null));
      setText(copy, "Copy the link");
    },
  };
}
