//! A daemon in this process and its answers.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use fourbook::book::{BookContents, Encoding, PlyScores, Provenance, encode};
use fourbook::{Size, ValueKind};
use fourbook_server::{BookSource, Daemon, ServerOptions, router};
use http_body_util::BodyExt;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tower::ServiceExt;

/// Longer than any step here takes, however busy the machine is.
pub(crate) const FOREVER: Duration = Duration::from_secs(600);

/// Options of a server that never gives up.
pub(crate) const PATIENT: ServerOptions = ServerOptions {
    threads: 2,
    queue: 64,
    deadline: FOREVER,
    max_nodes: None,
    table_bytes: 1 << 20,
    default_size: None,
    sizes: Vec::new(),
    strategies: Vec::new(),
    request_timeout: FOREVER,
    cors: Vec::new(),
    connections: 512,
    trust_proxy: false,
    idle_timeout: FOREVER,
    grace: FOREVER,
    lost_log_lines: || 0,
};

pub(crate) struct Server {
    pub(crate) daemon: Arc<Daemon>,
    pub(crate) router: Router,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.daemon.stop();
    }
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a JSON body")
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("plain text"))
    }

    /// Checks that this is a problem of a kind and returns it.
    pub(crate) fn problem(&self, status: u16, kind: &str) -> Value {
        assert_eq!(self.status, status, "{:?}", String::from_utf8_lossy(&self.body));
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["type"], format!("urn:fourbook:problem:{kind}"));
        assert_eq!(problem["status"], status);
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
        problem
    }
}

/// A daemon over the embedded book.
pub(crate) fn with_book() -> Server {
    start([BookSource::Embedded], PATIENT)
}

/// A daemon without a book and one solver thread, which cannot solve the first moves
/// in the time it has.
pub(crate) fn solver_only(deadline: Duration, queue: usize) -> Server {
    let options = ServerOptions { threads: 1, queue, deadline, ..PATIENT };
    without_book("7x6", options)
}

/// A daemon without a book, for a board whose first plies are not solved while a test runs.
pub(crate) fn endless_work(threads: usize, queue: usize) -> Server {
    let options = ServerOptions { threads, queue, ..PATIENT };
    without_book("8x8", options)
}

pub(crate) fn without_book(size: &str, options: ServerOptions) -> Server {
    let default_size = Some(size.parse().expect("a size"));
    start([], ServerOptions { default_size, ..options })
}

pub(crate) fn start(sources: impl Into<Vec<BookSource>>, options: ServerOptions) -> Server {
    let daemon = Arc::new(Daemon::new(sources, options).expect("a daemon"));
    let router = router(Arc::clone(&daemon));
    Server { daemon, router }
}

impl Server {
    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.expect("an answer");
        let (parts, body) = response.into_parts();
        let body = body.collect().await.expect("a body").to_bytes().to_vec();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) async fn get(&self, uri: &str) -> Reply {
        self.get_with(uri, &[]).await
    }

    pub(crate) async fn get_with(&self, uri: &str, headers: &[(&str, &str)]) -> Reply {
        let mut request = Request::get(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).expect("a request")).await
    }

    pub(crate) async fn post(&self, body: impl Into<Body>) -> Reply {
        self.post_to("/v1/positions", body).await
    }

    /// Posts a body of JSON.
    pub(crate) async fn post_to(&self, path: &str, body: impl Into<Body>) -> Reply {
        let request = Request::post(path).header("content-type", "application/json");
        self.send(request.body(body.into()).expect("a request")).await
    }

    /// All metrics.
    pub(crate) async fn metrics(&self) -> String {
        String::from_utf8(self.get("/metrics").await.body).expect("text")
    }

    /// The value of a metric without labels, or with these ones.
    pub(crate) async fn metric(&self, name: &str) -> u64 {
        let text = self.metrics().await;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().expect("a number")
    }

    /// Waits until a metric has a value.
    pub(crate) async fn wait_for(&self, name: &str, value: u64) {
        while self.metric(name).await != value {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// A book of depth 0, with a score for the empty board and a note to recognise it by.
pub(crate) fn book(size: &str, note: &str) -> Vec<u8> {
    let contents = BookContents {
        size: size.parse::<Size>().expect("a size"),
        kind: ValueKind::Scores,
        encoding: Encoding::Flat,
        plies: vec![PlyScores::new(0, vec![encode(0)])],
        provenance: Provenance::new(ValueKind::Scores, note),
        memory: None,
    };
    contents.to_bytes().expect("a book")
}

/// A file of the repository.
macro_rules! repository {
    ($path:literal) => {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../", $path)
    };
}
pub(crate) use repository;
