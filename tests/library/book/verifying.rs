//! Verifying finds what is wrong in a book whose checksums are right.

use super::broken::{last_section, with_header};
use crate::numbering::Numbering;
use crate::truth::{FIVE_BY_FOUR, FOUR_BY_FOUR, contents};
use fourbook::book::{ABSENT, Encoding, PlyScores, decode, encode};
use fourbook::progress::{Progress, Step};
use fourbook::tools::verify::{Check, Failure, VerifyOptions, VerifyReport, verify};
use fourbook::{Book, Position, ValueKind};
use std::sync::Mutex;

const SOLVE_ALL: VerifyOptions = VerifyOptions { deep: true, solve: u64::MAX, seed: 1 };

fn verified(bytes: Vec<u8>, options: &VerifyOptions) -> VerifyReport {
    verify(&Book::from_bytes(bytes).unwrap(), options, &()).unwrap()
}

/// The report on a 4x4 book of depth 6 after a change to the scores of a ply.
fn report_after(ply: u32, change: impl FnOnce(&mut [u8])) -> VerifyReport {
    verified(changed(&[0, 2, 4, 6], ply, change), &SOLVE_ALL)
}

/// A 4x4 book that stores these plies, after a change to the scores of one of them.
fn changed(stored: &[u32], ply: u32, change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut scores = FOUR_BY_FOUR.scores(ply).to_vec();
    change(&mut scores);
    let bytes =
        |other| if other == ply { scores.clone() } else { FOUR_BY_FOUR.scores(other).to_vec() };
    let plies: Vec<PlyScores> = stored.iter().map(|&ply| PlyScores::new(ply, bytes(ply))).collect();
    contents(FOUR_BY_FOUR.size, ValueKind::Scores, &plies).to_bytes().unwrap()
}

fn failures(report: &VerifyReport) -> Vec<(Step, &Failure)> {
    fn of(check: &Check) -> impl Iterator<Item = (Step, &Failure)> {
        check.failures.iter().map(|failure| (check.step, failure))
    }
    report.checks.iter().flat_map(of).collect()
}

/// Whether a failure says this, of a slot or of a whole section.
fn says(failure: &Failure, slot: Option<usize>, expected: &str, found: &str) -> bool {
    failure.slot == slot.map(|slot| slot as u64)
        && (&*failure.expected, &*failure.found) == (expected, found)
}

fn slot(moves: &str) -> usize {
    let position = Position::parse(FOUR_BY_FOUR.size, moves).unwrap();
    Numbering::new(FOUR_BY_FOUR.size, position.ply()).slot(position)
}

#[test]
fn a_right_book_passes() {
    for depth in [0, 1, 5, 6, 16] {
        for kind in [ValueKind::Scores, ValueKind::WinDrawLoss] {
            let report = verified(FOUR_BY_FOUR.book(depth, kind), &SOLVE_ALL);
            assert!(report.passed(), "{report:?}");
            let solved = report.checks.last().unwrap();
            assert_eq!(solved.step, Step::Solve(depth));
            assert_eq!(solved.checked > 0, depth < 16);
        }
    }
    for depth in [7, 8] {
        let report =
            verified(FIVE_BY_FOUR.book(depth, ValueKind::Scores), &VerifyOptions::default());
        assert!(report.passed(), "{report:?}");
    }
}

#[test]
fn a_missing_entry_is_found() {
    let report = report_after(4, |scores| scores[slot("1122")] = ABSENT);
    let expected = failures(&report);
    let [(Step::Entries(4), missing), (Step::Values(2), above), ..] = expected[..] else {
        panic!("{expected:?}")
    };
    assert!(says(missing, Some(slot("1122")), "a value", "none"), "{missing}");
    assert_eq!(missing.diagram.as_deref(), Some("..../..../OO../XX.."));
    assert_eq!(above.expected, "a value that follows from all those two stones later");
}

#[test]
fn an_entry_too_many_is_found() {
    // The first player wins at once; there is one failure for this entry.
    let report = report_after(6, |scores| scores[slot("112233")] = encode(1));
    let expected = failures(&report);
    let [(Step::Entries(6), failure)] = expected[..] else { panic!("{expected:?}") };
    assert!(says(failure, Some(slot("112233")), "no value", "1"), "{failure}");
}

#[test]
fn a_wrong_value_above_the_deepest_ply_is_found() {
    let report = report_after(0, |scores| scores[0] = encode(1));
    let expected = failures(&report);
    let [(Step::Values(0), failure)] = expected[..] else { panic!("{expected:?}") };
    assert!(says(failure, Some(0), "0", "1"), "{failure}");
}

/// A stored ply that could be derived must equal the derived values.
#[test]
fn a_wrong_value_of_a_ply_between_is_found() {
    let stored = [0, 1, 2, 3, 4, 5, 6];
    assert!(verified(changed(&stored, 3, |_| ()), &SOLVE_ALL).passed());
    let place = slot("112");
    assert_eq!(FOUR_BY_FOUR.scores(3)[place], encode(0));
    let report = |byte| {
        let book = changed(&stored, 3, |scores| scores[place] = byte);
        // All checksums are right.
        let plain = VerifyOptions { deep: false, ..VerifyOptions::default() };
        assert!(verified(book.clone(), &plain).passed());
        verified(book, &VerifyOptions::default())
    };
    let wrong = report(encode(1));
    let found = failures(&wrong);
    let value = |&(step, failure): &(Step, &Failure)| {
        step == Step::Values(3) && says(failure, Some(place), "0", "1")
    };
    assert_eq!(found.iter().filter(|failure| value(failure)).count(), 1, "{found:?}");
    let gone = report(ABSENT);
    let found = failures(&gone);
    let missing = |&(step, failure): &(Step, &Failure)| {
        step == Step::Entries(3) && says(failure, Some(place), "a value", "none")
    };
    assert_eq!(found.iter().filter(|failure| missing(failure)).count(), 1, "{found:?}");
    // An entry for a position that should have none.
    let place = FOUR_BY_FOUR.scores(5).iter().position(|&byte| byte == ABSENT).unwrap();
    let book = changed(&stored, 5, |scores| scores[place] = encode(0));
    let unexpected = verified(book, &VerifyOptions::default());
    let found = failures(&unexpected);
    let [(Step::Entries(5), failure)] = found[..] else { panic!("{found:?}") };
    assert!(says(failure, Some(place), "no value", "0"), "{failure}");
}

#[test]
fn a_wrong_value_at_the_deepest_ply_is_found_by_solving() {
    let place = slot("123411");
    let report = report_after(6, |scores| scores[place] = encode(3));
    let found = failures(&report);
    let solved = |&(step, failure): &(Step, &Failure)| {
        let expected = FOUR_BY_FOUR.scores(6)[place];
        let expected = decode(expected).expect("it is stored").to_string();
        step == Step::Solve(6) && says(failure, Some(place), &expected, "3")
    };
    assert!(found.iter().any(solved), "{found:?}");
}

#[test]
fn a_value_no_position_can_have_is_found() {
    // A win with the seventh stone, where there is no win at once.
    let report = report_after(6, |scores| scores[slot("123411")] = encode(5));
    let found = failures(&report);
    assert!(
        found.iter().any(|(step, failure)| {
            let expected = "a value from -5 to 4";
            *step == Step::PossibleValues(6) && says(failure, Some(slot("123411")), expected, "5")
        }),
        "{found:?}"
    );
}

#[test]
fn the_sample_is_as_large_as_asked_for() {
    let book = Book::from_bytes(FOUR_BY_FOUR.book(6, ValueKind::Scores)).unwrap();
    let options = VerifyOptions { deep: true, solve: 20, seed: 7 };
    let report = verify(&book, &options, &()).unwrap();
    assert!(report.passed());
    assert_eq!(report.checks.last().unwrap().checked, 20);
}

#[test]
fn plain_verification_reads_the_bytes_and_deep_what_they_say() {
    // Every checksum is right and a value is wrong.
    let mut scores = FOUR_BY_FOUR.scores(0).to_vec();
    scores[0] = encode(1);
    let plies = [PlyScores::new(0, scores), PlyScores::new(2, FOUR_BY_FOUR.scores(2))];
    let wrong = contents(FOUR_BY_FOUR.size, ValueKind::Scores, &plies).to_bytes().unwrap();
    let plain = VerifyOptions { deep: false, ..VerifyOptions::default() };
    let report = verified(wrong.clone(), &plain);
    assert!(report.passed() && report.plies.is_empty());
    assert!(report.checks.iter().all(|check| matches!(check.step, Step::Section(_))));
    assert!(!verified(wrong.clone(), &VerifyOptions::default()).passed());
    // Solving takes the remaining time.
    assert!(!verified(wrong, &VerifyOptions { solve: 1, ..plain }).passed());
}

#[test]
fn a_deep_report_has_the_positions_of_every_ply() {
    for encoding in Encoding::ALL {
        let report = verified(
            FOUR_BY_FOUR.encoded(12, ValueKind::Scores, encoding),
            &VerifyOptions::default(),
        );
        assert!(report.passed(), "{report:?}");
        for (found, positions) in report.plies.iter().zip(&FOUR_BY_FOUR.plies) {
            assert_eq!(found.counts.distinct, positions.len() as u64, "ply {}", found.ply);
            let stored = found.ply % 2 == 0;
            assert_eq!(found.entries, stored.then_some(found.counts.stored));
        }
    }
}

#[test]
fn a_header_that_counts_other_entries_is_found() {
    for encoding in Encoding::ALL {
        let bytes = FOUR_BY_FOUR.encoded(12, ValueKind::Scores, encoding);
        let right = last_section(&bytes).entries;
        // The number of entries is the last of a section's fields, which are last.
        let bytes = with_header(&bytes, |header| {
            let at = header.len() - 8;
            header[at] ^= 1;
        });
        let report = verified(bytes, &VerifyOptions::default());
        let found = failures(&report);
        let counted = |&(step, failure): &(Step, &Failure)| {
            let expected = format!("{} as the number of entries", fourbook::text::grouped(right));
            let is_this = says(failure, None, &expected, &fourbook::text::grouped(right ^ 1));
            step == Step::Entries(12) && is_this
        };
        assert!(found.iter().any(counted), "{encoding}: {found:?}");
    }
}

#[test]
fn progress_is_told_to_the_end_of_every_step() {
    #[derive(Default)]
    struct Told(Mutex<Vec<(Step, u64, u64)>>);
    impl Progress for Told {
        fn begin(&self, step: Step, done: u64, total: u64) {
            self.0.lock().unwrap().push((step, total, done));
        }
        fn advance(&self, units: u64) {
            self.0.lock().unwrap().last_mut().unwrap().2 += units;
        }
    }
    let book = Book::from_bytes(FOUR_BY_FOUR.book(6, ValueKind::Scores)).unwrap();
    let told = Told::default();
    verify(&book, &SOLVE_ALL, &told).unwrap();
    for (step, total, done) in told.0.into_inner().unwrap() {
        assert_eq!(done, total, "{step}");
    }
}
