//! Answering requests: the book at once, everything else by queries in the solver pool.

use super::Daemon;
use super::books::Loaded;
use super::pool::{Address, EASY_NODES, Key, Progress, Ticket};
use super::problem::{Problem, Result};
use super::response::Validators;
use fourbook::Position;
use fourbook::oracle::{Analysis, Query, Question};
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
    /// If this is one of many positions, the turns of the hard ones.
    pub(super) turns: Option<Arc<Semaphore>>,
}

/// An analysis of a position, and how long solving took if this request solved anything.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) known: Analysis,
    pub(super) took: Option<Duration>,
}

impl Request {
    /// The tag of the answer of `route`.
    pub(super) fn validators(&self, route: &str) -> Validators {
        Validators::new(route, &self.loaded.identity, self.position.key())
    }

    /// Whether a request need not wait for more.
    fn is_met_by(&self, known: &Analysis) -> bool {
        match self.wait {
            Some(false) => true,
            Some(true) if !self.only_score => known.is_complete(),
            _ => known.score().is_some(),
        }
    }

    /// Returns the scores of the position from the book, an earlier query or a new one.
    pub(super) async fn answer(&self) -> Result<Answer> {
        let query = self.begin(self.scores())?;
        let mut known = query.known().clone();
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
            let (query, problem) = self.solve(query).await?;
            known = turned(query.known(), self.position);
            if let Some(problem) = problem
                && (!self.takes_part || known.score().is_none())
            {
                return Err(problem.about(&known));
            }
            took = Some(start.elapsed());
        }
        self.daemon.metrics.answer(known.source());
        Ok(Answer { known, took })
    }

    /// Returns the known scores of the position, first at once and then whenever there are more.
    /// Nothing follows a problem.
    pub(super) fn follow(self) -> Result<impl Stream<Item = Result<Analysis>> + use<>> {
        let query = self.begin(self.scores())?;
        let known = query.known().clone();
        let ticket = (!self.is_met_by(&known)).then(|| self.submit(&query)).transpose()?;
        let metrics = Arc::clone(&self.daemon.metrics);
        let mut is_counted = false;
        let under_way = ticket.map(|ticket| (ticket, self, known.moves().to_vec()));
        let parts = stream::unfold(under_way, async |under_way| {
            let (mut ticket, request, mut before) = under_way?;
            loop {
                let Progress { query, end } = request.next(&mut ticket).await;
                let known = turned(query.known(), request.position);
                if end.is_some() {
                    request.keep(&query);
                }
                match end {
                    Some(Ok(())) => return Some((Ok(known), None)),
                    Some(Err(problem)) => return Some((Err(problem), None)),
                    None if known.score().is_some() && known.moves() != before => {
                        before = known.moves().to_vec();
                        return Some((Ok(known), Some((ticket, request, before))));
                    }
                    None => {}
                }
            }
        });
        let all = stream::once(ready(Ok(known))).chain(parts);
        Ok(all.inspect(move |part| match part {
            Ok(known) if !is_counted => {
                metrics.answer(known.source());
                is_counted = known.score().is_some();
            }
            Ok(_) => {}
            Err(problem) => metrics.problem(problem),
        }))
    }

    /// Answers a question about the position within the limits. Returns the problem, too, if one
    /// was reached.
    pub(super) async fn ask(&self, question: Question) -> Result<(Arc<Query>, Option<Problem>)> {
        let (query, problem) = self.solve(self.begin(question)?).await?;
        self.daemon.metrics.answer(query.source());
        Ok((query, problem))
    }

    /// Answers a question about the position; a limit is a problem.
    pub(super) async fn ask_whole(&self, question: Question) -> Result<Arc<Query>> {
        let (query, problem) = self.ask(question).await?;
        problem.map_or(Ok(query), Err)
    }

    fn scores(&self) -> Question {
        if self.only_score { Question::Score } else { Question::Moves }
    }

    /// Begins to answer a question, with what earlier searches found of the position.
    fn begin(&self, question: Question) -> Result<Query> {
        let mut query = self.loaded.oracle.query(self.position, question)?;
        if !query.is_done()
            && let Some(solved) = self.daemon.solved.get(&self.solved_key())
        {
            self.daemon.metrics.cached.inc();
            query.learn_from(&turned(&solved, self.position));
        }
        Ok(query)
    }

    /// Keeps what a query has found for later requests.
    fn keep(&self, query: &Query) {
        if query.known().score().is_some() {
            let solved = turned(query.known(), self.position.canonical());
            self.daemon.solved.insert(self.solved_key(), Arc::new(solved));
        }
    }

    fn solved_key(&self) -> (Arc<str>, Position) {
        (Arc::clone(&self.loaded.identity), self.position.canonical())
    }

    /// Submits a query to the pool, or joins an equal one.
    fn submit(&self, query: &Query) -> Result<Ticket> {
        let question = query.question().clone();
        let position = match question {
            Question::Score | Question::Moves => self.position.canonical(),
            _ => self.position,
        };
        let mut begun = self.loaded.oracle.query(position, question.clone())?;
        begun.learn_from(&turned(query.known(), position));
        let identity = Arc::clone(&self.loaded.identity);
        let key = Key { identity, position, question, max_nodes: self.max_nodes };
        self.daemon.pool.submit(self.address, key, begun)
    }

    /// Has the pool answer a query. Returns the query, and the problem if a limit was
    /// reached before it was complete, which is counted.
    async fn solve(&self, query: Query) -> Result<(Arc<Query>, Option<Problem>)> {
        let mut latest = Arc::new(query);
        if latest.is_done() {
            return Ok((latest, None));
        }
        let ended = match &self.turns {
            Some(turns) => self.run_in_turn(turns, &mut latest).await,
            None => self.run(&mut latest).await,
        };
        self.keep(&latest);
        match ended {
            Ok(()) => Ok((latest, None)),
            Err(problem) if problem.is_unsolved() => {
                self.daemon.metrics.problem(&problem);
                Ok((latest, Some(problem)))
            }
            Err(problem) => Err(problem),
        }
    }

    /// Runs a query that must not become long, and if it would, waits for its turn to run it whole. So
    /// easy positions never wait for hard ones.
    async fn run_in_turn(&self, turns: &Semaphore, latest: &mut Arc<Query>) -> Result<()> {
        let max_nodes = self.max_nodes.unwrap_or(u64::MAX).min(EASY_NODES);
        let request = Request { max_nodes: Some(max_nodes), ..self.clone() };
        let ended = request.run(latest).await;
        let may_go_on = self.max_nodes != request.max_nodes && Instant::now() < self.deadline;
        if !ended.as_ref().is_err_and(|problem| may_go_on && problem.is_unsolved()) {
            return ended;
        }
        let _turn = turns.acquire().await;
        self.run(latest).await
    }

    /// Runs a query to its end, or to the deadline.
    async fn run(&self, latest: &mut Arc<Query>) -> Result<()> {
        let mut ticket = self.submit(latest)?;
        loop {
            let Progress { query, end } = self.next(&mut ticket).await;
            *latest = query;
            if let Some(end) = end {
                return end;
            }
        }
    }

    /// Waits for the next progress of a query. At the deadline, that is a problem.
    async fn next(&self, ticket: &mut Ticket) -> Progress {
        let more = tokio::time::timeout_at(self.deadline.into(), ticket.more()).await;
        more.unwrap_or_else(|_| ticket.at_deadline())
    }
}

/// Returns what is known of a position, from its own analysis or from its mirror image's.
fn turned(known: &Analysis, position: Position) -> Analysis {
    if known.position() == position { known.clone() } else { known.mirrored() }
}
