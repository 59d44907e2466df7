//! A book in an object store: fetched once, and again when there is another version.

use super::cache;
use super::{Object, Store, Version};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output::{self, OnStderr};
use fourbook::Book;
use indicatif::HumanBytes;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The version of a fetched book, in a file beside it.
#[derive(Debug, Serialize, Deserialize)]
struct Fetched {
    #[serde(flatten)]
    version: Version,
    /// The identity of the book that this record is about.
    identity: u32,
}

/// Returns the file of the book at the store's address. A new version is fetched, checked in
/// full, and then renamed over the old one, which stays valid for readers that have it open.
pub(crate) fn fetch(store: &Store, quiet: bool) -> Result<PathBuf> {
    let address = &store.address;
    if address.key.is_empty() {
        return Err(Error::new(format!(
            "'{}' is a bucket, not a book: expected s3://BUCKET/BOOK, say",
            address.text.display()
        )));
    }
    let path = cache::path("books", &address.text)?;
    cache::create_folder(&path)?;
    // A second caller finds the file that the first has fetched.
    let lock = beside(&path, ".lock");
    let lock = File::create(&lock).with_context(|| format!("cannot write '{}'", lock.display()))?;
    lock.lock().with_context(|| "cannot wait for another program that fetches the book")?;
    let there = read(&path);
    let tag = there.as_ref().and_then(|fetched| fetched.version.tag.as_deref());
    let object = store.object("", tag)?;
    let Some(object) = object.filter(|it| there.is_none_or(|there| there.version != it.version))
    else {
        return Ok(path);
    };
    let incoming = beside(&path, ".incoming");
    let identity = copy(&object, &incoming, &address.text, quiet).inspect_err(|_| {
        let _ = fs::remove_file(&incoming);
    })?;
    fs::rename(&incoming, &path).with_context(|| format!("cannot write '{}'", path.display()))?;
    let json = serde_json::to_vec(&Fetched { version: object.version, identity })?;
    output::write_results(&beside(&path, ".version"), &json)?;
    tracing::info!("fetched '{}' into '{}'", address.text.display(), path.display());
    Ok(path)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The record of the file at `path`, if the file is still the fetched one.
fn read(path: &Path) -> Option<Fetched> {
    let fetched: Fetched =
        serde_json::from_slice(&fs::read(beside(path, ".version")).ok()?).ok()?;
    let book = Book::open(path).ok()?;
    (book.identity() == fetched.identity && book.length() == fetched.version.bytes)
        .then_some(fetched)
}

/// Copies an object to a file and checks that it is a book, as it was written; returns the
/// book's identity.
fn copy(object: &Object, to: &Path, address: &Path, quiet: bool) -> Result<u32> {
    let cannot_write = || format!("cannot write '{}'", to.display());
    let length = object.version.bytes;
    tracing::info!("fetching '{}', {}", address.display(), HumanBytes(length));
    let progress = OnStderr::new(quiet);
    progress.start(&format!("fetching {}", address.display()), length);
    let mut file = File::create(to).with_context(cannot_write)?;
    let mut copied = 0;
    while copied < length {
        let block = object.block(copied..length)?;
        file.write_all(&block).with_context(cannot_write)?;
        copied += block.len() as u64;
        progress.set(copied);
    }
    file.sync_all().with_context(cannot_write)?;
    drop(progress);
    let no_book = || format!("'{}' cannot be used as a book", address.display());
    let book = Book::open(to).with_context(no_book)?;
    book.check_sections().with_context(no_book)?;
    Ok(book.identity())
}
