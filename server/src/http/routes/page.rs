//! The page, its files, and the description of the interface.

use crate::http::response::{NO_STORE, Validators};
use crate::page::bundle::{Bundle, Host, file_list};
use crate::page::{OPENAPI, PageFile};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The policy of documents: the page takes everything from this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self'; img-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// The policy of pictures, which are documents where they are opened by themselves.
const NOTHING: &str = "default-src 'none'";

/// The page, its scripts joined.
static BUNDLE: LazyLock<Bundle> = LazyLock::new(|| Bundle::new(&Host::Server));

/// Files by their paths, with their entity tags.
static FILES: LazyLock<BTreeMap<&str, (PageFile, Validators)>> = LazyLock::new(|| {
    let list = file_list(BUNDLE.version, &BUNDLE.kept());
    let list = PageFile { path: "files.js", content: list.leak().as_bytes() };
    let mut files = BTreeMap::new();
    for file in BUNDLE.files.iter().copied().chain([OPENAPI, list]) {
        let checksum = crc32fast::hash(file.content);
        let validators = Validators::new("file", env!("CARGO_PKG_VERSION"), checksum.into());
        files.insert(file.path, (file, validators));
    }
    files
});

/// The `Cache-Control` of an address that names the version of the page.
const FOREVER: &str = "public, max-age=31536000, immutable";
/// The `Cache-Control` of icons.
const DAY: &str = "public, max-age=86400";
/// The `Cache-Control` of other files: a new version of the program has a new page, so clients must
/// revalidate each time.
const REVALIDATE: &str = "no-cache";

/// Answers an unknown path. A proxy may serve the page below a prefix, so links are relative to the path.
pub(super) fn missing(path: &str) -> Response {
    let folders = path.matches('/').count().saturating_sub(1);
    let root = if folders == 0 { "./".to_owned() } else { "../".repeat(folders) };
    let text = include_str!("missing.html").replace("ROOT", &root);
    let page = content_of("text/html; charset=utf-8", text);
    (StatusCode::NOT_FOUND, [(CACHE_CONTROL, NO_STORE)], page).into_response()
}

pub(super) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path() {
        "/" => "index.html",
        "/api" => "api.html",
        path => &path[1..],
    };
    // A script of another version would be a part of another page.
    let plain = path.replacen(&format!(".{}.", BUNDLE.version), ".", 1);
    let Some((file, validators)) = FILES.get(&*plain) else {
        return missing(uri.path());
    };
    let validators = validators.clone();
    let response = if validators.match_request(&headers) {
        validators.not_modified()
    } else {
        validators.on(content_of(file.content_type(), file.content))
    };
    let keep = if plain != path {
        FOREVER
    } else if path.starts_with("app/") {
        DAY
    } else {
        REVALIDATE
    };
    ([(CACHE_CONTROL, keep)], response).into_response()
}

/// A file of the page, whole.
fn content_of(content_type: &'static str, content: impl IntoResponse) -> Response {
    let headers = [(CONTENT_TYPE, content_type), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    let response = (headers, content);
    // Scripts and styles load by the policy of the document that they are in.
    let policy = match content_type.split(';').next() {
        Some("text/javascript" | "text/css") => return response.into_response(),
        Some("text/html") => POLICY,
        _ => NOTHING,
    };
    let headers = [(CONTENT_SECURITY_POLICY, policy), (REFERRER_POLICY, "no-referrer")];
    (headers, response).into_response()
}
