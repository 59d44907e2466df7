//! The page to play on, and the description of the interface.

use super::validators::Validators;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};

const INDEX: &str = include_str!("../page/index.html");
const STYLE: &str = include_str!("../page/page.css");
const SCRIPT: &str = include_str!("../page/page.js");
const OPENAPI: &str = include_str!("../openapi.json");

/// The page takes everything from this server and nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) async fn index(headers: HeaderMap) -> Response {
    file(&headers, INDEX, "text/html; charset=utf-8")
}

pub(super) async fn style(headers: HeaderMap) -> Response {
    file(&headers, STYLE, "text/css; charset=utf-8")
}

pub(super) async fn script(headers: HeaderMap) -> Response {
    file(&headers, SCRIPT, "text/javascript; charset=utf-8")
}

pub(super) async fn openapi(headers: HeaderMap) -> Response {
    file(&headers, OPENAPI, "application/json")
}

fn file(headers: &HeaderMap, text: &'static str, kind: &'static str) -> Response {
    let checksum = crc32fast::hash(text.as_bytes());
    let validators = Validators::new("file", env!("CARGO_PKG_VERSION"), checksum.into());
    if validators.match_request(headers) {
        return validators.not_modified();
    }
    let mut response = ([(CONTENT_TYPE, kind)], text).into_response();
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
