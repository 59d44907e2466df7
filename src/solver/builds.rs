//! The builds of the search, one for each kind of instructions, word and number of lanes;
//! one is chosen when a solver is made.
//!
//! Functions on the way from a build to its instructions are `#[inline(always)]`
//! and free of closures. A build is a function with a `target_feature`, and only
//! what is inlined into it is compiled with its features; anything else would
//! pass boards through memory and call every instruction as a function.

#![allow(unsafe_code)]

use super::board::Board;
use super::node::Node;
use super::search::{self, Build, Search};
use super::shared::SharedWord;
use super::table::SearchWord;
use crate::board::Size;
use crate::simd::Instructions;

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

/// A build for all boards of a word, by the instructions.
macro_rules! by_instructions {
    ($instructions:expr, $size:expr) => {
        match $instructions {
            Instructions::Baseline => by_columns::<Baseline, Self>($size),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => by_columns::<Avx2, Self>($size),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => by_columns::<Avx512, Self>($size),
        }
    };
}

impl BuiltWord for u64 {
    fn null_window(size: Size, instructions: Instructions) -> NullWindow<u64> {
        match (instructions, size) {
            (Instructions::Baseline, Size::STANDARD) => Standard::<Baseline>::null_window,
            #[cfg(target_arch = "x86_64")]
            (Instructions::Avx2, Size::STANDARD) => Standard::<Avx2>::null_window,
            #[cfg(target_arch = "x86_64")]
            (Instructions::Avx512, Size::STANDARD) => Standard::<Avx512>::null_window,
            _ => Self::null_window_of_any_order(size, instructions),
        }
    }

    fn null_window_of_any_order(size: Size, instructions: Instructions) -> NullWindow<u64> {
        by_instructions!(instructions, size)
    }
}

impl BuiltWord for u128 {
    fn null_window_of_any_order(size: Size, instructions: Instructions) -> NullWindow<u128> {
        by_instructions!(instructions, size)
    }
}

/// A build for all boards of a word, by its number of columns.
fn by_columns<I: Build<B, 8> + Build<B, 16>, B: SearchWord>(size: Size) -> NullWindow<B> {
    if size.width() <= 8 {
        <I as Build<B, 8>>::null_window
    } else {
        <I as Build<B, 16>>::null_window
    }
}

/// The builds for 7x6 alone, where constants make up for 3 to 5 % of the time.
#[derive(Clone, Copy, Debug)]
struct Standard<I>(I);

/// The builds for what every processor of the architecture has.
#[derive(Clone, Copy, Debug)]
struct Baseline;

/// The builds for AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
struct Avx2;

/// The builds for AVX-512.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
struct Avx512;

/// Makes one build: of a type, for boards in words of a kind and up to a number of columns,
/// that holds them in lanes of a kind, with features of the processor if it needs any.
macro_rules! build {
    ($build:ty, $word:ty, $number:literal, $lanes:ty, [$($features:literal)?] $(, $board:expr)?) => {
        impl Build<$word, $number> for $build {
            type Lanes = $lanes;

            $(
                #[inline(always)]
                fn board<'a>(_: &'a Search<'_, $word>) -> &'a Board<$word> {
                    $board
                }
            )?

            #[inline(always)]
            fn null_window(
                search: &mut Search<'_, $word>,
                node: Node<$word>,
                ply: u32,
                beta: i32,
            ) -> i32 {
                $(#[target_feature(enable = $features)])?
                fn built(
                    search: &mut Search<'_, $word>,
                    node: Node<$word>,
                    ply: u32,
                    beta: i32,
                ) -> i32 {
                    search::null_window::<$build, $word, $number>(search, node, ply, beta)
                }
                #[allow(unused_unsafe)] // where no features are asked for
                // SAFETY: the builds are private, and had only from `BuiltWord::null_window`
                // (and called by themselves), for a value of `Instructions` that was made
                // after finding the features on the processor.
                unsafe {
                    built(search, node, ply, beta)
                }
            }
        }
    };
}

/// Makes all builds for some instructions, from how they hold eight and sixteen boards of
/// 64 bits and of 128.
macro_rules! builds {
    ($name:ident, $features:tt, $few:ty, $many:ty, $few_wide:ty, $many_wide:ty) => {
        build!($name, u64, 8, $few, $features);
        build!($name, u64, 16, $many, $features);
        build!($name, u128, 8, $few_wide, $features);
        build!($name, u128, 16, $many_wide, $features);
        build!(Standard<$name>, u64, 8, $few, $features, Board::STANDARD);
    };
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable {
    use super::*;
    use crate::simd::Portable;

    builds!(
        Baseline,
        [],
        Portable<u64, 8>,
        Portable<u64, 16>,
        Portable<u128, 8>,
        Portable<u128, 16>
    );
}

// What WebAssembly is compiled with, every engine that loads it has.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::*;
    use crate::simd::wasm::Simd128;
    use crate::simd::wide::{Sixteen, Wide};

    builds!(Baseline, [], Simd128, Sixteen<Simd128>, Wide<Simd128>, Sixteen<Wide<Simd128>>);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use crate::simd::wide::{Sixteen, Wide};
    use crate::simd::x86 as eight;

    builds!(
        Avx2,
        ["avx2,bmi1,bmi2,lzcnt,popcnt"],
        eight::Avx2,
        Sixteen<eight::Avx2>,
        Wide<eight::Avx2>,
        Sixteen<Wide<eight::Avx2>>
    );
    builds!(
        Avx512,
        ["avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt"],
        eight::Avx512,
        Sixteen<eight::Avx512>,
        Wide<eight::Avx512>,
        Sixteen<Wide<eight::Avx512>>
    );
}
