//! The order of moves: the most promising first.
//!
//! A null window ends with the first move that reaches it, so the cost of a search depends on how
//! often the first move searched reaches it. Each move has a value, a weighted sum of signs that it
//! is good; the weights are data, [`MoveOrder`](super::weights::MoveOrder).

use super::constants::Constants;
use super::node::{Children, Node};
use crate::board::threats::along;
use crate::board::{Geometry, Word};
use crate::simd::{Lanes, rounds};

/// Makes any sum of weights a positive number.
const OFFSET: i32 = 1 << 20;

/// Lanes still to be searched: the value of each, with its number in the lowest four bits;
/// 0 for lanes already searched.
pub(super) struct Queue<const N: usize>([u32; N]);

impl<const N: usize> Queue<N> {
    /// The lanes of `left` with the values of their moves.
    #[cfg_attr(not(unoptimised), inline(always))]
    pub(super) fn of<L: Lanes<B, N>, B: Word>(
        board: &Constants<B>,
        node: &Node<B>,
        children: &Children<L, B, N>,
        moves: L,
        ply: u32,
        left: u32,
    ) -> Self {
        let geometry = &board.geometry;
        let weights =
            if ply < board.late_order_from { &board.order.early } else { &board.order.late };
        let threats = children.winning.without(L::splat(node.opponent_wins << 1));
        let next = threats & (children.playable << 1);
        let later = threats & (children.playable << 2);
        let lines = Lines::of(geometry, node);
        let (second, taken) = lines.through(geometry, moves);
        let threats = threats.store();
        let next = next.store();
        let later = later.store();
        let second = second.store();
        let taken = taken.store();
        let mut queue = Queue([0; N]);
        // Without a branch: the number of moves left is hard to predict.
        for lane in 0..rounds(board.ordered_lanes).min(N) {
            let count = |cells: B, weight: i32| cells.count_ones() as i32 * weight;
            let value = count(threats[lane], weights.threat)
                + count(next[lane], weights.next_threat)
                + count(later[lane], weights.later_threat)
                + count(children.nodes.replies[lane], weights.reply)
                + count(second[lane], weights.second_in_line)
                + count(taken[lane], weights.line_taken)
                + i32::from(board.centrality[lane]) * weights.centrality;
            let place = ((OFFSET + value) as u32) << 4 | (15 - lane) as u32;
            queue.0[lane] = place & 0_u32.wrapping_sub(left >> lane & 1);
        }
        queue
    }

    /// No lanes.
    pub(super) fn empty() -> Self {
        Queue([0; N])
    }

    /// Puts a lane in with its value.
    pub(super) fn put(&mut self, lane: usize, value: u32) {
        self.0[lane] = value;
    }

    /// Takes the most promising lane that is left.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<usize> {
        self.next_with_value().map(|(lane, _)| lane)
    }

    /// Takes the most promising lane that is left, with its value.
    #[inline(always)]
    pub(super) fn next_with_value(&mut self) -> Option<(usize, u32)> {
        // Pairs first, so that few comparisons wait for one another.
        let mut best = self.0;
        let mut left = N / 2;
        while left > 0 {
            for lane in 0..left {
                best[lane] = best[lane].max(best[lane + left]);
            }
            left /= 2;
        }
        let lane = 15 - (best[0] & 15) as usize;
        self.0[lane % N] = 0;
        (best[0] != 0).then_some((lane % N, best[0]))
    }
}

/// Lines of four in three directions, each by its lowest cell, shifted so that the lines
/// through one cell have different bits in all directions: up to four lines in each, which
/// are a column's bits apart, one more or one less.
struct Lines<B> {
    /// Lines with one stone of the mover and none of the opponent.
    with_one: [B; 3],
    /// Lines without a stone of the mover.
    free_of_mover: [B; 3],
}

/// For each direction, the distance of neighbours in a line, less the bits of a column, and the
/// shift of the lines. The twelve bits `shift - k * step` for k from 0 to 3 differ for columns
/// of five bits or more.
const DIRECTIONS: [(i32, u32); 3] = [(0, 0), (1, 4), (-1, 1)];

impl<B: Word> Lines<B> {
    #[inline(always)]
    fn of(geometry: &Geometry<B>, node: &Node<B>) -> Self {
        let mover = node.mover;
        let for_mover = geometry.board & (!node.mask | mover);
        let for_opponent = geometry.board & !mover;
        let mut lines = Lines { with_one: [B::ZERO; 3], free_of_mover: [B::ZERO; 3] };
        let mut direction = 0;
        while direction < 3 {
            let (more, shift) = DIRECTIONS[direction];
            let step = geometry.column_bits.wrapping_add_signed(more);
            let next = mover.shr_short(step);
            let either = mover | next;
            let both = mover & next;
            let one = either | either.shr_twice(step);
            let two = both | both.shr_twice(step) | (either & either.shr_twice(step));
            lines.with_one[direction] = (along(for_mover, step) & one & !two).shl_short(shift);
            lines.free_of_mover[direction] = along(for_opponent, step).shl_short(shift);
            direction += 1;
        }
        lines
    }

    /// The lines of both kinds through the cell in each lane, each a bit.
    #[inline(always)]
    fn through<L: Lanes<B, N>, const N: usize>(&self, geometry: &Geometry<B>, cells: L) -> (L, L) {
        let none = L::splat(B::ZERO);
        let mut with_one = none;
        let mut free_of_mover = none;
        let mut direction = 0;
        while direction < 3 {
            let (more, shift) = DIRECTIONS[direction];
            let step = geometry.column_bits.wrapping_add_signed(more);
            let pair = cells | cells.shr_short(step);
            let through = (pair | pair.shr_twice(step)).shl_short(shift);
            with_one = with_one | (through & L::splat(self.with_one[direction]));
            free_of_mover = free_of_mover | (through & L::splat(self.free_of_mover[direction]));
            direction += 1;
        }
        (with_one, free_of_mover)
    }
}
