//! Notices when the files of books and strategies change.

use super::RELOAD;
use fourbook::book::book_files;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::spawn_blocking;

/// Time between two checks. A changed file is read once it is the same in two checks.
const PAUSE: Duration = Duration::from_millis(500);

/// The files of a path, with their versions.
pub(super) type Version = Vec<(PathBuf, FileVersion)>;

/// Asks for a reload whenever `files` or folders have changed and are no longer changing. `read`
/// are the versions that are in use.
pub(super) async fn watch(files: Arc<[PathBuf]>, mut read: Vec<Version>) {
    let mut last = read.clone();
    loop {
        tokio::time::sleep(PAUSE).await;
        let files = Arc::clone(&files);
        // A file that is missing may be about to be replaced.
        let Ok(Some(now)) = spawn_blocking(move || versions(&files)).await else { continue };
        if now == last && now != read {
            read.clone_from(&now);
            RELOAD.notify_one();
        }
        last = now;
    }
}

/// The versions of all files; `None` if one is missing.
pub(super) fn versions(files: &[PathBuf]) -> Option<Vec<Version>> {
    files.iter().map(|path| version(path)).collect()
}

/// The version of a file, or of all books of a folder.
fn version(path: &Path) -> Option<Version> {
    let file = |path: &Path| Some((path.to_owned(), file_version(path).ok()?));
    if path.is_dir() {
        // A link in a folder may lead nowhere.
        Some(book_files(path).ok()?.iter().filter_map(|path| file(path)).collect())
    } else {
        Some(vec![file(path)?])
    }
}

/// Identifies a file and its contents, to notice a change without reading them.
///
/// On Unix, it is the device, the inode, the time of the last change of either (which no program
/// can set) and the length. On other systems, it is the path, the length, and the times of creation
/// and of the last write.
#[cfg(unix)]
type FileVersion = (u64, u64, i64, i64, u64);
#[cfg(not(unix))]
type FileVersion = (PathBuf, u64, std::time::SystemTime, Option<std::time::SystemTime>);

/// Returns the version of the file at `path`; links are followed.
#[cfg(unix)]
fn file_version(path: &Path) -> io::Result<FileVersion> {
    use std::os::unix::fs::MetadataExt;
    let it = path.metadata()?;
    Ok((it.dev(), it.ino(), it.ctime(), it.ctime_nsec(), it.len()))
}

#[cfg(not(unix))]
fn file_version(path: &Path) -> io::Result<FileVersion> {
    let it = path.metadata()?;
    Ok((path.canonicalize()?, it.len(), it.modified()?, it.created().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Archives and image layers give all files one time.
    #[test]
    fn a_file_of_equal_length_and_time_is_another_version() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let write = |name: &str, bytes: &str| {
            std::fs::write(place(name), bytes).unwrap();
            let file = std::fs::File::options().write(true).open(place(name)).unwrap();
            let time = std::time::SystemTime::UNIX_EPOCH;
            let times = std::fs::FileTimes::new().set_modified(time);
            #[cfg(windows)]
            let times = std::os::windows::fs::FileTimesExt::set_created(times, time);
            file.set_times(times).unwrap();
        };
        write("book", "old");
        let before = file_version(&place("book")).unwrap();
        assert_eq!(file_version(&place("book")).unwrap(), before);
        write("new", "new");
        std::fs::rename(place("new"), place("book")).unwrap();
        let after = file_version(&place("book")).unwrap();
        assert_eq!(after != before, cfg!(unix), "other systems have only times");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(place("book"), place("link")).unwrap();
            assert_eq!(file_version(&place("link")).unwrap(), after);
        }
        std::fs::remove_file(place("book")).unwrap();
        assert!(file_version(&place("book")).is_err());
    }
}
