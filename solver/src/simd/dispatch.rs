//! The one place that detects what the processor has and chooses code by it.

#![allow(unsafe_code)]

use super::vector::Lanes;
use super::vector::Vector;
use super::wide::Wide;

/// A set of instructions that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(Kind);

/// Private, so that a value of [`Instructions`] proves that the processor was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// The best instructions that this processor has.
    pub fn detect() -> Instructions {
        Self::available().pop().unwrap_or(Instructions(Kind::Baseline))
    }

    /// All sets of instructions that this processor has, the best last.
    pub fn available() -> Vec<Instructions> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut available = vec![Instructions(Kind::Baseline)];
        #[cfg(target_arch = "x86_64")]
        if Avx2::is_detected() {
            available.push(Instructions(Kind::Avx2));
            if Avx512::is_detected() {
                available.push(Instructions(Kind::Avx512));
            }
        }
        available
    }

    /// Runs the build of a task for these instructions.
    #[inline(always)]
    pub fn run<T: WithSimd>(self, task: T) -> T::Output {
        match self.0 {
            Kind::Baseline => Baseline::run(task),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 if T::GAINS_FROM_AVX512 => Avx512::run(task),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 | Kind::Avx512 => Avx2::run(task),
        }
    }
}

/// Code that is built once for each set of instructions.
///
/// Only what is inlined into [`run`](Self::run) is compiled with the instructions; anything
/// else would pass boards through memory and call every instruction as a function. So all
/// functions on the way to the instructions are `#[inline(always)]` and free of closures.
pub trait WithSimd {
    /// The type of the result.
    type Output;

    /// Whether a build for AVX-512 is faster than one for AVX2.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    const GAINS_FROM_AVX512: bool = true;

    /// Runs the task.
    fn run<S: Simd>(self) -> Self::Output;
}

/// A set of instructions, as a type.
///
/// All but [`Baseline`] are private: code is generic over them and gets them from
/// [`Instructions::run`] only, on a processor that has them.
pub trait Simd:
    LanesOf<u64, 8> + LanesOf<u64, 16> + LanesOf<u128, 8> + LanesOf<u128, 16> + Copy
{
    /// Whether registers hold at least 256 bits.
    const WIDE: bool = false;

    /// Runs a task compiled with these instructions.
    fn run<T: WithSimd>(task: T) -> T::Output;

    /// The outputs of a layer of a network, if there are instructions for it: `constants` and
    /// the products of `inputs` and the weights, which lie two inputs side by side, divided by
    /// 64 and at least 0.
    #[inline(always)]
    fn layer<const N: usize>(
        _inputs: &[[i16; 2]; N],
        _weights: &[[[i16; 2]; 16]; N],
        _constants: &[i32; 16],
    ) -> Option<[i16; 16]> {
        None
    }

    /// For each of four distances, the sum of how much nearer to `top` each key divided by 64 is,
    /// if there are instructions for it: four numbers of 16 bits, the first one lowest.
    #[inline(always)]
    fn nearness(_keys: &[i16; 48], _top: i16, _distances: [i16; 4]) -> Option<u64> {
        None
    }
}

/// How instructions hold `N` boards.
pub trait LanesOf<B: Copy + Ord, const N: usize> {
    /// The vector of boards.
    type Lanes: Lanes<B, N>;
}

/// Says how many registers of a kind hold eight boards, and how many hold sixteen.
macro_rules! lanes {
    ($name:ident: $register:ty, $few:literal, $many:literal) => {
        impl LanesOf<u64, 8> for $name {
            type Lanes = Vector<$register, $few>;
        }
        impl LanesOf<u64, 16> for $name {
            type Lanes = Vector<$register, $many>;
        }
        impl LanesOf<u128, 8> for $name {
            type Lanes = Vector<Wide<$register>, $few>;
        }
        impl LanesOf<u128, 16> for $name {
            type Lanes = Vector<Wide<$register>, $many>;
        }
    };
}

/// The instructions of every processor of the architecture.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Simd for Baseline {
    #[inline(always)]
    fn run<T: WithSimd>(task: T) -> T::Output {
        task.run::<Self>()
    }
}

// Every ARM processor of 64 bits has NEON. An engine that loads a WebAssembly module has the
// instructions the module is compiled with.
#[cfg(target_arch = "aarch64")]
lanes!(Baseline: std::arch::aarch64::uint64x2_t, 4, 8);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
lanes!(Baseline: std::arch::wasm32::v128, 4, 8);
#[cfg(not(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128"))))]
lanes!(Baseline: u64, 8, 16);

/// Makes the type of a set of instructions of x86.
#[cfg(target_arch = "x86_64")]
macro_rules! x86 {
    ($name:ident: $register:ident, $few:literal, $many:literal; $($feature:tt),+) => {
        #[derive(Clone, Copy, Debug)]
        struct $name;

        impl $name {
            fn is_detected() -> bool {
                $(is_x86_feature_detected!($feature))&&+
            }
        }

        lanes!($name: std::arch::x86_64::$register, $few, $many);

        impl Simd for $name {
            const WIDE: bool = true;

            #[inline(always)]
            fn run<T: WithSimd>(task: T) -> T::Output {
                #[target_feature($(enable = $feature),+)]
                fn run<T: WithSimd>(task: T) -> T::Output {
                    task.run::<$name>()
                }
                // SAFETY: this type is private and reaches other code by `Instructions::run`
                // only, for a value of `Instructions` that was made after finding the features
                // on the processor.
                unsafe { run(task) }
            }

            #[inline(always)]
            fn layer<const N: usize>(
                inputs: &[[i16; 2]; N],
                weights: &[[[i16; 2]; 16]; N],
                constants: &[i32; 16],
            ) -> Option<[i16; 16]> {
                // SAFETY: as in `run`; the features include AVX2.
                Some(unsafe { super::x86::layer(inputs, weights, constants) })
            }

            #[inline(always)]
            fn nearness(keys: &[i16; 48], top: i16, distances: [i16; 4]) -> Option<u64> {
                // SAFETY: as in `run`; the features include AVX2.
                Some(unsafe { super::x86::nearness(keys, top, distances) })
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
x86!(Avx2: __m256i, 2, 4; "avx2", "bmi1", "bmi2", "lzcnt", "popcnt");
#[cfg(target_arch = "x86_64")]
x86!(Avx512: __m512i, 1, 2;
    "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl",
    "avx2", "bmi1", "bmi2", "lzcnt", "popcnt");

/// Asks the processor to bring the memory at `place`, which may be any, into its cache.
#[inline(always)]
pub fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86-64; a prefetch neither reads nor changes anything.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch neither reads nor changes anything, wherever it points.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{place}]",
            place = in(reg) place,
            options(nostack, readonly, preserves_flags)
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = place;
}
