//! Arbitrary requests for the server.

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Uri};
use fourbook_server::{BookSource, Daemon, ServerOptions, router};
use http_body_util::BodyExt;
use std::sync::{Arc, OnceLock};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// A function under fuzzing, called with the bytes of an input.
pub type Target = fn(&[u8]);

/// All functions, by the names of their targets and of the folders of their seeds.
pub const TARGETS: &[(&str, Target)] = &[("request", request)];

/// Sends a request to the daemon's routes. The first byte chooses the method; the path
/// and the query are the bytes to the first line feed, the body those after it.
pub fn request(bytes: &[u8]) {
    let [method, bytes @ ..] = bytes else { return };
    let (target, body) = match bytes.iter().position(|&byte| byte == b'\n') {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[][..]),
    };
    send(*method == b'P', target, body);
}

/// Nodes for each position, so that an answer takes no time.
const MAX_NODES: u64 = 1000;

/// A daemon in this process.
struct Server {
    runtime: Runtime,
    router: Router,
}

impl Server {
    fn start() -> Self {
        let options = ServerOptions {
            threads: 1,
            max_nodes: Some(MAX_NODES),
            table_bytes: 1 << 20,
            ..ServerOptions::default()
        };
        let daemon = Daemon::new([BookSource::Embedded], options).expect("the embedded book");
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        Server { runtime, router: router(Arc::new(daemon)) }
    }

    /// One daemon for all inputs.
    fn shared() -> &'static Self {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(Server::start)
    }
}

/// Sends a request, if `target` can be one's path and query, and checks the answer.
fn send(post: bool, target: &[u8], body: &[u8]) {
    let Ok(uri) = Uri::try_from(target) else { return };
    let method = if post { Method::POST } else { Method::GET };
    let request = Request::builder().method(method).uri(uri);
    let request = request.header("content-type", "application/json");
    let Ok(request) = request.body(Body::from(body.to_vec())) else { return };
    let server = Server::shared();
    server.runtime.block_on(async {
        let Ok(response) = server.router.clone().oneshot(request).await;
        let status = response.status().as_u16();
        // A panic would be 500; 503 says that a search has run out of nodes.
        assert!(status < 500 || status == 503, "{status}");
        let body = response.into_body().collect().await.expect("a whole body").to_bytes();
        let is_problem = body.starts_with(b"{\"type\":\"urn:fourbook:problem:");
        // An unknown address outside the interface is answered with a page.
        let is_page = status == 404 && body.starts_with(b"<!doctype html>");
        assert_eq!(status >= 400, is_problem || is_page);
    });
}
