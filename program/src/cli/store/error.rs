//! Errors of object stores.

use crate::cli::address::{Address, Service};
use fourbook::with_causes;
use std::io;

/// Why a request to an object store failed.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} '{what}': {problem}")]
pub(crate) struct StoreError {
    /// The request that failed: `list`, `read`, `write` or `remove`.
    action: &'static str,
    /// The address of the object, or of the place.
    what: String,
    /// The store's answer, and what to do next.
    problem: String,
    /// Whether the object is not there, but its bucket is.
    pub(crate) is_missing: bool,
}

/// Parts of errors of a credentials service for programs on a cloud machine, which is not there.
const METADATA: [&str; 4] =
    ["169.254.169.254", "169.254.170.2", "metadata.google.internal", "/latest/api/token"];

/// The answer of the HTTP client for an address without encryption.
const PLAIN: &str = "URL scheme is not allowed";

/// Whether a text has one of these parts.
fn has(text: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| text.contains(part))
}

/// Whether no answer came, by the text of an error with all its causes.
fn is_unreachable(text: &str) -> bool {
    has(text, &["HTTP error", "error sending request"])
        && !has(text, &METADATA)
        && !text.contains(PLAIN)
}

/// Whether a store was reached, but its answer was lost: the request may have had its effect.
pub(crate) fn is_lost(error: &object_store::Error) -> bool {
    let text = with_causes(error);
    // The text of the HTTP client where no connection was made.
    is_unreachable(&text) && !text.contains("(Connect)")
}

impl Service {
    /// The variables with credentials, the one that names another server, and the one that lets it
    /// be asked without encryption.
    const fn variables(self) -> [&'static str; 3] {
        match self {
            Service::Amazon => [
                "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                "AWS_ENDPOINT_URL",
                "AWS_ALLOW_HTTP",
            ],
            Service::Google => [
                "GOOGLE_SERVICE_ACCOUNT (the file of a key)",
                "GOOGLE_BASE_URL",
                "GOOGLE_ALLOW_HTTP",
            ],
            Service::Azure => [
                "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
                "AZURE_STORAGE_ENDPOINT",
                "AZURE_ALLOW_HTTP",
            ],
        }
    }
}

impl StoreError {
    /// An error about the object of this name below an address, or about all of them if the name
    /// is empty.
    pub(crate) fn new(
        action: &'static str,
        address: &Address,
        name: &str,
        error: &object_store::Error,
    ) -> Self {
        let text = with_causes(error);
        let what = address.text.display().to_string();
        StoreError {
            action,
            what: if name.is_empty() { what } else { format!("{what}/{name}") },
            problem: explain(action, address, error, &text),
            is_missing: matches!(error, object_store::Error::NotFound { .. }) && !no_bucket(&text),
        }
    }

    /// Converts the error to that of a file.
    pub(crate) fn into_io(self) -> io::Error {
        let kind = if self.is_missing { io::ErrorKind::NotFound } else { io::ErrorKind::Other };
        io::Error::new(kind, self)
    }
}

/// Whether the store says that there is no bucket.
fn no_bucket(text: &str) -> bool {
    matches!(element(text, "Code"), Some("NoSuchBucket" | "ContainerNotFound"))
}

/// Describes an error, with all its causes as `text`, and what to do next.
fn explain(action: &str, address: &Address, error: &object_store::Error, text: &str) -> String {
    use object_store::Error as E;
    let Address { service, bucket, .. } = address;
    let [credentials, endpoint, allow_http] = service.variables();
    let said = said(text);
    match (element(text, "Code").unwrap_or(""), error) {
        _ if no_bucket(text) => format!(
            "there is no bucket '{bucket}', the store says {said}; make it, or correct the address or {endpoint}"
        ),
        (
            "PermanentRedirect"
            | "AuthorizationHeaderMalformed"
            | "IllegalLocationConstraintException",
            _,
        ) => other_region(bucket, text, &said),
        (
            "AccessDenied"
            | "InvalidAccessKeyId"
            | "SignatureDoesNotMatch"
            | "ExpiredToken"
            | "InvalidToken"
            | "AuthenticationFailed"
            | "AuthorizationFailure"
            | "AuthorizationPermissionMismatch",
            _,
        )
        | (_, E::PermissionDenied { .. } | E::Unauthenticated { .. }) => format!(
            "no access: expected credentials that may {action} it, the store says {said}; set {credentials} to others, or let these do so in the rights of the bucket"
        ),
        (_, E::NotFound { .. }) => format!(
            "there is no such object in the bucket '{bucket}', the store says {said}; correct the address"
        ),
        (_, E::Precondition { .. }) => {
            "it was replaced while it was read; start the same command again".to_owned()
        }
        _ if text.contains(PLAIN) => format!(
            "expected an address with https in {endpoint}, found one with http; set {allow_http}=true if that is meant"
        ),
        _ if text.contains("incorrectly configured region") => other_region(bucket, text, &said),
        _ if text.contains("Account must be specified") || has(text, &METADATA) => format!(
            "no credentials were found, in the environment or from the machine ({said}); set {credentials}"
        ),
        _ if is_unreachable(text) => format!(
            "the store does not answer ({said}); see whether it can be reached from here, and {endpoint} if it is not the usual one; then start the same command again"
        ),
        _ => format!("the store says {said}"),
    }
}

/// Describes that a bucket is in another region than was asked, in one that the store may say.
fn other_region(bucket: &str, text: &str, said: &str) -> String {
    let named = element(text, "Region").or_else(|| {
        let (_, rest) = text.split_once("expecting '")?;
        Some(rest.split_once('\'')?.0)
    });
    let (name, set) = match named {
        Some(region) => (format!(", {region}"), format!("AWS_REGION={region}")),
        None => (String::new(), "AWS_REGION to its region".to_owned()),
    };
    format!("the bucket '{bucket}' is in another region{name}, the store says {said}; set {set}")
}

/// The store's own message, as short as possible.
fn said(text: &str) -> String {
    match (element(text, "Code"), element(text, "Message")) {
        (Some(code), Some(message)) => format!("{code}: {}", message.trim_end_matches('.')),
        (Some(code), None) => code.to_owned(),
        // The innermost cause is the most specific one.
        _ => {
            let short = text.split(" - ").last().unwrap_or(text).trim();
            // Causes repeat the ones behind them.
            let mut parts: Vec<&str> = Vec::new();
            for part in short.split(": ").map(str::trim) {
                let is_empty =
                    part.is_empty() || part == "HTTP error" || part.starts_with("Generic ");
                if !is_empty && !parts.contains(&part) {
                    parts.push(part);
                }
            }
            parts.join(": ")
        }
    }
}

/// The text of an element of XML, which is how the services explain errors.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn error(text: &str) -> String {
        let address = Address::of(Path::new("s3://games/parts")).unwrap().unwrap();
        let error = object_store::Error::Generic { store: "S3", source: text.into() };
        StoreError::new("read", &address, "x.part", &error).to_string()
    }

    #[test]
    fn the_region_that_a_store_names_is_to_be_set() {
        let malformed = "<Error><Code>AuthorizationHeaderMalformed</Code><Message>The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-west-3'</Message><Region>eu-west-3</Region></Error>";
        let text = error(malformed);
        assert!(text.starts_with("cannot read 's3://games/parts/x.part'"), "{text}");
        assert!(text.ends_with("set AWS_REGION=eu-west-3"), "{text}");
        let expecting = malformed.replace("<Region>eu-west-3</Region>", "");
        assert!(error(&expecting).ends_with("set AWS_REGION=eu-west-3"));
        let redirect = "<Error><Code>PermanentRedirect</Code></Error>";
        assert!(error(redirect).ends_with("set AWS_REGION to its region"));
    }

    #[test]
    fn what_causes_repeat_is_told_once() {
        let text = error(
            "Error performing GET http://x in 2s, after 8 retries - HTTP error: error sending request: HTTP error: error sending request: tcp connect error: Connection refused",
        );
        let told = "(error sending request: tcp connect error: Connection refused)";
        assert!(text.contains(&format!("the store does not answer {told}")), "{text}");
        let text = error("HTTP error: builder error: URL scheme is not allowed");
        assert!(text.ends_with("set AWS_ALLOW_HTTP=true if that is meant"), "{text}");
    }

    #[test]
    fn a_bucket_and_access_that_are_missing_are_told_apart() {
        let text =
            error("<Error><Code>NoSuchBucket</Code><Message>It is not there.</Message></Error>");
        assert!(text.contains("no bucket 'games', the store says NoSuchBucket: It is not there;"));
        let text = error("<Error><Code>AccessDenied</Code></Error>");
        assert!(text.contains("no access: expected credentials that may read it"), "{text}");
        let text = error("Error performing PUT http://169.254.169.254/latest/api/token in 8s");
        assert!(text.contains("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"), "{text}");
    }
}
