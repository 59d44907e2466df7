//! How a question is answered: what the book knows at once, the rest by the solver, as far
//! as the client wants to wait for it.

use super::Daemon;
use super::boards::Loaded;
use super::pool::{Progress, Ticket};
use super::problem::Problem;
use super::question::Question;
use super::search::{self, Found, SearchKey, Solved};
use fourbook::oracle::{Game, GameReview, Knowledge};
use fourbook::{Position, Score};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a client wants to know of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Wanted {
    /// The position's score alone.
    Score,
    /// The scores of its moves as well.
    All,
}

/// How long a client waits for what the book does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// Not at all.
    Never,
    /// Until there is a score of the position.
    ForScore,
    /// Until all is there that is wanted.
    ForAll,
}

/// What a request asks for, and what it may have of the solver.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) wanted: Wanted,
    wait: Wait,
    /// Whether a part is better than nothing when there is no more time.
    takes_part: bool,
    /// Until when it waits.
    pub(super) deadline: Instant,
    /// The most nodes for a position, its moves included.
    pub(super) max_nodes: Option<u64>,
}

impl Terms {
    /// The same for a client that wants all or nothing.
    pub(super) fn all_or_nothing(self) -> Self {
        Terms { takes_part: false, ..self }
    }

    /// Whether there is nothing more to wait for.
    fn are_met_by(&self, knowledge: &Knowledge) -> bool {
        let has_score = knowledge.score().is_some();
        match (self.wait, self.wanted) {
            (Wait::Never, _) => true,
            (Wait::ForScore, _) | (Wait::ForAll, Wanted::Score) => has_score,
            (Wait::ForAll, Wanted::All) => knowledge.is_complete(),
        }
    }
}

/// What is known of a position, and how long it took if it was solved for this question.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) knowledge: Knowledge,
    pub(super) took: Option<Duration>,
}

impl Daemon {
    /// The terms of a request that begins now. It may ask for fewer nodes a position than
    /// the daemon would visit, not for more.
    pub(super) fn terms(&self, wanted: Wanted, wait: Wait, max_nodes: Option<NonZeroU64>) -> Terms {
        let asked = max_nodes.map(NonZeroU64::get);
        let max_nodes = [asked, self.options.max_nodes].into_iter().flatten().min();
        let deadline = Instant::now() + self.options.deadline;
        Terms { wanted, wait, takes_part: true, deadline, max_nodes }
    }

    /// What is known of a position: from the book, from an earlier search, or from the
    /// solver, as far as the terms say that it is worth waiting for.
    ///
    /// # Errors
    ///
    /// If it has to be searched and that cannot be done now or in time.
    pub(super) async fn answer(
        &self,
        loaded: &Arc<Loaded>,
        question: Question,
        terms: Terms,
    ) -> Result<Answered, Problem> {
        let answered = self.find(loaded, question, terms).await;
        match &answered {
            Ok(answered) => {
                answered.knowledge.score().inspect(|known| self.metrics.answer(known.source));
            }
            Err(problem) => self.note_unsolved(problem),
        }
        answered
    }

    /// Counts what a limit of the solver has ended.
    pub(super) fn note_unsolved(&self, problem: &Problem) {
        if problem.is_unsolved() {
            self.metrics.unsolved.inc();
        }
    }

    async fn find(
        &self,
        loaded: &Arc<Loaded>,
        question: Question,
        terms: Terms,
    ) -> Result<Answered, Problem> {
        let knowledge = self.known(loaded, question, terms);
        if terms.are_met_by(&knowledge) {
            if terms.wanted == Wanted::Score && knowledge.score().is_none() {
                return Err(Problem::not_in_book(
                    "the book does not have the position's score; ask without wait=false \
                     to have it solved",
                ));
            }
            return Ok(Answered { knowledge, took: None });
        }
        let start = Instant::now();
        let solved = match self.solve(loaded, question, terms) {
            Ok(ticket) => search::wait(ticket, terms).await.map(Found::into_knowledge),
            Err(problem) => Err(problem),
        };
        match solved {
            Ok(solved) => {
                let knowledge = question.of_canonical(&solved);
                Ok(Answered { knowledge, took: Some(start.elapsed()) })
            }
            Err(_) if terms.takes_part && knowledge.score().is_some() => {
                Ok(Answered { knowledge, took: None })
            }
            Err(problem) => Err(problem.about(&knowledge)),
        }
    }

    /// What is known without another search.
    pub(super) fn known(&self, loaded: &Loaded, question: Question, terms: Terms) -> Knowledge {
        let known = loaded.oracle.known(question.position);
        if known.is_complete() || known.score().is_some() && terms.wanted == Wanted::Score {
            return known;
        }
        let key = (loaded.generation, question.canonical_key);
        let Some(solved) = self.solved.get(&key) else { return known };
        self.metrics.cached.inc();
        question.of_canonical(&solved)
    }

    /// What is known of a position at once, and then whenever more is, until all is.
    pub(super) fn follow(
        &self,
        loaded: &Arc<Loaded>,
        question: Question,
        terms: Terms,
    ) -> Result<Followed, Problem> {
        let known = self.known(loaded, question, terms);
        let ticket = match terms.are_met_by(&known) {
            true => None,
            false => Some(self.solve(loaded, question, terms)?),
        };
        known.score().inspect(|known| self.metrics.answer(known.source));
        Ok(Followed { question, terms, known: Some(known), ticket })
    }

    /// What a game was worth.
    ///
    /// # Errors
    ///
    /// As [`answer`](Self::answer).
    pub(super) async fn review(
        &self,
        loaded: &Arc<Loaded>,
        game: &Game,
        max_nodes: Option<NonZeroU64>,
    ) -> Result<GameReview, Problem> {
        let score = self.terms(Wanted::Score, Wait::ForAll, max_nodes);
        // As many at a time as there are solver threads: one request does not fill the queue.
        let scores = stream::iter(game.positions().to_vec())
            .map(|position| self.score(loaded, position, score))
            .buffered(self.solver_threads());
        let scores: Vec<Score> = scores.try_collect().await?;
        let end = scores[scores.len() - 1];
        let line = self.line(loaded, game.end(), end, score).await?;
        Ok(game.review(&scores, &line))
    }

    /// The score of a position, and the moves of perfect play to the end of the game.
    ///
    /// # Errors
    ///
    /// As [`answer`](Self::answer).
    pub(super) async fn main_line(
        &self,
        loaded: &Arc<Loaded>,
        position: Position,
        max_nodes: Option<NonZeroU64>,
    ) -> Result<(Score, Vec<usize>), Problem> {
        let terms = self.terms(Wanted::Score, Wait::ForAll, max_nodes);
        let score = self.score(loaded, position, terms).await?;
        Ok((score, self.line(loaded, position, score, terms).await?))
    }

    /// The moves of perfect play from a position with a score to the end of the game.
    async fn line(
        &self,
        loaded: &Arc<Loaded>,
        mut position: Position,
        mut score: Score,
        terms: Terms,
    ) -> Result<Vec<usize>, Problem> {
        let mut line = Vec::new();
        while !position.is_over() {
            let best = self.best_move(loaded, position, score, terms).await?;
            line.push(best);
            position = position.play(best);
            score = -score;
        }
        Ok(line)
    }

    /// A column that reaches the score of a position that is not over.
    async fn best_move(
        &self,
        loaded: &Arc<Loaded>,
        position: Position,
        score: Score,
        terms: Terms,
    ) -> Result<usize, Problem> {
        for column in loaded.oracle.known(position).candidates(score) {
            if -self.score(loaded, position.play(column), terms).await? == score {
                return Ok(column);
            }
        }
        unreachable!("some move reaches the score")
    }

    /// The score of a position.
    async fn score(
        &self,
        loaded: &Arc<Loaded>,
        position: Position,
        terms: Terms,
    ) -> Result<Score, Problem> {
        let answered = self.answer(loaded, Question::of(position), terms).await?;
        Ok(answered.knowledge.score().expect("the answer has it").score)
    }
}

/// A question whose answer comes in parts.
#[derive(Debug)]
pub(super) struct Followed {
    question: Question,
    terms: Terms,
    /// What was known at once, until it is told.
    known: Option<Knowledge>,
    /// Until the end is told.
    ticket: Option<Ticket<SearchKey, Solved>>,
}

impl Followed {
    /// What is known by now, as soon as that is more than what was told last; `None` after
    /// the end. Nothing comes after a problem.
    pub(super) async fn next(&mut self) -> Option<Result<Knowledge, Problem>> {
        if let Some(known) = self.known.take() {
            return Some(Ok(known));
        }
        let ticket = self.ticket.as_mut()?;
        loop {
            let more = tokio::time::timeout_at(self.terms.deadline.into(), ticket.more()).await;
            let solved = match more {
                Ok(Progress::Nothing) => continue,
                Ok(Progress::Part(part)) => {
                    return Some(search::found(part, self.terms).map(|part| self.turned(part)));
                }
                Ok(Progress::End(result)) => result
                    .map_err(Problem::from)
                    .and_then(|solved| search::found(solved, self.terms)),
                Err(_) => Err(Problem::deadline()),
            };
            self.ticket = None;
            return Some(solved.map(|found| self.turned(found)));
        }
    }

    fn turned(&self, canonical: Found) -> Knowledge {
        self.question.of_canonical(&canonical.into_knowledge())
    }
}
