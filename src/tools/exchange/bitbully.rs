//! The opening books of BitBully, by M. Thill.
//!
//! Three files of the Python package `bitbully-databases`, for 7x6:
//!
//! | [`Variant`] | file | entries | bytes an entry | ply | values |
//! |---|---|---:|---:|---:|---|
//! | `Ply8` | `book_8ply.dat` | 34,515 | 3 | 8 | loss or draw |
//! | `Ply12` | `book_12ply.dat` | 1,735,945 | 4 | 12 | loss or draw |
//! | `Ply12Distances` | `book_12ply_distances.dat` | 4,200,899 | 5 | 12 | when the game ends |
//!
//! A file is a list of entries and has no header. An entry is the *code* of a
//! position, highest byte first: column by column from the left, each stone from
//! the bottom up as the bits `10` if it is of the side to move (which is the first
//! player) or `11`, a `0` on top of each column, and one more `0`. That makes 24
//! bits for 8 stones and 32 for 12.
//!
//! Without distances, the two lowest bits of the code, which are 0, hold the
//! value: 0 for a draw, 1 for a loss of the side to move; positions that it wins are left
//! out. So each file has entries of a known number of positions; a
//! file with fewer is not complete. With distances, a signed byte follows: 0 for a draw, 100
//! less the number of stones until the game ends for a win, and the negative of that for a
//! loss; positions that the side to move wins with its next stone are left out.
//!
//! Entries are in the order of their codes: without a sign for ply 8, and as
//! signed 32-bit numbers for ply 12. The files for ply 12 hold either a position or
//! its mirror image, so both have to be looked for. The file for ply 8 has 34,515 entries
//! of 28,922 positions: of 5,593 it has the mirror image, too. An older one, which is widespread,
//! has 34,286 entries and lacks 229 positions.
//!
//! BitBully's reader recognises the three files by their sizes. So files are written here with as
//! many entries, in the same order: the image of each position whose code comes first, and for
//! ply 8 the mirror images of the first 5,593 that have one. The bytes differ from BitBully's where
//! it has the other image; its reader gives the same answers.
//!
//! Source: measured on the files of `bitbully-databases` 0.0.2, and BitBully 0.0.79, both under
//! the MIT licence.

pub use super::foreign::Variant;
use super::foreign::{ForeignBook, ForeignValue, Format, Values};
use crate::tools::error::ToolError;
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Outcome, Position, Score, Size, Word, plies_to_end, winning_score};
use fourbook_solver::text::count;
use std::io::Write;
use std::sync::Arc;

const OTHER_FORMAT: &str =
    "the file is damaged, cut short, or of another format: choose that format";

impl Variant {
    /// Number of stones of its positions.
    pub(super) const fn ply(self) -> u32 {
        match self {
            Variant::Ply8 => 8,
            Variant::Ply12 | Variant::Ply12Distances => 12,
        }
    }

    /// Number of positions that a complete file has entries of, a position and its mirror image
    /// counted once.
    const fn positions(self) -> u64 {
        match self {
            Variant::Ply8 => 28_922,
            Variant::Ply12 => 1_735_945,
            Variant::Ply12Distances => 4_200_899,
        }
    }

    /// Number of entries of BitBully's file, by whose size its reader knows it.
    const fn entries(self) -> u64 {
        if self.ply() == 8 { 34_515 } else { self.positions() }
    }

    /// The positions that a complete file has entries of.
    fn expected(self) -> String {
        let what = if self.has_distances() { "to store" } else { "drawn or lost" };
        format!("{} {what} at ply {}", count(self.positions(), "position"), self.ply())
    }

    /// Checks that a file has entries of all positions, and no entries of others.
    pub(super) fn check_entries(self, found: u64, others: u64) -> Result<(), ToolError> {
        if (found, others) == (self.positions(), 0) {
            return Ok(());
        }
        let expected = format!("entries of {}, and 0 others", self.expected());
        let found = format_args!("{}, and {others} others", count(found, "such position"));
        let advice = "an absent position would count as won: fetch the file again, from the \
                      package bitbully-databases";
        Err(ToolError::unfit(expected, found, advice))
    }

    /// The kind of its values.
    pub(super) const fn kind(self) -> ValueKind {
        if self.has_distances() { ValueKind::Scores } else { ValueKind::WinDrawLoss }
    }

    const fn has_distances(self) -> bool {
        matches!(self, Variant::Ply12Distances)
    }

    const fn code_bytes(self) -> usize {
        if self.ply() == 8 { 3 } else { 4 }
    }

    const fn entry_bytes(self) -> usize {
        self.code_bytes() + self.has_distances() as usize
    }
}

/// The book in these bytes. Reads all of them.
pub(super) fn open(bytes: &[u8], variant: Variant) -> Result<ForeignBook<'static>, ToolError> {
    let expected = variant.entry_bytes();
    let form = format_args!("entries of {expected} bytes");
    if bytes.is_empty() {
        return Err(ToolError::unfit(form, "an empty file", "fetch it again"));
    }
    if !bytes.len().is_multiple_of(expected) {
        let found = format!("{}, which is not a multiple", count(bytes.len(), "byte"));
        return Err(ToolError::unfit(form, found, OTHER_FORMAT));
    }
    let mut entries: Vec<(i32, Score)> = Vec::with_capacity(bytes.len() / expected);
    for (number, entry) in bytes.chunks_exact(expected).enumerate() {
        let (code, value) = read(variant, number, entry)?;
        if entries.last().is_some_and(|&(before, _)| before >= code) {
            let found = format_args!("entry {number} (from 0) out of order");
            return Err(ToolError::unfit("ascending codes", found, OTHER_FORMAT));
        }
        entries.push((code, value));
    }
    let kind = variant.kind();
    Ok(ForeignBook {
        format: Format::Bitbully(variant),
        size: Size::STANDARD,
        kind,
        entries: entries.len() as u64,
        plies: 1 << variant.ply(),
        values: Arc::new(BitbullyList { kind, entries }),
    })
}

/// The code and the value of the entry with a number.
fn read(variant: Variant, number: usize, entry: &[u8]) -> Result<(i32, Score), ToolError> {
    let (code, value) = entry.split_at(variant.code_bytes());
    let code = code.iter().fold(0, |code, &byte| code << 8 | i32::from(byte));
    let (code, value) = match value {
        [value] => (code, *value as i8),
        _ => (code & !VALUE_BITS, (code & VALUE_BITS) as i8),
    };
    if code & VALUE_BITS != 0 {
        let found = format_args!("{code:08x} in entry {number} (from 0)");
        return Err(ToolError::unfit("a code that ends with two bits of 0", found, OTHER_FORMAT));
    }
    let (score, expected) = if variant.has_distances() {
        (
            score_of_distance(value),
            "0 or, with its sign, 100 less a number of stones in which the game can end",
        )
    } else {
        ((0..=1).contains(&value).then_some(-value), "0 (draw) or 1 (loss)")
    };
    score.map(|score| (code, score)).ok_or_else(|| {
        let expected = format_args!("{expected} as the value of entry {number} (from 0)");
        ToolError::unfit(expected, value, OTHER_FORMAT)
    })
}

/// The entries of a book, in the order of their codes.
#[derive(Clone, Debug)]
struct BitbullyList {
    kind: ValueKind,
    entries: Vec<(i32, Score)>,
}

impl BitbullyList {
    /// The value of the entry with this code.
    fn search(&self, code: i32) -> Option<Score> {
        let found = self.entries.binary_search_by_key(&code, |&(code, _)| code);
        found.ok().map(|index| self.entries[index].1)
    }
}

impl Values for BitbullyList {
    fn find(&self, position: Position) -> ForeignValue {
        let mirror = position.mirrored();
        let own = self.search(code(position));
        let other = if mirror == position { None } else { self.search(code(mirror)) };
        match (own, other) {
            (None, None) if self.kind == ValueKind::WinDrawLoss => {
                ForeignValue::Value(Outcome::Win.sign(), 0)
            }
            (None, None) => ForeignValue::Nothing,
            (Some(value), None) | (None, Some(value)) => ForeignValue::Value(value, 1),
            (Some(value), Some(other)) if value == other => ForeignValue::Value(value, 2),
            (Some(value), Some(other)) => ForeignValue::Contradiction(value, other),
        }
    }
}

/// The bits of a code that are 0, and hold the value where there are no distances.
const VALUE_BITS: i32 = 3;

/// The code of a position, as the signed number that orders the entries; means nothing if it has
/// more bits than 32.
fn code(position: Position) -> i32 {
    let mut code = 0;
    let geometry = u128::geometry(position.size());
    for column in 0..position.size().width() {
        for row in 0..position.height(column) {
            let own = position.mover() & geometry.cell(column, row);
            code = code << 2 | if own.is_empty() { 0b11 } else { 0b10 };
        }
        code <<= 1;
    }
    code << 1
}

const CELLS: u32 = Size::STANDARD.cells();

/// The score of a position of ply 12 with this signed distance, if there is one.
fn score_of_distance(distance: i8) -> Option<Score> {
    let ply = Variant::Ply12Distances.ply();
    if distance == 0 {
        return Some(0);
    }
    let stones = 100_u32.checked_sub(u32::from(distance.unsigned_abs()))?;
    let stone = ply + stones;
    if stones == 0 || stone > CELLS {
        return None;
    }
    let score = winning_score(CELLS, stone) * distance.signum();
    (distance_of_score(score) == distance).then_some(score)
}

/// The signed distance of a position of ply 12 with this score.
fn distance_of_score(score: Score) -> i8 {
    let stones = plies_to_end(CELLS, Variant::Ply12Distances.ply(), score);
    score.signum() * (100 - stones as i8)
}

/// Collects positions to write them.
#[derive(Debug)]
pub(super) struct Entries {
    variant: Variant,
    /// The codes of both images, the first one first, and the value as it is written.
    entries: Vec<(i32, i32, i8)>,
}

impl Entries {
    pub(super) fn new(variant: Variant) -> Self {
        Entries { variant, entries: Vec::new() }
    }

    /// Adds a position with as many stones as the file is for, and with its value.
    pub(super) fn add(&mut self, position: Position, value: Score) {
        let value = if self.variant.has_distances() {
            distance_of_score(value)
        } else if value > 0 {
            return;
        } else {
            -value.signum()
        };
        let one = code(position);
        let other = code(position.mirrored());
        self.entries.push((one.min(other), one.max(other), value));
    }

    /// Writes the file; returns the number of positions.
    pub(super) fn write(self, out: &mut dyn Write) -> Result<u64, ToolError> {
        let Entries { variant, mut entries } = self;
        let found = entries.len() as u64;
        let expected = variant.positions();
        if found != expected {
            let expected = format!("a book of {}", variant.expected());
            let advice = "the book has wrong values: use another";
            return Err(ToolError::unfit(expected, format_args!("one of {found}"), advice));
        }
        entries.sort_unstable();
        let images = entries
            .iter()
            .filter(|&&(one, other, _)| one != other)
            .map(|&(one, other, value)| (other, one, value));
        let images: Vec<_> = images.take((variant.entries() - expected) as usize).collect();
        entries.extend(images);
        entries.sort_unstable();
        let unused = size_of::<i32>() - variant.code_bytes();
        for (code, _, value) in entries {
            if variant.has_distances() {
                out.write_all(&code.to_be_bytes())?;
                out.write_all(&value.to_be_bytes())?;
            } else {
                out.write_all(&(code | i32::from(value)).to_be_bytes()[unused..])?;
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_description() {
        let position = Position::from_moves("44551672").unwrap();
        let columns = ["100", "110", "0", "10110", "10110", "110", "100"];
        let bits = columns.concat() + "0";
        assert_eq!(format!("{:024b}", code(position)), bits);
    }

    #[test]
    fn distances_and_scores_say_the_same() {
        let mut scores = Vec::new();
        for distance in i8::MIN..=i8::MAX {
            if let Some(score) = score_of_distance(distance) {
                assert_eq!(distance_of_score(score), distance);
                scores.push(score);
            }
        }
        // Losses from the 14th stone on, wins from the 13th on.
        scores.sort_unstable();
        assert_eq!(scores, (-15..=15).collect::<Vec<_>>());
        // As the package's documentation has it: 29 stones to a win, 12 to a loss.
        assert_eq!(score_of_distance(71), Some(1));
        assert_eq!(score_of_distance(-88), Some(-10));
        assert_eq!(score_of_distance(-71), None, "the first player cannot make that stone");
    }
}
