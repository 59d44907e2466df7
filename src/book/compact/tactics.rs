//! Scores that forced moves alone give away, on 7x6.

use fourbook_solver::board::threats::{non_losing_moves, winning_cells};
use fourbook_solver::board::{Geometry, Score, Word, winning_score};
use fourbook_solver::simd::{Lanes, LanesOf, Simd};

const STANDARD: Geometry<u64> = u64::STANDARD;

/// The result of following forced moves.
pub enum Tactics {
    /// The score for the side to move in the position that was asked about.
    Known(Score),
    /// A position with the same score for the first player, in which the side to move has
    /// a choice.
    Quiet(Quiet),
}

/// A position in which several moves do not lose at once.
pub struct Quiet {
    /// The first player's stones.
    pub(super) first: u64,
    pub(super) mask: u64,
    /// Moves after which the opponent does not win at once.
    pub(super) safe: u64,
    /// Moves, safe as well, that threaten to win with the next stone.
    pub(super) threats: u64,
}

/// Stones in a row that are forced and played out; few positions have more.
const MOST_FORCED: u32 = 8;

/// Follows forced moves from a position in which the side to move does not win at once,
/// and then looks for a win with its second or third stone, the latter by a threat.
#[inline(always)]
pub(super) fn resolve<S: Simd>(mover: u64, mask: u64) -> Tactics {
    let mut mover = mover;
    let mut mask = mask;
    let stones = mask.count_ones();
    // The score if the side that moves `later` stones from now makes four with that stone.
    let score = |later: u32| {
        let score = winning_score(STANDARD.size.cells(), stones + later + 1);
        if later.is_multiple_of(2) { score } else { -score }
    };
    let mut forced = 0;
    let safe = loop {
        let safe = safe_moves(mover, mask);
        if safe == 0 && mask != STANDARD.board {
            return Tactics::Known(score(forced + 1));
        }
        if safe & safe.wrapping_sub(1) != 0 || safe == 0 || forced == MOST_FORCED {
            break safe;
        }
        // The side that moved is the other one.
        mover ^= mask;
        mask |= safe;
        forced += 1;
    };
    let found = attack::<S>(mover, mask, safe);
    if found.wins {
        return Tactics::Known(score(forced + 2));
    }
    for (cell, reply) in found.moves() {
        let own = mover | cell;
        let mask = mask | cell | reply;
        if attack::<S>(own, mask, safe_moves(own, mask)).wins {
            return Tactics::Known(score(forced + 4));
        }
    }
    let first = if (stones + forced).is_multiple_of(2) { mover } else { mover ^ mask };
    Tactics::Quiet(Quiet { first, mask, safe, threats: found.threats })
}

/// The moves after which the opponent does not win at once.
#[inline(always)]
fn safe_moves(mover: u64, mask: u64) -> u64 {
    let opponent_wins = winning_cells(&STANDARD, mover ^ mask, mask);
    non_losing_moves((mask + STANDARD.bottom) & STANDARD.board, opponent_wins)
}

/// The effect of the moves of one side.
pub(super) struct Attack {
    /// Moves after which the next stone wins, whatever the opponent does.
    pub(super) wins: bool,
    /// The moves after which the next stone wins unless the opponent blocks.
    threats: u64,
    /// The cells of the replies, by the column of the threat; anything for columns without one.
    replies: [u64; 8],
}

impl Attack {
    /// The threats, each with the cell that the opponent has to take first.
    #[inline(always)]
    pub(super) fn moves(&self) -> impl Iterator<Item = (u64, u64)> {
        let mut left = self.threats;
        std::iter::from_fn(move || {
            let cell = left & left.wrapping_neg();
            left ^= cell;
            (cell != 0).then(|| (cell, self.replies[column_of(cell)]))
        })
    }
}

/// The column of a cell.
#[inline(always)]
fn column_of(cell: u64) -> usize {
    (cell.trailing_zeros() / STANDARD.column_bits) as usize % 8
}

/// Returns the effect of `moves`, which must be safe. If one of them wins, the threats mean
/// nothing.
#[inline(always)]
pub(super) fn attack<S: Simd>(mover: u64, mask: u64, moves: u64) -> Attack {
    if S::WIDE {
        attack_at_once::<<S as LanesOf<u64, 8>>::Lanes>(mover, mask, moves)
    } else {
        attack_one_by_one(mover, mask, moves)
    }
}

#[inline(always)]
fn attack_one_by_one(mover: u64, mask: u64, moves: u64) -> Attack {
    let mut attack = Attack { wins: false, threats: 0, replies: [0; 8] };
    let wins = winning_cells(&STANDARD, mover, mask);
    let possible = (mask + STANDARD.bottom) & STANDARD.board;
    // The other moves make no threat. They win only by leaving the opponent nothing but moves below
    // the side's winning cells.
    let others = possible & !(wins >> 1);
    let is_crowded = others & others.wrapping_sub(1) == 0;
    let mut left = if is_crowded { moves } else { moves & promising(mover, mask, wins) };
    while left != 0 {
        let cell = left & left.wrapping_neg();
        left ^= cell;
        let mask = mask | cell;
        let possible = (mask + STANDARD.bottom) & STANDARD.board;
        let wins = winning_cells(&STANDARD, mover | cell, mask);
        if possible != 0 && non_losing_moves(possible, wins) == 0 {
            attack.wins = true;
            break;
        }
        attack.replies[column_of(cell)] = wins & possible;
        attack.threats |= if wins & possible != 0 { cell } else { 0 };
    }
    attack
}

/// The cells of each column, and of none.
static COLUMNS: [u64; 8] = {
    let mut columns = [0; 8];
    let mut column = 0;
    while column < 7 {
        columns[column] = 0x3f << (STANDARD.column_bits as usize * column);
        column += 1;
    }
    columns
};

/// The same as [`attack_one_by_one`], with all moves at once.
#[inline(always)]
fn attack_at_once<L: Lanes<u64, 8>>(mover: u64, mask: u64, moves: u64) -> Attack {
    let cells = L::splat(moves) & L::load(&COLUMNS);
    let own = L::splat(mover) | cells;
    let mask = L::splat(mask) | cells;
    let possible = mask.add(L::splat(STANDARD.bottom)) & L::splat(STANDARD.board);
    let wins = own.completing_cells(STANDARD.column_bits) & L::splat(STANDARD.board);
    let wins = wins.without(mask);
    let forced = possible & wins;
    let several = forced & forced.sub(L::splat(1));
    // Replies as `Position::non_losing_moves` finds them.
    let replies = (possible & (forced | forced.where_empty())).without(wins >> 1);
    let is_move = !cells.empty_lanes();
    let wins = (replies.empty_lanes() | !several.empty_lanes()) & !possible.empty_lanes();
    let is_threat = cells.without(forced.where_empty());
    let threats = is_threat.store().into_iter().fold(0, |all, cell| all | cell);
    Attack { wins: wins & is_move & 0xff != 0, threats, replies: forced.store() }
}

/// Empty cells with which a line of four has three stones of `own` and an empty cell, and the
/// cells below the winning ones.
#[inline(always)]
fn promising(own: u64, mask: u64, wins: u64) -> u64 {
    let free = STANDARD.board & !(own ^ mask);
    let upright = own << 1 & own << 2;
    upright | wins >> 1 | along(own, free, 6) | along(own, free, 7) | along(own, free, 8)
}

/// The cells of lines in one direction that have two stones of `own` and else are empty.
#[inline(always)]
fn along(own: u64, free: u64, step: u32) -> u64 {
    let free_pairs = free & free >> step;
    let pairs = own & own >> step;
    let open = free_pairs & free_pairs >> (2 * step);
    let ones = own ^ own >> step;
    let both = ones & ones >> (2 * step);
    let lines = open & (pairs | pairs >> (2 * step) | both);
    lines | lines << step | lines << (2 * step) | lines << (3 * step)
}
