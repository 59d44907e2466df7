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

#[tokio::test]
async fn every_route_is_described_and_answers_its_examples() {
    let server = with_book();
    let description = description();
    let mut described = BTreeSet::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            described.insert((path.clone(), method.clone()));
            let mut uri = format!("{path}?");
            for parameter in parameters(&description, operation) {
                let name = text(&parameter["name"]);
                let example = parameter["example"].to_string().replace('"', "");
                match (text(&parameter["in"]), &*example) {
                    ("path", _) => uri = uri.replace(&format!("{{{name}}}"), &example),
                    (_, "null") => {}
                    _ => write!(uri, "{name}={example}&").unwrap(),
                }
            }
            let content = &operation["requestBody"]["content"]["application/json"];
            let request = Request::builder().method(method.to_uppercase().as_str());
            let request = match content["example"].is_null() {
                true => request.uri(uri.trim_end_matches(['?', '&'])).body(Body::empty()),
                false => request
                    .uri(path)
                    .header("content-type", "application/json")
                    .body(content["example"].to_string().into()),
            };
            let reply = server.send(request.unwrap()).await;
            assert_eq!(reply.status, 200, "{method} {path}");
        }
    }
    assert_eq!(described, routes_of_the_router());
}

/// The page of the guide about the API: every route with its parameters.
fn guide() -> String {
    let mut page = "# HTTP\n\nEvery route of `fourbook serve`, with its parameters. A running \
        server has a page to try them, `/api`, and the complete description, `/openapi.json`.\n"
        .to_owned();
    let description = description();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let summary = text(&operation["summary"]);
            write!(page, "\n## {} {path}\n\n{summary}.\n", method.to_uppercase()).unwrap();
            let about = text(&operation["description"]);
            if !about.is_empty() {
                write!(page, "\n{about}\n").unwrap();
            }
            let in_query = parameters(&description, operation).filter(|it| it["in"] == "query");
            let rows = in_query.map(|parameter| {
                let required = if parameter["required"] == true { "required" } else { "" };
                let about = text(&parameter["description"]);
                format!("| `{}` | {required} | {about} |\n", text(&parameter["name"]))
            });
            let rows: String = rows.collect();
            if !rows.is_empty() {
                write!(page, "\n| parameter | | |\n|---|---|---|\n{rows}").unwrap();
            }
        }
    }
    page
}

#[test]
fn the_guide_has_every_route() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/http.md");
    if std::env::var_os("FOURBOOK_WRITE").is_some() {
        std::fs::write(path, guide()).unwrap();
    }
    let current = std::fs::read_to_string(path).unwrap() == guide();
    let advice = "write it with FOURBOOK_WRITE=1 cargo test -p fourbook-server the_guide";
    assert!(current, "docs/src/http.md is not current; {advice}");
}
