//! How a book was made, for the file beside it.

use crate::book::BookError;
use crate::enumerate::PlyCounts;
use crate::parallel::{Counts, sum_of_blocks};
use crate::progress::Progress;
use crate::scores::{PlyScores, decode};
use fourbook_solver::ValueKind;
use fourbook_solver::board::Size;
use serde::{Deserialize, Serialize};

/// How a book was made: facts that differ from run to run and therefore are not in
/// the book itself, and counts of its positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name and version of the program.
    pub program: String,
    /// The board.
    pub size: Size,
    /// The deepest ply of the book.
    pub depth: u32,
    /// The kind of value stored for each position.
    pub kind: ValueKind,
    /// Number of threads of the last run.
    pub threads: usize,
    /// Size of the last run's transposition table, in bytes; 0 if it merged parts.
    pub table_bytes: usize,
    /// How many parts were merged, if the book is of parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shards: Option<u32>,
    /// Memory that the machine had for the last run, in bytes.
    pub memory_bytes: u64,
    /// The work of solving, by all runs together, on all machines.
    pub solving: Effort,
    /// The most memory that the last run had at a time, the table included, in bytes; `None` if the
    /// system does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// Time the last run took for all the rest (counting positions, deriving
    /// the shallower plies), in milliseconds.
    pub other_milliseconds: u64,
    /// Counts of the book's positions, from the deepest ply up.
    pub plies: Vec<PlyReport>,
}

/// The work spent on scores by all runs that solved them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Runs that solved positions.
    pub runs: u32,
    /// Positions solved.
    pub positions: u64,
    /// Nodes visited by the search.
    pub nodes: u64,
    /// Time spent solving, in milliseconds.
    pub milliseconds: u64,
}

/// Counts of one ply of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlyReport {
    /// Number of stones.
    pub ply: u32,
    /// How many positions there are.
    #[serde(flatten)]
    pub counts: PlyCounts,
    /// Stored positions that the side to move wins under perfect play.
    pub wins: u64,
    /// Stored positions that neither side wins.
    pub draws: u64,
    /// Stored positions that the side to move loses.
    pub losses: u64,
}

impl PlyReport {
    /// Counts the scores of a ply, with all threads of the rayon pool it is called in, unless it is
    /// cancelled.
    pub(super) fn new(
        counts: PlyCounts,
        scores: &PlyScores,
        progress: &dyn Progress,
    ) -> Result<Self, BookError> {
        let bytes = scores.bytes();
        let Counts([wins, draws, losses]) = sum_of_blocks(bytes.len() as u64, progress, |block| {
            let mut counts = [0; 3];
            for &byte in &bytes[block.start as usize..block.end as usize] {
                if let Some(score) = decode(byte) {
                    counts[(1 - score.signum()) as usize] += 1;
                }
            }
            Counts(counts)
        })?;
        Ok(PlyReport { ply: scores.ply, counts, wins, draws, losses })
    }
}
