//! Parsing requests: the parameters of a query or of a JSON body. Errors say what was expected in
//! words of this server, not of a parser.

use super::Daemon;
use super::answer::Request;
use super::books::Loaded;
use super::layers::{Client, body_too_large};
use super::pool::Address;
use super::problem::{Problem, Result};
use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::extract::rejection::BytesRejection;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use fourbook::Position;
use fourbook::board::notation::Notation;
use fourbook::text::{number, shortened};
use serde_json::{Map, Value};
use std::convert::Infallible;
use std::fmt::Display;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU64;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The parameters that name a position.
pub(crate) const POSITION: &[&str] = &["moves", "diagram", "key", "size"];

/// The parameters that limit searches.
pub(crate) const LIMITS: &[&str] = &["max_nodes", "deadline"];

/// The query of a request.
pub(crate) struct Query {
    text: String,
    /// The address that searches for the request count for.
    pub(crate) address: Address,
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let client: Client = parts.extensions.get().copied().unwrap_or_default();
        let text = parts.uri.query().unwrap_or_default().to_owned();
        Ok(Query { text, address: client.address.map(network) })
    }
}

/// The network of an address. A client of IPv6 usually has 2^64 addresses.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

/// The parameters of a request, each at most once, as text.
pub(crate) struct Parameters {
    given: Vec<(String, String)>,
    /// The address that searches for the request count for.
    pub(crate) address: Address,
    /// Makes the error for an invalid parameter of a detail.
    invalid: fn(String) -> Problem,
    /// The form of a valid request.
    example: &'static str,
}

/// The media type of JSON.
pub(crate) const JSON: &str = "application/json";

impl Query {
    /// The members of the body, a JSON object, of a request without a query.
    pub(crate) fn members(
        &self,
        headers: &HeaderMap,
        body: Result<Bytes, BytesRejection>,
        example: &str,
    ) -> Result<Map<String, Value>> {
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
        let kind = kind.split(';').next().unwrap_or("").trim();
        if !kind.eq_ignore_ascii_case(JSON) {
            return Err(Problem::media_type(format!("expected the header 'Content-Type: {JSON}'")));
        }
        if !self.text.is_empty() {
            let text = format!("expected no query beside the body; for example {example}");
            return Err(Problem::bad_query(text));
        }
        // Some editors and shells put a mark in front of UTF-8.
        let text = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&body);
        let found = match serde_json::from_slice(text) {
            Ok(Value::Object(members)) => return Ok(members),
            Ok(other) => shortened(&other.to_string()),
            Err(error) => format!("no JSON at line {}, column {}", error.line(), error.column()),
        };
        Err(Problem::bad_body(format!("expected {example}, found {found}")))
    }
}

impl Parameters {
    /// Parses a query that may have parameters of these names.
    pub(crate) fn query(query: Query, names: &[&[&str]], example: &'static str) -> Result<Self> {
        let given = form_urlencoded::parse(query.text.as_bytes()).into_owned().collect();
        Self::new(given, query.address, names, Problem::bad_query, example)
    }

    /// The parameters of these names that a body has.
    pub(crate) fn json(
        members: Map<String, Value>,
        address: Address,
        names: &[&[&str]],
        example: &'static str,
    ) -> Result<Self> {
        let given = members.into_iter().filter(|(_, value)| !value.is_null());
        let given = given.map(|(name, value)| match value {
            // All others are no texts in JSON.
            Value::String(text) if !["max_nodes", "deadline", "wait"].contains(&&*name) => {
                (name, text)
            }
            value => (name, value.to_string()),
        });
        Self::new(given.collect(), address, names, Problem::bad_body, example)
    }

    fn new(
        given: Vec<(String, String)>,
        address: Address,
        names: &[&[&str]],
        invalid: fn(String) -> Problem,
        example: &'static str,
    ) -> Result<Self> {
        let parameters = Parameters { given, address, invalid, example };
        for (index, (name, _)) in parameters.given.iter().enumerate() {
            if !names.iter().any(|names| names.contains(&name.as_str())) {
                let names = names.concat().join(", ");
                let text =
                    format!("expected no parameters but {names}, found '{}'", shortened(name));
                return Err(parameters.invalid(&text));
            }
            if parameters.given[..index].iter().any(|(other, _)| other == name) {
                return Err(parameters.invalid(&format!("expected {name} once, found it twice")));
            }
        }
        Ok(parameters)
    }

    fn invalid(&self, detail: &str) -> Problem {
        (self.invalid)(format!("{detail}; for example {}", self.example))
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        Some(&self.given.iter().find(|(given, _)| given == name)?.1)
    }

    pub(crate) fn required(&self, name: &str) -> Result<&str> {
        self.text(name).ok_or_else(|| self.invalid(&format!("expected the parameter {name}")))
    }

    /// The value of a parameter whose type says what is expected.
    pub(crate) fn named<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>> {
        let parsed = self.text(name).map(|text| text.parse()).transpose();
        parsed.map_err(|error: T::Err| self.invalid(&format!("{name}: {error}")))
    }

    /// The value of a parameter, a number or a word.
    pub(crate) fn value<T: FromStr>(
        &self,
        name: &str,
        expected: &str,
        is_valid: impl Fn(&T) -> bool,
    ) -> Result<Option<T>> {
        self.text(name)
            .map(|text| {
                number(text).filter(&is_valid).ok_or_else(|| {
                    self.invalid(&format!(
                        "{name}: expected {expected}, found '{}'",
                        shortened(text)
                    ))
                })
            })
            .transpose()
    }

    /// A request that begins now and waits for all scores. It may lower the limits of the daemon,
    /// not raise them.
    pub(crate) fn request(
        &self,
        daemon: &Arc<Daemon>,
        loaded: Arc<Loaded>,
        position: Position,
    ) -> Result<Request> {
        let least = "a whole number from 1 to 18446744073709551615";
        let nodes = self.value("max_nodes", least, |_| true)?.map(NonZeroU64::get);
        let seconds = self.value("deadline", "a number of seconds above 0", |&seconds: &f64| {
            Duration::try_from_secs_f64(seconds).is_ok_and(|it| !it.is_zero())
        })?;
        let options = &daemon.options;
        let asked = seconds.map(Duration::from_secs_f64);
        Ok(Request {
            daemon: Arc::clone(daemon),
            loaded,
            position,
            address: self.address,
            only_score: false,
            wait: Some(true),
            takes_part: false,
            deadline: Instant::now() + asked.unwrap_or(options.deadline).min(options.deadline),
            max_nodes: [nodes, options.max_nodes].into_iter().flatten().min(),
            turns: None,
        })
    }

    /// The book for the board of the request.
    pub(crate) fn board(&self, daemon: &Arc<Daemon>) -> Result<Arc<Loaded>> {
        daemon.loaded(self.named("size")?)
    }

    /// The request about the position that a parameter names, and the position's text.
    pub(crate) fn position(&self, daemon: &Arc<Daemon>) -> Result<(Request, String)> {
        let notations =
            [("moves", Notation::Moves), ("diagram", Notation::Diagram), ("key", Notation::Key)];
        let mut given =
            notations.iter().filter_map(|&(name, notation)| Some((self.text(name)?, notation)));
        let (Some((text, notation)), None) = (given.next(), given.next()) else {
            return Err(
                self.invalid("expected exactly one of the parameters moves, diagram and key")
            );
        };
        let text = match notation {
            Notation::Diagram if text.trim().is_empty() => {
                return Err(self.invalid("expected a diagram, found nothing"));
            }
            Notation::Key => format!("key:{}", text.trim_start_matches("key:")),
            _ => text.to_owned(),
        };
        self.position_in(daemon, notation, text)
    }

    /// The request about the position of a text.
    pub(crate) fn position_in(
        &self,
        daemon: &Arc<Daemon>,
        notation: Notation,
        text: String,
    ) -> Result<(Request, String)> {
        let loaded = self.board(daemon)?;
        let position = notation.parse(loaded.size(), &text)?;
        Ok((self.request(daemon, loaded, position)?, text))
    }
}
