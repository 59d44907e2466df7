//! Answering requests: the book at once, everything else by jobs of the solver pool.

use super::Daemon;
use super::books::Loaded;
use super::pool::{Found, Progress, Question, Ticket};
use super::problem::Problem;
use fourbook::oracle::{Game, GameReview, Knowledge, OracleError};
use fourbook::{Level, Oracle, Position, Score, Source};
use futures_util::stream::{self, Stream, StreamExt};
use std::future::ready;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The question of a request about a position, and its limits.
#[derive(Clone)]
pub(super) struct Request {
    /// The book for the board.
    pub(super) loaded: Arc<Loaded>,
    pub(super) position: Position,
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

/// The work of a job with the oracle of its request; it may report partial results. It is called
/// again when its slice has ended.
type Work = Box<dyn FnMut(&Oracle, &dyn Fn(Found)) -> Result<Found, OracleError> + Send>;

impl Daemon {
    /// Returns the scores of a position from the book, an earlier job or a new one.
    pub(super) async fn answer(&self, request: &Request) -> Result<Answer, Problem> {
        let known = self.known(request)?;
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
            match async { wait(self.solve(request)?, request).await }.await {
                Ok(found) => Answer {
                    knowledge: knowledge_of(request.position, &found),
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
        request: Request,
    ) -> Result<impl Stream<Item = Result<Knowledge, Problem>> + use<>, Problem> {
        let known = self.known(&request)?;
        let under_way = match request.is_met_by(&known) {
            true => None,
            false => Some((self.solve(&request)?, request)),
        };
        known.score().inspect(|known| self.metrics.answer(known.source));
        let parts = stream::unfold(under_way, async |under_way| {
            let (mut ticket, request) = under_way?;
            let found = next(&mut ticket, &request).await;
            let goes_on = matches!(found, Ok((_, false)));
            let part = found.map(|(found, _)| knowledge_of(request.position, &found));
            Some((part, goes_on.then_some((ticket, request))))
        });
        Ok(stream::once(ready(Ok(known))).chain(parts))
    }

    /// Reviews the game that ends in the position of the request. Its positions are jobs of their
    /// own, so that others get their turn.
    pub(super) async fn review(
        &self,
        game: &Game,
        request: &Request,
    ) -> Result<GameReview, Problem> {
        let mut scores = Vec::new();
        // The last positions are the easiest, and their proofs help with the others.
        for &position in game.positions().iter().rev() {
            scores.push(self.score(&Request { position, ..request.clone() }).await?);
        }
        scores.reverse();
        let (_, line) = self.line(request).await?;
        Ok(game.review(&scores, &line))
    }

    /// Returns the score and the principal variation of a position.
    pub(super) async fn line(&self, request: &Request) -> Result<(Score, Arc<[usize]>), Problem> {
        let (position, score) = (request.position, self.score(request).await?);
        if position.is_over() {
            return Ok((score, Arc::default()));
        }
        let find = move |oracle: &Oracle| Ok(oracle.line(position)?.value.1);
        Ok((score, self.columns(Question::Line(position.key()), request, find).await?))
    }

    async fn score(&self, request: &Request) -> Result<Score, Problem> {
        let answer = self.answer(&Request { only_score: true, ..request.clone() }).await?;
        Ok(answer.knowledge.score().expect("the answer has it").score)
    }

    /// Returns the column that a level plays with a seed, as [`Level::find_move`] does; `None`
    /// if the game is over.
    pub(super) async fn choose(
        &self,
        level: Level,
        seed: u64,
        request: &Request,
    ) -> Result<Option<usize>, Problem> {
        let (known, position) = (self.known(request)?, request.position);
        if let Some(column) = level.opening(&known) {
            self.metrics.answer(known.score().map_or(Source::Derived, |known| known.source));
            return Ok(Some(column));
        }
        if level.is_quick() && !known.is_complete() {
            let find = move |oracle: &Oracle| {
                Ok(level.find_quickly(position, oracle, seed)?.into_iter().collect())
            };
            let question = Question::Move(position.key(), level, seed);
            let column = self.columns(question, request, find).await?.first().copied();
            self.metrics.answer(known.score().map_or(Source::Solver, |known| known.source));
            return Ok(column);
        }
        let answer = self.answer(request).await.map_err(Problem::of_strong_level)?;
        Ok(level.choose(position, &answer.knowledge.move_scores(), seed))
    }

    /// Returns the scores of a position known without a new search.
    fn known(&self, request: &Request) -> Result<Knowledge, Problem> {
        let Request { loaded, position, only_score, .. } = request;
        if *only_score && let Some(known) = Knowledge::of_score(loaded.oracle.book(), *position)? {
            return Ok(known);
        }
        let known = loaded.oracle.known(*position)?;
        if known.is_complete() || known.score().is_some() && *only_score {
            return Ok(known);
        }
        let key = (loaded.key(), position.canonical_key());
        let Some(solved) = self.solved.get(&key) else { return Ok(known) };
        self.metrics.cached.inc();
        Ok(turned(*position, &solved))
    }

    /// Submits a position to the pool.
    fn solve(&self, request: &Request) -> Result<Ticket, Problem> {
        let (position, only_score) = (request.position.canonical(), request.only_score);
        let (solved, key) = (Arc::clone(&self.solved), (request.loaded.key(), position.key()));
        // What earlier slices have found.
        let (mut found, mut spent) = (None, 0);
        let work: Work = Box::new(move |oracle, tell| {
            let knowledge = match &mut found {
                Some(knowledge) => knowledge,
                none => none.insert(oracle.known(position)?),
            };
            if only_score {
                let answer = oracle.score(position).inspect_err(|error| {
                    if let OracleError::Stopped(stopped) = error {
                        spent += stopped.nodes;
                    }
                })?;
                knowledge.learn_score(fourbook::Answer { nodes: spent + answer.nodes, ..answer });
            } else {
                oracle.complete(knowledge, &mut |part| {
                    // The end of the job sends the last event.
                    if !part.is_complete() {
                        tell(Found::Knowledge(Arc::new(part.clone())));
                    }
                })?;
            }
            let knowledge = Arc::new(knowledge.clone());
            solved.insert(key, Arc::clone(&knowledge));
            Ok(Found::Knowledge(knowledge))
        });
        let question = if only_score { Question::Score } else { Question::AllScores };
        self.submit(question(position.key()), request, work)
    }

    /// Runs a job that finds columns to its end, or to the deadline of the request.
    async fn columns(
        &self,
        question: Question,
        request: &Request,
        find: impl Fn(&Oracle) -> Result<Vec<usize>, OracleError> + Send + 'static,
    ) -> Result<Arc<[usize]>, Problem> {
        let work: Work = Box::new(move |oracle, _| Ok(Found::Columns(find(oracle)?.into())));
        match wait(self.submit(question, request, work)?, request).await {
            Ok(Found::Columns(columns)) => Ok(columns),
            Ok(other) => unreachable!("the job finds no {other:?}"),
            Err(problem) => Err(self.counted(problem)),
        }
    }

    /// Submits a job to the pool, or joins an equal one.
    fn submit(
        &self,
        question: Question,
        request: &Request,
        mut work: Work,
    ) -> Result<Ticket, Problem> {
        let (loaded, metrics) = (Arc::clone(&request.loaded), Arc::clone(&self.metrics));
        let key = (loaded.key(), question, request.max_nodes);
        self.pool.submit(key, move |limits, tell| {
            let found = work(&loaded.oracle.with_limits(limits), tell);
            metrics.nodes.inc_by(loaded.new_nodes());
            found
        })
    }

    /// Counts a problem if a limit of the solver was reached.
    fn counted(&self, problem: Problem) -> Problem {
        if problem.is_unsolved() {
            self.metrics.unsolved.inc();
        }
        problem
    }
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
async fn wait(mut ticket: Ticket, request: &Request) -> Result<Found, Problem> {
    loop {
        if let (found, true) = next(&mut ticket, request).await? {
            return Ok(found);
        }
    }
}

/// Waits for the next part of a job's result until the deadline, and returns whether it is the
/// last.
async fn next(ticket: &mut Ticket, request: &Request) -> Result<(Found, bool), Problem> {
    loop {
        match tokio::time::timeout_at(request.deadline.into(), ticket.more()).await {
            Ok(Progress::Begun) => {}
            Ok(Progress::Part(part)) => return Ok((part, false)),
            Ok(Progress::End(result)) => return Ok((result?, true)),
            Err(_) => {
                let search = ticket.search();
                let problem = Problem::deadline(ticket.is_queued());
                return Err(problem.with_findings(search.bounds(), search.nodes()));
            }
        }
    }
}
