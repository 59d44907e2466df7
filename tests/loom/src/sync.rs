//! The atomic operations of loom, each of which takes a turn.
//!
//! Loom 0.7.3 remembers the last access to a number only. So it misses the orders in which one thread
//! reads a number between two accesses of another thread. A turn is an access to one more number, which
//! orders all operations, and says nothing about what a thread sees of the others.

use loom::sync::atomic;
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
pub(crate) use loom::thread::yield_now;

loom::lazy_static! {
    static ref TURNS: AtomicUsize = AtomicUsize::new(0);
}

#[derive(Debug)]
pub(crate) struct AtomicU64(atomic::AtomicU64);

impl AtomicU64 {
    pub(crate) fn new(number: u64) -> Self {
        AtomicU64(atomic::AtomicU64::new(number))
    }

    fn take_turn(&self) -> &atomic::AtomicU64 {
        TURNS.fetch_add(1, Ordering::Relaxed);
        &self.0
    }

    pub(crate) fn load(&self, order: Ordering) -> u64 {
        self.take_turn().load(order)
    }

    pub(crate) fn store(&self, number: u64, order: Ordering) {
        self.take_turn().store(number, order);
    }

    pub(crate) fn swap(&self, number: u64, order: Ordering) -> u64 {
        self.take_turn().swap(number, order)
    }

    pub(crate) fn compare_exchange(
        &self,
        expected: u64,
        new: u64,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u64, u64> {
        self.take_turn().compare_exchange(expected, new, success, failure)
    }
}
