//! Random positions.

use crate::arguments::{self, Given, Object, integer};
use crate::position::Position;
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
    Ok(Position::played(fourbook::Position::random(size, ply, arguments::seed(seed)?)))
}
