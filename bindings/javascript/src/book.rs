//! Books.

use crate::errors::OrThrow;
use crate::position::{RawPosition, to_json};
use crate::{NONE, OTHER_SIZE};
use fourbook::book::Section;
use fourbook::{Book, Position, Size, ValueKind, with_causes};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::vec::IntoIter;
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

    /// The board it is for.
    pub fn size(&self) -> String {
        self.book.size().to_string()
    }

    /// Fails if it is for boards of another size.
    pub fn check_size(&self, size: &str) -> Result<(), JsValue> {
        let size: Size = size.parse().or_throw()?;
        self.book.check_size(size).or_throw()
    }

    /// The most stones of a position that it answers for.
    pub fn depth(&self) -> u32 {
        self.book.depth()
    }

    /// `scores` or `outcomes`.
    pub fn kind(&self) -> String {
        let name = match self.book.kind() {
            ValueKind::Scores => "scores",
            ValueKind::WinDrawLoss => "outcomes",
        };
        name.to_owned()
    }

    /// `flat` or `compact`.
    pub fn encoding(&self) -> String {
        self.book.encoding().name().to_owned()
    }

    /// The number of its contents, in hexadecimal.
    pub fn identity(&self) -> String {
        format!("{:08x}", self.book.identity())
    }

    /// All its bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.book.bytes().to_vec()
    }

    /// Fails if a position is of boards of another size.
    pub fn check(&self, position: &RawPosition) -> Result<(), JsValue> {
        position.check_size(self.book.size())
    }

    /// The value of a position: a score, or 1, 0 or -1 if the book has no scores; or
    /// [`OTHER_SIZE`].
    pub fn look_up(&self, position: &RawPosition) -> i32 {
        if position.board.size() != self.book.size() {
            return OTHER_SIZE;
        }
        self.value(position).unwrap_or(NONE)
    }

    fn value(&self, position: &RawPosition) -> Option<i32> {
        let value = position.look_up(&self.book).value()?;
        Some(self.book.kind().of(value.number()).into())
    }

    /// What the header says, as `fourbook info --json`.
    pub fn info(&self) -> String {
        to_json(&self.book.info())
    }

    /// Reads every byte: what is wrong with a section, as JSON by ply.
    pub fn verify(&self) -> String {
        let check = |section: &Section| {
            let error = self.book.check_section(section).err()?;
            Some(json!({ "ply": section.ply, "text": with_causes(&error) }))
        };
        let failures: Vec<_> = self.book.sections().iter().filter_map(check).collect();
        to_json(&json!({ "passed": failures.is_empty(), "failures": failures }))
    }

    /// The positions of a ply that are stored or follow from those that are.
    pub fn positions(&self, ply: u32) -> RawPositions {
        let size = self.book.size();
        let mut keys = BTreeSet::from([Position::empty(size).key()]);
        for _ in 0..ply {
            let children = keys.iter().flat_map(|&key| position(size, key).children().flatten());
            keys = children.map(Position::canonical_key).collect();
        }
        let keys: Vec<u128> = keys.into_iter().collect();
        RawPositions { book: Arc::clone(&self.book), keys: keys.into_iter() }
    }
}

/// The position with a key that was one's.
fn position(size: Size, key: u128) -> Position {
    Position::from_key(size, key).expect("it is the key of a position")
}

/// Positions of a book, one after the other.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawPositions {
    book: Arc<Book>,
    keys: IntoIter<u128>,
}

#[wasm_bindgen]
impl RawPositions {
    /// The next one that the rules do not score.
    #[allow(clippy::should_implement_trait)] // what JavaScript calls is not that trait
    pub fn next(&mut self) -> Option<RawPosition> {
        let size = self.book.size();
        let open = |board: &Position| board.score_by_rules().is_none();
        self.keys.by_ref().map(|key| position(size, key)).find(open).map(RawPosition::played)
    }
}
