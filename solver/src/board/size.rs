//! Board sizes.

use crate::text::{number, shortened};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A board size: a number of columns and of rows.
///
/// From 4x4 on, with at most [16 columns](Self::MAX_WIDTH), every board whose cells fit
/// 128 bits together with one guard bit a column: `width * (height + 1) <= 128`.
/// Parsed from and printed as `WIDTHxHEIGHT`.
///
/// ```
/// use fourbook_solver::Size;
/// let size: Size = "10x9".parse()?;
/// assert_eq!((size.width(), size.height()), (10, 9));
/// assert!("20x9".parse::<Size>().is_err());
/// assert_eq!(Size::default().to_string(), "7x6");
/// # Ok::<(), fourbook_solver::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The size of the well-known game: 7 columns, 6 rows.
    pub const STANDARD: Size = Size { width: 7, height: 6 };

    /// Fewest columns and fewest rows: a line of four fits.
    pub const MIN_SIDE: usize = 4;

    /// Most columns.
    pub const MAX_WIDTH: usize = 16;

    /// Most rows, which a board of four columns can have.
    pub const MAX_HEIGHT: usize = Self::MAX_BITS / Self::MIN_SIDE - 1;

    /// Most bits of a bitboard.
    const MAX_BITS: usize = 128;

    /// The size with this many columns and rows.
    ///
    /// # Errors
    ///
    /// If the board is too small or too large.
    pub fn new(width: usize, height: usize) -> Result<Size, SizeError> {
        Self::checked(width, height).ok_or_else(|| SizeError::Invalid(format!("{width}x{height}")))
    }

    /// Like [`Self::new`], but without the reason for a refusal; for constants, too.
    pub const fn checked(width: usize, height: usize) -> Option<Size> {
        let large_enough = width >= Self::MIN_SIDE && height >= Self::MIN_SIDE;
        let small_enough = width <= Self::MAX_WIDTH && height <= Self::MAX_HEIGHT;
        if large_enough && small_enough && width * (height + 1) <= Self::MAX_BITS {
            Some(Size { width: width as u8, height: height as u8 })
        } else {
            None
        }
    }

    /// Every size, the narrowest first, of each width the lowest first.
    pub fn all() -> impl Iterator<Item = Size> {
        (Self::MIN_SIDE..=Self::MAX_WIDTH).flat_map(|width| {
            (Self::MIN_SIDE..=Self::MAX_HEIGHT)
                .filter_map(move |height| Size::checked(width, height))
        })
    }

    /// Number of columns.
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of cells, which is also the number of stones on a full board.
    pub const fn cells(self) -> u32 {
        self.width as u32 * self.height as u32
    }

    /// Whether boards of this size are searched and looked up in 64 bits, otherwise in 128. A
    /// [`Position`](super::Position) always has 128.
    ///
    /// With `--cfg fourbook_wide` no size is narrow: the tests of small boards, which can be solved
    /// to the end, then run on the code for large ones.
    pub const fn is_narrow(self) -> bool {
        self.bits() <= u64::BITS && !cfg!(fourbook_wide)
    }

    /// Bits of a bitboard: every cell and one guard bit a column.
    pub const fn bits(self) -> u32 {
        self.width as u32 * (self.height as u32 + 1)
    }

    /// The columns in the order in which they are worth trying: the centre
    /// first, then outwards, the left one of a pair before the right one.
    pub fn centre_first(self) -> impl Iterator<Item = usize> {
        let width = self.width();
        let centre = (width - 1) / 2;
        (0..width).map(move |i| {
            let steps = i.div_ceil(2);
            // An odd width has one centre and goes left first; an even one has two.
            let leftwards = (i % 2 == 1) == (width % 2 == 1);
            if leftwards { centre - steps } else { centre + steps }
        })
    }
}

impl Default for Size {
    fn default() -> Self {
        Size::STANDARD
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// As it is printed.
impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// No board size, or another one than expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    /// A text or a pair of numbers is no board size.
    #[error(
        "'{0}' is not a board size; expected WIDTHxHEIGHT, at least 4x4, of at most 16 columns \
         and with WIDTH * (HEIGHT + 1) at most 128, such as 7x6, 8x8 or 10x10"
    )]
    Invalid(String),
    /// A position is of a board of another size.
    #[error("expected a position of {expected} boards, found one of {found}")]
    Other {
        /// The size expected.
        expected: Size,
        /// The size of the position's board.
        found: Size,
    },
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.split_once(['x', 'X']).and_then(|(width, height)| {
            Size::checked(number(width.trim())?, number(height.trim())?)
        });
        parsed.ok_or_else(|| SizeError::Invalid(shortened(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_is_parsed_from_what_it_prints() {
        assert_eq!(Size::all().count(), 141);
        for size in Size::all() {
            assert_eq!(size.to_string().parse(), Ok(size));
            assert!(size.bits() <= 128 && size.cells() < size.bits());
        }
    }

    #[test]
    fn the_largest_boards_are_sizes_and_larger_ones_are_not() {
        for (width, height) in [(4, 4), (4, 31), (8, 15), (10, 11), (16, 7)] {
            assert!(Size::new(width, height).is_ok(), "{width}x{height}");
        }
        for (width, height) in [(3, 6), (6, 3), (4, 32), (8, 16), (16, 8), (17, 4), (0, 0)] {
            let error = Size::new(width, height).unwrap_err().to_string();
            assert!(error.contains(&format!("'{width}x{height}'")), "{error}");
        }
        for text in ["7", "7x", "x6", "7x6x5", "sevenxsix", "99999999999999999999x6", "+7x6"] {
            let error = text.parse::<Size>().unwrap_err().to_string();
            assert!(error.contains("expected WIDTHxHEIGHT"), "{error}");
        }
    }
}
