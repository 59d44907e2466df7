//! The memory of a table: buckets of atomic words, zeroed, reached by their number.
//!
//! All `unsafe` code of the transposition table is here.

#![allow(unsafe_code)]

use super::TableError;
use std::sync::atomic::AtomicU64;

/// `2^index_bits` buckets of `WORDS` words each, all zero at first, which threads share.
///
/// Memory is used as buckets are touched.
#[derive(Debug)]
pub(super) struct Buckets<const WORDS: usize> {
    memory: Zeroed,
    index_bits: u32,
}

impl<const WORDS: usize> Buckets<WORDS> {
    /// Bytes of one bucket.
    pub(super) const BUCKET_BYTES: usize = size_of::<[AtomicU64; WORDS]>();

    /// As many buckets as fit `bytes`, a power of two, and at least `2^least_index_bits`.
    ///
    /// # Errors
    ///
    /// If the system does not give the memory.
    pub(super) fn new(bytes: usize, least_index_bits: u32) -> Result<Self, TableError> {
        let index_bits = (bytes / Self::BUCKET_BYTES).max(1).ilog2().max(least_index_bits);
        // No machine has more, and the shifts below stay in range.
        let index_bits = index_bits.min(usize::BITS - 8);
        let bytes = Self::BUCKET_BYTES << index_bits;
        let memory = Zeroed::new(bytes).map_err(|source| TableError { bytes, source })?;
        Ok(Buckets { memory, index_bits })
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        Self::BUCKET_BYTES << self.index_bits
    }

    /// The bucket whose number is the top bits of `hash`.
    #[inline(always)]
    pub(super) fn of(&self, hash: u64) -> &[AtomicU64; WORDS] {
        let index = (hash >> (u64::BITS - self.index_bits)) as usize;
        // SAFETY: `index` has `index_bits` bits, since that is at least 1 and less than 64, so
        // it is the number of one of the 2^index_bits buckets. They were zeroed, and any
        // bytes are valid atomics; the memory is aligned to 16 bytes, is only ever reached
        // through these atomics, and stays as long as `self` is borrowed.
        unsafe { &*self.memory.start().cast::<[AtomicU64; WORDS]>().add(index) }
    }
}

#[cfg(not(feature = "mmap"))]
use allocated::Zeroed;
#[cfg(feature = "mmap")]
use mapped::Zeroed;

#[cfg(feature = "mmap")]
mod mapped {
    use memmap2::{MmapMut, MmapRaw};
    use std::io;

    /// Zeroed memory, straight from the system.
    #[derive(Debug)]
    pub(super) struct Zeroed(MmapRaw);

    impl Zeroed {
        pub(super) fn new(bytes: usize) -> io::Result<Self> {
            let memory = MmapMut::map_anon(bytes)?;
            // Fewer misses of the address cache; only advice, so a refusal is no error. Miri
            // knows no advice.
            #[cfg(all(target_os = "linux", not(miri)))]
            let _ = memory.advise(memmap2::Advice::HugePage);
            Ok(Zeroed(memory.into()))
        }

        #[inline(always)]
        pub(super) fn start(&self) -> *const u8 {
            self.0.as_ptr()
        }
    }
}

#[cfg(not(feature = "mmap"))]
mod allocated {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::io;
    use std::ptr::NonNull;

    /// Zeroed memory from the allocator.
    #[derive(Debug)]
    pub(super) struct Zeroed {
        start: NonNull<u8>,
        layout: Layout,
    }

    impl Zeroed {
        pub(super) fn new(bytes: usize) -> io::Result<Self> {
            let out_of_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
            let layout = Layout::from_size_align(bytes, 16).map_err(|_| out_of_memory())?;
            // SAFETY: a bucket has at least one word, so the layout is not empty.
            let start = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(out_of_memory)?;
            Ok(Zeroed { start, layout })
        }

        #[inline(always)]
        pub(super) fn start(&self) -> *const u8 {
            self.start.as_ptr()
        }
    }

    impl Drop for Zeroed {
        fn drop(&mut self) {
            // SAFETY: allocated in `new` with this layout, and freed only here.
            unsafe { dealloc(self.start.as_ptr(), self.layout) };
        }
    }

    // SAFETY: plain memory that belongs to this value alone; whoever reaches it through
    // `start` answers for how.
    unsafe impl Send for Zeroed {}
    // SAFETY: as above.
    unsafe impl Sync for Zeroed {}
}
