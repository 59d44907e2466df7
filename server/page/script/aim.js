/** A finger on the board: sliding aims at a column, lifting drops the stone, leaving the board gives up. */

/** Pixels from the side of the window within which a slide can mean Back to a browser. */
const EDGE = 30;

/** Follows fingers on `overlay`, which covers `columns` columns. */
export function aimByTouch(overlay, columns, { choose, look }) {
  let finger = null;
  let aimed = null;

  function columnAt({ clientX, clientY }) {
    const { left, right, top, bottom } = overlay.getBoundingClientRect();
    const isOver = clientX >= left && clientX < right && clientY >= top && clientY < bottom;
    return isOver ? Math.floor((clientX - left) / (right - left) * columns) : null;
  }

  function aim(column) {
    if (column !== aimed) look(column);
    aimed = column;
  }

  function leave() {
    finger = null;
    aim(null);
  }

  overlay.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch" || finger !== null) return;
    finger = event.pointerId;
    aim(columnAt(event));
  });
  overlay.addEventListener("pointermove", (event) => event.pointerId === finger && aim(columnAt(event)));
  overlay.addEventListener("pointerup", (event) => {
    if (event.pointerId !== finger) return;
    const column = columnAt(event);
    leave();
    if (column !== null) choose(column);
  });
  overlay.addEventListener("pointercancel", (event) => event.pointerId === finger && leave());
  // The stone has fallen: no click follows that would drop another one.
  overlay.addEventListener("touchend", (event) => event.cancelable && event.preventDefault());
  // A slide from the side of the window aims, and does not go back.
  overlay.addEventListener("touchstart", (event) => {
    const { clientX } = event.changedTouches[0];
    if (event.cancelable && (clientX < EDGE || clientX > innerWidth - EDGE)) event.preventDefault();
  }, { passive: false });
}
