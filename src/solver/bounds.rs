//! Follow-up bounds: scores that a player can be sure of without any search,
//! by answering in the column where the opponent has just played.
//!
//! They hold on boards of even height, where following up gives a player every
//! second row: the second player the odd rows (from 0), and the first player the
//! same once all of one column hangs on a threat of the first player in an even
//! row. Each bound plays the game out once, as badly as it could go for the
//! player with the strategy: the opponent is given every cell that he could
//! possibly get. Where those and the stones he has hold no four, he cannot win.
//!
//! Source of the strategies: V. Allis, "A Knowledge-based Approach of
//! Connect-Four" (1988): follow-up, odd threats, zugzwang.

use super::lanes::Lanes;
use crate::board::Geometry;
use crate::board::threats::lines_of_four;

/// Positions side by side, all with the same side to move, in none of which it
/// can win at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boards<L> {
    /// Stones of the first player.
    pub(super) first: L,
    /// Stones of the second player.
    pub(super) second: L,
    /// Empty cells that complete a four of the first player.
    pub(super) first_wins: L,
    /// Empty cells that complete a four of the second player.
    pub(super) second_wins: L,
    /// Empty cells.
    pub(super) empty: L,
    /// The lowest empty cell of every column.
    pub(super) playable: L,
    /// Whether the first player is to move.
    pub(super) first_to_move: bool,
}

/// The cells of one player's that his strategy will fill, column by column.
struct Share<L> {
    /// Cells above the lowest one of each column.
    above: L,
    /// The lowest cell of each column and all above it.
    from: L,
}

impl<L: Lanes> Boards<L> {
    /// Whether the bounds hold on boards of this height.
    pub(super) const fn hold_on_height(height: usize) -> bool {
        height.is_multiple_of(2)
    }

    /// The lanes in which the second player scores `at_least` or more, as far
    /// as this proves it.
    ///
    /// The second player answers in the same column. Columns with an odd number
    /// of empty cells have their lowest one in an odd row; they come in pairs
    /// but for one, and a move there is answered in another of them.
    #[inline(always)]
    pub(super) fn second_holds<const W: usize, const H: usize>(&self, at_least: i32) -> u8 {
        let even = L::splat(Geometry::<W, H>::EVEN_ROWS);
        let odd = L::splat(Geometry::<W, H>::ODD_ROWS);
        let mut contested = self.playable & odd;
        if !self.first_to_move {
            contested = contested.without(at_most_one(contested));
        }
        let wins = (self.second_wins & odd).without(self.playable);
        let share = share::<L, W, H>(wins);
        let first_can_get = (self.empty & even).without(share.above) | contested;
        let safe = lines_of_four::<L, W, H>(self.first | first_can_get).empty_lanes();
        if at_least <= 0 || safe == 0 {
            return safe;
        }
        // The game ends at the latest when, all else full, the first player has to
        // play below the wins: each odd cell from there on is worth one.
        let mut proven = count_at_least(share.from & odd, at_least, safe);
        if at_least == 1 && proven != safe {
            let second_gets = (self.empty & odd).without(contested);
            proven |= safe & !lines_of_four::<L, W, H>(self.second | second_gets).empty_lanes();
        }
        proven
    }

    /// The lanes in which the first player scores `at_least` or more, as far as
    /// this proves it.
    #[inline(always)]
    pub(super) fn first_holds<const W: usize, const H: usize>(&self, at_least: i32) -> u8 {
        if at_least > 0 {
            return self.first_wins_by::<W, H>(at_least);
        }
        // Not even all empty cells would give the second player a four.
        let safe = lines_of_four::<L, W, H>(self.second | self.empty).empty_lanes();
        safe | self.first_wins_by::<W, H>(1)
    }

    /// The lanes in which the first player scores `at_least` (1 or more) or
    /// better, as far as this proves it.
    ///
    /// The first player has a threat in an even row that cannot be played now;
    /// he answers in the same column everywhere else, and the second player is
    /// left to play below the threat in the end.
    #[inline(always)]
    pub(super) fn first_wins_by<const W: usize, const H: usize>(&self, at_least: i32) -> u8 {
        let even = L::splat(Geometry::<W, H>::EVEN_ROWS);
        let odd = L::splat(Geometry::<W, H>::ODD_ROWS);
        let guard = L::splat(Geometry::<W, H>::GUARD);
        let later_wins = self.first_wins.without(self.playable);
        let mut threats = lowest_of_columns::<L, W, H>(later_wins & even);
        let mut proven = 0;
        loop {
            let without_threat = threats.empty_lanes();
            if without_threat | proven == 0xff {
                return proven;
            }
            let threat = threats & L::splat(0).sub(threats);
            threats = threats ^ threat;
            // Carries into the guard bit of the threat's column.
            let column_guard =
                threat.add(L::splat(Geometry::<W, H>::GUARD - Geometry::<W, H>::BOTTOM)) & guard;
            let column = column_guard.sub(column_guard >> H);
            let below = threat.sub(L::splat(1)) & column;

            let share = share::<L, W, H>((later_wins & odd).without(column));
            let mut contested =
                (self.playable & odd).without(column) | (self.playable & even & column);
            if self.first_to_move {
                contested = contested.without(at_most_one(contested));
            }
            let second_can_get = (self.empty & even).without(share.above | column)
                | (self.empty & odd & below)
                | contested;
            let won = lines_of_four::<L, W, H>(self.second | second_can_get).empty_lanes()
                & !without_threat;
            proven |= if at_least <= 1 {
                won
            } else {
                let worth = (even & column).without(below) | (share.from & odd);
                count_at_least(worth, at_least, won)
            };
        }
    }
}

/// All cells in the lanes that have at most one, none in the others.
#[inline(always)]
fn at_most_one<L: Lanes>(cells: L) -> L {
    (cells & cells.sub(L::splat(1))).where_empty()
}

/// The cells up to and with the lowest of each column; all where there is none.
#[inline(always)]
fn up_to_lowest<L: Lanes, const W: usize, const H: usize>(cells: L) -> L {
    let guarded = cells | L::splat(Geometry::<W, H>::GUARD);
    // The guard bit keeps the subtraction from borrowing across columns.
    guarded ^ guarded.sub(L::splat(Geometry::<W, H>::BOTTOM))
}

#[inline(always)]
fn lowest_of_columns<L: Lanes, const W: usize, const H: usize>(cells: L) -> L {
    cells & up_to_lowest::<L, W, H>(cells)
}

#[inline(always)]
fn share<L: Lanes, const W: usize, const H: usize>(wins: L) -> Share<L> {
    let board = L::splat(Geometry::<W, H>::BOARD);
    let up_to = up_to_lowest::<L, W, H>(wins);
    Share { above: board.without(up_to), from: board.without(up_to >> 1) }
}

/// The lanes, out of `among`, with `least` cells or more.
#[inline(always)]
fn count_at_least<L: Lanes>(cells: L, least: i32, among: u8) -> u8 {
    let boards = cells.store();
    let mut enough = 0;
    let mut left = among;
    while left != 0 {
        let lane = left.trailing_zeros() as usize & 7;
        enough |= u8::from(boards[lane].count_ones() as i32 >= least) << lane;
        left &= left - 1;
    }
    enough
}

#[cfg(test)]
mod tests {
    use super::super::cpu::Build;
    use super::super::lanes::Portable;
    use super::super::search::{self, Node, Search};
    use super::super::tables::{self, Tables, TranspositionTable};
    use super::*;
    use crate::board::Position;
    use crate::solver::Limits;

    /// The search as it is without the bounds.
    #[derive(Clone, Copy)]
    struct Unaided;

    impl Build for Unaided {
        type Lanes = Portable;
        const FOLLOW_UP_BOUNDS: bool = false;

        fn null_window<const W: usize, const H: usize>(
            search: &mut Search<'_>,
            node: Node,
            ply: u32,
            beta: i32,
        ) -> i32 {
            search::null_window::<Unaided, W, H>(search, node, ply, beta)
        }
    }

    /// A xorshift generator (G. Marsaglia, 2003); the tests need no better one.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 33) as usize % bound
        }
    }

    /// A position with `ply` stones in which nobody has won, the side to move
    /// cannot win at once, and neither is it lost at once.
    fn random_position<const W: usize, const H: usize>(
        random: &mut Random,
        ply: u32,
    ) -> Position<W, H> {
        loop {
            let mut position = Position::<W, H>::EMPTY;
            while position.ply() < ply && !position.is_won() {
                let column = random.below(W);
                if position.can_play(column) {
                    position = position.play(column);
                }
            }
            if position.score_by_rules().is_none() && position.non_losing_moves() != 0 {
                return position;
            }
        }
    }

    fn boards<const W: usize, const H: usize>(position: Position<W, H>) -> Boards<Portable> {
        let (first, second) = (position.first_player(), position.second_player());
        let wins = |stones| crate::board::threats::winning_cells::<W, H>(stones, position.mask());
        Boards {
            first: Portable::splat(first),
            second: Portable::splat(second),
            first_wins: Portable::splat(wins(first)),
            second_wins: Portable::splat(wins(second)),
            empty: Portable::splat(Geometry::<W, H>::BOARD & !position.mask()),
            playable: Portable::splat(position.possible_moves()),
            first_to_move: position.ply().is_multiple_of(2),
        }
    }

    /// Compares every score that the bounds prove with the search without them.
    fn check<const W: usize, const H: usize>(count: usize, plies: std::ops::Range<u32>) {
        assert!(Boards::<Portable>::hold_on_height(H));
        let count = if cfg!(debug_assertions) { count / 100 } else { count };
        let shared = TranspositionTable::new(16 << 20).unwrap();
        let late = tables::late().unwrap();
        let limits = Limits::default();
        let mut random = Random(0x5eed ^ (W * 8 + H) as u64);
        let mut proofs = 0;
        for _ in 0..count {
            let ply = plies.start + random.below(plies.len()) as u32;
            let position = random_position::<W, H>(&mut random, ply);
            let node = Node::new(position).expect("a move that does not lose");
            let mut search = Search::new(Tables::new(&shared, &late), &limits);
            let mut reaches = |beta| {
                let search = &mut search;
                search::null_window::<Unaided, W, H>(search, node, ply, beta) >= beta
            };
            let boards = boards(position);
            for at_least in 0..Geometry::<W, H>::CELLS as i32 / 2 {
                let second = boards.second_holds::<W, H>(at_least) != 0;
                let first = at_least > 0 && boards.first_wins_by::<W, H>(at_least) != 0;
                proofs += usize::from(second) + usize::from(first);
                // The side to move scores s or more, or the other side does.
                let (mover, other) =
                    if boards.first_to_move { (first, second) } else { (second, first) };
                assert!(!mover || reaches(at_least), "{position:?}: mover, {at_least}");
                assert!(!other || !reaches(1 - at_least), "{position:?}: other, {at_least}");
                if !first && !second {
                    break;
                }
            }
        }
        assert!(proofs > count / 4, "only {proofs} proofs on {W}x{H}");
    }

    #[test]
    fn every_score_proved_on_7x6_is_right() {
        check::<7, 6>(200_000, 22..38);
    }

    #[test]
    fn every_score_proved_on_6x6_is_right() {
        check::<6, 6>(50_000, 14..32);
    }

    #[test]
    fn every_score_proved_on_5x6_is_right() {
        check::<5, 6>(50_000, 8..26);
    }

    #[test]
    fn every_score_proved_on_boards_of_height_4_is_right() {
        check::<4, 4>(20_000, 0..13);
        check::<5, 4>(20_000, 0..17);
        check::<6, 4>(50_000, 6..21);
    }
}
