//! Books of boards of more than 64 bits. Their first plies cannot be solved, so the scores are made
//! up and put into a checkpoint, as if they had been found. Everything but the search is the code
//! that makes real books.

use crate::generate::{folder, plan};
use crate::truth::{contents, reachable};
use fourbook::book::{ABSENT, Encoding, encode};
use fourbook::generate::{self, GenerateError, Generated, Parts, Plan, Shard};
use fourbook::progress::{Progress, Step};
use fourbook::tools::exchange::{
    ExportOptions, ForeignBook, Format, Other, compare, export, import,
};
use fourbook::tools::pack::{self, Packed, pack};
use fourbook::tools::stats::statistics;
use fourbook::tools::verify::{VerifyOptions, verify};
use fourbook::{Book, Lookup, Oracle, Position, Size, Source};
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// Boards, and plies with fewer positions than the board has scores.
const BOOKS: [(&str, u32); 3] = [("4x16", 3), ("9x7", 2), ("10x10", 2)];

/// Cancels when solving begins.
#[derive(Default)]
struct BeforeSolving(Arc<AtomicBool>);

impl Progress for BeforeSolving {
    fn begin(&self, step: Step, _: u64) {
        if let Step::SolveAll { .. } = step {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    fn advance(&self, _: u64) {}
}

/// The solved positions and all positions, as reported by an interrupted run.
fn interrupted(result: Result<Generated, GenerateError>) -> (u64, u64) {
    match result {
        Err(GenerateError::Interrupted { solved: Some(solved), .. }) => solved,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was cancelled"),
    }
}

/// The scores in the checkpoint of a plan.
fn change_scores(plan: &Plan, change: impl FnOnce(&mut [u8])) {
    let path = plan.checkpoint_folder().join("scores");
    let mut scores = fs::read(&path).unwrap();
    change(&mut scores);
    fs::write(&path, scores).unwrap();
}

/// The scores merged from `shards` shards. The score of each position is its place in the order
/// that shards divide, less 27.
fn merged(folder: &TempDir, plan: &Plan, shards: u32) -> Generated {
    let parts = folder.path().join(format!("{shards} parts"));
    fs::create_dir(&parts).unwrap();
    let mut first = 0_i8;
    for shard in Shard::all(shards).unwrap() {
        let out = parts.join(shard.file_name(plan.size, plan.depth, plan.kind));
        let plan = Plan { out, ..plan.clone() };
        let stop = BeforeSolving::default();
        let solve = generate::solve_shard;
        let error = solve(&plan, shard, &stop, &stop.0).unwrap_err();
        assert!(matches!(error, GenerateError::Interrupted { .. }), "{error}");
        let mut positions = 0;
        change_scores(&plan, |scores| {
            scores.iter_mut().zip(first..).for_each(|(score, place)| *score = encode(place - 27));
            positions = scores.len();
        });
        let solved = solve(&plan, shard, &(), &Default::default()).unwrap();
        assert!(positions > 0);
        assert_eq!(solved.part.identity.range(), first as u64..first as u64 + positions as u64);
        first += positions as i8;
    }
    let found = Parts::find(&parts, &()).unwrap();
    let plan = found.plan(folder.path().join(format!("{shards}.book")), 2);
    generate::scores(&plan, Some(&found), &(), &Default::default()).unwrap()
}

/// The deepest ply, one byte a slot.
fn deepest(generated: &Generated) -> Vec<u8> {
    generated.plies()[0].bytes.to_vec()
}

fn book_of(plan: &Plan, generated: &Generated) -> Vec<u8> {
    contents(plan.size, plan.kind, &generated.plies()).to_bytes().unwrap()
}

#[test]
fn a_book_is_the_same_resumed_and_merged_of_any_number_of_parts() {
    for (size, depth) in BOOKS {
        let folder = folder();
        let plan = plan(folder.path(), size, depth);
        let whole = merged(&folder, &plan, 1);
        let (scores, bytes) = (deepest(&whole), book_of(&plan, &whole));
        let positions = scores.iter().filter(|&&byte| byte != ABSENT).count() as u64;
        assert_eq!(whole.report.plies[0].counts.stored, positions);
        assert!(book_of(&plan, &merged(&folder, &plan, 3)) == bytes);

        let stop = BeforeSolving::default();
        assert_eq!(interrupted(generate::scores(&plan, None, &stop, &stop.0)), (0, positions));
        // Half of the scores are found first, then the others.
        let half = scores.len() / 2;
        change_scores(&plan, |found| found[..half].copy_from_slice(&scores[..half]));
        let stop = BeforeSolving::default();
        let (found, all) = interrupted(generate::scores(&plan, None, &stop, &stop.0));
        assert!((1..positions).contains(&found) && all == positions, "{found} of {all}");
        change_scores(&plan, |found| found.copy_from_slice(&scores));
        let resumed = generate::scores(&plan, None, &(), &Default::default()).unwrap();
        assert!(book_of(&plan, &resumed) == bytes);
        check(&Book::from_bytes(bytes).unwrap());
    }
}

/// The values of the deepest ply come from a table; the others follow.
#[test]
fn a_book_is_made_of_a_table() {
    for (size, depth) in [("4x16", 7), ("9x7", 4), ("10x10", 3), ("16x7", 2), ("4x31", 6)] {
        let mut text = "position,score\n".to_owned();
        let deepest = reachable(size.parse().unwrap(), depth).pop().unwrap();
        for position in deepest.into_iter().filter(|p| p.score_by_rules().is_none()) {
            let value = position.canonical_key() % 7;
            text += &format!("key:{},{}\n", position.key(), value as i8 - 3);
        }
        let book = imported(text.as_bytes(), size.parse().unwrap());
        assert_eq!((book.size().to_string().as_str(), book.depth()), (size, depth));
        check(&book);
    }
}

/// Checks that hold for every book of exact scores.
fn check(book: &Book) {
    let report = verify(book, &VerifyOptions::default(), &()).unwrap();
    assert!(report.passed(), "{report:?}");
    let compact = packed(book, Encoding::Compact);
    assert!(verify(&compact, &VerifyOptions::default(), &()).unwrap().passed());
    assert_same_sections(&packed(&compact, Encoding::Flat), book);

    let positions = reachable(book.size(), book.depth());
    let mut looked_up = [0; 2];
    for &position in positions.iter().flatten() {
        let found = book.look_up(position).unwrap();
        match found {
            Lookup::Stored(_) => looked_up[0] += 1,
            Lookup::Derived(_) => looked_up[1] += 1,
            Lookup::Rules(score) => assert_eq!(position.score_by_rules(), Some(score)),
            Lookup::TooDeep | Lookup::Absent => panic!("{position:?}"),
        }
        let answers = [book, &compact].map(|book| {
            [position, position.mirrored()]
                .map(|image| (book.look_up(image).unwrap(), book.look_up_reachable(image).unwrap()))
        });
        assert_eq!(answers, [[(found, found); 2]; 2], "{position:?}");
    }
    assert!(looked_up.iter().all(|&number| number > 0), "{looked_up:?}");

    let totals = statistics(book, &()).unwrap();
    let totals = totals.iter().map(|ply| ply.distinct.total() as usize).collect::<Vec<_>>();
    assert_eq!(totals, positions.iter().map(BTreeSet::len).collect::<Vec<_>>());

    let mut text = Vec::new();
    export(book, &ExportOptions::new(Format::Csv), &mut text, &()).unwrap();
    let back = imported(&text, book.size());
    assert_same_sections(&back, book);
    let comparison = compare(book, Other::Book(&back), &(), &mut |_| Ok(())).unwrap();
    assert!(comparison.agree() && comparison.compared > 0);
}

fn packed(book: &Book, encoding: Encoding) -> Book {
    let options =
        pack::PackOptions { depth: book.depth(), kind: book.kind(), encoding, flat_to: None };
    written(&pack(book, options, &()).unwrap())
}

fn written(packed: &Packed) -> Book {
    Book::from_bytes(packed.contents(&packed.plies()).to_bytes().unwrap()).unwrap()
}

/// The book of a table.
fn imported(text: &[u8], size: Size) -> Book {
    let file = ForeignBook::open(text, Format::Csv, Some(size)).unwrap();
    written(&import(&file, None, Encoding::Flat, None, &()).unwrap())
}

fn assert_same_sections(one: &Book, other: &Book) {
    assert_eq!((one.size(), one.kind()), (other.size(), other.kind()));
    let sections = |book: &Book| {
        let bytes = book.to_bytes().unwrap();
        let start = book.sections()[0].offset as usize;
        (book.sections().iter().map(|s| s.ply).collect::<Vec<_>>(), bytes[start..].to_vec())
    };
    assert!(sections(one) == sections(other));
}

/// The solver finds the scores that the book lacks.
#[test]
fn late_positions_are_solved_beside_a_book() {
    for (size, known) in [
        ("9x7", include_str!("../data/sizes/9x7.txt")),
        ("10x10", include_str!("../data/sizes/10x10.txt")),
    ] {
        let size = size.parse().unwrap();
        let book = imported(b"position,score\n,0\n", size);
        let oracle = Oracle::new(book).unwrap();
        let start = oracle.score(Position::empty(size)).unwrap();
        assert_eq!((start.value, start.source), (0, Source::Book));
        assert!(known.lines().count() > 20);
        for line in known.lines().take(20) {
            let (moves, score) = line.split_once(' ').unwrap();
            let position = Position::parse(size, moves).unwrap();
            let answer = oracle.score(position).unwrap();
            assert_eq!(answer.value.to_string(), score, "{moves}");
        }
    }
}
