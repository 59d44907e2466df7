//! Every position of a ply that a game can reach, and the order in which a
//! book's deepest ply is worth solving.
//!
//! A position and its mirror image count once (*mirror-unique*): they share a
//! [slot](crate::rank). A position is *ongoing* if the game has not ended, and
//! *stored* if moreover the side to move does not win at once, so that its
//! score takes a search: those are the positions a book has an entry for.
//!
//! Visited positions take one bit a slot, never a list of keys: 6 MB for ply
//! 14 on 7x6.

mod depth_first;
mod slot_set;

#[cfg(test)]
pub(crate) use depth_first::DepthFirst;
pub(crate) use depth_first::{Order, depth_first};
pub(crate) use slot_set::SlotSet;

use crate::book::BookError;
use crate::parallel::{Counts, sum_of_step};
use crate::progress::{Progress, Step};
use crate::rank::{Ranking, slots};
use fourbook_solver::board::{Board, Size, Word};
use fourbook_solver::with_word;
use serde::{Deserialize, Serialize};
use std::ops::{Add, Range};

pub(crate) fn ranking_of_ply(size: Size, ply: u32) -> Result<Ranking, BookError> {
    Ranking::new(size, ply).ok_or(BookError::TooDeep { size, ply })
}

/// How many slots each ply has, down to `depth`. Their sum fits 64 bits: a ply has at most 2^48,
/// and no board has 2^8 plies.
pub(crate) fn slots_of_plies(size: Size, depth: u32) -> Result<Vec<u64>, BookError> {
    let too_deep = BookError::TooDeep { size, ply: depth };
    (0..=depth).map(|ply| slots(size, ply)).collect::<Option<_>>().ok_or(too_deep)
}

/// The memory of a set of slots for each of these plies, in bytes.
pub(crate) fn bytes_of_sets(plies: &[u64]) -> u64 {
    plies.iter().map(|&slots| SlotSet::bytes_for(slots)).sum()
}

/// An empty set for the slots of `ranking`.
fn slots_of(ranking: &Ranking) -> Result<SlotSet, BookError> {
    SlotSet::new(ranking.slots).ok_or(BookError::Memory {
        size: ranking.size,
        ply: ranking.ply,
        bytes: SlotSet::bytes_for(ranking.slots),
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
    /// Mirror-unique ongoing positions in which the side to move does not win at once.
    pub stored: u64,
}

/// How many positions of a ply are ended games: with a position and its mirror image counted once,
/// and with all counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EndedGames {
    /// Mirror-unique positions with four in a row.
    pub(crate) won: u64,
    /// Mirror-unique positions of a full board without four in a row.
    pub(crate) drawn: u64,
    /// All positions with four in a row.
    pub(crate) distinct_won: u64,
    /// All positions of a full board without four in a row.
    pub(crate) distinct_drawn: u64,
}

/// The ongoing positions of one ply.
#[derive(Debug)]
pub(crate) struct ReachablePly {
    /// The numbering of the ply's positions.
    pub(crate) ranking: Ranking,
    /// The slots of the ongoing mirror-unique positions.
    pub(crate) ongoing: SlotSet,
    pub(crate) counts: PlyCounts,
    pub(crate) ended: EndedGames,
}

impl ReachablePly {
    /// The slots of stored positions in a range, ascending, with the positions. The
    /// range begins with a multiple of 64 and ends with one or after the last slot.
    ///
    /// # Panics
    ///
    /// If it does not, or the ply has no such slots.
    pub(crate) fn stored_in<B: Word>(
        &self,
        slots: Range<u64>,
    ) -> impl Iterator<Item = (u64, Board<B>)> + '_ {
        let mut sequence = self.ranking.sequence();
        let ongoing = self.ongoing.in_range(slots).map(move |slot| (slot, sequence.position(slot)));
        ongoing.filter(|(_, position)| !position.can_win_at_once())
    }

    /// The slots that [`stored_in`](Self::stored_in) returns.
    pub(crate) fn stored_slots(&self, slots: Range<u64>) -> Box<dyn Iterator<Item = u64> + '_> {
        with_word!(self.ranking.size, B => {
            Box::new(self.stored_in::<B>(slots).map(|(slot, _)| slot))
        })
    }
}

/// The ongoing positions of all plies from the empty board to the last ply that was
/// [explored](Self::explore_to).
#[derive(Debug)]
pub(crate) struct Reachable {
    plies: Vec<ReachablePly>,
}

impl Reachable {
    /// Ply 0 alone: the empty board.
    pub(crate) fn root(size: Size) -> Self {
        let ranking = ranking_of_ply(size, 0).expect("every board has a ply 0");
        let ongoing = slots_of(&ranking).expect("ply 0 has one slot");
        ongoing.insert(ranking.rank(Board::<u128>::start(size)));
        let counts = PlyCounts { distinct: 1, ongoing: 1, stored: 1 };
        let ended = EndedGames::default();
        Reachable { plies: vec![ReachablePly { ranking, ongoing, counts, ended }] }
    }

    /// All plies from 0 to `depth`.
    #[cfg(test)]
    pub(crate) fn to_depth(size: Size, depth: u32) -> Result<Self, BookError> {
        let mut reachable = Self::root(size);
        reachable.explore_to(depth, &())?;
        Ok(reachable)
    }

    /// The deepest ply explored.
    pub(crate) fn depth(&self) -> u32 {
        self.deepest().ranking.ply
    }

    /// The positions of the deepest ply explored.
    pub(crate) fn deepest(&self) -> &ReachablePly {
        self.plies.last().expect("there is always ply 0")
    }

    /// The positions with `ply` stones.
    ///
    /// # Panics
    ///
    /// If the ply has not been explored.
    pub(crate) fn ply(&self, ply: u32) -> &ReachablePly {
        &self.plies[ply as usize]
    }

    /// Finds the positions of all plies down to `ply`, with all threads of the rayon pool
    /// it is called in, unless it is cancelled.
    pub(crate) fn explore_to(
        &mut self,
        ply: u32,
        progress: &dyn Progress,
    ) -> Result<(), BookError> {
        while self.depth() < ply {
            let next = with_word!(self.deepest().ranking.size, B => self.next::<B>(progress))?;
            self.plies.push(next);
        }
        Ok(())
    }

    fn next<B: Word>(&self, progress: &dyn Progress) -> Result<ReachablePly, BookError> {
        let parents = self.deepest();
        let ply = self.depth() + 1;
        let ranking = ranking_of_ply(parents.ranking.size, ply)?;
        let ongoing = slots_of(&ranking)?;
        // Ended games are needed for their number only, and for this ply only.
        let over = slots_of(&ranking)?;
        let step = (Step::Enumerate(ply), progress);
        let counts = sum_of_step(step, parents.ranking.slots, |slots| {
            let mut parent_of = parents.ranking.sequence();
            parents
                .ongoing
                .in_range(slots)
                .flat_map(|slot| children(parent_of.position(slot)))
                .map(|child: Board<B>| {
                    let is_ongoing = !child.is_over();
                    let set = if is_ongoing { &ongoing } else { &over };
                    if !set.insert(ranking.rank(child)) {
                        return Counts::default();
                    }
                    let images = if child.mirrored() == child { 1 } else { 2 };
                    match (is_ongoing, child.is_won()) {
                        (true, _) => {
                            Counts([images, 1, u64::from(!child.can_win_at_once()), 0, 0, 0, 0])
                        }
                        (false, true) => Counts([images, 0, 0, 1, 0, images, 0]),
                        (false, false) => Counts([images, 0, 0, 0, 1, 0, images]),
                    }
                })
                .fold(Counts::default(), Counts::add)
        })?;
        let [distinct, ongoing_count, stored, won, drawn, distinct_won, distinct_drawn] = counts.0;
        let counts = PlyCounts { distinct, ongoing: ongoing_count, stored };
        let ended = EndedGames { won, drawn, distinct_won, distinct_drawn };
        Ok(ReachablePly { ranking, ongoing, counts, ended })
    }
}

/// The positions after every move of an ongoing position.
fn children<B: Word>(position: Board<B>) -> impl Iterator<Item = Board<B>> {
    position.possible_moves().cells().map(move |cell| position.play_cell(cell))
}

#[cfg(test)]
mod tests;
