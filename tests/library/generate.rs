//! Generating on small boards, where everything can be compared with a plain
//! search; interrupted, resumed, and with checkpoints that cannot be used.

use crate::numbering::Numbering;
use crate::truth::{FIVE_BY_FOUR, reachable};
use fourbook::book::{ABSENT, PlyScores, encode};
use fourbook::generate::{self, GenerateError, Generated, OutcomeCounts, Plan};
use fourbook::progress::{Progress, Step};
use fourbook::{Book, Outcome, Position, Score, Size, ValueKind};
use std::collections::HashMap;
use std::fs;
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

pub(crate) fn run(plan: &Plan) -> Result<Generated, GenerateError> {
    generate::scores(plan, None, &(), &Arc::default())
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
    cancel: Arc<AtomicBool>,
}

impl Told {
    /// How many were newly solved.
    fn solved(&self) -> u64 {
        self.done.load(Ordering::Relaxed) - self.found.load(Ordering::Relaxed)
    }
}

impl Progress for Told {
    fn begin(&self, step: Step, total: u64) {
        let solving = if let Step::SolveAll { found, .. } = step {
            self.found.store(found, Ordering::Relaxed);
            self.positions.store(total, Ordering::Relaxed);
            true
        } else {
            false
        };
        self.solving.store(solving, Ordering::Relaxed);
    }

    fn advance(&self, units: u64) {
        if !self.solving.load(Ordering::Relaxed) {
            return;
        }
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        // Found positions are reported first.
        let solved = done.saturating_sub(self.found.load(Ordering::Relaxed));
        if self.most.is_some_and(|most| solved >= most) {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs until `most` positions have been solved, then cancels.
pub(crate) fn run_at_most(plan: &Plan, most: u64) -> Result<Generated, GenerateError> {
    let told = Told { most: Some(most), ..Told::default() };
    told.cancel.store(most == 0, Ordering::Relaxed);
    generate::scores(plan, None, &told, &told.cancel)
}

/// All plies and their bytes.
fn bytes_of(generated: &Generated) -> Vec<(u32, Vec<u8>)> {
    generated.plies().iter().map(|scores| (scores.ply, scores.bytes.to_vec())).collect()
}

/// The book that the same plan makes in one go, elsewhere.
fn expected_bytes(plan: &Plan) -> Vec<(u32, Vec<u8>)> {
    let folder = folder();
    bytes_of(&run(&Plan { out: folder.path().join("expected.book"), ..plan.clone() }).unwrap())
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

/// Compares every byte of every ply with a plain search.
fn compare_plies(plan: &Plan, found: &[PlyScores<'_>], known: &mut Known) {
    let plies: Vec<u32> = (0..=plan.depth).rev().step_by(2).collect();
    assert_eq!(found.iter().map(|scores| scores.ply).collect::<Vec<_>>(), plies);
    let reachable = reachable(plan.size, plan.depth);
    for scores in found {
        let numbering = Numbering::new(plan.size, scores.ply);
        let mut expected = vec![ABSENT; numbering.slots()];
        let positions = reachable[scores.ply as usize].iter();
        for &position in positions.filter(|position| position.score_by_rules().is_none()) {
            let score = minimax(position, known);
            expected[numbering.slot(position)] = encode(match plan.kind {
                ValueKind::Scores => score,
                ValueKind::WinDrawLoss => Outcome::of(score).sign(),
            });
        }
        assert_same_bytes(scores, &expected);
    }
}

fn assert_same_bytes(found: &PlyScores<'_>, expected: &[u8]) {
    assert_eq!(found.bytes.len(), expected.len(), "ply {}", found.ply);
    let different = found.bytes.iter().zip(expected).position(|(one, other)| one != other);
    assert_eq!(different, None, "a slot of ply {}", found.ply);
}

fn compare_all(size: &str, depth: u32, kind: ValueKind, known: &mut Known) {
    let folder = folder();
    let plan = Plan { kind, ..plan(folder.path(), size, depth) };
    compare_plies(&plan, &run(&plan).unwrap().plies(), known);
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
    let generated = run(&plan(folder.path(), "5x4", 8)).unwrap();
    for scores in generated.plies() {
        assert_same_bytes(&scores, FIVE_BY_FOUR.scores(scores.ply));
    }
}

#[test]
#[ignore = "a plain search of 5x4; `.ci/run slow` runs it"]
fn every_byte_of_a_5x4_book_is_what_a_plain_search_says() {
    compare_all("5x4", 12, ValueKind::Scores, &mut Known::new());
}

#[test]
fn the_number_of_threads_does_not_change_the_result() {
    let books: Vec<_> = [1, 2, 3]
        .map(|threads| {
            let folder = folder();
            bytes_of(&run(&Plan { threads, ..plan(folder.path(), SMALLEST, 9) }).unwrap())
        })
        .into();
    assert_eq!(books[0], books[1]);
    assert_eq!(books[0], books[2]);
}

#[test]
fn a_run_interrupted_anywhere_goes_on_to_the_same_result() {
    let folder = folder();
    let expected = expected_bytes(&plan(folder.path(), SMALLEST, 9));
    // Pseudorandom numbers, the same in every run of the test.
    let mut random = 88_172_645_463_325_252_u64;
    for attempt in 0..6 {
        let out = folder.path().join(format!("{attempt}.book"));
        let plan = Plan { out, ..plan(folder.path(), SMALLEST, 9) };
        let mut before = 0;
        let generated = loop {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let most = random % 1500;
            match run_at_most(&plan, most) {
                Ok(generated) => break generated,
                Err(GenerateError::Interrupted { solved: Some((solved, _)), .. }) => {
                    assert!(solved >= before + most, "{solved} after {before} and {most}");
                    before = solved;
                }
                Err(GenerateError::Interrupted { solved: None, .. }) => assert_eq!(most, 0),
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(bytes_of(&generated), expected, "attempt {attempt}");
        let stored = generated.report.plies[0].counts.stored;
        assert_eq!(generated.report.solving.positions, stored);
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
    let told = Told::default();
    generate::scores(&plan, None, &told, &Arc::default()).unwrap();
    assert_eq!(told.positions.load(Ordering::Relaxed), stored);
    assert_eq!(told.found.load(Ordering::Relaxed), solved);
    assert_eq!(told.solved(), stored - solved);
    // Everything is solved and the checkpoint is still there, so nothing is solved again.
    let told = Told::default();
    let finished = generate::scores(&plan, None, &told, &Arc::default()).unwrap();
    assert_eq!((finished.report.solving.runs, told.solved()), (2, 0));
}

#[test]
fn the_checkpoint_is_removed_once_book_and_report_are_written() {
    let folder = folder();
    let plan = plan(folder.path(), SMALLEST, 6);
    let generated = run(&plan).unwrap();
    assert!(plan.checkpoint_folder().is_dir());
    let report = generated.write(&()).unwrap();
    assert!(!plan.checkpoint_folder().exists());
    let written = std::fs::read_to_string(plan.report_file()).unwrap();
    assert!(written.contains("\"depth\": 6"), "{written}");
    assert_eq!(Book::open(&plan.out).unwrap().depth(), 6);
    assert_eq!((report.depth, report.size.as_str()), (6, "4x4"));
    // The empty board is a draw on 4x4.
    let root = report.plies.last().unwrap();
    assert_eq!(root.outcomes, OutcomeCounts { wins: 0, draws: 1, losses: 0 });
    for ply in report.plies {
        let OutcomeCounts { wins, draws, losses } = ply.outcomes;
        assert_eq!(wins + draws + losses, ply.counts.stored);
    }
}

#[test]
fn a_checkpoint_that_another_run_uses_is_refused() {
    let folder = folder();
    let plan = plan(folder.path(), SMALLEST, 6);
    let _first = run(&plan).unwrap();
    let error = run(&plan).unwrap_err();
    assert!(
        matches!(error, GenerateError::Locked(_)),
        "expected a locked checkpoint, found: {error}"
    );
}

/// A plan whose checkpoint has some positions solved.
fn interrupted_plan() -> (TempDir, Plan, PathBuf) {
    let folder = folder();
    let plan = plan(folder.path(), SMALLEST, 9);
    run_at_most(&plan, 100).unwrap_err();
    let scores = plan.checkpoint_folder().join("scores");
    (folder, plan, scores)
}

#[test]
fn a_checkpoint_for_another_book_is_refused_and_kept() {
    let (_folder, plan, scores) = interrupted_plan();
    let before = fs::read(&scores).unwrap();
    for other in [
        Plan { kind: ValueKind::WinDrawLoss, ..plan.clone() },
        Plan { depth: 8, ..plan.clone() },
        Plan { size: Size::new(5, 4).unwrap(), ..plan.clone() },
    ] {
        let error = run(&other).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("it is for something else: expected"), "{error}");
    }
    assert_eq!(fs::read(&scores).unwrap(), before);
    run(&Plan { threads: 1, table_bytes: 1 << 20, ..plan }).unwrap();
}

#[test]
fn damaged_scores_are_refused() {
    let (_folder, plan, scores) = interrupted_plan();
    let good = fs::read(&scores).unwrap();
    let solved = good.iter().position(|&byte| byte != 0).unwrap();
    let unused = expected_bytes(&plan)[0].1.iter().position(|&byte| byte == ABSENT).unwrap();
    for (slot, byte) in [(solved, 1), (solved, 255), (unused, 64)] {
        let mut damaged = good.clone();
        damaged[slot] = byte;
        fs::write(&scores, damaged).unwrap();
        let error = run(&plan).unwrap_err();
        assert!(
            matches!(error, GenerateError::Checkpoint { .. }),
            "expected damage, found: {error}"
        );
        let error = error.to_string();
        assert!(error.contains(&format!("byte {slot} is {byte},")), "{error}");
    }
    // Simulates a power loss: part of the file is older than the rest.
    let mut older = good;
    older[..solved + 1].fill(0);
    fs::write(&scores, older).unwrap();
    assert_eq!(bytes_of(&run(&plan).unwrap()), expected_bytes(&plan));
}

#[test]
fn a_foreign_file_in_place_of_the_checkpoint_is_kept_and_refused() {
    let folder = folder();
    let plan = plan(folder.path(), SMALLEST, 6);
    fs::write(plan.checkpoint_folder(), "mine").unwrap();
    let error = run(&plan).unwrap_err();
    assert!(matches!(error, GenerateError::Io { .. }), "{error}");
    assert_eq!(fs::read(plan.checkpoint_folder()).unwrap(), b"mine");
}

#[test]
fn a_plan_that_fails_its_checks_leaves_nothing_behind() {
    let folder = folder();
    let plan = Plan { threads: 0, ..plan(folder.path(), SMALLEST, 6) };
    let error = run(&plan).unwrap_err();
    assert!(matches!(error, GenerateError::NoThreads), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Panics after a number of solved positions.
struct Fails {
    after: u64,
    told: Told,
}

impl Progress for Fails {
    fn begin(&self, step: Step, total: u64) {
        self.told.begin(step, total);
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
        let run = || {
            generate::scores(
                &plan,
                None,
                &Fails { after: 100, told: Told::default() },
                &Arc::default(),
            )
        };
        assert!(std::panic::catch_unwind(run).is_err());
    }
    let told = Told::default();
    let generated = generate::scores(&plan, None, &told, &Arc::default()).unwrap();
    let (found, stored) = (&told.found, generated.report.plies[0].counts.stored);
    assert!((200..stored).contains(&found.load(Ordering::Relaxed)), "{found:?} of {stored}");
    assert_eq!(bytes_of(&generated), expected_bytes(&plan));
}
