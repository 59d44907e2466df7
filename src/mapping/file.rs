//! Memory in a file, for a while.

#![allow(unsafe_code)]

use memmap2::MmapMut;
use std::io::{self, Read};

/// `bytes` bytes of 0 in a new file in the folder for temporary files. The system caches as much of
/// it in memory as there is room for.
///
/// # Contract
///
/// Nothing else changes or cuts the file. It has no name by which another program could open it, and
/// it is written in full length before it is mapped: using a page for which the disk has no room
/// ends the process.
pub(crate) fn zeros_in_file(bytes: usize) -> io::Result<MmapMut> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut io::repeat(0).take(bytes as u64), &mut file)?;
    // SAFETY: the file was made here and has no name, so no other program maps, changes
    // or cuts it. This map is the only one, and its bytes are borrowed from it.
    unsafe { MmapMut::map_mut(&file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_zero_until_they_are_written() {
        const CHUNK: usize = 1 << 20;
        for bytes in [0, 1, CHUNK - 1, CHUNK + 1, 3 * CHUNK] {
            for scratch in [MmapMut::map_anon(bytes), zeros_in_file(bytes)] {
                let mut scratch = scratch.unwrap();
                assert!(scratch.len() == bytes && scratch.iter().all(|&byte| byte == 0));
                scratch.fill(7);
                assert!(scratch.iter().all(|&byte| byte == 7));
            }
        }
    }
}
