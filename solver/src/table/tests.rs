//! Tests of both kinds of entries.

use super::entry::{Bounds, TableWord};
use super::memory::Table;
use crate::board::{Board, Position, Size};

/// An interpreter has no time for more than one in a thousand.
const ROUNDS: u64 = if cfg!(miri) { 500 } else { 300_000 };

fn known(lower: i32, upper: i32) -> Bounds {
    Bounds { lower, upper }
}

#[test]
fn bounds_decide_what_they_exclude_and_only_narrow() {
    let mut bounds = known(-32, 31);
    assert_eq!(bounds.decide(0), None);
    bounds.learn(-2, -3);
    bounds.learn(1, 2);
    assert_eq!(bounds, known(-2, 1));
    let decided = [-3, -2, -1, 0, 1, 2, 3].map(|beta| bounds.decide(beta));
    assert_eq!(decided, [Some(-2), Some(-2), None, None, None, Some(1), Some(1)]);
    // A weaker bound than the known one changes nothing.
    bounds.learn(-4, -4);
    bounds.learn(3, 4);
    assert_eq!(bounds, known(-2, 1));
}

fn stored_is_found<B: TableWord>() {
    let table = Table::new(0).unwrap();
    assert_eq!(table.bytes, Table::MIN_BYTES);
    let places = ["", "1", "44", "4453", "77777", "1234567"]
        .map(|moves| B::place(Board::of(Position::from_moves(moves).unwrap()).key()));
    for (i, place) in (0..).zip(places) {
        assert_eq!(B::probe(&table, place), B::UNKNOWN);
        B::store(&table, place, known(-i, i + 20), 1);
    }
    for (i, place) in (0..).zip(places) {
        assert_eq!(B::probe(&table, place), known(-i, i + 20));
    }
}

#[test]
fn what_is_stored_is_found_and_nothing_else() {
    stored_is_found::<u64>();
    stored_is_found::<u128>();
}

/// Keys, not all of positions.
fn keys<B: TableWord>(number: u64) -> impl Iterator<Item = B> {
    (1..=number).map(|i| B::truncate(u128::from(i * 7) << 5 | 1))
}

/// Enough work that an entry does not give way while another of its bucket is empty.
const WORK: u64 = 16;

fn what_is_known_is_kept<B: TableWord>() {
    let table = Table::new(8 * Table::MIN_BYTES).unwrap();
    for key in keys::<B>(ROUNDS / 50) {
        B::store(&table, B::place(key), bounds_of(key.widen()), WORK);
    }
    let known = |key: &B| B::probe(&table, B::place(*key)) == bounds_of(key.widen());
    let before: Vec<B> = keys(ROUNDS / 50).filter(known).collect();
    assert!(before.len() as u64 > ROUNDS / 60, "{} of {}", before.len(), ROUNDS / 50);
    // More than the memory there is.
    for _ in 0..4 {
        B::grow(&table);
        assert!(before.iter().all(known));
    }
    let place = B::place(before[0]);
    assert!(B::use_of(&table, place).0 > 0);
}

#[test]
fn a_table_that_grows_keeps_what_it_knows() {
    what_is_known_is_kept::<u64>();
    what_is_known_is_kept::<u128>();
}

fn grows_in_use<B: TableWord>() {
    let table = Table::new(8 * Table::MIN_BYTES).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for key in keys::<B>(ROUNDS / 10) {
                    let place = B::place(key);
                    B::store(&table, place, bounds_of(key.widen()), WORK);
                    let found = B::probe(&table, place);
                    assert!(found == bounds_of(key.widen()) || found == B::UNKNOWN);
                }
            });
        }
        scope.spawn(|| (0..4).for_each(|_| B::grow(&table)));
    });
    let known = keys::<B>(ROUNDS / 10)
        .filter(|key| B::probe(&table, B::place(*key)) == bounds_of(key.widen()));
    let known = known.count() as u64;
    assert!(known > ROUNDS / 20, "{known} of {}", ROUNDS / 10);
}

#[test]
fn a_table_may_grow_while_threads_use_it() {
    grows_in_use::<u64>();
    grows_in_use::<u128>();
}

fn every_pair_survives<B: TableWord>() {
    let table = Table::new(0).unwrap();
    let place = B::place(B::ONE);
    let Bounds { lower: least, upper: most } = B::UNKNOWN;
    for lower in least..=most {
        for upper in lower..=most {
            B::store(&table, place, known(lower, upper), 9);
            assert_eq!(B::probe(&table, place), known(lower, upper));
        }
    }
}

#[test]
fn every_pair_of_bounds_survives_packing() {
    every_pair_survives::<u64>();
    every_pair_survives::<u128>();
}

#[test]
fn no_score_is_outside_the_bounds_of_its_table() {
    for size in Size::all() {
        let most = i32::from(crate::board::winning_score(size.cells(), 7));
        let unknown = match size.bits() {
            ..=64 => u64::UNKNOWN,
            _ => u128::UNKNOWN,
        };
        // One more on either side, for windows beyond the best and the worst score.
        assert!(unknown.lower < -most && most < unknown.upper, "{size}");
    }
}

/// Different bounds for different keys.
fn bounds_of(key: u128) -> Bounds {
    known((key % 9) as i32, 10 + (key % 7) as i32)
}

/// Four threads that store and look up `keys`, which may all want one bucket.
pub(super) fn fight<B: TableWord>(key: impl Fn(u64) -> B + Sync) {
    let table = Table::new(0).unwrap();
    let found = std::sync::atomic::AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let table = &table;
            let key = &key;
            let all = &found;
            scope.spawn(move || {
                let mut found = 0;
                for i in 0..ROUNDS {
                    let stored = key(i * 7 + thread);
                    let work = [1, 256][i as usize / 31 % 2];
                    B::store(table, B::place(stored), bounds_of(stored.widen()), work);
                    let wanted = key(i * 5);
                    let bounds = B::probe(table, B::place(wanted));
                    let known = bounds != B::UNKNOWN;
                    assert!(!known || bounds == bounds_of(wanted.widen()), "{wanted:?}");
                    found += u64::from(known);
                }
                all.fetch_add(found, std::sync::atomic::Ordering::Relaxed);
            });
        }
    });
    assert!(found.into_inner() > ROUNDS / 20, "next to nothing was ever found");
}

#[test]
fn threads_may_share_a_table() {
    fight::<u64>(|i| i % 1000 + 1);
    fight::<u128>(|i| u128::from(i % 1000 + 1) << 61);
}
