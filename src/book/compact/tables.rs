//! The tables before the segments of a compact section.

use super::context::Model;
use super::prefix::LONGEST;
use super::ribbon::{SLACK, Shape};
use crate::book::blocks::SectionBytes;
use crate::book::error::BookError;
use crate::book::flat::ALIGNMENT;
use crate::book::header::Section;
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Score, Size};
use fourbook_solver::text::{grouped, listed};
use std::ops::{Range, RangeInclusive};

/// Bytes of the first fields: model and number of segments, 32 bits each; coarseness, symbols, salt.
const FIELDS: usize = 11;

/// Bytes that describe a segment: how many bits each layer has.
const SEGMENT_BYTES: usize = 12;

/// A ribbon in a section.
pub(super) struct Segment {
    /// The part of the section that holds all bits of the segment.
    pub(super) bytes: Range<usize>,
    pub(super) shape: Shape,
}

/// The tables of a section. They agree with each other and with the section's length, so
/// that all bits of a code can be read and are a code.
pub(in crate::book) struct Tables {
    /// The model of the contexts.
    pub(super) model: Model,
    /// Contexts are divided by two to this power.
    pub(super) coarseness: u8,
    symbols: u8,
    pub(super) salt: u8,
    /// The values that positions may have, one for each symbol.
    pub(super) values: RangeInclusive<Score>,
    /// The code lengths of each context, `stride` bytes each.
    lengths: Vec<u8>,
    stride: usize,
    pub(super) segments: Vec<Segment>,
}

impl Tables {
    /// Reads the tables of a section, whose bytes are `bytes`, with values of this kind.
    pub(in crate::book) fn read(
        section: &Section,
        bytes: SectionBytes<'_>,
        size: Size,
        kind: ValueKind,
    ) -> Result<Tables, BookError> {
        let part = |start: usize, length: usize| {
            let end = start.saturating_add(length);
            if end > bytes.length {
                let expected = format!("at least {}", grouped(end));
                let found = grouped(bytes.length);
                return Err(BookError::of_section(section, "the length", expected, found));
            }
            bytes.copy(start..end)
        };
        let bias = section.bias;
        let fields = part(0, FIELDS)?;
        let number = |at: usize| {
            let bytes = fields[at..].first_chunk().expect("it has so many bytes");
            u32::from_le_bytes(*bytes)
        };
        let [coarseness, symbols, salt] = [fields[8], fields[9], fields[10]];
        let models = Model::best(size, kind);
        let model = models.iter().find(|model| model.number() == number(0));
        let &model = model.ok_or_else(|| {
            let known = models.iter().map(|model| format!("{:08x}", model.number()));
            let known = listed(known, "or");
            BookError::of_section(section, "the model", known, format!("{:08x}", number(0)))
        })?;
        let contexts = model.contexts().checked_shr(coarseness.into()).unwrap_or(0);
        if contexts == 0 {
            let most = format!("at most {}", model.contexts().ilog2());
            return Err(BookError::of_section(section, "the coarseness", most, coarseness));
        }
        let most_symbols = i32::from(kind.highest_value(size)) + i32::from(bias) + 1;
        if symbols == 0 || i32::from(symbols) > most_symbols {
            let expected = format!("1 to {most_symbols}");
            return Err(BookError::of_section(section, "the symbols", expected, symbols));
        }
        let stride = usize::from(symbols).div_ceil(2);
        let lengths = part(FIELDS, contexts * stride)?;
        if number(4) == 0 {
            return Err(BookError::of_section(section, "the segments", "at least 1", 0));
        }
        let directory = FIELDS + lengths.len();
        let shapes = part(directory, (number(4) as usize).saturating_mul(SEGMENT_BYTES))?;
        let mut start = directory + shapes.len();
        let segments = shapes
            .as_chunks()
            .0
            .iter()
            .map(|entry| {
                let shape = shape(entry);
                let bytes = start..start.saturating_add(shape.bytes() + SLACK);
                start = bytes.end - SLACK;
                Segment { bytes, shape }
            })
            .collect();
        // Neither goes beyond the values of the board.
        let least = -bias;
        let values = least..=(i32::from(least) + i32::from(symbols) - 1) as Score;
        let tables = Tables { model, coarseness, symbols, salt, values, lengths, stride, segments };
        tables.check_codes(section)?;
        tables.check_segments(section, bytes.length)?;
        Ok(tables)
    }

    /// The code lengths of each context, by symbol.
    pub(super) fn lengths(&self) -> impl Iterator<Item = Vec<u8>> {
        let contexts = self.lengths.chunks_exact(self.stride);
        contexts.map(|pairs| pairs.iter().flat_map(|&pair| [pair & 15, pair >> 4]).collect())
    }

    /// Where the padding begins, which is zeros.
    pub(in crate::book) fn padding(&self) -> usize {
        self.end() - SLACK
    }

    /// Bytes that may be read, most of the padding left out.
    fn end(&self) -> usize {
        self.segments.last().expect("there is a segment").bytes.end
    }

    /// Whether any bits are a code, in every context that has several.
    fn check_codes(&self, section: &Section) -> Result<(), BookError> {
        /// How many codes of the longest length there are.
        const WHOLE: u32 = 1 << LONGEST;
        /// How many of them begin with a code of this length.
        const fn share(length: u32) -> u32 {
            if length == 0 { 0 } else { WHOLE >> length }
        }
        /// How many of them begin with one of two codes, whose lengths are the two halves of a
        /// byte.
        const SHARES: [u32; 256] = {
            let mut shares = [0; 256];
            let mut pair = 0;
            while pair < 256 {
                shares[pair] = share(pair as u32 & 15) + share(pair as u32 >> 4);
                pair += 1;
            }
            shares
        };
        let has_odd = self.symbols % 2 == 1;
        for pairs in self.lengths.chunks_exact(self.stride) {
            let share: u32 = pairs.iter().map(|&pair| SHARES[usize::from(pair)]).sum();
            let has_spare = has_odd && pairs[self.stride - 1] >> 4 != 0;
            if share == WHOLE && !has_spare {
                continue;
            }
            let nibbles = pairs.iter().flat_map(|&pair| [pair & 15, pair >> 4]);
            if has_spare || nibbles.filter(|&length| length > 0).count() > 1 {
                let expected = "those of a complete prefix code in every context";
                return Err(BookError::of_section(section, "the code lengths", expected, "others"));
            }
        }
        Ok(())
    }

    /// Whether the segments have possible shapes, and fill a section of this length except for
    /// padding.
    fn check_segments(&self, section: &Section, length: usize) -> Result<(), BookError> {
        if let Some(segment) = self.segments.iter().find(|segment| !segment.shape.is_possible()) {
            let expected = "0 or at least 128";
            let found = format!("{:?}", segment.shape.bits);
            return Err(BookError::of_section(section, "the bits of a layer", expected, found));
        }
        let expected = self.end().checked_next_multiple_of(ALIGNMENT as usize);
        let expected = expected.unwrap_or(usize::MAX);
        if length != expected {
            let expected = grouped(expected);
            let found = grouped(length);
            return Err(BookError::of_section(section, "the length", expected, found));
        }
        Ok(())
    }
}

fn shape(entry: &[u8; SEGMENT_BYTES]) -> Shape {
    let (numbers, _) = entry.as_chunks();
    Shape { bits: [0, 1, 2].map(|layer: usize| u32::from_le_bytes(numbers[layer])) }
}
