//! Random positions.

use crate::arguments::{self, Given, Object, integer};
use crate::position::Position;
use fourbook::board::{Board, Word};
use fourbook::solver::splitmix::SplitMix;
use fourbook::solver::with_word;
use fourbook::{Position as Plain, Size};
use pyo3::prelude::*;

/// Returns a position with `ply` stones that random moves reach, none of which wins. The same
/// `seed` gives the same position.
///
/// >>> from fourbook import random_position
/// >>> random_position(8, seed=1) == random_position(8, seed=1)
/// True
#[pyfunction]
#[pyo3(
    signature = (ply, *, size = None, seed = None),
    text_signature = "(ply, *, size='7x6', seed=None)"
)]
pub(crate) fn random_position(
    ply: &Object<'_>,
    size: Given<'_, '_>,
    seed: Given<'_, '_>,
) -> PyResult<Position> {
    let size = arguments::size(size)?.unwrap_or_default();
    let ply = integer("ply", ply, 0..=size.cells().into())? as u32;
    let mut random = SplitMix(arguments::seed(seed)?);
    Ok(Position::played(with_word!(size, B => after::<B>(size, ply, &mut random))))
}

/// The position after `ply` random moves, none of which wins.
fn after<B: Word>(size: Size, ply: u32, random: &mut SplitMix) -> Plain {
    let empty = Board::<B>::start(size);
    let mut board = empty;
    while board.ply() < ply {
        let moves = board.possible_moves() & !board.winning_cells();
        let chosen = moves.cells().nth(random.below(moves.count_ones() as usize));
        // Where every move wins, another game begins.
        board = chosen.map_or(empty, |cell| board.play_cell(cell));
    }
    board.widen()
}
