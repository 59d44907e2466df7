//! Memory that is filled block by block while other threads read what is there.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed};
use std::cell::UnsafeCell;
use std::io;
use std::ops::Range;
use std::ptr::{self, NonNull};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Blocks in a word of bits.
const BITS: usize = u64::BITS as usize;

/// Bytes in blocks of `BLOCK`, the last of which may have fewer. Each is filled at most once and
/// never changes afterwards.
///
/// On most systems only filled blocks take memory.
pub(crate) struct Filled<const BLOCK: usize> {
    /// While a block's bit in `filled` is 0, only the holder of the lock writes the block, and no
    /// thread reads it. Once the bit is 1, no thread writes the block.
    bytes: Box<[UnsafeCell<u8>]>,
    /// Bytes in use; the last block may be longer.
    length: usize,
    /// A bit for each block.
    filled: Box<[AtomicU64]>,
    lock: Mutex<()>,
}

// SAFETY: all access to `bytes` is by the rule that is written there. `fill` sets a bit, by
// releasing, after its block is written, and readers acquire it before they read.
unsafe impl<const BLOCK: usize> Sync for Filled<BLOCK> {}

impl<const BLOCK: usize> Filled<BLOCK> {
    /// Makes `length` bytes, none of which is filled; an error if the system refuses the memory.
    pub(crate) fn new(length: u64) -> io::Result<Self> {
        let none = || io::Error::from(io::ErrorKind::OutOfMemory);
        let length = usize::try_from(length).map_err(|_| none())?;
        let blocks = length.div_ceil(BLOCK);
        let bytes = blocks.checked_mul(BLOCK).ok_or_else(none)?;
        let layout = Layout::array::<UnsafeCell<u8>>(bytes).map_err(|_| none())?;
        let start = match layout.size() {
            0 => NonNull::dangling(),
            // SAFETY: the layout has bytes. Zeros come from the system when they are touched.
            _ => NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(none)?,
        };
        let bytes = ptr::slice_from_raw_parts_mut(start.as_ptr().cast::<UnsafeCell<u8>>(), bytes);
        // SAFETY: the memory was allocated for such a slice, is zeros and has no other owner.
        let bytes = unsafe { Box::from_raw(bytes) };
        let filled = (0..blocks.div_ceil(BITS)).map(|_| AtomicU64::new(0)).collect();
        Ok(Filled { bytes, length, filled, lock: Mutex::new(()) })
    }

    /// `N` bytes from `offset` on, zeros after the last; `None` if they are not in one block, or
    /// it is not filled.
    #[inline(always)]
    pub(crate) fn load<const N: usize>(&self, offset: usize) -> Option<[u8; N]> {
        if offset % BLOCK > const { BLOCK - N } || !self.is_filled(offset / BLOCK) {
            return None;
        }
        // SAFETY: the bytes are in one block, which is in the box as a whole. The block is filled,
        // so no thread writes it any more.
        Some(unsafe { self.bytes.as_ptr().add(offset).cast::<[u8; N]>().read() })
    }

    /// Returns a nonempty range of bytes; `None` if it is empty, goes beyond the end, or not all of
    /// its blocks are filled.
    #[inline(always)]
    pub(crate) fn get(&self, range: Range<usize>) -> Option<&[u8]> {
        let bytes = self.bytes[..self.length].get(range.clone())?;
        let first = range.start / BLOCK;
        let last = range.end.checked_sub(1)? / BLOCK;
        if first / BITS == last / BITS {
            let all = u64::MAX >> (BITS - 1 - (last - first));
            if self.word(first) >> (first % BITS) & all != all {
                return None;
            }
        } else if !(first..=last).all(|block| self.is_filled(block)) {
            return None;
        }
        // SAFETY: all blocks of the range are filled, so no thread writes them any more.
        Some(unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) })
    }

    /// The word of the bits with that of a block.
    #[inline(always)]
    fn word(&self, block: usize) -> u64 {
        self.filled.get(block / BITS).map_or(0, |word| word.load(Ordering::Acquire))
    }

    #[inline(always)]
    fn is_filled(&self, block: usize) -> bool {
        self.word(block) >> (block % BITS) & 1 == 1
    }

    /// Fills a block, unless it is filled or another thread fills one at this moment; returns whether
    /// it did. Nobody waits: in a process that was forked meanwhile, that would be for ever.
    ///
    /// # Panics
    ///
    /// If there is no such block, or it has another length.
    pub(crate) fn fill(&self, block: usize, bytes: &[u8]) -> bool {
        let place = &self.bytes[block * BLOCK..self.length];
        assert_eq!(bytes.len(), place.len().min(BLOCK), "a block is filled as a whole");
        let Ok(_lock) = self.lock.try_lock() else { return false };
        if self.is_filled(block) {
            return false;
        }
        let start = UnsafeCell::raw_get(place.as_ptr());
        // SAFETY: the block is in the box, as checked above. Its bit is 0, so no thread reads it,
        // and this thread has the lock, so no other thread writes it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), start, bytes.len()) };
        self.filled[block / BITS].fetch_or(1 << (block % BITS), Ordering::Release);
        true
    }

    /// Where the bytes begin, for prefetches.
    #[inline(always)]
    pub(crate) fn start(&self) -> *const u8 {
        self.bytes.as_ptr().cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    type Small = Filled<8>;

    fn bytes(range: Range<usize>) -> Vec<u8> {
        range.map(|at| (at * 7) as u8).collect()
    }

    fn fill(memory: &Small, block: usize, length: usize) -> bool {
        memory.fill(block, &bytes(block * 8..length.min(block * 8 + 8)))
    }

    #[test]
    fn what_is_filled_is_there_and_nothing_else() {
        let memory = Small::new(20).unwrap();
        let get = |range: Range<usize>| memory.get(range).map(<[u8]>::to_vec);
        assert!(get(0..1).is_none() && get(8..9).is_none());
        fill(&memory, 1, 20);
        assert_eq!(get(8..16), Some(bytes(8..16)));
        assert!(get(7..9).is_none() && get(15..17).is_none());
        fill(&memory, 2, 20);
        assert_eq!(get(14..20), Some(bytes(14..20)));
        assert_eq!(
            (memory.load::<3>(12), memory.load::<3>(14)),
            (bytes(12..15).first_chunk().copied(), None)
        );
        assert_eq!((memory.load(19), memory.load::<1>(7)), (Some([19 * 7, 0]), None));
        assert!(memory.load::<1>(24).is_none() && memory.load::<1>(usize::MAX).is_none());
        assert!(get(17..21).is_none() && get(20..21).is_none());
        fill(&memory, 0, 20);
        assert_eq!(get(0..20), Some(bytes(0..20)));
        assert!(get(0..0).is_none() && get(usize::MAX - 1..usize::MAX).is_none());
    }

    #[test]
    fn bytes_may_be_in_many_blocks() {
        let length = 200 * 8;
        let memory = Small::new(length as u64).unwrap();
        (0..200)
            .filter(|&block| block != 130)
            .for_each(|block| assert!(fill(&memory, block, length)));
        for (start, end) in [(0, 64 * 8), (0, 64 * 8 + 1), (63 * 8, 65 * 8), (5, 130 * 8)] {
            assert_eq!(memory.get(start..end), Some(&bytes(start..end)[..]));
        }
        assert!(memory.get(0..131 * 8).is_none() && memory.get(130 * 8..131 * 8).is_none());
    }

    #[test]
    fn threads_read_what_others_fill() {
        let memory = Small::new(99).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let memory = &memory;
                scope.spawn(move || {
                    for step in 0..13 {
                        fill(memory, (step * 5 + thread) % 13, 99);
                        for start in 0..97 {
                            if let Some(found) = memory.get(start..start + 2) {
                                assert_eq!(found, bytes(start..start + 2));
                            }
                        }
                    }
                });
            }
        });
        (0..13).for_each(|block| _ = fill(&memory, block, 99));
        assert_eq!(memory.get(0..99), Some(&bytes(0..99)[..]));
    }

    #[test]
    fn nobody_waits_for_another_thread() {
        let memory = Small::new(20).unwrap();
        let lock = memory.lock.lock();
        assert!(!fill(&memory, 1, 20) && memory.get(8..16).is_none());
        drop(lock);
        assert!(fill(&memory, 1, 20) && memory.get(8..16) == Some(&bytes(8..16)));
        assert!(!fill(&memory, 1, 20));
    }

    #[test]
    #[should_panic(expected = "as a whole")]
    fn a_part_of_a_block_is_refused() {
        Small::new(20).unwrap().fill(1, &[0; 7]);
    }

    #[test]
    fn memory_that_the_system_refuses_is_an_error() {
        for length in [1 << 62, u64::MAX] {
            // The compiler may leave out an allocation that nothing uses; it then never fails.
            let memory = black_box(Small::new(length));
            assert_eq!(memory.err().unwrap().kind(), io::ErrorKind::OutOfMemory);
        }
        assert_eq!(Small::new(0).unwrap().get(0..1), None);
    }
}
