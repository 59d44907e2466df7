//! The constants of a board that the search uses.

use super::weights::MoveOrder;
use crate::board::{Geometry, Word, score_of_stone};

/// The last ply in which mirror images share an entry: with 24 stones, or 24 empty cells if that is
/// sooner. Later mirror images seldom come up in one search.
const fn last_mirrored_ply(cells: u32) -> u32 {
    let empty = cells.saturating_sub(24);
    if empty < 24 { empty } else { 24 }
}

/// The most columns of a board, and the most lanes of a build.
pub(super) const COLUMNS: usize = 16;

/// The constants of a board that the search uses.
#[derive(Clone, Debug)]
pub(crate) struct Constants<B> {
    pub(crate) geometry: Geometry<B>,
    /// Number of cells.
    cells: i32,
    /// Up to this ply, mirror images share an entry.
    pub(super) last_mirrored_ply: u32,
    /// Lanes that the order of moves looks at: at least the number of columns.
    pub(super) ordered_lanes: usize,
    /// The cells of each column; empty past the last one.
    columns: [B; COLUMNS],
    /// How near to the centre each column is: the centre column has the highest number.
    pub(super) centrality: [u8; COLUMNS],
    /// The signs of a promising move, with their weights.
    pub(super) order: MoveOrder,
    /// From this ply on, moves are ordered by the weights for late positions.
    pub(super) late_order_from: u32,
}

impl<B: Word> Constants<B> {
    pub(crate) fn new(geometry: &Geometry<B>, order: &MoveOrder) -> Self {
        let mut columns = [B::ZERO; COLUMNS];
        for (number, column) in columns[..geometry.size.width()].iter_mut().enumerate() {
            *column = geometry.column(number);
        }
        Constants::with_columns(*geometry, columns, *order)
    }

    /// The cells of each column, one for each lane.
    #[inline(always)]
    pub(super) fn columns<const N: usize>(&self) -> &[B; N] {
        self.columns.first_chunk().expect("no build has more lanes than a board can have columns")
    }

    /// The mover's score at `ply` if the mover wins with the stone after its next `later` ones.
    #[inline(always)]
    pub(crate) fn mover_wins(&self, ply: u32, later: u32) -> i32 {
        score_of_stone(self.cells, (ply + 1 + 2 * later) as i32)
    }

    /// The mover's score at `ply` if the opponent wins with the stone after its next `later` ones.
    #[inline(always)]
    pub(crate) fn opponent_wins(&self, ply: u32, later: u32) -> i32 {
        -score_of_stone(self.cells, (ply + 2 + 2 * later) as i32)
    }
}

impl<B: Copy> Constants<B> {
    const fn with_columns(geometry: Geometry<B>, columns: [B; COLUMNS], order: MoveOrder) -> Self {
        let width = geometry.size.width();
        let cells = geometry.size.cells();
        let mut centrality = [0; COLUMNS];
        let mut column = 0;
        while column < width {
            let other = width - 1 - column;
            centrality[column] = if column < other { column } else { other } as u8;
            column += 1;
        }
        Constants {
            geometry,
            cells: cells as i32,
            last_mirrored_ply: last_mirrored_ply(cells),
            ordered_lanes: width,
            columns,
            centrality,
            order,
            late_order_from: cells.saturating_sub(MoveOrder::LATE_CELLS),
        }
    }
}

impl Constants<u64> {
    /// The board of 7x6, for the builds that are made for it.
    pub(super) const STANDARD: &Constants<u64> = &{
        let geometry = u64::STANDARD;
        let mut columns = [0; COLUMNS];
        let mut column = 0;
        while column < geometry.size.width() {
            columns[column] = 0b11_1111 << (column as u32 * geometry.column_bits);
            column += 1;
        }
        let mut board = Constants::with_columns(geometry, columns, MoveOrder::BEST);
        if !cfg!(target_family = "wasm") {
            // All lanes of a register: a constant number is the fastest.
            board.ordered_lanes = 8;
        }
        board
    };
}
