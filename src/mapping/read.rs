//! A file mapped to be read.

#![allow(unsafe_code)]

use memmap2::{Mmap, MmapMut};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Maps the file at `path` into memory to read it; an empty file gives no bytes. A pipe, or the
/// like, is read to its end.
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
/// If there is nothing that can be read, or no memory for it.
pub fn map_to_read(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return map_all_of(file);
    }
    // SAFETY: the map is only ever read. The contract above, which every
    // writer in this crate keeps, is that the file under a live map does
    // not change, so the bytes lent out do not either.
    unsafe { Mmap::map(&file) }
}

/// Reads a stream to its end, into memory.
///
/// # Errors
///
/// If it cannot be read, or there is no memory for it.
pub fn map_all_of(mut stream: impl Read) -> io::Result<Mmap> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let mut map = MmapMut::map_anon(bytes.len())?;
    map.copy_from_slice(&bytes);
    map.make_read_only()
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
    fn a_stream_is_read_to_its_end() {
        let bytes = b"all of it".repeat(10_000);
        assert_eq!(&*map_all_of(&bytes[..]).unwrap(), bytes);
        assert_eq!(&*map_all_of(&b""[..]).unwrap(), b"");
    }

    #[test]
    fn a_directory_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        assert!(map_to_read(directory.path()).is_err());
    }
}
