//! What the processor can do.

#![allow(unsafe_code)]

/// Which instructions a solver uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
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
    pub(crate) fn detect() -> Instructions {
        Self::available().pop().unwrap_or(Instructions::Baseline)
    }

    /// Everything that this processor has, the best last.
    pub(crate) fn available() -> Vec<Instructions> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
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
}

/// The number of rounds of a loop that is to stay one. The compilers of engines for
/// WebAssembly keep in memory what a long piece of code without branches has at work at once;
/// other compilers know better themselves.
#[inline(always)]
pub(crate) fn rounds(number: usize) -> usize {
    if cfg!(target_family = "wasm") { std::hint::black_box(number) } else { number }
}

/// Asks the processor to bring the memory behind `place` into its cache.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
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
