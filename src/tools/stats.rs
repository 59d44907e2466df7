//! Counts the outcomes of a book's positions, ply by ply.

use super::error::ToolError;
use super::plies::PlyValues;
use super::reader::BookReader;
use super::resources::Resources;
use crate::book::{Book, BookError};
use crate::parallel::{Counts, sum_of_step};
use crate::progress::{Progress, Step};
use crate::scores::decode;
use fourbook_solver::board::{Outcome, Word};
use fourbook_solver::with_word;
use serde::Serialize;

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
    pub fn total(&self) -> u64 {
        let over = self.first_has_won + self.drawn + self.second_has_won;
        self.first_wins + self.draws + self.second_wins + over
    }
}

/// How the positions of a ply end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlyStatistics {
    /// Number of stones.
    pub ply: u32,
    /// Every position that a game can reach.
    pub distinct: Endings,
    /// Every position that a game can reach, with a position and its mirror image counted once.
    pub mirror_unique: Endings,
}

/// Counts how the positions of every ply from 0 to the book's depth end, stored
/// or not, on the threads of the current rayon pool.
///
/// # Errors
///
/// If a section is damaged or lacks a value, there is no memory to enumerate
/// the positions, or the work is cancelled.
pub fn statistics<'a>(
    book: &'a Book,
    resources: impl Into<Resources<'a>>,
) -> Result<Vec<PlyStatistics>, ToolError> {
    let resources = resources.into();
    book.check_sections()?;
    let mut reader = BookReader::new(book, book.depth(), resources)?;
    let mut statistics = Vec::new();
    // Every ply follows from the one before, or is stored.
    for ply in (0..=book.depth()).rev() {
        let read = reader.read(ply)?;
        let counts = with_word!(book.size(), B => count_ply::<B>(read, resources.progress))?;
        debug_assert_eq!(counts.distinct.total(), read.positions.counts.distinct);
        statistics.push(counts);
    }
    statistics.reverse();
    Ok(statistics)
}

/// Counts the positions of a ply.
fn count_ply<B: Word>(
    read: PlyValues<'_>,
    progress: &dyn Progress,
) -> Result<PlyStatistics, BookError> {
    let positions = read.positions;
    let values = read.bytes;
    let ranking = &positions.ranking;
    let ongoing = &positions.ongoing;
    let ply = ranking.ply;
    let slots = ranking.slots;
    // Wins, draws and losses of the side to move: mirror-unique, and all.
    let step = (Step::Count(ply), progress);
    let Counts([wins, draws, losses, all @ ..]) = sum_of_step(step, slots, |block| {
        let mut counts = [0_u64; 6];
        let mut sequence = ranking.sequence::<B>();
        for slot in ongoing.in_range(block) {
            let outcome = match decode(values[slot as usize]) {
                // Only a win with the next stone has no value.
                None => 0,
                Some(value) => (1 - Outcome::of(value).sign()) as usize,
            };
            counts[outcome] += 1;
            counts[3 + outcome] += sequence.images(slot);
        }
        Counts(counts)
    })?;
    let ended = positions.ended;
    let of_players =
        |mover, other| if ply.is_multiple_of(2) { (mover, other) } else { (other, mover) };
    let endings = |[wins, draws, losses]: [u64; 3], won, drawn| {
        let (first_wins, second_wins) = of_players(wins, losses);
        // The side to move has lost.
        let (first_has_won, second_has_won) = of_players(0, won);
        Endings { first_wins, draws, second_wins, first_has_won, drawn, second_has_won }
    };
    Ok(PlyStatistics {
        ply,
        distinct: endings(all, ended.distinct_won, ended.distinct_drawn),
        mirror_unique: endings([wins, draws, losses], ended.won, ended.drawn),
    })
}
