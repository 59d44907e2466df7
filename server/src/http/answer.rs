//! Answering requests: the book at once, everything else by jobs of the solver pool.

use super::Daemon;
use super::books::Loaded;
use super::pool::{Address, EASY_NODES, Found, Key, Progress, Question, Ticket};
use super::problem::{Problem, Result};
use super::response::Validators;
use fourbook::board::ScoreBounds;
use fourbook::oracle::{Game, GameReview, Knowledge, OracleError};
use fourbook::solver::Budget;
use fourbook::{Level, Limits, Position, Score, Source};
use futures_util::stream::{self, Stream, StreamExt};
use std::future::ready;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// A request about a position, and the limits of its searches.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) daemon: Arc<Daemon>,
    /// The book for the board.
    pub(super) loaded: Arc<Loaded>,
    pub(super) position: Position,
    /// The address that its searches count for.
    pub(super) address: Address,
    /// Whether only the score of the position is wanted, not the scores of its moves.
    pub(super) only_score: bool,
    /// Whether to wait for searches; by default only for the score.
    pub(super) wait: Option<bool>,
    /// Whether an incomplete answer is preferred to a problem.
    pub(super) takes_part: bool,
    pub(super) deadline: Instant,
    /// Node limit for each job.
    pub(super) max_nodes: Option<u64>,
    /// If this is one of many positions, the turns of the easy ones, and of the others.
    pub(super) turns: Option<Arc<[Semaphore; 2]>>,
}

/// The known scores of a position, and how long solving took if this request solved anything.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) knowledge: Knowledge,
    pub(super) took: Option<Duration>,
}

impl Request {
    /// The tag of the answer of `route`.
    pub(super) fn validators(&self, route: &str) -> Validators {
        Validators::new(route, &self.loaded.identity, self.position.key())
    }

    /// Whether a request need not wait for more.
    fn is_met_by(&self, knowledge: &Knowledge) -> bool {
        match self.wait {
            Some(false) => true,
            Some(true) if !self.only_score => knowledge.is_complete(),
            _ => knowledge.score().is_some(),
        }
    }

    /// Returns the scores of the position from the book, an earlier job or a new one.
    pub(super) async fn answer(&self) -> Result<Answer> {
        let mut known = self.known()?;
        let mut took = None;
        if self.is_met_by(&known) {
            if self.only_score && known.score().is_none() {
                return Err(Problem::not_in_book(
                    "the book does not have the position's score; ask without wait=false \
                     to have it solved",
                ));
            }
        } else {
            let start = Instant::now();
            match self.learn(self.scores(), &mut known).await {
                Err(problem) if !self.takes_part || known.score().is_none() => {
                    return Err(problem.about(&known));
                }
                _ => took = Some(start.elapsed()),
            }
        }
        self.daemon.metrics.answer(&known);
        Ok(Answer { knowledge: known, took })
    }

    /// Returns the known scores of the position, first at once and then whenever a move is solved.
    /// Nothing follows a problem.
    pub(super) fn follow(self) -> Result<impl Stream<Item = Result<Knowledge>> + use<>> {
        let known = self.known()?;
        let ticket = (!self.is_met_by(&known))
            .then(|| self.submit(self.scores(), known.clone()))
            .transpose()?;
        let metrics = Arc::clone(&self.daemon.metrics);
        let mut is_counted = false;
        let under_way = ticket.map(|ticket| (ticket, self));
        let parts = stream::unfold(under_way, async |under_way| {
            let (mut ticket, request) = under_way?;
            let (found, goes_on) = match request.next(&mut ticket).await {
                Progress::Part(part) => (Ok(part), true),
                Progress::End(result) => (result, false),
            };
            let part = found.map(|found| turned(&found.knowledge, request.position));
            Some((part, goes_on.then_some((ticket, request))))
        });
        let all = stream::once(ready(Ok(known))).chain(parts);
        Ok(all.inspect(move |part| match part {
            Ok(known) if !is_counted => {
                metrics.answer(known);
                is_counted = known.score().is_some();
            }
            Ok(_) => {}
            Err(problem) => metrics.problem(problem),
        }))
    }

    /// Reviews the game that ends in the position. Its positions are jobs of their own, so that
    /// others get their turn.
    pub(super) async fn review(&self, game: &Game) -> Result<GameReview> {
        let mut scores = Vec::new();
        // The last positions are the easiest, and their proofs help with the others.
        for &position in game.positions().iter().rev() {
            scores.push(Request { position, ..self.clone() }.score().await?.0);
        }
        scores.reverse();
        let (_, line) = self.line().await?;
        Ok(game.review(&scores, &line))
    }

    /// Returns the score and the principal variation of the position.
    pub(super) async fn line(&self) -> Result<(Score, Arc<[usize]>)> {
        let (score, known) = self.score().await?;
        if self.position.is_over() {
            return Ok((score, Arc::default()));
        }
        Ok((score, self.solve(Question::Line, known, &mut |_| ()).await?.line))
    }

    /// Returns the score of the position, and the knowledge that has it.
    async fn score(&self) -> Result<(Score, Knowledge)> {
        let Answer { knowledge, .. } =
            Request { only_score: true, ..self.clone() }.answer().await?;
        Ok((knowledge.score().expect("the answer has it").score, knowledge))
    }

    /// Returns the column that a level plays with a seed, as [`Level::find_move`] does, `None`
    /// if the game is over; the bounds of the score if a limit left the move unproved; and whether
    /// no limit was reached, so that the move is always the same.
    pub(super) async fn choose(
        &self,
        level: Level,
        seed: u64,
    ) -> Result<(Option<usize>, Option<ScoreBounds>, bool)> {
        if let Some(column) = level.move_at_once(self.position, &self.loaded.oracle, seed)? {
            let wins = self.position.can_win_at_once();
            self.daemon.metrics.answer_of(if wins { Source::Derived } else { Source::Strategy });
            return Ok((Some(column), None, true));
        }
        let mut known = self.known()?;
        let mut is_whole = true;
        let mut is_limit = |problem: Problem| {
            is_whole = false;
            if problem.is_unsolved() { Ok(()) } else { Err(problem) }
        };
        if !level.is_quick() && !known.is_complete() {
            let now = Instant::now();
            let deadline = now + self.deadline.saturating_duration_since(now) * 3 / 4;
            let request = Request { deadline, ..self.clone() };
            request.learn(Question::AllScores, &mut known).await.or_else(&mut is_limit)?;
        }
        // The first stones take microseconds.
        let plies = level.looks_ahead();
        let budget = Budget::new(&Limits::default());
        let looked = known.look_ahead(plies, &budget);
        if looked.is_ok_and(|can_look_further| can_look_further) {
            self.learn(Question::Ahead(plies), &mut known).await.or_else(&mut is_limit)?;
        }
        self.daemon.metrics.answer(&known);
        let (column, is_proved) = level.decide(&known, seed);
        Ok((column, (!is_proved).then(|| known.bounds()), is_whole))
    }

    /// Returns the scores of the position known without a new search.
    fn known(&self) -> Result<Knowledge> {
        let Request { daemon, loaded, position, only_score, .. } = self;
        if *only_score && let Some(known) = Knowledge::of_score(loaded.oracle.book(), *position)? {
            return Ok(known);
        }
        let known = loaded.oracle.known(*position)?;
        if known.is_complete() || known.score().is_some() && *only_score {
            return Ok(known);
        }
        let key = (Arc::clone(&loaded.identity), position.canonical());
        let Some(solved) = daemon.solved.get(&key) else { return Ok(known) };
        daemon.metrics.cached.inc();
        Ok(turned(&solved, *position))
    }

    fn scores(&self) -> Question {
        if self.only_score { Question::Score } else { Question::AllScores }
    }

    /// Submits a question about the position to the pool, or joins an equal job. A new job starts
    /// from `known`.
    fn submit(&self, question: Question, known: Knowledge) -> Result<Ticket> {
        // The pool belongs to the daemon, so no job may hold it.
        let solved = Arc::clone(&self.daemon.solved);
        let loaded = Arc::clone(&self.loaded);
        let position = match question {
            Question::Line => self.position,
            _ => self.position.canonical(),
        };
        let identity = Arc::clone(&loaded.identity);
        let key = Key { identity, position, question, max_nodes: self.max_nodes };
        let mut knowledge = turned(&known, position);
        self.daemon.pool.submit(self.address, key, move |limits: Limits, tell| {
            let search = limits.progress.clone().unwrap_or_default();
            let oracle = loaded.oracle.with_limits(limits);
            let part = |knowledge: &Knowledge| Found {
                knowledge: Arc::new(knowledge.clone()),
                line: Arc::default(),
            };
            match question {
                Question::Line => {
                    let line = oracle.line(position)?.value.1.into();
                    return Ok(Found { line, ..part(&knowledge) });
                }
                Question::Score => {
                    knowledge.learn_score(oracle.score(position)?.value, search.nodes());
                }
                Question::Ahead(plies) => {
                    let budget = Budget::new(oracle.limits());
                    while knowledge
                        .look_ahead(plies, &budget)
                        .map_err(|reason| OracleError::from(budget.stopped(reason)))?
                    {
                        tell(part(&knowledge));
                    }
                    return Ok(part(&knowledge));
                }
                Question::AllScores => oracle.complete(&mut knowledge, &mut |known| {
                    // The end of the job sends the last event.
                    if !known.is_complete() {
                        tell(part(known));
                    }
                })?,
            }
            let found = part(&knowledge);
            solved.insert((Arc::clone(&loaded.identity), position), Arc::clone(&found.knowledge));
            Ok(found)
        })
    }

    /// Adds to `known` what a job finds before its end, or before a limit, which is the problem then.
    async fn learn(&self, question: Question, known: &mut Knowledge) -> Result<()> {
        let before = known.clone();
        let learn = &mut |found: &Found| known.learn_from(&turned(&found.knowledge, self.position));
        let found = self.solve(question, before, learn).await;
        match &found {
            Ok(found) => learn(found),
            Err(problem) => {
                problem.bounds.into_iter().for_each(|bounds| known.learn_bounds(bounds))
            }
        }
        found.map(drop)
    }

    /// Runs a job to its end, or to the deadline, and calls `on_part` with its partial results.
    /// Counts the problem if a limit was reached.
    async fn solve(
        &self,
        question: Question,
        known: Knowledge,
        on_part: &mut (dyn FnMut(&Found) + Send),
    ) -> Result<Found> {
        let found = match &self.turns {
            Some(turns) => self.solve_in_turn(turns, question, known, on_part).await,
            None => self.run(question, known, on_part).await,
        };
        found.inspect_err(|problem| self.daemon.metrics.problem(problem))
    }

    /// Runs a job that must not become long, and if it would, waits for its turn to run it whole. So
    /// easy positions never wait for hard ones.
    async fn solve_in_turn(
        &self,
        [easy, long]: &[Semaphore; 2],
        question: Question,
        known: Knowledge,
        on_part: &mut (dyn FnMut(&Found) + Send),
    ) -> Result<Found> {
        let max_nodes = self.max_nodes.unwrap_or(u64::MAX).min(EASY_NODES);
        let request = Request { max_nodes: Some(max_nodes), ..self.clone() };
        let turn = easy.acquire().await;
        let found = request.run(question, known.clone(), on_part).await;
        drop(turn);
        let may_go_on = self.max_nodes != request.max_nodes && Instant::now() < self.deadline;
        if !found.as_ref().is_err_and(|problem| may_go_on && problem.is_unsolved()) {
            return found;
        }
        let _turn = long.acquire().await;
        self.run(question, known, on_part).await
    }

    /// Runs a job to its end, or to the deadline, and calls `on_part` with its partial results.
    async fn run(
        &self,
        question: Question,
        known: Knowledge,
        on_part: &mut (dyn FnMut(&Found) + Send),
    ) -> Result<Found> {
        let mut ticket = self.submit(question, known)?;
        loop {
            match self.next(&mut ticket).await {
                Progress::Part(part) => on_part(&part),
                Progress::End(result) => return result,
            }
        }
    }

    /// Waits for the next progress of a job. At the deadline, that is a problem.
    async fn next(&self, ticket: &mut Ticket) -> Progress {
        let more = tokio::time::timeout_at(self.deadline.into(), ticket.more()).await;
        more.unwrap_or_else(|_| Progress::End(Err(ticket.deadline())))
    }
}

/// Returns the knowledge of a position, from its own or from its mirror image's.
fn turned(knowledge: &Knowledge, position: Position) -> Knowledge {
    if knowledge.position() == position { knowledge.clone() } else { knowledge.mirrored() }
}
