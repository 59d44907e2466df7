//! Threads that read and write one bucket.

#[path = "../../../solver/src/table/bucket.rs"]
mod bucket;

use crate::sync::AtomicU64;
use bucket::{Bucket, alone, key, read, remove, write};
use loom::sync::Arc;
use loom::thread;
use std::array;

mod entry {
    pub(super) const MOST_WORK: u64 = 7;
}

#[derive(Debug)]
pub(crate) struct Tables;

/// The result of a read that finds nothing.
const UNKNOWN: u64 = 0;
/// Keys of which no two have a half in common, and the facts of their entries. The second takes the
/// place of the first.
const FIRST: (u128, u64) = (1 << 64 | 2, 1 << 3);
const SECOND: (u128, u64) = (3 << 64 | 4, 2 << 3 | 1);
const OTHERS: [(u128, u64); 2] = [(5 << 64 | 6, 3 << 3 | 7), (7 << 64 | 8, 4 << 3 | 7)];
/// Keys of which no entry was ever written, made of the halves of two.
const MIXED: [u128; 2] = [1 << 64 | 4, 3 << 64 | 2];

fn bounds(fact: u64) -> u64 {
    fact & !entry::MOST_WORK
}

fn store(bucket: &Bucket, (key, fact): (u128, u64)) {
    alone(bucket, || write(bucket, key, fact));
}

fn full_bucket() -> Arc<Bucket> {
    let bucket: Bucket = array::from_fn(|_| AtomicU64::new(0));
    for entry in [OTHERS[0], OTHERS[1], FIRST] {
        store(&bucket, entry);
    }
    Arc::new(bucket)
}

/// A reader finds a whole entry, or nothing, while two threads replace it.
fn readers_find_whole_entries() {
    for wanted in [FIRST.0, SECOND.0, OTHERS[0].0, MIXED[0], MIXED[1]] {
        crate::in_every_order(move || {
            let bucket = full_bucket();
            let writers = [FIRST, SECOND].map(|entry| {
                let bucket = Arc::clone(&bucket);
                thread::spawn(move || store(&bucket, entry))
            });
            let found = read(&bucket, wanted, UNKNOWN);
            let entries = [FIRST, SECOND, OTHERS[0], OTHERS[1]];
            // The class of work ages.
            let is_of_entry = |(key, fact)| key == wanted && bounds(fact) == bounds(found);
            let is_whole = found == UNKNOWN || entries.into_iter().any(is_of_entry);
            assert!(is_whole, "{wanted:x}: {found}");
            writers.into_iter().for_each(|writer| writer.join().unwrap());
        });
    }
}

/// A thread that moves an entry, as a table does that grows, loses nothing and mixes nothing.
fn entries_move_whole() {
    crate::in_every_order(|| {
        let bucket = full_bucket();
        let writer = {
            let bucket = Arc::clone(&bucket);
            thread::spawn(move || store(&bucket, SECOND))
        };
        let mut moved = None;
        alone(&bucket, || moved = Some((key(&bucket, 2), remove(&bucket, 2))));
        assert!(moved.is_none_or(|moved| moved == FIRST || moved == SECOND), "{moved:?}");
        writer.join().unwrap();
        let found = bounds(read(&bucket, SECOND.0, UNKNOWN));
        assert!(found == UNKNOWN || found == bounds(SECOND.1), "{found}");
    });
}

pub(crate) fn run() {
    readers_find_whole_entries();
    entries_move_whole();
}
