//! The search: null-window negamax over positions in which neither side can
//! win with the next stone.

use super::board::Board;
use super::bounds::Boards;
use super::children::Children;
use super::keys::{child_places, place};
use super::lanes::Lanes;
use super::limits::{Limits, Stopped};
use super::node::Node;
use super::order::Queue;
use super::table::{Levels, SearchWord, Table};
use crate::board::threats::{non_losing_moves, winning_cells};

/// Nodes between two looks at the clock and the cancel flag.
const NODES_BETWEEN_CHECKS: u64 = 1 << 12;

/// A build of the search: for some instructions, boards in words `B`, and up to `N` columns.
pub(super) trait Build<B: SearchWord, const N: usize>: Copy {
    /// How it holds the boards of all moves.
    type Lanes: Lanes<B, N>;

    /// Whether the search uses [`bounds`](super::bounds); off only to test them.
    const FOLLOW_UP_BOUNDS: bool = true;

    /// What there is to know of the board; a constant where the build is for one board.
    #[inline(always)]
    fn board<'a>(search: &'a Search<'_, B>) -> &'a Board<B> {
        &search.board
    }

    /// [`null_window`], built with these instructions.
    fn null_window(search: &mut Search<'_, B>, node: Node<B>, ply: u32, beta: i32) -> i32;
}

/// What a search shares between its nodes.
#[derive(Debug)]
pub(super) struct Search<'a, B: SearchWord> {
    tables: Levels<'a, B>,
    board: Board<B>,
    limits: &'a Limits,
    pub(super) nodes: u64,
    next_check: u64,
    pub(super) stopped: Option<Stopped>,
}

impl<'a, B: SearchWord> Search<'a, B> {
    pub(super) fn new(board: Board<B>, tables: Levels<'a, B>, limits: &'a Limits) -> Self {
        Search { tables, board, limits, nodes: 0, next_check: 0, stopped: None }
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

/// Whether the score of `node` is at least `beta`: the result is at least
/// `beta` and a lower bound of the score, or less and an upper bound.
///
/// If the search is stopped, the result means nothing.
#[inline(always)]
pub(super) fn null_window<I: Build<B, N>, B: SearchWord, const N: usize>(
    search: &mut Search<'_, B>,
    mut node: Node<B>,
    mut ply: u32,
    mut beta: i32,
) -> i32 {
    // Replies without a choice are played here, without table or recursion.
    let mut negated = false;

    loop {
        let board = I::board(search);
        // No win sooner than with the mover's next but one stone, no loss sooner
        // than with the opponent's. With two cells left both are 0.
        let most = board.mover_wins(ply, 1);
        if most < beta {
            return from_mover(most, negated);
        }
        let least = board.opponent_wins(ply, 1);
        if least >= beta {
            return from_mover(least, negated);
        }
        if !node.moves.without_lowest().is_empty() {
            break;
        }
        let opponent = node.mover ^ node.mask;
        let mover = node.mover | node.moves;
        let mask = node.mask | node.moves;
        let geometry = &board.geometry;
        let wins = winning_cells(geometry, mover, mask);
        let possible = mask.wrapping_add(geometry.bottom) & geometry.board;
        let moves = non_losing_moves(possible, wins);
        if moves.is_empty() {
            return from_mover(most, negated);
        }
        node = Node { mover: opponent, mask, opponent_wins: wins, moves };
        negated = !negated;
        ply += 1;
        beta = 1 - beta;
    }
    if search.enter() {
        return 0;
    }
    from_mover(expand::<I, B, N>(search, node, ply, beta), negated)
}

/// A score of the side to move as one of the side that moved an odd number of
/// plies before, if `negated`.
#[inline(always)]
fn from_mover(score: i32, negated: bool) -> i32 {
    if negated { -score } else { score }
}

/// The same for a node with a choice of moves, and `beta` within reach.
#[inline(always)]
fn expand<I: Build<B, N>, B: SearchWord, const N: usize>(
    search: &mut Search<'_, B>,
    node: Node<B>,
    ply: u32,
    beta: i32,
) -> i32 {
    let board = I::board(search);
    let table = search.tables.of_ply(ply);
    let place = place(board, node.mover, node.mask, ply);
    let mut known = table.probe(place);
    if let Some(score) = known.decide(beta) {
        return score;
    }

    // Memory is slow: asked for the children's entries first, it answers while their
    // threats are found.
    let child_table = search.tables.of_ply(ply + 1);
    let moves = I::Lanes::splat(node.moves) & I::Lanes::load(board.columns());
    let places = child_places::<I::Lanes, B, N>(board, &node, moves, ply + 1);
    prefetch(board.geometry.width(), child_table, &places);

    let children = Children::<I::Lanes, B, N>::of(&board.geometry, &node, moves);
    if children.lost != 0 {
        return board.mover_wins(ply, 1);
    }
    if beta == board.mover_wins(ply, 1) {
        return beta - 1;
    }

    let mut left = children.legal;
    let mut best = board.opponent_wins(ply, 1);
    if I::FOLLOW_UP_BOUNDS && Boards::<I::Lanes>::hold_on(&board.geometry) {
        let Some(dropped) = children.too_weak(&board.geometry, &node, ply, beta) else {
            // Kept, cheap as it was: a parent finds it without looking here.
            known.learn(beta.max(0), beta);
            table.store(place, known, 0);
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

    let mut queue = Queue::of(board, &node, &children, moves, ply, left);
    let nodes_before = search.nodes;
    if left & (left - 1) != 0
        && let Some(score) = known_to_reach(beta, child_table, &places, left)
    {
        return score;
    }
    while let Some(lane) = queue.next() {
        let child = children.child(&node, lane);
        let score = -I::null_window(search, child, ply + 1, 1 - beta);
        if search.stopped.is_some() {
            return 0;
        }
        best = best.max(score);
        if best >= beta {
            break;
        }
    }
    known.learn(best, beta);
    table.store(place, known, search.nodes - nodes_before);
    best
}

/// Starts fetching the entries of all children.
#[inline(always)]
fn prefetch<B, T: Table<B>, const N: usize>(width: usize, table: &T, places: &[T::Place; N]) {
    // Columns without a move as well, which all lead to one place: their number cannot be
    // foreseen, and a loop with an unforeseen end costs more than a fetch.
    for &place in &places[..width.min(N)] {
        table.prefetch(place);
    }
}

/// The score of a child in `lanes` that the table knows to reach `beta` for the
/// side that moves there, if there is one.
#[inline(always)]
fn known_to_reach<B, T: Table<B>, const N: usize>(
    beta: i32,
    table: &T,
    places: &[T::Place; N],
    mut lanes: u32,
) -> Option<i32> {
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % N;
        lanes &= lanes - 1;
        let child = table.probe(places[lane]);
        if -child.upper >= beta {
            return Some(-child.upper);
        }
    }
    None
}
