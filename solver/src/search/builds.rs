//! The builds of the search, one for each set of instructions, word and number of lanes;
//! one is chosen when a solver is made.

use super::constants::Constants;
use super::weights::MoveOrder;
use super::{Build, BuiltSearch, Search};
use crate::board::Size;
use crate::simd::{LanesOf, Simd, WithSimd};
use crate::table::TableWord;
use std::marker::PhantomData;

/// Chooses the build for boards of a size in words `B`.
pub(crate) struct Choose<B> {
    size: Size,
    /// Whether moves are in the built-in order.
    has_best_order: bool,
    word: PhantomData<B>,
}

impl<B: TableWord> Choose<B> {
    pub(crate) fn new(size: Size, order: &MoveOrder) -> Self {
        Choose { size, has_best_order: *order == MoveOrder::BEST, word: PhantomData }
    }
}

/// The search of a build for all boards of a word, by its number of columns.
fn by_width<B: TableWord, I: Build<B, 8> + Build<B, 16>>(size: Size) -> BuiltSearch<B> {
    if size.width() <= 8 { <I as Build<B, 8>>::search } else { <I as Build<B, 16>>::search }
}

impl WithSimd for Choose<u64> {
    type Output = BuiltSearch<u64>;

    // Inlined, the caller would have copies of the builds.
    #[inline(never)]
    fn run<S: Simd>(self) -> BuiltSearch<u64> {
        if self.size == Size::STANDARD && self.has_best_order {
            Standard::<S>::search
        } else {
            by_width::<u64, AnyBoard<S>>(self.size)
        }
    }
}

impl WithSimd for Choose<u128> {
    type Output = BuiltSearch<u128>;

    #[inline(never)]
    fn run<S: Simd>(self) -> BuiltSearch<u128> {
        by_width::<u128, AnyBoard<S>>(self.size)
    }
}

/// The builds for any board.
#[derive(Clone, Copy, Debug)]
struct AnyBoard<S>(S);

impl<S: Simd + LanesOf<B, N>, B: TableWord, const N: usize> Build<B, N> for AnyBoard<S> {
    type Instructions = S;
}

/// The builds for 7x6 alone, where constants save 3 to 5 % of the time.
#[derive(Clone, Copy, Debug)]
struct Standard<S>(S);

impl<S: Simd> Build<u64, 8> for Standard<S> {
    type Instructions = S;

    #[inline(always)]
    fn board<'a>(_: &'a Search<'_, u64>) -> &'a Constants<u64> {
        Constants::STANDARD
    }
}
