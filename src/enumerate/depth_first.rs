//! The order in which the deepest ply is solved.

use super::{PlyError, SlotSet, ranking_of_ply, slots_of};
use crate::board::{Position, Size, Word};
use crate::rank::Ranking;

/// A stored position, with its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visit<B: Word> {
    /// Its number among the positions of its ply.
    pub(crate) slot: u64,
    /// The position, or its mirror image: the one that was met first.
    pub(crate) position: Position<B>,
}

/// The stored positions of one ply in *depth-first order*: from the empty
/// board, the columns from the centre outwards, each position where the walk
/// meets it or its mirror image first.
///
/// Neighbours in this order share descendants, so a search of one finds much of
/// its work done by the one before, if both use the same transposition table.
///
/// The order depends on the board and the ply only. So a number in it always names the
/// same position, and a range of it ([`Iterator::skip`], [`Iterator::take`]) is a part of
/// the work that another machine can do.
#[derive(Debug)]
pub(crate) struct DepthFirst<B: Word> {
    plies: Vec<VisitedPly<B>>,
    /// The line of play from the empty board, without its last position.
    line: Vec<Node<B>>,
    /// The only position of ply 0, if that is the ply asked for.
    root: Option<Visit<B>>,
    /// The cells of the columns, the centre first.
    columns: Vec<B>,
}

#[derive(Debug)]
struct VisitedPly<B: Word> {
    ranking: Ranking<B>,
    visited: SlotSet,
}

#[derive(Debug)]
struct Node<B: Word> {
    position: Position<B>,
    /// How many columns have been tried, in the order centre first.
    tried: usize,
}

impl<B: Word> DepthFirst<B> {
    /// The order of the stored positions with `depth` stones.
    pub(crate) fn new(size: Size, depth: u32) -> Result<Self, PlyError> {
        // All of them are numbered before the memory is taken for any.
        let rankings =
            (0..=depth).map(|ply| ranking_of_ply(size, ply)).collect::<Result<Vec<_>, _>>()?;
        let plies = rankings
            .into_iter()
            .map(|ranking| Ok(VisitedPly { visited: slots_of(&ranking)?, ranking }))
            .collect::<Result<Vec<_>, _>>()?;
        let root = Visit { slot: 0, position: Position::start(size) };
        Ok(DepthFirst {
            columns: B::geometry(size)
                .centre_first()
                .map(|c| B::geometry(size).column(c))
                .collect(),
            plies,
            line: vec![Node { position: root.position, tried: 0 }],
            root: (depth == 0).then_some(root),
        })
    }

    /// The next position on the line that has not been met, and its slot.
    fn next_child(columns: &[B], node: &mut Node<B>, ply: &VisitedPly<B>) -> Option<Visit<B>> {
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
            let slot = ply.ranking.rank(position);
            if ply.visited.insert(slot) {
                return Some(Visit { slot, position });
            }
        }
        None
    }
}

impl<B: Word> Iterator for DepthFirst<B> {
    type Item = Visit<B>;

    fn next(&mut self) -> Option<Self::Item> {
        let depth = self.plies.len() - 1;
        if depth == 0 {
            return self.root.take();
        }
        loop {
            let child_ply = self.line.len();
            let node = self.line.last_mut()?;
            let Some(child) = Self::next_child(&self.columns, node, &self.plies[child_ply]) else {
                self.line.pop();
                continue;
            };
            if child_ply < depth {
                self.line.push(Node { position: child.position, tried: 0 });
            } else if !child.position.can_win_at_once() {
                return Some(child);
            }
        }
    }
}
