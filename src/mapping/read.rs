//! A file mapped to be read.

#![allow(unsafe_code)]

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::path::Path;

/// The contents of a file, mapped into memory to be read.
///
/// # Contract
///
/// Nobody changes or truncates the file in place while it is mapped. Programs that write new
/// contents write them beside the file and rename them over it, as this library does: then a live
/// map keeps showing the old contents.
///
/// The operating system does not enforce this. If the file is truncated while it is mapped, reading
/// the lost part ends the program with a bus error.
#[derive(Debug)]
pub struct ReadMap(Mmap);

impl ReadMap {
    /// Maps the file at `path`; an empty file gives no bytes.
    ///
    /// # Errors
    ///
    /// If there is no regular file that can be read and mapped.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        // SAFETY: the map is only ever read. The contract above, which every
        // writer in this crate keeps, is that the file under a live map does
        // not change, so the bytes lent out do not either.
        let map = unsafe { Mmap::map(&file)? };
        Ok(ReadMap(map))
    }
}

impl AsRef<[u8]> for ReadMap {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_replaced_by_rename_leaves_its_map_alone() {
        let directory = tempfile::tempdir().unwrap();
        let (path, new) = (directory.path().join("book"), directory.path().join("new"));
        std::fs::write(&path, b"old").unwrap();
        let map = ReadMap::open(&path).unwrap();
        std::fs::write(&new, b"").unwrap();
        std::fs::rename(&new, &path).unwrap();
        assert_eq!(map.as_ref(), b"old");
        assert_eq!(ReadMap::open(&path).unwrap().as_ref(), b"");
    }

    #[test]
    fn a_directory_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        assert!(ReadMap::open(directory.path()).is_err());
    }
}
