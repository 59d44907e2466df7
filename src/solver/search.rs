//! The search: null-window negamax over positions in which neither side can
//! win with the next stone.

use super::bounds::Boards;
use super::cpu::Build;
use super::lanes::Lanes;
use super::limits::{Limits, Stopped};
use super::table::{Hash, Table};
use super::tables::Tables;
use crate::board::threats::{completing_cells, non_losing_moves, winning_cells};
use crate::board::{Geometry, Position};

/// Nodes between two looks at the clock and the cancel flag.
const NODES_BETWEEN_CHECKS: u64 = 1 << 12;

/// A position to search, with what its parent has already worked out.
///
/// The side to move has no win at once, and at least one move after which the
/// opponent has none either.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Stones of the side to move.
    position: u64,
    /// Stones of both sides.
    mask: u64,
    /// Empty cells with which the opponent completes four.
    opponent_wins: u64,
    /// The [non-losing moves](non_losing_moves); not empty.
    moves: u64,
}

impl Node {
    /// The node for a position in which the side to move has no win at once;
    /// `None` if every move lets the opponent win.
    pub(super) fn new<const W: usize, const H: usize>(position: Position<W, H>) -> Option<Node> {
        debug_assert!(position.score_by_rules().is_none());
        let moves = position.non_losing_moves();
        (moves != 0).then(|| Node {
            position: position.position(),
            mask: position.mask(),
            opponent_wins: position.opponent_winning_cells(),
            moves,
        })
    }

    /// The move of each column, one a lane; empty where there is none.
    #[inline(always)]
    fn moves_by_column<L: Lanes, const W: usize, const H: usize>(&self) -> L {
        L::splat(self.moves) & L::load(&const { columns::<W, H>() })
    }
}

/// What a search shares between its nodes.
#[derive(Debug)]
pub(super) struct Search<'a> {
    tables: Tables<'a>,
    pub(super) limits: &'a Limits,
    pub(super) nodes: u64,
    pub(super) next_check: u64,
    pub(super) stopped: Option<Stopped>,
}

impl<'a> Search<'a> {
    pub(super) fn new(tables: Tables<'a>, limits: &'a Limits) -> Self {
        Search { tables, limits, nodes: 0, next_check: 0, stopped: None }
    }

    /// Counts a node; whether the search has to stop.
    #[inline(always)]
    fn enter(&mut self) -> bool {
        if self.nodes >= self.next_check {
            self.check();
            if self.stopped.is_some() {
                return true;
            }
        }
        self.nodes += 1;
        false
    }

    #[cold]
    fn check(&mut self) {
        self.stopped = self.limits.reached(self.nodes);
        let budget = self.limits.max_nodes.unwrap_or(u64::MAX);
        self.next_check = budget.min(self.nodes + NODES_BETWEEN_CHECKS);
    }
}

/// How the plies of a board are treated.
struct Plies<const W: usize, const H: usize>;

impl<const W: usize, const H: usize> Plies<W, H> {
    /// Up to this ply, mirror images share an entry; later they seldom meet.
    const MIRRORED: u32 = Geometry::<W, H>::CELLS.saturating_sub(24);

    /// The score of the mover at `ply` if he wins with his stone after `later` others of his.
    #[inline(always)]
    const fn mover_wins(ply: u32, later: u32) -> i32 {
        Self::score_of_stone(ply + 1 + 2 * later)
    }

    /// The same if the opponent wins with his stone after `later` others.
    #[inline(always)]
    const fn opponent_wins(ply: u32, later: u32) -> i32 {
        -Self::score_of_stone(ply + 2 + 2 * later)
    }

    /// [`winning_score`](crate::board::winning_score), and 0 for stones past a full board.
    #[inline(always)]
    const fn score_of_stone(stone: u32) -> i32 {
        (Geometry::<W, H>::CELLS as i32 + 2 - stone as i32) / 2
    }
}

/// Whether the score of `node` is at least `beta`: the result is at least
/// `beta` and a lower bound of the score, or less and an upper bound.
///
/// If the search is stopped, the result means nothing.
#[inline(always)]
pub(super) fn null_window<B: Build, const W: usize, const H: usize>(
    search: &mut Search<'_>,
    mut node: Node,
    mut ply: u32,
    mut beta: i32,
) -> i32 {
    // Replies without a choice are played here, without table or recursion.
    let mut negated = false;

    loop {
        // No win sooner than with the mover's next but one stone, no loss sooner
        // than with the opponent's. With two cells left both are 0.
        let most = Plies::<W, H>::mover_wins(ply, 1);
        if most < beta {
            return from_mover(most, negated);
        }
        let least = Plies::<W, H>::opponent_wins(ply, 1);
        if least >= beta {
            return from_mover(least, negated);
        }
        if node.moves & (node.moves - 1) != 0 {
            break;
        }
        let opponent = node.position ^ node.mask;
        let position = node.position | node.moves;
        let mask = node.mask | node.moves;
        let wins = winning_cells::<W, H>(position, mask);
        let possible = (mask + Geometry::<W, H>::BOTTOM) & Geometry::<W, H>::BOARD;
        let moves = non_losing_moves(possible, wins);
        if moves == 0 {
            return from_mover(most, negated);
        }
        node = Node { position: opponent, mask, opponent_wins: wins, moves };
        negated = !negated;
        ply += 1;
        beta = 1 - beta;
    }
    if search.enter() {
        return 0;
    }
    from_mover(expand::<B, W, H>(search, node, ply, beta), negated)
}

/// A score of the side to move as one of the side that moved an odd number of
/// plies before, if `negated`.
#[inline(always)]
fn from_mover(score: i32, negated: bool) -> i32 {
    if negated { -score } else { score }
}

/// The same for a node with a choice of moves, and `beta` within reach.
#[inline(always)]
fn expand<B: Build, const W: usize, const H: usize>(
    search: &mut Search<'_>,
    node: Node,
    ply: u32,
    beta: i32,
) -> i32 {
    let table = search.tables.of_ply::<W, H>(ply);
    let hash = hash::<W, H>(node.position, node.mask, ply);
    let mut known = table.probe(hash);
    if let Some(score) = known.decide(beta) {
        return score;
    }

    // Memory is slow: asked for the children's entries first, it answers while their
    // threats are found.
    let child_table = search.tables.of_ply::<W, H>(ply + 1);
    let moves = node.moves_by_column::<B::Lanes, W, H>();
    let hashes = child_hashes::<B::Lanes, W, H>(&node, moves, ply + 1);
    prefetch::<W>(child_table, &hashes);

    let children = Children::<B::Lanes>::of::<W, H>(&node, moves);
    if children.lost != 0 {
        return Plies::<W, H>::mover_wins(ply, 1);
    }
    if beta == Plies::<W, H>::mover_wins(ply, 1) {
        return beta - 1;
    }

    let mut left = children.legal;
    let mut best = Plies::<W, H>::opponent_wins(ply, 1);
    if B::FOLLOW_UP_BOUNDS && Boards::<B::Lanes>::hold_on_height(H) {
        let Some(dropped) = children.too_weak::<W, H>(&node, ply, beta) else {
            // Kept, cheap as it was: a parent finds it without looking here.
            known.learn(beta.max(0), beta);
            table.store(hash, known, 0);
            return known.lower;
        };
        if dropped & left != 0 {
            left &= !dropped;
            best = beta - 1;
            if left == 0 {
                return best;
            }
        }
    }

    let mut queue = children.order::<W, H>(&node, ply, left);
    let nodes_before = search.nodes;
    if left & (left - 1) != 0
        && let Some(score) = known_to_reach(beta, child_table, &hashes, left)
    {
        return score;
    }
    while let Some(lane) = queue.next() {
        let child = children.child(&node, lane);
        let score = -B::null_window::<W, H>(search, child, ply + 1, 1 - beta);
        if search.stopped.is_some() {
            return 0;
        }
        best = best.max(score);
        if best >= beta {
            break;
        }
    }
    known.learn(best, beta);
    table.store(hash, known, search.nodes - nodes_before);
    best
}

/// Starts fetching the entries of all children.
#[inline(always)]
fn prefetch<const W: usize>(table: &Table, hashes: &[Hash; 8]) {
    // Columns without a move as well, which all lead to one place: their number cannot be
    // foreseen, and a loop with an unforeseen end costs more than a fetch.
    let mut lane = 0;
    while lane < W {
        table.prefetch(hashes[lane]);
        lane += 1;
    }
}

/// The score of a child in `lanes` that the table knows to reach `beta` for the
/// side that moves there, if there is one.
#[inline(always)]
fn known_to_reach(beta: i32, table: &Table, hashes: &[Hash; 8], mut lanes: u8) -> Option<i32> {
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize & 7;
        lanes &= lanes - 1;
        let child = table.probe(hashes[lane]);
        if -child.upper >= beta {
            return Some(-child.upper);
        }
    }
    None
}

/// The keys of the mirror images.
#[inline(always)]
fn mirrored<L: Lanes, const W: usize, const H: usize>(keys: L) -> L {
    let column_mask = L::splat((1 << Geometry::<W, H>::COLUMN_BITS) - 1);
    let mut mirrored = L::splat(0);
    let mut column = 0;
    while column < W {
        let bits = (keys >> (column * Geometry::<W, H>::COLUMN_BITS)) & column_mask;
        mirrored = mirrored | bits << ((W - 1 - column) * Geometry::<W, H>::COLUMN_BITS);
        column += 1;
    }
    mirrored
}

/// The table place of a position.
#[inline(always)]
fn hash<const W: usize, const H: usize>(position: u64, mask: u64, ply: u32) -> Hash {
    let position = Position::<W, H>::from_bitboards_unchecked(position, mask);
    let key =
        if ply <= Plies::<W, H>::MIRRORED { position.canonical_key() } else { position.key() };
    Hash::of(key)
}

/// The table places of a node's children, one column a lane; where there is no
/// move, all are the same and mean nothing.
#[inline(always)]
fn child_hashes<L: Lanes, const W: usize, const H: usize>(
    node: &Node,
    moves: L,
    ply: u32,
) -> [Hash; 8] {
    let bottom = L::splat(Geometry::<W, H>::BOTTOM);
    let masks = L::splat(node.mask) | moves;
    let keys = L::splat(node.position ^ node.mask).add(masks).add(bottom);
    let mut smaller = keys.store();
    if ply <= Plies::<W, H>::MIRRORED {
        let mirrored = mirrored::<L, W, H>(keys).store();
        for lane in 0..W {
            smaller[lane] = smaller[lane].min(mirrored[lane]);
        }
    }
    smaller.map(Hash::of)
}

/// What is known of all children of a node, one column a lane.
struct Children<L> {
    /// The lanes whose move is one of the node's.
    legal: u8,
    /// Those whose opponent then has no move that does not lose.
    lost: u8,
    position: L,
    empty: L,
    playable: L,
    winning: L,
    /// The mover's winning cells after each move.
    wins: [u64; 8],
    /// The opponent's non-losing moves after each move.
    replies: [u64; 8],
    masks: [u64; 8],
}

impl<L: Lanes> Children<L> {
    #[inline(always)]
    fn of<const W: usize, const H: usize>(node: &Node, moves: L) -> Self {
        let board = L::splat(Geometry::<W, H>::BOARD);
        let legal = !moves.empty_lanes();
        let position = L::splat(node.position) | moves;
        let mask = L::splat(node.mask) | moves;
        let empty = board.without(mask);
        let winning = completing_cells::<L, W, H>(position) & empty;
        let playable = mask.add(L::splat(Geometry::<W, H>::BOTTOM)) & board;
        let forced = playable & winning;
        let twice = forced & forced.sub(L::splat(1));
        let candidates = (forced | (playable & forced.where_empty())) & twice.where_empty();
        let replies = candidates.without(winning >> 1);
        Children {
            legal,
            lost: replies.empty_lanes() & legal,
            position,
            empty,
            playable,
            winning,
            wins: winning.store(),
            replies: replies.store(),
            masks: mask.store(),
        }
    }

    /// The children as the bounds want them.
    #[inline(always)]
    fn boards<const W: usize, const H: usize>(&self, node: &Node, ply: u32) -> Boards<L> {
        let opponent = L::splat(node.position ^ node.mask);
        let opponent_wins = L::splat(node.opponent_wins) & self.empty;
        let first_moved = ply.is_multiple_of(2);
        let (first, second, first_wins, second_wins) = if first_moved {
            (self.position, opponent, self.winning, opponent_wins)
        } else {
            (opponent, self.position, opponent_wins, self.winning)
        };
        Boards {
            first,
            second,
            first_wins,
            second_wins,
            empty: self.empty,
            playable: self.playable,
            first_to_move: !first_moved,
        }
    }

    /// The lanes that the [bounds](super::bounds) prove to score less than `beta`
    /// for the mover; `None` if they prove that one of them reaches it.
    #[inline(always)]
    fn too_weak<const W: usize, const H: usize>(
        &self,
        node: &Node,
        ply: u32,
        beta: i32,
    ) -> Option<u8> {
        let boards = self.boards::<W, H>(node, ply);
        if ply.is_multiple_of(2) {
            if boards.first_holds::<W, H>(beta) & self.legal != 0 {
                return None;
            }
            Some(boards.second_holds::<W, H>(1 - beta))
        } else {
            if boards.second_holds::<W, H>(beta) & self.legal != 0 {
                return None;
            }
            Some(boards.first_holds::<W, H>(1 - beta))
        }
    }

    /// The node after the move of a lane, which is none of the lost ones.
    #[inline(always)]
    fn child(&self, node: &Node, lane: usize) -> Node {
        Node {
            position: node.position ^ node.mask,
            mask: self.masks[lane],
            opponent_wins: self.wins[lane],
            moves: self.replies[lane],
        }
    }

    /// The lanes of `left`, the most promising first: those with most winning
    /// cells that the opponent cannot make worthless by playing below them, cells
    /// in the rows that the mover gets in the end counting more.
    #[inline(always)]
    fn order<const W: usize, const H: usize>(&self, node: &Node, ply: u32, left: u8) -> Queue {
        let good_rows = if ply.is_multiple_of(2) {
            Geometry::<W, H>::EVEN_ROWS
        } else {
            Geometry::<W, H>::ODD_ROWS
        };
        let blocked = node.opponent_wins << 1;
        let mut queue = Queue([0; 8]);
        // No branch: how many are left cannot be foreseen.
        let mut lane = 0;
        while lane < W {
            let wins = self.wins[lane] & !blocked;
            let value = 2 * wins.count_ones() + (wins & good_rows).count_ones();
            let centrality = const { centrality::<W>() }[lane];
            let place = value << 8 | u32::from(centrality) << 4 | 8 | (7 - lane) as u32;
            queue.0[lane] = place & 0_u32.wrapping_sub(u32::from(left >> lane & 1));
            lane += 1;
        }
        queue
    }
}

/// Lanes still to be searched: the value of each, with its number in the
/// lowest three bits; 0 for those that are not.
struct Queue([u32; 8]);

impl Queue {
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let q = &self.0;
        let best = (q[0].max(q[1])).max(q[2].max(q[3])).max((q[4].max(q[5])).max(q[6].max(q[7])));
        let lane = 7 - (best & 7) as usize;
        self.0[lane] = 0;
        (best != 0).then_some(lane)
    }
}

/// The cells of each column; lanes past the last column are empty.
const fn columns<const W: usize, const H: usize>() -> [u64; 8] {
    let mut columns = [0; 8];
    let mut column = 0;
    while column < W {
        columns[column] = Geometry::<W, H>::column(column);
        column += 1;
    }
    columns
}

/// The centre column has the highest number.
const fn centrality<const W: usize>() -> [u8; 8] {
    let mut centrality = [0; 8];
    let mut i = 0;
    while i < W {
        centrality[i] = (if 2 * i < W { i } else { W - 1 - i }) as u8;
        i += 1;
    }
    centrality
}
