//! Searches by several threads give the scores that one gives, and end as they are to.

use crate::common::endless_work;
use fourbook::solver::{Crew, TranspositionTable};
use fourbook::{Book, Limits, Oracle, Outcome, Position, Score, Size, Solver, Stopped};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Nodes that a thread may visit after a limit is reached, if others search beside it.
const NODES_TOO_MANY: u64 = 1 << 10;

fn on_threads(threads: usize) -> Limits {
    Limits { threads: Some(threads), ..Limits::default() }
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
fn check_file(text: &str) {
    let positions = positions(Size::STANDARD, text);
    for threads in [1, 2, 4] {
        let mut solver = Solver::new(256 << 20).expect("there is memory");
        let limits = on_threads(threads);
        for &(position, expected) in &positions {
            let found = solver.score(position, &limits);
            assert_eq!(found, Ok(expected), "{position:?} by {threads} threads");
            let outcome = solver.outcome(position.mirrored(), &limits);
            assert_eq!(outcome, Ok(Outcome::of(expected)), "{position:?} by {threads} threads");
        }
    }
}

#[test]
fn easy_positions_have_the_known_scores() {
    check_file(include_str!("../data/end-easy.txt"));
    check_file(include_str!("../data/middle-easy.txt"));
    check_file(include_str!("../data/begin-easy.txt"));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn medium_positions_have_the_known_scores() {
    check_file(include_str!("../data/middle-medium.txt"));
    check_file(include_str!("../data/begin-medium.txt"));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn quick_wins_have_the_known_scores() {
    check_file(include_str!("../data/quick-wins.txt"));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn hard_positions_have_the_known_scores() {
    check_file(include_str!("../data/begin-hard.txt"));
}

/// Solves positions with as many solvers as threads over one table, which help each other.
fn check_crew(size: Size, positions: &[(Position, Score)], threads: usize) {
    let table = TranspositionTable::new(size, 64 << 20).expect("there is memory");
    let crew = Crew::new(&Arc::new(table));
    let next = &AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            let mut worker = crew.worker().expect("there is memory");
            scope.spawn(move || {
                while let Some(&(position, expected)) =
                    positions.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let found = worker.solver().score(position, &Limits::default());
                    assert_eq!(found, Ok(expected), "{size} {position:?} by {threads} threads");
                }
                worker.help_others();
            });
        }
    });
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn a_crew_finds_the_known_scores() {
    let positions = positions(Size::STANDARD, include_str!("../data/begin-medium.txt"));
    for threads in [2, 4] {
        check_crew(Size::STANDARD, &positions, threads);
        // Few at a time: most threads help.
        for few in positions[..60].chunks(2) {
            check_crew(Size::STANDARD, few, threads);
        }
    }
}

/// Several threads lead searches of one position at the same time, and one helps only.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn threads_that_search_the_same_find_the_same() {
    let positions = positions(Size::STANDARD, include_str!("../data/begin-medium.txt"));
    let table = Arc::new(TranspositionTable::new(Size::STANDARD, 1 << 20).expect("memory"));
    let leave = AtomicBool::new(false);
    let solver = || Solver::sharing(Arc::clone(&table)).expect("there is memory");
    thread::scope(|scope| {
        scope.spawn(|| solver().help(&leave));
        let lead = || {
            let mut solver = solver();
            let limits = on_threads(2);
            let wrong = |(position, score): &&(Position, Score)| {
                solver.score(*position, &limits) != Ok(*score)
            };
            positions.iter().take(40).find(wrong)
        };
        let leaders = [(); 3].map(|()| scope.spawn(lead));
        let wrong = leaders.map(thread::ScopedJoinHandle::join);
        leave.store(true, Ordering::Relaxed);
        table.wake_helpers();
        wrong.into_iter().for_each(|wrong| assert_eq!(wrong.unwrap(), None));
    });
}

/// The positions of [`crate::sizes`].
#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn scores_on_other_boards_are_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sizes");
    let mut checked = 0;
    for file in std::fs::read_dir(folder).expect("the folder is there") {
        let path = file.expect("the folder can be read").path();
        let size: Size = path.file_stem().unwrap().to_str().unwrap().parse().unwrap();
        let positions = positions(size, &std::fs::read_to_string(&path).expect("text"));
        for threads in [2, 4] {
            let mut solver = Solver::for_size(size, 64 << 20).expect("there is memory");
            for &(position, expected) in &positions {
                let found = solver.score(position, &on_threads(threads));
                assert_eq!(found, Ok(expected), "{position:?} by {threads} threads");
            }
            check_crew(size, &positions, threads);
        }
        checked += positions.len();
    }
    assert_eq!(checked, 550);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn an_analysis_is_the_same_by_however_many_threads() {
    for has_book in [false, true] {
        let table = || Arc::new(TranspositionTable::new(Size::STANDARD, 64 << 20).expect("memory"));
        // Some of the positions are in this one, of some all moves are.
        let shallow = || {
            let bytes = include_bytes!("../../books/7x6-d8.book");
            Arc::new(Book::from_bytes(bytes).expect("a book"))
        };
        let oracle = |threads: usize| (threads, Oracle::sharing(has_book.then(shallow), table()));
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
            let expected = one.analyse(position, &Limits::default()).expect("no limit");
            for (threads, oracle) in &oracles {
                let found = oracle.analyse(position, &on_threads(*threads)).expect("no limit");
                assert_eq!(found.value, expected.value, "{moves} by {threads} threads");
                assert_eq!(found.source, expected.source, "{moves} by {threads} threads");
                assert_eq!(found.nodes == 0, expected.nodes == 0, "{moves} by {threads} threads");
            }
            let found = solver.analyse(position, &on_threads(3)).expect("no limit");
            assert_eq!(found, expected.value, "{moves}");
        }
    }
}

#[test]
fn the_analysis_of_a_game_that_is_over_needs_no_threads() {
    let ended = Position::from_moves("1212121").expect("the moves are legal");
    let oracle = Oracle::without_book(Size::STANDARD, 1 << 20).expect("there is memory");
    let analysis = oracle.analyse(ended, &on_threads(4)).expect("no limit").value;
    assert_eq!((analysis.score, analysis.moves), (-18, vec![None; 7]));
}

#[test]
fn another_thread_can_cancel_a_search_by_several() {
    /// Lets them search for a while; returns how many nodes they visited.
    fn nodes_until_cancelled(after: Duration) -> u64 {
        let cancel = Arc::new(AtomicBool::new(false));
        let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..on_threads(3) };
        let (position, mut solver) = endless_work();
        // Scopes end when all threads have.
        let search = thread::spawn(move || {
            let score = solver.score(position, &limits);
            let nodes = solver.nodes();
            let analysis = solver.analyse(position, &limits);
            // What is cancelled before it begins visits none.
            assert_eq!(solver.nodes(), nodes);
            (score, analysis.map(drop), nodes)
        });
        thread::sleep(after);
        cancel.store(true, Ordering::Relaxed);
        let (score, analysis, nodes) = search.join().expect("the thread ends");
        assert_eq!((score, analysis), (Err(Stopped::Cancelled), Err(Stopped::Cancelled)));
        nodes
    }

    // On a busy machine they may not have begun at first.
    let mut after = Duration::from_millis(50);
    while nodes_until_cancelled(after) == 0 {
        after *= 2;
    }
}

#[test]
fn another_thread_can_cancel_an_analysis_by_several() {
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..on_threads(3) };
    let (position, mut solver) = endless_work();
    let search = thread::spawn(move || solver.analyse(position, &limits));
    thread::sleep(Duration::from_millis(50));
    cancel.store(true, Ordering::Relaxed);
    assert_eq!(search.join().expect("the thread ends"), Err(Stopped::Cancelled));
}

#[test]
fn a_node_budget_is_for_all_threads_together() {
    for most in [1, 1000, 10_000, 100_000] {
        for threads in [1, 2, 3, 8] {
            let limits = Limits { max_nodes: Some(most), ..on_threads(threads) };
            let too_many = if threads == 1 { 0 } else { threads as u64 * NODES_TOO_MANY };
            let (position, mut solver) = endless_work();
            assert_eq!(solver.score(position, &limits), Err(Stopped::NodeBudget));
            let nodes = solver.nodes();
            assert!((most..=most + too_many).contains(&nodes), "{nodes} of {most} by {threads}");
            let (position, mut solver) = endless_work();
            assert_eq!(solver.analyse(position, &limits), Err(Stopped::NodeBudget));
            let nodes = solver.nodes();
            assert!((most..=most + too_many).contains(&nodes), "{nodes} of {most} by {threads}");
        }
    }
}

#[test]
fn one_thread_visits_the_same_nodes_in_every_run() {
    let positions = positions(Size::STANDARD, include_str!("../data/middle-medium.txt"));
    let run = |limits: Limits| {
        let mut solver = Solver::new(1 << 20).expect("there is memory");
        for (position, _) in &positions[..30] {
            solver.score(*position, &limits).expect("no limit");
            solver.analyse(*position, &limits).expect("no limit");
        }
        solver.nodes()
    };
    let nodes = run(Limits::default());
    assert_eq!([run(Limits::default()), run(on_threads(1)), run(on_threads(0))], [nodes; 3]);
}
