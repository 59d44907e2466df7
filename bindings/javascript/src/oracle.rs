//! Answers from a book, if there is one, and the solver.
//!
//! `lib/` passes only positions of the oracle's board.

use crate::NONE;
use crate::book::RawBook;
use crate::errors::OrThrow;
use crate::position::{RawPosition, board_of, size_of};
use fourbook::book::BookError;
use fourbook::{Lookup, Oracle, Strategy};
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
    /// An oracle with a book and a table of `table_bytes` bytes.
    pub fn with_book(book: &RawBook, table_bytes: usize) -> Result<RawOracle, JsValue> {
        let book = Arc::clone(&book.book);
        let size = book.size();
        Ok(RawOracle { oracle: Oracle::with_memory(Some(book), size, table_bytes).or_throw()? })
    }

    /// An oracle without a book, with a table of `table_bytes` bytes.
    pub fn without_book(board: u32, table_bytes: usize) -> Result<RawOracle, JsValue> {
        let oracle = Oracle::with_memory(None, size_of(board), table_bytes).or_throw()?;
        Ok(RawOracle { oracle })
    }

    /// Takes moves from the bytes of a strategy, or from the built-in strategies.
    pub fn add_strategies(&mut self, bytes: Option<Vec<u8>>) -> Result<(), JsValue> {
        let strategies = match bytes {
            Some(bytes) => {
                let strategy = Strategy::from_bytes(&bytes).or_throw()?;
                [self.oracle.strategies(), &[strategy]].concat()
            }
            None => Strategy::embedded_for(self.oracle.size()),
        };
        self.oracle = self.oracle.with_strategies(strategies).or_throw()?;
        Ok(())
    }

    /// The number of the board.
    pub fn board(&self) -> u32 {
        board_of(self.oracle.size())
    }

    /// Number of nodes visited.
    pub fn nodes(&self) -> f64 {
        self.oracle.nodes() as f64
    }

    /// The score that is known without a search.
    pub fn known_score(&self, position: &RawPosition) -> Result<i32, JsValue> {
        Ok(self.look_up(position).or_throw()?.score().map_or(NONE, i32::from))
    }
}

impl RawOracle {
    #[inline]
    fn look_up(&self, position: &RawPosition) -> Result<Lookup, BookError> {
        match self.oracle.book() {
            Some(book) => book.look_up(position.board),
            None => Ok(Lookup::without_book(position.board)),
        }
    }
}
