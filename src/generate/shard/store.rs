//! Where parts are: a folder, or anything else that holds files by name.

use crate::mapping::map_to_read;
use memmap2::Mmap;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A place that holds parts as files by name, such as a folder or a bucket. [`Folder`] is
/// one; [`Parts::find_in`](crate::generate::Parts::find_in) takes any.
pub trait PartStore: fmt::Debug + Send + Sync {
    /// The name of the place in messages.
    fn path(&self) -> &Path;

    /// The names of all files in it, in any order.
    ///
    /// # Errors
    ///
    /// If they cannot be listed.
    fn names(&self) -> io::Result<Vec<OsString>>;

    /// Opens a file. All that is read of it is of one version, even if it is replaced
    /// meanwhile.
    ///
    /// # Errors
    ///
    /// If it cannot be read; [`NotFound`](io::ErrorKind::NotFound) if it is not there.
    fn open(&self, name: &OsStr) -> io::Result<Box<dyn PartBytes>>;
}

/// The bytes of an open file.
pub trait PartBytes: fmt::Debug {
    /// Number of bytes.
    fn length(&self) -> u64;

    /// The bytes in this range, which ends at [`length`](Self::length) at the latest.
    ///
    /// # Errors
    ///
    /// If they cannot be read, or not of the version that was opened.
    fn read(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>>;
}

/// A folder of this machine, whose files are mapped into memory to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at this path, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Folder(path.into())
    }
}

impl PartStore for Folder {
    fn path(&self) -> &Path {
        &self.0
    }

    fn names(&self) -> io::Result<Vec<OsString>> {
        fs::read_dir(&self.0)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    fn open(&self, name: &OsStr) -> io::Result<Box<dyn PartBytes>> {
        Ok(Box::new(map_to_read(&self.0.join(name))?))
    }
}

impl PartBytes for Mmap {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn read(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        Ok(Cow::Borrowed(&self[range.start as usize..range.end as usize]))
    }
}
