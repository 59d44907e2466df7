//! Lookups with the instructions of newer processors.
//!
//! The network adds and multiplies rows of numbers, which compilers do in registers twice
//! as wide if they may use AVX2. Whatever is inlined here is compiled once more so.

#![allow(unsafe_code)]

use super::Compact;
#[cfg(feature = "generate")]
use super::batch::Seen;
use crate::board::{Position, Score};

/// [`Compact::find`], in the best build for this processor.
#[inline]
pub(super) fn find(compact: &Compact, section: &[u8], position: Position<u64>) -> Option<Score> {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has been found to have these instructions.
        return unsafe { find_avx2(compact, section, position) };
    }
    compact.find(section, position)
}

/// [`Compact::see_canonical`], in the best build for this processor.
#[cfg(feature = "generate")]
pub(super) fn see(compact: &Compact, position: Position<u64>) -> Seen {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has been found to have these instructions.
        return unsafe { see_avx2(compact, position) };
    }
    compact.see_canonical(position)
}

/// Whether the processor has the instructions of the functions below.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(all(target_arch = "x86_64", feature = "generate"))]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn see_avx2(compact: &Compact, position: Position<u64>) -> Seen {
    compact.see_canonical(position)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn find_avx2(compact: &Compact, section: &[u8], position: Position<u64>) -> Option<Score> {
    compact.find(section, position)
}
