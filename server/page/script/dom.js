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
 * The panel of a view: what is known, the bar with the stepper and the actions, and the rest. On a
 * phone, the bar is at the bottom of the screen.
 */
export const panel = (name, lead, stepper, actions, rest) => h("div", { class: `panel ${name}` },
  lead, h("div", { class: "bar" }, h("div", { class: "actions quick" }, actions), stepper.element), rest);

let hiding = null;
/** A short message at the bottom of the screen. */
export function toast(text) {
  const element = $("toast");
  element.textContent = text;
  element.classList.add("shown");
  clearTimeout(hiding);
  hiding = setTimeout(() => element.classList.remove("shown"), 5000);
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
    button(text, () => choose(value), { "aria-pressed": "false", "data-value": String(value) }));
  const element = h("div", { class: "choice", role: "group", "aria-label": label }, buttons);
  return {
    element,
    set(value) {
      for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.value === String(value)));
    },
  };
}
