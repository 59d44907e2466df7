//! The opening book of Pascal Pons' solver, `7x6.book`.
//!
//! A hash table, as it is in the program's memory:
//!
//! | bytes | what |
//! |---|---|
//! | 1 | columns |
//! | 1 | rows |
//! | 1 | stones of the deepest positions |
//! | 1 | bytes of a partial key: 1, 2 or 4 |
//! | 1 | bytes of a value: 1 |
//! | 1 | `log2`, from which follows the number of slots: the least prime not below `2^log2` |
//! | slots times the bytes of a partial key | partial keys, the lowest byte first |
//! | slots | values |
//!
//! The key of a position has a digit in base 3 for each stone, column by column,
//! from the bottom up: 1 for the side to move, 2 for the other; and a digit 0
//! between two columns. A position and its mirror image share the smaller of their keys.
//! The position's slot is the key modulo the number of slots, and
//! the partial key is the lowest bytes of the key. The number of slots is a prime, so that
//! slot and partial key together identify every position, if there are
//! at least as many pairs of them as keys; this is checked. A key has 64 bits and so at most 40
//! digits: a book can be as deep as 40 less the number of columns.
//!
//! A value is the score, less the lowest score of the format (3 less half the cells),
//! plus 1; 0 means that the slot is empty. The solver searches positions without a slot. Of
//! positions with the same slot, the table keeps the one that was written last and *loses* the
//! others. On boards with an odd number of cells, the format has no value for the score of a
//! position that is lost to the first player's fourth stone. Such positions are left out, too.
//!
//! Its generator writes every position to the depth in which the game goes on. The
//! solver never looks up a position that is won with the next stone, so these are left
//! out here, and fewer entries are lost. The program reads tables
//! with `log2` from 21 to 27, for the board size it was compiled for, of at most 9 columns.
//!
//! Source: the program's behaviour (P. Pons, <https://github.com/PascalPons/connect4>).

use super::foreign::Exported;
use super::foreign::{ForeignBook, ForeignValue, Format, Values};
use crate::tools::error::ToolError;
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Position, Score, Size, Word};
use fourbook_solver::text::count;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;

const OTHER_FORMAT: &str = "is this a book of Pascal Pons' solver?";

/// Bytes before the partial keys.
const HEADER: usize = 6;

/// Digits in base 3 that a key of 64 bits can have.
const MAX_DIGITS: u32 = 40;

/// The most that the solver takes for `log2` of the size of a table.
const MAX_LOG2: u32 = 40;

/// The values of `log2` for which the solver reads a table.
pub const LOG2_SIZES: RangeInclusive<u32> = 21..=27;

/// The book in these bytes. Reads all values.
pub(super) fn open(bytes: &[u8]) -> Result<ForeignBook<'_>, ToolError> {
    let found = bytes.len() as u64;
    let wrong_length = |expected: u64| {
        let advice = "the file was cut short, or is no book of Pascal Pons' solver: fetch or \
                      make it again, or choose another format";
        Err(ToolError::unfit(format_args!("{expected} bytes"), found, advice))
    };
    let Some((&header, table)) = bytes.split_first_chunk::<HEADER>() else {
        return wrong_length(HEADER as u64);
    };
    let [width, height, depth, key_bytes, value_bytes, log2] = header;
    let size = Size::new(width.into(), height.into()).map_err(|_| {
        let found = format_args!("{width}x{height}");
        ToolError::unfit("a board that can be played", found, OTHER_FORMAT)
    })?;
    let byte = |what, range: RangeInclusive<u32>, found: u8| {
        let least = range.start();
        let most = range.end();
        let expected =
            if least == most { least.to_string() } else { format!("from {least} to {most}") };
        let expected = format_args!("{what} to be {expected}");
        if range.contains(&found.into()) {
            Ok(u32::from(found))
        } else {
            Err(ToolError::unfit(expected, found, OTHER_FORMAT))
        }
    };
    let depth = byte("the depth", 0..=deepest(size), depth)?;
    let key_bytes = byte("the bytes of a partial key", 1..=8, key_bytes)? as usize;
    byte("the bytes of a value", 1..=1, value_bytes)?;
    let log2 = byte("log2 of the size of the table", 2..=MAX_LOG2, log2)?;
    // Checked before looking for a prime, which takes long if the number is large.
    let length = |slots: u64| HEADER as u64 + slots * (key_bytes as u64 + 1);
    if found < length(1 << log2) {
        return wrong_length(length(1 << log2));
    }
    let slots = prime_from(1 << log2);
    if found != length(slots) {
        return wrong_length(length(slots));
    }
    let expected = key_bytes_needed(size, depth, slots);
    if key_bytes < expected {
        let expected = format!(
            "partial keys of at least {}, as a table of {slots} slots needs to tell the \
             positions to ply {depth} apart",
            count(expected, "byte")
        );
        let advice = "its answers would be of other positions: make it again";
        return Err(ToolError::unfit(expected, key_bytes, advice));
    }
    let (keys, values) = table.split_at(slots as usize * key_bytes);
    let most = scores(size).count() as u8;
    if let Some(slot) = values.iter().position(|&value| value > most) {
        let found = format_args!("{} in slot {slot}", values[slot]);
        let advice = "the file is damaged: fetch or make it again";
        return Err(ToolError::unfit(format_args!("values of at most {most}"), found, advice));
    }
    Ok(ForeignBook {
        format: Format::Pons,
        size,
        kind: ValueKind::Scores,
        entries: values.iter().filter(|&&value| value != 0).count() as u64,
        plies: (2 << depth) - 1,
        values: Arc::new(PonsSlots { key_bytes, keys, values }),
    })
}

/// The slots of a book.
#[derive(Clone, Copy, Debug)]
struct PonsSlots<'a> {
    key_bytes: usize,
    keys: &'a [u8],
    values: &'a [u8],
}

impl Values for PonsSlots<'_> {
    fn find(&self, position: Position) -> ForeignValue {
        let key = key(position);
        let slot = (key % self.values.len() as u64) as usize;
        let partial = &self.keys[slot * self.key_bytes..][..self.key_bytes];
        match self.values[slot] {
            value if value != 0 && *partial == key.to_le_bytes()[..self.key_bytes] => {
                ForeignValue::Value(score_of_value(position.size(), value), 1)
            }
            _ => ForeignValue::Nothing,
        }
    }
}

/// The most stones of positions whose keys have 64 bits.
pub(super) fn deepest(size: Size) -> u32 {
    (MAX_DIGITS - size.width() as u32).min(size.cells())
}

/// The scores that the solver has a value for.
fn scores(size: Size) -> RangeInclusive<Score> {
    3 - (size.cells() / 2) as Score..=size.cells().div_ceil(2) as Score - 3
}

fn score_of_value(size: Size, value: u8) -> Score {
    value as Score - 1 + scores(size).start()
}

/// The value of a score, if the format has one.
fn value_of_score(size: Size, score: Score) -> Option<u8> {
    let scores = scores(size);
    scores.contains(&score).then(|| (score - scores.start() + 1) as u8)
}

/// The number of a position, the same for its mirror image.
fn key(position: Position) -> u64 {
    one_sided_key(position).min(one_sided_key(position.mirrored()))
}

fn one_sided_key(position: Position) -> u64 {
    let mut key = 0;
    let geometry = u128::geometry(position.size());
    for column in 0..position.size().width() {
        // The digit between columns.
        key *= 3;
        for row in 0..position.height(column) {
            let own = position.mover() & geometry.cell(column, row);
            key = 3 * key + if own.is_empty() { 2 } else { 1 };
        }
    }
    key
}

/// Bytes of a partial key that separate all positions of this depth.
fn key_bytes_needed(size: Size, depth: u32, slots: u64) -> usize {
    let keys = 3_u128.pow(depth + size.width() as u32 - 1);
    let pairs = |bytes: &usize| u128::from(slots) << (8 * bytes);
    // Eight bytes hold every key, so this always succeeds.
    (1..8).find(|bytes| pairs(bytes) >= keys).unwrap_or(8)
}

/// The least prime not below `number`, which is at least 2.
fn prime_from(number: u64) -> u64 {
    (number..)
        .find(|&number| {
            let mut divisors = (2..).take_while(|divisor| divisor * divisor <= number);
            divisors.all(|divisor| !number.is_multiple_of(divisor))
        })
        .expect("there is a prime below the double of every number")
}

/// Collects positions to make a table of.
#[derive(Debug)]
pub(super) struct PonsTable {
    size: Size,
    depth: u32,
    /// Key and value of each, in the order they are written.
    entries: Vec<(u64, u8)>,
    /// Number of positions whose scores have no value.
    unheld: u64,
}

/// The most slots of a table that is chosen to lose nothing.
const AFFORDABLE_LOG2: u32 = 26;

/// If no table keeps every entry, a smaller one may lose one entry in this many.
const BEARABLE_LOSS: u64 = 8;

impl PonsTable {
    /// The empty table for this board and depth, which is not above [`deepest`].
    pub(super) fn new(size: Size, depth: u32) -> Self {
        PonsTable { size, depth, entries: Vec::new(), unheld: 0 }
    }

    /// Adds a position; it replaces one that was added before and has its slot.
    pub(super) fn add(&mut self, position: Position, score: Score) {
        match value_of_score(self.size, score) {
            Some(value) => self.entries.push((key(position), value)),
            None => self.unheld += 1,
        }
    }

    /// The size to choose: the smallest one that loses nothing, if it is within the limit;
    /// otherwise the smallest one that loses few entries.
    pub(super) fn choose_log2(&self) -> u32 {
        let sizes = || *LOG2_SIZES.start()..=AFFORDABLE_LOG2;
        let lost: Vec<u64> = sizes().map(|log2| self.lost(prime_from(1 << log2))).collect();
        let least = |bearable: u64| sizes().zip(&lost).find(|&(_, &lost)| lost <= bearable);
        least(0)
            .or_else(|| least(self.entries.len() as u64 / BEARABLE_LOSS))
            .map_or(AFFORDABLE_LOG2, |(log2, _)| log2)
    }

    /// The number of entries that a table with `slots` slots loses.
    fn lost(&self, slots: u64) -> u64 {
        let mut used = vec![0_u64; slots.div_ceil(64) as usize];
        let mut lost = 0;
        for (key, _) in &self.entries {
            let slot = key % slots;
            let word = &mut used[(slot / 64) as usize];
            let bit = 1 << (slot % 64);
            lost += u64::from(*word & bit != 0);
            *word |= bit;
        }
        lost
    }

    /// Writes the book.
    pub(super) fn write(self, log2: u32, out: &mut dyn Write) -> io::Result<Exported> {
        let slots = prime_from(1 << log2);
        // The solver has no keys of three bytes.
        let key_bytes = key_bytes_needed(self.size, self.depth, slots).next_power_of_two();
        let mut keys = vec![0; slots as usize * key_bytes];
        let mut values = vec![0; slots as usize];
        let mut replaced = 0;
        for (key, value) in &self.entries {
            let slot = (key % slots) as usize;
            replaced += u64::from(values[slot] != 0);
            keys[slot * key_bytes..][..key_bytes].copy_from_slice(&key.to_le_bytes()[..key_bytes]);
            values[slot] = *value;
        }
        let width = self.size.width() as u8;
        let height = self.size.height() as u8;
        out.write_all(&[width, height, self.depth as u8, key_bytes as u8, 1, log2 as u8])?;
        out.write_all(&keys)?;
        out.write_all(&values)?;
        let unheld = self.unheld;
        let log2_size = Some(log2);
        Ok(Exported { positions: self.entries.len() as u64 + unheld, replaced, unheld, log2_size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn primes_are_those_after_the_powers_of_two() {
        let primes = [2, 5, 11, 17, 37, 67, 131, 257, 521, 1031];
        assert_eq!((1..=10).map(|log2| prime_from(1 << log2)).collect::<Vec<_>>(), primes);
        assert_eq!(prime_from(1 << 23), 8_388_617);
    }

    #[test]
    fn a_key_is_read_off_the_columns() {
        // X O in column 4, X in column 1; O to move.
        let position = Position::from_moves("441").unwrap();
        let from_the_left = "200021000";
        let from_the_right = "000210002";
        let number = |digits: &str| u64::from_str_radix(digits, 3).unwrap();
        assert_eq!(one_sided_key(position), number(from_the_left));
        assert_eq!(key(position), number(from_the_right));
        assert_eq!(key(position.mirrored()), key(position));
    }

    /// Slot and partial key identify the key; with a byte less they do not.
    #[test]
    fn partial_keys_are_as_long_as_they_have_to_be() {
        let size = "4x4".parse().unwrap();
        for (depth, slots) in [(4, 5), (6, 11), (8, 257)] {
            let needed = key_bytes_needed(size, depth, slots);
            let shares = |bytes: usize| {
                let keys = 0..3_u64.pow(depth + 3);
                let mut places = BTreeMap::new();
                let place = |key: u64| (key % slots, key % (1 << (8 * bytes)));
                keys.into_iter().any(|key| places.insert(place(key), key).is_some())
            };
            assert!(!shares(needed), "depth {depth}, {slots} slots");
            assert!(shares(needed - 1), "depth {depth}, {slots} slots");
        }
        // Two bytes in the solver's own book.
        assert_eq!(key_bytes_needed(Size::STANDARD, 14, 8_388_617), 2);
    }

    #[test]
    fn values_and_scores_say_the_same() {
        for size in Size::all() {
            for (value, score) in (1..).zip(scores(size)) {
                assert_eq!(value_of_score(size, score), Some(value));
                assert_eq!(score_of_value(size, value), score);
            }
            for score in [scores(size).start() - 1, scores(size).end() + 1] {
                assert_eq!(value_of_score(size, score), None);
            }
        }
        assert_eq!(*scores(Size::STANDARD).start(), -18);
        assert_eq!(value_of_score(Size::STANDARD, 18), Some(37));
    }
}
