//! The deepest ply in parts, which several machines solve.
//!
//! A *shard* is a range of the depth-first order of the positions to solve; neighbours in
//! it share work. All shards of a book follow from its size and depth and from their
//! number, so machines agree on them without talking. The result of a shard is a
//! [part](PartHeader), a file with a header and checksums;
//! [`merge`](super::merge()) combines all parts into the scores of the whole book.

mod cuts;
mod part;
mod run;

pub(super) use part::Part;
pub use part::PartHeader;
pub use run::{Solved, solve};

use fourbook_solver::ValueKind;
use fourbook_solver::board::Size;
use fourbook_solver::text::{NameError, count};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

/// The extension of parts.
const EXTENSION: &str = "part";

/// Whether a file of this name is meant to be a part.
pub(super) fn is_part_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == EXTENSION)
}

/// One of the parts that the deepest ply of a book is divided into.
///
/// ```
/// use fourbook::generate::Shard;
/// let shard: Shard = "2/4".parse()?;
/// assert_eq!((shard.index(), shard.of()), (2, 4));
/// assert!("5/4".parse::<Shard>().is_err());
/// # Ok::<(), fourbook::NameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    /// The most shards that a book can be divided into.
    pub const MOST: u32 = 65_536;

    /// The shard with the number `index`, from 1, of `of` shards.
    ///
    /// # Errors
    ///
    /// If there are none or more than [`MOST`](Self::MOST), or none has that number.
    pub fn new(index: u32, of: u32) -> Result<Self, NameError> {
        match (1..=of).contains(&index) && of <= Self::MOST {
            true => Ok(Shard { index, of }),
            false => Err(Shard::name_error(&format!("{index}/{of}"))),
        }
    }

    fn name_error(text: &str) -> NameError {
        let most = Self::MOST;
        let expected = format!("I/N, such as 2/4, with I from 1 to N and N at most {most}");
        NameError::new("shard", expected, text)
    }

    /// All of a number of shards.
    ///
    /// # Errors
    ///
    /// If there are none or more than [`MOST`](Self::MOST).
    pub fn all(of: u32) -> Result<impl Iterator<Item = Shard>, NameError> {
        Shard::new(1, of)?;
        Ok((1..=of).map(move |index| Shard { index, of }))
    }

    /// Its number, from 1.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many there are.
    #[must_use]
    pub const fn of(self) -> u32 {
        self.of
    }

    /// The name of the file of its part, such as `7x6-d12.2-of-4.part`.
    #[must_use]
    pub fn file_name(self, size: Size, depth: u32, kind: ValueKind) -> String {
        let Shard { index, of } = self;
        let suffix = super::file_suffix(kind);
        format!("{size}-d{depth}{suffix}.{index}-of-{of}.{EXTENSION}")
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once('/').and_then(|(index, of)| {
            // Not "+2", which `parse` would take.
            let number = |text: &str| {
                text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
            };
            Some((number(index)?, number(of)?))
        });
        let (index, of) = numbers.ok_or_else(|| Shard::name_error(text))?;
        Shard::new(index, of)
    }
}

/// The scores that a part holds: which positions of which book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartIdentity {
    /// Number of columns.
    pub width: u8,
    /// Number of rows.
    pub height: u8,
    /// The ply that is solved.
    pub depth: u32,
    /// The kind of value stored for each position.
    pub kind: ValueKind,
    /// The shard's number, from 1.
    pub index: u32,
    /// How many shards there are.
    pub of: u32,
    /// Number of positions of the ply that need solving.
    pub positions: u64,
    /// The shard's first position, by its number (from 0) in the depth-first order.
    pub first: u64,
    /// How many positions the shard has.
    pub count: u64,
}

impl PartIdentity {
    /// The board; `None` if there is none of that size.
    #[must_use]
    pub fn size(&self) -> Option<Size> {
        Size::checked(self.width.into(), self.height.into())
    }

    /// The positions it has, by their numbers in the depth-first order.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.count)
    }

    /// Whether both are shards of the same book, divided in the same way.
    pub(super) fn is_of_same_book(&self, other: &Self) -> bool {
        let book = |of: &Self| PartIdentity { index: 0, first: 0, count: 0, ..*of };
        book(self) == book(other)
    }

    /// Whether both are for the same shard; the range of positions, which may be unknown, is
    /// ignored.
    fn is_same_shard(&self, other: &Self) -> bool {
        let shard = |of: &Self| PartIdentity { positions: 0, first: 0, count: 0, ..*of };
        shard(self) == shard(other)
    }

    /// The book as text, such as `7x6, depth 12, exact scores`.
    pub(super) fn book(&self) -> String {
        let PartIdentity { width, height, depth, kind, .. } = self;
        format!("{width}x{height}, depth {depth}, {kind}")
    }
}

impl fmt::Display for PartIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.index, self.of) {
            (_, 0) => write!(f, "{}, {}", self.book(), count(self.count, "slot")),
            (index, of) => write!(f, "shard {index}/{of} of {}", self.book()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_as_they_are_printed() {
        for shard in Shard::all(5).unwrap() {
            assert_eq!(shard.to_string().parse::<Shard>().unwrap(), shard);
        }
        assert_eq!(Shard::all(5).unwrap().count(), 5);
    }

    #[test]
    fn shards_that_do_not_exist_are_refused() {
        for text in ["0/4", "5/4", "1/0", "1/65537", "", "2", "2/", "/4", "+2/4", "2/-4", "2/4/6"] {
            let error = text.parse::<Shard>().unwrap_err();
            assert_eq!((error.kind, error.text.as_str()), ("shard", text));
        }
        for text in ["two/4", "2 /4", "99999999999/4"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert!(Shard::all(0).is_err());
    }

    #[test]
    fn names_say_what_a_part_is_of() {
        let shard = Shard::new(2, 4).unwrap();
        let name = |kind| shard.file_name(Size::STANDARD, 12, kind);
        assert_eq!(name(ValueKind::Scores), "7x6-d12.2-of-4.part");
        assert_eq!(name(ValueKind::WinDrawLoss), "7x6-d12-wdl.2-of-4.part");
    }
}
