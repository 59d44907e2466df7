//! How the positions of a book end under perfect play, counted ply by ply.

use super::Progress;
use super::error::{ChecksumError, MissingValue};
use super::reader::{Book, BookView};
use super::walk::explore_to;
use crate::board::{OnSize, Outcome, Position};
use crate::enumerate::{PlyError, Reachable, ReachablePly, slots_of};
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::ops::Add;

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

/// A part of counting positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Playing on from every position of the ply before; the units are slots.
    Enumerate {
        /// Number of stones of the positions looked for.
        ply: u32,
    },
    /// Looking up every position of a ply; the units are slots.
    Count {
        /// Number of stones of the positions.
        ply: u32,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Enumerate { ply } => write!(f, "ply {ply}: enumerating positions"),
            Step::Count { ply } => write!(f, "ply {ply}: looking positions up"),
        }
    }
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
    fn of<const W: usize, const H: usize>(
        position: Position<W, H>,
        outcome: Outcome,
        count: u64,
    ) -> Self {
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
    fn of<const W: usize, const H: usize>(position: Position<W, H>, outcome: Outcome) -> Self {
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
pub fn statistics<D: AsRef<[u8]>>(
    book: &Book<D>,
    progress: &impl Progress<Step>,
) -> Result<Vec<PlyStatistics>, StatsError> {
    let book = book.borrowed();
    book.check_sections()?;
    book.size().dispatch(Statistics { book: &book, progress })
}

struct Statistics<'a> {
    book: &'a Book<&'a [u8]>,
    progress: &'a dyn Progress<Step>,
}

impl OnSize for Statistics<'_> {
    type Output = Result<Vec<PlyStatistics>, StatsError>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        let view = self.book.view::<W, H>().expect("the size is the book's");
        let mut reachable = Reachable::root();
        let mut plies = Vec::new();
        for ply in 0..=self.book.depth() {
            explore_to(&mut reachable, ply, |ply| Step::Enumerate { ply }, self.progress)?;
            let mut counts = self.count_ongoing(&view, reachable.ply(ply))?;
            if ply > 0 {
                counts = counts + count_ended(reachable.ply(ply - 1), reachable.ply(ply))?;
            }
            debug_assert_eq!(counts.distinct.total(), reachable.ply(ply).counts().distinct);
            plies.push(PlyStatistics { ply, ..counts });
        }
        Ok(plies)
    }
}

/// Slots a unit of parallel work.
const BLOCK: u64 = 4096;

impl Statistics<'_> {
    /// Counts the positions of a ply from which the game goes on.
    fn count_ongoing<const W: usize, const H: usize>(
        &self,
        view: &BookView<&&[u8], W, H>,
        reachable: &ReachablePly<W, H>,
    ) -> Result<PlyStatistics, StatsError> {
        let (ranking, ongoing) = (reachable.ranking(), reachable.ongoing());
        let slots = ranking.slots();
        self.progress.begin(Step::Count { ply: ranking.ply() }, slots);
        let blocks = (0..slots.div_ceil(BLOCK)).into_par_iter().map(|block| {
            let slots = block * BLOCK..slots.min((block + 1) * BLOCK);
            let mut counts = PlyStatistics::default();
            for slot in slots.clone().filter(|&slot| ongoing.contains(slot)) {
                let position = ranking.unrank(slot);
                let outcome = view.score_of_game(position).outcome();
                let outcome = outcome.ok_or_else(|| MissingValue::of(position))?;
                counts = counts + PlyStatistics::of(position, outcome);
            }
            self.progress.advance(slots.end - slots.start);
            Ok(counts)
        });
        blocks.try_reduce(PlyStatistics::default, |a, b| Ok(a + b))
    }
}

/// Counts the ended games of `ply`, by playing on from the ply before.
fn count_ended<const W: usize, const H: usize>(
    before: &ReachablePly<W, H>,
    ply: &ReachablePly<W, H>,
) -> Result<PlyStatistics, PlyError> {
    let ranking = ply.ranking();
    let met = slots_of(ranking)?;
    let of_children = |slot| {
        let children = before.ranking().unrank(slot).children().into_iter().flatten();
        let ended = children.filter(|child| child.is_over() && met.insert(ranking.rank(*child)));
        ended
            .map(|child| {
                let outcome = if child.is_won() { Outcome::Loss } else { Outcome::Draw };
                PlyStatistics::of(child, outcome)
            })
            .fold(PlyStatistics::default(), PlyStatistics::add)
    };
    let counts = before.ongoing().par_iter().map(of_children);
    Ok(counts.reduce(PlyStatistics::default, PlyStatistics::add))
}
