//! Lines of four and the cells that complete them.
//!
//! A *threat* of a side is an empty cell that completes four of its stones in
//! a line. Nothing here matches shapes: two threats of one side directly above
//! each other (the "7-shape" trap is one way to get them) are seen as exactly
//! that, whatever stones make them.

use super::word::{Cells, Geometry, Word};

/// The lowest cell (by bit number) of every line of four within `stones`;
/// empty if there is none. A column takes `column_bits` bits.
///
/// Shift-and-AND in the four directions; see D. Herzberg, "Bitboards and
/// Connect Four".
#[inline(always)]
pub(crate) fn lines_of_four<C: Cells>(stones: C, column_bits: u32) -> C {
    let upwards_and_across = along(stones, 1) | along(stones, column_bits);
    upwards_and_across | (along(stones, column_bits - 1) | along(stones, column_bits + 1))
}

/// The first cells of four stones that are `step` bits apart.
#[inline(always)]
pub(crate) fn along<C: Cells>(stones: C, step: u32) -> C {
    let pairs = stones & stones.shr_short(step);
    pairs & pairs.shr_twice(step)
}

/// All cells of the lines of four within `stones`.
pub(crate) fn cells_of_lines<B: Word>(geometry: &Geometry<B>, stones: B) -> B {
    let bits = geometry.column_bits;
    [1, bits - 1, bits, bits + 1].into_iter().fold(B::ZERO, |cells, step| {
        let first = along(stones, step);
        let two = first | first << step;
        cells | two | two << (2 * step)
    })
}

/// Whether `stones` hold four in a line.
#[inline(always)]
pub(crate) fn has_four<B: Word>(geometry: &Geometry<B>, stones: B) -> bool {
    !lines_of_four(stones, geometry.column_bits).is_empty()
}

/// Every cell that completes four of `stones` in a line, full cells and guard
/// bits included: the caller masks with the empty cells.
///
/// Source of the idea: P. Pons, "Solving Connect 4: anticipate direct losing
/// moves".
#[inline(always)]
pub(crate) fn completing_cells<C: Cells>(stones: C, column_bits: u32) -> C {
    // In a column, only the cell on top of three stones completes four.
    let vertical = (stones << 1) & (stones << 2) & (stones << 3);
    (vertical | completing_along(stones, column_bits))
        | (completing_along(stones, column_bits - 1) | completing_along(stones, column_bits + 1))
}

/// The cells that complete four stones `step` bits apart.
#[inline(always)]
fn completing_along<C: Cells>(stones: C, step: u32) -> C {
    // One step at a time: a shift by three steps can be 64 bits or more.
    let after = stones.shl_short(step);
    let before = stones.shr_short(step);
    let second_after = after.shl_short(step);
    let second_before = before.shr_short(step);
    (after & second_after & (second_after.shl_short(step) | before))
        | (before & second_before & (second_before.shr_short(step) | after))
}

/// The empty cells that complete four of `stones`.
#[inline(always)]
pub fn winning_cells<B: Word>(geometry: &Geometry<B>, stones: B, mask: B) -> B {
    completing_cells(stones, geometry.column_bits) & geometry.board & !mask
}

/// The moves after which the opponent, whose winning cells are `opponent_wins`, has no winning
/// move. A forced reply is the only such move, and with two forced replies there is none. No move
/// below a winning cell of the opponent is one.
///
/// `possible` are the playable cells. The side to move must not be able to win at once: winning
/// moves may be left out.
#[inline(always)]
pub fn non_losing_moves<B: Word>(possible: B, opponent_wins: B) -> B {
    let forced = possible & opponent_wins;
    let candidates = if forced.is_empty() {
        possible
    } else if forced.without_lowest().is_empty() {
        forced
    } else {
        B::ZERO
    };
    candidates & !(opponent_wins >> 1)
}

/// The lower cell of every pair of cells directly above each other: with a
/// side's winning cells, its stacked threats.
#[inline(always)]
pub fn stacked<B: Word>(threats: B) -> B {
    threats & (threats >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Size};
    use crate::splitmix::SplitMix;

    /// Every line of four, cell by cell, as a reference for the bit tricks.
    fn lines(size: Size) -> Vec<u128> {
        let width = size.width() as isize;
        let height = size.height() as isize;
        let mut lines = Vec::new();
        for column in 0..width {
            for row in 0..height {
                for (dc, dr) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let cells: Vec<_> = (0..4).map(|i| (column + i * dc, row + i * dr)).collect();
                    if cells
                        .iter()
                        .all(|&(c, r)| (0..width).contains(&c) && (0..height).contains(&r))
                    {
                        lines.push(
                            cells
                                .iter()
                                .map(|&(c, r)| u128::geometry(size).cell(c as usize, r as usize))
                                .sum(),
                        );
                    }
                }
            }
        }
        lines
    }

    fn compare_with_lines<B: Word>(size: Size) {
        let geometry = B::geometry(size);
        let lines: Vec<B> = lines(size).into_iter().map(B::truncate).collect();
        let mut random = SplitMix(1);
        for _ in 0..1_000 {
            let mut word = || u128::from(random.draw()) << 64 | u128::from(random.draw());
            let stones = B::truncate(word() & word()) & geometry.board;
            let four = lines.iter().any(|&line| (line & !stones).is_empty());
            assert_eq!(has_four(geometry, stones), four);
            let mut wins = B::ZERO;
            let mut vertical = B::ZERO;
            for &line in &lines {
                let missing = line & !stones;
                if missing.count_ones() == 1 {
                    wins |= missing;
                    // A vertical line is completed on top only, which gravity makes sure of.
                    if !(line & (line >> 1)).is_empty() {
                        vertical |= missing;
                    }
                }
            }
            let found = winning_cells(geometry, stones, stones);
            assert_eq!(found & !vertical, wins & !vertical, "{size}");
            assert!((found & !wins).is_empty(), "{size}");
        }
    }

    #[test]
    fn lines_of_four_are_found_in_all_directions_on_every_board() {
        for size in Size::all() {
            compare_with_lines::<u128>(size);
            if size.bits() <= 64 {
                compare_with_lines::<u64>(size);
            }
        }
    }

    #[test]
    fn a_forced_reply_is_the_only_non_losing_move() {
        // X threatens the fourth cell of column 1.
        let position = Position::from_moves("12121").unwrap();
        assert_eq!(position.0.non_losing_moves(), u128::geometry(Size::STANDARD).cell(0, 3));
    }

    #[test]
    fn two_forced_replies_leave_no_non_losing_move() {
        // X has three in the first row with both ends open.
        let position = Position::from_moves("33445").unwrap();
        assert_eq!(position.0.non_losing_moves(), 0);
    }
}
