//! Where parts are: a folder, or anything else that holds files by name.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
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

    /// Opens a file to read it from its start, some megabytes at a time. All that is read of it is
    /// of one version, even if it is replaced meanwhile.
    ///
    /// # Errors
    ///
    /// If it cannot be read; [`NotFound`](io::ErrorKind::NotFound) if it is not there.
    fn open(&self, name: &OsStr) -> io::Result<Box<dyn Read>>;
}

/// The folder at a path of this machine, which need not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(pub PathBuf);

impl PartStore for Folder {
    fn path(&self) -> &Path {
        &self.0
    }

    fn names(&self) -> io::Result<Vec<OsString>> {
        fs::read_dir(&self.0)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    fn open(&self, name: &OsStr) -> io::Result<Box<dyn Read>> {
        Ok(Box::new(File::open(self.0.join(name))?))
    }
}
