//! Books of boards of more than 64 bits, from nothing to answers.

use crate::generate::{folder, plan, run, run_at_most};
use crate::truth::{contents, reachable};
use fourbook::board::column_name;
use fourbook::book::Encoding;
use fourbook::generate::{self, GenerateError, Generated, Parts, Plan, Shard};
use fourbook::tools::exchange::{
    ExportOptions, ForeignBook, Format, ImportOptions, Other, compare, export, import,
};
use fourbook::tools::pack::{self, Packed, pack};
use fourbook::tools::stats::statistics;
use fourbook::tools::verify::{Options, verify};
use fourbook::{Book, Limits, Lookup, Position, Solver, ValueKind};
use std::sync::LazyLock;

/// Of 68 bits, and solved in no time.
const SIZE: &str = "4x16";
const DEPTH: u32 = 5;

/// The bytes of the book, made in one go.
static BOOK: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = folder();
    book_of(&run(&plan(folder.path(), SIZE, DEPTH)).unwrap())
});

fn book_of(generated: &Generated) -> Vec<u8> {
    contents(SIZE.parse().unwrap(), ValueKind::Scores, &generated.plies()).to_bytes().unwrap()
}

fn open(bytes: &[u8]) -> Book {
    Book::from_bytes(bytes.to_vec()).unwrap()
}

fn packed(book: &Book, encoding: Encoding) -> Book {
    let options = pack::Options { depth: book.depth(), kind: book.kind(), encoding };
    written(&pack(book, options, &()).unwrap())
}

fn written(packed: &Packed) -> Book {
    Book::from_bytes(packed.contents(&packed.plies()).to_bytes().unwrap()).unwrap()
}

/// The book of a text as [`export`] writes it.
fn imported(text: &[u8], size: &str) -> Book {
    let file = ForeignBook::open(text, Format::Csv, Some(size.parse().unwrap())).unwrap();
    let options = ImportOptions { depth: None, encoding: Encoding::Flat };
    written(&import(&file, options, &()).unwrap())
}

fn assert_same_sections(one: &Book, other: &Book) {
    assert_eq!((one.size(), one.kind()), (other.size(), other.kind()));
    let sections = |book: &Book| book.sections().iter().map(|s| (s.ply, s.crc)).collect::<Vec<_>>();
    assert_eq!(sections(one), sections(other));
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_book() {
    let folder = folder();
    let plan = plan(folder.path(), SIZE, DEPTH);
    let Err(GenerateError::Interrupted { solved: Some((solved, stored)), .. }) =
        run_at_most(&plan, 100)
    else {
        panic!("it was cancelled")
    };
    assert!((100..stored).contains(&solved), "{solved} of {stored}");
    let resumed = run(&Plan { threads: 1, ..plan }).unwrap();
    assert_eq!((resumed.report().solving.runs, resumed.report().solving.positions), (2, stored));
    assert!(book_of(&resumed) == *BOOK);
}

#[test]
fn shards_are_merged_to_the_same_book() {
    let (folder, parts) = (folder(), folder());
    let plan = plan(folder.path(), SIZE, DEPTH);
    for shard in Shard::all(3).unwrap() {
        let out = parts.path().join(shard.file_name(plan.size, plan.depth, plan.kind));
        let plan = Plan { out, ..plan.clone() };
        let solved = generate::solve_shard(&plan, shard, &(), &Default::default()).unwrap();
        assert!(solved.identity.count > 0 && solved.identity.count < solved.identity.positions);
    }
    let found = Parts::find(parts.path()).unwrap();
    let plan = found.plan(folder.path().join("merged.book"), 2);
    let merged = generate::merge(&found, &plan, &(), &Default::default()).unwrap();
    assert!(book_of(&merged) == *BOOK);
}

#[test]
fn every_answer_is_the_solvers() {
    let book = open(&BOOK);
    let mut solver = Solver::for_size(book.size(), 64 << 20).unwrap();
    let (mut stored, mut derived) = (0, 0);
    for position in reachable(book.size(), DEPTH).into_iter().flatten().step_by(3) {
        let found = book.look_up(position);
        assert_eq!(found, book.look_up_reachable(position.mirrored()));
        match found {
            Lookup::Stored(_) => stored += 1,
            Lookup::Derived(_) => derived += 1,
            Lookup::Rules(_) => {}
            Lookup::TooDeep | Lookup::Absent => panic!("{position:?}"),
        }
        let score = solver.score(position, &Limits::default()).unwrap();
        assert_eq!(found.score(), Some(score), "{position:?}");
    }
    assert!(stored > 100 && derived > 50, "{stored} {derived}");
    let deeper = Position::parse(book.size(), "123412").unwrap();
    assert_eq!(book.look_up(deeper), Lookup::TooDeep);
}

#[test]
fn it_is_verified_packed_counted_and_exported() {
    let book = open(&BOOK);
    let options = Options { solve: 100, ..Options::default() };
    let report = verify(&book, &options, &()).unwrap();
    assert!(report.passed(), "{report:?}");
    assert_eq!(report.checks.last().unwrap().checked, 100);
    check_tools(&book);
}

/// What holds for every book of exact scores.
fn check_tools(book: &Book) {
    let positions = reachable(book.size(), book.depth());
    let compact = packed(book, Encoding::Compact);
    assert_eq!(compact.encoding(), Encoding::Compact);
    assert!(verify(&compact, &Options::default(), &()).unwrap().passed());
    assert_same_sections(&packed(&compact, Encoding::Flat), book);
    for &position in positions.iter().flatten() {
        assert_eq!(compact.look_up(position), book.look_up(position), "{position:?}");
    }

    let totals = statistics(book, &()).unwrap();
    let totals = totals.iter().map(|ply| ply.distinct.total() as usize).collect::<Vec<_>>();
    assert_eq!(totals, positions.iter().map(|ply| ply.len()).collect::<Vec<_>>());

    let mut text = Vec::new();
    export(book, &ExportOptions::new(Format::Csv), &mut text, &()).unwrap();
    let back = imported(&text, &book.size().to_string());
    assert_same_sections(&back, book);
    let comparison = compare(book, Other::Book(&back), &(), &mut |_| Ok(())).unwrap();
    assert!(comparison.agree() && comparison.compared > 0);
}

/// Nobody can solve these boards; the values of the deepest ply are made up, and the
/// others follow.
#[test]
fn boards_too_large_to_solve_have_books() {
    for (size, depth) in [("9x7", 4), ("10x10", 2), ("16x7", 2), ("4x31", 6)] {
        let mut text = "position,score\n".to_owned();
        let deepest = reachable(size.parse().unwrap(), depth).pop().unwrap();
        for position in deepest.into_iter().filter(|p| p.score_by_rules().is_none()) {
            let value = position.canonical_key() % 7;
            text += &format!("key:{},{}\n", position.key(), value as i8 - 3);
        }
        let book = imported(text.as_bytes(), size);
        assert_eq!((book.size().to_string().as_str(), book.depth()), (size, depth));
        assert!(verify(&book, &Options::default(), &()).unwrap().passed());
        check_tools(&book);
        let last = column_name(book.size().width() - 1);
        let moves = |moves: &str| Position::parse(book.size(), moves).unwrap();
        let images =
            [moves("12"), moves(&format!("{last}{}", column_name(book.size().width() - 2)))];
        assert_eq!(images[0].mirrored(), images[1]);
        assert_eq!(book.look_up(images[0]), book.look_up(images[1]));
    }
}
