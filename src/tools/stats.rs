//! How the positions of a book end under perfect play, counted ply by ply.

use super::walk::explore_to;
use crate::board::{Outcome, Position, Word, with_word};
use crate::book::{Book, BookWord, ChecksumError, MissingValue, View};
use crate::enumerate::{PlyError, Reachable, ReachablePly, slots_of};
use crate::parallel::{BLOCK, sum_of_blocks};
use crate::progress::{Progress, Step};
use serde::Serialize;
use std::ops::Add;
use std::sync::atomic::{AtomicU64, Ordering};

/// Why the positions of a book could not be counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StatsError {
    /// A section's bytes are not those that were written.
    #[error(transparent)]
    Checksum(#[from] ChecksumError),
    /// A position has no value that should have one.
    #[error(transparent)]
    Missing(#[from] MissingValue),
    /// The positions of a ply cannot be enumerated.
    #[error(transparent)]
    Ply(#[from] PlyError),
}

/// Numbers of positions by how they end, from the first player's view.
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
    /// The game is over: the board is full and nobody has won.
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

    /// So many positions that end like `position`, in which the side to move
    /// can expect `outcome`.
    fn of<B: Word>(position: Position<B>, outcome: Outcome, count: u64) -> Self {
        let first_moves = position.ply().is_multiple_of(2);
        let mut endings = Endings::default();
        let number = match (outcome, position.is_over()) {
            (Outcome::Draw, false) => &mut endings.draws,
            (Outcome::Draw, true) => &mut endings.drawn,
            (Outcome::Win | Outcome::Loss, over) => {
                match ((outcome == Outcome::Win) == first_moves, over) {
                    (true, false) => &mut endings.first_wins,
                    (true, true) => &mut endings.first_has_won,
                    (false, false) => &mut endings.second_wins,
                    (false, true) => &mut endings.second_has_won,
                }
            }
        };
        *number = count;
        endings
    }
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

impl PlyStatistics {
    /// What one position and its mirror image add.
    fn of<B: Word>(position: Position<B>, outcome: Outcome) -> Self {
        let images = if position.mirrored() == position { 1 } else { 2 };
        PlyStatistics {
            ply: position.ply(),
            distinct: Endings::of(position, outcome, images),
            mirror_unique: Endings::of(position, outcome, 1),
        }
    }
}

impl Add for PlyStatistics {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        PlyStatistics {
            ply: self.ply.max(other.ply),
            distinct: self.distinct + other.distinct,
            mirror_unique: self.mirror_unique + other.mirror_unique,
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
pub fn statistics(book: &Book, progress: &dyn Progress) -> Result<Vec<PlyStatistics>, StatsError> {
    book.check_sections()?;
    with_word!(book.size(), B => count_plies::<B>(book, progress))
}

fn count_plies<B: BookWord>(
    book: &Book,
    progress: &dyn Progress,
) -> Result<Vec<PlyStatistics>, StatsError> {
    let view = book.view::<B>();
    let mut reachable = Reachable::<B>::root(book.size());
    let mut plies = Vec::new();
    for ply in 0..=book.depth() {
        explore_to(&mut reachable, ply, progress)?;
        let mut counts = count_ongoing(&view, reachable.ply(ply), progress)?;
        if ply > 0 {
            counts = counts + count_ended(reachable.ply(ply - 1), reachable.ply(ply))?;
        }
        debug_assert_eq!(counts.distinct.total(), reachable.ply(ply).counts().distinct);
        plies.push(PlyStatistics { ply, ..counts });
    }
    Ok(plies)
}

/// Counts the positions of a ply from which the game goes on.
fn count_ongoing<B: BookWord>(
    view: &View<'_, B>,
    reachable: &ReachablePly<B>,
    progress: &dyn Progress,
) -> Result<PlyStatistics, MissingValue> {
    let (ranking, ongoing) = (reachable.ranking(), reachable.ongoing());
    progress.begin(Step::Count { ply: ranking.ply() }, ranking.slots());
    let first_missing = AtomicU64::new(u64::MAX);
    let counts = sum_of_blocks(ranking.slots(), BLOCK, |slots| {
        let units = slots.end - slots.start;
        let mut counts = PlyStatistics::default();
        for slot in slots.filter(|&slot| ongoing.contains(slot)) {
            let position = ranking.unrank(slot);
            match view.look_up_reachable(position).outcome() {
                Some(outcome) => counts = counts + PlyStatistics::of(position, outcome),
                None => drop(first_missing.fetch_min(slot, Ordering::Relaxed)),
            }
        }
        progress.advance(units);
        counts
    });
    match first_missing.into_inner() {
        u64::MAX => Ok(counts),
        slot => Err(view.missing(ranking.unrank(slot))),
    }
}

/// Counts the ended games of `ply`, by playing on from the ply before.
fn count_ended<B: Word>(
    before: &ReachablePly<B>,
    ply: &ReachablePly<B>,
) -> Result<PlyStatistics, PlyError> {
    let ranking = ply.ranking();
    let met = slots_of(ranking)?;
    let of_children = |slot| {
        let children = before.ranking().unrank(slot).children().flatten();
        let ended = children.filter(|child| child.is_over() && met.insert(ranking.rank(*child)));
        ended
            .map(|child| {
                let outcome = if child.is_won() { Outcome::Loss } else { Outcome::Draw };
                PlyStatistics::of(child, outcome)
            })
            .fold(PlyStatistics::default(), PlyStatistics::add)
    };
    Ok(sum_of_blocks(before.ranking().slots(), BLOCK, |slots| {
        let ongoing = slots.filter(|&slot| before.ongoing().contains(slot));
        ongoing.map(of_children).fold(PlyStatistics::default(), PlyStatistics::add)
    }))
}
