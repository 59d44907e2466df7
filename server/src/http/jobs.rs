//! What the solver pool is asked for, and what it finds.

use fourbook::Score;
use fourbook::oracle::{Knowledge, OracleError};
use std::sync::Arc;

/// A job of the solver pool. Requests for equal jobs share one. Positions are named by keys, as
/// far as mirror images have equal answers by the key of the smaller of the two.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Job {
    Score(u128),
    AllScores(u128),
    /// The scores of all moves, exact if the game ends within this many stones.
    LookAhead(u128, u32),
    Line(u128),
}

/// Generation of the book, job and node limit.
pub(super) type JobKey = (u64, Job, Option<u64>);

/// What a job has found, or part of it.
#[derive(Clone, Debug)]
pub(super) enum Found {
    Knowledge(Arc<Knowledge>),
    MoveScores(Arc<[Option<Score>]>),
    Line(Arc<[usize]>),
}

pub(super) type JobResult = Result<Found, Arc<OracleError>>;
