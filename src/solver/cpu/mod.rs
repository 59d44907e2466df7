//! What the processor can do: one build of the search for each generation of
//! instructions, chosen when a solver is made.
//!
//! All code that calls for instructions not every processor has is here: the
//! choice of a build, prefetching, and the [registers].
//!
//! Functions on the way from a build to its instructions are `#[inline(always)]`
//! and free of closures. A build is a function with a `target_feature`, and only
//! what is inlined into it is compiled with its features; anything else would
//! pass boards through memory and call every instruction as a function.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
pub(super) mod registers;

use super::lanes::{Lanes, Portable};
use super::search::{self, Node, Search};
use crate::board::{OnSize, Size};

/// A build of the search for some set of instructions.
pub(super) trait Build: Copy {
    /// How it holds the boards of all moves.
    type Lanes: Lanes;

    /// Whether the search uses [`bounds`](super::bounds); off only to test them.
    const FOLLOW_UP_BOUNDS: bool = true;

    /// [`search::null_window`], built with these instructions.
    fn null_window<const W: usize, const H: usize>(
        search: &mut Search<'_>,
        node: Node,
        ply: u32,
        beta: i32,
    ) -> i32;
}

/// Which instructions a solver uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {
    /// What every processor of the architecture has.
    Baseline,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT ("x86-64-v3").
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// The same and AVX-512 F, BW, CD, DQ and VL ("x86-64-v4").
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// The best that this processor has.
    pub(super) fn detect() -> Instructions {
        Self::available().pop().unwrap_or(Instructions::Baseline)
    }

    /// Everything that this processor has, the best last.
    pub(super) fn available() -> Vec<Instructions> {
        let mut available = vec![Instructions::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            let v3 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            if v3 {
                available.push(Instructions::Avx2);
            }
            let v4 = v3
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            if v4 {
                available.push(Instructions::Avx512);
            }
        }
        available
    }

    /// The search on boards of this size, built for these instructions.
    ///
    /// This is not generic, so that the searches, which take long to compile, are
    /// compiled in this crate only and not again in each that uses it.
    pub(super) fn null_window(self, size: Size) -> NullWindow {
        size.dispatch(Choose(self))
    }
}

/// [`search::null_window`] on boards of some size.
pub(super) type NullWindow = fn(&mut Search<'_>, Node, u32, i32) -> i32;

struct Choose(Instructions);

impl OnSize for Choose {
    type Output = NullWindow;

    fn on_size<const W: usize, const H: usize>(self) -> NullWindow {
        match self.0 {
            Instructions::Baseline => Baseline::null_window::<W, H>,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => builds::Avx2::null_window::<W, H>,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => builds::Avx512::null_window::<W, H>,
        }
    }
}

/// The build for what every processor of the architecture has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Baseline;

impl Build for Baseline {
    type Lanes = Portable;

    fn null_window<const W: usize, const H: usize>(
        search: &mut Search<'_>,
        node: Node,
        ply: u32,
        beta: i32,
    ) -> i32 {
        search::null_window::<Baseline, W, H>(search, node, ply, beta)
    }
}

#[cfg(target_arch = "x86_64")]
mod builds {
    use super::{Build, Node, Search, registers, search};

    macro_rules! build {
        ($name:ident, $lanes:ty, $features:literal, $about:literal) => {
            #[doc = $about]
            ///
            /// Private to this module, which uses it only where `Instructions` says
            /// that the processor has the features.
            #[derive(Clone, Copy, Debug)]
            pub(super) struct $name;

            impl Build for $name {
                type Lanes = $lanes;

                #[inline(always)]
                fn null_window<const W: usize, const H: usize>(
                    search: &mut Search<'_>,
                    node: Node,
                    ply: u32,
                    beta: i32,
                ) -> i32 {
                    #[target_feature(enable = $features)]
                    fn built<const W: usize, const H: usize>(
                        search: &mut Search<'_>,
                        node: Node,
                        ply: u32,
                        beta: i32,
                    ) -> i32 {
                        search::null_window::<$name, W, H>(search, node, ply, beta)
                    }
                    // SAFETY: this build is had only from `Instructions::null_window` (and
                    // called by itself), for a value that `detect` or `available` made
                    // after finding these features on the processor.
                    unsafe { built::<W, H>(search, node, ply, beta) }
                }
            }
        };
    }

    build!(Avx2, registers::Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt", "The build for AVX2.");
    build!(
        Avx512,
        registers::Avx512,
        "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt",
        "The build for AVX-512."
    );
}

/// Asks the processor to bring the memory behind `place` into its cache.
#[inline(always)]
pub(super) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86-64; a prefetch changes nothing and a reference
        // points to mapped memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
