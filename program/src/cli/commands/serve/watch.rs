//! `fourbook serve --watch`: looks at the files of books again and again.

use crate::cli::args::BookArgs;
use fourbook::book::book_files;
use fourbook::files::FileVersion;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::spawn_blocking;

/// Time between two checks. A changed file is read once it is the same in two checks.
const PAUSE: Duration = Duration::from_millis(500);

/// The files of a path, with their versions.
pub(super) type Version = Vec<(PathBuf, FileVersion)>;

/// Notifies whenever the files of books have changed and are no longer changing. `read` are the
/// versions that are in use.
pub(super) async fn watch(books: Arc<BookArgs>, mut read: Vec<Version>, changed: &Notify) {
    let mut last = read.clone();
    loop {
        tokio::time::sleep(PAUSE).await;
        let books = Arc::clone(&books);
        let look = move || versions(&books);
        // A file that is missing may be about to be replaced.
        let Ok(Some(now)) = spawn_blocking(look).await else { continue };
        if now == last && now != read {
            read.clone_from(&now);
            changed.notify_one();
        }
        last = now;
    }
}

/// The versions of all books; `None` if one is missing.
pub(super) fn versions(books: &BookArgs) -> Option<Vec<Version>> {
    books.paths().map(version).collect()
}

/// The version of a file, or of all books of a folder.
fn version(path: &Path) -> Option<Version> {
    if !path.is_dir() {
        return Some(vec![file_version(path)?]);
    }
    // A link in a folder may lead nowhere.
    Some(book_files(path).ok()?.iter().filter_map(|path| file_version(path)).collect())
}

fn file_version(path: &Path) -> Option<(PathBuf, FileVersion)> {
    Some((path.to_owned(), FileVersion::of(path).ok()?))
}
