//! Small boards in full, books of them made without the generator, and scores of 7x6 from other
//! solvers.

use crate::numbering::Numbering;
use fourbook::book::{ABSENT, BookContents, Encoding, PlyScores, Provenance, encode};
use fourbook::solver::on_large_stack;
use fourbook::tools::BookReader;
use fourbook::tools::pack::{PackOptions, pack};
use fourbook::{Book, Position, Score, Size, Solver, ValueKind};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// All of the 4x4 board.
pub(crate) static FOUR_BY_FOUR: LazyLock<Truth> = LazyLock::new(|| Truth::new("4x4", 16));

/// The 5x4 board up to 9 stones.
pub(crate) static FIVE_BY_FOUR: LazyLock<Truth> = LazyLock::new(|| Truth::new("5x4", 9));

/// Every position of a board that a game can reach, by ply, and its score.
pub(crate) struct Truth {
    pub(crate) size: Size,
    pub(crate) plies: Vec<Vec<(Position, Score)>>,
    /// By ply, one byte a slot.
    scores: Vec<Vec<u8>>,
}

impl Truth {
    /// Up to positions of `depth` stones.
    fn new(size: &str, depth: u32) -> Self {
        let size = size.parse().unwrap();
        on_large_stack(|| Truth::solve(size, depth)).unwrap()
    }

    fn solve(size: Size, depth: u32) -> Self {
        let mut solver = Solver::for_size(size, 1 << 24).unwrap();
        let mut score = |position| solver.score(position).unwrap();
        let plies: Vec<Vec<_>> = reachable(size, depth)
            .iter()
            .map(|ply| ply.iter().map(|&position| (position, score(position))).collect())
            .collect();
        let scores = (0..).zip(&plies).map(|(ply, positions)| scores(size, ply, positions));
        Truth { size, scores: scores.collect(), plies }
    }

    /// One byte a slot of a ply.
    pub(crate) fn scores(&self, ply: u32) -> &[u8] {
        &self.scores[ply as usize]
    }

    /// The bytes of a book.
    pub(crate) fn book(&self, depth: u32, kind: ValueKind) -> Vec<u8> {
        self.encoded(depth, kind, Encoding::Flat)
    }

    /// The bytes of a book in an encoding.
    pub(crate) fn encoded(&self, depth: u32, kind: ValueKind, encoding: Encoding) -> Vec<u8> {
        let plies = (0..=depth).filter(|ply| (depth - ply).is_multiple_of(2));
        let plies: Vec<_> =
            plies.map(|ply| PlyScores::new(ply, self.scores(ply).to_vec())).collect();
        BookContents { encoding, ..contents(self.size, kind, &plies) }.to_bytes().unwrap()
    }
}

/// The scores of a ply, one byte a slot.
fn scores(size: Size, ply: u32, positions: &[(Position, Score)]) -> Vec<u8> {
    let numbering = Numbering::new(size, ply);
    let mut bytes = vec![ABSENT; numbering.slots()];
    for &(position, score) in positions {
        if position.score_by_rules().is_none() {
            bytes[numbering.slot(position)] = encode(score);
        }
    }
    bytes
}

/// The contents of a book of these plies.
pub(crate) fn contents(size: Size, kind: ValueKind, plies: &[PlyScores]) -> BookContents {
    BookContents {
        size,
        kind,
        encoding: Encoding::Flat,
        plies: plies.to_vec(),
        provenance: Provenance {
            program: "fourbook".to_owned(),
            version: "0.1.0".to_owned(),
            arguments: "an example".to_owned(),
            values: "for the side to move".to_owned(),
        },
        memory: None,
    }
}

/// The contents of a compact book in which all plies to `flat_to` are stored, and thus flat.
pub(crate) fn mixed(book: &Book, depth: u32, kind: ValueKind, flat_to: u32) -> BookContents {
    let encoding = Encoding::Compact;
    let mut reader = BookReader::new(book, depth, &()).unwrap();
    let stored = (0..=depth).filter(|ply| *ply <= flat_to || (depth - ply).is_multiple_of(2));
    let plies = stored.map(|ply| reader.scores(ply).unwrap()).collect();
    BookContents { plies, ..pack(book, PackOptions { depth, kind, encoding }, &()).unwrap() }
}

/// The stored plies of a book, and the bytes of its sections.
pub(crate) fn sections(book: &Book) -> (Vec<u32>, Vec<u8>) {
    let bytes = book.to_bytes().unwrap();
    let start = book.sections()[0].offset as usize;
    (book.sections().iter().map(|section| section.ply).collect(), bytes[start..].to_vec())
}

/// Every position of every ply up to `depth`, ended games included.
pub(crate) fn reachable(size: Size, depth: u32) -> Vec<BTreeSet<Position>> {
    let mut plies = vec![BTreeSet::from([Position::empty(size)])];
    for ply in 0..depth as usize {
        plies.push(plies[ply].iter().flat_map(|position| position.children()).flatten().collect());
    }
    plies
}

/// Positions of 7x6, early ones and some from the middle, with the scores that other
/// solvers give them.
pub(crate) fn known_scores() -> impl Iterator<Item = (Position, Score)> {
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
