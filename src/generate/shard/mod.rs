//! The deepest ply in parts, which several machines solve.
//!
//! A *shard* is a range of the depth-first order of the positions to solve; neighbours in
//! it share work. All shards of a book follow from its size and depth and from their
//! number, so machines agree on them without talking. The result of a shard is a
//! [part](PartHeader), a file that says what it holds and has checksums;
//! [`merge`](super::merge()) combines all parts into the scores of the whole book.

mod cuts;
mod error;
mod part;
mod run;
mod store;

pub use error::PartError;
pub use part::{FoundPart, PartHeader, PartIdentity, find_part};
pub(super) use part::{Part, SUFFIX, is_part_name};
pub use run::{Solved, solve};
pub use store::{Folder, PartBytes, PartStore};

use crate::board::Size;
use crate::scores::ValueKind;
use std::fmt;
use std::str::FromStr;

/// One of the parts that the deepest ply of a book is divided into.
///
/// ```
/// use fourbook::generate::Shard;
/// let shard: Shard = "2/4".parse()?;
/// assert_eq!((shard.index(), shard.of()), (2, 4));
/// assert!("5/4".parse::<Shard>().is_err());
/// # Ok::<(), fourbook::generate::PartError>(())
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
    pub fn new(index: u32, of: u32) -> Result<Self, PartError> {
        if of == 0 || of > Self::MOST {
            return Err(PartError::ShardCount { of });
        }
        if index == 0 || index > of {
            return Err(PartError::ShardIndex { index, of });
        }
        Ok(Shard { index, of })
    }

    /// All of a number of shards.
    ///
    /// # Errors
    ///
    /// If there are none or more than [`MOST`](Self::MOST).
    pub fn all(of: u32) -> Result<impl Iterator<Item = Shard>, PartError> {
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
        let suffix = kind.file_suffix();
        format!("{size}-d{depth}{suffix}.{index}-of-{of}.{SUFFIX}")
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = PartError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once('/').and_then(|(index, of)| {
            // Not "+2", which `parse` would take.
            let number = |text: &str| {
                text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
            };
            Some((number(index)?, number(of)?))
        });
        let (index, of) = numbers.ok_or_else(|| PartError::ShardName(text.to_owned()))?;
        Shard::new(index, of)
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
        let refused = |text: &str| text.parse::<Shard>().unwrap_err();
        assert!(matches!(refused("0/4"), PartError::ShardIndex { index: 0, of: 4 }));
        assert!(matches!(refused("5/4"), PartError::ShardIndex { index: 5, of: 4 }));
        assert!(matches!(refused("1/0"), PartError::ShardCount { of: 0 }));
        assert!(matches!(refused("1/65537"), PartError::ShardCount { of: 65_537 }));
        assert!(Shard::all(0).is_err());
        for text in ["", "2", "2/", "/4", "+2/4", "2/-4", "2/4/6", "two/4", "2 /4", "99999999999/4"]
        {
            assert!(matches!(refused(text), PartError::ShardName(found) if found == text));
        }
    }

    #[test]
    fn names_say_what_a_part_is_of() {
        let shard = Shard::new(2, 4).unwrap();
        let name = |kind| shard.file_name(Size::STANDARD, 12, kind);
        assert_eq!(name(ValueKind::Scores), "7x6-d12.2-of-4.part");
        assert_eq!(name(ValueKind::WinDrawLoss), "7x6-d12-wdl.2-of-4.part");
    }
}
