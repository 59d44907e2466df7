//! What is common to all that is written to the disk to stay there.

use std::fs::File;
use std::io;
use std::path::Path;

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
    fn a_name_without_a_folder_is_one_in_the_current_folder() {
        assert_eq!(folder_of(Path::new("7x6.book")), Path::new("."));
        assert_eq!(folder_of(Path::new("books/7x6.book")), Path::new("books"));
        assert_eq!(folder_of(Path::new("/7x6.book")), Path::new("/"));
        sync_folder(folder_of(Path::new("7x6.book"))).unwrap();
    }
}
