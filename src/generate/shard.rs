//! The deepest ply in shards, which several machines solve.
//!
//! A *shard* is a range of the depth-first order of the positions to solve; neighbours in
//! it share work. All shards of a book follow from its size and depth and from their
//! number, so machines agree on them without talking. The result of a shard is a *part*;
//! [`merge`](super::merge()) makes the book of all parts.

use fourbook_solver::ValueKind;
use fourbook_solver::board::Size;
use fourbook_solver::text::{NameError, number};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The extension of parts.
pub(super) const EXTENSION: &str = "part";

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

    /// The only shard of a book that is not divided.
    pub(super) const WHOLE: Shard = Shard { index: 1, of: 1 };

    /// The shard with the number `index`, from 1, of `of` shards.
    ///
    /// # Errors
    ///
    /// If there are none or more than [`MOST`](Self::MOST), or none has that number.
    pub fn new(index: u32, of: u32) -> Result<Self, NameError> {
        if (1..=of).contains(&index) && of <= Self::MOST {
            Ok(Shard { index, of })
        } else {
            Err(Shard::name_error(&format!("{index}/{of}")))
        }
    }

    fn name_error(text: &str) -> NameError {
        let most = Self::MOST;
        let expected = format!("I/N, such as 2/4, with I from 1 to N and N at most {most}");
        NameError::new("shard", expected, text)
    }

    /// Its number, from 1.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many there are.
    pub const fn of(self) -> u32 {
        self.of
    }

    /// Its part of an order of `positions` positions. The ranges of all shards follow one another
    /// and have equally many positions, or one more.
    pub(super) fn range(self, positions: u64) -> Range<u64> {
        let before = |shards: u32| {
            let positions = u128::from(positions) * u128::from(shards);
            (positions / u128::from(self.of)) as u64
        };
        before(self.index - 1)..before(self.index)
    }

    /// The name of the file of its part, such as `7x6-d12.2-of-4.part`.
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
        let numbers =
            text.split_once('/').and_then(|(index, of)| Some((number(index)?, number(of)?)));
        let (index, of) = numbers.ok_or_else(|| Shard::name_error(text))?;
        Shard::new(index, of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_as_they_are_printed() {
        for index in 1..=5 {
            let shard = Shard::new(index, 5).unwrap();
            assert_eq!(shard.to_string().parse::<Shard>().unwrap(), shard);
        }
    }

    #[test]
    fn shards_partition_the_order() {
        for positions in [0, 2, 8, 1000, u64::MAX] {
            for of in [1, 3, 4, Shard::MOST] {
                let mut next = 0;
                for index in 1..=of {
                    let range = Shard::new(index, of).unwrap().range(positions);
                    let found = range.end - range.start;
                    assert_eq!((range.start, found - positions / u64::from(of) <= 1), (next, true));
                    next = range.end;
                }
                assert_eq!(next, positions);
            }
        }
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
    }

    #[test]
    fn names_say_what_a_part_is_of() {
        let shard = Shard::new(2, 4).unwrap();
        let name = |kind| shard.file_name(Size::STANDARD, 12, kind);
        assert_eq!(name(ValueKind::Scores), "7x6-d12.2-of-4.part");
        assert_eq!(name(ValueKind::WinDrawLoss), "7x6-d12-wdl.2-of-4.part");
    }
}
