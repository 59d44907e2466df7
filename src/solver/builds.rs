//! The builds of the search, one for each set of instructions, word and number of lanes;
//! one is chosen when a solver is made.

use super::board::Board;
use super::node::Node;
use super::search::{self, Build, Search};
use super::shared::SharedWord;
use super::table::SearchWord;
use crate::board::Size;
use crate::simd::{Function, Instructions, LanesOf, Simd, Task};
use std::marker::PhantomData;

/// [`search::null_window`] in some build.
pub(super) type NullWindow<B> = fn(&mut Search<'_, B>, Node<B>, u32, i32) -> i32;

/// A word for whose boards there are builds of the search.
pub(super) trait BuiltWord: SharedWord {
    /// The search on boards of this size, built for these instructions, with moves in the
    /// best order.
    fn null_window(size: Size, instructions: Instructions) -> NullWindow<Self> {
        Self::null_window_of_any_order(size, instructions)
    }

    /// The same with moves in the order that the [`Board`] says.
    fn null_window_of_any_order(size: Size, instructions: Instructions) -> NullWindow<Self>;
}

impl BuiltWord for u64 {
    fn null_window(size: Size, instructions: Instructions) -> NullWindow<u64> {
        if size == Size::STANDARD {
            instructions.run(ChooseStandard)
        } else {
            Self::null_window_of_any_order(size, instructions)
        }
    }

    fn null_window_of_any_order(size: Size, instructions: Instructions) -> NullWindow<u64> {
        instructions.run(Choose::<u64>(size, PhantomData))
    }
}

impl BuiltWord for u128 {
    fn null_window_of_any_order(size: Size, instructions: Instructions) -> NullWindow<u128> {
        instructions.run(Choose::<u128>(size, PhantomData))
    }
}

/// Chooses the build for boards of a size.
struct Choose<B>(Size, PhantomData<B>);

impl Task for Choose<u64> {
    type Output = NullWindow<u64>;

    fn run<S: Simd>(self) -> NullWindow<u64> {
        by_columns::<S, u64>(self.0)
    }
}

impl Task for Choose<u128> {
    type Output = NullWindow<u128>;

    fn run<S: Simd>(self) -> NullWindow<u128> {
        by_columns::<S, u128>(self.0)
    }
}

/// The build for all boards of a word, by its number of columns.
fn by_columns<S: Simd + LanesOf<B, 8> + LanesOf<B, 16>, B: SearchWord>(
    size: Size,
) -> NullWindow<B> {
    if size.width() <= 8 {
        <AnyBoard<S> as Build<B, 8>>::null_window
    } else {
        <AnyBoard<S> as Build<B, 16>>::null_window
    }
}

/// Chooses the build for 7x6 alone.
struct ChooseStandard;

impl Task for ChooseStandard {
    type Output = NullWindow<u64>;

    fn run<S: Simd>(self) -> NullWindow<u64> {
        Standard::<S>::null_window
    }
}

/// The builds for any board.
#[derive(Clone, Copy, Debug)]
struct AnyBoard<S>(S);

impl<S: Simd + LanesOf<B, N>, B: SearchWord, const N: usize> Build<B, N> for AnyBoard<S> {
    type Lanes = <S as LanesOf<B, N>>::Lanes;

    #[inline(always)]
    fn null_window(search: &mut Search<'_, B>, node: Node<B>, ply: u32, beta: i32) -> i32 {
        S::call::<Window<'_, '_, Self, B, N>>(search, node, ply, beta)
    }
}

/// The builds for 7x6 alone, where constants make up for 3 to 5 % of the time.
#[derive(Clone, Copy, Debug)]
struct Standard<S>(S);

impl<S: Simd> Build<u64, 8> for Standard<S> {
    type Lanes = <S as LanesOf<u64, 8>>::Lanes;

    #[inline(always)]
    fn board<'a>(_: &'a Search<'_, u64>) -> &'a Board<u64> {
        Board::STANDARD
    }

    #[inline(always)]
    fn null_window(search: &mut Search<'_, u64>, node: Node<u64>, ply: u32, beta: i32) -> i32 {
        S::call::<Window<'_, '_, Self, u64, 8>>(search, node, ply, beta)
    }
}

/// [`search::null_window`] in a build.
struct Window<'a, 's, I, B: SearchWord, const N: usize>(PhantomData<(&'a mut Search<'s, B>, I)>);

impl<'a, 's, I: Build<B, N>, B: SearchWord, const N: usize> Function for Window<'a, 's, I, B, N> {
    type First = &'a mut Search<'s, B>;
    type Second = Node<B>;

    #[inline(always)]
    fn call<S: Simd>(search: &'a mut Search<'s, B>, node: Node<B>, ply: u32, beta: i32) -> i32 {
        search::null_window::<I, B, N>(search, node, ply, beta)
    }
}
