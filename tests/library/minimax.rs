//! A plain minimax on a two-dimensional board: slow, simple, and sharing no code
//! with the solver, so that the two can prove each other right.

use std::collections::{HashMap, HashSet};

/// A board of columns; each holds its stones from the bottom, `true` for the
/// first player.
struct Board {
    columns: Vec<Vec<bool>>,
    height: usize,
}

impl Board {
    fn new(width: usize, height: usize) -> Self {
        Board { columns: vec![Vec::new(); width], height }
    }

    /// A number that no other board of this size has: a digit in base 3 for each cell.
    fn number(&self) -> u64 {
        let cell = |column: usize, row: usize| match self.columns[column].get(row) {
            None => 0,
            Some(true) => 1,
            Some(false) => 2,
        };
        let cells = (0..self.columns.len()).flat_map(|c| (0..self.height).map(move |r| (c, r)));
        cells.fold(0, |number, (column, row)| 3 * number + cell(column, row))
    }

    fn stones(&self) -> usize {
        self.columns.iter().map(Vec::len).sum()
    }

    fn cell(&self, column: isize, row: isize) -> Option<bool> {
        let column = self.columns.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(row).ok()?).copied()
    }

    /// Whether the stone on top of `column` stands in a line of four.
    fn top_wins(&self, column: usize) -> bool {
        let (column, row) = (column as isize, self.columns[column].len() as isize - 1);
        let stone = self.cell(column, row);
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(dc, dr)| {
            let run = |sign: isize| {
                (1..4)
                    .take_while(|&i| {
                        self.cell(column + sign * i * dc, row + sign * i * dr) == stone
                    })
                    .count()
            };
            run(1) + run(-1) >= 3
        })
    }
}

/// All positions that games on one board size can reach.
pub(crate) struct Truth {
    /// For every position that is not over: the moves (columns from 0) of one
    /// game that leads there, and the exact score for the side to move.
    pub(crate) scores: Vec<(Box<[u8]>, i32)>,
    /// Number of positions, including ended games.
    pub(crate) positions: usize,
}

/// Plays all games.
pub(crate) fn play_out(width: usize, height: usize) -> Truth {
    let mut minimax = Minimax::default();
    minimax.score(&mut Board::new(width, height), &mut Vec::new());
    Truth { positions: minimax.known.len() + minimax.ended.len(), scores: minimax.found }
}

#[derive(Default)]
struct Minimax {
    known: HashMap<u64, i32>,
    ended: HashSet<u64>,
    found: Vec<(Box<[u8]>, i32)>,
}

impl Minimax {
    fn score(&mut self, board: &mut Board, moves: &mut Vec<u8>) -> i32 {
        let cells = board.columns.len() * board.height;
        let stones = board.stones();
        let number = board.number();
        if stones == cells {
            self.ended.insert(number);
            return 0;
        }
        if let Some(&score) = self.known.get(&number) {
            return score;
        }
        let mut best = i32::MIN;
        for column in 0..board.columns.len() {
            if board.columns[column].len() == board.height {
                continue;
            }
            board.columns[column].push(stones.is_multiple_of(2));
            moves.push(column as u8);
            let score = if board.top_wins(column) {
                self.ended.insert(board.number());
                (cells as i32 + 2 - (stones as i32 + 1)) / 2
            } else {
                -self.score(board, moves)
            };
            moves.pop();
            board.columns[column].pop();
            best = best.max(score);
        }
        self.known.insert(number, best);
        self.found.push((moves.clone().into_boxed_slice(), best));
        best
    }
}
