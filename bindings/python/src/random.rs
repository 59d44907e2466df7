//! Random positions.

use crate::arguments::{self, Object, integer};
use crate::position::Position;
use fourbook::Size;
use fourbook::level::random_seed;
use pyo3::prelude::*;

/// Returns a position with `ply` stones that random moves reach, none of which wins. The same
/// `seed` gives the same position.
///
/// >>> from fourbook import random_position
/// >>> random_position(8, seed=1) == random_position(8, seed=1)
/// True
#[pyfunction]
#[pyo3(
    signature = (ply, *, size = None, seed = random_seed()),
    text_signature = "(ply, *, size='7x6', seed=None)"
)]
pub(crate) fn random_position(
    ply: &Object<'_>,
    #[pyo3(from_py_with = arguments::size)] size: Option<Size>,
    #[pyo3(from_py_with = arguments::seed)] seed: u64,
) -> PyResult<Position> {
    let size = size.unwrap_or_default();
    let ply = integer("ply", ply, 0..=size.cells().into())? as u32;
    Ok(Position::played(fourbook::Position::random(size, ply, seed)))
}
