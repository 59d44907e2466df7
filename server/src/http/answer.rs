//! Answering requests: the book at once, everything else by jobs of the solver pool.

use super::Daemon;
use super::books::Loaded;
use super::pool::{Found, Job, JobResult, Progress, Ticket};
use super::problem::Problem;
use fourbook::level::scores_within_unless;
use fourbook::oracle::{Game, GameReview, Knowledge, Known, OracleError};
use fourbook::{Level, Limits, Oracle, Position, Score, Source, StopReason, Stopped};
use futures_util::stream::{self, Stream, StreamExt};
use std::future::ready;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The question of a request about a position, and its limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    /// Whether only the score of the position is wanted, not the scores of its moves.
    pub(super) only_score: bool,
    /// Whether to wait for searches; by default only for the score.
    pub(super) wait: Option<bool>,
    /// Whether an incomplete answer is preferred to a problem.
    pub(super) takes_part: bool,
    pub(super) deadline: Instant,
    /// Node limit for each job.
    pub(super) max_nodes: Option<u64>,
}

impl Request {
    /// Whether a request need not wait for more.
    fn is_met_by(&self, knowledge: &Knowledge) -> bool {
        match self.wait {
            Some(false) => true,
            Some(true) if !self.only_score => knowledge.is_complete(),
            _ => knowledge.score().is_some(),
        }
    }
}

/// The known scores of a position, and how long solving took if this request solved anything.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) knowledge: Knowledge,
    pub(super) took: Option<Duration>,
}

impl Daemon {
    /// Returns the scores of a position from the book, an earlier job or a new one.
    pub(super) async fn answer(
        &self,
        loaded: &Arc<Loaded>,
        position: Position,
        request: Request,
    ) -> Result<Answer, Problem> {
        let known = self.known(loaded, position, request)?;
        let answer = if request.is_met_by(&known) {
            if request.only_score && known.score().is_none() {
                return Err(Problem::not_in_book(
                    "the book does not have the position's score; ask without wait=false \
                     to have it solved",
                ));
            }
            Answer { knowledge: known, took: None }
        } else {
            let start = Instant::now();
            let solved = match self.solve(loaded, position, request) {
                Ok(ticket) => wait(ticket, request).await,
                Err(problem) => Err(problem),
            };
            match solved {
                Ok(found) => Answer {
                    knowledge: knowledge_of(position, &found),
                    took: Some(start.elapsed()),
                },
                Err(_) if request.takes_part && known.score().is_some() => {
                    Answer { knowledge: known, took: None }
                }
                Err(problem) => return Err(self.counted(problem).about(&known)),
            }
        };
        answer.knowledge.score().inspect(|known| self.metrics.answer(known.source));
        Ok(answer)
    }

    /// Returns the known scores of a position, first at once and then whenever a move is solved.
    /// Nothing follows a problem.
    pub(super) fn follow(
        &self,
        loaded: &Arc<Loaded>,
        position: Position,
        request: Request,
    ) -> Result<impl Stream<Item = Result<Knowledge, Problem>> + use<>, Problem> {
        let known = self.known(loaded, position, request)?;
        let ticket = match request.is_met_by(&known) {
            true => None,
            false => Some(self.solve(loaded, position, request)?),
        };
        known.score().inspect(|known| self.metrics.answer(known.source));
        let parts = stream::unfold(ticket, move |ticket| async move {
            let mut ticket = ticket?;
            let found = next(&mut ticket, request).await;
            let goes_on = matches!(found, Ok((_, false)));
            let part = found.map(|(found, _)| knowledge_of(position, &found));
            Some((part, goes_on.then_some(ticket)))
        });
        Ok(stream::once(ready(Ok(known))).chain(parts))
    }

    /// Reviews a game. Its positions are jobs of their own, so that others get their turn.
    pub(super) async fn review(
        &self,
        loaded: &Arc<Loaded>,
        game: &Game,
        request: Request,
    ) -> Result<GameReview, Problem> {
        let mut scores = Vec::new();
        // The last positions are the easiest, and their proofs help with the others.
        for &position in game.positions().iter().rev() {
            scores.push(self.score(loaded, position, request).await?);
        }
        scores.reverse();
        let (_, line) = self.line(loaded, game.end(), request).await?;
        Ok(game.review(&scores, &line))
    }

    /// Returns the score and the principal variation of a position.
    pub(super) async fn line(
        &self,
        loaded: &Arc<Loaded>,
        position: Position,
        request: Request,
    ) -> Result<(Score, Arc<[usize]>), Problem> {
        let score = self.score(loaded, position, request).await?;
        if position.is_over() {
            return Ok((score, Arc::default()));
        }
        let work = move |oracle: &Oracle, _: &dyn Fn(Found)| {
            Ok(Found::Line(oracle.line(position)?.value.1.into()))
        };
        match self.run(loaded, Job::Line(position.key()), request, work).await? {
            Found::Line(line) => Ok((score, line)),
            other => unreachable!("a line finds no {other:?}"),
        }
    }

    async fn score(
        &self,
        loaded: &Arc<Loaded>,
        position: Position,
        request: Request,
    ) -> Result<Score, Problem> {
        let request = Request { only_score: true, ..request };
        let answer = self.answer(loaded, position, request).await?;
        Ok(answer.knowledge.score().expect("the answer has it").score)
    }

    /// Returns the column that a level plays with a seed, as [`Level::find_move`] does; `None`
    /// if the game is over.
    pub(super) async fn choose(
        &self,
        loaded: &Arc<Loaded>,
        position: Position,
        level: Level,
        seed: u64,
        request: Request,
    ) -> Result<Option<usize>, Problem> {
        let scores = match level.horizon().filter(|_| level.is_quick()) {
            Some(plies) => self.scores_within(loaded, position, plies, request).await?,
            None => {
                if let Some(column) = level.opening(&self.known(loaded, position, request)?) {
                    return Ok(Some(column));
                }
                let answer = self.answer(loaded, position, request).await;
                answer.map_err(Problem::of_strong_level)?.knowledge.move_scores()
            }
        };
        Ok(level.choose(position, &scores, seed))
    }

    /// Returns scores of all moves that are exact if the game ends within `plies` stones. There
    /// is no node limit, as these nodes are not the solver's.
    async fn scores_within(
        &self,
        loaded: &Arc<Loaded>,
        position: Position,
        plies: u32,
        request: Request,
    ) -> Result<Vec<Option<Score>>, Problem> {
        let known = self.known(loaded, position, request)?;
        if known.is_complete() {
            return Ok(known.move_scores());
        }
        let canonical = canonical(position);
        let work = move |oracle: &Oracle, _: &dyn Fn(Found)| {
            let cancel = oracle.limits().cancel.as_deref().expect("a job can be cancelled");
            let scores = scores_within_unless(canonical, plies, cancel);
            let stopped = Stopped { reason: StopReason::Cancelled, bounds: None, nodes: 0 };
            let known =
                |score: Option<Score>| Some(Known { score: score?, source: Source::Solver });
            let moves: Vec<_> = scores.ok_or(stopped)?.into_iter().map(known).collect();
            Ok(Found::Knowledge(Arc::new(Knowledge::of_parts(canonical, None, &moves, 0))))
        };
        let job = Job::LookAhead(canonical.key(), plies);
        let request = Request { max_nodes: None, ..request };
        let found = self.run(loaded, job, request, work).await?;
        Ok(knowledge_of(position, &found).move_scores())
    }

    /// Returns the scores of a position known without a new search.
    fn known(
        &self,
        loaded: &Loaded,
        position: Position,
        request: Request,
    ) -> Result<Knowledge, Problem> {
        let known = loaded.oracle.known(position)?;
        if known.is_complete() || known.score().is_some() && request.only_score {
            return Ok(known);
        }
        let key = (loaded.key(), position.canonical_key());
        let Some(solved) = self.solved.get(&key) else { return Ok(known) };
        self.metrics.cached.inc();
        Ok(turned(position, &solved))
    }

    /// Submits a position to the pool.
    fn solve(
        &self,
        loaded: &Arc<Loaded>,
        position: Position,
        request: Request,
    ) -> Result<Ticket, Problem> {
        let (position, only_score) = (canonical(position), request.only_score);
        let (solved, key) = (Arc::clone(&self.solved), (loaded.key(), position.key()));
        let work = move |oracle: &Oracle, tell: &dyn Fn(Found)| {
            let mut knowledge = oracle.known(position)?;
            if only_score {
                knowledge.learn_score(oracle.score(position)?);
            } else {
                oracle.complete(&mut knowledge, &mut |part| {
                    // The end of the job sends the last event.
                    if !part.is_complete() {
                        tell(Found::Knowledge(Arc::new(part.clone())));
                    }
                })?;
            }
            let knowledge = Arc::new(knowledge);
            solved.insert(key, Arc::clone(&knowledge));
            Ok(Found::Knowledge(knowledge))
        };
        let job = if only_score { Job::Score } else { Job::AllScores };
        self.submit(loaded, job(position.key()), request, work)
    }

    /// Runs a job to its end, or to the deadline of the request.
    async fn run(
        &self,
        loaded: &Arc<Loaded>,
        job: Job,
        request: Request,
        work: impl FnOnce(&Oracle, &dyn Fn(Found)) -> Result<Found, OracleError> + Send + 'static,
    ) -> Result<Found, Problem> {
        let ticket = self.submit(loaded, job, request, work)?;
        wait(ticket, request).await.map_err(|problem| self.counted(problem))
    }

    /// Submits a job to the pool, or joins an equal one.
    fn submit(
        &self,
        loaded: &Arc<Loaded>,
        job: Job,
        request: Request,
        work: impl FnOnce(&Oracle, &dyn Fn(Found)) -> Result<Found, OracleError> + Send + 'static,
    ) -> Result<Ticket, Problem> {
        let key = (loaded.key(), job, request.max_nodes);
        let (loaded, metrics) = (Arc::clone(loaded), Arc::clone(&self.metrics));
        let max_nodes = request.max_nodes;
        let task = move |limits, tell: &dyn Fn(Found)| {
            let limits = Limits { max_nodes, ..limits };
            let found = work(&loaded.oracle.with_limits(limits), tell);
            metrics.nodes.inc_by(loaded.new_nodes());
            found.map_err(Arc::new)
        };
        Ok(self.pool.submit(key, task)?)
    }

    /// Counts a problem if a limit of the solver was reached.
    fn counted(&self, problem: Problem) -> Problem {
        if problem.is_unsolved() {
            self.metrics.unsolved.inc();
        }
        problem
    }
}

/// The smaller of a position and its mirror image: one search does for both.
fn canonical(position: Position) -> Position {
    let is_canonical = position.key() == position.canonical_key();
    if is_canonical { position } else { position.mirrored() }
}

/// Returns the knowledge of a position, from its own or from its mirror image's.
fn turned(position: Position, knowledge: &Knowledge) -> Knowledge {
    let is_same = knowledge.position() == position;
    if is_same { knowledge.clone() } else { knowledge.mirrored() }
}

fn knowledge_of(position: Position, found: &Found) -> Knowledge {
    match found {
        Found::Knowledge(knowledge) => turned(position, knowledge),
        other => unreachable!("solving a position finds no {other:?}"),
    }
}

/// Waits for a job until the deadline.
async fn wait(mut ticket: Ticket, request: Request) -> Result<Found, Problem> {
    loop {
        if let (found, true) = next(&mut ticket, request).await? {
            return Ok(found);
        }
    }
}

/// Waits for the next part of a job's result until the deadline, and returns whether it is the
/// last.
async fn next(ticket: &mut Ticket, request: Request) -> Result<(Found, bool), Problem> {
    loop {
        match tokio::time::timeout_at(request.deadline.into(), ticket.more()).await {
            Ok(Progress::Queued | Progress::Running(None)) => {}
            Ok(Progress::Running(Some(part))) => return Ok((part, false)),
            Ok(Progress::End(result)) => return Ok((checked(result?, request)?, true)),
            Err(_) => {
                let search = ticket.search();
                let problem = Problem::deadline(ticket.is_queued());
                return Err(problem.with_findings(search.bounds(), search.nodes()));
            }
        }
    }
}

fn checked(result: JobResult, request: Request) -> Result<Found, Problem> {
    result.map_err(|error| match (&*error, request.max_nodes) {
        (OracleError::Stopped(stopped), Some(most)) if stopped.reason == StopReason::NodeBudget => {
            Problem::node_budget(most).with_findings(stopped.bounds, stopped.nodes)
        }
        (error, _) => Problem::from(error),
    })
}
