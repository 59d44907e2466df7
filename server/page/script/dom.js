/** Small helpers for elements. */
export const $ = (id) => document.getElementById(id);

/** An element with properties (`class`, `onclick`, `aria-label`, ...) and children. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

/**
 * Cards that belong together. On a wide screen a part with `isBeside` is in the second column. On a
 * low screen each part has a tab, and the page shows the tab of the part with `isFirst` first.
 */
export const part = (label, cards, { isBeside = false, isFirst = false } = {}) =>
  ({ label, isBeside, isFirst, element: h("div", { class: "part" }, cards) });

/** The column beside the board: the stepper, tabs on low screens, and the parts. */
export function panel(name, stepper, parts) {
  const show = (index) => {
    tabs.set(index);
    parts.forEach(({ element }, other) => element.classList.toggle("behind", other !== index));
  };
  const tabs = choice("Parts of the panel", parts.map(({ label }, index) => [index, label]), show);
  tabs.element.classList.add("tabs");
  const stack = (isBeside) => h("div", { class: "stack" }, parts.filter((one) => one.isBeside === isBeside).map(({ element }) => element));
  show(parts.findIndex(({ isFirst }) => isFirst));
  return h("div", { class: `panel ${name}` }, h("div", { class: "bar-of-panel" }, stepper, tabs.element), stack(false), stack(true));
}

/** An SVG element with attributes and children. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Sets a text only if it differs, so that screen readers do not read it twice. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Marks a button as inactive; `disabled` would take the focus from a player at the keyboard. */
export function enable(button, does) {
  button.setAttribute("aria-disabled", String(!does));
}

/** A button that does nothing while it is disabled. */
export function button(label, action, properties = {}) {
  const made = h("button", { type: "button", ...properties }, ...[label].flat());
  made.addEventListener("click", (event) => {
    if (made.getAttribute("aria-disabled") !== "true") action(event);
  });
  return made;
}

/** Buttons of which one is pressed; `choose` gets its value. */
export function choice(label, options, choose) {
  const buttons = options.map(([value, text]) =>
    button(text, () => choose(value), { "aria-pressed": "false", "data-value": value }));
  const element = h("div", { class: "choice", role: "group", "aria-label": label }, buttons);
  return {
    element,
    set(value) {
      for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.value === String(value)));
    },
  };
}
