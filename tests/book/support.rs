//! Books of small boards, made without the code that makes real ones, and known scores.

use fourbook::board::{Position, Score, Size};
use fourbook::book::{BookContents, Encoding, Provenance, ValueKind};
use fourbook::rank::Ranking;
use fourbook::scores::{ABSENT, PlyScores, encode};
use fourbook::solver::{Limits, STACK_BYTES, Solver, TranspositionTable};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

/// All of the 4x4 board.
pub(crate) static FOUR_BY_FOUR: LazyLock<Truth<4, 4>> = LazyLock::new(|| Truth::new(16));

/// The 5x4 board up to 9 stones.
pub(crate) static FIVE_BY_FOUR: LazyLock<Truth<5, 4>> = LazyLock::new(|| Truth::new(9));

/// Every position of a board that a game can reach, by ply, and its score.
pub(crate) struct Truth<const W: usize, const H: usize> {
    pub(crate) plies: Vec<Vec<(Position<W, H>, Score)>>,
}

impl<const W: usize, const H: usize> Truth<W, H> {
    /// Up to positions of `depth` stones.
    fn new(depth: u32) -> Self {
        // The solver needs more stack than the thread of a test has.
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn(move || Truth::solve(depth)).unwrap().join().unwrap()
    }

    fn solve(depth: u32) -> Self {
        let table = Arc::new(TranspositionTable::new(1 << 24).unwrap());
        let mut solver = Solver::new(table).unwrap();
        let mut positions = BTreeSet::from([Position::EMPTY]);
        let mut plies = Vec::new();
        for _ in 0..=depth {
            let score = |&position| (position, solver.score(position, &Limits::default()).unwrap());
            plies.push(positions.iter().map(score).collect());
            positions = positions.into_iter().flat_map(Position::children).flatten().collect();
        }
        Truth { plies }
    }

    /// One byte a slot of a ply.
    pub(crate) fn scores(&self, ply: u32) -> Vec<u8> {
        let ranking = Ranking::<W, H>::new(ply).unwrap();
        let mut bytes = vec![ABSENT; ranking.slots() as usize];
        for &(position, score) in &self.plies[ply as usize] {
            if position.score_by_rules().is_none() {
                bytes[ranking.rank(position) as usize] = encode(score);
            }
        }
        bytes
    }

    /// The bytes of a book.
    pub(crate) fn book(&self, depth: u32, kind: ValueKind) -> Vec<u8> {
        self.encoded(depth, kind, Encoding::Flat)
    }

    /// The bytes of a book in an encoding.
    pub(crate) fn encoded(&self, depth: u32, kind: ValueKind, encoding: Encoding) -> Vec<u8> {
        let plies: Vec<u32> = (0..=depth).filter(|ply| (depth - ply).is_multiple_of(2)).collect();
        let scores: Vec<Vec<u8>> = plies.iter().map(|&ply| self.scores(ply)).collect();
        let plies: Vec<PlyScores<'_>> =
            plies.iter().zip(&scores).map(|(&ply, bytes)| PlyScores { ply, bytes }).collect();
        BookContents { encoding, ..contents::<W, H>(kind, &plies) }.to_bytes().unwrap()
    }
}

/// What to write a book of these plies from.
pub(crate) fn contents<'a, const W: usize, const H: usize>(
    kind: ValueKind,
    plies: &'a [PlyScores<'a>],
) -> BookContents<'a> {
    BookContents {
        size: Size::of::<W, H>(),
        kind,
        encoding: Encoding::Flat,
        plies,
        provenance: Provenance {
            program: "fourbook".to_owned(),
            version: "0.1.0".to_owned(),
            arguments: "an example".to_owned(),
            values: "for the side to move".to_owned(),
        },
    }
}

/// Positions of 7x6, early ones and some from the middle, with the scores that other
/// solvers give them.
pub(crate) fn known_scores() -> impl Iterator<Item = (Position<7, 6>, Score)> {
    let files = [
        include_str!("../data/begin-easy.txt"),
        include_str!("../data/begin-medium.txt"),
        include_str!("../data/begin-hard.txt"),
        include_str!("../data/middle-easy.txt"),
        include_str!("../data/middle-medium.txt"),
    ];
    files.into_iter().flat_map(str::lines).map(|line| {
        let (moves, score) = line.split_once(' ').expect("moves and a score");
        (Position::from_moves(moves).expect("moves"), score.parse().expect("a score"))
    })
}
