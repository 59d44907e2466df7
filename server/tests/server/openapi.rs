//! `openapi.json`, written by hand, against what the code names. `.ci/schemathesis` compares it with
//! answers.

use super::support::with_book;
use axum::body::Body;
use axum::http::Request;
use fourbook::Level;
use fourbook::oracle::Source;
use fourbook_server::described::{KINDS, MAX_BODY, MAX_POSITIONS};
use fourbook_server::page::OPENAPI;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

fn description() -> Value {
    serde_json::from_slice(OPENAPI.content).unwrap()
}

/// The part of the description that a value is or refers to.
pub(crate) fn resolved<'a>(description: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|target| target.strip_prefix('#'));
    target.map_or(value, |target| description.pointer(target).expect(target))
}

/// The parameters of an operation.
fn parameters<'a>(description: &'a Value, operation: &'a Value) -> impl Iterator<Item = &'a Value> {
    let all = operation["parameters"].as_array().into_iter().flatten();
    all.map(|parameter| resolved(description, parameter))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn names_and_limits_are_those_of_the_code() {
    let description = description();
    let schemas = &description["components"]["schemas"];
    assert_eq!(schemas["Problem"]["properties"]["type"]["enum"], json!(KINDS));
    let names = Level::ALL.map(|level| level.name);
    assert_eq!(schemas["ChosenMove"]["properties"]["level"]["enum"], json!(names));
    let mut sources = json!(Source::ALL.map(Source::name));
    sources.as_array_mut().unwrap().push(Value::Null);
    for schema in ["Position", "Score", "Move"] {
        assert_eq!(schemas[schema]["properties"]["source"]["enum"], sources, "{schema}");
    }
    let body = &description["paths"]["/v1/positions"]["post"]["requestBody"]["content"];
    let positions = &body["application/json"]["schema"]["properties"]["positions"];
    assert_eq!(positions["maxItems"], MAX_POSITIONS);
    let too_large = text(&description["components"]["responses"]["TooLarge"]["description"]);
    assert_eq!(too_large, format!("More than {MAX_POSITIONS} positions or {MAX_BODY} bytes."));
}

#[test]
fn every_level_is_described_with_its_rule() {
    let description = description();
    let operation = &description["paths"]["/v1/move"]["get"];
    for level in Level::ALL {
        let horizon = level.horizon.map_or("the whole game".to_owned(), |it| it.to_string());
        let comma = if level.horizon.is_none() { "," } else { "" };
        let rule = format!("{} {level}{comma} {horizon}, {}", level.number, level.chance);
        assert!(text(&operation["description"]).contains(&rule), "{rule}");
    }
    let parameter = parameters(&description, operation).find(|it| it["name"] == "level").unwrap();
    let numbers = Level::ALL.map(|level| level.number.to_string());
    let names = Level::ALL.map(|level| level.name.to_owned());
    assert_eq!(parameter["schema"]["enum"], json!([names, numbers].concat()));
    assert!(text(&parameter["description"]).contains(Level::default().name));
}

/// The routes of the router's source.
fn routes_of_the_router() -> BTreeSet<(String, String)> {
    let source = include_str!("../../src/http/routes/mod.rs");
    let lines = source.lines().filter_map(|line| line.trim().strip_prefix("(\""));
    lines
        .map(|line| {
            let (path, rest) = line.split_once("\", ").unwrap();
            (path.to_owned(), rest.split_once('(').unwrap().0.to_owned())
        })
        .collect()
}

/// A request with the examples of a route, and the arguments with which curl sends it.
fn example(
    description: &Value,
    path: &str,
    method: &str,
    operation: &Value,
) -> (Request<Body>, String) {
    let mut path = path.to_owned();
    let mut query = Vec::new();
    for parameter in parameters(description, operation) {
        let name = text(&parameter["name"]);
        let example = &parameter["example"];
        let value = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
        match text(&parameter["in"]) {
            _ if name == "size" => {}
            "path" => path = path.replace(&format!("{{{name}}}"), &value),
            _ if example.is_null() => {}
            _ => query.push(format!("{name}={value}")),
        }
    }
    let uri = [path, query.join("&")].join("?");
    let uri = uri.trim_end_matches('?');
    let mut curl = format!("'http://127.0.0.1:8080{uri}'");
    let request = Request::builder().method(method.to_uppercase().as_str()).uri(uri);
    let body = &operation["requestBody"]["content"]["application/json"]["example"];
    if body.is_null() {
        return (request.body(Body::empty()).unwrap(), curl);
    }
    write!(curl, " --json '{body}'").unwrap();
    let request = request.header("content-type", "application/json");
    (request.body(body.to_string().into()).unwrap(), curl)
}

#[tokio::test]
async fn every_route_is_described_and_answers_its_examples() {
    let server = with_book();
    let description = description();
    let mut described = BTreeSet::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            described.insert((path.clone(), method.clone()));
            let (request, _) = example(&description, path, method, operation);
            let reply = server.send(request).await;
            assert_eq!(reply.status, 200, "{method} {path}");
        }
    }
    assert_eq!(described, routes_of_the_router());
}

/// The schemas that a value refers to, with links.
fn schema_links(value: &Value) -> String {
    let mut names = BTreeSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if let Some(name) = value["$ref"].as_str().and_then(|it| it.strip_prefix(SCHEMAS)) {
            names.insert(format!("[{name}](#{})", name.to_lowercase()));
        }
        open.extend(value.as_array().into_iter().flatten());
        open.extend(value.as_object().into_iter().flat_map(|it| it.values()));
    }
    Vec::from_iter(names).join(", ")
}

const SCHEMAS: &str = "#/components/schemas/";

/// A table of the fields of an object, the required ones first, in their order.
fn fields(description: &Value, schema: &Value) -> String {
    let properties = schema["properties"].as_object().unwrap();
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().map(text).collect();
    let optional = properties.keys().map(String::as_str).filter(|it| !required.contains(it));
    let mut table = "\n| field | type | |\n|---|---|---|\n".to_owned();
    for name in required.iter().copied().chain(optional) {
        let field = &properties[name];
        let mut types = match &field["type"] {
            Value::Array(types) => types.iter().map(text).collect::<Vec<_>>().join(" or "),
            types => text(types).to_owned(),
        };
        let links = schema_links(field);
        let items = &field["items"];
        let inner = [text(&items["type"]), &links].concat();
        if types == "array" && !inner.is_empty() {
            types += " of ";
            types += &inner;
        } else {
            types += &links;
        }
        let mut about = text(&resolved(description, field)["description"]).to_owned();
        if !text(&field["description"]).is_empty() {
            text(&field["description"]).clone_into(&mut about);
        }
        if let Some(values) = field["enum"].as_array() {
            let values = values.iter().filter(|it| !it.is_null());
            let values: Vec<String> = values.map(|it| format!("`{}`", text(it))).collect();
            about = format!("{about} One of {}.", values.join(", ")).trim().to_owned();
        }
        if let Some(inner) = items["properties"].as_object() {
            let names: Vec<String> = inner.keys().map(|it| format!("`{it}`")).collect();
            about = format!("{about} Each has {}.", names.join(", ")).trim().to_owned();
        }
        let name = if required.contains(&name) {
            format!("`{name}`")
        } else {
            format!("`{name}`, optional")
        };
        writeln!(table, "| {name} | {} | {about} |", types.trim()).unwrap();
    }
    table
}

/// The length of the value of JSON with which the text begins.
fn length_of_value(json: &str) -> usize {
    let mut depth = 0;
    let mut is_quoted = false;
    for (index, character) in json.char_indices() {
        is_quoted ^= character == '"';
        depth += match character {
            '{' | '[' if !is_quoted => 1,
            '}' | ']' if !is_quoted => -1,
            _ => 0,
        };
        if depth == 0 {
            return index;
        }
    }
    json.len()
}

/// JSON without escapes, in lines: objects and lists that are longer than a line have a line for each
/// of their parts.
fn in_lines(json: &str) -> String {
    let mut lines = String::new();
    let mut is_long = Vec::new();
    let mut is_quoted = false;
    for (index, character) in json.char_indices() {
        is_quoted ^= character == '"';
        let breaks = match character {
            _ if is_quoted => false,
            '{' | '[' => {
                is_long.push(length_of_value(&json[index..]) > 100);
                *is_long.last().unwrap()
            }
            ',' => *is_long.last().unwrap(),
            '}' | ']' => {
                if is_long.pop().unwrap() {
                    write!(lines, "\n{}", "  ".repeat(is_long.len())).unwrap();
                }
                false
            }
            _ => false,
        };
        lines.push(character);
        if breaks {
            write!(lines, "\n{}", "  ".repeat(is_long.len())).unwrap();
        } else if !is_quoted && matches!(character, ',' | ':') {
            lines.push(' ');
        }
    }
    lines
}

/// The page of the guide about the API: every route with its parameters, its example and the answer,
/// and the fields of all answers.
async fn guide() -> String {
    let server = with_book();
    let description = description();
    let components = &description["components"];
    let mut page = INTRODUCTION.to_owned();
    page += "\n## Parameters\n\n| parameter | |\n|---|---|\n";
    for (name, parameter) in components["parameters"].as_object().unwrap() {
        writeln!(page, "| `{name}` | {} |", text(&parameter["description"])).unwrap();
    }
    let mut errors = BTreeSet::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            if text(&operation["operationId"]).starts_with("page") {
                continue;
            }
            let summary = text(&operation["summary"]);
            write!(page, "\n## {} {path}\n\n{summary}.\n", method.to_uppercase()).unwrap();
            let about = text(&operation["description"]);
            if !about.is_empty() {
                write!(page, "\n{about}\n").unwrap();
            }
            let mut names = Vec::new();
            let mut own = String::new();
            for parameter in parameters(&description, operation) {
                let name = text(&parameter["name"]);
                let required = if parameter["required"] == true { " (required)" } else { "" };
                names.push(format!("`{name}`{required}"));
                let about = text(&parameter["description"]);
                if about != text(&components["parameters"][name]["description"]) {
                    writeln!(own, "- `{name}`: {about}").unwrap();
                }
            }
            if !names.is_empty() {
                write!(page, "\n[Parameters](#parameters): {}\n", names.join(", ")).unwrap();
            }
            if !own.is_empty() {
                write!(page, "\n{own}").unwrap();
            }
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            if body.is_object() {
                page += "\nThe body is an object of JSON:\n";
                page += &fields(&description, body);
            }
            let mut statuses = Vec::new();
            for (status, response) in operation["responses"].as_object().unwrap() {
                if status != "200" {
                    statuses.push(status.as_str());
                    let about = text(&resolved(&description, response)["description"]);
                    if status != "304" {
                        errors.insert(format!("| {status} | {about} |\n"));
                    }
                }
            }
            let answer = schema_links(&operation["responses"]["200"]);
            let answer =
                if answer.is_empty() { String::new() } else { format!("Answer: {answer}. ") };
            write!(page, "\n{answer}Other statuses: {}.\n", statuses.join(", ")).unwrap();
            let (request, curl) = example(&description, path, method, operation);
            let reply = server.send(request).await;
            let body = String::from_utf8(reply.body).unwrap();
            if reply.headers["content-type"] == "application/json" && body.len() < LONGEST_SHOWN {
                let answer = in_lines(&body);
                write!(page, "\n{ASKED}\n```sh\ncurl {curl}\n```\n\n```json\n{answer}\n```\n")
                    .unwrap();
            }
        }
    }
    page += "\n## Errors\n\nThe body of an error is a [Problem](#problem).\n\n| status | when |\n|---|---|\n";
    page.extend(errors);
    page += "\n## Metrics\n\n| metric | |\n|---|---|\n";
    let metrics = server.metrics().await;
    for line in metrics.lines().filter_map(|line| line.strip_prefix("# HELP ")) {
        let (name, about) = line.split_once(' ').unwrap();
        writeln!(page, "| `{name}` | {about} |").unwrap();
    }
    page += "\n# Answers\n\nA field is there in every answer, unless it is optional.\n";
    for (name, schema) in components["schemas"].as_object().unwrap() {
        let about = text(&schema["description"]);
        write!(page, "\n## {name}\n").unwrap();
        if !about.is_empty() {
            write!(page, "\n{about}\n").unwrap();
        }
        page += &fields(&description, schema);
    }
    page
}

/// Why the test of the guide does not run the commands.
const ASKED: &str = "<!-- not run: the test that writes this page asks it -->";

/// The longest answer that the page shows.
const LONGEST_SHOWN: usize = 1500;

const INTRODUCTION: &str = "\
# HTTP

Every route of `fourbook serve`, but for the files of the page. A running server has a page to try them,
`/api`, and the complete description, `/openapi.json`.

Columns and rows are strings, their names in text. A final answer has an `ETag`: a client that sends it as
`If-None-Match` gets status 304 while the answer is the same. `Cache-Control` says how long an answer may
be kept, `Retry-After` when it helps to ask again. Every answer has an `X-Request-Id`, which the log has,
too. Answers are compressed where the client accepts it.
";

#[tokio::test]
async fn the_guide_has_every_route() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/http.md");
    let page = guide().await;
    if std::env::var_os("FOURBOOK_WRITE").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let advice = "write it with FOURBOOK_WRITE=1 cargo test -p fourbook-server the_guide";
    let is_current = std::fs::read_to_string(path).unwrap() == page;
    assert!(is_current, "docs/src/http.md is not current; {advice}");
}
