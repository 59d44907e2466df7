//! Counts the outcomes of a book's positions, ply by ply.

use super::error::ToolError;
use super::plies::{BookPlies, Ply};
use super::resources::Resources;
use crate::board::{Outcome, Word, with_word};
use crate::book::Book;
use crate::parallel::{BLOCK, sum_of_blocks};
use crate::progress::{Progress, Step};
use crate::scores::decode;
use serde::Serialize;
use std::ops::Add;

/// Numbers of positions by outcome, from the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Endings {
    /// The game goes on, and with perfect play the first player wins.
    pub first_wins: u64,
    /// The game goes on, and with perfect play nobody wins.
    pub draws: u64,
    /// The game goes on, and with perfect play the second player wins.
    pub second_wins: u64,
    /// The game is over: the first player has won.
    pub first_has_won: u64,
    /// The game is over: the board is full without four in a line.
    pub drawn: u64,
    /// The game is over: the second player has won.
    pub second_has_won: u64,
}

impl Endings {
    /// All positions, ended games included.
    #[must_use]
    pub fn total(&self) -> u64 {
        let over = self.first_has_won + self.drawn + self.second_has_won;
        self.first_wins + self.draws + self.second_wins + over
    }

    /// The ongoing positions of a ply, by outcome for the side to move.
    fn ongoing(ply: u32, wins: u64, draws: u64, losses: u64) -> Self {
        let (first_wins, second_wins) = of_players(ply, wins, losses);
        Endings { first_wins, draws, second_wins, ..Self::default() }
    }

    /// The ended games of a ply: with four in a line, and drawn.
    fn ended(ply: u32, won: u64, drawn: u64) -> Self {
        // The side to move has lost.
        let (first_has_won, second_has_won) = of_players(ply, 0, won);
        Endings { first_has_won, drawn, second_has_won, ..Self::default() }
    }
}

/// Converts numbers for the side to move and the other one to the first and the second player.
fn of_players(ply: u32, mover: u64, other: u64) -> (u64, u64) {
    if ply.is_multiple_of(2) { (mover, other) } else { (other, mover) }
}

impl Add for Endings {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Endings {
            first_wins: self.first_wins + other.first_wins,
            draws: self.draws + other.draws,
            second_wins: self.second_wins + other.second_wins,
            first_has_won: self.first_has_won + other.first_has_won,
            drawn: self.drawn + other.drawn,
            second_has_won: self.second_has_won + other.second_has_won,
        }
    }
}

/// How the positions of a ply end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlyStatistics {
    /// Number of stones.
    pub ply: u32,
    /// Every position that a game can reach.
    pub distinct: Endings,
    /// The same, a position and its mirror image counted once.
    pub mirror_unique: Endings,
}

/// Numbers of ongoing positions by outcome for the side to move.
#[derive(Clone, Copy, Default)]
struct Outcomes {
    /// Wins, draws and losses; a position and its mirror image counted once.
    unique: [u64; 3],
    /// All positions.
    distinct: [u64; 3],
}

impl Add for Outcomes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let add = |a: [u64; 3], b: [u64; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
        Outcomes {
            unique: add(self.unique, other.unique),
            distinct: add(self.distinct, other.distinct),
        }
    }
}

/// Counts how the positions of every ply from 0 to the book's depth end, stored
/// or not, on the threads of the current rayon pool.
///
/// # Errors
///
/// If a section is damaged or lacks a value, or there is no memory to enumerate
/// the positions.
pub fn statistics<'a>(
    book: &'a Book,
    resources: impl Into<Resources<'a>>,
) -> Result<Vec<PlyStatistics>, ToolError> {
    let resources = resources.into();
    book.check_sections()?;
    with_word!(book.size(), B => count_plies::<B>(book, resources))
}

fn count_plies<B: Word>(
    book: &Book,
    resources: Resources<'_>,
) -> Result<Vec<PlyStatistics>, ToolError> {
    let mut plies = BookPlies::<B>::new(book, book.depth(), resources)?;
    let mut statistics = Vec::new();
    // Every ply follows from the one before, or is stored.
    for ply in (0..=book.depth()).rev() {
        let read = plies.read(ply)?;
        read.check_complete()?;
        let counts = count_ply(read, resources.progress());
        debug_assert_eq!(counts.distinct.total(), read.positions.counts().distinct);
        statistics.push(counts);
    }
    statistics.reverse();
    Ok(statistics)
}

/// Counts the positions of a ply.
fn count_ply<B: Word>(read: Ply<'_, B>, progress: &dyn Progress) -> PlyStatistics {
    let (positions, values) = (read.positions, read.bytes);
    let (ranking, ongoing) = (positions.ranking(), positions.ongoing());
    let (ply, slots) = (ranking.ply(), ranking.slots());
    progress.begin(Step::Count { ply }, slots);
    let Outcomes { unique, distinct } = sum_of_blocks(slots, BLOCK, |block| {
        let units = block.end - block.start;
        let mut outcomes = Outcomes::default();
        let mut sequence = ranking.sequence();
        for slot in ongoing.in_range(block) {
            let outcome = match decode(values[slot as usize]) {
                // Only a win with the next stone has no value.
                None => 0,
                Some(value) => (1 - Outcome::of(value).sign()) as usize,
            };
            outcomes.unique[outcome] += 1;
            outcomes.distinct[outcome] += sequence.images(slot);
        }
        progress.advance(units);
        outcomes
    });
    let ended = positions.ended();
    let endings = |[wins, draws, losses]: [u64; 3], won, drawn| {
        Endings::ongoing(ply, wins, draws, losses) + Endings::ended(ply, won, drawn)
    };
    PlyStatistics {
        ply,
        distinct: endings(distinct, ended.distinct_won, ended.distinct_drawn),
        mirror_unique: endings(unique, ended.won, ended.drawn),
    }
}
