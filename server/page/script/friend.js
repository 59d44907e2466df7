/** A game with a friend: the card with the link to send, and what to do with it. */
import { button, h, setText } from "./dom.js";
import { boardAt, resultOf, sideToMove } from "./rules.js";
import { copyButton, friendLinkOf } from "./share.js";
import { sideNames } from "./store.js";

/** The text of a game that the link holds. */
function heldText({ line, from }, isOver) {
  if (isOver) return "The game is over. Send this link to show your friend the last move.";
  return line.moves.length === from ? "Your friend begins. Send this link." : "Your move is made. Send this link: it holds the game.";
}

/** `games` are those that the server keeps; null without a server. */
export function createFriendCard(store, games) {
  const says = h("p", { role: "status" });
  const link = () => friendLinkOf(store.state.play);
  const send = button("Send this link", () => navigator.share({ text: "Play Connect Four with me.", url: link() }).catch(() => {}), { class: "main", id: "send-link" });
  send.hidden = !navigator.share;
  const copy = copyButton("Copy the link", () => navigator.clipboard.writeText(link()), { class: send.hidden ? "main" : null, id: "copy-game" });
  // Browsers share and copy only what comes by HTTPS or from this machine.
  const written = h("p", { class: "card-text", id: "friend-link" });
  written.hidden = Boolean(navigator.clipboard);
  copy.hidden = !written.hidden;
  const actions = h("div", { class: "actions" }, send, copy, written);
  const element = h("div", { class: "card friend" }, says, actions);

  /** The text of the card, "" if there is nothing to send. */
  function textOf({ play, settings }) {
    const board = boardAt(play.line, play.line.moves.length);
    const isYours = sideToMove(board) === play.you;
    if (games?.isLost(play)) {
      const next = play.you === null ? "Ask your friend for a new link." : isYours ? "Make your move, then send the game as a link." : "Send this link: your friend goes on from it.";
      return `The server no longer has this game. ${next}`;
    }
    if (play.shared) return games?.isAlone(play) ? `Send this link. Whoever opens it first plays ${sideNames(settings)[1 - play.you]}.` : "";
    return isYours || games?.isAsked(play) ? "" : heldText(play, resultOf(board) !== null);
  }

  let drawn = null;
  return {
    element,
    draw(state) {
      const { play } = state;
      if (drawn === play) return;
      drawn = play;
      const board = boardAt(play.line, play.line.moves.length);
      const text = play.opponent === "friend" ? textOf(state) : "";
      element.hidden = text === "";
      actions.hidden = !play.shared && (play.you === null || sideToMove(board) === play.you);
      setText(says, text);
      setText(copy, "Copy the link");
      setText(written, actions.hidden ? "" : link());
    },
  };
}
