//! The sections of a book, in blocks whose checksums are compared when they are first read.
//!
//! A block that is read is copied into memory and checked there. Answers come from the copy. So
//! whatever happens to a file afterwards, a lookup answers from the opened book or fails.

use super::error::BookError;
use super::file::{BookFile, most_kept};
use super::header::Section;
use crate::mapping::Filled;
use fourbook_solver::simd::dispatch::prefetch;
use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of a block. The last block of a book may have fewer.
pub(super) const BLOCK: usize = 4096;

/// All bytes of a book.
pub(super) enum Storage {
    Memory(Cow<'static, [u8]>),
    File(BookFile),
}

/// A block cannot be read, by its number; [`Blocks::error`] says why. Every lookup may return it, and
/// short results make lookups faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadBlock(pub(super) u32);

impl Storage {
    pub(super) fn length(&self) -> u64 {
        match self {
            Storage::Memory(bytes) => bytes.len() as u64,
            Storage::File(file) => file.length,
        }
    }

    /// Fills `to` with the bytes of the book from `start` on.
    pub(super) fn read(&self, start: u64, to: &mut [u8]) -> io::Result<()> {
        match self {
            Storage::Memory(bytes) => {
                let bytes = bytes.get(start as usize..).and_then(|it| it.get(..to.len()));
                to.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
            Storage::File(file) => file.read_at(start, to),
        }
    }
}

/// The blocks of a book.
pub(super) struct Blocks {
    source: Storage,
    /// Where the first block begins.
    start: u64,
    /// Bytes of all.
    pub(super) length: usize,
    /// The CRC-32 of each block.
    checksums: Box<[u32]>,
    checked: Filled<BLOCK>,
    /// How many more blocks may be kept.
    room: AtomicUsize,
}

impl Blocks {
    /// The blocks from `start` to the end of a book, with a checksum for each; an error if there is
    /// no memory for them.
    pub(super) fn new(source: Storage, start: u64, checksums: Box<[u32]>) -> io::Result<Self> {
        let length = source.length() - start;
        let checked = Filled::new(length)?;
        let room = most_kept(length).div_ceil(BLOCK as u64) as usize;
        let length = length as usize;
        let room = AtomicUsize::new(room);
        Ok(Blocks { source, start, length, checksums, checked, room })
    }

    /// A section.
    #[inline(always)]
    pub(super) fn part(&self, section: &Section) -> SectionBytes<'_> {
        let start = (section.offset - self.start) as usize;
        SectionBytes { blocks: self, ply: section.ply, start, length: section.bytes as usize }
    }

    /// Why a block of a section of `ply` is bad.
    pub(super) fn error(&self, ply: u32, BadBlock(block): BadBlock) -> BookError {
        let block = block as usize;
        // A disk may have failed for a moment.
        self.with_block(block, ply, |_| ())
            .err()
            .unwrap_or_else(|| cannot_read(ply, block, io::ErrorKind::Interrupted))
    }

    /// Gives `take` a block, of a section of `ply`, that has been checked.
    fn with_block(
        &self,
        block: usize,
        ply: u32,
        take: impl FnOnce(&[u8]),
    ) -> Result<(), BookError> {
        let start = block * BLOCK;
        let end = self.length.min((block + 1) * BLOCK);
        if let Some(bytes) = self.checked.get(start..end) {
            take(bytes);
            return Ok(());
        }
        let Some(&expected) = self.checksums.get(block) else {
            return Err(cannot_read(ply, block, io::ErrorKind::UnexpectedEof));
        };
        let mut bytes = [0; BLOCK];
        let bytes = &mut bytes[..end - start];
        self.source
            .read(self.start + start as u64, bytes)
            .map_err(|source| cannot_read(ply, block, source))?;
        let found = crc32fast::hash(bytes);
        if found != expected {
            return Err(BookError::Block { ply, block: block as u32, expected, found });
        }
        if self
            .room
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room: usize| room.checked_sub(1))
            .is_ok()
            && !self.checked.fill(block, bytes)
        {
            self.room.fetch_add(1, Ordering::Relaxed);
        }
        take(bytes);
        Ok(())
    }
}

fn cannot_read(ply: u32, block: usize, source: impl Into<io::Error>) -> BookError {
    BookError::ReadBlock { ply, block: block as u32, source: source.into() }
}

/// A section, or a part of one.
#[derive(Clone, Copy)]
pub(super) struct SectionBytes<'a> {
    pub(super) blocks: &'a Blocks,
    pub(super) ply: u32,
    /// Where it begins, from the first block on.
    pub(super) start: usize,
    pub(super) length: usize,
}

impl<'a> SectionBytes<'a> {
    /// `N` bytes from `offset` on.
    #[inline(always)]
    pub(super) fn load<const N: usize>(self, offset: usize) -> Result<[u8; N], BadBlock> {
        match self.blocks.checked.load(self.start + offset) {
            Some(bytes) => Ok(bytes),
            None => self.load_slowly(offset),
        }
    }

    /// Bytes, at least one.
    #[inline(always)]
    pub(super) fn slice(self, range: Range<usize>) -> Result<Cow<'a, [u8]>, BadBlock> {
        match self.blocks.checked.get(self.start + range.start..self.start + range.end) {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => self.slice_slowly(range),
        }
    }

    /// The slow path: a block that is read for the first time, or cannot be kept.
    #[cold]
    #[inline(never)]
    fn slice_slowly(self, range: Range<usize>) -> Result<Cow<'a, [u8]>, BadBlock> {
        let mut copy = vec![0; range.len()];
        self.fill(range.start, &mut copy)?;
        let kept = self.blocks.checked.get(self.start + range.start..self.start + range.end);
        Ok(kept.map_or(Cow::Owned(copy), Cow::Borrowed))
    }

    /// The slow path: a block that is read for the first time, or cannot be kept.
    #[cold]
    #[inline(never)]
    fn load_slowly<const N: usize>(self, offset: usize) -> Result<[u8; N], BadBlock> {
        let mut bytes = [0; N];
        self.fill(offset, &mut bytes)?;
        Ok(bytes)
    }

    /// A copy of some bytes.
    pub(super) fn copy(self, range: Range<usize>) -> Result<Vec<u8>, BookError> {
        let bytes = self.slice(range).map_err(|bad| self.blocks.error(self.ply, bad))?;
        Ok(bytes.into_owned())
    }

    /// Copies the bytes from `offset` on.
    fn fill(self, offset: usize, bytes: &mut [u8]) -> Result<(), BadBlock> {
        let mut filled = 0;
        while filled < bytes.len() {
            let start = self.start + offset + filled;
            let left = &mut bytes[filled..];
            let block = start / BLOCK;
            let mut copied = 0;
            let read = self.blocks.with_block(block, self.ply, |all| {
                let from = all.get(start % BLOCK..).unwrap_or(&[]);
                copied = from.len().min(left.len());
                left[..copied].copy_from_slice(&from[..copied]);
            });
            if read.is_err() || copied == 0 {
                return Err(BadBlock(block as u32));
            }
            filled += copied;
        }
        Ok(())
    }

    /// Compares the checksum of each block that was not compared before.
    pub(super) fn check_blocks(self) -> impl Iterator<Item = Result<(), BookError>> {
        let blocks = self.start / BLOCK..(self.start + self.length).div_ceil(BLOCK);
        blocks.map(move |block| self.blocks.with_block(block, self.ply, |_| ()))
    }

    /// Has memory fetch what is at `offset`.
    #[inline(always)]
    pub(super) fn prefetch(self, offset: usize) {
        prefetch(self.blocks.checked.start().wrapping_add(self.start + offset));
    }
}

/// The CRC-32 of each block of these bytes, which follow one another.
pub(super) fn checksums<'a>(contents: impl IntoIterator<Item = &'a [u8]>) -> Vec<u32> {
    let mut checksums = Vec::new();
    let mut hasher = crc32fast::Hasher::new();
    let mut left = BLOCK;
    for mut bytes in contents {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(left.min(bytes.len()));
            hasher.update(now);
            left -= now.len();
            bytes = later;
            if left == 0 {
                checksums.push(std::mem::take(&mut hasher).finalize());
                left = BLOCK;
            }
        }
    }
    if left < BLOCK {
        checksums.push(hasher.finalize());
    }
    checksums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(bytes: Vec<u8>) -> Blocks {
        let checksums = bytes.chunks(BLOCK).map(crc32fast::hash).collect();
        Blocks::new(Storage::Memory(bytes.into()), 0, checksums).unwrap()
    }

    fn part(blocks: &Blocks) -> SectionBytes<'_> {
        SectionBytes { blocks, ply: 0, start: 0, length: blocks.length }
    }

    fn bytes(length: usize) -> Vec<u8> {
        (0..length).map(|i| (i * i / 7) as u8).collect()
    }

    #[test]
    fn bytes_are_loaded_from_one_block_or_two() {
        let bytes = bytes(3 * BLOCK + 100);
        let blocks = blocks(bytes.clone());
        for round in 0..2 {
            for offset in [0, 5, BLOCK - 17, BLOCK - 16, BLOCK - 1, 2 * BLOCK, 3 * BLOCK + 83] {
                let found = part(&blocks).load::<17>(offset);
                assert_eq!(found.unwrap(), bytes[offset..offset + 17], "{round} {offset}");
            }
        }
        assert!(part(&blocks).load::<2>(4 * BLOCK).is_err());
    }

    #[test]
    fn a_changed_bit_is_an_error_of_its_block_alone() {
        for at in [0, BLOCK - 1, BLOCK, 2 * BLOCK + 99] {
            let mut bytes = bytes(2 * BLOCK + 100);
            let checksums = bytes.chunks(BLOCK).map(crc32fast::hash).collect();
            bytes[at] ^= 4;
            let blocks = Blocks::new(Storage::Memory(bytes.into()), 0, checksums).unwrap();
            let is_bad = |error: &BookError| matches!(error, BookError::Block { block, .. } if *block as usize == at / BLOCK);
            assert!(
                part(&blocks).check_blocks().filter_map(Result::err).all(|error| is_bad(&error))
            );
            assert_eq!(part(&blocks).check_blocks().filter(Result::is_err).count(), 1);
            for block in 0..3 {
                let found = part(&blocks).load::<2>(block * BLOCK + 7);
                assert_eq!(found.is_ok(), block != at / BLOCK);
            }
            let bad = BadBlock((at / BLOCK) as u32);
            assert_eq!(part(&blocks).load::<2>(at.saturating_sub(1)), Err(bad));
            // A later error of another block changes nothing.
            assert!(part(&blocks).load::<2>(3 * BLOCK).is_err());
            assert!(is_bad(&blocks.error(0, bad)));
        }
    }

    #[test]
    #[cfg(feature = "generate")]
    fn checksums_are_those_of_blocks_however_the_bytes_come() {
        let bytes = bytes(3 * BLOCK);
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let expected: Vec<u32> = bytes[..length].chunks(BLOCK).map(crc32fast::hash).collect();
            for part in [1, 100, BLOCK, 5000, 3 * BLOCK] {
                assert_eq!(checksums(bytes[..length].chunks(part)), expected, "{length} {part}");
            }
        }
    }
}
