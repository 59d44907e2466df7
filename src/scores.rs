//! The scores of a whole ply, one byte a slot: what generating makes and a
//! book is written from.

use crate::board::{Outcome, Score, Size, winning_score};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;

/// The byte of a slot that has no score: no position of the ply ranks there, or
/// it needs no entry because the game is over or the side to move wins at once.
pub const ABSENT: u8 = 0;

/// The first stone that can win is the fourth of the first player.
const FIRST_WINNING_STONE: u32 = 7;

/// Score 0 as a byte.
const DRAW: u8 = 64;

/// The byte that stands for `score`; never [`ABSENT`].
///
/// # Panics
///
/// If the score is not between -63 and 63, which no board reaches.
#[must_use]
#[inline]
pub const fn encode(score: Score) -> u8 {
    assert!(score > -64 && score < 64);
    (score + DRAW as Score) as u8
}

/// The score that a byte stands for; `None` for [`ABSENT`].
#[must_use]
#[inline]
pub const fn decode(byte: u8) -> Option<Score> {
    if byte == ABSENT { None } else { Some(byte as Score - DRAW as Score) }
}

/// What the values of a book are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// Exact [scores](crate::board::Score): who wins, and how soon.
    #[default]
    Scores,
    /// Win, draw or loss only: 1, 0 or -1 for the side to move.
    Outcomes,
}

impl ValueKind {
    /// The value where the exact score is `score`.
    #[must_use]
    #[inline]
    pub const fn of(self, score: Score) -> Score {
        match self {
            ValueKind::Scores => score,
            ValueKind::Outcomes => Outcome::of(score).sign(),
        }
    }

    /// The option of a command for a book of such values, if it takes one, after a space.
    pub(crate) const fn option(self) -> &'static str {
        match self {
            ValueKind::Scores => "",
            ValueKind::Outcomes => " --wdl",
        }
    }

    /// The end of the names of files with such values.
    pub(crate) const fn file_suffix(self) -> &'static str {
        match self {
            ValueKind::Scores => "",
            ValueKind::Outcomes => "-wdl",
        }
    }

    /// The highest value there can be on a board of this size; the lowest is
    /// its negative.
    #[must_use]
    pub const fn highest_value(self, size: Size) -> Score {
        self.of(winning_score(size.cells() as u32, FIRST_WINNING_STONE))
    }

    /// The values that a position of `ply` stones can have of which the rules do
    /// not give the score: the next stone cannot win, but the one after it.
    pub(crate) fn possible_values(self, size: Size, ply: u32) -> RangeInclusive<Score> {
        let cells = size.cells() as u32;
        let stone = |more: u32| (ply + more).clamp(FIRST_WINNING_STONE, cells + 2);
        self.of(-winning_score(cells, stone(2)))..=self.of(winning_score(cells, stone(3)))
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ValueKind::Scores => "exact scores",
            ValueKind::Outcomes => "win, draw or loss",
        })
    }
}

/// The scores of the positions of one ply, by [slot](crate::rank).
#[derive(Clone, Copy, Debug)]
pub struct PlyScores<'a> {
    /// Number of stones of the positions.
    pub ply: u32,
    /// One [encoded](encode) score a slot, or [`ABSENT`].
    pub bytes: &'a [u8],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_is_decoded_from_its_byte() {
        for score in -63..=63 {
            assert_eq!(decode(encode(score)), Some(score));
        }
        assert_eq!(decode(ABSENT), None);
    }

    #[test]
    fn possible_values_are_those_of_the_stones_that_can_win() {
        let range = |ply| ValueKind::Scores.possible_values(Size::STANDARD, ply);
        // With the 14th stone the second player wins with his seventh.
        assert_eq!(range(12), -15..=14);
        assert_eq!(range(0), -18..=18);
        assert_eq!(range(41), 0..=0);
        assert_eq!(ValueKind::Outcomes.possible_values(Size::STANDARD, 12), -1..=1);
    }
}
