//! The words that hold a board, and the masks of a board in them.
//!
//! A board of `height` rows takes `height + 1` bits a column: the rows from the
//! bottom, then one guard bit that is always empty, so that no line of four runs from
//! the top of a column into the next one. The cell at (`column`, `row`) is bit
//! `(height + 1) * column + row`; on 7x6 that is `7 * column + row`. Columns and rows
//! count from 0.
//!
//! Source: John Tromp's *Fhourstones* layout, explained in "Bitboards and
//! Connect Four" (D. Herzberg, 2018).

use super::size::Size;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// Functions of one expression that are always inlined.
macro_rules! inlined {
    ($($(#[$doc:meta])* $name:ident($($parameters:tt)*) -> $result:ty => $value:expr;)+) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name($($parameters)*) -> $result {
            $value
        }
    )+};
}
pub(crate) use inlined;

/// Sets of cells: one board in a word, or several side by side in a vector.
///
/// Shifts are by fewer bits than a board has.
pub trait Cells:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    inlined! {
        /// Shift to the left by fewer than 64 bits.
        shl_short(self, bits: u32) -> Self => self << bits;
        /// Shift to the right by fewer than 64 bits.
        shr_short(self, bits: u32) -> Self => self >> bits;
        /// Shifts to the right twice, each time by fewer than 64 bits.
        shr_twice(self, bits: u32) -> Self => self >> (2 * bits);
    }
}

impl Cells for u64 {}

/// The compiler needs the mask to know that a shift is short: it takes two instructions then,
/// and six otherwise.
impl Cells for u128 {
    inlined! {
        shl_short(self, bits: u32) -> Self => self << (bits % 64);
        shr_short(self, bits: u32) -> Self => self >> (bits % 64);
        shr_twice(self, bits: u32) -> Self => self.shr_short(bits).shr_short(bits);
    }
}

/// A word that holds a board: `u64` up to 64 bits, `u128` above.
///
/// Code that handles boards is generic over it, the search also over the processor's instructions and
/// the number of columns. The geometry says what its bits mean. Other crates cannot implement it, as
/// `Cells` is private.
#[doc(hidden)]
pub trait Word:
    Cells
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Ord
    + Hash
    + Debug
    + Send
    + Sync
    + 'static
{
    /// Number of bits.
    const BITS: u32;
    /// No cell.
    const ZERO: Self;
    /// The first cell of the first column.
    const ONE: Self;

    /// The masks of the board of 7x6, as a constant.
    const STANDARD: Geometry<Self>;

    /// The masks of a board; the same value every time.
    ///
    /// # Panics
    ///
    /// If the board has more bits than the word.
    fn geometry(size: Size) -> &'static Geometry<Self>;

    /// The low bits of a number.
    fn truncate(number: u128) -> Self;
    /// This number in the largest word.
    fn widen(self) -> u128;
    /// The low 64 bits.
    fn low(self) -> u64;
    /// Number of cells.
    fn count_ones(self) -> u32;
    /// Number of the lowest cell's bit.
    fn trailing_zeros(self) -> u32;
    /// Sum as numbers, wrapping.
    fn wrapping_add(self, other: Self) -> Self;
    /// Difference as numbers, wrapping.
    fn wrapping_sub(self, other: Self) -> Self;

    inlined! {
        /// The lowest cell alone; none if there is none.
        lowest(self) -> Self => self & Self::ZERO.wrapping_sub(self);
        /// All cells but the lowest.
        without_lowest(self) -> Self => self & self.wrapping_sub(Self::ONE);
        /// Whether there is no cell.
        is_empty(self) -> bool => self == Self::ZERO;
    }

    /// The cells one by one, the lowest bit first.
    fn cells(self) -> impl Iterator<Item = Self> {
        let mut left = self;
        std::iter::from_fn(move || {
            let cell = left.lowest();
            left ^= cell;
            (!cell.is_empty()).then_some(cell)
        })
    }
}

/// The geometries of all sizes, by width and height.
type Geometries<B> = [[Option<Geometry<B>>; HEIGHTS]; WIDTHS];

const WIDTHS: usize = Size::MAX_WIDTH - Size::MIN_SIDE + 1;
const HEIGHTS: usize = Size::MAX_HEIGHT - Size::MIN_SIDE + 1;

/// Makes a word and the table of its geometries: constants can't call the methods of a trait.
macro_rules! word {
    ($word:ty, $geometries:ident) => {
        static $geometries: Geometries<$word> = {
            const fn every(first: u32, step: u32, number: usize) -> $word {
                let mut cells = 0;
                let mut i = 0;
                while i < number {
                    cells |= 1 << (first + step * i as u32);
                    i += 1;
                }
                cells
            }
            let mut all = [[None; HEIGHTS]; WIDTHS];
            let mut number = 0;
            while number < WIDTHS * HEIGHTS {
                let column = number / HEIGHTS;
                let row = number % HEIGHTS;
                let width = column + Size::MIN_SIDE;
                let height = row + Size::MIN_SIDE;
                if let Some(size) = Size::checked(width, height)
                    && size.bits() <= <$word>::BITS
                {
                    let column_bits = height as u32 + 1;
                    let bottom = every(0, column_bits, width);
                    all[column][row] = Some(Geometry {
                        size,
                        column_bits,
                        bottom,
                        board: bottom * ((1 << height) - 1),
                        guard: bottom << height,
                        even_from_top: bottom * every(column_bits % 2, 2, height.div_ceil(2)),
                        odd_from_top: bottom * every(height as u32 % 2, 2, height / 2),
                    });
                }
                number += 1;
            }
            all
        };

        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const STANDARD: Geometry<Self> =
                $geometries[7 - Size::MIN_SIDE][6 - Size::MIN_SIDE].expect("every word holds 7x6");

            #[inline(always)]
            fn geometry(size: Size) -> &'static Geometry<Self> {
                $geometries[size.width() - Size::MIN_SIDE][size.height() - Size::MIN_SIDE]
                    .as_ref()
                    .expect("the board has more bits than the word")
            }

            inlined! {
                truncate(number: u128) -> Self => number as $word;
                widen(self) -> u128 => self as u128;
                low(self) -> u64 => self as u64;
                count_ones(self) -> u32 => self.count_ones();
                trailing_zeros(self) -> u32 => self.trailing_zeros();
                wrapping_add(self, other: Self) -> Self => self.wrapping_add(other);
                wrapping_sub(self, other: Self) -> Self => self.wrapping_sub(other);
            }
        }
    };
}

word!(u64, NARROW);
word!(u128, WIDE);

/// Runs code with the word type that holds boards of a size. The code uses the type by the name
/// given.
///
/// Other code chooses by the size only for speed: moves on 7x6 and the search have builds for it.
#[macro_export]
#[doc(hidden)]
macro_rules! with_word {
    ($size:expr, $word:ident => $code:expr) => {
        if $size.is_narrow() {
            type $word = u64;
            $code
        } else {
            type $word = u128;
            $code
        }
    };
}

/// The masks and counts of a board. There is one for each size and word, made at
/// compile time; [`Word::geometry`] has it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Eq, PartialOrd, Ord)]
pub struct Geometry<B> {
    /// The size; all other fields follow from it.
    pub size: Size,
    /// Bits from one column to the next: the height and one guard bit.
    pub column_bits: u32,
    /// The lowest cell of every column.
    pub bottom: B,
    /// Every playable cell; the guard row is left out.
    pub board: B,
    /// The guard bit on top of every column.
    pub guard: B,
    /// The top row and every second row below it.
    pub even_from_top: B,
    /// The row below the top row and every second row below it.
    pub odd_from_top: B,
}

impl<B> PartialEq for Geometry<B> {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
    }
}

impl<B> Hash for Geometry<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.size.hash(state);
    }
}

impl<B: Word> Geometry<B> {
    /// All bits of the first column, its guard bit included.
    #[inline(always)]
    pub fn column_mask(&self) -> B {
        (B::ONE << self.column_bits).wrapping_sub(B::ONE)
    }

    /// Every playable cell of `column` (from 0), which has to be one of the board's.
    #[inline(always)]
    pub fn column(&self, column: usize) -> B {
        (self.column_mask() >> 1) << (column as u32 * self.column_bits)
    }

    /// The cell at `column` and `row`, both from 0 and on the board.
    #[inline(always)]
    pub fn cell(&self, column: usize, row: usize) -> B {
        B::ONE << (column as u32 * self.column_bits + row as u32)
    }

    /// The column and row, from 0, of the lowest of some cells.
    pub fn place_of(&self, cells: B) -> (usize, usize) {
        let bit = cells.trailing_zeros();
        ((bit / self.column_bits) as usize, (bit % self.column_bits) as usize)
    }

    /// The columns seen in a mirror: the first becomes the last. Guard bits go along.
    #[inline(always)]
    pub fn mirrored(&self, cells: B) -> B {
        self.mirror(cells, self.column_mask())
    }

    /// [`mirrored`](Self::mirrored) of one board or several, with the mask of the first column of
    /// each.
    #[inline(always)]
    pub fn mirror<C: Cells>(&self, mut cells: C, column_mask: C) -> C {
        let mut mirrored = cells & column_mask;
        // The first column is shifted out of the way once for every one after it.
        for _ in 1..self.size.width() {
            cells = cells.shr_short(self.column_bits);
            mirrored = mirrored.shl_short(self.column_bits) | (cells & column_mask);
        }
        mirrored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrow(width: usize, height: usize) -> &'static Geometry<u64> {
        u64::geometry(Size::new(width, height).unwrap())
    }

    #[test]
    fn the_masks_are_those_of_their_cells() {
        for size in Size::all() {
            let geometry = u128::geometry(size);
            let mut board = 0;
            let mut bottom = 0;
            let mut guard = 0;
            let mut rows = [0, 0];
            for column in 0..size.width() {
                bottom |= geometry.cell(column, 0);
                guard |= geometry.cell(column, size.height());
                for row in 0..size.height() {
                    board |= geometry.cell(column, row);
                    rows[(size.height() - 1 - row) % 2] |= geometry.cell(column, row);
                }
            }
            assert_eq!((geometry.board, geometry.bottom, geometry.guard), (board, bottom, guard));
            assert_eq!([geometry.even_from_top, geometry.odd_from_top], rows);
            assert_eq!(board.count_ones(), size.cells());
            if size.bits() <= 64 {
                let narrow = u64::geometry(size);
                assert_eq!(u128::from(narrow.board), board);
                assert_eq!(u128::from(narrow.guard), guard);
                assert_eq!(u128::from(narrow.odd_from_top), rows[1]);
            }
        }
    }

    #[test]
    fn columns_are_tried_from_the_centre_outwards() {
        let order = |width| Size::new(width, 4).unwrap().centre_first().collect::<Vec<_>>();
        assert_eq!(order(7), [3, 2, 4, 1, 5, 0, 6]);
        assert_eq!(order(6), [2, 3, 1, 4, 0, 5]);
        assert_eq!(order(4), [1, 2, 0, 3]);
    }

    #[test]
    fn the_largest_boards_fill_all_bits() {
        assert_eq!(narrow(8, 7).board | narrow(8, 7).guard, u64::MAX);
        for (width, height) in [(16, 7), (8, 15), (4, 31)] {
            let geometry = u128::geometry(Size::new(width, height).unwrap());
            assert_eq!(geometry.board | geometry.guard, u128::MAX);
            assert_eq!(geometry.board & geometry.guard, 0);
        }
    }

    #[test]
    fn mirroring_swaps_columns_and_undoes_itself() {
        for size in Size::all() {
            let geometry = u128::geometry(size);
            for column in 0..size.width() {
                let cell = geometry.cell(column, 2);
                let last = size.width() - 1;
                assert_eq!(geometry.mirrored(cell), geometry.cell(last - column, 2), "{size}");
                assert_eq!(geometry.mirrored(geometry.mirrored(cell)), cell, "{size}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "more bits than the word")]
    fn a_word_too_small_for_a_board_is_refused() {
        let _ = narrow(8, 8);
    }
}
