//! A file mapped to be read.

#![allow(unsafe_code)]

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;

/// Maps the file at `path` into memory to read it; an empty file gives no bytes.
///
/// # Contract
///
/// Nobody changes or truncates the file in place while it is mapped. Programs that write new
/// contents write them beside the file and rename them over it, as this library does: then a live
/// map keeps showing the old contents.
///
/// The operating system does not enforce this. If the file is truncated while it is mapped, reading
/// the lost part ends the program with a bus error.
///
/// # Errors
///
/// If there is no regular file that can be read and mapped.
pub fn map_to_read(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    // SAFETY: the map is only ever read. The contract above, which every
    // writer in this crate keeps, is that the file under a live map does
    // not change, so the bytes lent out do not either.
    unsafe { Mmap::map(&file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_replaced_by_rename_leaves_its_map_alone() {
        let directory = tempfile::tempdir().unwrap();
        let (path, new) = (directory.path().join("book"), directory.path().join("new"));
        std::fs::write(&path, b"old").unwrap();
        let map = map_to_read(&path).unwrap();
        std::fs::write(&new, b"").unwrap();
        std::fs::rename(&new, &path).unwrap();
        assert_eq!(map.as_ref(), b"old");
        assert_eq!(&*map_to_read(&path).unwrap(), b"");
    }

    #[test]
    fn a_directory_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        assert!(map_to_read(directory.path()).is_err());
    }
}
