//! The flat encoding: one code of fixed width a slot, without keys.
//!
//! The code of a slot takes `bits` bits, the lowest first, from bit
//! `slot * bits` of the section; it is the value plus the bias, or all ones
//! where there is no entry. After the codes there is room for a read of eight
//! bytes from the byte in which any code begins.

use super::blocks::{BadBlock, SectionBytes};
use super::header::Section;
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Score, Size};

/// Sections begin and end at multiples of this many bytes.
pub(crate) const ALIGNMENT: u64 = 64;

/// How the values of a section are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flat {
    /// Width of a code, 1 to [`most_bits`](Self::most_bits).
    pub(crate) bits: u8,
    /// The number that is added to a value to make its code.
    pub(crate) bias: i8,
}

impl Section {
    pub(super) fn flat(&self) -> Flat {
        Flat { bits: self.bits, bias: self.bias }
    }
}

impl Flat {
    /// Width of the widest codes on boards of a size: enough for all scores and "absent", at least
    /// 6 bits. Boards of more than 68 cells need 7; none needs more.
    pub(crate) fn most_bits(size: Size) -> u8 {
        let highest = ValueKind::Scores.highest_value(size);
        Flat::for_values(Some((-highest, highest))).bits.max(6)
    }

    /// Width of the narrowest codes for values from `least` to `most`; one bit if there are none.
    pub(crate) fn for_values(range: Option<(Score, Score)>) -> Flat {
        let (least, most) = range.unwrap_or((0, -1));
        // One code for every value in the range and one for "absent".
        let highest_code = (i32::from(most) - i32::from(least) + 1).max(1);
        Flat { bits: highest_code.ilog2() as u8 + 1, bias: -least }
    }

    /// The code of a slot without an entry.
    pub(crate) const fn absent(self) -> u64 {
        (1 << self.bits) - 1
    }

    /// Bytes of a section.
    pub(crate) const fn section_bytes(self, slots: u64) -> u64 {
        ((slots * self.bits as u64).div_ceil(8) + 7).next_multiple_of(ALIGNMENT)
    }

    /// The value of a slot; `None` without an entry.
    #[inline(always)]
    pub(super) fn value(
        self,
        section: SectionBytes<'_>,
        slot: u64,
    ) -> Result<Option<Score>, BadBlock> {
        let bit = slot * u64::from(self.bits);
        // A code is not wider than a byte, so it lies in two.
        let bytes = section.load((bit / 8) as usize)?;
        let code = (u64::from(u16::from_le_bytes(bytes)) >> (bit % 8)) & self.absent();
        Ok((code != self.absent()).then(|| (code as Score).wrapping_sub(self.bias)))
    }

    /// The section of these values.
    ///
    /// `values` must be within the range that `self` was made for.
    pub(crate) fn encode(self, values: impl ExactSizeIterator<Item = Option<Score>>) -> Vec<u8> {
        let bytes = self.section_bytes(values.len() as u64) as usize;
        let mut section = Vec::with_capacity(bytes);
        let mut waiting = 0_u64;
        let mut used = 0;
        for value in values {
            let code = value.map_or(self.absent(), |value| (value + self.bias) as u64);
            waiting |= code << used;
            used += u32::from(self.bits);
            while used >= 8 {
                section.push(waiting as u8);
                waiting >>= 8;
                used -= 8;
            }
        }
        if used > 0 {
            section.push(waiting as u8);
        }
        section.resize(bytes, 0);
        section
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "generate")]
    use crate::book::blocks::{Blocks, Storage};

    #[test]
    fn a_code_is_as_narrow_as_the_values_allow() {
        let bits = |least, most| Flat::for_values(Some((least, most))).bits;
        assert_eq!(Flat::for_values(None), Flat { bits: 1, bias: 0 });
        // One value and "absent"; two values and "absent" take a second bit.
        assert_eq!((bits(-3, -3), bits(0, 1), bits(-1, 1)), (1, 2, 2));
        assert_eq!((bits(-3, 3), bits(-15, 15), bits(-15, 16)), (3, 5, 6));
        assert_eq!((bits(-31, 31), bits(-32, 31), bits(-59, 59)), (6, 7, 7));
        assert_eq!(Flat::for_values(Some((-7, 2))).bias, 7);
    }

    #[test]
    fn codes_of_large_boards_have_seven_bits_and_none_has_more() {
        for size in Size::all() {
            let expected = if size.cells() > 68 { 7 } else { 6 };
            assert_eq!(Flat::most_bits(size), expected, "{size}");
        }
    }

    #[test]
    #[cfg(feature = "generate")]
    fn every_value_is_read_where_it_was_written() {
        for most in 0..=59 {
            let values: Vec<_> = (0..200)
                .map(|i: i32| {
                    (i % 7 != 3).then_some((i % (2 * i32::from(most) + 1) - i32::from(most)) as i8)
                })
                .collect();
            let flat = Flat::for_values(Some((-most, most)));
            let section = flat.encode(values.iter().copied());
            assert_eq!(section.len() as u64, flat.section_bytes(200));
            let padding = &section[(200 * usize::from(flat.bits)).div_ceil(8)..];
            assert!(padding.len() >= 7 && padding.iter().all(|&byte| byte == 0));
            let length = section.len();
            let checksums = [crc32fast::hash(&section)].into();
            let blocks = Blocks::new(Storage::Memory(section.into()), 0, checksums).unwrap();
            let section = SectionBytes { blocks: &blocks, ply: 0, start: 0, length };
            for (slot, &value) in values.iter().enumerate() {
                assert_eq!(flat.value(section, slot as u64), Ok(value));
            }
            assert!(flat.value(section, u64::from(u32::MAX)).is_err());
        }
    }
}
