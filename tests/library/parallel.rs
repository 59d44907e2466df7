//! Searches by several threads give the scores of one thread, and end at their limits.

use crate::common::{analyse, endless_work, root};
use fourbook::oracle::OracleError;
use fourbook::solver::TranspositionTable;
use fourbook::{Book, Limits, Oracle, Outcome, Position, Score, Size, Solver, StopReason};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The most nodes that a thread claims at once.
const NODES_CLAIMED: u64 = 1 << 9;

/// An oracle without a book for several threads.
fn oracle(size: Size, table_bytes: usize, threads: usize) -> Oracle {
    let table = TranspositionTable::new(size, table_bytes).expect("there is memory");
    Oracle::sharing(None, Arc::new(table)).with_threads(threads)
}

/// The limit that ended a search.
fn stopped<T: std::fmt::Debug>(result: Result<T, OracleError>) -> StopReason {
    match result {
        Err(OracleError::Stopped(stopped)) => stopped.reason,
        other => panic!("expected a limit to be reached, found {other:?}"),
    }
}

/// The positions of a file, with their scores.
fn positions(size: Size, text: &str) -> Vec<(Position, Score)> {
    let position = |line: &str| {
        let (moves, score) = line.split_once(' ').expect("a line is a position and its score");
        (Position::parse(size, moves).expect("the moves are legal"), score.parse().unwrap())
    };
    text.lines().map(position).collect()
}

/// Solves positions of 7x6 one after the other, each with several threads.
fn check_file(text: &str, threads: &[usize]) {
    let positions = positions(Size::STANDARD, text);
    for &threads in threads {
        let oracle = oracle(Size::STANDARD, 256 << 20, threads);
        for &(position, expected) in &positions {
            let found = oracle.score(position).expect("no limit").value;
            assert_eq!(found, expected, "{position:?} by {threads} threads");
            let outcome = oracle.outcome(position.mirrored()).expect("no limit").value;
            assert_eq!(outcome, Outcome::of(expected), "{position:?} by {threads} threads");
        }
    }
}

#[test]
fn easy_positions_have_the_known_scores() {
    check_file(include_str!("../data/end-easy.txt"), &[1, 2, 4]);
    check_file(include_str!("../data/middle-easy.txt"), &[1, 2, 4]);
    check_file(include_str!("../data/begin-easy.txt"), &[1, 2, 4]);
}

#[test]
#[ignore = "takes long to solve; `.ci/run slow` runs it"]
fn other_positions_have_the_known_scores() {
    // `solver` has the same with one thread.
    check_file(include_str!("../data/middle-medium.txt"), &[2, 4]);
    check_file(include_str!("../data/begin-medium.txt"), &[2, 4]);
    check_file(include_str!("../data/begin-hard.txt"), &[4]);
}

#[test]
fn quick_wins_have_the_known_scores() {
    check_file(include_str!("../data/quick-wins.txt"), &[1, 2, 4]);
}

/// Solves positions side by side, with threads that help each other.
fn check_side_by_side(size: Size, positions: &[(Position, Score)], threads: usize) {
    let (positions, expected): (Vec<Position>, Vec<Score>) = positions.iter().copied().unzip();
    let found = oracle(size, 64 << 20, threads).scores(&positions).expect("no limit");
    assert_eq!(found, expected, "{size} by {threads} threads");
}

#[test]
#[ignore = "takes long to solve; `.ci/run slow` runs it"]
fn positions_side_by_side_have_the_known_scores() {
    let positions = positions(Size::STANDARD, include_str!("../data/begin-medium.txt"));
    for threads in [2, 4] {
        check_side_by_side(Size::STANDARD, &positions, threads);
        // Few positions at a time, so most threads help.
        for few in positions[..60].chunks(2) {
            check_side_by_side(Size::STANDARD, few, threads);
        }
    }
}

/// Several threads lead searches of one position at the same time, each with a helper.
#[test]
fn threads_that_search_the_same_find_the_same() {
    let positions = positions(Size::STANDARD, include_str!("../data/begin-medium.txt"));
    let oracle = oracle(Size::STANDARD, 1 << 20, 2);
    thread::scope(|scope| {
        let lead = || {
            let wrong = |(position, score): &&(Position, Score)| {
                oracle.score(*position).expect("no limit").value != *score
            };
            positions.iter().take(40).find(wrong)
        };
        let leaders = [(); 3].map(|()| scope.spawn(lead));
        for wrong in leaders.map(thread::ScopedJoinHandle::join) {
            assert_eq!(wrong.unwrap(), None);
        }
    });
}

/// The positions of [`crate::sizes`].
#[test]
fn scores_on_other_boards_are_right() {
    let folder = root().join("tests/data/sizes");
    let mut checked = 0;
    for file in std::fs::read_dir(folder).expect("the folder is there") {
        let path = file.expect("the folder can be read").path();
        let size: Size = path.file_stem().unwrap().to_str().unwrap().parse().unwrap();
        let positions = positions(size, &std::fs::read_to_string(&path).expect("text"));
        for threads in [2, 4] {
            let oracle = oracle(size, 64 << 20, threads);
            for &(position, expected) in &positions {
                let found = oracle.score(position).expect("no limit").value;
                assert_eq!(found, expected, "{position:?} by {threads} threads");
            }
            check_side_by_side(size, &positions, threads);
        }
        checked += positions.len();
    }
    assert_eq!(checked, 550);
}

#[test]
#[ignore = "takes long to solve; `.ci/run slow` runs it"]
fn an_analysis_is_the_same_by_however_many_threads() {
    for has_book in [false, true] {
        let table = || Arc::new(TranspositionTable::new(Size::STANDARD, 64 << 20).expect("memory"));
        // The book has some of the positions, and all moves of some of them.
        let shallow = || {
            let bytes = include_bytes!("../../books/7x6-d8.book");
            Arc::new(Book::from_bytes(bytes).expect("a book"))
        };
        let oracle = |threads: usize| {
            (threads, Oracle::sharing(has_book.then(shallow), table()).with_threads(threads))
        };
        let oracles = [2, 3, 8].map(oracle);
        let mut solver = Solver::new(64 << 20).expect("there is memory");
        for moves in [
            "34264431",
            "4444445",
            "11225544",
            "446264712",
            "123456",
            "7422341735647741166133573473242566",
        ] {
            let position = Position::from_moves(moves).expect("the moves are legal");
            let (_, one) = oracle(1);
            let expected = one.analyse(position).expect("no limit");
            for (threads, oracle) in &oracles {
                let found = oracle.analyse(position).expect("no limit");
                assert_eq!(found.moves(), expected.moves(), "{moves} by {threads} threads");
                assert_eq!(found.source(), expected.source(), "{moves} by {threads} threads");
                assert_eq!(
                    found.nodes() == 0,
                    expected.nodes() == 0,
                    "{moves} by {threads} threads"
                );
            }
            let (score, scores) = analyse(&mut solver, position);
            assert_eq!(expected.score(), Some(score), "{moves}");
            assert_eq!(expected.move_scores(), scores, "{moves}");
        }
    }
}

#[test]
fn the_analysis_of_a_game_that_is_over_needs_no_threads() {
    let ended = Position::from_moves("1212121").expect("the moves are legal");
    let analysis = oracle(Size::STANDARD, 1 << 20, 4).analyse(ended).expect("no limit");
    assert_eq!((analysis.score(), analysis.moves()), (Some(-18), &[None; 7][..]));
}

/// An oracle of three threads for searches until cancelled, and the flag that cancels them.
fn endless_search() -> (Position, Oracle, Arc<AtomicBool>) {
    let (position, solver) = endless_work();
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::default() };
    (position, oracle(solver.size(), 1 << 20, 3).with_limits(limits), cancel)
}

/// Cancels the search of an oracle once it has visited nodes.
fn cancel_once_begun(oracle: &Oracle, cancel: &AtomicBool) {
    while oracle.nodes() == 0 {
        thread::yield_now();
    }
    cancel.store(true, Ordering::Relaxed);
}

#[test]
fn another_thread_can_cancel_a_search_by_several() {
    let (position, oracle, cancel) = endless_search();
    let searching = oracle.clone();
    // A scope ends when all its threads have ended.
    let search = thread::spawn(move || {
        let score = stopped(searching.score(position));
        let nodes = searching.nodes();
        // An analysis that is cancelled before it begins visits no nodes.
        let analysis = stopped(searching.analyse(position));
        assert_eq!(searching.nodes(), nodes);
        (score, analysis)
    });
    cancel_once_begun(&oracle, &cancel);
    let stopped = search.join().expect("the thread ends");
    assert_eq!(stopped, (StopReason::Cancelled, StopReason::Cancelled));
}

#[test]
fn another_thread_can_cancel_an_analysis_by_several() {
    let (position, oracle, cancel) = endless_search();
    let searching = oracle.clone();
    let search = thread::spawn(move || stopped(searching.analyse(position)));
    cancel_once_begun(&oracle, &cancel);
    assert_eq!(search.join().expect("the thread ends"), StopReason::Cancelled);
}

#[test]
fn a_node_budget_is_for_a_whole_analysis() {
    let position = Position::from_moves("7422341735647741166133573473242566").unwrap();
    let analyse = |max_nodes| {
        let oracle = oracle(Size::STANDARD, 1 << 20, 1);
        oracle.with_limits(Limits { max_nodes, ..Limits::default() }).analyse(position)
    };
    let expected = analyse(None).unwrap();
    let nodes = expected.nodes();
    assert_eq!(analyse(Some(nodes)).unwrap(), expected);
    let Err(OracleError::Stopped(stopped)) = analyse(Some(nodes - 1)) else {
        panic!("expected a limit to be reached")
    };
    assert_eq!((stopped.reason, stopped.nodes), (StopReason::NodeBudget, nodes - 1));
}

/// One thread uses the whole budget. Several leave at most what the others have claimed.
#[test]
fn no_search_visits_more_nodes_than_its_budget() {
    for size in ["7x6", "9x7", "10x10"] {
        let position = Position::empty(size.parse().unwrap());
        for most in [1, 2, 100, 1000, 1_000_000] {
            for threads in [1, 2] {
                let progress = Some(Arc::default());
                let limits = Limits { max_nodes: Some(most), progress, ..Limits::default() };
                let oracle = || {
                    let oracle = oracle(position.size(), 1 << 20, threads);
                    oracle.with_limits(limits.clone())
                };
                let one = oracle();
                let all = oracle();
                let line = oracle();
                let mut ended: Vec<(StopReason, u64)> =
                    vec![(stopped(one.score(position)), one.nodes())];
                if most < 1_000_000 {
                    ended.push((stopped(all.analyse(position)), all.nodes()));
                    ended.push((stopped(line.line(position)), line.nodes()));
                }
                let unused = (threads as u64 - 1) * NODES_CLAIMED;
                for &(reason, nodes) in &ended {
                    assert_eq!(reason, StopReason::NodeBudget);
                    let least = most.saturating_sub(unused);
                    assert!((least..=most).contains(&nodes), "{nodes} of {most} by {threads}");
                }
                let all_nodes: u64 = ended.iter().map(|(_, nodes)| nodes).sum();
                assert_eq!(limits.progress.as_ref().unwrap().nodes(), all_nodes);
            }
        }
    }
}

#[test]
fn one_thread_visits_the_same_nodes_in_every_run() {
    let positions = positions(Size::STANDARD, include_str!("../data/middle-medium.txt"));
    let run = || {
        let oracle = oracle(Size::STANDARD, 1 << 20, 1);
        for (position, _) in &positions[..30] {
            oracle.score(*position).expect("no limit");
            oracle.analyse(*position).expect("no limit");
        }
        oracle.nodes()
    };
    assert_eq!(run(), run());
}
