//! Follow-up bounds: scores that a player can be sure of without any search,
//! by answering in the column where the opponent has just played.
//!
//! The *follower* is the player of the last stone on a full board: the second player if the number
//! of cells is even, else the first. The *opener* is the other player. Following up gives the
//! follower the top row and every second row below it. It gives the opener the same rows once the
//! opener has a threat in one of the other rows, which decides its column. Each bound plays the
//! game out once, as badly as it could go for the player with the strategy: the opponent is given
//! every cell that it could possibly get. If these cells and its stones hold no four, it cannot
//! win.
//!
//! Source of the strategies: V. Allis, "A Knowledge-based Approach of
//! Connect-Four" (1988): follow-up, odd threats, zugzwang. He describes boards of even height,
//! where the second player follows up.

use crate::board::{Geometry, Word};
use crate::simd::Lanes;

/// Positions side by side, all with the same side to move, in none of which it
/// can win at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boards<'a, L, B, const N: usize> {
    pub(super) geometry: &'a Geometry<B>,
    /// Stones of the follower.
    pub(super) follower: L,
    /// Stones of the opener.
    pub(super) opener: L,
    /// Empty cells that complete a four of the follower.
    pub(super) follower_wins: L,
    /// Empty cells that complete a four of the opener.
    pub(super) opener_wins: L,
    /// Empty cells.
    pub(super) empty: L,
    /// The lowest empty cell of every column.
    pub(super) playable: L,
    /// Whether the opener is to move: the number of empty cells is even.
    pub(super) opener_to_move: bool,
}

/// The cells that the strategy of one player will fill, column by column.
struct Share<L> {
    /// Cells above the lowest one of each column.
    above: L,
    /// The lowest cell of each column and all above it.
    from: L,
}

impl<L: Lanes<B, N>, B: Word, const N: usize> Boards<'_, L, B, N> {
    /// The lanes in which the follower scores `at_least` or more, as far
    /// as this proves it.
    ///
    /// The follower answers in the same column. In a column with an odd number of empty cells, the
    /// lowest empty one is in a row of the follower. All such columns but one form pairs: a move in
    /// one of them is answered in another.
    #[inline(always)]
    pub(super) fn follower_holds(&self, at_least: i32) -> u32 {
        let geometry = self.geometry;
        let follower_rows = L::splat(geometry.even_from_top);
        let opener_rows = L::splat(geometry.odd_from_top);
        let mut contested = self.playable & follower_rows;
        if !self.opener_to_move {
            contested = contested.without(Self::at_most_one(contested));
        }
        let wins = (self.follower_wins & follower_rows).without(self.playable);
        let share = self.share(wins);
        let opener_can_get = (self.empty & opener_rows).without(share.above) | contested;
        let safe = (self.opener | opener_can_get).lines_of_four(geometry.column_bits).empty_lanes();
        if at_least <= 0 || safe == 0 {
            return safe;
        }
        // The game ends at the latest when all other columns are full and the opener has to play
        // below a win. Each of the follower's cells from there on is worth one.
        let mut proven = Self::count_at_least(share.from & follower_rows, at_least, safe);
        if at_least == 1 && proven != safe {
            let follower_gets = (self.empty & follower_rows).without(contested);
            proven |= safe
                & !(self.follower | follower_gets)
                    .lines_of_four(geometry.column_bits)
                    .empty_lanes();
        }
        proven
    }

    /// The lanes in which this proves that the opener scores `at_least` or more.
    #[inline(always)]
    pub(super) fn opener_holds(&self, at_least: i32) -> u32 {
        let mut proven = 0;
        if at_least <= 0 {
            // Not even all empty cells would give the follower a four.
            let cells = self.follower | self.empty;
            proven = cells.lines_of_four(self.geometry.column_bits).empty_lanes();
        }
        proven | self.opener_wins_by(at_least.max(1))
    }

    /// The lanes in which a threat proves that the opener scores `at_least` (1 or more) or better.
    ///
    /// The opener has a threat in one of the opener's rows that cannot be played now. He
    /// answers in the same column everywhere else, so the follower finally has to play below
    /// the threat.
    #[inline(always)]
    pub(super) fn opener_wins_by(&self, at_least: i32) -> u32 {
        let geometry = self.geometry;
        let follower_rows = L::splat(geometry.even_from_top);
        let opener_rows = L::splat(geometry.odd_from_top);
        let guard = L::splat(geometry.guard);
        let later_wins = self.opener_wins.without(self.playable);
        let opener_wins = later_wins & opener_rows;
        let mut threats = opener_wins & self.up_to_lowest(opener_wins);
        let mut proven = 0;
        loop {
            let without_threat = threats.empty_lanes();
            if without_threat | proven == (1 << N) - 1 {
                return proven;
            }
            let threat = threats & L::splat(B::ZERO).sub(threats);
            threats = threats ^ threat;
            // Carries into the guard bit of the threat's column.
            let column_guard =
                threat.add(L::splat(geometry.guard.wrapping_sub(geometry.bottom))) & guard;
            let column = column_guard.sub(column_guard.shr_short(geometry.column_bits - 1));
            let below = threat.sub(L::splat(B::ONE)) & column;

            let share = self.share((later_wins & follower_rows).without(column));
            let mut contested = (self.playable & follower_rows).without(column)
                | (self.playable & opener_rows & column);
            if self.opener_to_move {
                contested = contested.without(Self::at_most_one(contested));
            }
            let follower_can_get = (self.empty & opener_rows).without(share.above | column)
                | (self.empty & follower_rows & below)
                | contested;
            let won = (self.follower | follower_can_get)
                .lines_of_four(geometry.column_bits)
                .empty_lanes()
                & !without_threat;
            proven |= if at_least <= 1 {
                won
            } else {
                let worth = (opener_rows & column).without(below) | (share.from & follower_rows);
                Self::count_at_least(worth, at_least, won)
            };
        }
    }

    /// All cells in the lanes that have at most one, none in the others.
    #[inline(always)]
    fn at_most_one(cells: L) -> L {
        (cells & cells.sub(L::splat(B::ONE))).where_empty()
    }

    /// The cells up to and with the lowest of each column; all where there is none.
    #[inline(always)]
    fn up_to_lowest(&self, cells: L) -> L {
        let guarded = cells | L::splat(self.geometry.guard);
        // The guard bit keeps the subtraction from borrowing across columns.
        guarded ^ guarded.sub(L::splat(self.geometry.bottom))
    }

    #[inline(always)]
    fn share(&self, wins: L) -> Share<L> {
        let board = L::splat(self.geometry.board);
        let up_to = self.up_to_lowest(wins);
        Share { above: board.without(up_to), from: board.without(up_to >> 1) }
    }

    /// The lanes, out of `among`, with `least` cells or more.
    #[inline(always)]
    fn count_at_least(cells: L, least: i32, among: u32) -> u32 {
        let boards = cells.store();
        let mut enough = 0;
        let mut left = among;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % N;
            enough |= u32::from(boards[lane].count_ones() as i32 >= least) << lane;
            left &= left - 1;
        }
        enough
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::Node;
    use super::super::{Build, LanesIn, MoveOrder, Search, null_window};
    use super::*;
    use crate::board::{Board, Player, Size};
    use crate::simd::Baseline;
    use crate::splitmix::SplitMix;
    use crate::table::{TableWord, Tables, late};
    use crate::{Budget, Limits};

    /// The search without the bounds.
    #[derive(Clone, Copy)]
    struct Unaided;

    macro_rules! unaided {
        ($word:ty, $number:literal) => {
            impl Build<$word, $number> for Unaided {
                type Instructions = Baseline;
                const FOLLOW_UP_BOUNDS: bool = false;
            }
        };
    }

    unaided!(u64, 8);
    unaided!(u64, 16);
    unaided!(u128, 8);

    /// A position with `ply` stones in which neither player has won, and the side to move can
    /// neither win at once nor loses at once.
    fn random_position<B: Word>(size: Size, random: &mut SplitMix, ply: u32) -> Board<B> {
        loop {
            let mut position = Board::<B>::start(size);
            while position.ply() < ply && !position.is_won() {
                let column = random.below(size.width());
                position = position.children().nth(column).flatten().unwrap_or(position);
            }
            if position.score_by_rules().is_none() && !position.non_losing_moves().is_empty() {
                return position;
            }
        }
    }

    fn boards<B: Word, L: Lanes<B, N>, const N: usize>(
        position: Board<B>,
    ) -> Boards<'static, L, B, N> {
        let [mut opener, mut follower] = Player::BOTH;
        if !position.size().cells().is_multiple_of(2) {
            (opener, follower) = (follower, opener);
        }
        Boards {
            geometry: position.geometry(),
            follower: L::splat(position.stones(follower)),
            opener: L::splat(position.stones(opener)),
            follower_wins: L::splat(position.threats(follower)),
            opener_wins: L::splat(position.threats(opener)),
            empty: L::splat(position.geometry().board & !position.mask()),
            playable: L::splat(position.possible_moves()),
            opener_to_move: (position.size().cells() - position.ply()).is_multiple_of(2),
        }
    }

    /// Compares every score that the bounds prove with the search without them, in random
    /// positions `left` plies before the end of the game.
    fn check<B: TableWord, const N: usize>(size: &str, count: usize, left: std::ops::Range<u32>)
    where
        Unaided: Build<B, N>,
    {
        let size: Size = size.parse().unwrap();
        let shared = Tables::new(16 << 20).unwrap();
        let late = late().unwrap();
        let limits = Limits::default();
        let mut random = SplitMix(0x5eed ^ u64::from(size.bits()));
        let mut proofs = 0;
        for _ in 0..count {
            let ply = size.cells() - left.start - random.below(left.len()) as u32;
            let position = random_position(size, &mut random, ply);
            let node = Node::new(position).expect("a move that does not lose");
            let budget = Budget::new(&limits);
            let mut search = Search::new(size, &MoveOrder::BEST, (&shared, &late), budget);
            let mut reaches = |beta| {
                let search = &mut search;
                null_window::<Unaided, B, N>(search, node, ply, beta) >= beta
            };
            let boards = boards::<B, LanesIn<Unaided, B, N>, N>(position);
            for at_least in 0..size.cells() as i32 / 2 {
                let follower = boards.follower_holds(at_least) != 0;
                let opener = boards.opener_holds(at_least) != 0;
                proofs += usize::from(follower) + usize::from(opener);
                // The side to move scores s or more, or the other side does.
                let (mover, other) =
                    if boards.opener_to_move { (opener, follower) } else { (follower, opener) };
                assert!(!mover || reaches(at_least), "{position:?}: mover, {at_least}");
                assert!(!other || !reaches(1 - at_least), "{position:?}: other, {at_least}");
                if !opener && !follower {
                    break;
                }
            }
        }
        assert!(proofs > count / 4, "only {proofs} proofs on {size}");
    }

    #[test]
    #[ignore = "solves 200,000 positions; `.ci/run slow` runs it"]
    fn every_score_proved_on_7x6_is_right() {
        check::<u64, 8>("7x6", 200_000, 5..21);
    }

    #[test]
    fn every_score_proved_on_boards_of_even_height_is_right() {
        check::<u64, 8>("7x6", 20_000, 5..21);
        check::<u64, 8>("6x6", 50_000, 5..23);
        check::<u64, 8>("5x6", 50_000, 5..23);
        check::<u64, 16>("9x6", 10_000, 5..20);
        check::<u128, 8>("7x6", 20_000, 5..20);
        check::<u64, 8>("4x8", 2_000, 4..18);
        check::<u128, 8>("4x16", 100, 4..15);
    }

    #[test]
    fn every_score_proved_on_boards_of_height_4_is_right() {
        check::<u64, 8>("4x4", 20_000, 4..17);
        check::<u64, 8>("5x4", 20_000, 4..21);
        check::<u64, 8>("6x4", 50_000, 4..19);
        check::<u64, 16>("10x4", 20_000, 4..19);
    }

    #[test]
    fn every_score_proved_on_boards_of_odd_height_is_right() {
        check::<u64, 8>("4x5", 20_000, 4..21);
        check::<u64, 8>("5x5", 5_000, 4..22);
        check::<u64, 8>("6x5", 5_000, 5..22);
        check::<u64, 8>("6x7", 1_000, 5..20);
    }

    #[test]
    #[ignore = "solves many hard positions; `.ci/run slow` runs it"]
    fn every_score_proved_on_large_boards_of_odd_height_is_right() {
        check::<u64, 8>("5x5", 50_000, 4..22);
        check::<u64, 8>("6x5", 50_000, 5..22);
        check::<u64, 8>("7x5", 20_000, 5..20);
        check::<u64, 8>("8x5", 20_000, 5..20);
        check::<u64, 16>("9x5", 10_000, 5..18);
        check::<u64, 8>("6x7", 10_000, 5..20);
        check::<u64, 8>("7x7", 10_000, 5..20);
        check::<u128, 8>("7x7", 3_000, 5..18);
        check::<u128, 8>("5x11", 3_000, 4..16);
        check::<u64, 8>("4x13", 3_000, 4..16);
    }

    #[test]
    #[ignore = "solves many hard positions; `.ci/run slow` runs it"]
    fn every_score_proved_on_tall_boards_is_right() {
        check::<u64, 8>("4x8", 20_000, 4..18);
        check::<u64, 8>("4x14", 3_000, 4..16);
        check::<u64, 8>("5x10", 3_000, 4..16);
        check::<u128, 8>("4x16", 3_000, 4..15);
        check::<u128, 8>("8x8", 3_000, 4..15);
    }
}
