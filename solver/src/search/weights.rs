//! Signs of a promising move, as data.
//!
//! The weights were found by counting nodes over thousands of random positions, and hold on
//! others (the command `climb` of the package `fourbook-training`).

/// The weight of each sign of a good move, between -1000 and 1000; only ratios matter.
///
/// Threats are empty cells that complete four for the player of the move, unless
/// the opponent makes them worthless by completing four just below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Each threat.
    pub threat: i32,
    /// Each threat just above a cell that can be played.
    pub next_threat: i32,
    /// Each threat two cells above a cell that can be played.
    pub later_threat: i32,
    /// Each reply that does not lose at once.
    pub reply: i32,
    /// Each line of four through the cell, upright ones left out, that has one other stone
    /// of the player and none of the opponent.
    pub second_in_line: i32,
    /// Each line of four through the cell, upright ones left out, that has no stone of the
    /// player: the opponent could still complete it.
    pub line_taken: i32,
    /// Each column between the move and the nearer edge of the board.
    pub centrality: i32,
}

/// The weights by stage of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveOrder {
    /// While more than [`LATE_CELLS`](Self::LATE_CELLS) cells are empty.
    pub early: Weights,
    /// With fewer empty cells.
    pub late: Weights,
}

impl MoveOrder {
    /// Cells that are empty in the first position ordered by [`late`](Self::late).
    pub const LATE_CELLS: u32 = 16;

    /// The order that solvers use.
    pub const BEST: MoveOrder = {
        let early = Weights {
            threat: 20,
            next_threat: 52,
            later_threat: 32,
            reply: -8,
            second_in_line: 10,
            line_taken: 5,
            centrality: 2,
        };
        MoveOrder { early, late: Weights { reply: -16, ..early } }
    };
}
