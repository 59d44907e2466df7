//! Lines of four and the cells that complete them.
//!
//! A *threat* of a side is an empty cell that completes four of its stones in
//! a line. Nothing here matches shapes: two threats of one side directly above
//! each other (the "7-shape" trap is one way to get them) are seen as exactly
//! that, whatever stones make them.

use super::geometry::Geometry;
use std::ops::{BitAnd, BitOr, Shl, Shr};

/// Sets of cells: one board in a `u64`, or several side by side in a vector.
pub trait Cells:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
{
}

impl Cells for u64 {}

/// The lowest cell (by bit number) of every line of four within `stones`;
/// empty if there is none.
///
/// Shift-and-AND in the four directions; see D. Herzberg, "Bitboards and
/// Connect Four".
#[must_use]
#[inline(always)]
pub fn lines_of_four<C: Cells, const W: usize, const H: usize>(stones: C) -> C {
    let upwards_and_across = along(stones, 1) | along(stones, H + 1);
    upwards_and_across | (along(stones, H) | along(stones, H + 2))
}

/// Where four stones begin that are `step` bits apart.
#[inline(always)]
fn along<C: Cells>(stones: C, step: usize) -> C {
    let pairs = stones & (stones >> step);
    pairs & (pairs >> (2 * step))
}

/// Whether `stones` hold four in a line.
#[must_use]
#[inline(always)]
pub fn has_four<const W: usize, const H: usize>(stones: u64) -> bool {
    lines_of_four::<u64, W, H>(stones) != 0
}

/// Every cell that completes four of `stones` in a line, full cells and guard
/// bits included: the caller masks with the empty cells.
///
/// Source of the idea: P. Pons, "Solving Connect 4: anticipate direct losing
/// moves".
#[must_use]
#[inline(always)]
pub fn completing_cells<C: Cells, const W: usize, const H: usize>(stones: C) -> C {
    // Upwards there is only the cell on top of three.
    let vertical = (stones << 1) & (stones << 2) & (stones << 3);
    (vertical | completing_along(stones, H + 1))
        | (completing_along(stones, H) | completing_along(stones, H + 2))
}

/// The cells that complete four stones `step` bits apart.
#[inline(always)]
fn completing_along<C: Cells>(stones: C, step: usize) -> C {
    // Cells with two stones directly before them, and with two directly behind.
    let after_two = (stones << step) & (stones << (2 * step));
    let before_two = (stones >> step) & (stones >> (2 * step));
    (after_two & ((stones << (3 * step)) | (stones >> step)))
        | (before_two & ((stones << step) | (stones >> (3 * step))))
}

/// The empty cells that complete four of `stones`.
#[must_use]
#[inline(always)]
pub fn winning_cells<const W: usize, const H: usize>(stones: u64, mask: u64) -> u64 {
    completing_cells::<u64, W, H>(stones) & Geometry::<W, H>::BOARD & !mask
}

/// The moves after which the opponent, whose winning cells are
/// `opponent_wins`, has no winning move: a forced reply is the only one, never
/// one below a winning cell of the opponent; none if two replies are forced.
///
/// `possible` are the playable cells. The side to move must not have a win at
/// once (it would be left out where it is not also safe).
#[must_use]
#[inline(always)]
pub const fn non_losing_moves(possible: u64, opponent_wins: u64) -> u64 {
    let forced = possible & opponent_wins;
    let candidates = if forced == 0 {
        possible
    } else if forced & (forced - 1) == 0 {
        forced
    } else {
        0
    };
    candidates & !(opponent_wins >> 1)
}

/// The lower cell of every pair of cells directly above each other: with a
/// side's winning cells, its stacked threats.
#[must_use]
#[inline(always)]
pub const fn stacked(threats: u64) -> u64 {
    threats & (threats >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    /// Every line of four, cell by cell: what the bit tricks are compared with.
    fn lines<const W: usize, const H: usize>() -> Vec<u64> {
        let mut lines = Vec::new();
        for column in 0..W as isize {
            for row in 0..H as isize {
                for (dc, dr) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let cells: Vec<_> = (0..4).map(|i| (column + i * dc, row + i * dr)).collect();
                    let inside = |&(c, r): &(isize, isize)| {
                        (0..W as isize).contains(&c) && (0..H as isize).contains(&r)
                    };
                    if cells.iter().all(inside) {
                        lines.push(cells.iter().fold(0, |bits, &(c, r)| {
                            bits | Geometry::<W, H>::cell(c as usize, r as usize)
                        }));
                    }
                }
            }
        }
        lines
    }

    fn compare_with_lines<const W: usize, const H: usize>() {
        let lines = lines::<W, H>();
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let spread = random ^ (random >> 29);
            let stones = spread & spread.rotate_left(17) & Geometry::<W, H>::BOARD;
            let four = lines.iter().any(|&line| line & !stones == 0);
            assert_eq!(has_four::<W, H>(stones), four);
            let mut wins = 0;
            for &line in &lines {
                let missing = line & !stones;
                if missing.count_ones() == 1 {
                    wins |= missing;
                }
            }
            // A vertical line is completed on top only, which gravity makes sure of:
            // compare with the stones standing on the ground of each column.
            let supported = wins & !vertical_gaps::<W, H>(stones, &lines);
            assert_eq!(
                winning_cells::<W, H>(stones, stones) & !vertical_gaps::<W, H>(stones, &lines),
                supported
            );
        }
    }

    fn vertical_gaps<const W: usize, const H: usize>(stones: u64, lines: &[u64]) -> u64 {
        lines
            .iter()
            .filter(|&&line| line & (line >> 1) != 0)
            .filter(|&&line| (line & !stones).count_ones() == 1)
            .fold(0, |cells, &line| cells | (line & !stones))
    }

    #[test]
    fn lines_of_four_are_found_in_all_directions() {
        compare_with_lines::<7, 6>();
        compare_with_lines::<4, 4>();
        compare_with_lines::<8, 7>();
        compare_with_lines::<5, 6>();
    }

    #[test]
    fn a_forced_reply_is_the_only_non_losing_move() {
        // X threatens the fourth cell of column 1.
        let position = Position::<7, 6>::from_moves("12121").unwrap();
        assert_eq!(position.non_losing_moves(), Geometry::<7, 6>::cell(0, 3));
    }

    #[test]
    fn two_forced_replies_leave_no_non_losing_move() {
        // X has three in the first row with both ends open.
        let position = Position::<7, 6>::from_moves("33445").unwrap();
        assert_eq!(position.non_losing_moves(), 0);
    }
}
