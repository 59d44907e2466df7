//! Board sizes and the bit layout that follows from them.
//!
//! A board of `W` columns and `H` rows takes `H + 1` bits a column: the rows
//! from the bottom, then one guard bit that is always empty, so that no line
//! of four runs from the top of a column into the next one. The cell at
//! (`column`, `row`) is bit `(H + 1) * column + row`; on 7x6 that is
//! `7 * column + row`. Columns and rows count from 0.
//!
//! Source: John Tromp's *Fhourstones* layout, explained in "Bitboards and
//! Connect Four" (D. Herzberg, 2018).

use std::fmt;
use std::str::FromStr;

/// The masks and counts of a `W` x `H` board.
///
/// A namespace of constants; it is never built.
///
/// ```
/// use fourbook::board::Geometry;
/// assert_eq!(Geometry::<7, 6>::CELLS, 42);
/// assert_eq!(Geometry::<7, 6>::BOTTOM & 0xff, 0b1000_0001);
/// ```
#[derive(Debug)]
pub enum Geometry<const W: usize, const H: usize> {}

impl<const W: usize, const H: usize> Geometry<W, H> {
    /// Bits from one column to the next: the height and one guard bit.
    pub const COLUMN_BITS: usize = {
        assert!(W >= 1 && W <= MAX_WIDTH && H >= 1);
        assert!(W * (H + 1) <= 64, "a board and its guard row take at most 64 bits");
        H + 1
    };

    /// Number of cells, which is also the number of stones on a full board.
    pub const CELLS: u32 = (W * H) as u32;

    /// The lowest cell of every column.
    pub const BOTTOM: u64 = {
        let mut cells = 0;
        let mut column = 0;
        while column < W {
            cells |= 1 << (column * Self::COLUMN_BITS);
            column += 1;
        }
        cells
    };

    /// Every playable cell; the guard row is left out.
    pub const BOARD: u64 = Self::BOTTOM * ((1 << H) - 1);

    /// The guard bit on top of every column.
    pub const GUARD: u64 = Self::BOTTOM << H;

    /// The first row (row 0), third row, fifth row and so on.
    pub const EVEN_ROWS: u64 = Self::rows_from(0);

    /// The second row (row 1), fourth row, sixth row and so on.
    pub const ODD_ROWS: u64 = Self::rows_from(1);

    const fn rows_from(first: usize) -> u64 {
        let mut cells = 0;
        let mut row = first;
        while row < H {
            cells |= Self::BOTTOM << row;
            row += 2;
        }
        cells
    }

    /// Every playable cell of `column` (from 0).
    ///
    /// The result is meaningless unless `column < W`.
    #[must_use]
    pub const fn column(column: usize) -> u64 {
        ((1 << H) - 1) << (column * Self::COLUMN_BITS)
    }

    /// The lowest cell of `column` (from 0).
    ///
    /// The result is meaningless unless `column < W`.
    #[must_use]
    pub const fn bottom(column: usize) -> u64 {
        1 << (column * Self::COLUMN_BITS)
    }

    /// The cell at `column` and `row`, both from 0.
    ///
    /// The result is meaningless unless `column < W` and `row < H`.
    #[must_use]
    pub const fn cell(column: usize, row: usize) -> u64 {
        1 << (column * Self::COLUMN_BITS + row)
    }

    /// The columns seen in a mirror: the first becomes the last. Guard bits go along.
    #[must_use]
    #[inline(always)]
    pub const fn mirrored(cells: u64) -> u64 {
        let column_mask = (1 << Self::COLUMN_BITS) - 1;
        let mut mirrored = 0;
        let mut column = 0;
        while column < W {
            let bits = (cells >> (column * Self::COLUMN_BITS)) & column_mask;
            mirrored |= bits << ((W - 1 - column) * Self::COLUMN_BITS);
            column += 1;
        }
        mirrored
    }

    /// The columns in the order in which they are worth trying: the centre
    /// first, then outwards, the left one of a pair before the right one.
    pub const CENTRE_FIRST: [usize; W] = {
        let mut order = [0; W];
        let centre = (W - 1) / 2;
        let mut i = 0;
        while i < W {
            let steps = i.div_ceil(2);
            // An odd width has one centre and goes left first; an even one has two.
            let leftwards = (i % 2 == 1) == (W % 2 == 1);
            order[i] = if leftwards { centre - steps } else { centre + steps };
            i += 1;
        }
        order
    };
}

/// The widest board there is, in columns.
pub const MAX_WIDTH: usize = 8;

/// A board size that fourbook can play, chosen at run time.
///
/// Parsed from and printed as `WIDTHxHEIGHT`.
///
/// ```
/// use fourbook::board::Size;
/// let size: Size = "6x5".parse()?;
/// assert_eq!((size.width(), size.height()), (6, 5));
/// assert!("9x9".parse::<Size>().is_err());
/// # Ok::<(), fourbook::board::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size {
    width: u8,
    height: u8,
}

/// What there is once for every size; the only list of sizes is where this is called.
macro_rules! size_table {
    ($(($w:literal, $h:literal))*) => {
        impl Size {
            /// Every size fourbook can play.
            pub const ALL: &[Size] = &[$(Size { width: $w, height: $h }),*];
        }

        /// Something to be done on a board whose size is known only at run time;
        /// [`Size::dispatch`] calls it with the size as constants.
        pub trait OnSize {
            /// What comes out.
            type Output;
            /// Does it on a `W` x `H` board.
            fn on_size<const W: usize, const H: usize>(self) -> Self::Output;
        }

        impl Size {
            /// Calls `task` with this size as constants.
            pub fn dispatch<T: OnSize>(self, task: T) -> T::Output {
                match (self.width, self.height) {
                    $(($w, $h) => task.on_size::<$w, $h>(),)*
                    _ => unreachable!("a Size is one of Size::ALL"),
                }
            }
        }
    };
}

size_table! {
    (4, 4) (5, 4) (4, 5) (5, 5) (6, 4) (6, 5) (5, 6) (6, 6) (7, 5) (7, 6) (6, 7) (7, 7) (8, 7)
}

impl Size {
    /// The size of the well-known game: 7 columns, 6 rows.
    pub const STANDARD: Size = Size { width: 7, height: 6 };

    /// The size with this many columns and rows, if fourbook can play it.
    #[must_use]
    pub fn new(width: usize, height: usize) -> Option<Size> {
        Size::ALL.iter().copied().find(|size| size.width() == width && size.height() == height)
    }

    const fn is_listed(width: usize, height: usize) -> bool {
        let mut i = 0;
        while i < Size::ALL.len() {
            if Size::ALL[i].width() == width && Size::ALL[i].height() == height {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Every size, for an error message.
    pub(crate) fn list() -> String {
        let sizes: Vec<String> = Size::ALL.iter().map(Size::to_string).collect();
        sizes.join(", ")
    }

    /// The size of a board whose geometry is known at compile time, where any
    /// but those of [`ALL`](Self::ALL) is an error.
    #[must_use]
    pub const fn of<const W: usize, const H: usize>() -> Size {
        const { assert!(Size::is_listed(W, H), "a board size that fourbook cannot play") };
        Size { width: W as u8, height: H as u8 }
    }

    /// Number of columns.
    #[must_use]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    #[must_use]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of cells.
    #[must_use]
    pub const fn cells(self) -> usize {
        self.width() * self.height()
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

/// A text that names no board size fourbook can play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a board size; expected WIDTHxHEIGHT, one of {}", Size::list())]
pub struct SizeError {
    text: String,
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.split_once(['x', 'X']).and_then(|(width, height)| {
            Size::new(width.trim().parse().ok()?, height.trim().parse().ok()?)
        });
        parsed.ok_or_else(|| SizeError { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_is_parsed_from_what_it_prints() {
        for &size in Size::ALL {
            assert_eq!(size.to_string().parse(), Ok(size));
        }
    }

    #[test]
    fn an_unknown_size_is_refused_with_the_list_of_known_ones() {
        let error = "7x60".parse::<Size>().unwrap_err().to_string();
        assert!(error.contains("'7x60'") && error.contains("7x6,"), "{error}");
    }

    #[test]
    fn dispatch_hands_over_the_size() {
        struct Both;
        impl OnSize for Both {
            type Output = (usize, usize);
            fn on_size<const W: usize, const H: usize>(self) -> (usize, usize) {
                (W, H)
            }
        }
        for &size in Size::ALL {
            assert_eq!(size.dispatch(Both), (size.width(), size.height()));
        }
    }

    #[test]
    fn columns_are_tried_from_the_centre_outwards() {
        assert_eq!(Geometry::<7, 6>::CENTRE_FIRST, [3, 2, 4, 1, 5, 0, 6]);
        assert_eq!(Geometry::<6, 6>::CENTRE_FIRST, [2, 3, 1, 4, 0, 5]);
        assert_eq!(Geometry::<8, 7>::CENTRE_FIRST, [3, 4, 2, 5, 1, 6, 0, 7]);
        assert_eq!(Geometry::<4, 4>::CENTRE_FIRST, [1, 2, 0, 3]);
    }

    #[test]
    fn the_largest_board_fills_all_bits_but_the_guard_row() {
        assert_eq!(Geometry::<8, 7>::BOARD | Geometry::<8, 7>::GUARD, u64::MAX);
        assert_eq!(Geometry::<8, 7>::BOARD & Geometry::<8, 7>::GUARD, 0);
    }

    #[test]
    fn mirroring_swaps_columns_and_undoes_itself() {
        let cells = Geometry::<7, 6>::cell(1, 3);
        assert_eq!(Geometry::<7, 6>::mirrored(cells), Geometry::<7, 6>::cell(5, 3));
        assert_eq!(Geometry::<7, 6>::mirrored(Geometry::<7, 6>::mirrored(cells)), cells);
    }
}
