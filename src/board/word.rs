//! The words that hold a board.

use super::geometry::Geometry;
use super::size::Size;
use super::threats::Cells;
use std::fmt::{Debug, Display, LowerHex};
use std::hash::Hash;
use std::ops::{BitAndAssign, BitOrAssign, BitXor, BitXorAssign, Not};

/// A word that holds a board: `u64` up to 64 bits, `u128` above.
///
/// All code that handles boards is generic over it and over nothing else; the
/// geometry says what its bits mean. Nobody else can implement it.
pub trait Word:
    Cells
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Ord
    + Hash
    + Default
    + Debug
    + Display
    + LowerHex
    + Send
    + Sync
    + private::Private
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
    /// The same number in the largest word.
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

    /// The lowest cell alone; none if there is none.
    #[must_use]
    #[inline(always)]
    fn lowest(self) -> Self {
        self & Self::ZERO.wrapping_sub(self)
    }

    /// All cells but the lowest.
    #[must_use]
    #[inline(always)]
    fn without_lowest(self) -> Self {
        self & self.wrapping_sub(Self::ONE)
    }

    /// Whether there is no cell.
    #[must_use]
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::ZERO
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

mod private {
    pub trait Private {}
    impl Private for u64 {}
    impl Private for u128 {}
}

macro_rules! word {
    ($word:ty, $geometries:expr) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const STANDARD: Geometry<Self> = $geometries.standard();

            #[inline(always)]
            fn geometry(size: Size) -> &'static Geometry<Self> {
                $geometries.of(size)
            }
            #[inline(always)]
            fn truncate(number: u128) -> Self {
                number as $word
            }
            #[inline(always)]
            fn widen(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn count_ones(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn trailing_zeros(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn wrapping_sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
        }
    };
}

word!(u64, super::geometry::NARROW);
word!(u128, super::geometry::WIDE);

/// Runs code for the word that holds boards of a size, which it may call by the name given.
///
/// This is the only place where a size that is known at run time chooses code.
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
pub(crate) use with_word;
