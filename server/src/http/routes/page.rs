//! The page, its files, and the description of the interface.

use crate::http::problem::Problem;
use crate::http::response::Validators;
use crate::page::{OPENAPI, PAGE, PageFile, page_file};
use axum::extract::Path;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The page takes everything from this server and nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// What clients recognise each file by.
static VALIDATORS: LazyLock<BTreeMap<&str, Validators>> = LazyLock::new(|| {
    let validators = |file: &PageFile| {
        let checksum = crc32fast::hash(file.content);
        Validators::new("file", env!("CARGO_PKG_VERSION"), checksum.into())
    };
    PAGE.iter().chain([&OPENAPI]).map(|file| (file.path, validators(file))).collect()
});

pub(super) async fn index(headers: HeaderMap) -> Result<Response, Problem> {
    named("index.html", &headers)
}

pub(super) async fn api(headers: HeaderMap) -> Result<Response, Problem> {
    named("api.html", &headers)
}

pub(super) async fn script(
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    named(&format!("script/{name}"), &headers)
}

pub(super) async fn style(
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    named(&format!("style/{name}"), &headers)
}

pub(super) async fn app(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    named(&format!("app/{name}"), &headers)
}

pub(super) async fn openapi(headers: HeaderMap) -> Response {
    answer(&OPENAPI, &headers)
}

fn named(path: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let file = page_file(path)
        .ok_or_else(|| Problem::not_found("the page has no such file; / is the page"))?;
    Ok(answer(file, headers))
}

fn answer(file: &PageFile, headers: &HeaderMap) -> Response {
    let validators = VALIDATORS[file.path].clone();
    if validators.match_request(headers) {
        return validators.not_modified();
    }
    let mut response = ([(CONTENT_TYPE, file.content_type())], file.content).into_response();
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
