//! Files mapped into memory: to be shared by threads, or for a while.

#![allow(unsafe_code)]

use memmap2::{MmapMut, MmapRaw};
use std::fs::{File, TryLockError};
use std::io::{self, Read};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU8;

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

/// A file that this process alone uses until this is dropped.
///
/// Closing the file would not be enough: where this process is just starting another program, that has
/// a copy of the open file for a moment, and the lock with it.
#[derive(Debug)]
pub(crate) struct LockedFile(File);

impl LockedFile {
    pub(crate) fn new(file: File) -> Result<Self, TryLockError> {
        file.try_lock()?;
        Ok(LockedFile(file))
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // The last copy that is closed frees it at any rate.
        let _ = self.0.unlock();
    }
}

/// A file mapped read-write, as bytes that any thread may load and store.
///
/// A byte that is stored in the map belongs to the file at once: if this process is killed, the
/// system still writes it. Only a crash of the whole system loses bytes that were not
/// [flushed](Self::flush).
///
/// # Contract
///
/// While a file is mapped, nothing may make it shorter: the next access to a lost page ends the
/// process with SIGBUS (no memory is misread).
///
/// No program can enforce this against every other. So the file is locked, and the caller writes it
/// in full length before it is mapped: a page for which the disk has no room is a lost page, too.
#[derive(Debug)]
pub(crate) struct ScoreMap {
    map: MmapRaw,
    file: LockedFile,
}

impl ScoreMap {
    /// Maps the whole of `file`, which is open for reading and writing.
    pub(crate) fn new(file: LockedFile) -> io::Result<Self> {
        let map = MmapRaw::map_raw(&*file)?;
        Ok(ScoreMap { map, file })
    }

    /// The bytes of the file.
    pub(crate) fn bytes(&self) -> &[AtomicU8] {
        // SAFETY: The map is readable and writable memory of `len` bytes until
        // it is dropped, which the lifetime of the result precludes. An
        // `AtomicU8` has the size and alignment of a `u8`, every value is
        // valid, and shared references to it allow changes from anywhere, so
        // other references and other processes do no harm.
        unsafe { std::slice::from_raw_parts(self.map.as_mut_ptr().cast(), self.map.len()) }
    }

    /// Waits until everything stored before the call is on the disk.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.map.flush()
    }

    /// The file, which is mapped no more and still locked.
    pub(crate) fn into_file(self) -> LockedFile {
        self.file
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::atomic::Ordering;

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

    fn file_of(bytes: &[u8]) -> (tempfile::NamedTempFile, File) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let reopened = File::options().read(true).write(true).open(file.path()).unwrap();
        (file, reopened)
    }

    #[test]
    fn bytes_stored_by_many_threads_are_in_the_file() {
        let (file, handle) = file_of(&[0; 10_000]);
        let map = ScoreMap::new(LockedFile::new(handle).unwrap()).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4_usize {
                let bytes = map.bytes();
                scope.spawn(move || {
                    for index in (thread..bytes.len()).step_by(4) {
                        bytes[index].store(thread as u8 + 1, Ordering::Relaxed);
                    }
                });
            }
        });
        map.flush().unwrap();
        let expected: Vec<u8> = (0..10_000).map(|index| (index % 4) as u8 + 1).collect();
        assert_eq!(std::fs::read(file.path()).unwrap(), expected);
    }

    #[test]
    fn a_file_that_may_not_be_written_is_refused() {
        let (file, _handle) = file_of(&[1, 2, 3]);
        let locked = LockedFile::new(File::open(file.path()).unwrap()).unwrap();
        assert!(ScoreMap::new(locked).is_err());
    }

    #[test]
    fn the_lock_is_held_as_long_as_the_file() {
        let (file, handle) = file_of(&[1]);
        // As a program has that is just being started.
        let _copy = handle.try_clone().unwrap();
        let locked = LockedFile::new(handle).unwrap();
        let unmapped = ScoreMap::new(locked).unwrap().into_file();
        let other = File::open(file.path()).unwrap();
        assert!(other.try_lock().is_err());
        drop(unmapped);
        assert!(other.try_lock().is_ok());
    }
}
