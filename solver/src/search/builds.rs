//! The builds of the search, one for each set of instructions, word and number of lanes;
//! one is chosen when a solver is made.
//!
//! On an AMD EPYC with AVX-512, each saves its boards at least a tenth of the time: eight lanes instead
//! of sixteen save 24 to 29 %, AVX-512 instead of AVX2 11 to 19 %, the constants of 7x6 11 %. Boards of
//! 128 bits in eight lanes would save only 3 to 6 % by AVX-512, so they have no such build.

use super::constants::Constants;
use super::weights::MoveOrder;
use super::{Build, BuiltSearch, Search};
use crate::board::Size;
use crate::simd::{Instructions, LanesOf, Simd, WithSimd};
use crate::table::TableWord;

/// The widest board that eight lanes hold.
const FEW_LANES: usize = 8;

/// A word whose boards the search is built for.
pub(crate) trait BuiltWord: TableWord {
    /// Chooses the build for boards of a size, with moves in this order.
    fn build(instructions: Instructions, size: Size, order: &MoveOrder) -> BuiltSearch<Self>;
}

impl BuiltWord for u64 {
    fn build(instructions: Instructions, size: Size, order: &MoveOrder) -> BuiltSearch<u64> {
        let is_standard = size == Size::STANDARD && *order == MoveOrder::BEST;
        instructions.run(Narrow { size, is_standard })
    }
}

impl BuiltWord for u128 {
    fn build(instructions: Instructions, size: Size, _: &MoveOrder) -> BuiltSearch<u128> {
        if size.width() <= FEW_LANES {
            instructions.run(WideFew)
        } else {
            instructions.run(WideMany)
        }
    }
}

/// Boards of 64 bits.
struct Narrow {
    size: Size,
    /// Whether it is 7x6 and moves are in the built-in order.
    is_standard: bool,
}

impl WithSimd for Narrow {
    type Output = BuiltSearch<u64>;

    // Inlined, the caller would have copies of the builds.
    #[inline(never)]
    fn run<S: Simd>(self) -> BuiltSearch<u64> {
        if self.is_standard {
            Standard::<S>::search
        } else if self.size.width() <= FEW_LANES {
            <AnyBoard<S> as Build<u64, 8>>::search
        } else {
            <AnyBoard<S> as Build<u64, 16>>::search
        }
    }
}

/// Boards of 128 bits and up to eight columns.
struct WideFew;

impl WithSimd for WideFew {
    type Output = BuiltSearch<u128>;

    const GAINS_FROM_AVX512: bool = false;

    #[inline(never)]
    fn run<S: Simd>(self) -> BuiltSearch<u128> {
        <AnyBoard<S> as Build<u128, 8>>::search
    }
}

/// Boards of 128 bits and more than eight columns.
struct WideMany;

impl WithSimd for WideMany {
    type Output = BuiltSearch<u128>;

    #[inline(never)]
    fn run<S: Simd>(self) -> BuiltSearch<u128> {
        <AnyBoard<S> as Build<u128, 16>>::search
    }
}

/// The builds for any board.
#[derive(Clone, Copy, Debug)]
struct AnyBoard<S>(S);

impl<S: Simd + LanesOf<B, N>, B: TableWord, const N: usize> Build<B, N> for AnyBoard<S> {
    type Instructions = S;
}

/// The builds for 7x6 alone, with its constants.
#[derive(Clone, Copy, Debug)]
struct Standard<S>(S);

impl<S: Simd> Build<u64, 8> for Standard<S> {
    type Instructions = S;

    #[inline(always)]
    fn board<'a>(_: &'a Search<'_, u64>) -> &'a Constants<u64> {
        Constants::STANDARD
    }
}
