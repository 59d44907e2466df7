//! Books of boards of more than 64 bits. Their first plies cannot be solved, so the scores are made
//! up and put into a checkpoint, as if they had been found. Everything but the search is the code
//! that makes real books.

use crate::generate::{folder, plan, positions_of, record};
use crate::truth::{reachable, sections};
use fourbook::board::notation::Notation;
use fourbook::book::{BookContents, Encoding, encode};
use fourbook::generate::{self, GenerateError, Parts, Plan, Report, Shard};
use fourbook::progress::{Progress, Step};
use fourbook::tools::exchange::{
    ExportOptions, ForeignBook, Format, Other, compare, export, import,
};
use fourbook::tools::pack::{self, pack};
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
    fn begin(&self, step: Step, _: u64, _: u64) {
        if let Step::SolveAll(_) = step {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    fn advance(&self, _: u64) {}

    fn cancel(&self) -> Option<&Arc<AtomicBool>> {
        Some(&self.0)
    }
}

/// The solved positions and all positions, as reported by an interrupted run.
fn interrupted(result: Result<Report, GenerateError>) -> (u64, u64) {
    match result {
        Err(GenerateError::Interrupted { solved: Some(solved), .. }) => solved,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was cancelled"),
    }
}

/// Changes the scores in the checkpoint of a plan, the first of which has a place in the order that
/// shards divide: the score of each position becomes its place, less 27. Returns how many there are.
fn make_scores_up(plan: &Plan, first: i8, most: usize) -> usize {
    let path = plan.checkpoint_file();
    let mut bytes = fs::read(&path).unwrap();
    let positions = positions_of(&bytes) as usize;
    let scores: Vec<u8> = (first..).map(|place| encode(place - 27)).take(positions).collect();
    for (number, scores) in scores[..most.min(positions)].chunks(24).enumerate() {
        bytes.extend(record(&bytes, 24 * number as u64, scores));
    }
    fs::write(&path, bytes).unwrap();
    positions
}

/// The book merged from `shards` shards, and how many positions they have.
fn merged(folder: &TempDir, plan: &Plan, shards: u32) -> (Vec<u8>, u64) {
    let parts = folder.path().join(format!("{shards} parts"));
    fs::create_dir(&parts).unwrap();
    let mut first = 0_i8;
    for index in 1..=shards {
        let shard = Shard::new(index, shards).unwrap();
        let out = parts.join(shard.file_name(plan.size, plan.depth, plan.kind));
        let plan = Plan { out, ..plan.clone() };
        let stop = BeforeSolving::default();
        let solve = generate::solve_shard;
        let error = solve(&plan, shard, &stop).unwrap_err();
        assert!(matches!(error, GenerateError::Interrupted { .. }), "{error}");
        let positions = make_scores_up(&plan, first, usize::MAX);
        let solved = solve(&plan, shard, &()).unwrap();
        assert!(positions > 0);
        assert_eq!(solved.range, first as u64..first as u64 + positions as u64);
        first += positions as i8;
    }
    let found = Parts::find(&parts, &()).unwrap();
    let plan = found.plan(folder.path().join(format!("{shards}.book")), 2);
    let report = generate::merge(&found, &plan, &()).unwrap();
    assert_eq!(report.plies[0].counts.stored, first as u64);
    (fs::read(plan.out).unwrap(), first as u64)
}

#[test]
fn a_book_is_the_same_resumed_and_merged_of_any_number_of_parts() {
    for (size, depth) in BOOKS {
        let folder = folder();
        let plan = plan(folder.path(), size, depth);
        let (bytes, positions) = merged(&folder, &plan, 1);
        assert!(merged(&folder, &plan, 3) == (bytes.clone(), positions));

        let stop = BeforeSolving::default();
        assert_eq!(interrupted(generate::run(&plan, &stop)), (0, positions));
        // Half of the scores are found first, then the others.
        let half = positions / 2;
        make_scores_up(&plan, 0, half as usize);
        let stop = BeforeSolving::default();
        assert_eq!(interrupted(generate::run(&plan, &stop)), (half, positions));
        make_scores_up(&plan, 0, usize::MAX);
        generate::run(&plan, &()).unwrap();
        assert!(fs::read(&plan.out).unwrap() == bytes);
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
        let answers = [book, &compact]
            .map(|book| [position, position.mirrored()].map(|image| book.look_up(image).unwrap()));
        assert_eq!(answers, [[found; 2]; 2], "{position:?}");
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
    let options = pack::PackOptions { depth: book.depth(), kind: book.kind(), encoding };
    written(&pack(book, options, &()).unwrap())
}

fn written(contents: &BookContents) -> Book {
    Book::from_bytes(contents.to_bytes().unwrap()).unwrap()
}

/// The book of a table.
fn imported(text: &[u8], size: Size) -> Book {
    let file = ForeignBook::open(text, Format::Csv, Some(size)).unwrap();
    written(&import(&file, None, Encoding::Flat, None, &()).unwrap())
}

fn assert_same_sections(one: &Book, other: &Book) {
    assert_eq!((one.size(), one.kind()), (other.size(), other.kind()));
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
        let empty = Notation::Diagram.print(Position::empty(size)).unwrap();
        let book = imported(format!("position,score\n{empty},0\n").as_bytes(), size);
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
