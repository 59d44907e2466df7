//! The file of a book.

use std::fs::File;
use std::io;
use std::path::Path;

/// A file that stays open, for reads at any offset.
#[cfg_attr(not(any(unix, windows)), allow(dead_code))]
pub(super) struct BookFile {
    file: File,
    /// Its length when it was opened.
    pub(super) length: u64,
}

impl BookFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = open_file(path)?;
        let length = file.metadata()?.len();
        Ok(BookFile { file, length })
    }

    /// Reads from `start` on until `bytes` is full.
    pub(super) fn read_at(&self, start: u64, bytes: &mut [u8]) -> io::Result<()> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, start);
        #[cfg(windows)]
        {
            use std::os::windows::fs::FileExt;
            let mut done = 0;
            while done < bytes.len() {
                match self.file.seek_read(&mut bytes[done..], start + done as u64)? {
                    0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                    count => done += count,
                }
            }
            Ok(())
        }
        #[cfg(not(any(unix, windows)))]
        {
            let _ = (start, bytes);
            Err(io::ErrorKind::Unsupported.into())
        }
    }
}

/// Opens the file at `path`.
///
/// # Errors
///
/// If there is none that can be read, or it is no regular file; devices and pipes are not
/// opened, as that alone may wait for ever.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    let refuse = || io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
    if !std::fs::metadata(path)?.is_file() {
        return Err(refuse());
    }
    let file = File::open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(refuse()) }
}

/// Returns how many bytes of a book of this length may stay in memory: all below 256 MiB, else
/// up to a quarter of the memory.
#[cfg(feature = "generate")]
pub(super) fn most_kept(length: u64) -> u64 {
    if length < 1 << 28 { length } else { crate::memory::Memory::now().total / 4 }
}

/// Returns how many bytes of a book of this length may stay in memory.
#[cfg(not(feature = "generate"))]
pub(super) fn most_kept(length: u64) -> u64 {
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(BookFile::open(folder.path()).is_err());
        assert!(BookFile::open(&folder.path().join("none")).is_err());
        #[cfg(unix)]
        assert!(BookFile::open(Path::new("/dev/zero")).is_err());
    }

    #[test]
    fn bytes_are_read_from_anywhere_but_not_beyond_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        std::fs::write(&path, b"0123456789").unwrap();
        let file = BookFile::open(&path).unwrap();
        let mut bytes = [0; 3];
        file.read_at(7, &mut bytes).unwrap();
        assert_eq!((file.length, &bytes), (10, b"789"));
        assert_eq!(file.read_at(8, &mut bytes).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
