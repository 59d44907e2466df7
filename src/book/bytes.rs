//! Where a book's bytes are.

#[cfg(feature = "mmap")]
use crate::mapping::ReadMap;
use std::fmt;

/// The bytes of a book, which it keeps.
#[non_exhaustive]
pub enum BookBytes {
    /// In a mapped file.
    #[cfg(feature = "mmap")]
    Mapped(ReadMap),
    /// In the program, from `include_bytes!`.
    Static(&'static [u8]),
    /// In memory, such as those of a file that may be changed in place.
    Owned(Vec<u8>),
}

impl AsRef<[u8]> for BookBytes {
    #[inline(always)]
    fn as_ref(&self) -> &[u8] {
        match self {
            #[cfg(feature = "mmap")]
            BookBytes::Mapped(map) => map.as_ref(),
            BookBytes::Static(bytes) => bytes,
            BookBytes::Owned(bytes) => bytes,
        }
    }
}

impl fmt::Debug for BookBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self {
            #[cfg(feature = "mmap")]
            BookBytes::Mapped(_) => "Mapped",
            BookBytes::Static(_) => "Static",
            BookBytes::Owned(_) => "Owned",
        };
        write!(f, "{place}({} bytes)", self.as_ref().len())
    }
}

#[cfg(feature = "mmap")]
impl From<ReadMap> for BookBytes {
    fn from(map: ReadMap) -> Self {
        BookBytes::Mapped(map)
    }
}

impl From<&'static [u8]> for BookBytes {
    fn from(bytes: &'static [u8]) -> Self {
        BookBytes::Static(bytes)
    }
}

impl<const N: usize> From<&'static [u8; N]> for BookBytes {
    fn from(bytes: &'static [u8; N]) -> Self {
        BookBytes::Static(bytes)
    }
}

impl From<Vec<u8>> for BookBytes {
    fn from(bytes: Vec<u8>) -> Self {
        BookBytes::Owned(bytes)
    }
}
