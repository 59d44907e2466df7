//! Books.

use crate::NONE;
use crate::errors::OrThrow;
use crate::position::{RawPosition, board_of, size_of, to_json};
use fourbook::{Book, Position, with_causes};
use serde_json::json;
use std::collections::BTreeSet;
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
        Ok(lookup.number(self.book.kind()).map_or(NONE, i32::from))
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

    /// Returns the keys of all positions of a ply that the rules do not score: the
    /// lower and the upper half one after the other.
    pub fn positions(&self, ply: u32) -> Vec<u64> {
        let mut keys = BTreeSet::from([Position::empty(self.book.size()).key()]);
        for _ in 0..ply {
            let children = keys.iter().flat_map(|&key| self.position(key).children().flatten());
            keys = children.map(Position::canonical_key).collect();
        }
        keys.retain(|&key| self.position(key).score_by_rules().is_none());
        keys.into_iter().flat_map(|key| [key as u64, (key >> 64) as u64]).collect()
    }
}

impl RawBook {
    fn position(&self, key: u128) -> Position {
        Position::from_key(self.book.size(), key).expect("it is the key of a position")
    }
}
