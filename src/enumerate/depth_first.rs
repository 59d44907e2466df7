//! The order in which the deepest ply is solved.

use super::{SlotSet, ranking_of_ply, slots_of};
use crate::book::BookError;
use crate::rank::Ranking;
use fourbook_solver::board::{Board, Position, Size, Word};
use fourbook_solver::with_word;

/// The stored positions of one ply, each after its slot, in *depth-first order*: from the
/// empty board, the columns from the centre outwards, each position where the walk meets
/// it or its mirror image first. Of the two, the order has the one that was met first.
///
/// Neighbours in this order share descendants, so a search of one finds much of
/// its work done by the one before, if both use the same transposition table.
///
/// The order depends on the board and the ply only. So a number in it always names the
/// same position, and a range of it ([`Iterator::skip`], [`Iterator::take`]) is a part of
/// the work that another machine can do.
#[derive(Debug)]
pub(crate) struct DepthFirst<B: Word> {
    /// The numbering of each ply and the slots that have been met.
    plies: Vec<(Ranking, SlotSet)>,
    /// The line of play from the empty board, without its last position.
    line: Vec<Node<B>>,
    /// The cells of the columns, the centre first.
    columns: Vec<B>,
}

#[derive(Debug)]
struct Node<B: Word> {
    position: Board<B>,
    /// How many columns have been tried, in the order centre first.
    tried: usize,
}

/// The stored positions of a ply, each after its slot.
pub(crate) type Order = Box<dyn Iterator<Item = (u64, Position)> + Send>;

/// The [depth-first order](DepthFirst) of the stored positions with `depth` stones.
pub(crate) fn depth_first(size: Size, depth: u32) -> Result<Order, BookError> {
    with_word!(size, B => {
        let order = DepthFirst::<B>::new(size, depth)?;
        Ok(Box::new(order.map(|(slot, position)| (slot, position.widen()))))
    })
}

impl<B: Word> DepthFirst<B> {
    /// The order of the stored positions with `depth` stones.
    pub(crate) fn new(size: Size, depth: u32) -> Result<Self, BookError> {
        // All of them are numbered before the memory is taken for any.
        let rankings =
            (0..=depth).map(|ply| ranking_of_ply(size, ply)).collect::<Result<Vec<_>, _>>()?;
        let plies = rankings
            .into_iter()
            .map(|ranking| slots_of(&ranking).map(|met| (ranking, met)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(DepthFirst {
            columns: size.centre_first().map(|c| B::geometry(size).column(c)).collect(),
            plies,
            line: vec![Node { position: Board::start(size), tried: 0 }],
        })
    }

    /// The next position on the line that has not been met, and its slot.
    fn next_child(
        columns: &[B],
        node: &mut Node<B>,
        (ranking, met): &(Ranking, SlotSet),
    ) -> Option<(u64, Board<B>)> {
        let moves = node.position.possible_moves();
        while let Some(&column) = columns.get(node.tried) {
            node.tried += 1;
            let cell = moves & column;
            if cell.is_empty() {
                continue;
            }
            let position = node.position.play_cell(cell);
            if position.is_over() {
                continue;
            }
            let slot = ranking.rank(position);
            if met.insert(slot) {
                return Some((slot, position));
            }
        }
        None
    }
}

impl<B: Word> Iterator for DepthFirst<B> {
    type Item = (u64, Board<B>);

    fn next(&mut self) -> Option<Self::Item> {
        let depth = self.plies.len() - 1;
        if depth == 0 {
            return self.line.pop().map(|root| (0, root.position));
        }
        loop {
            let child_ply = self.line.len();
            let node = self.line.last_mut()?;
            let Some(child) = Self::next_child(&self.columns, node, &self.plies[child_ply]) else {
                self.line.pop();
                continue;
            };
            if child_ply < depth {
                self.line.push(Node { position: child.1, tried: 0 });
            } else if !child.1.can_win_at_once() {
                return Some(child);
            }
        }
    }
}
