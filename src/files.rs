//! What is common to all that is written to the disk to stay there.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file that appears under its name only when it is whole and on the
/// disk: it is written beside and renamed. A file that was there before is
/// replaced; who has it mapped keeps the old one.
///
/// # Errors
///
/// If `write` fails, or the file cannot be made, written or renamed.
pub(crate) fn replace<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let folder = folder_of(path);
    let mut file = BufWriter::new(create_in(folder)?);
    let result = write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)?;
    Ok(result)
}

/// A new file in a folder, deleted unless it is given its name.
fn create_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fourbook-").suffix(".tmp");
    #[cfg(unix)]
    {
        // Temporary files are private; what is written is to be as any other new file.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// The folder that the file or folder at `path` is a name in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Waits until the names in a folder are on the disk: a new or renamed file is
/// there after a power loss only if its name is.
///
/// # Errors
///
/// If the folder cannot be opened or written.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Windows neither needs nor allows it.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_finished_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        replace(&path, |out| out.write_all(b"old")).unwrap();
        let fails = |out: &mut dyn Write| {
            out.write_all(b"new")?;
            Err::<(), _>(io::Error::other("no more"))
        };
        assert_eq!(replace(&path, fails).unwrap_err().to_string(), "no more");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        replace(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing lies beside it");
    }

    #[test]
    fn a_name_without_a_folder_is_one_in_the_current_folder() {
        assert_eq!(folder_of(Path::new("7x6.book")), Path::new("."));
        assert_eq!(folder_of(Path::new("books/7x6.book")), Path::new("books"));
        assert_eq!(folder_of(Path::new("/7x6.book")), Path::new("/"));
        sync_folder(folder_of(Path::new("7x6.book"))).unwrap();
    }
}
