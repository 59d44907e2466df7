//! The memory of a table: atomic words, zeroed, in buckets that are reached by a hash.
//!
//! All `unsafe` code of the transposition table is here.

#![allow(unsafe_code)]

use crate::text::count;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Bytes of the smallest page that systems provide memory in.
const PAGE: usize = 1 << 12;

/// There is no memory for a transposition table.
#[derive(Debug, thiserror::Error)]
#[error("cannot reserve {} for the transposition table; ask for less memory", count(bytes, "byte"))]
pub struct TableError {
    bytes: usize,
    source: std::io::Error,
}

/// The memory of a table: buckets of words, all zero at first, which threads share. Their
/// number is a power of two that can be doubled until all that was reserved is in use.
///
/// How many words a bucket has is up to its user. Memory is used as buckets are touched.
#[derive(Debug)]
pub(crate) struct Table {
    memory: Zeroed,
    /// Bytes in use, less one.
    mask: AtomicUsize,
    /// Bytes of all buckets, in use or not.
    pub(crate) bytes: usize,
    /// Whether a thread is doubling the buckets.
    growing: AtomicBool,
}

impl Table {
    /// Bytes that are in use at first, and the fewest of a table. They are few: easy positions need
    /// no more, and the system takes longer to provide memory than the solver takes for them.
    pub(crate) const MIN_BYTES: usize = 1 << 20;

    /// A table that can grow to the largest power of two of bytes that is at most `bytes`, and
    /// at least [`MIN_BYTES`](Self::MIN_BYTES).
    pub(crate) fn new(bytes: usize) -> Result<Self, TableError> {
        // No machine has more, and the shift stays in range.
        let bytes = 1 << bytes.max(Self::MIN_BYTES).ilog2().min(usize::BITS - 4);
        let memory = Zeroed::new(bytes).map_err(|source| TableError { bytes, source })?;
        let mask = AtomicUsize::new(Self::MIN_BYTES - 1);
        Ok(Table { memory, mask, bytes, growing: AtomicBool::new(false) })
    }

    /// Bytes of the buckets in use.
    pub(super) fn bytes_in_use(&self) -> usize {
        self.mask.load(Ordering::Relaxed) + 1
    }

    /// The bucket whose number is the lowest bits of `hash`.
    #[inline(always)]
    pub(super) fn bucket<const WORDS: usize>(&self, hash: u64) -> &[AtomicU64; WORDS] {
        let bucket_bytes = const {
            let bytes = size_of::<[AtomicU64; WORDS]>();
            assert!(bytes.is_power_of_two() && bytes <= Self::MIN_BYTES);
            bytes
        };
        let offset = (hash as usize).wrapping_mul(bucket_bytes) & self.mask.load(Ordering::Relaxed);
        // SAFETY: `mask` is one less than a power of two that is at least `bucket_bytes`, also a
        // power of two, and at most `bytes`. So `offset` is a multiple of `bucket_bytes`, and the
        // bucket ends within the reserved bytes. They were zeroed, and any bytes are valid
        // atomics; the memory is aligned to 16 bytes, is only ever reached through atomics, and
        // stays as long as `self` is borrowed.
        unsafe { &*self.memory.start().add(offset).cast::<[AtomicU64; WORDS]>() }
    }

    /// Doubles the number of buckets in use, unless all are in use or another thread is doubling
    /// them, and splits each: `split` gets a bucket, the new one that belongs to it, and the bit of
    /// hashes that separates the two. Other threads may use the buckets meanwhile.
    pub(super) fn double<const WORDS: usize>(
        &self,
        split: impl Fn(&[AtomicU64; WORDS], &[AtomicU64; WORDS], u32),
    ) {
        let before = self.mask.load(Ordering::Relaxed);
        if before + 1 == self.bytes || self.growing.swap(true, Ordering::Acquire) {
            return;
        }
        // Another thread may have doubled them between the two looks.
        if self.mask.load(Ordering::Relaxed) == before {
            self.touch(before + 1..2 * before + 2);
            self.mask.store(2 * before + 1, Ordering::Relaxed);
            let buckets = (before as u64 + 1) / size_of::<[AtomicU64; WORDS]>() as u64;
            for index in 0..buckets {
                split(self.bucket(index), self.bucket(index + buckets), buckets.ilog2());
            }
        }
        self.growing.store(false, Ordering::Release);
    }

    /// Makes the system provide these bytes, which no thread uses yet. Without this, it would do so
    /// where threads use new buckets, and a short search would wait for many pages.
    fn touch(&self, bytes: Range<usize>) {
        assert!(bytes.end <= self.bytes);
        for offset in bytes.step_by(PAGE) {
            // SAFETY: the offset is a multiple of a page within the reserved bytes; see `bucket`.
            let word = unsafe { &*self.memory.start().add(offset).cast::<AtomicU64>() };
            word.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(target_family = "wasm")]
use grown::Zeroed;
#[cfg(not(target_family = "wasm"))]
use mapped::Zeroed;

#[cfg(not(target_family = "wasm"))]
mod mapped {
    use memmap2::{MmapMut, MmapRaw};
    use std::io;

    /// Bytes of a large page.
    const LARGE_PAGE: usize = 2 << 20;

    /// Zeroed memory, straight from the system.
    #[derive(Debug)]
    pub(super) struct Zeroed {
        memory: MmapRaw,
        /// Bytes before the first large page.
        offset: usize,
    }

    impl Zeroed {
        pub(super) fn new(bytes: usize) -> io::Result<Self> {
            let bytes = bytes.next_multiple_of(LARGE_PAGE);
            let memory = MmapMut::map_anon(bytes.saturating_add(LARGE_PAGE))?;
            let offset = memory.as_ptr().align_offset(LARGE_PAGE);
            // A large page takes less time than the small ones in its place, and misses of the
            // address cache are fewer. It is only advice, so a refusal is no error. Miri does not
            // support it.
            #[cfg(all(target_os = "linux", not(miri)))]
            let _ = memory.advise_range(memmap2::Advice::HugePage, offset, bytes);
            Ok(Zeroed { memory: memory.into(), offset })
        }

        #[inline(always)]
        pub(super) fn start(&self) -> *const u8 {
            self.memory.as_ptr().wrapping_add(self.offset)
        }
    }
}

#[cfg(target_family = "wasm")]
mod grown {
    use std::arch::wasm32::memory_grow;
    use std::io;
    use std::ptr::NonNull;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    const PAGE_BYTES: usize = 1 << 16;

    /// Zeroed memory from beyond the module's end: used as it is touched, while
    /// the allocator would clear all of it. Freed memory is kept for the next value, as
    /// a module cannot give memory back.
    #[derive(Debug)]
    pub(super) struct Zeroed(Pages);

    #[derive(Clone, Copy, Debug)]
    struct Pages {
        start: NonNull<u8>,
        number: usize,
    }

    // SAFETY: plain memory; callers that use the pointer synchronise the access.
    unsafe impl Send for Pages {}
    // SAFETY: as above.
    unsafe impl Sync for Pages {}

    static FREED: Mutex<Vec<Pages>> = Mutex::new(Vec::new());

    fn freed() -> MutexGuard<'static, Vec<Pages>> {
        FREED.lock().unwrap_or_else(PoisonError::into_inner)
    }

    impl Zeroed {
        pub(super) fn new(bytes: usize) -> io::Result<Self> {
            let number = bytes.div_ceil(PAGE_BYTES);
            let kept = {
                let mut freed = freed();
                let found = freed.iter().position(|pages| pages.number == number);
                found.map(|index| freed.swap_remove(index))
            };
            if let Some(pages) = kept {
                // SAFETY: these pages were grown below, for this module only, and their last owner
                // has dropped them.
                unsafe { pages.start.write_bytes(0, number * PAGE_BYTES) };
                return Ok(Zeroed(pages));
            }
            let before = memory_grow::<0>(number);
            let start = (before != usize::MAX)
                .then(|| NonNull::new((before * PAGE_BYTES) as *mut u8))
                .flatten()
                .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
            Ok(Zeroed(Pages { start, number }))
        }

        #[inline(always)]
        pub(super) fn start(&self) -> *const u8 {
            self.0.start.as_ptr()
        }
    }

    impl Drop for Zeroed {
        fn drop(&mut self) {
            freed().push(self.0);
        }
    }
}
