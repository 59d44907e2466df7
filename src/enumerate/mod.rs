//! Every position of a ply that a game can reach, and the order in which a
//! book's deepest ply is worth solving.
//!
//! A position and its mirror image count once (*mirror-unique*): they share a
//! [slot](crate::rank). A position is *ongoing* if the game has not ended, and
//! *stored* if moreover the side to move does not win at once, so that its
//! score takes a search: those are the positions a book has an entry for.
//!
//! What has been visited is one bit a slot, never a list of keys: 6 MB for ply
//! 14 on 7x6.

mod depth_first;
mod slot_set;

pub use depth_first::{DepthFirst, Visit};
pub use slot_set::SlotSet;

use crate::board::{Position, Size};
use crate::rank::Ranking;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Add;

/// A ply whose positions cannot be enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlyError {
    /// The positions cannot be numbered.
    #[error(
        "ply {ply} of {size} cannot be enumerated: it is past the last stone of the board, or has more slots than the 2^48 that can be numbered"
    )]
    Numbering {
        /// The board.
        size: Size,
        /// Number of stones.
        ply: u32,
    },
    /// One bit for each slot is more memory than can be had.
    #[error(
        "cannot reserve the {bytes} bytes of memory that enumerating ply {ply} of {size} takes"
    )]
    Memory {
        /// The board.
        size: Size,
        /// Number of stones.
        ply: u32,
        /// The memory it takes.
        bytes: u64,
    },
}

fn ranking_of_ply<const W: usize, const H: usize>(ply: u32) -> Result<Ranking<W, H>, PlyError> {
    Ranking::new(ply).ok_or(PlyError::Numbering { size: Size::of::<W, H>(), ply })
}

/// An empty set for the slots of `ranking`.
///
/// # Errors
///
/// If there is no memory for it.
pub(crate) fn slots_of<const W: usize, const H: usize>(
    ranking: &Ranking<W, H>,
) -> Result<SlotSet, PlyError> {
    SlotSet::new(ranking.slots()).ok_or(PlyError::Memory {
        size: Size::of::<W, H>(),
        ply: ranking.ply(),
        bytes: SlotSet::bytes_for(ranking.slots()),
    })
}

/// How many positions a ply has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlyCounts {
    /// Positions that a game can reach, ended games included; a position and
    /// its mirror image count twice unless they are the same.
    pub distinct: u64,
    /// Mirror-unique positions in which the game has not ended.
    pub ongoing: u64,
    /// Those of them in which the side to move does not win at once.
    pub stored: u64,
}

impl PlyCounts {
    /// What `position`, met for the first time, adds.
    fn of<const W: usize, const H: usize>(position: Position<W, H>, ongoing: bool) -> Self {
        PlyCounts {
            distinct: if position.mirrored() == position { 1 } else { 2 },
            ongoing: u64::from(ongoing),
            stored: u64::from(ongoing && !position.can_win_at_once()),
        }
    }
}

impl Add for PlyCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        PlyCounts {
            distinct: self.distinct + other.distinct,
            ongoing: self.ongoing + other.ongoing,
            stored: self.stored + other.stored,
        }
    }
}

/// The ongoing positions of one ply.
#[derive(Debug)]
pub struct ReachablePly<const W: usize, const H: usize> {
    ranking: Ranking<W, H>,
    ongoing: SlotSet,
    counts: PlyCounts,
}

impl<const W: usize, const H: usize> ReachablePly<W, H> {
    /// The numbering of the ply's positions.
    #[must_use]
    pub fn ranking(&self) -> &Ranking<W, H> {
        &self.ranking
    }

    /// The slots of the ongoing mirror-unique positions.
    #[must_use]
    pub fn ongoing(&self) -> &SlotSet {
        &self.ongoing
    }

    /// How many positions there are.
    #[must_use]
    pub fn counts(&self) -> PlyCounts {
        self.counts
    }

    /// Whether the slot is that of a stored position: ongoing and without a
    /// win at once.
    ///
    /// # Panics
    ///
    /// If the ply has no such slot.
    #[must_use]
    pub fn is_stored(&self, slot: u64) -> bool {
        self.ongoing.contains(slot) && !self.ranking.unrank(slot).can_win_at_once()
    }
}

/// The ongoing positions of all plies from the empty board on, as far as they
/// have been [explored](Self::explore_next).
///
/// ```
/// use fourbook::enumerate::Reachable;
/// let reachable = Reachable::<7, 6>::to_depth(4)?;
/// assert_eq!(reachable.ply(4).counts().distinct, 1120);
/// assert_eq!(reachable.ply(4).counts().ongoing, 568);
/// # Ok::<(), fourbook::enumerate::PlyError>(())
/// ```
#[derive(Debug)]
pub struct Reachable<const W: usize, const H: usize> {
    plies: Vec<ReachablePly<W, H>>,
}

impl<const W: usize, const H: usize> Reachable<W, H> {
    /// Ply 0 alone: the empty board.
    #[must_use]
    pub fn root() -> Self {
        let ranking = ranking_of_ply(0).expect("every board has a ply 0");
        let ongoing = slots_of(&ranking).expect("ply 0 has one slot");
        ongoing.insert(ranking.rank(Position::EMPTY));
        let counts = PlyCounts::of(Position::<W, H>::EMPTY, true);
        Reachable { plies: vec![ReachablePly { ranking, ongoing, counts }] }
    }

    /// All plies from 0 to `depth`.
    ///
    /// # Errors
    ///
    /// If a ply cannot be numbered or takes too much memory.
    pub fn to_depth(depth: u32) -> Result<Self, PlyError> {
        let mut reachable = Self::root();
        for _ in 0..depth {
            reachable.explore_next()?;
        }
        Ok(reachable)
    }

    /// The deepest ply explored.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.deepest().ranking.ply()
    }

    /// The positions of the deepest ply explored.
    #[must_use]
    pub fn deepest(&self) -> &ReachablePly<W, H> {
        self.plies.last().expect("there is always ply 0")
    }

    /// The positions with `ply` stones.
    ///
    /// # Panics
    ///
    /// If the ply has not been explored.
    #[must_use]
    pub fn ply(&self, ply: u32) -> &ReachablePly<W, H> {
        &self.plies[ply as usize]
    }

    /// Finds the positions of the next ply, with all threads of the rayon pool
    /// it is called in, and returns them.
    ///
    /// # Errors
    ///
    /// If the ply cannot be numbered or takes too much memory.
    pub fn explore_next(&mut self) -> Result<&ReachablePly<W, H>, PlyError> {
        let parents = self.deepest();
        let ranking = ranking_of_ply::<W, H>(self.depth() + 1)?;
        let ongoing = slots_of(&ranking)?;
        // Ended games are needed for their number only, and for this ply only.
        let ended = slots_of(&ranking)?;
        let visit = |child: Position<W, H>| {
            let is_ongoing = !child.is_over();
            let set = if is_ongoing { &ongoing } else { &ended };
            if set.insert(ranking.rank(child)) {
                PlyCounts::of(child, is_ongoing)
            } else {
                PlyCounts::default()
            }
        };
        let counts = parents
            .ongoing
            .par_iter()
            .map(|slot| children(parents.ranking.unrank(slot)).map(visit))
            .map(|counts| counts.fold(PlyCounts::default(), PlyCounts::add))
            .reduce(PlyCounts::default, PlyCounts::add);
        self.plies.push(ReachablePly { ranking, ongoing, counts });
        Ok(self.deepest())
    }
}

/// The positions after every move of an ongoing position.
fn children<const W: usize, const H: usize>(
    position: Position<W, H>,
) -> impl Iterator<Item = Position<W, H>> {
    let mut moves = position.possible_moves();
    std::iter::from_fn(move || {
        let cell = moves & moves.wrapping_neg();
        moves &= moves.wrapping_sub(1);
        (cell != 0).then(|| position.play_cell(cell))
    })
}
