//! Addresses of files in object stores.

use crate::cli::error::{Error, Result};
use std::path::{Path, PathBuf};

/// The beginnings of addresses in object stores, each with its service.
const SCHEMES: [(&str, Service); 3] =
    [("s3", Service::Amazon), ("gs", Service::Google), ("az", Service::Azure)];

/// A kind of object store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Service {
    Amazon,
    Google,
    Azure,
}

/// An address in an object store, such as `s3://bucket/prefix`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) service: Service,
    pub(crate) bucket: String,
    /// Names in the bucket begin with it; not with a slash at either end.
    pub(crate) key: String,
    /// The whole address, without a slash at the end.
    pub(crate) text: PathBuf,
}

impl Address {
    /// Returns the address of a place to read or write, if the path is one. Fails without the
    /// `object-store` feature.
    pub(crate) fn of_place(path: &Path) -> Result<Option<Self>> {
        let address = Self::of(path)?;
        #[cfg(not(feature = "object-store"))]
        if let Some(Address { text, .. }) = &address {
            return Err(Error::usage(format!(
                "'{}' is in an object store, and this program was built without them: build it with 'cargo install --path program --features object-store', or name a file or folder",
                text.display()
            )));
        }
        Ok(address)
    }

    /// Returns the address, if the path is one: if it begins with `s3://`, for example.
    pub(crate) fn of(path: &Path) -> Result<Option<Self>> {
        let Some((scheme, rest)) = path.to_str().and_then(|text| text.split_once("://")) else {
            return Ok(None);
        };
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        if scheme.is_empty() || !scheme.bytes().all(is_letter) {
            return Ok(None);
        }
        let wrong = |problem: &str| {
            Error::usage(format!(
                "'{}' {problem}: expected s3://BUCKET/PATH, gs://BUCKET/PATH or az://CONTAINER/PATH; a file or folder of that name is './{0}'",
                path.display()
            ))
        };
        let service = SCHEMES.iter().find(|(known, _)| *known == scheme);
        let (_, service) = service
            .ok_or_else(|| wrong(&format!("is at no store that this program knows ({scheme})")))?;
        let rest = rest.trim_end_matches('/');
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(wrong("names no bucket"));
        }
        if key.split('/').any(|name| matches!(name, "." | "..")) || key.contains("//") {
            return Err(wrong("has a part that is no name ('.', '..' or nothing)"));
        }
        Ok(Some(Address {
            service: *service,
            bucket: bucket.to_owned(),
            key: key.to_owned(),
            text: format!("{scheme}://{rest}").into(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Option<Address> {
        Address::of(Path::new(text)).unwrap()
    }

    #[test]
    fn an_address_has_a_bucket_and_perhaps_a_key() {
        for (text, bucket, key) in [
            ("s3://games", "games", ""),
            ("gs://games/", "games", ""),
            ("az://games/parts", "games", "parts"),
            ("s3://games/my/parts//", "games", "my/parts"),
        ] {
            let address = address(text).unwrap();
            assert_eq!((address.bucket.as_str(), address.key.as_str()), (bucket, key), "{text}");
            assert_eq!(address.text, Path::new(text.trim_end_matches('/')));
        }
    }

    #[test]
    fn paths_are_no_addresses() {
        for text in ["parts", "/my/parts", "./s3://x", "s3:/x", "C:\\x", "my parts://x", "://x"] {
            assert_eq!(address(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said() {
        for (text, expected) in [
            ("ftp://games/parts", "no store that this program knows (ftp)"),
            ("https://games", "expected s3://BUCKET/PATH, gs://BUCKET/PATH or az://CONTAINER/PATH"),
            ("s3://", "'s3://' names no bucket"),
            ("s3:///parts", "names no bucket"),
            ("s3://games/../x", "no name"),
            ("s3://games/a//x", "no name"),
        ] {
            let error = Address::of(Path::new(text)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
