//! The search: null-window negamax over positions in which neither side can
//! win with the next stone.

mod bounds;
mod builds;
mod constants;
mod node;
mod order;
mod weights;

pub(super) use builds::BuiltWord;
pub(super) use node::Node;
pub use weights::{MoveOrder, Weights};

use crate::board::Size;
use crate::board::threats::{non_losing_moves, winning_cells};
use crate::limits::{Budget, StopReason};
use crate::parallel::abdada::{Member, marked_before};
use crate::simd::{Lanes, LanesOf, Simd, WithSimd};
use crate::table::{Table, TableWord, Tables, Tiers};
use constants::Constants;
use node::{ChildNodes, Children, child_places, place};
use order::Queue;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Nodes between two looks at the limits and at other threads.
pub(super) const NODES_BETWEEN_CHECKS: u64 = 1 << 9;

/// A build of the search: for some instructions, boards in words `B`, and up to `N` columns.
pub(super) trait Build<B: TableWord, const N: usize>: Copy {
    /// The instructions.
    type Instructions: Simd + LanesOf<B, N>;

    /// Whether the search uses [`bounds`](super::bounds); off only to test them.
    const FOLLOW_UP_BOUNDS: bool = true;

    /// The constants of the board; known to the compiler where the build is for one board.
    #[inline(always)]
    fn board<'a>(search: &'a Search<'_, B>) -> &'a Constants<B> {
        &search.board
    }

    /// [`null_window`], built with these instructions.
    #[inline(always)]
    fn search(search: &mut Search<'_, B>, node: Node<B>, ply: u32, beta: i32) -> i32 {
        let build = PhantomData;
        Self::Instructions::run(Window::<Self, B, N> { search, node, ply, beta, build })
    }
}

/// [`Build::search`] of a build.
pub(super) type BuiltSearch<B> = fn(&mut Search<'_, B>, Node<B>, u32, i32) -> i32;

/// The vector that holds the boards of all moves.
pub(super) type LanesIn<I, B, const N: usize> =
    <<I as Build<B, N>>::Instructions as LanesOf<B, N>>::Lanes;

/// A call of [`null_window`] in a build.
struct Window<'a, 's, I, B: TableWord, const N: usize> {
    search: &'a mut Search<'s, B>,
    node: Node<B>,
    ply: u32,
    beta: i32,
    build: PhantomData<I>,
}

impl<I: Build<B, N>, B: TableWord, const N: usize> WithSimd for Window<'_, '_, I, B, N> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self) -> i32 {
        null_window::<I, B, N>(self.search, self.node, self.ply, self.beta)
    }
}

/// The state that a search shares between its nodes.
#[derive(Debug)]
pub(super) struct Search<'a, B: TableWord> {
    tables: Tiers<'a>,
    pub(super) board: Constants<B>,
    pub(super) budget: Arc<Budget>,
    pub(super) nodes: u64,
    /// Nodes that are counted in the budget.
    counted: u64,
    /// Nodes that are claimed from the budget, and not counted there.
    claimed: u64,
    /// The number of nodes at which the search pauses.
    pause_at: u64,
    next_check: u64,
    /// Set when the window is not to be searched to its end.
    pub(super) ended: Option<Ended>,
    /// The part in a search by several threads.
    pub(super) member: Option<Member<'a>>,
    /// Set when another job needs the thread.
    pub(super) leave: Option<&'a AtomicBool>,
    /// Nodes before this ply mark the moves they search, for other threads.
    marked_before: u32,
    /// The nodes that mark their moves, from the root on.
    path: Vec<Ancestor<B::Place>>,
}

/// Why a window was not searched to its end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ended {
    /// A limit is reached.
    Stopped(StopReason),
    /// The search has used up its share of nodes.
    Paused,
    /// Another job needs the thread.
    WantedElsewhere,
    /// Another thread has decided the window.
    Decided,
    /// Another thread has decided the node with this number in the [path](Search::path).
    Proved(usize),
}

/// A node that a thread searches beside other threads.
#[derive(Clone, Copy, Debug)]
struct Ancestor<P> {
    place: P,
    ply: u32,
    beta: i32,
}

impl<'a, B: TableWord> Search<'a, B> {
    /// A search over shared tables and the late one of a thread.
    pub(super) fn new(
        size: Size,
        order: &MoveOrder,
        (shared, late): (&'a Tables, &'a Table),
        budget: Arc<Budget>,
    ) -> Self {
        Search {
            tables: Tiers::new(size, shared, late),
            board: Constants::new(B::geometry(size), order),
            budget,
            nodes: 0,
            counted: 0,
            claimed: 0,
            pause_at: u64::MAX,
            next_check: 0,
            ended: None,
            member: None,
            leave: None,
            marked_before: 0,
            path: Vec::new(),
        }
    }

    /// Counts the nodes visited since the last call in the budget.
    pub(super) fn count_nodes(&mut self) {
        let new = self.nodes - self.counted;
        self.counted = self.nodes;
        self.tables.shared.grow_after::<B>(new, self.budget.most_nodes());
        self.budget.spend(new, std::mem::take(&mut self.claimed));
    }

    /// Ends windows after `nodes` nodes from now.
    pub(super) fn pause_after(&mut self, nodes: u64) {
        self.pause_at = self.nodes.saturating_add(nodes);
        self.next_check = 0;
    }

    /// Counts a node, and returns whether the search has to stop.
    #[inline(always)]
    fn enter(&mut self) -> bool {
        if self.nodes >= self.next_check {
            self.check();
            if self.ended.is_some() {
                return true;
            }
        }
        self.nodes += 1;
        false
    }

    /// The first node of the path that another thread has decided: searching below it is
    /// pointless.
    fn proved_elsewhere(&self) -> Option<usize> {
        self.path.iter().position(|ancestor| {
            let table = self.tables.of_ply(ancestor.ply);
            B::probe(table, ancestor.place).decide(ancestor.beta).is_some()
        })
    }

    #[cold]
    fn check(&mut self) {
        self.count_nodes();
        let mut over = false;
        if let Some(member) = &self.member {
            over = member.is_over();
            self.marked_before = match member.is_helped() {
                true => marked_before(self.board.geometry.size.cells()),
                false => 0,
            };
        }
        let is_wanted = self.leave.is_some_and(|leave| leave.load(Ordering::Relaxed));
        self.ended = match self.budget.reached() {
            Some(reason) => Some(Ended::Stopped(reason)),
            None if over => Some(Ended::Decided),
            None if is_wanted => Some(Ended::WantedElsewhere),
            None if self.nodes >= self.pause_at => Some(Ended::Paused),
            None => self.proved_elsewhere().map(Ended::Proved),
        };
        if self.ended.is_none() {
            let most = NODES_BETWEEN_CHECKS.min(self.pause_at - self.nodes);
            self.claimed = self.budget.claim(most);
            if self.claimed == 0 {
                // Other threads have claimed all.
                self.ended = Some(Ended::Stopped(StopReason::NodeBudget));
            }
        }
        self.next_check = self.nodes + self.claimed;
    }
}

/// Whether the score of `node` is at least `beta`: the result is at least
/// `beta` and a lower bound of the score, or less and an upper bound.
///
/// If the search [has ended](Search::ended), the result means nothing.
#[inline(always)]
fn null_window<I: Build<B, N>, B: TableWord, const N: usize>(
    search: &mut Search<'_, B>,
    mut node: Node<B>,
    mut ply: u32,
    mut beta: i32,
) -> i32 {
    // Replies without a choice are played here, without table or recursion.
    let mut negated = false;

    loop {
        let board = I::board(search);
        // Neither side wins before its next stone but one. With two cells left both scores are 0.
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

/// [`null_window`] for a node with a choice of moves and `beta` within its possible scores.
#[inline(always)]
fn expand<I: Build<B, N>, B: TableWord, const N: usize>(
    search: &mut Search<'_, B>,
    node: Node<B>,
    ply: u32,
    beta: i32,
) -> i32 {
    let board = I::board(search);
    let table = search.tables.of_ply(ply);
    let place = place(board, node.mover, node.mask, ply);
    let mut known = B::probe(table, place);
    if let Some(score) = known.decide(beta) {
        return score;
    }

    // Memory is slow, so the children's entries are fetched while their threats are found.
    let child_table = search.tables.of_ply(ply + 1);
    let moves = LanesIn::<I, B, N>::splat(node.moves) & LanesIn::<I, B, N>::load(board.columns());
    let places = child_places::<_, B, N>(board, &node, moves, ply + 1);
    // Places of columns without a move, too, which are all the same: a loop whose end is mispredicted
    // costs more than a fetch.
    for &place in &places[..board.geometry.size.width().min(N)] {
        B::prefetch(child_table, place);
    }

    let children = Children::<_, B, N>::of(&board.geometry, &node, moves);
    if children.lost != 0 {
        return board.mover_wins(ply, 1);
    }
    if beta == board.mover_wins(ply, 1) {
        return beta - 1;
    }

    let mut left = children.legal;
    let mut best = board.opponent_wins(ply, 1);
    if I::FOLLOW_UP_BOUNDS {
        let Some(dropped) = children.too_weak(&board.geometry, &node, ply, beta) else {
            // Stored although it was cheap: a parent finds it without searching this node.
            known.learn(beta.max(0), beta);
            B::store(table, place, known, 0);
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
        && let Some(score) = known_to_reach::<B, N>(beta, child_table, &places, left)
    {
        return score;
    }
    if ply < search.marked_before {
        let expanded = Expanded { node, children: children.nodes, place, places };
        best = expanded.search_together(I::search, search, queue, ply, beta, best);
        if search.ended.is_some() {
            return 0;
        }
    } else {
        while let Some(lane) = queue.next() {
            let child = children.nodes.child(&node, lane);
            let score = -I::search(search, child, ply + 1, 1 - beta);
            if search.ended.is_some() {
                return 0;
            }
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
    }
    known.learn(best, beta);
    B::store(table, place, known, search.nodes - nodes_before);
    best
}

/// The score of a child in `lanes` that the table knows to reach `beta` for the
/// side that moves there, if there is one.
#[inline(always)]
fn known_to_reach<B: TableWord, const N: usize>(
    beta: i32,
    table: &Table,
    places: &[B::Place; N],
    mut lanes: u32,
) -> Option<i32> {
    while lanes != 0 {
        let lane = lanes.trailing_zeros() as usize % N;
        lanes &= lanes - 1;
        let child = B::probe(table, places[lane]);
        if -child.upper >= beta {
            return Some(-child.upper);
        }
    }
    None
}

/// A node with all its children.
struct Expanded<B: TableWord, const N: usize> {
    node: Node<B>,
    children: ChildNodes<B, N>,
    place: B::Place,
    places: [B::Place; N],
}

impl<B: TableWord, const N: usize> Expanded<B, N> {
    /// Searches the moves of a queue beside other threads; returns the best score. Moves that
    /// another thread is searching come last, except the first move.
    #[inline(never)]
    fn search_together(
        &self,
        search_window: BuiltSearch<B>,
        search: &mut Search<'_, B>,
        mut queue: Queue<N>,
        ply: u32,
        beta: i32,
        mut best: i32,
    ) -> i32 {
        let mut later = Queue::empty();
        let mut is_first = true;
        let mut may_wait = true;
        loop {
            let Some((lane, value)) = queue.next_with_value() else {
                if !may_wait {
                    return best;
                }
                (queue, may_wait) = (std::mem::replace(&mut later, Queue::empty()), false);
                continue;
            };
            let hash = B::hash_of(self.places[lane]);
            if may_wait
                && !is_first
                && search.member.as_ref().is_some_and(|member: &Member<'_>| member.is_marked(hash))
            {
                later.put(lane, value);
                continue;
            }
            is_first = false;
            if let Some(member) = &search.member {
                member.mark(hash);
            }
            search.path.push(Ancestor { place: self.place, ply, beta });
            let child = self.children.child(&self.node, lane);
            let score = -search_window(search, child, ply + 1, 1 - beta);
            search.path.pop();
            if let Some(member) = &search.member {
                member.unmark(hash);
            }
            let ended = search.ended;
            match ended {
                None => best = best.max(score),
                Some(Ended::Proved(number)) if number == search.path.len() => search.ended = None,
                Some(_) => return best,
            }
            // Another thread may have proved this meanwhile.
            let proved = B::probe(search.tables.of_ply(ply), self.place).decide(beta);
            if let Some(proved) = proved.filter(|_| best < beta) {
                return proved;
            }
            if best >= beta {
                return best;
            }
            if ended.is_some() {
                // The node is lost already.
                queue.put(lane, value);
            }
        }
    }
}
