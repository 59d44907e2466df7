//! Books.

use crate::NONE;
use crate::errors::OrThrow;
use crate::position::{RawPosition, board_of, size_of, to_json};
use fourbook::book::BookError;
use fourbook::{Book, Position, Score, with_causes};
use serde_json::json;
use std::sync::Arc;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A book.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawBook {
    pub(crate) book: Arc<Book>,
}

#[wasm_bindgen]
impl RawBook {
    /// The book in these bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<RawBook, JsValue> {
        Ok(RawBook { book: Arc::new(Book::from_bytes(bytes).or_throw()?) })
    }

    /// Returns depth, kind, encoding and identity as JSON.
    pub fn facts(&self) -> String {
        to_json(&json!({
            "depth": self.book.depth(),
            "kind": self.book.kind(),
            "encoding": self.book.encoding().name(),
            "identity": format!("{:08x}", self.book.identity()),
        }))
    }

    /// The number of its board.
    pub fn board(&self) -> u32 {
        board_of(self.book.size())
    }

    /// Fails if it is for other boards.
    pub fn check_board(&self, board: u32) -> Result<(), JsValue> {
        self.book.check_size(size_of(board)).or_throw()
    }

    /// All its bytes.
    pub fn bytes(&self) -> Result<Vec<u8>, JsValue> {
        self.book.to_bytes().or_throw()
    }

    /// The value of a position: a score, or 1, 0 or -1 if the book has no scores.
    pub fn look_up(&self, position: &RawPosition) -> Result<i32, JsValue> {
        let lookup = self.book.look_up(position.board).or_throw()?;
        Ok(lookup.value(self.book.kind()).map_or(NONE, i32::from))
    }

    /// The header, as `fourbook info --json`.
    pub fn info(&self) -> String {
        to_json(&self.book.info())
    }

    /// Reads every byte, and returns the failures of sections as JSON.
    pub fn verify(&self) -> String {
        let failures: Vec<_> = self
            .book
            .sections()
            .iter()
            .filter_map(|section| {
                let error = self.book.check_section(section).err()?;
                Some(json!({ "ply": section.ply, "text": with_causes(&error) }))
            })
            .collect();
        to_json(&json!({ "passed": failures.is_empty(), "failures": failures }))
    }

    /// The positions of a ply that the rules do not score.
    pub fn positions(&self, ply: u32) -> Result<RawPositions, JsValue> {
        let positions = Book::positions(Arc::clone(&self.book), ply, false).or_throw()?;
        Ok(RawPositions { positions: Box::new(positions) })
    }
}

/// The positions of a ply of a book, one after the other.
#[wasm_bindgen]
pub struct RawPositions {
    positions: Box<dyn Iterator<Item = Result<(Position, Score), BookError>>>,
}

#[wasm_bindgen]
impl RawPositions {
    /// Puts the next position in the place, and returns its value; no score after the last.
    pub fn next(&mut self, place: &mut RawPosition) -> Result<i32, JsValue> {
        let Some(next) = self.positions.next() else { return Ok(NONE) };
        let (position, value) = next.or_throw()?;
        place.board = position;
        Ok(value.into())
    }
}
