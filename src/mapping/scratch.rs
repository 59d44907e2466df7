//! Bytes for a while: in memory, or in a file without a name.

#![allow(unsafe_code)]

use memmap2::MmapMut;
use std::fs::File;
use std::io::{self, Read};
use std::ops::{Deref, DerefMut};

/// Bytes that are 0 in the beginning.
///
/// # Contract
///
/// Nothing else changes or cuts the file of such bytes. It has no name by which another program
/// could open it, and it is written in full length before it is mapped: using a page for which
/// the disk has no room ends the process.
#[derive(Debug)]
pub(crate) struct Scratch {
    map: MmapMut,
}

impl Scratch {
    /// `length` bytes of memory, which the system provides when they are used.
    pub(crate) fn in_memory(bytes: usize) -> io::Result<Self> {
        Ok(Scratch { map: MmapMut::map_anon(bytes)? })
    }

    /// `length` bytes of a new file in the folder for temporary files. The system caches as much of
    /// it in memory as there is room for.
    pub(crate) fn in_file(bytes: usize) -> io::Result<Self> {
        Self::of(tempfile::tempfile()?, bytes)
    }

    fn of(mut file: File, bytes: usize) -> io::Result<Self> {
        io::copy(&mut io::repeat(0).take(bytes as u64), &mut file)?;
        if bytes == 0 {
            return Self::in_memory(0);
        }
        // SAFETY: the file was made here and has no name, so no other program maps, changes
        // or cuts it. This map is the only one, and its bytes are borrowed from it.
        let map = unsafe { MmapMut::map_mut(&file)? };
        Ok(Scratch { map })
    }
}

impl Deref for Scratch {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.map
    }
}

impl DerefMut for Scratch {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_zero_until_they_are_written() {
        const CHUNK: usize = 1 << 20;
        for bytes in [0, 1, CHUNK - 1, CHUNK + 1, 3 * CHUNK] {
            for scratch in [Scratch::in_memory(bytes), Scratch::in_file(bytes)] {
                let mut scratch = scratch.unwrap();
                assert!(scratch.len() == bytes && scratch.iter().all(|&byte| byte == 0));
                scratch.fill(7);
                assert!(scratch.iter().all(|&byte| byte == 7));
            }
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(Scratch::of(File::open(file.path()).unwrap(), 10).is_err());
    }
}
