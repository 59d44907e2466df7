//! An audit of the order of moves: nodes spent in moves searched too early.

use super::{Build, Search};
use crate::simd::{LanesOf, Simd};
use crate::table::TableWord;

/// The cost of the order of moves, for the tool that tunes it; see
/// [`Solver::audit`](crate::Solver::audit).
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// The counts by ply.
    pub plies: Vec<PlyAudit>,
    /// What [`nodes_before`](PlyAudit::nodes_before) is made of in the search under way: the
    /// number of the last node, the ply, and the nodes.
    wasted: Vec<(u64, u32, u64)>,
}

/// The nodes of one ply in which a search found a move that reaches the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyAudit {
    /// Their number.
    pub reached: u64,
    /// How many of them searched that move first.
    pub first: u64,
    /// Nodes spent in the moves searched before it. A node spent within such a move counts only
    /// once, at the lowest ply.
    pub nodes_before: u64,
}

impl Audit {
    /// Begins the search of another position, which numbers its nodes from 1.
    pub(crate) fn begin(&mut self) {
        self.wasted.clear();
    }

    /// A node of a ply began to search moves after node number `before`. After `moves` others it
    /// found one that reaches the window, with the nodes after number `start` up to `end`.
    fn reach(&mut self, ply: u32, moves: u32, [before, start, end]: [u64; 3]) {
        let ply_index = ply as usize;
        self.plies.resize(self.plies.len().max(ply_index + 1), PlyAudit::default());
        let wasted_from = self.wasted.partition_point(|&(number, ..)| number <= before);
        let wasted_to = self.wasted.partition_point(|&(number, ..)| number <= start);
        for (_, nested, nodes) in self.wasted.drain(wasted_from..wasted_to) {
            self.plies[nested as usize].nodes_before -= nodes;
        }
        let at = &mut self.plies[ply_index];
        at.reached += 1;
        at.first += u64::from(moves == 0);
        at.nodes_before += start - before;
        if start > before {
            self.wasted.push((end, ply, start - before));
        }
    }
}

/// The builds that audit, for any board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Audited<S>(S);

impl<S: Simd + LanesOf<B, N>, B: TableWord, const N: usize> Build<B, N> for Audited<S> {
    type Instructions = S;

    #[inline(always)]
    fn reach(search: &mut Search<'_, B>, ply: u32, moves: u32, before: u64, start: u64) {
        let end = search.nodes;
        if let Some(audit) = &mut search.audit {
            audit.reach(ply, moves, [before, start, end]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline;
    use crate::{Position, Solver};

    #[test]
    fn nested_waste_is_counted_once_at_the_outermost_node() {
        let mut audit = Audit::default();
        // Nodes 3 to 10 are below one of ply 12, with the waste 5 to 7.
        audit.reach(12, 2, [4, 7, 10]);
        audit.reach(12, 0, [11, 11, 12]);
        assert_eq!(audit.plies[12], PlyAudit { reached: 2, first: 1, nodes_before: 3 });
        // They were a first move in vain of a node of ply 10; the right one wasted 14 to 15.
        audit.reach(11, 1, [13, 15, 16]);
        audit.reach(10, 1, [2, 12, 17]);
        let nodes_before: Vec<u64> = audit.plies.iter().map(|ply| ply.nodes_before).collect();
        assert_eq!(nodes_before[10..], [10, 2, 0]);
    }

    #[test]
    fn an_audited_search_visits_the_nodes_of_any_other() {
        for (size, moves) in
            [("7x6", "44731111274133135"), ("9x6", "188112367288585193972974137341")]
        {
            let position = Position::parse(size.parse().unwrap(), moves).unwrap();
            let mut solver = Solver::for_size(position.size(), 1 << 20).unwrap();
            let mut audited = Solver::for_size(position.size(), 1 << 20).unwrap();
            let mut audit = Audit::default();
            let score = solver.score(position);
            assert_eq!(audited.audit::<Baseline>(position, &mut audit), score);
            assert_eq!(audited.nodes(), solver.nodes());
            let sum = |count: fn(&PlyAudit) -> u64| audit.plies.iter().map(count).sum::<u64>();
            let (reached, first) = (sum(|ply| ply.reached), sum(|ply| ply.first));
            assert!(first > reached / 2 && first <= reached, "{size}: {first} of {reached}");
            assert!(sum(|ply| ply.nodes_before) < solver.nodes(), "{size}");
        }
    }
}
