//! Compares the solver with results that were found without it.

use crate::common::{analyse, endless_work, stopped};
use crate::minimax;
use fourbook::board::ScoreBounds;
use fourbook::oracle::{Question, Step};
use fourbook::solver::SearchProgress;
use fourbook::{Book, Level, Limits, Oracle, Outcome, Position, Size, Solver, StopReason};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn solver(bytes: usize) -> Solver {
    Solver::new(bytes).expect("there is memory for a table")
}

/// Positions of 7x6 with scores that two other solvers agree on.
fn check_file(text: &str) {
    let mut solver = solver(256 << 20);
    for line in text.lines() {
        let (moves, score) = line.split_once(' ').expect("a line is a position and its score");
        let position = Position::from_moves(moves).expect("the moves are legal");
        let expected: i8 = score.parse().expect("the score is a number");
        assert_eq!(solver.score(position), Ok(expected), "{moves}");
        assert_eq!(
            solver.outcome(position.mirrored()),
            Ok(Outcome::of(expected)),
            "outcome of the mirror image of {moves}"
        );
    }
}

/// The threads of musl have 128 KiB of stack. The boards are the highest and widest of their words
/// and vectors.
#[test]
fn the_largest_boards_need_little_stack_of_a_caller() {
    let search = || {
        for size in ["7x6", "9x6", "8x15", "10x11", "16x7", "4x31"] {
            let size: Size = size.parse().unwrap();
            // More than a search for quick results takes, so that one goes to the end of a game.
            let limits = Limits { max_nodes: Some(100_000), ..Limits::default() };
            let oracle = Oracle::without_book(size).unwrap().with_limits(limits.clone());
            for threads in [1, 3] {
                let oracle = oracle.with_threads(threads);
                assert!(oracle.score(Position::empty(size)).is_err(), "{size}");
            }
            let solver = Solver::sharing(oracle.table().clone()).unwrap();
            let outcome = solver.with_limits(limits).outcome(Position::empty(size));
            assert!(outcome.is_err(), "{size}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(128 << 10);
    thread.spawn(search).unwrap().join().unwrap();
}

#[test]
fn end_easy_scores_are_right() {
    check_file(include_str!("../data/end-easy.txt"));
}

#[test]
fn middle_easy_scores_are_right() {
    check_file(include_str!("../data/middle-easy.txt"));
}

#[test]
fn middle_medium_scores_are_right() {
    check_file(include_str!("../data/middle-medium.txt"));
}

#[test]
fn begin_easy_scores_are_right() {
    check_file(include_str!("../data/begin-easy.txt"));
}

/// Positions decided within a few more stones.
#[test]
fn quick_wins_scores_are_right() {
    check_file(include_str!("../data/quick-wins.txt"));
}

#[test]
fn begin_medium_scores_are_right() {
    check_file(include_str!("../data/begin-medium.txt"));
}

#[test]
#[ignore = "takes long to solve; `.ci/run slow` runs it"]
fn begin_hard_scores_are_right() {
    check_file(include_str!("../data/begin-hard.txt"));
}

/// Positions that a published book had wrong.
#[test]
fn positions_that_other_books_had_wrong_are_right() {
    check_file("226744515337 7\n475772722323 4\n");
}

/// The first player wins with the last stone but one by starting in the centre.
#[test]
#[ignore = "takes long to solve; `.ci/run slow` runs it"]
fn the_empty_board_and_its_moves_have_the_known_scores() {
    let mut solver = solver(1 << 30);
    let (score, moves) = analyse(&mut solver, Position::default());
    assert_eq!(moves, [-2, -1, 0, 1, 0, -1, -2].map(Some));
    assert_eq!(score, 1);
}

/// `positions` is how many there are by J. Tromp's count, games that are over included.
fn compare_with_minimax(width: usize, height: usize, positions: usize) {
    let truth = minimax::play_out(width, height);
    assert_eq!(truth.positions, positions, "positions on {width}x{height}");
    let empty = Position::empty(Size::new(width, height).unwrap());
    let mut solver = Solver::for_size(empty.size(), 16 << 20).unwrap();
    let book = Book::embedded_for(empty.size()).unwrap();
    for (moves, score) in truth.scores {
        let position = moves.iter().fold(empty, |position, &column| position.play(column.into()));
        let solved = solver.score(position);
        assert_eq!(solved.map(i32::from), Ok(score), "{position:?}");
        if position.ply() <= book.depth() {
            let found = book.look_up(position).unwrap().score();
            assert_eq!(found.map(i32::from), Some(score), "{position:?}");
        }
    }
}

#[test]
fn every_position_of_4x4_equals_plain_minimax() {
    compare_with_minimax(4, 4, 161_029);
}

#[test]
fn every_position_of_4x5_equals_plain_minimax() {
    compare_with_minimax(4, 5, 1_706_255);
}

#[test]
#[ignore = "takes long to solve; `.ci/run slow` runs it"]
fn every_position_of_5x4_equals_plain_minimax() {
    compare_with_minimax(5, 4, 3_945_711);
}

/// Neither positions with a win at once nor positions where every move loses are searched.
#[test]
fn s2_direct_losses_are_seen_without_search() {
    let mut solver = solver(1 << 20);
    // X has three in the first row with both ends open: two replies are forced.
    let lost = Position::from_moves("33445").expect("legal");
    assert_eq!(solver.score(lost), Ok(-18));
    let won = Position::from_moves("334455").expect("legal");
    assert_eq!(solver.score(won), Ok(18));
    assert_eq!(solver.nodes(), 0);
}

#[test]
fn an_ended_game_has_the_score_of_its_last_stone() {
    let mut solver = solver(1 << 20);
    let ended = Position::from_moves("1212121").expect("legal");
    assert_eq!(solver.score(ended), Ok(-18));
    assert_eq!(analyse(&mut solver, ended), (-18, vec![None; 7]));
}

#[test]
fn a_node_budget_stops_the_search_and_a_larger_one_does_not() {
    let hard = Position::from_moves("4").expect("legal");
    let limits = Limits { max_nodes: Some(10_000), ..Limits::default() };
    let mut solver = solver(1 << 20).with_limits(limits);
    let stopped = stopped(solver.score(hard));
    assert_eq!((stopped.reason, stopped.nodes), (StopReason::NodeBudget, 10_000));
    assert_eq!(solver.nodes(), 10_000);
    let easy = Position::from_moves("7422341735647741166133573473242566").expect("legal");
    assert!(solver.score(easy).is_ok());
}

/// Bounds become tighter with every node, hold the score, and meet there at the end.
#[test]
fn a_stopped_search_says_what_it_has_proved() {
    let position = Position::from_moves("5622736721521").expect("legal");
    let progress = Arc::new(SearchProgress::default());
    let mut before = ScoreBounds::by_rules(position);
    let mut found = 0;
    for most in (0..).map(|number| 500 << number) {
        let progress = Some(Arc::clone(&progress));
        let limits = Limits { max_nodes: Some(most), progress, ..Limits::default() };
        // A new table each time.
        match solver(1 << 20).with_limits(limits.clone()).score(position) {
            Ok(score) => {
                assert_eq!(limits.progress.unwrap().bounds(), Some(ScoreBounds::exactly(score)));
                break;
            }
            result => {
                let bounds = stopped(result).bounds.expect("one position");
                assert_eq!(bounds, before.and(bounds), "after {most} nodes");
                assert!((bounds.min..=bounds.max).contains(&-8), "{bounds:?}");
                assert_eq!(limits.progress.unwrap().bounds(), Some(bounds));
                found += u32::from(bounds != before);
                before = bounds;
            }
        }
    }
    assert!(found > 0, "{before:?}");
    assert!(progress.nodes() > 1000);
}

#[test]
fn a_deadline_stops_the_search() {
    let (hard, solver) = endless_work();
    let max_time = Duration::from_millis(50);
    let limits = Limits { max_time: Some(max_time), ..Limits::default() };
    let mut solver = solver.with_limits(limits);
    for _ in 0..2 {
        let start = Instant::now();
        assert_eq!(stopped(solver.score(hard)).reason, StopReason::Deadline);
        assert!(start.elapsed() >= max_time, "the time counts from the start of each call");
    }
}

/// The most nodes between two looks of a thread at the clock and at the flag: about a millisecond.
const MOST: u64 = 512;

#[test]
fn a_limit_that_has_passed_ends_every_search_at_once() {
    let now = Limits { max_time: Some(Duration::ZERO), ..Limits::default() };
    let cancelled = Limits { cancel: Some(Arc::new(true.into())), ..Limits::default() };
    for size in [(4, 4), (7, 6), (8, 8), (16, 7)] {
        let position = Position::empty(Size::new(size.0, size.1).unwrap());
        let questions = [
            Question::Score,
            Question::Outcome,
            Question::Moves,
            Question::BestMoves,
            Question::Line,
            Question::Play { level: Level::PERFECT, seed: 1 },
        ];
        for (question, threads) in questions.into_iter().flat_map(|it| [(it.clone(), 1), (it, 3)]) {
            for limits in [&now, &cancelled] {
                let oracle = Oracle::without_book(position.size()).unwrap().with_threads(threads);
                let mut query = oracle.query(position, question.clone()).unwrap();
                let before = oracle.nodes();
                let Step::More(stopped) = query.step(limits).unwrap() else { panic!("{size:?}") };
                assert!(!matches!(stopped.reason, StopReason::NodeBudget), "{stopped}");
                let nodes = oracle.nodes() - before;
                assert!(nodes <= MOST * threads as u64, "{size:?} {question:?}: {nodes}");
            }
        }
    }
}

#[test]
fn another_thread_can_cancel_the_search() {
    let (hard, solver) = endless_work();
    let cancel = Arc::new(AtomicBool::new(false));
    let progress: Arc<SearchProgress> = Arc::default();
    let limits = Limits {
        cancel: Some(Arc::clone(&cancel)),
        progress: Some(Arc::clone(&progress)),
        ..Limits::default()
    };
    let search = std::thread::spawn(move || solver.with_limits(limits).score(hard));
    while progress.nodes() == 0 {
        std::thread::yield_now();
    }
    cancel.store(true, Ordering::Relaxed);
    let before = progress.nodes();
    let stopped = stopped(search.join().expect("the thread ends"));
    assert_eq!(stopped.reason, StopReason::Cancelled);
    // Nodes that were not counted yet, and nodes after a look just before.
    assert!(stopped.nodes - before <= 2 * MOST, "{} nodes later", stopped.nodes - before);
}

/// A stopped search leaves only true bounds in the tables.
#[test]
fn scores_are_right_after_stopped_searches() {
    let mut solver = solver(1 << 20);
    for line in include_str!("../data/middle-medium.txt").lines().take(40) {
        let (moves, score) = line.split_once(' ').expect("a line is a position and its score");
        let position = Position::from_moves(moves).expect("the moves are legal");
        for budget in [1, 10, 100, 1000] {
            let limits = Limits { max_nodes: Some(budget), ..Limits::default() };
            solver = solver.with_limits(limits);
            let _ = solver.score(position);
        }
        solver = solver.with_limits(Limits::default());
        assert_eq!(solver.score(position).map(i32::from), Ok(score.parse().unwrap()));
    }
}
