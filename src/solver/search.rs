//! The search: null-window negamax over positions in which neither side can
//! win with the next stone.

use super::board::{Board, COLUMNS};
use super::bounds::Boards;
use super::lanes::Lanes;
use super::limits::{Limits, Stopped};
use super::table::{Levels, SearchWord, Table};
use crate::board::threats::{completing_cells, non_losing_moves, winning_cells};
use crate::board::{Geometry, Position, Word};

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

/// A position to search, with what its parent has already worked out.
///
/// The side to move has no win at once, and at least one move after which the
/// opponent has none either.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<B> {
    /// Stones of the side to move.
    mover: B,
    /// Stones of both sides.
    mask: B,
    /// Empty cells with which the opponent completes four.
    opponent_wins: B,
    /// The [non-losing moves](non_losing_moves); not empty.
    moves: B,
}

impl<B: Word> Node<B> {
    /// The node for a position in which the side to move has no win at once;
    /// `None` if every move lets the opponent win.
    pub(super) fn new(position: Position<B>) -> Option<Node<B>> {
        debug_assert!(position.score_by_rules().is_none());
        let moves = position.non_losing_moves();
        (!moves.is_empty()).then(|| Node {
            mover: position.mover(),
            mask: position.mask(),
            opponent_wins: position.opponent_winning_cells(),
            moves,
        })
    }
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
    pub(super) fn new(geometry: &Geometry<B>, tables: Levels<'a, B>, limits: &'a Limits) -> Self {
        let board = Board::new(geometry);
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
    let moves = I::Lanes::splat(node.moves) & I::Lanes::load(first(&board.columns));
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

    let mut queue = children.order(board, &node, ply, left);
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

/// The first elements of an array, as many as there are lanes.
#[inline(always)]
fn first<T, const N: usize>(all: &[T; COLUMNS]) -> &[T; N] {
    all.first_chunk().expect("no build has more lanes than a board can have columns")
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

/// The keys of the mirror images.
#[inline(always)]
fn mirrored<L: Lanes<B, N>, B: Word, const N: usize>(geometry: &Geometry<B>, mut keys: L) -> L {
    let column_mask = L::splat(geometry.column_mask());
    let mut mirrored = L::splat(B::ZERO);
    // The first column is shifted out of the way once for every one after it.
    for _ in 1..geometry.width() {
        mirrored = (mirrored | (keys & column_mask)) << geometry.column_bits;
        keys = keys >> geometry.column_bits;
    }
    mirrored | (keys & column_mask)
}

/// The table place of a position.
#[inline(always)]
fn place<B: SearchWord>(
    board: &Board<B>,
    mover: B,
    mask: B,
    ply: u32,
) -> <B::Table as Table<B>>::Place {
    let key = mover.wrapping_add(mask).wrapping_add(board.geometry.bottom);
    B::Table::place(if ply <= board.last_mirrored_ply {
        key.min(board.geometry.mirrored(key))
    } else {
        key
    })
}

/// The table places of a node's children, one column a lane; where there is no
/// move, all are the same and mean nothing.
#[inline(always)]
fn child_places<L: Lanes<B, N>, B: SearchWord, const N: usize>(
    board: &Board<B>,
    node: &Node<B>,
    moves: L,
    ply: u32,
) -> [<B::Table as Table<B>>::Place; N] {
    let bottom = L::splat(board.geometry.bottom);
    let masks = L::splat(node.mask) | moves;
    let keys = L::splat(node.mover ^ node.mask).add(masks).add(bottom);
    let mut smaller = keys.store();
    if ply <= board.last_mirrored_ply {
        let mirrored = mirrored(&board.geometry, keys).store();
        for lane in 0..N {
            smaller[lane] = smaller[lane].min(mirrored[lane]);
        }
    }
    smaller.map(B::Table::place)
}

/// What is known of all children of a node, one column a lane.
struct Children<L, B, const N: usize> {
    /// The lanes whose move is one of the node's.
    legal: u32,
    /// Those whose opponent then has no move that does not lose.
    lost: u32,
    mover: L,
    empty: L,
    playable: L,
    winning: L,
    /// The mover's winning cells after each move.
    wins: [B; N],
    /// The opponent's non-losing moves after each move.
    replies: [B; N],
    masks: [B; N],
}

impl<L: Lanes<B, N>, B: Word, const N: usize> Children<L, B, N> {
    #[inline(always)]
    fn of(geometry: &Geometry<B>, node: &Node<B>, moves: L) -> Self {
        let board = L::splat(geometry.board);
        let legal = !moves.empty_lanes() & ((1 << N) - 1);
        let mover = L::splat(node.mover) | moves;
        let mask = L::splat(node.mask) | moves;
        let empty = board.without(mask);
        let winning = completing_cells(mover, geometry.column_bits) & empty;
        let playable = mask.add(L::splat(geometry.bottom)) & board;
        let forced = playable & winning;
        let twice = forced & forced.sub(L::splat(B::ONE));
        let candidates = (forced | (playable & forced.where_empty())) & twice.where_empty();
        let replies = candidates.without(winning >> 1);
        Children {
            legal,
            lost: replies.empty_lanes() & legal,
            mover,
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
    fn boards(&self, node: &Node<B>, ply: u32) -> Boards<L> {
        let opponent = L::splat(node.mover ^ node.mask);
        let opponent_wins = L::splat(node.opponent_wins) & self.empty;
        let first_moved = ply.is_multiple_of(2);
        let (first, second, first_wins, second_wins) = if first_moved {
            (self.mover, opponent, self.winning, opponent_wins)
        } else {
            (opponent, self.mover, opponent_wins, self.winning)
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
    fn too_weak(&self, geometry: &Geometry<B>, node: &Node<B>, ply: u32, beta: i32) -> Option<u32> {
        let boards = self.boards(node, ply);
        if ply.is_multiple_of(2) {
            if boards.first_holds(geometry, beta) & self.legal != 0 {
                return None;
            }
            Some(boards.second_holds(geometry, 1 - beta))
        } else {
            if boards.second_holds(geometry, beta) & self.legal != 0 {
                return None;
            }
            Some(boards.first_holds(geometry, 1 - beta))
        }
    }

    /// The node after the move of a lane, which is none of the lost ones.
    #[inline(always)]
    fn child(&self, node: &Node<B>, lane: usize) -> Node<B> {
        Node {
            mover: node.mover ^ node.mask,
            mask: self.masks[lane],
            opponent_wins: self.wins[lane],
            moves: self.replies[lane],
        }
    }

    /// The lanes of `left`, the most promising first: those with most winning
    /// cells that the opponent cannot make worthless by playing below them, cells
    /// in the rows that the mover gets in the end counting more.
    #[inline(always)]
    fn order(&self, board: &Board<B>, node: &Node<B>, ply: u32, left: u32) -> Queue<N> {
        let geometry = &board.geometry;
        let good_rows = if ply.is_multiple_of(2) { geometry.even_rows } else { geometry.odd_rows };
        let blocked = node.opponent_wins << 1;
        let mut queue = Queue([0; N]);
        // No branch: how many are left cannot be foreseen.
        for lane in 0..board.ordered_lanes.min(N) {
            let wins = self.wins[lane] & !blocked;
            let value = 2 * wins.count_ones() + (wins & good_rows).count_ones();
            let centrality = u32::from(board.centrality[lane]);
            let place = value << 8 | (centrality + 1) << 4 | (15 - lane) as u32;
            queue.0[lane] = place & 0_u32.wrapping_sub(left >> lane & 1);
        }
        queue
    }
}

/// Lanes still to be searched: the value of each, with its number in the
/// lowest four bits; 0 for those that are not.
struct Queue<const N: usize>([u32; N]);

impl<const N: usize> Queue<N> {
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
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
        (best[0] != 0).then_some(lane % N)
    }
}
