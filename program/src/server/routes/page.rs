//! The page to play on, and the description of the interface.

use super::validators::Validators;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use std::sync::OnceLock;

static INDEX: File = File::new(include_str!("../page/index.html"), "text/html; charset=utf-8");
static STYLE: File = File::new(include_str!("../page/page.css"), "text/css; charset=utf-8");
static SCRIPT: File = File::new(include_str!("../page/page.js"), "text/javascript; charset=utf-8");
static OPENAPI: File = File::new(include_str!("../openapi.json"), "application/json");

/// The page takes everything from this server and nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) async fn index(headers: HeaderMap) -> Response {
    INDEX.answer(&headers)
}

pub(super) async fn style(headers: HeaderMap) -> Response {
    STYLE.answer(&headers)
}

pub(super) async fn script(headers: HeaderMap) -> Response {
    SCRIPT.answer(&headers)
}

pub(super) async fn openapi(headers: HeaderMap) -> Response {
    OPENAPI.answer(&headers)
}

/// A text of this program.
struct File {
    text: &'static str,
    content_type: &'static str,
    /// Made when the file is first asked for.
    validators: OnceLock<Validators>,
}

impl File {
    const fn new(text: &'static str, content_type: &'static str) -> Self {
        File { text, content_type, validators: OnceLock::new() }
    }

    fn answer(&self, headers: &HeaderMap) -> Response {
        let validators = self.validators.get_or_init(|| {
            let checksum = crc32fast::hash(self.text.as_bytes());
            Validators::new("file", env!("CARGO_PKG_VERSION"), checksum.into())
        });
        let validators = validators.clone();
        if validators.match_request(headers) {
            return validators.not_modified();
        }
        let mut response = ([(CONTENT_TYPE, self.content_type)], self.text).into_response();
        for (name, value) in [
            (CONTENT_SECURITY_POLICY, POLICY),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (REFERRER_POLICY, "no-referrer"),
        ] {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        let mut response = validators.on(response);
        // A new version of the program has a new page: ask each time.
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        response
    }
}
