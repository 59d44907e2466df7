//! `/v1/positions`: many positions in one request.

use super::position::{self, Report, WANTED};
use crate::Daemon;
use crate::http::answer::Request;
use crate::http::daemon::State;
use crate::http::layers::MAX_BODY;
use crate::http::pool::Address;
use crate::http::problem::{Problem, Result};
use crate::http::request::{JSON, LIMITS, Parameters, Query};
use axum::body::{Body, Bytes};
use axum::extract::FromRequest;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::IntoResponse;
use fourbook::Position;
use fourbook::text::shortened;
use futures_util::{StreamExt, stream};
use serde::Serialize;
use serde_json::Value;
use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The most positions of a request.
pub const MAX_POSITIONS: usize = 10_000;

/// The most positions under way at a time, for each solver thread. Answers wait here for their
/// reader and for earlier answers, so this bounds the memory of a slow reader.
const WINDOW: usize = 4;

/// The most answers sent together: a few kilobytes.
const CHUNK: usize = 8;

/// The most memory for all batches, in bytes; half of it for one address.
const MAX_BATCHES: usize = 64 * MAX_BODY;

/// How many times as much memory a short text takes in a list as in a body.
const TEXT: usize = 16;

/// The memory of a batch besides its positions, in bytes: answers that wait for their reader.
const LEAST_BATCH: usize = 1 << 15;

const EXAMPLE: &str = r#"{"positions": ["4453"], "wait": true}"#;

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ItemReply {
    Answer(Report),
    Error { position: String, error: Problem },
}

/// Answers positions in their order, as they are found.
pub(super) async fn positions(
    axum::extract::State(daemon): State,
    query: Query,
    request: axum::extract::Request,
) -> Result {
    let headers = request.headers().clone();
    let memory = Reserved::new(&daemon, query.address, &headers)?;
    let body = Bytes::from_request(request, &()).await;
    let mut members = query.members(&headers, body, EXAMPLE)?;
    let positions = texts(members.remove("positions"))?;
    let names: &[&[&str]] = &[&["size"], WANTED, LIMITS];
    let parameters = Parameters::json(members, query.address, names, EXAMPLE)?;
    let loaded = parameters.board(&daemon)?;
    let empty = Position::empty(loaded.size());
    let mut request = position::wanted(&parameters, parameters.request(&daemon, loaded, empty)?)?;
    // As many long searches as there are solver threads: one request does not fill the queue.
    request.turns = Some(Arc::new(Semaphore::new(daemon.options.threads)));
    let window = WINDOW * daemon.options.threads;
    let answers = stream::iter(positions).map(move |text| {
        let _reserved_to_the_end = &memory;
        let request = request.clone();
        async move {
            let reply = item(text, request).await;
            serde_json::to_string(&reply).expect("answers have names and numbers only")
        }
    });
    let answers = answers.buffered(window).enumerate();
    let items = answers.map(|(index, item)| format!("{}{item}", &","[..index.min(1)]));
    let start = stream::once(ready(r#"{"answers":["#.to_owned()));
    let text = start.chain(items).chain(stream::once(ready("]}".to_owned())));
    let text = text.ready_chunks(CHUNK).map(|texts| Ok::<_, Infallible>(texts.concat()));
    Ok(([(CONTENT_TYPE, JSON)], Body::from_stream(text)).into_response())
}

/// The memory that a batch holds.
struct Reserved {
    daemon: Arc<Daemon>,
    address: Address,
    bytes: usize,
}

impl Reserved {
    /// Reserves memory for a body before it is read.
    fn new(daemon: &Arc<Daemon>, address: Address, headers: &HeaderMap) -> Result<Self> {
        let length =
            headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        // A compressed body has no length here.
        let length: usize = length.unwrap_or(MAX_BODY);
        let bytes = length.saturating_mul(TEXT).clamp(LEAST_BATCH, MAX_BODY);
        let mut batches = daemon.batches.lock();
        let of_address = batches.get(&address).map_or(0, |held| held + bytes);
        if batches.values().sum::<usize>() + bytes > MAX_BATCHES || of_address > MAX_BATCHES / 2 {
            daemon.metrics.refused("batches");
            return Err(Problem::overload("too many batches are under way"));
        }
        *batches.entry(address).or_default() += bytes;
        Ok(Reserved { daemon: Arc::clone(daemon), address, bytes })
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        let mut batches = self.daemon.batches.lock();
        batches.entry(self.address).and_modify(|held| *held -= self.bytes);
        batches.retain(|_, held| *held > 0);
    }
}

/// Answers the position of a text, with the rest of the request.
async fn item(text: String, request: Request) -> ItemReply {
    let only_score = request.only_score;
    let answer = match Position::parse(request.loaded.size(), &text) {
        Ok(position) => Request { position, ..request }.answer().await,
        Err(error) => Err(error.into()),
    };
    match answer {
        Ok(answer) => ItemReply::Answer(Report::new(text, answer, only_score)),
        Err(error) => ItemReply::Error { position: text, error },
    }
}

/// The texts of a list.
fn texts(list: Option<Value>) -> Result<Vec<String>> {
    let invalid = |found: &str| Problem::bad_body(format!("expected {EXAMPLE}, found {found}"));
    let Some(Value::Array(texts)) = list else {
        return Err(invalid("no list of positions"));
    };
    if texts.len() > MAX_POSITIONS {
        return Err(Problem::too_large(format!(
            "expected at most {MAX_POSITIONS} positions, found {}; send several requests",
            texts.len()
        )));
    }
    let texts = texts.into_iter().map(|text| match text {
        Value::String(text) => Ok(text),
        other => Err(invalid(&format!("the position {}", shortened(&other.to_string())))),
    });
    texts.collect()
}
