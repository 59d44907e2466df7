//! Books of keys and values: connect-four-ai's `default-book.bin`, the `.efbook` of ecc521's
//! connect-4-solver, and `book88` of Fhourstones.
//!
//! connect-four-ai's book is for 7x6. All numbers begin with the lowest byte.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | number of entries |
//! | 9 for each entry | the key, 8 bytes, and the score |
//!
//! Its key is the stones of the side to move + all stones: the [key](Position::key) of this library
//! without the bottom row. A position and its mirror image share the smaller of their keys.
//!
//! An `.efbook` has the keys of [Pascal Pons' solver](super::pons), in ascending order, in the code of
//! Elias and Fano. A value is the score plus half the cells plus 1.
//!
//! | bytes | what |
//! |---|---|
//! | 5 | columns, rows, stones of the deepest positions, 0, bytes of a value: 1 |
//! | 1 | 255 |
//! | 8 | number of entries `n` |
//! | 8 | the largest key `u` |
//! | 1 | `l`, the lower bits of a key that are stored as they are |
//! | 8 for each 64 bits | `(n + (u >> l) + 64) / 64` words: the upper bits of key `i` are the number of zeros before the one with number `i` |
//! | 8 for each 64 bits | `(n * l + 63) / 64` words: the lower bits |
//! | 1 for each entry | values |
//!
//! `book88` is for 8x8. It has no header: an entry is the smaller [key](Position::key) of both mirror
//! images, in as many bytes as hold the board, and 2 bytes. Of these, the lowest 3 bits are 1 for a
//! loss of the side to move, 2 for a loss or a draw, 3 for a draw, 4 for a draw or a win, and 5 for a
//! win. A position may have several entries: 2 and 4 together are a draw. A position of which no entry
//! gives the outcome counts as absent. The program names its books of other boards in the same way.
//!
//! Sources: the programs' behaviour (<https://github.com/benjaminrall/connect-four-ai>,
//! <https://github.com/ecc521/connect-4-solver>, <https://github.com/tromp/fhourstones88>).

use super::foreign::{ForeignBook, ForeignValue, Format, Values};
use super::pons;
use crate::tools::error::ToolError;
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Position, Score, Size, Word};
use fourbook_solver::text::count;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

/// The board of `book88`.
pub(super) const EIGHT: Size = Size::checked(8, 8).unwrap();

/// Bytes of an `.efbook` before the upper bits.
const HEADER: usize = 23;

/// The error of a file of another format.
fn wrong(expected: impl Display, found: impl Display) -> ToolError {
    ToolError::file(expected, found, "the file is cut short or damaged, or of another format")
}

/// Keys in ascending order, and their values.
#[derive(Debug)]
pub(super) struct Keyed {
    pub(super) key_of: fn(Position) -> u128,
    pub(super) entries: Vec<(u128, Score)>,
}

impl Keyed {
    /// The book with these values.
    pub(super) fn book(
        self,
        format: Format,
        size: Size,
        plies: u128,
        kind: ValueKind,
    ) -> ForeignBook<'static> {
        let entries = self.entries.len() as u64;
        ForeignBook { format, size, kind, entries, plies, values: Arc::new(self) }
    }
}

impl Values for Keyed {
    fn find(&self, position: Position) -> ForeignValue {
        let key = (self.key_of)(position);
        let found = self.entries.binary_search_by_key(&key, |&(key, _)| key);
        found.map_or(ForeignValue::Nothing, |index| ForeignValue::Value(self.entries[index].1, 1))
    }
}

/// connect-four-ai's book in these bytes.
pub(super) fn open_connect_four_ai(bytes: &[u8]) -> Result<ForeignBook<'static>, ToolError> {
    let size = Size::STANDARD;
    let Some((number, entries)) = bytes.split_first_chunk::<8>() else {
        return Err(wrong("a number of entries", "fewer than 8 bytes"));
    };
    let (number, entries) = (u64::from_le_bytes(*number), entries.as_chunks::<9>());
    if !entries.1.is_empty() || entries.0.len() as u64 != number || number == 0 {
        let found = count(bytes.len(), "byte");
        return Err(wrong(format_args!("{number} entries of 9 bytes"), found));
    }
    let (mut found, mut plies) = (Vec::with_capacity(entries.0.len()), 0);
    for &[ref key @ .., score] in entries.0 {
        let key = u128::from(u64::from_le_bytes(*key)) + u128::geometry(size).bottom;
        plies |= 1 << canonical(size, key)?.ply();
        found.push((key, score as Score));
    }
    found.sort_unstable();
    if let Some(two) = found.windows(2).find(|two| two[0].0 == two[1].0) {
        let found = format_args!("two for the key {}", two[0].0);
        return Err(wrong("one entry for each position", found));
    }
    let values = Keyed { key_of: Position::canonical_key, entries: found };
    Ok(values.book(Format::ConnectFourAi, size, plies, ValueKind::Scores))
}

/// The position with a key, the smaller one of both mirror images.
fn canonical(size: Size, key: u128) -> Result<Position, ToolError> {
    let position = Position::from_key(size, key).ok();
    position.filter(|position| position.canonical_key() == key).ok_or_else(|| {
        let expected = "keys of positions, each the smaller of both mirror images";
        wrong(expected, format_args!("the key {key}"))
    })
}

/// The book of Fhourstones in these bytes.
pub(super) fn open_fhourstones(
    bytes: &[u8],
    size: Size,
) -> Result<ForeignBook<'static>, ToolError> {
    let key_bytes = size.bits().div_ceil(8) as usize;
    let length = key_bytes + 2;
    if bytes.is_empty() || !bytes.len().is_multiple_of(length) {
        let found = count(bytes.len(), "byte");
        return Err(wrong(format_args!("entries of {length} bytes"), found));
    }
    // The least and the greatest outcome that the entries of a position leave.
    let (mut found, mut plies) = (BTreeMap::new(), 0);
    for entry in bytes.chunks_exact(length) {
        let key = entry[..key_bytes].iter().rev().fold(0, |key, &byte| key << 8 | u128::from(byte));
        let bounds: (Score, Score) = match entry[key_bytes] & 7 {
            1 => (-1, -1),
            2 => (-1, 0),
            3 => (0, 0),
            4 => (0, 1),
            5 => (1, 1),
            other => return Err(wrong("outcomes from 1 to 5", other)),
        };
        plies |= 1 << canonical(size, key)?.ply();
        let (least, most) = found.entry(key).or_insert((-1, 1));
        (*least, *most) = (bounds.0.max(*least), bounds.1.min(*most));
        if *least > *most {
            let found = format_args!("two that exclude each other for the key {key}");
            return Err(wrong("one outcome for each position", found));
        }
    }
    let known = found.into_iter().filter(|(_, (least, most))| least == most);
    let entries = known.map(|(key, (value, _))| (key, value)).collect();
    let values = Keyed { key_of: Position::canonical_key, entries };
    Ok(values.book(Format::Fhourstones, size, plies, ValueKind::WinDrawLoss))
}

/// The `.efbook` in these bytes.
pub(super) fn open_efbook(bytes: &[u8]) -> Result<ForeignBook<'static>, ToolError> {
    let Some((&[width, height, depth, _, 1, u8::MAX, ref numbers @ .., low_bits], rest)) =
        bytes.split_first_chunk::<HEADER>()
    else {
        return Err(wrong("an .efbook", "another beginning"));
    };
    let size = Size::new(width.into(), height.into())
        .map_err(|_| wrong("a board that can be played", format_args!("{width}x{height}")))?;
    let (depth, words) = (u32::from(depth), numbers.as_chunks::<8>().0);
    let [number, largest] = [words[0], words[1]].map(u64::from_le_bytes);
    if depth > pons::deepest(size) || low_bits >= 64 || number == 0 || number > rest.len() as u64 {
        return Err(wrong("an .efbook", "numbers that are too large"));
    }
    let number = number as usize;
    let high_words = ((largest >> low_bits) as u128 + number as u128 + 64) / 64;
    let low_words = (number * usize::from(low_bits)).div_ceil(64);
    if high_words * 8 + low_words as u128 * 8 + number as u128 != rest.len() as u128 {
        return Err(wrong("an .efbook", "another length"));
    }
    let (high, rest) = rest.split_at(high_words as usize * 8);
    let (low, values) = rest.split_at(low_words * 8);
    let bit = |bits: &[u8], index: usize| bits[index / 8] >> (index % 8) & 1;
    let mut ones = (0..high.len() * 8).filter(|&index| bit(high, index) == 1);
    let mut entries = Vec::with_capacity(number);
    for (index, &value) in values.iter().enumerate() {
        let one = ones.next().ok_or_else(|| wrong("upper bits of all keys", "fewer"))?;
        let lower = (0..usize::from(low_bits)).fold(0, |all, it| {
            all | u128::from(bit(low, index * usize::from(low_bits) + it)) << it
        });
        let key = ((one - index) as u128) << low_bits | lower;
        if entries.last().is_some_and(|&(before, _)| before >= key) || value == 0 {
            return Err(wrong("ascending keys with values", "others"));
        }
        let score = i32::from(value) - 1 - (size.cells() / 2) as i32;
        let score = score.try_into().map_err(|_| wrong("scores that the board can have", score))?;
        entries.push((key, score));
    }
    let values = Keyed { key_of: |position| pons::key(position).into(), entries };
    Ok(values.book(Format::Efbook, size, (2 << depth) - 1, ValueKind::Scores))
}
