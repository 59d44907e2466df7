//! Generating on small boards, where everything can be compared with a plain
//! search; interrupted, resumed, and with checkpoints that cannot be used.

use crate::numbering::Numbering;
use crate::truth::{FIVE_BY_FOUR, contents, reachable, sections};
use fourbook::book::{ABSENT, PlyScores, encode};
use fourbook::generate::{self, GenerateError, Plan, PlyReport, Report, Shard};
use fourbook::progress::{Progress, Step};
use fourbook::{Book, Outcome, Position, Score, Size, ValueKind};
use std::collections::HashMap;
use std::fs::{self, File};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tempfile::TempDir;

const SMALLEST: &str = "4x4";

pub(crate) fn plan(folder: &Path, size: &str, depth: u32) -> Plan {
    let (threads, table_bytes, out) = (2, 16 << 20, folder.join("test.book"));
    Plan { threads, table_bytes, out, ..Plan::new(size.parse().unwrap(), depth) }
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn run(plan: &Plan) -> Result<Report, GenerateError> {
    generate::run(plan, &())
}

/// How many positions a checkpoint is for.
pub(crate) fn positions_of(checkpoint: &[u8]) -> u64 {
    u64::from_le_bytes(checkpoint[50..58].try_into().unwrap())
}

/// A record of a checkpoint with these scores, at most 24, of the positions from `first` on.
pub(crate) fn record(checkpoint: &[u8], first: u64, scores: &[u8]) -> [u8; 64] {
    let mut record = [0; 64];
    record[..8].copy_from_slice(&first.to_le_bytes());
    record[36..][..scores.len()].copy_from_slice(scores);
    let sum = crc32fast::hash(&[&checkpoint[..58], &record[..60]].concat());
    record[60..].copy_from_slice(&sum.to_le_bytes());
    record
}

/// The progress events of solving.
#[derive(Default)]
struct Told {
    /// How many positions a checkpoint had.
    found: AtomicU64,
    /// How many there are.
    positions: AtomicU64,
    /// Number of positions reported, including found ones.
    done: AtomicU64,
    solving: AtomicBool,
    /// Cancels after this many newly solved positions.
    most: Option<u64>,
    /// Cancels when all positions are solved.
    solve_only: bool,
    cancel: Arc<AtomicBool>,
}

impl Told {
    /// How many were newly solved.
    fn solved(&self) -> u64 {
        self.done.load(Ordering::Relaxed) - self.found.load(Ordering::Relaxed)
    }
}

impl Progress for Told {
    fn begin(&self, step: Step, done: u64, total: u64) {
        let solving = if let Step::SolveAll(_) = step {
            self.found.store(done, Ordering::Relaxed);
            self.done.store(done, Ordering::Relaxed);
            self.positions.store(total, Ordering::Relaxed);
            true
        } else {
            false
        };
        self.solving.store(solving, Ordering::Relaxed);
        if self.solve_only && step == Step::Merge {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }

    fn advance(&self, units: u64) {
        if !self.solving.load(Ordering::Relaxed) {
            return;
        }
        self.done.fetch_add(units, Ordering::Relaxed);
        if self.most.is_some_and(|most| self.solved() >= most) {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }

    fn cancel(&self) -> Option<&Arc<AtomicBool>> {
        Some(&self.cancel)
    }
}

/// Runs until `most` positions have been solved, then cancels.
fn run_at_most(plan: &Plan, most: u64) -> Result<Report, GenerateError> {
    let told = Told { most: Some(most), ..Told::default() };
    told.cancel.store(most == 0, Ordering::Relaxed);
    generate::run(plan, &told)
}

/// The book that a plan makes.
fn book_of(plan: &Plan) -> Vec<u8> {
    run(plan).unwrap();
    fs::read(&plan.out).unwrap()
}

/// The book that the same plan makes in one go, elsewhere.
fn expected_book(plan: &Plan) -> Vec<u8> {
    let folder = folder();
    book_of(&Plan { out: folder.path().join("expected.book"), ..plan.clone() })
}

/// Scores by key.
type Known = HashMap<u128, Score>;

/// A search by the rules alone that shares no code with the solver.
fn minimax(position: Position, known: &mut Known) -> Score {
    if position.is_won() {
        return -((position.size().cells() + 2 - position.ply()) as Score / 2);
    }
    let key = position.canonical_key();
    if let Some(&score) = known.get(&key) {
        return score;
    }
    let children = position.children().flatten();
    let best = children.map(|child| -minimax(child, known)).max().unwrap_or(0);
    known.insert(key, best);
    best
}

/// The book of a plan whose scores come from a plain search.
fn searched(plan: &Plan, known: &mut Known) -> Book {
    let reachable = reachable(plan.size, plan.depth);
    let plies: Vec<PlyScores> = (0..=plan.depth)
        .rev()
        .step_by(2)
        .map(|ply| {
            let numbering = Numbering::new(plan.size, ply);
            let mut bytes = vec![ABSENT; numbering.slots()];
            let positions = reachable[ply as usize].iter();
            for &position in positions.filter(|position| position.score_by_rules().is_none()) {
                let score = minimax(position, known);
                bytes[numbering.slot(position)] = encode(match plan.kind {
                    ValueKind::Scores => score,
                    ValueKind::WinDrawLoss => Outcome::of(score).sign(),
                });
            }
            PlyScores::new(ply, bytes)
        })
        .collect();
    Book::from_bytes(contents(plan.size, plan.kind, &plies).to_bytes().unwrap()).unwrap()
}

fn compare_all(size: &str, depth: u32, kind: ValueKind, known: &mut Known) {
    let folder = folder();
    let plan = Plan { kind, ..plan(folder.path(), size, depth) };
    run(&plan).unwrap();
    let book = Book::open(&plan.out).unwrap();
    assert!(sections(&book) == sections(&searched(&plan, known)), "{size} to ply {depth}");
}

#[test]
fn every_byte_of_4x4_books_is_what_a_plain_search_says() {
    let mut known = Known::new();
    for depth in [1, 4, 7, 10, 15] {
        compare_all(SMALLEST, depth, ValueKind::Scores, &mut known);
    }
    for depth in [0, 3, 8] {
        compare_all(SMALLEST, depth, ValueKind::WinDrawLoss, &mut known);
    }
}

#[test]
fn every_byte_of_a_5x4_book_is_what_the_solver_says() {
    let folder = folder();
    let made = Book::from_bytes(book_of(&plan(folder.path(), "5x4", 8))).unwrap();
    let expected = Book::from_bytes(FIVE_BY_FOUR.book(8, ValueKind::Scores)).unwrap();
    assert!(sections(&made) == sections(&expected));
}

#[test]
#[ignore = "a plain search of 5x4; `.ci/run slow` runs it"]
fn every_byte_of_a_5x4_book_is_what_a_plain_search_says() {
    compare_all("5x4", 12, ValueKind::Scores, &mut Known::new());
}

#[test]
fn the_number_of_threads_does_not_change_the_result() {
    // 0 is one for each processor.
    let books: Vec<_> = [0, 1, 3]
        .map(|threads| {
            let folder = folder();
            book_of(&Plan { threads, ..plan(folder.path(), SMALLEST, 9) })
        })
        .into();
    assert!(books[0] == books[1] && books[0] == books[2]);
}

#[test]
fn a_run_interrupted_anywhere_goes_on_to_the_same_result() {
    let folder = folder();
    let expected = expected_book(&plan(folder.path(), SMALLEST, 9));
    // Pseudorandom numbers, the same in every run of the test.
    let mut random = 88_172_645_463_325_252_u64;
    for attempt in 0..6 {
        let out = folder.path().join(format!("{attempt}.book"));
        let plan = Plan { out, ..plan(folder.path(), SMALLEST, 9) };
        let mut before = 0;
        let report = loop {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let most = random % 1500;
            match run_at_most(&plan, most) {
                Ok(report) => break report,
                Err(GenerateError::Interrupted { solved: Some((solved, _)), .. }) => {
                    assert!(solved >= before + most, "{solved} after {before} and {most}");
                    before = solved;
                }
                Err(GenerateError::Interrupted { solved: None, .. }) => assert_eq!(most, 0),
                Err(error) => panic!("{error}"),
            }
        };
        assert!(fs::read(&plan.out).unwrap() == expected, "attempt {attempt}");
        assert_eq!(report.solving.positions, report.plies[0].counts.stored);
    }
}

#[test]
fn a_resumed_run_says_what_was_found_and_solves_the_rest_only() {
    let folder = folder();
    let plan = plan(folder.path(), SMALLEST, 9);
    let Err(GenerateError::Interrupted { solved: Some((solved, stored)), .. }) =
        run_at_most(&plan, 500)
    else {
        panic!("not interrupted");
    };
    let told = Told { solve_only: true, ..Told::default() };
    generate::run(&plan, &told).unwrap_err();
    assert_eq!(told.positions.load(Ordering::Relaxed), stored);
    assert_eq!(told.found.load(Ordering::Relaxed), solved);
    assert_eq!(told.solved(), stored - solved);
    // Everything is solved and the checkpoint is still there, so nothing is solved again.
    let told = Told::default();
    let report = generate::run(&plan, &told).unwrap();
    assert_eq!((report.solving.runs, told.solved()), (2, 0));
}

#[test]
fn the_checkpoint_is_removed_once_book_and_report_are_written() {
    let folder = folder();
    let plan = plan(folder.path(), SMALLEST, 6);
    run_at_most(&plan, 1).unwrap_err();
    assert!(plan.checkpoint_file().is_file());
    let report = run(&plan).unwrap();
    assert!(!plan.checkpoint_file().exists());
    let written = std::fs::read_to_string(plan.report_file()).unwrap();
    assert!(written.contains("\"depth\": 6"), "{written}");
    assert_eq!(Book::open(&plan.out).unwrap().depth(), 6);
    assert_eq!((report.depth, report.size.to_string().as_str()), (6, "4x4"));
    // The empty board is a draw on 4x4.
    let root = report.plies.last().unwrap();
    assert_eq!((root.wins, root.draws, root.losses), (0, 1, 0));
    for PlyReport { wins, draws, losses, counts, .. } in report.plies {
        assert_eq!(wins + draws + losses, counts.stored);
    }
}

#[test]
fn a_checkpoint_that_another_run_uses_is_refused() {
    let folder = folder();
    let plan = plan(folder.path(), SMALLEST, 6);
    run_at_most(&plan, 1).unwrap_err();
    let first = File::open(plan.checkpoint_file()).unwrap();
    first.lock().unwrap();
    let error = run(&plan).unwrap_err();
    assert!(
        matches!(error, GenerateError::Locked(_)),
        "expected a locked checkpoint, found: {error}"
    );
    // Closing the file alone would not do where another test is just starting a program.
    first.unlock().unwrap();
    run(&plan).unwrap();
}

/// A plan whose checkpoint has some positions solved, and the checkpoint.
fn interrupted_plan() -> (TempDir, Plan, PathBuf) {
    let folder = folder();
    let plan = plan(folder.path(), SMALLEST, 9);
    run_at_most(&plan, 100).unwrap_err();
    let checkpoint = plan.checkpoint_file();
    (folder, plan, checkpoint)
}

#[test]
fn a_checkpoint_for_another_book_is_refused_and_kept() {
    let (_folder, plan, checkpoint) = interrupted_plan();
    let before = fs::read(&checkpoint).unwrap();
    for other in [
        Plan { kind: ValueKind::WinDrawLoss, ..plan.clone() },
        Plan { depth: 8, ..plan.clone() },
        Plan { size: Size::new(5, 4).unwrap(), ..plan.clone() },
    ] {
        let error = run(&other).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("it is for something else: expected"), "{error}");
    }
    assert_eq!(fs::read(&checkpoint).unwrap(), before);
    run(&Plan { threads: 1, table_bytes: 1 << 20, ..plan }).unwrap();
}

/// One bit of each byte of the checkpoints of a book and of a shard.
#[test]
fn no_damaged_byte_of_a_checkpoint_makes_a_wrong_book_or_part() {
    // Hundreds of runs need not wait for a disk.
    let folder = tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| folder());
    let size = SMALLEST.parse().unwrap();
    let kind = ValueKind::Scores;
    let shard = Shard::new(1, 1).unwrap();
    let small = Plan { threads: 1, table_bytes: 1 << 16, ..plan(folder.path(), SMALLEST, 3) };
    let part = Plan { out: folder.path().join(shard.file_name(size, 3, kind)), ..small.clone() };
    let mut resumed = 0;
    let mut refused = 0;
    for (plan, of_shard) in [(small, false), (part, true)] {
        let run = |told: &Told| match of_shard {
            true => generate::solve_shard(&plan, shard, told).map(drop),
            false => generate::run(&plan, told).map(drop),
        };
        // The values of a part are after its header, which has the time it took.
        let values = || fs::read(&plan.out).unwrap().split_off(if of_shard { 94 } else { 0 });
        run(&Told::default()).unwrap();
        let expected = values();
        let remove = || {
            fs::remove_file(&plan.out).unwrap();
            if !of_shard {
                fs::remove_file(plan.report_file()).unwrap();
            }
        };
        remove();
        run(&Told { most: Some(8), ..Told::default() }).unwrap_err();
        let good = fs::read(plan.checkpoint_file()).unwrap();
        assert!(good.len() > 128, "there are scores");
        for at in 0..good.len() {
            let mut damaged = good.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(plan.checkpoint_file(), damaged).unwrap();
            match run(&Told::default()) {
                Ok(()) => {
                    assert!(values() == expected, "byte {at}");
                    remove();
                    resumed += 1;
                }
                Err(GenerateError::Checkpoint { .. }) => refused += 1,
                Err(error) => panic!("byte {at}: {error}"),
            }
        }
    }
    // Each header is there twice.
    assert!(resumed > 256 && refused == 0, "{resumed} resumed, {refused} refused");
}

#[test]
fn a_record_with_impossible_scores_counts_for_nothing() {
    let (_folder, plan, checkpoint) = interrupted_plan();
    let good = fs::read(&checkpoint).unwrap();
    let beyond = positions_of(&good);
    for (first, score) in [(0, 1), (0, 255), (beyond, 64), (u64::MAX, 64)] {
        fs::write(&checkpoint, [&good[..], &record(&good, first, &[score])].concat()).unwrap();
        let told = Told { most: Some(1), ..Told::default() };
        generate::run(&plan, &told).unwrap_err();
    }
    fs::write(&checkpoint, [&good[..], &record(&good, 0, &[1; 24])].concat()).unwrap();
    assert!(book_of(&plan) == expected_book(&plan));
}

#[test]
fn something_else_in_place_of_the_checkpoint_is_kept_and_refused() {
    let folder = folder();
    let plan = plan(folder.path(), SMALLEST, 6);
    let refused = |expected: &str| {
        let error = run(&plan).unwrap_err();
        assert!(matches!(error, GenerateError::Checkpoint { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    };
    fs::write(plan.checkpoint_file(), "mine").unwrap();
    refused("it does not begin as such a file does");
    assert_eq!(fs::read(plan.checkpoint_file()).unwrap(), b"mine");
    fs::remove_file(plan.checkpoint_file()).unwrap();
    fs::create_dir(plan.checkpoint_file()).unwrap();
    refused("expected a file, found a folder");
    assert!(plan.checkpoint_file().is_dir());
}

#[test]
fn a_plan_that_fails_its_checks_leaves_nothing_behind() {
    let folder = folder();
    let plan = Plan { table_bytes: 1 << 50, ..plan(folder.path(), SMALLEST, 6) };
    let error = run(&plan).unwrap_err();
    assert!(matches!(error, GenerateError::Memory { .. }), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Panics after a number of solved positions.
struct Fails {
    after: u64,
    told: Told,
}

impl Progress for Fails {
    fn begin(&self, step: Step, done: u64, total: u64) {
        self.told.begin(step, done, total);
    }

    fn advance(&self, units: u64) {
        self.told.advance(units);
        assert!(self.told.solved() != self.after, "this is one too many");
    }
}

/// Helpers wait for the threads they help, but must not wait for a dead one.
#[test]
fn a_thread_that_panics_ends_the_run_and_what_is_solved_stays() {
    let folder = folder();
    let plan = plan(folder.path(), SMALLEST, 9);
    for threads in [1, 3] {
        let plan = Plan { threads, ..plan.clone() };
        let fails = Fails { after: 100, told: Told::default() };
        let run = || generate::run(&plan, &fails);
        assert!(std::panic::catch_unwind(AssertUnwindSafe(run)).is_err());
    }
    let told = Told::default();
    let report = generate::run(&plan, &told).unwrap();
    let found = &told.found;
    let stored = report.plies[0].counts.stored;
    assert!((200..stored).contains(&found.load(Ordering::Relaxed)), "{found:?} of {stored}");
    assert!(fs::read(&plan.out).unwrap() == expected_book(&plan));
}
