//! A question that is answered in steps.

use super::ahead::{INSTANT, score_within};
use super::analysis::Analysis;
use super::{Answer, Game, GameReview, Oracle, OracleError, Source, Values};
use crate::level::Level;
use fourbook_solver::board::{Position, Score, ScoreBounds};
use fourbook_solver::text::NameError;
use fourbook_solver::{Budget, Limits, StopReason, Stopped, TableError, ValueKind, thread_count};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

/// How many times more nodes it takes to look two stones further ahead.
const LONGER: u64 = 8;
/// Looking ahead may take one part in this many of the nodes of a search.
const AHEAD_PARTS: u64 = 8;

/// Nodes within which a search gets further.
const LEAST_NODES: u64 = 1 << 12;

/// What to find out about a position.
///
/// All but [`Play`](Self::Play) have one answer, whatever the limits on the way to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Question {
    /// The exact score.
    Score,
    /// Who wins; takes less than the score.
    Outcome,
    /// The scores of all moves.
    Moves,
    /// The score and one best move.
    BestMove,
    /// The score and all best moves; takes less than the scores of all moves.
    BestMoves,
    /// The score and the moves of perfect play to the end of the game.
    Line,
    /// The move that a level plays.
    Play {
        /// The level.
        level: Level,
        /// Chooses among moves: see [`Level`].
        seed: u64,
    },
    /// The scores of all positions of a game that ends in the position, and the moves of perfect play
    /// from its end.
    Review(Game),
}

impl FromStr for Question {
    type Err = NameError;

    /// Reads the name of a question that needs nothing but a position, such as `best-move`.
    fn from_str(text: &str) -> Result<Self, NameError> {
        match text {
            "score" => Ok(Question::Score),
            "outcome" => Ok(Question::Outcome),
            "moves" => Ok(Question::Moves),
            "best-move" => Ok(Question::BestMove),
            "best-moves" => Ok(Question::BestMoves),
            "line" => Ok(Question::Line),
            _ => {
                let names = "score, outcome, moves, best-move, best-moves or line";
                Err(NameError::new("question", names, text))
            }
        }
    }
}

/// How a step of a [`Query`] has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Step {
    /// The answer is complete.
    Done,
    /// The step has reached a limit of its own. The next one goes on.
    More(Stopped),
}

/// A question about a position, and its answer as known now.
///
/// Answers come in steps, each within limits of its own. Between them a program can show what is
/// known, do other things, or give up.
///
/// ```
/// use fourbook::oracle::{Question, Step};
/// use fourbook::{Limits, Oracle, Position, Size};
/// let oracle = Oracle::without_book(Size::STANDARD)?;
/// let mut query = oracle.query(Position::from_moves("56227367215")?, Question::Score)?;
/// let limits = Limits { max_nodes: Some(10_000), ..Limits::default() };
/// while let Step::More(stopped) = query.step(&limits)? {
///     assert!(stopped.nodes >= 10_000 && query.known().score().is_none());
/// }
/// assert_eq!(query.known().score(), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    oracle: Oracle,
    question: Question,
    known: Analysis,
    /// The moves that are proved to be no best ones.
    worse: Vec<usize>,
    /// The scores of a game's positions, from the last but one on backwards.
    scores: Vec<Score>,
    /// The move of a level that follows a strategy.
    planned: Option<usize>,
    ahead: Ahead,
}

/// How far a level has looked ahead.
#[derive(Clone, Debug, Default)]
struct Ahead {
    /// The scores that the current look ahead has found, by column.
    scores: Vec<Option<Score>>,
    /// Nodes of the current look ahead.
    nodes: u64,
    /// Nodes of the last complete one.
    last_nodes: u64,
    /// Nodes of searches for exact scores.
    searched: u64,
}

impl Oracle {
    /// Begins to answer a question about a position. What the book, the rules and the strategies know
    /// is there at once.
    ///
    /// # Errors
    ///
    /// If the position's board has another size, or the book is damaged or lacks a score that it
    /// should have.
    ///
    /// # Panics
    ///
    /// If the question is about a game that does not end in the position.
    pub fn query(&self, position: Position, question: Question) -> Result<Query, OracleError> {
        let mut known = match question {
            Question::Score | Question::Outcome => self.known_value(position)?,
            _ => self.known(position)?,
        };
        if let Question::Review(game) = &question {
            assert_eq!(game.end(), position, "the game ends in the position");
        }
        let planned = self.planned_move(&question, &known);
        known.line.extend(planned);
        if question == Question::BestMove && planned.is_none() {
            known.line.extend(known.best_moves().first());
        }
        let oracle = self.clone();
        let mut query = Query {
            oracle,
            question,
            known,
            worse: Vec::new(),
            scores: Vec::new(),
            planned,
            ahead: Ahead::default(),
        };
        if let Question::Play { level, .. } = query.question
            && !query.is_done()
        {
            let plies = level.looks_ahead().min(INSTANT);
            query.look_ahead(plies, &Budget::new(&Limits::default())).expect("there is no limit");
        }
        Ok(query)
    }

    /// The move of perfect play that a strategy has, if it is asked for, a column from 0. The book's best
    /// moves and a win with the next stone give more choice than a strategy of exact scores. The perfect
    /// level follows a strategy of outcomes from the first move on.
    fn planned_move(&self, question: &Question, known: &Analysis) -> Option<usize> {
        let position = known.position();
        let is_played =
            matches!(question, Question::Play { level, .. } if *level == Level::PERFECT);
        if !(is_played || *question == Question::BestMove) || position.can_win_at_once() {
            return None;
        }
        let is_in_book = known.score().is_some() && known.source() != Some(Source::Strategy);
        let exact = self.strategy_move(position, ValueKind::Scores).filter(|_| !is_in_book);
        let kept = || self.strategy_move(position, ValueKind::WinDrawLoss).filter(|_| is_played);
        exact.or_else(kept)
    }
}

impl Query {
    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The analysis, as known now.
    pub fn known(&self) -> &Analysis {
        &self.known
    }

    /// The analysis, without a copy.
    pub fn into_known(self) -> Analysis {
        self.known
    }

    /// Searches on at most `threads` threads from now on: see [`Oracle::with_threads`].
    pub fn set_threads(&mut self, threads: usize) {
        self.oracle.threads = thread_count(threads);
    }

    /// Where the answer comes from, if there is one.
    pub fn source(&self) -> Option<Source> {
        match self.planned {
            Some(_) => Some(Source::Strategy),
            None => self.known.source(),
        }
    }

    /// Adds what is known of the position from elsewhere.
    pub fn learn_from(&mut self, known: &Analysis) {
        self.known.learn_from(known);
    }

    /// Whether the answer is complete.
    pub fn is_done(&self) -> bool {
        let known = &self.known;
        let has_line = || known.score().is_some() && self.end_of_line().is_over();
        match &self.question {
            Question::Score => known.score().is_some(),
            Question::Outcome => known.outcome().is_some(),
            Question::Moves => known.is_complete(),
            Question::BestMove => !known.line().is_empty() || known.position().is_over(),
            Question::BestMoves => {
                known.score().is_some()
                    && known.unknown_moves().all(|column| self.worse.contains(&column))
            }
            Question::Line => has_line(),
            Question::Play { level, .. } => self.planned.is_some() || level.is_settled(known),
            Question::Review(game) => has_line() && self.scores.len() + 1 == game.positions().len(),
        }
    }

    /// Works on, until the answer is complete or a limit of this step is reached. Limits hold for the
    /// step as a whole; a level may look a few moves further ahead than `max_nodes` allows.
    ///
    /// A search begins again at the root, and the table brings it to where the last step has ended. So
    /// steps need some thousand nodes, and more with the work that is done.
    ///
    /// # Errors
    ///
    /// If there is no memory for another solver, or no thread for a deep search. If the book is
    /// damaged or lacks a value that it should have.
    pub fn step(&mut self, limits: &Limits) -> Result<Step, OracleError> {
        if self.is_done() {
            return Ok(Step::Done);
        }
        let position = self.known.position();
        let about = match self.question {
            Question::Review(_) => None,
            _ => Some((position, self.known.bounds())),
        };
        let budget = self.oracle.parts.solvers.budget(limits, about);
        let ended = self.work(&budget);
        self.known.nodes += budget.nodes();
        match ended {
            Ok(()) => Ok(Step::Done),
            Err(OracleError::Stopped(Stopped { reason, .. })) if reason != StopReason::NoThread => {
                if let Some(bounds) = budget.stopped(reason).bounds {
                    self.known.learn_bounds(bounds, Source::Solver);
                }
                Ok(Step::More(self.stopped(reason)))
            }
            Err(error) => Err(error),
        }
    }

    /// The present results, for a caller that gives up for a reason of its own.
    pub fn stopped(&self, reason: StopReason) -> Stopped {
        let nodes = self.known.nodes;
        match self.question {
            Question::Review(_) => Stopped { reason, bounds: None, to_move: None, nodes },
            _ => {
                let bounds = Some(self.known.bounds());
                let to_move = Some(self.known.position().to_move());
                Stopped { reason, bounds, to_move, nodes }
            }
        }
    }

    /// The column (from 0) that the [level](Question::Play) plays by what is known, `None` if the game
    /// is over; and whether that is proved: whether it might play the column whatever else there is to
    /// find. Of another question, it is the move of perfect play.
    pub fn choice(&self) -> (Option<usize>, bool) {
        if self.planned.is_some() {
            return (self.planned, true);
        }
        match self.question {
            Question::Play { level, seed } => level.decide(&self.known, seed),
            _ => Level::PERFECT.decide(&self.known, 1),
        }
    }

    /// The review of a game; `None` if it is not complete.
    pub fn review(&self) -> Option<GameReview> {
        let Question::Review(game) = &self.question else { return None };
        let end = self.known.score().filter(|_| self.is_done())?;
        let scores: Vec<Score> = self.scores.iter().rev().copied().chain([end]).collect();
        Some(game.review(&scores, self.known.line()))
    }

    /// The answer to a question that is complete.
    pub(super) fn answer<T>(
        &self,
        value: impl FnOnce(&Analysis) -> Option<T>,
    ) -> Result<Answer<T>, OracleError> {
        let value = value(&self.known).expect("the answer is complete");
        let source = self.source().unwrap_or(Source::Solver);
        Ok(Answer { value, source, nodes: self.known.nodes() })
    }

    fn work(&mut self, budget: &Arc<Budget>) -> Result<(), OracleError> {
        match self.question {
            Question::Score => self.find_score(budget),
            Question::Outcome => {
                self.oracle.find_value(&mut self.known, ValueKind::WinDrawLoss, budget)
            }
            Question::Moves => self.find_moves(budget),
            Question::BestMove => self.find_line(1, budget),
            Question::BestMoves => self.find_best_moves(budget),
            Question::Line => self.find_line(usize::MAX, budget),
            Question::Play { level, .. } => self.play(level, budget),
            Question::Review(_) => {
                self.find_score(budget)?;
                self.find_scores_of_game(budget)?;
                self.find_line(usize::MAX, budget)
            }
        }
    }

    fn find_score(&mut self, budget: &Arc<Budget>) -> Result<(), OracleError> {
        self.oracle.find_value(&mut self.known, ValueKind::Scores, budget)
    }

    /// Solves the positions after moves, within bounds that hold for certain.
    fn solve_moves(
        &self,
        columns: &[usize],
        bounds: impl Fn(&[OnceLock<Score>], usize) -> ScoreBounds + Send + Sync + 'static,
        budget: &Arc<Budget>,
    ) -> Result<Values, TableError> {
        let position = self.known.position();
        let children: Vec<Position> = columns.iter().map(|&column| position.play(column)).collect();
        self.oracle.values(&children, bounds, ValueKind::Scores, budget)
    }

    /// Solves the position and the moves whose scores are unknown, those nearest to the centre first.
    fn find_moves(&mut self, budget: &Arc<Budget>) -> Result<(), OracleError> {
        self.find_score(budget)?;
        let columns: Vec<_> = self.known.unknown_moves().collect();
        let (scores, ended) = self.solve_moves(&columns, self.known.bounds_of_moves(), budget)?;
        self.known.learn(&columns, scores.into_iter());
        Ok(ended?)
    }

    /// No move is worth more than the position, so one null window shows whether one is worth less.
    fn find_best_moves(&mut self, budget: &Arc<Budget>) -> Result<(), OracleError> {
        self.find_score(budget)?;
        let score = self.known.score().expect("it was found");
        let unknown = self.known.unknown_moves();
        let columns: Vec<_> = unknown.filter(|column| !self.worse.contains(column)).collect();
        if let [only] = columns[..]
            && !self.known.knows_best_move()
        {
            self.known.learn(&[only], [Some(-score)].into_iter());
            return Ok(());
        }
        let bounds = null_window(score);
        let (scores, ended) = self.solve_moves(&columns, move |_: &_, _| bounds, budget)?;
        for (&column, &found) in columns.iter().zip(&scores) {
            if found.is_some_and(|found| found != -score) {
                self.worse.push(column);
            }
        }
        let best = scores.into_iter().map(|found| found.filter(|&found| found == -score));
        self.known.learn(&columns, best);
        Ok(ended?)
    }

    /// Adds moves of perfect play, until there are `length` or the game is over.
    fn find_line(&mut self, length: usize, budget: &Arc<Budget>) -> Result<(), OracleError> {
        self.find_score(budget)?;
        let mut position = self.end_of_line();
        let score = self.known.score().expect("it was found");
        while self.known.line.len() < length && !position.is_over() {
            let is_mover = position.to_move() == self.known.position().to_move();
            let to_reach = if is_mover { score } else { -score };
            let column = self.oracle.move_reaching(to_reach, position, budget)?;
            self.known.line.push(column);
            position = position.play(column);
        }
        Ok(())
    }

    /// The position after the known moves of perfect play.
    fn end_of_line(&self) -> Position {
        let line = self.known.line().iter();
        line.fold(self.known.position(), |position, &column| position.play(column))
    }

    /// The last positions come first: they are the easiest, and their proofs help with the others.
    fn find_scores_of_game(&mut self, budget: &Arc<Budget>) -> Result<(), OracleError> {
        let Question::Review(game) = &self.question else { return Ok(()) };
        for &position in game.positions().iter().rev().skip(1 + self.scores.len()) {
            let mut known = self.oracle.known_value(position)?;
            self.oracle.find_value(&mut known, ValueKind::Scores, budget)?;
            self.scores.push(known.score().expect("it was found"));
        }
        Ok(())
    }

    /// Searches for exact scores if the level needs them, and meanwhile looks further and further
    /// ahead, as soon as that takes few nodes beside the search.
    fn play(&mut self, level: Level, budget: &Arc<Budget>) -> Result<(), OracleError> {
        while !self.is_done() {
            let sees_further = self.known.ahead() < level.looks_ahead();
            let due = AHEAD_PARTS * LONGER * self.ahead.last_nodes;
            if sees_further && (level.is_quick() || self.ahead.searched >= due) {
                let plies = level.looks_ahead().min(self.known.ahead() + 2);
                self.look_ahead(plies, budget).map_err(|reason| budget.stopped(reason))?;
                continue;
            }
            let most =
                if sees_further { LEAST_NODES.max(due - self.ahead.searched) } else { u64::MAX };
            let part = budget.part(most);
            let ended = self.find_moves(&part);
            budget.take_back(&part);
            self.ahead.searched += part.nodes();
            match ended {
                Err(OracleError::Stopped(Stopped { reason: StopReason::NodeBudget, .. }))
                    if budget.nodes_left() > 0 => {}
                ended => ended?,
            }
        }
        Ok(())
    }

    /// Looks `plies` stones ahead, or goes on doing so, and learns the scores of the moves after which
    /// perfect play ends the game within them. The node limit counts between moves only, so that each
    /// step gets further.
    fn look_ahead(&mut self, plies: u32, budget: &Budget) -> Result<(), StopReason> {
        let position = self.known.position();
        for column in self.ahead.scores.len()..position.size().width() {
            let mut nodes = 0;
            let score = if position.can_play(column) {
                budget.reached().map_or(Ok(()), Err)?;
                Some(-score_within(position.play(column), plies - 1, budget, &mut nodes)?)
            } else {
                None
            };
            budget.count(nodes);
            self.ahead.nodes += nodes;
            self.ahead.scores.push(score);
        }
        self.known.learn_ahead(plies, &self.ahead.scores);
        self.ahead.scores.clear();
        self.ahead.last_nodes = std::mem::take(&mut self.ahead.nodes);
        Ok(())
    }
}

/// The bounds of a search after a move in a position of this score: one null window shows whether the
/// move is worth less.
pub(super) fn null_window(score: Score) -> ScoreBounds {
    ScoreBounds { min: -score, max: 1 - score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;
    use fourbook_solver::board::Size;
    use proptest::prelude::*;

    /// Takes steps to the end, the first one of few nodes.
    fn in_steps(mut query: Query, mut nodes: u64) -> Query {
        let limits = |nodes| Limits { max_nodes: Some(nodes), ..Limits::default() };
        while let Step::More(stopped) = query.step(&limits(nodes)).unwrap() {
            assert_eq!(stopped.reason, StopReason::NodeBudget);
            assert_eq!(stopped.nodes, query.known().nodes());
            nodes += nodes / 8;
        }
        assert!(query.is_done());
        query
    }

    fn questions(game: Game, seed: u64) -> Vec<Question> {
        let play = |number: usize| Question::Play { level: Level::ALL[number], seed };
        let others = [
            Question::Score,
            Question::Outcome,
            Question::Moves,
            Question::BestMove,
            Question::BestMoves,
            Question::Line,
            Question::Review(game),
        ];
        others.into_iter().chain((0..Level::ALL.len()).map(play)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// The answer does not depend on the node limits of the steps.
        #[test]
        fn answers_in_steps_are_those_of_one_step(
            columns in prop::collection::vec(0..5_usize, 0..20),
            seed: u64,
            nodes in 500..3000_u64,
        ) {
            let size = Size::new(5, 5).unwrap();
            let mut game = String::new();
            let mut position = Position::empty(size);
            for column in columns {
                if position.can_play(column) && !position.is_over() {
                    position = position.play(column);
                    game.push(fourbook_solver::board::column_name(column));
                }
            }
            if game.is_empty() {
                return Ok(());
            }
            let game = Game::parse(size, &game).unwrap();
            let oracle = || Oracle::without_book(size).unwrap();
            let whole = oracle();
            for question in questions(game, seed) {
                let mut one = whole.query(position, question.clone()).unwrap();
                prop_assert_eq!(one.step(&Limits::default()).unwrap(), Step::Done);
                let many = in_steps(oracle().query(position, question).unwrap(), nodes);
                let one_known = one.known();
                let known = many.known();
                prop_assert_eq!(many.choice(), one.choice());
                prop_assert_eq!(many.review(), one.review());
                prop_assert_eq!(known.line(), one_known.line());
                let best = |query: &Query| match query.question() {
                    Question::BestMoves => query.known().best_moves(),
                    _ => Vec::new(),
                };
                prop_assert_eq!(best(&many), best(&one));
                if let Question::Play { .. } = many.question() {
                    continue;
                }
                prop_assert_eq!(known.outcome(), one_known.outcome());
                if many.question() != &Question::Outcome {
                    prop_assert_eq!(known.score(), one_known.score());
                    prop_assert_eq!(known.score(), Some(whole.score(position).unwrap().value));
                }
                if many.question() == &Question::Moves {
                    prop_assert_eq!(known.move_scores(), one_known.move_scores());
                }
            }
        }
    }

    #[test]
    fn what_was_found_before_a_limit_is_kept() {
        let oracle = || Oracle::without_book(Size::STANDARD).unwrap();
        let position = Position::from_moves("7422341735647741166133573473242").unwrap();
        let all = oracle().analyse(position).unwrap();
        let mut query = oracle().query(position, Question::Moves).unwrap();
        let before = query.known().unknown_moves().count();
        let limits = Limits { max_nodes: Some(all.nodes() - 1), ..Limits::default() };
        let Step::More(stopped) = query.step(&limits).unwrap() else { panic!("there is a limit") };
        assert_eq!(stopped.bounds, Some(query.known().bounds()));
        assert!(query.known().unknown_moves().count() < before);
        for (some, all) in query.known().moves().iter().zip(all.moves()) {
            assert!(some.is_none() || some == all);
        }
        assert_eq!(query.step(&limits).unwrap(), Step::Done);
        assert_eq!(query.known().move_scores(), all.move_scores());
    }

    #[test]
    fn what_the_book_knows_takes_no_step() {
        let oracle = Oracle::new(Book::embedded()).unwrap();
        let position = Position::from_moves("4453").unwrap();
        for question in questions(Game::parse(Size::STANDARD, "4453").unwrap(), 1) {
            let is_line = matches!(question, Question::Line | Question::Review(_));
            let query = oracle.query(position, question.clone()).unwrap();
            assert_eq!(query.is_done(), !is_line, "{question:?}");
        }
        assert_eq!(oracle.nodes(), 0);
    }
}
