//! Compact books answer as flat ones do.

use crate::support::{FIVE_BY_FOUR, FOUR_BY_FOUR, Truth};
use fourbook::board::is_reachable;
use fourbook::book::verify::{Options, verify};
use fourbook::book::{Answer, Book, Encoding, ValueKind};
use fourbook::oracle::DEFAULT_BOOK;
use fourbook::rank::Ranking;

const KINDS: [ValueKind; 2] = [ValueKind::Scores, ValueKind::Outcomes];

/// A compact book at least one section of which is compact.
fn compact<const W: usize, const H: usize>(
    truth: &Truth<W, H>,
    depth: u32,
    kind: ValueKind,
) -> Vec<u8> {
    let bytes = truth.encoded(depth, kind, Encoding::Compact);
    assert_eq!(Book::from_bytes(&bytes).unwrap().encoding(), Encoding::Compact);
    bytes
}

fn compare<const W: usize, const H: usize>(truth: &Truth<W, H>, depth: u32, kind: ValueKind) {
    let flat = Book::from_bytes(truth.book(depth, kind)).unwrap().into_view::<W, H>().unwrap();
    let compact = Book::from_bytes(compact(truth, depth, kind)).unwrap();
    assert!(compact.bytes().len() < flat.book().bytes().len());
    let compact = compact.into_view::<W, H>().unwrap();
    for &(position, _) in truth.plies.iter().flatten() {
        let expected = flat.score(position);
        assert_eq!(compact.score(position), expected, "{position:?}");
        assert_eq!(compact.score_of_game(position), expected, "{position:?}");
        assert_eq!(compact.score_of_game(position.mirrored()), expected, "{position:?}");
    }
}

#[test]
fn every_position_of_small_boards_is_as_in_the_flat_book() {
    for kind in KINDS {
        for depth in [10, 11, 12] {
            compare(&FOUR_BY_FOUR, depth, kind);
        }
        for depth in [8, 9] {
            compare(&FIVE_BY_FOUR, depth, kind);
        }
    }
}

#[test]
fn no_position_that_play_cannot_reach_has_a_value() {
    let book = Book::from_bytes(compact(&FIVE_BY_FOUR, 8, ValueKind::Scores)).unwrap();
    let view = book.view::<5, 4>().unwrap();
    let (mut reachable, mut others) = (0, 0);
    for ply in 0..=8 {
        let ranking = Ranking::<5, 4>::new(ply).unwrap();
        for slot in 0..ranking.slots() {
            let position = ranking.unrank(slot);
            if position.score_by_rules().is_some() {
                continue;
            }
            if is_reachable(position) {
                reachable += 1;
                assert!(view.score(position).score().is_some(), "{position:?}");
            } else if (8 - ply) % 2 == 0 {
                others += 1;
                assert_eq!(view.score(position), Answer::Absent, "{position:?}");
            }
        }
    }
    assert!(reachable > 1000 && others > 1000, "{reachable} {others}");
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let bytes = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| compact(&FIVE_BY_FOUR, 9, ValueKind::Scores))
    };
    let one = bytes(1);
    assert!(one == bytes(2) && one == bytes(3));
}

#[test]
fn a_compact_book_is_verified_to_the_last_position() {
    for kind in KINDS {
        let book = Book::from_bytes(compact(&FOUR_BY_FOUR, 12, kind)).unwrap();
        let options = Options { solve: 50, ..Options::default() };
        let report = verify(&book, &options, &()).unwrap();
        assert!(report.passed(), "{report:?}");
        assert_eq!(report.checks.last().unwrap().checked, 50);
    }
}

#[test]
fn the_standard_board_has_contexts_of_its_own() {
    let flat = Book::from_bytes(DEFAULT_BOOK).unwrap().into_view::<7, 6>().unwrap();
    let options = fourbook::book::pack::Options {
        depth: 8,
        kind: ValueKind::Scores,
        encoding: Encoding::Compact,
    };
    let packed = fourbook::book::pack::pack(flat.book(), options, &()).unwrap();
    let compact = Book::from_bytes(packed.contents(&packed.plies()).to_bytes().unwrap()).unwrap();
    let deepest = compact.sections().last().unwrap();
    assert_eq!((deepest.encoding, deepest.entries), (Encoding::Compact, 77_715));
    let bits = deepest.bytes as f64 * 8.0 / deepest.entries as f64;
    assert!(bits < 3.1, "{bits} bits a position");
    assert!(verify(&compact, &Options::default(), &()).unwrap().passed());
    // And back again.
    let options = fourbook::book::pack::Options { encoding: Encoding::Flat, ..options };
    let packed = fourbook::book::pack::pack(&compact, options, &()).unwrap();
    assert!(packed.contents(&packed.plies()).to_bytes().unwrap() == DEFAULT_BOOK);
}
