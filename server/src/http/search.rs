//! What the pool's threads do for questions: solving positions, and looking a number of stones
//! ahead.

use super::Daemon;
use super::answer::{Terms, Wanted};
use super::boards::Loaded;
use super::pool::Ticket;
use super::problem::Problem;
use super::question::Question;
use fourbook::level::scores_within_unless;
use fourbook::oracle::{Knowledge, OracleError};
use fourbook::{Limits, Score, Stopped};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Search {
    /// Exact scores.
    Solve(Wanted),
    /// The scores of all moves, as far as so many stones ahead.
    LookAhead(u32),
}

/// What has to be the same for two questions to have one search: the book's generation,
/// the canonical key, what is searched, the most nodes.
pub(super) type SearchKey = (u64, u128, Search, Option<u64>);

/// What a search has found of a canonical position, or a part of it.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// By [`Search::Solve`].
    Knowledge(Arc<Knowledge>),
    /// By [`Search::LookAhead`].
    MoveScores(Arc<[Option<Score>]>),
}

/// How a search has ended.
pub(super) type Solved = Result<Found, Arc<OracleError>>;

impl Found {
    /// What was found by a search for exact scores.
    pub(super) fn into_knowledge(self) -> Arc<Knowledge> {
        match self {
            Found::Knowledge(knowledge) => knowledge,
            Found::MoveScores(_) => unreachable!("exact scores were searched"),
        }
    }

    /// What was found by looking ahead.
    pub(super) fn into_move_scores(self) -> Arc<[Option<Score>]> {
        match self {
            Found::MoveScores(scores) => scores,
            Found::Knowledge(_) => unreachable!("no exact scores were searched"),
        }
    }
}

impl Daemon {
    /// Has the pool solve a position, or joins who does it already.
    pub(super) fn solve(
        &self,
        loaded: &Arc<Loaded>,
        question: Question,
        terms: Terms,
    ) -> Result<Ticket<SearchKey, Solved>, Problem> {
        let Terms { wanted, max_nodes, .. } = terms;
        let (nodes, work) = (self.metrics.nodes.clone(), Arc::clone(loaded));
        let all_solved = Arc::clone(&self.solved);
        let task = move |cancel: Arc<AtomicBool>, tell: &dyn Fn(Solved)| {
            let limits = Limits { max_nodes, cancel: Some(cancel), ..Limits::default() };
            let mut knowledge = work.oracle.known(question.canonical());
            let on_move = &mut |part: &Knowledge| {
                // The end is told when the task ends.
                if !part.is_complete() {
                    tell(Ok(Found::Knowledge(Arc::new(part.clone()))));
                }
            };
            let oracle = work.oracle.with_limits(limits);
            let result = match wanted {
                Wanted::Score => {
                    oracle.score(knowledge.position()).map(|answer| knowledge.learn_score(answer))
                }
                Wanted::All => oracle.complete(&mut knowledge, on_move),
            };
            nodes.inc_by(knowledge.nodes());
            result.map_err(Arc::new)?;
            let knowledge = Arc::new(knowledge);
            all_solved.insert((work.generation, question.canonical_key), Arc::clone(&knowledge));
            Ok(Found::Knowledge(knowledge))
        };
        let search = Search::Solve(wanted);
        let key = (loaded.generation, question.canonical_key, search, max_nodes);
        Ok(self.pool.submit(key, task)?)
    }

    /// Has the pool look so many stones ahead, or joins who does it already. There is no
    /// limit on nodes, as these are not the solver's.
    pub(super) fn look_ahead(
        &self,
        loaded: &Arc<Loaded>,
        question: Question,
        plies: u32,
    ) -> Result<Ticket<SearchKey, Solved>, Problem> {
        let position = question.canonical();
        let task = move |cancel: Arc<AtomicBool>, _: &dyn Fn(Solved)| {
            let scores = scores_within_unless(position, plies, &cancel);
            let scores = scores.ok_or_else(|| Arc::new(Stopped::Cancelled.into()))?;
            Ok(Found::MoveScores(scores.into()))
        };
        let key = (loaded.generation, question.canonical_key, Search::LookAhead(plies), None);
        Ok(self.pool.submit(key, task)?)
    }
}

/// Waits for a search until the deadline.
pub(super) async fn wait(
    mut ticket: Ticket<SearchKey, Solved>,
    terms: Terms,
) -> Result<Found, Problem> {
    match tokio::time::timeout_at(terms.deadline.into(), ticket.result()).await {
        Ok(solved) => found(solved?, terms),
        Err(_) => Err(Problem::deadline()),
    }
}

/// What a search came to.
pub(super) fn found(solved: Solved, terms: Terms) -> Result<Found, Problem> {
    solved.map_err(|error| match (&*error, terms.max_nodes) {
        (OracleError::Stopped(Stopped::NodeBudget), Some(most)) => Problem::node_budget(most),
        (error, _) => Problem::from(error),
    })
}
