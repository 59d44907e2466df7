//! Boards of all sizes, against two other solvers and published results.

use crate::common::root;
use fourbook::board::plies_to_end;
use fourbook::{Position, Size, Solver};

/// 50 random positions each of eleven sizes, with scores that two independent solvers
/// agree on.
#[test]
fn scores_on_eleven_other_boards_are_right() {
    let folder = root().join("tests/data/sizes");
    let mut checked = 0;
    for file in std::fs::read_dir(folder).expect("the folder is there") {
        let path = file.expect("the folder can be read").path();
        let size: Size = path.file_stem().unwrap().to_str().unwrap().parse().unwrap();
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let mut solver = Solver::for_size(size, 64 << 20).expect("there is memory");
        for line in text.lines() {
            let (moves, score) = line.split_once(' ').expect("a position and its score");
            let position = Position::parse(size, moves).expect("the moves are legal");
            let expected: i8 = score.parse().expect("the score is a number");
            let found = solver.score(position);
            assert_eq!(found, Ok(expected), "{size} {moves}");
            let mirrored = solver.score(position.mirrored());
            assert_eq!(mirrored, Ok(expected), "mirror image of {size} {moves}");
            checked += 1;
        }
    }
    assert_eq!(checked, 550);
}

/// The empty boards that take less than half a minute, against the results of John Tromp
/// and Christophe Steininger: who wins, and with which stone.
#[test]
#[ignore = "takes long to solve; `.ci/run slow` runs it"]
fn empty_boards_have_the_published_results() {
    /// The sizes of the file that take less time; 8x5 and 6x8 take a little more, and 7x6 has its
    /// own test.
    const FAST: [&str; 22] = [
        "4x4", "5x4", "6x4", "7x4", "8x4", "9x4", "4x5", "5x5", "6x5", "7x5", "4x6", "5x6", "6x6",
        "4x7", "5x7", "6x7", "4x8", "5x8", "4x9", "5x9", "4x10", "4x11",
    ];
    let mut checked = 0;
    for line in include_str!("../data/outcomes.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [width, height, winner, last_stone, score] = fields[..] else {
            panic!("{line}: expected five fields");
        };
        let size: Size = format!("{width}x{height}").parse().unwrap();
        if !FAST.contains(&size.to_string().as_str()) {
            continue;
        }
        let mut solver = Solver::for_size(size, 1 << 30).expect("there is memory");
        let found = solver.score(Position::empty(size)).expect("no limit");
        assert_eq!(found, score.parse::<i8>().unwrap(), "{size}");
        let player = match found.signum() {
            0 => "draw",
            1 => "first",
            _ => "second",
        };
        assert_eq!(player, winner, "{size}");
        let stone: u32 = last_stone.parse().unwrap();
        assert_eq!(plies_to_end(size.cells(), 0, found), stone, "{size}");
        checked += 1;
    }
    assert_eq!(checked, FAST.len());
}
