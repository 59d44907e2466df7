//! Writing files that have to survive.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// Writes a file that appears under its name only when it is whole and on the
/// disk: it is written beside and renamed. An older file of that name is
/// replaced, and its permissions are kept; a process that has it mapped keeps the old one. Of a
/// symbolic link, the file it leads to is written. Files that killed processes left unfinished in the
/// folder are deleted.
///
/// # Errors
///
/// If `write` fails, the file cannot be made, written or renamed, or what has its name is
/// no file, but a device, say.
pub fn replace<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    write_whole(path, true, write)
}

/// As [`replace`], but unless it `may_replace` an older file, a file of that name is an error once the new
/// one is whole.
///
/// # Errors
///
/// As [`replace`], and if there is an older file that may not be replaced.
pub fn write_whole<T, E: From<io::Error>>(
    path: &Path,
    may_replace: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    if is_other(path) {
        return Err(
            io::Error::other("expected the name of a file, found something else there").into()
        );
    }
    let path = &target_of(path);
    let folder = folder_of(path);
    remove_abandoned(folder);
    let (file, _unfinished) = Unfinished::create_in(folder)?;
    if let Ok(replaced) = path.metadata() {
        // Where a mode cannot be kept, there is none.
        let _ = file.as_file().set_permissions(replaced.permissions());
    }
    let mut file = BufWriter::new(file);
    let result = write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    name(file, path, may_replace)?;
    sync_folder(folder)?;
    Ok(result)
}

/// Gives a finished file its name.
fn name(file: NamedTempFile, path: &Path, may_replace: bool) -> io::Result<()> {
    if !may_replace {
        match file.persist_noclobber(path) {
            Ok(_) => return Ok(()),
            // Some file systems cannot name a file on condition that the name is free.
            Err(error) if path.symlink_metadata().is_err() => return persist(error.file, path),
            Err(_) => {
                let text = "another file of this name was made meanwhile; it stays as it is";
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
            }
        }
    }
    persist(file, path)
}

fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Returns the path that symbolic links at `path` lead to, whether there is a file or not.
pub fn target_of(path: &Path) -> PathBuf {
    /// As many links as systems follow.
    const MOST_LINKS: usize = 40;
    let links = std::iter::successors(Some(path.to_owned()), |path: &PathBuf| {
        Some(folder_of(path).join(path.read_link().ok()?))
    });
    links.take(MOST_LINKS).last().expect("there is the path itself")
}

/// Whether `path` has something else than a file: a folder, a device, a pipe or a circle of links.
pub fn is_other(path: &Path) -> bool {
    path.metadata().is_ok_and(|there| !there.is_file()) || target_of(path).is_symlink()
}

/// Deletes the files that [`replace`] has not given their names yet, in all threads:
/// for a program that exits right after this, on a signal. From now on, `replace` makes none.
pub fn remove_unfinished() {
    let paths = unfinished();
    for path in paths.iter() {
        // A file that is gone has just been renamed.
        let _ = std::fs::remove_file(path);
    }
    // Another thread that makes or renames a file waits for the end of the program.
    std::mem::forget(paths);
}

/// The beginning and the end of the names of unfinished files.
const PREFIX: &str = ".fourbook-";
const SUFFIX: &str = ".tmp";

/// Deletes the unfinished files in a folder that no process is writing: a writer has locked its file.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if name.starts_with(PREFIX.as_bytes())
            && name.ends_with(SUFFIX.as_bytes())
            // Opening a pipe would wait.
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::options().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// A file that this process alone uses until this is dropped.
///
/// Closing the file would not be enough: where this process is just starting another program, that has
/// a copy of the open file for a moment, and the lock with it.
#[derive(Debug)]
pub(crate) struct LockedFile(File);

impl LockedFile {
    /// Locks the file at `path`; `None` if another process has locked it. Where a file system has no
    /// locks, as some clusters', that is a warning only.
    pub(crate) fn new(file: File, path: &Path) -> Option<Self> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return None,
            Err(TryLockError::Error(error)) => tracing::warn!(
                "cannot lock '{}': {error}; make sure that no other run uses it",
                path.display()
            ),
            Ok(()) => {}
        }
        Some(LockedFile(file))
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // The last copy that is closed frees it at any rate.
        let _ = self.0.unlock();
    }
}

/// A file that has not got its name yet, as long as this lives.
struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes a file in a folder, which is deleted unless it is given its name.
    fn create_in(folder: &Path) -> io::Result<(NamedTempFile, Self)> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        {
            // Temporary files are private; the finished one gets the usual permissions.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        // A signal finds every file that is there, so the list is locked first.
        let mut paths = unfinished();
        loop {
            let file = builder.tempfile_in(folder)?;
            // Another process may take the new file for an abandoned one.
            let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
            if !is_taken && file.path().exists() {
                paths.insert(file.path().to_owned());
                let unfinished = Unfinished(file.path().to_owned());
                return Ok((file, unfinished));
            }
        }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// All files that have not got their names yet.
fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    static PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The parent folder of the file or folder at `path`.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Whether the path ends with the name of a file: `book/` and `book/.` can only be folders.
pub fn names_file(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    path.file_name().is_some_and(|name| bytes.ends_with(name.as_encoded_bytes()))
}

/// Makes sure that files can be written into a folder.
///
/// # Errors
///
/// If not, for whatever reason the system has.
pub fn check_writable(folder: &Path) -> io::Result<()> {
    // The only sure test of whether a file can be written is to write one.
    tempfile::tempfile_in(folder).map(drop)
}

/// Waits until the names in a folder are on the disk: a new or renamed file is
/// there after a power loss only if its name is. Some file systems refuse this (SMB, FUSE), and
/// folders that may be written and not read.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    use io::ErrorKind as Kind;
    // Windows neither requires nor allows this.
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) => match error.kind() {
            Kind::InvalidInput | Kind::Unsupported | Kind::PermissionDenied => Ok(()),
            _ => Err(error),
        },
        synced => synced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_finished_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        replace(&path, |out| out.write_all(b"old")).unwrap();
        assert_eq!(
            replace(&path, |out: &mut dyn Write| {
                out.write_all(b"new")?;
                Err::<(), _>(io::Error::other("no more"))
            })
            .unwrap_err()
            .to_string(),
            "no more"
        );
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        replace(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing lies beside it");
        let error = replace(folder.path(), |out| out.write_all(b"new")).unwrap_err();
        assert!(error.to_string().contains("something else"), "{error}");
    }

    /// As by another process.
    #[test]
    fn a_file_that_comes_meanwhile_is_replaced_only_where_it_may_be() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        let write_beside_other = |may_replace| {
            write_whole(&path, may_replace, |out| {
                std::fs::write(&path, "other")?;
                out.write_all(b"own")
            })
        };
        let error = write_beside_other(false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"other");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing lies beside it");
        write_beside_other(true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"own");
        std::fs::remove_file(&path).unwrap();
        write_whole(&path, false, |out| out.write_all(b"new")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_stays_one_and_its_file_is_written() {
        use std::os::unix::fs::symlink;
        let [place, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let link = place.path().join("link");
        let second = place.path().join("second");
        symlink(other.path().join("book"), &link).unwrap();
        symlink("link", &second).unwrap();
        for text in ["new", "newer"] {
            replace(&second, |out| out.write_all(text.as_bytes())).unwrap();
            assert_eq!(std::fs::read_to_string(other.path().join("book")).unwrap(), text);
        }
        assert!(link.is_symlink() && second.is_symlink());
        assert_eq!(std::fs::read_dir(other.path()).unwrap().count(), 1);
        let circle = place.path().join("circle");
        symlink("circle", &circle).unwrap();
        assert!(replace(&circle, |out| out.write_all(b"new")).is_err() && circle.is_symlink());
    }

    #[test]
    #[cfg(unix)]
    fn a_replaced_file_keeps_its_permissions() {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        replace(&path, |out| out.write_all(b"old")).unwrap();
        for mode in [0o600, 0o664, 0o444] {
            std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            replace(&path, |out| out.write_all(b"new")).unwrap();
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, mode);
        }
    }

    #[test]
    fn only_unfinished_files_that_nobody_writes_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let [abandoned, written, other] =
            [".fourbook-a.tmp", ".fourbook-b.tmp", "fourbook.tmp"].map(path);
        for path in [&abandoned, &written, &other] {
            std::fs::write(path, "unfinished").unwrap();
        }
        // Another process, as far as locks tell.
        let writer = File::open(&written).unwrap();
        writer.lock().unwrap();
        replace(&path("book"), |out| out.write_all(b"new")).unwrap();
        assert_eq!([abandoned, written, other].map(|path| path.exists()), [false, true, true]);
    }

    #[test]
    fn a_file_is_locked_as_long_as_it_is_used() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let open = || File::options().read(true).write(true).open(file.path()).unwrap();
        let handle = open();
        // As a program has that is just being started.
        let _copy = handle.try_clone().unwrap();
        let locked = LockedFile::new(handle, file.path()).unwrap();
        assert!(LockedFile::new(open(), file.path()).is_none());
        drop(locked);
        assert!(LockedFile::new(open(), file.path()).is_some());
    }

    /// The system locks no file that is only known by its name, and syncs no folder of `/proc`.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_system_without_locks_or_synced_folders_is_no_error() {
        use std::os::unix::fs::OpenOptionsExt;
        const O_PATH: i32 = 0o10_000_000;
        let file = tempfile::NamedTempFile::new().unwrap();
        let handle = File::options().read(true).custom_flags(O_PATH).open(file.path()).unwrap();
        assert!(matches!(handle.try_lock(), Err(TryLockError::Error(_))));
        assert!(LockedFile::new(handle, file.path()).is_some());
        assert!(File::open("/proc").unwrap().sync_all().is_err());
        sync_folder(Path::new("/proc")).unwrap();
    }

    #[test]
    fn what_ends_like_a_folder_names_no_file() {
        let names = ["book", "./book", "my/book", "..book", "book."];
        assert!(names.iter().all(|path| names_file(Path::new(path))));
        let others = ["", ".", "..", "/", "book/", "book/.", "book//", "book/..", "my/my/"];
        assert!(!others.iter().any(|path| names_file(Path::new(path))));
    }

    #[test]
    fn a_file_is_unfinished_until_it_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let names = || std::fs::read_dir(folder.path()).unwrap().count();
        let path = folder.path().join("book");
        let result = replace(&path, |out| {
            out.write_all(b"new")?;
            assert_eq!(names(), 1);
            // Other tests write at the same time, so check only this test's file.
            let path = unfinished()
                .iter()
                .find(|path| path.starts_with(folder.path()))
                .cloned()
                .expect("it is not finished");
            std::fs::remove_file(path)
        });
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(names(), 0);
        assert!(!unfinished().iter().any(|path| path.starts_with(folder.path())));
    }

    #[test]
    fn a_name_without_a_folder_is_one_in_the_current_folder() {
        assert_eq!(folder_of(Path::new("7x6.book")), Path::new("."));
        assert_eq!(folder_of(Path::new("books/7x6.book")), Path::new("books"));
        assert_eq!(folder_of(Path::new("/7x6.book")), Path::new("/"));
        sync_folder(folder_of(Path::new("7x6.book"))).unwrap();
    }
}
