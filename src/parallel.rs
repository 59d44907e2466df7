//! Loops over many slots with all threads of the rayon pool they are called in.
//!
//! There is one parallel loop, which is compiled once; its body is a
//! trait object. A block is long enough that this costs nothing.

use crate::book::BookError;
use crate::progress::{Progress, Step};
use fourbook_solver::started_threads;
use rayon::prelude::*;
use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::io;
use std::ops::{Add, Range};
use std::sync::{Mutex, PoisonError};

/// Slots of a block: some 0.1 milliseconds of work.
pub(crate) const BLOCK: u64 = 1 << 12;

/// Runs `work`, such as a tool, with this number of threads, 0 for one for each processor, and at most
/// four for each. They have ended when it returns: a program that unloads this library leaves none behind.
///
/// # Errors
///
/// If the system does not provide the threads.
///
/// ```
/// use fourbook::Book;
/// use fourbook::tools::{stats::statistics, with_threads};
///
/// let book = Book::from_bytes(include_bytes!("../examples/4x4-d6.book"))?;
/// let plies = with_threads(2, || statistics(&book, &()))??;
/// assert_eq!(plies.len(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> io::Result<T> {
    let pool = ThreadPoolBuilder::new().num_threads(started_threads(threads));
    pool.build_scoped(ThreadBuilder::run, |pool| pool.install(work)).map_err(io::Error::other)
}

/// Calls `work` with every block of the numbers below `total`, in any order, unless it is cancelled.
pub(crate) fn for_each_block(
    total: u64,
    progress: &dyn Progress,
    work: &(dyn Fn(Range<u64>) + Sync),
) -> Result<(), BookError> {
    (0..total.div_ceil(BLOCK)).into_par_iter().panic_fuse().try_for_each(|index| {
        progress.check()?;
        let start = index * BLOCK;
        work(start..total.min(start + BLOCK));
        Ok(())
    })
}

/// Fills a block of bytes that begins at a number.
type Fill<'a> = dyn Fn(u64, &mut [u8]) -> Result<(), BookError> + Sync + 'a;

/// Calls `work` with every block of `bytes` and the number of its first byte, in any order, until
/// there is an error.
pub(crate) fn for_each_block_mut(
    bytes: &mut [u8],
    progress: &dyn Progress,
    work: &Fill<'_>,
) -> Result<(), BookError> {
    bytes.par_chunks_mut(BLOCK as usize).enumerate().panic_fuse().try_for_each(|(block, bytes)| {
        progress.check()?;
        work(block as u64 * BLOCK, bytes)
    })
}

/// Several counts at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts<const N: usize>(pub(crate) [u64; N]);

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        Counts([0; N])
    }
}

impl<const N: usize> Add for Counts<N> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Counts(std::array::from_fn(|index| self.0[index] + other.0[index]))
    }
}

/// The sum of the results of `work` for every block of the numbers below `total`, added in any order.
pub(crate) fn sum_of_blocks<T: Add<Output = T> + Default + Send>(
    total: u64,
    progress: &dyn Progress,
    work: impl Fn(Range<u64>) -> T + Sync,
) -> Result<T, BookError> {
    let sum = Mutex::new(T::default());
    for_each_block(total, progress, &|block| {
        let part = work(block);
        // A thread that panicked ends the whole loop.
        let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
        *sum = std::mem::take(&mut *sum) + part;
    })?;
    Ok(sum.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// [`sum_of_blocks`] as a step of long work, whose units are the numbers below `total`.
pub(crate) fn sum_of_step<T: Add<Output = T> + Default + Send>(
    (step, progress): (Step, &dyn Progress),
    total: u64,
    work: impl Fn(Range<u64>) -> T + Sync,
) -> Result<T, BookError> {
    progress.begin(step, 0, total);
    sum_of_blocks(total, progress, |block| {
        let units = block.end - block.start;
        let part = work(block);
        progress.advance(units);
        part
    })
}

/// Calls `make` with every block of the numbers below `total`, the units of a step of long work, and
/// `take` on this thread with what comes of each, in their order. At most some blocks for each thread
/// are in memory at a time.
pub(crate) fn for_each_block_in_order<T: Send, E: From<BookError>>(
    (step, progress): (Step, &dyn Progress),
    total: u64,
    make: &(dyn Fn(Range<u64>) -> T + Sync),
    take: &mut dyn FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    /// Blocks for each thread: enough that a slow block delays few others.
    const BLOCKS: u64 = 32;
    progress.begin(step, 0, total);
    let many = BLOCK * BLOCKS * rayon::current_num_threads() as u64;
    for start in (0..total).step_by(many as usize) {
        progress.check()?;
        let end = total.min(start + many);
        let blocks = (start / BLOCK..end.div_ceil(BLOCK)).into_par_iter();
        let made = blocks.map(|block| make(block * BLOCK..end.min((block + 1) * BLOCK)));
        made.collect::<Vec<T>>().into_iter().try_for_each(&mut *take)?;
        progress.advance(end - start);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn threads_are_bounded_by_the_processors() {
        let number = |threads| with_threads(threads, rayon::current_num_threads).unwrap();
        assert_eq!((number(2), number(0)), (2, started_threads(0)));
        assert_eq!(number(usize::MAX), 4 * number(0));
    }

    #[test]
    fn few_blocks_follow_one_that_panics() {
        let calls = AtomicU64::new(0);
        let work = |_| {
            calls.fetch_add(1, Ordering::Relaxed);
            resume_unwind(Box::new("stop"));
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let result =
            pool.install(|| catch_unwind(AssertUnwindSafe(|| for_each_block(1 << 32, &(), &work))));
        assert!(result.is_err());
        // One of each thread.
        assert!(calls.load(Ordering::Relaxed) <= 2, "{calls:?}");
    }

    #[test]
    fn blocks_are_taken_in_their_order_to_the_first_error() {
        for total in [0, 1, BLOCK, 3 * BLOCK + 1, 500 * BLOCK + 7] {
            let mut next = 0;
            let step: (_, &dyn Progress) = (Step::Divide, &());
            let taken = for_each_block_in_order(step, total, &|block| block, &mut |block| {
                assert_eq!(block.start, next);
                next = block.end;
                let is_late = next > 400 * BLOCK;
                if is_late { Err(BookError::Read(io::ErrorKind::Other.into())) } else { Ok(()) }
            });
            let is_long = total > 400 * BLOCK;
            assert_eq!(next, if is_long { 401 * BLOCK } else { total });
            assert_eq!(taken.is_err(), is_long);
        }
    }

    #[test]
    fn every_number_is_in_one_block() {
        for total in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 10 * BLOCK + 7] {
            let sum = sum_of_blocks(total, &(), |block| block.sum::<u64>()).unwrap();
            assert_eq!(sum, total * total.saturating_sub(1) / 2);
            let mut bytes = vec![0; total as usize];
            for_each_block_mut(&mut bytes, &(), &|start, bytes| {
                for (number, byte) in (start..).zip(bytes) {
                    *byte += number as u8 | 1;
                }
                Ok(())
            })
            .unwrap();
            assert!((0..).zip(bytes).all(|(number, byte): (u64, u8)| byte == number as u8 | 1));
        }
    }
}
