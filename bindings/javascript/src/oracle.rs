//! Answers from a book, if there is one, and the solver.

use crate::book::RawBook;
use crate::errors::OrThrow;
use crate::position::RawPosition;
use crate::{NONE, OTHER_SIZE};
use fourbook::{Lookup, Oracle, Size};
use std::sync::Arc;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A book, if there is one, and a solver.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawOracle {
    pub(crate) oracle: Oracle,
}

#[wasm_bindgen]
impl RawOracle {
    /// With a book and a table of so many bytes.
    pub fn with_book(book: &RawBook, table_bytes: usize) -> Result<RawOracle, JsValue> {
        let size = book.book.size();
        let oracle = Oracle::with_memory(Some(Arc::clone(&book.book)), size, table_bytes);
        let oracle = oracle.or_throw()?;
        Ok(RawOracle { oracle })
    }

    /// Without a book, with a table of so many bytes.
    pub fn without_book(size: &str, table_bytes: usize) -> Result<RawOracle, JsValue> {
        let size: Size = size.parse().or_throw()?;
        Ok(RawOracle { oracle: Oracle::with_memory(None, size, table_bytes).or_throw()? })
    }

    /// The board.
    pub fn size(&self) -> String {
        self.oracle.size().to_string()
    }

    /// Nodes visited so far.
    pub fn nodes(&self) -> f64 {
        self.oracle.nodes() as f64
    }

    /// Fails if a position is of boards of another size.
    pub fn check(&self, position: &RawPosition) -> Result<(), JsValue> {
        position.check_size(self.oracle.size())
    }

    /// The score that is known without a search, or [`OTHER_SIZE`].
    pub fn known_score(&self, position: &RawPosition) -> i32 {
        let Some(lookup) = self.look_up(position) else { return OTHER_SIZE };
        lookup.score().map_or(NONE, i32::from)
    }

    /// The outcome that is known without a search, 1, 0 or -1, or [`OTHER_SIZE`].
    pub fn known_outcome(&self, position: &RawPosition) -> i32 {
        let Some(lookup) = self.look_up(position) else { return OTHER_SIZE };
        lookup.outcome().map_or(NONE, |outcome| outcome.sign().into())
    }
}

impl RawOracle {
    /// None if the position is of boards of another size.
    #[inline]
    fn look_up(&self, position: &RawPosition) -> Option<Lookup> {
        if position.board.size() != self.oracle.size() {
            return None;
        }
        Some(match self.oracle.book() {
            Some(book) => position.look_up(book),
            None => Lookup::without_book(position.board),
        })
    }
}
