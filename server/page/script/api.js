/** The routes of the server, from its OpenAPI description, each with an example to try. */
import { $, button, h } from "./dom.js";
import { applySettings, loadSettings } from "./store.js";

const PAGE = "Page";
const GROUPS = [
  ["Answers", (path) => path.startsWith("/v1/") || path === "/solve"],
  ["Operation", (path) => ["/healthz", "/readyz", "/metrics"].includes(path)],
  [PAGE, () => true],
];

let description = {};
/** The part of the description that `part` is or refers to. */
const resolve = (part) => (part?.$ref ? part.$ref.slice(2).split("/").reduce((value, name) => value[name], description) : part) ?? {};
const nameOf = (schema) => schema?.$ref?.split("/").at(-1);

function typeText(schema) {
  if (nameOf(schema)) return nameOf(schema);
  const { type, items, enum: values, oneOf } = schema;
  if (oneOf) return oneOf.map(typeText).join(" or ");
  if (values) return values.map((value) => JSON.stringify(value)).join(", ");
  if (type === "array") return `array of ${typeText(items ?? {})}`;
  const { minimum, maximum } = schema;
  const range = minimum === undefined ? "" : ` ${minimum} to ${maximum ?? "any"}`;
  return `${[type].flat().join(" or ")}${Number.isSafeInteger(maximum ?? 0) ? range : ""}`;
}

/** The properties of a schema as a table, nested ones below. */
function properties(schema, depth = 0) {
  const { properties: own = {}, required = [], description } = resolve(schema);
  const rows = Object.entries(own).map(([name, property]) => {
    const inner = property.type === "array" ? property.items : property;
    const nested = depth < 2 && !nameOf(inner) && inner?.properties ? properties(inner, depth + 1) : null;
    const ref = nameOf(inner) && depth < 2 ? h("details", {}, h("summary", {}, nameOf(inner)), properties(inner, depth + 1)) : null;
    return h("tr", {},
      h("th", { scope: "row" }, h("code", {}, name), required.includes(name) ? "" : h("small", {}, " optional")),
      h("td", {}, h("span", { class: "type" }, typeText(property)), property.description && h("p", {}, property.description), nested, ref));
  });
  return h("div", {}, description && h("p", {}, description), rows.length > 0 && h("table", {}, h("tbody", {}, rows)));
}

function parameterRow(parameter, id) {
  const { name, description, required, schema, example } = parameter;
  const value = example ?? "";
  const input = schema.enum && !required
    ? h("select", { id, name }, ["", ...schema.enum].map((one) => h("option", { value: one, selected: String(one) === String(value) }, String(one))))
    : h("input", { id, name, type: "text", value: required || name === "moves" || parameter.in === "path" ? value : "", placeholder: `${value}`, spellcheck: "false", autocomplete: "off" });
  return h("div", { class: "parameter" },
    h("label", { for: id }, h("code", {}, name), required && h("small", {}, " required")), input,
    h("p", {}, h("span", { class: "type" }, typeText(schema)), `: ${description}`));
}

/** The address of a request with the values of the fields. */
function addressOf(path, parameters, form) {
  const query = new URLSearchParams();
  let address = path.slice(1) || "./";
  for (const { name, in: place, required } of parameters) {
    const { value } = form.elements[name];
    if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "" || required) query.set(name, value);
  }
  const text = query.toString();
  return `${address}${text && `?${text}`}`;
}

function commandOf(method, address, body) {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const url = quote(new URL(address, document.baseURI).href);
  return body === null ? `curl ${url}` : `curl -H 'content-type: application/json' -d ${quote(body)} ${url}`;
}

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

async function send(method, address, body, output) {
  output.replaceChildren(h("p", {}, "Asking…"));
  try {
    const headers = body === null ? {} : { "content-type": "application/json" };
    const response = await fetch(address, { method, headers, body: body ?? undefined });
    const kind = response.headers.get("content-type") ?? "";
    const text = kind.startsWith("image/png") ? "(a picture)" : pretty(await response.text());
    output.replaceChildren(
      h("p", { class: response.ok ? "good" : "bad" }, `${response.status} ${response.statusText} · ${kind}`),
      h("pre", { tabindex: 0, "aria-label": "Answer" }, text));
  } catch (error) {
    output.replaceChildren(h("p", { class: "bad" }, `No answer: ${error.message}`));
  }
}

/** The fields of a request, the request as a command, and its answer when it is tried. */
function trial(path, method, operation) {
  const id = operation.operationId;
  const request = operation.requestBody?.content["application/json"];
  // A body of JSON has the parameters in it.
  const parameters = request ? [] : (operation.parameters ?? []).map(resolve);
  const body = request ? h("textarea", { rows: 4, spellcheck: "false", "aria-label": "Body of the request" }) : null;
  if (body) body.value = JSON.stringify(request.example ?? {}, null, 2);
  const output = h("div", { class: "answer", "aria-live": "polite" });
  const command = h("pre", { class: "command", tabindex: 0, "aria-label": "The same on a command line" });
  const form = h("form", {}, parameters.map((parameter) => parameterRow(parameter, `${id}-${parameter.name}`)), body, command,
    h("button", { type: "submit", class: "main" }, "Try it"), output);
  const show = () => {
    command.textContent = commandOf(method, addressOf(path, parameters, form), body?.value ?? null);
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(method.toUpperCase(), addressOf(path, parameters, form), body?.value ?? null, output);
  });
  show();
  return form;
}

/** One operation, folded up; `isFile` if there is nothing to try. */
function route(path, method, operation, isFile) {
  const request = operation.requestBody?.content["application/json"];
  const answers = Object.entries(operation.responses).map(([status, part]) => {
    const response = resolve(part);
    const [kind, content] = Object.entries(response.content ?? {})[0] ?? [];
    const schema = kind?.includes("json") ? content.schema : null;
    // The first of several media types is the usual one.
    const shown = schema?.oneOf?.[0] ?? schema;
    const shape = shown && status === "200" ? h("details", {}, h("summary", {}, typeText(schema)), properties(shown)) : null;
    return h("li", {}, h("b", {}, status), ` ${response.description} `, kind && h("small", {}, kind), shape);
  });
  return h("details", { class: "route", id: operation.operationId },
    h("summary", {}, h("h3", {}, h("span", { class: "method" }, method.toUpperCase()), " ", h("code", {}, path)), h("span", { class: "soft" }, operation.summary)),
    operation.description && h("p", {}, operation.description),
    request && h("details", {}, h("summary", {}, "Body of the request"), properties(request.schema)),
    !isFile && trial(path, method, operation), h("h4", {}, "Answers"), h("ul", {}, answers));
}

function describe(found) {
  description = found;
  const { info, paths } = description;
  const left = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  const groups = GROUPS.map(([title, belongs]) => {
    const own = left.filter((one) => belongs(one.path));
    for (const one of own) left.splice(left.indexOf(one), 1);
    return [title, own];
  });
  $("contents").replaceChildren(...groups.flatMap(([title, own]) =>
    [h("p", {}, title), h("ul", {}, own.map(({ path, operation }) => h("li", {}, h("a", { href: `#${operation.operationId}` }, path))))]));
  $("description").replaceChildren(
    h("h1", {}, "The API"), h("p", {}, info.description),
    h("p", {}, "The description itself, for programs: ", h("a", { href: "openapi.json" }, "openapi.json"), "."),
    ...groups.map(([title, own]) => h("details", { class: "group", open: title !== PAGE },
      h("summary", {}, h("h2", {}, title)), own.map(({ path, method, operation }) => route(path, method, operation, title === PAGE)))));
  $("description").removeAttribute("aria-busy");
  addEventListener("hashchange", unfold);
  unfold();
}

/** Opens the operation that the address names, and the folds around it. */
function unfold() {
  const named = location.hash && $(location.hash.slice(1));
  if (!named) return;
  for (let one = named; one; one = one.parentElement.closest("details")) one.open = true;
  named.scrollIntoView();
}

applySettings(loadSettings());
fetch("openapi.json")
  .then((response) => response.json())
  .then(describe)
  .catch((error) => $("description").replaceChildren(h("p", {}, `The description cannot be read: ${error.message} `), button("Try again", () => location.reload())));
