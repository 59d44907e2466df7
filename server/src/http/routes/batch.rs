//! `/v1/positions`: many positions in one request.

use super::position::{self, Report, WANTED};
use crate::http::answer::Request;
use crate::http::daemon::State;
use crate::http::layers::body_too_large;
use crate::http::problem::Problem;
use crate::http::request::{Given, LIMITS, Parameters};
use axum::body::{Body, Bytes};
use axum::extract::RawQuery;
use axum::extract::rejection::BytesRejection;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use fourbook::Position;
use futures_util::{StreamExt, stream};
use serde::Serialize;
use serde_json::Value;
use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The most positions of a request.
pub const MAX_POSITIONS: usize = 10_000;

/// The most positions under way at a time.
const WINDOW: usize = 1000;

/// The most answers sent together.
const CHUNK: usize = 64;

const JSON: &str = "application/json";
/// A JSON value on each line.
const NDJSON: &str = "application/x-ndjson";

const EXAMPLE: &str = r#"{"positions": ["4453"], "wait": true}"#;
const NDJSON_EXAMPLE: &str = "/v1/positions?wait=true";

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ItemReply {
    Answer(Report),
    Error { position: String, error: Problem },
}

/// Answers positions in their order, as they are found: a JSON object for a JSON object, or lines
/// for lines, with the parameters in the query.
pub(super) async fn positions(
    axum::extract::State(daemon): State,
    query: RawQuery,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => body_too_large(),
        _ => Problem::bad_body("the body ended early or is malformed; send it again"),
    })?;
    // The layer that decompresses removes the header.
    if let Some(encoding) = headers.get(CONTENT_ENCODING) {
        let text = format!("expected a body that is plain or in gzip, found {encoding:?}");
        return Err(Problem::media_type(text));
    }
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let (kind, names): (_, &[&[&str]]) = (kind.split(';').next(), &[&["size"], &WANTED, &LIMITS]);
    let (positions, parameters, kind) = match kind.map(str::trim) {
        Some(JSON) => {
            if query.0.is_some_and(|query| !query.is_empty()) {
                let text =
                    format!("expected no query with a body of {JSON}; for example {EXAMPLE}");
                return Err(Problem::bad_query(text));
            }
            let (positions, given) = in_object(&body)?;
            (positions, Parameters::new(given, names, Problem::bad_body, EXAMPLE)?, JSON)
        }
        Some(NDJSON) => {
            (in_lines(&body)?, Parameters::query(query, names, NDJSON_EXAMPLE)?, NDJSON)
        }
        _ => {
            let text = format!("expected the header 'Content-Type: {JSON}' or {NDJSON}");
            return Err(Problem::media_type(text));
        }
    };
    if positions.len() > MAX_POSITIONS {
        return Err(Problem::too_large(format!(
            "expected at most {MAX_POSITIONS} positions, found {}; send several requests",
            positions.len()
        )));
    }
    let loaded = parameters.board(&daemon)?;
    let empty = Position::empty(loaded.size());
    let request = position::wanted(&parameters, parameters.request(&daemon, loaded, empty)?)?;
    // As many searches at a time as there are solver threads: one request does not fill the queue.
    // A slow position does not delay the others.
    let searches = Arc::new(Semaphore::new(daemon.options.threads));
    let answers = stream::iter(positions).map(move |text| {
        let (request, searches) = (request.clone(), Arc::clone(&searches));
        async move {
            let _search = searches.acquire().await;
            let reply = item(text, request).await;
            serde_json::to_string(&reply).expect("answers have names and numbers only")
        }
    });
    let answers = answers.buffered(WINDOW).enumerate();
    let text = match kind {
        JSON => {
            let items = answers.map(|(index, item)| format!("{}{item}", &","[..index.min(1)]));
            let start = stream::once(ready(r#"{"answers":["#.to_owned()));
            start.chain(items).chain(stream::once(ready("]}".to_owned()))).boxed()
        }
        _ => answers.map(|(_, item)| item + "\n").boxed(),
    };
    let text = text.ready_chunks(CHUNK).map(|texts| Ok::<_, Infallible>(texts.concat()));
    Ok(([(CONTENT_TYPE, kind)], Body::from_stream(text)).into_response())
}

/// Answers the position of a text, with the rest of the request.
async fn item(text: String, request: Request) -> ItemReply {
    let only_score = request.only_score;
    let answer = match Position::parse(request.loaded.size(), &text) {
        Ok(position) => Request { position, ..request }.answer().await,
        Err(error) => Err(error.into()),
    };
    match answer {
        Ok(answer) => ItemReply::Answer(Report::new(text, &answer, only_score)),
        Err(error) => ItemReply::Error { position: text, error },
    }
}

/// The positions of a JSON object, and its other members.
fn in_object(body: &[u8]) -> Result<(Vec<String>, Given), Problem> {
    let invalid = |found: String| Problem::bad_body(format!("expected {EXAMPLE}, found {found}"));
    let body: Value = serde_json::from_slice(body).map_err(|error| {
        invalid(format!("no JSON at line {}, column {}", error.line(), error.column()))
    })?;
    let Value::Object(mut members) = body else { return Err(invalid(body.to_string())) };
    let Some(Value::Array(positions)) = members.remove("positions") else {
        return Err(invalid("no list of positions".to_owned()));
    };
    let text = |position| match position {
        Value::String(text) => Ok(text),
        other => Err(invalid(format!("the position {other}"))),
    };
    let positions = positions.into_iter().map(text).collect::<Result<_, _>>()?;
    let given = members.into_iter().filter(|(_, value)| !value.is_null());
    let given = given.map(|(name, value)| match (name.as_str(), value) {
        ("size" | "only", Value::String(text)) => (name, text),
        (_, value) => (name, value.to_string()),
    });
    Ok((positions, given.collect()))
}

/// The positions of lines, each a JSON string.
fn in_lines(body: &[u8]) -> Result<Vec<String>, Problem> {
    let lines = (1..).zip(body.split(|&byte| byte == b'\n'));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    let position = |(number, line)| {
        serde_json::from_slice(line).map_err(|_| {
            let line = String::from_utf8_lossy(line);
            let text = format!(r#"line {number}: expected a string such as "4453", found {line}"#);
            Problem::bad_body(text)
        })
    };
    lines.map(position).collect()
}
