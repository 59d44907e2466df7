//! Boards of all sizes, against two other solvers and published results.

use fourbook::{Limits, Position, Size, Solver};

/// 50 random positions each of eleven sizes, with scores that two independent solvers
/// agree on.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn scores_on_eleven_other_boards_are_right() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sizes");
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
            let found = solver.score(position, &Limits::default());
            assert_eq!(found, Ok(expected), "{size} {moves}");
            let mirrored = solver.score(position.mirrored(), &Limits::default());
            assert_eq!(mirrored, Ok(expected), "mirror image of {size} {moves}");
            checked += 1;
        }
    }
    assert_eq!(checked, 550);
}
