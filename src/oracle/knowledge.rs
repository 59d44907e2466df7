//! The known scores of a position and of its moves, complete or not.

use super::ahead::{INSTANT, scores_within};
use super::{Answer, Oracle, OracleError, Source, look_up};
use crate::book::{Book, BookError, Lookup};
use fourbook_solver::board::{Board, Position, Score, ScoreBounds, Size};
use fourbook_solver::{Analysis, Budget, StopReason, Stopped, ValueKind, with_word};
use std::sync::{Arc, OnceLock};

/// A score and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The score, for the side to move.
    pub score: Score,
    /// Where it comes from.
    pub source: Source,
}

/// The known scores of a position and of its moves.
///
/// ```
/// use fourbook::{Oracle, Position, Size};
/// let oracle = Oracle::without_book(Size::STANDARD)?;
/// let mut knowledge = oracle.known(Position::from_moves("5622736721521")?)?;
/// assert!(knowledge.score().is_none());
/// oracle.complete(&mut knowledge, &mut |_| ())?;
/// assert_eq!(knowledge.score().map(|known| known.score), Some(-8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    position: Position,
    score: Option<Known>,
    /// By column; `None` if the score is unknown, or the column cannot be played or does not exist.
    all_moves: [Option<Known>; Size::MAX_WIDTH],
    /// Bounds of the score that searches have proved.
    bounds: ScoreBounds,
    /// How many stones ahead the moves without a known score have been searched.
    ahead: u32,
    pub(super) nodes: u64,
}

impl Knowledge {
    /// Returns the scores that the rules and a book, if there is one, give for a position and its
    /// moves, like [`Oracle::known`](super::Oracle::known) of an oracle with this book.
    ///
    /// ```
    /// use fourbook::oracle::Knowledge;
    /// use fourbook::{Book, Position};
    /// let knowledge = Knowledge::of(Some(&Book::embedded()), Position::from_moves("4453")?)?;
    /// assert_eq!(knowledge.best_moves(), [2, 5, 6]);
    /// assert!(!Knowledge::of(None, Position::from_moves("4453")?)?.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the book is damaged, or lacks a score that it should have.
    pub fn of(book: Option<&Book>, position: Position) -> Result<Self, BookError> {
        let look_up = |position| look_up(book, position);
        let lookup = look_up(position)?;
        let mut all_moves = [None; Size::MAX_WIDTH];
        let mut learn = |column: usize, lookup| {
            let known = Known::of(lookup);
            all_moves[column] = known.map(|known| Known { score: -known.score, ..known });
        };
        match book {
            Some(book) if matches!(lookup, Lookup::Stored(_) | Lookup::Derived(_)) => {
                book.look_up_moves(position, &mut learn)?;
            }
            _ => with_word!(position.size(), B => {
                for (column, child) in Board::<B>::of(position).children().enumerate() {
                    let Some(child) = child.map(|child| child.widen()) else { continue };
                    learn(column, look_up(child)?);
                }
            }),
        }
        let mut knowledge =
            Knowledge { score: Known::of(lookup), all_moves, ..Self::none(position) };
        knowledge.derive_score();
        Ok(knowledge)
    }

    /// Returns the score of a position alone, if the rules or a book have it. Its moves stay
    /// unknown.
    ///
    /// # Errors
    ///
    /// If the book is damaged, lacks a score that it should have, or is for boards of another size.
    pub fn of_score(book: Option<&Book>, position: Position) -> Result<Option<Self>, BookError> {
        let score = Known::of(look_up(book, position)?);
        Ok(score.map(|_| Knowledge { score, ..Self::none(position) }))
    }

    /// Returns knowledge of a position without any score.
    pub fn none(position: Position) -> Self {
        let score = None;
        let all_moves = [None; Size::MAX_WIDTH];
        let bounds = ScoreBounds::NONE;
        Knowledge { position, score, all_moves, bounds, ahead: 0, nodes: 0 }
    }

    /// The scores of the position and of all columns as numbers, the sources of all these scores,
    /// the proved bounds and [`ahead`](Self::ahead), for programs that keep them.
    /// [`Score::MIN`] stands for no score.
    pub fn numbers(&self) -> Vec<i8> {
        let known = || [self.score].into_iter().chain(self.moves().iter().copied());
        let scores = known().map(|it| it.map_or(Score::MIN, |known| known.score));
        let sources = known().map(|it| it.map_or(Score::MIN, |known| known.source as i8));
        scores.chain(sources).chain([self.bounds.min, self.bounds.max, self.ahead as i8]).collect()
    }

    /// Builds the knowledge of a position from its [`numbers`](Self::numbers) and the nodes spent;
    /// `None` if no position of its board has such numbers.
    pub fn of_numbers(position: Position, numbers: &[i8], nodes: u64) -> Option<Self> {
        let (numbers, &[min, max, ahead]) = numbers.split_last_chunk()?;
        let (scores, sources) = numbers.split_at(numbers.len() / 2);
        let known = |(&score, &source): (&i8, &i8)| {
            let source = *Source::ALL.get(usize::try_from(source).ok()?)?;
            (score != Score::MIN).then_some(Known { score, source })
        };
        let mut known = scores.iter().zip(sources).map(known);
        let score = known.next()?;
        let bounds = ScoreBounds { min, max };
        let ahead = ahead.try_into().ok()?;
        let mut knowledge = Knowledge { score, bounds, ahead, nodes, ..Self::none(position) };
        let moves = &mut knowledge.all_moves[..position.size().width()];
        let is_of_board = known.len() == moves.len();
        moves.iter_mut().zip(known).for_each(|(place, known)| *place = known);
        is_of_board.then_some(knowledge)
    }

    /// The position.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Its score, if it is known.
    pub fn score(&self) -> Option<Known> {
        self.score
    }

    /// The bounds of the position's score that are proved: equal if the score is known.
    pub fn bounds(&self) -> ScoreBounds {
        if let Some(known) = self.score {
            return ScoreBounds::exactly(known.score);
        }
        let best = self.moves().iter().flatten().map(|known| known.score).max();
        let by_moves = ScoreBounds { min: best.unwrap_or(Score::MIN), max: Score::MAX };
        self.bounds.and(by_moves).and(ScoreBounds::by_rules(self.position))
    }

    /// How many stones ahead the moves without a known score have been searched: after none of
    /// them does perfect play end the game so soon.
    pub fn ahead(&self) -> u32 {
        self.ahead
    }

    /// The score of each column, from 0, for the side that moves: `None` if it is not known,
    /// or the column cannot be played. One for each column of the board.
    #[inline]
    pub fn moves(&self) -> &[Option<Known>] {
        &self.all_moves[..self.position.size().width()]
    }

    /// Nodes that searches for it visited; 0 if nothing was searched.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the scores of the position and of all moves are known.
    pub fn is_complete(&self) -> bool {
        self.score.is_some() && self.knows_moves()
    }

    /// Whether the scores of all moves are known.
    fn knows_moves(&self) -> bool {
        let mut columns = self.moves().iter().enumerate();
        columns.all(|(column, it)| it.is_some() || !self.position.can_play(column))
    }

    /// The columns, from 0, that can be played and whose scores are not known, those nearest
    /// to the centre first.
    pub fn unknown_moves(&self) -> Vec<usize> {
        self.position
            .size()
            .centre_first()
            .filter(|&column| self.all_moves[column].is_none() && self.position.can_play(column))
            .collect()
    }

    /// The scores of all columns, where they are known.
    pub fn move_scores(&self) -> Vec<Option<Score>> {
        self.moves().iter().map(|known| known.map(|known| known.score)).collect()
    }

    /// The columns, from 0, that are known to reach the score, those nearest to the centre
    /// first.
    pub fn best_moves(&self) -> Vec<usize> {
        self.score.map_or_else(Vec::new, |known| self.reaching(known.score))
    }

    /// The columns, from 0, that may reach `score`, the position's: the columns
    /// known to reach it, if there are any, else the columns without a known score. Columns near
    /// the centre come first.
    pub(super) fn candidates(&self, score: Score) -> Vec<usize> {
        let columns = self.reaching(score);
        if columns.is_empty() { self.unknown_moves() } else { columns }
    }

    /// Returns the bounds of an unknown move's score as a function of the scores found so far.
    pub(super) fn bounds_of_moves(
        &self,
    ) -> impl Fn(&[OnceLock<Score>], usize) -> ScoreBounds + use<> {
        let bounds = self.bounds_after_moves();
        let is_known = !self.best_moves().is_empty();
        move |scores, _| {
            let mut found = scores.iter().filter_map(OnceLock::get);
            let is_last = found.clone().count() + 1 == scores.len();
            if is_last && !is_known && !found.any(|&score| score == bounds.min) {
                ScoreBounds::exactly(bounds.min)
            } else {
                bounds
            }
        }
    }

    /// Bounds of the scores after unknown moves, for the side to move there: no move is worth more
    /// than the position, and one is worth as much.
    pub(super) fn bounds_after_moves(&self) -> ScoreBounds {
        let Some(Known { score, .. }) = self.score else { return ScoreBounds::NONE };
        let is_the_best = self.best_moves().is_empty() && self.unknown_moves().len() == 1;
        let max = if is_the_best { -score } else { Score::MAX };
        ScoreBounds { min: -score, max }
    }

    /// The columns that are known to have a score, those nearest to the centre first.
    pub(super) fn reaching(&self, score: Score) -> Vec<usize> {
        self.position
            .size()
            .centre_first()
            .filter(|&column| self.all_moves[column].is_some_and(|known| known.score == score))
            .collect()
    }

    /// The knowledge as an analysis; `None` unless all scores are known.
    pub fn answer(&self) -> Option<Answer<Analysis>> {
        let Known { score, source } = self.score.filter(|_| self.is_complete())?;
        let value = Analysis { score, moves: self.move_scores() };
        Some(Answer { value, source, nodes: self.nodes })
    }

    /// The knowledge of the mirror image.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirrored = Knowledge { position: self.position.mirrored(), ..*self };
        mirrored.all_moves[..self.moves().len()].reverse();
        mirrored
    }

    /// Adds the score of the position itself, found by a search of `nodes` nodes.
    pub fn learn_score(&mut self, score: Score, nodes: u64) {
        self.score = Some(Known { score, source: Source::Solver });
        self.nodes += nodes;
    }

    /// Adds bounds of the score that a search has proved. The score is known once all known bounds
    /// leave one.
    pub fn learn_bounds(&mut self, bounds: ScoreBounds) {
        self.bounds = self.bounds.and(bounds);
        let ScoreBounds { min, max } = self.bounds();
        if min == max {
            self.score.get_or_insert(Known { score: min, source: Source::Solver });
        }
    }

    /// Adds what is known of the same position from elsewhere.
    pub fn learn_from(&mut self, other: &Knowledge) {
        self.score = self.score.or(other.score);
        for (known, &other) in self.all_moves.iter_mut().zip(&other.all_moves) {
            *known = known.or(other);
        }
        self.learn_bounds(other.bounds);
        self.ahead = self.ahead.max(other.ahead);
        self.nodes = self.nodes.max(other.nodes);
        self.derive_score();
    }

    /// Adds the exact scores of the moves after which the game ends soon, under perfect play:
    /// within four stones at the first call, which takes microseconds, and two further with each
    /// call, up to `most`. Returns whether it can look further.
    ///
    /// ```
    /// use fourbook::oracle::Knowledge;
    /// use fourbook::solver::{Budget, Limits};
    /// use fourbook::{Position, Size};
    /// let (size, budget) = (Size::new(9, 8)?, Budget::new(&Limits::default()));
    /// let mut knowledge = Knowledge::of(None, Position::parse(size, "4455")?)?;
    /// while knowledge.look_ahead(8, &budget)? {}
    /// // Three in the middle, and both ends open.
    /// assert_eq!(knowledge.score().map(|known| known.score), Some(33));
    /// assert_eq!(knowledge.best_moves(), [5, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a limit of the budget is reached, except at the first call; it counts no nodes.
    pub fn look_ahead(&mut self, most: u32, budget: &Budget) -> Result<bool, StopReason> {
        let plies = most.min(INSTANT.max(self.ahead + 2));
        let scores = scores_within(self.position, plies, budget)?;
        let source = Source::Solver;
        for column in self.unknown_moves() {
            let found = scores[column].filter(|&score| score != 0);
            self.all_moves[column] = found.map(|score| Known { score, source });
        }
        // No other move wins as soon.
        let win = scores.into_iter().flatten().max().filter(|&best| best > 0);
        self.score = self.score.or(win.map(|score| Known { score, source }));
        self.derive_score();
        self.ahead = self.ahead.max(plies);
        Ok(plies < most && !self.is_complete())
    }

    /// Adds the scores of the positions after moves that a search has found; returns whether there
    /// are new ones.
    pub(super) fn learn(
        &mut self,
        columns: &[usize],
        scores: impl Iterator<Item = Option<Score>>,
    ) -> bool {
        let mut has_new = false;
        for (&column, score) in columns.iter().zip(scores) {
            let known = &mut self.all_moves[column];
            if known.is_none() {
                *known = score.map(|score| Known { score: -score, source: Source::Solver });
                has_new |= known.is_some();
            }
        }
        self.derive_score();
        has_new
    }

    /// Derives the score from the scores of all moves.
    fn derive_score(&mut self) {
        if self.score.is_some() || !self.knows_moves() {
            return;
        }
        let known = || self.moves().iter().flatten();
        let is_solved = known().any(|known| known.source == Source::Solver);
        let source = if is_solved { Source::Solver } else { Source::Derived };
        self.score = known().map(|known| known.score).max().map(|score| Known { score, source });
    }
}

impl Oracle {
    /// The scores of a position and of all its moves. The source is the source of the position's
    /// own score. Moves that lead out of the book are searched. Several threads search moves side
    /// by side, and help each other with the last ones.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn analyse(&self, position: Position) -> Result<Answer<Analysis>, OracleError> {
        Ok(self.complete_knowledge(position)?.answer().expect("all is known when it is complete"))
    }

    /// Returns the scores that [`analyse`](Self::analyse) finds, each with its source.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn complete_knowledge(&self, position: Position) -> Result<Knowledge, OracleError> {
        let mut knowledge = self.known(position)?;
        self.complete(&mut knowledge, &mut |_| ())?;
        Ok(knowledge)
    }

    /// Returns the scores that the rules, the book and the strategies give for a position and its
    /// moves, at once and without a search.
    ///
    /// ```
    /// use fourbook::{Book, Oracle, Position};
    /// let oracle = Oracle::new(Book::embedded())?;
    /// let knowledge = oracle.known(Position::from_moves("4453")?)?;
    /// assert_eq!(knowledge.score().map(|known| known.score), Some(-2));
    /// assert!(knowledge.is_complete());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the position's board has another size, or the book is damaged or lacks a score that it
    /// should have.
    pub fn known(&self, position: Position) -> Result<Knowledge, OracleError> {
        position.check_size(self.size())?;
        let mut known = Knowledge::of(self.book(), position)?;
        if known.score.is_none()
            && let Some(score) = self.strategy_value(position, ValueKind::Scores)
            && let Some(column) = self.strategy_move(position, ValueKind::Scores)
        {
            known.score = Some(Known { score, source: Source::Strategy });
            known.all_moves[column] = known.score;
        }
        Ok(known)
    }

    /// Solves the position and the moves whose scores are unknown, those nearest to the centre
    /// first. Calls `on_move` with what is known after the position's own score, and whenever
    /// there are scores of moves; if the oracle has several threads, only at the end. When a limit
    /// is reached, `knowledge` keeps what has been found, and counts all nodes.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn complete(
        &self,
        knowledge: &mut Knowledge,
        on_move: &mut dyn FnMut(&Knowledge),
    ) -> Result<(), OracleError> {
        knowledge.position().check_size(self.size())?;
        if knowledge.is_complete() {
            return Ok(());
        }
        let budget = self.budget(Some(knowledge.position()));
        let before = knowledge.nodes;
        let mut on_move = |knowledge: &mut Knowledge| {
            knowledge.nodes = before + budget.nodes();
            on_move(knowledge);
        };
        let completed = self.complete_within(knowledge, &budget, &mut on_move);
        knowledge.nodes = before + budget.nodes();
        if let Err(OracleError::Stopped(Stopped { bounds: Some(bounds), .. })) = completed {
            knowledge.learn_bounds(bounds);
        }
        completed
    }

    fn complete_within(
        &self,
        knowledge: &mut Knowledge,
        budget: &Arc<Budget>,
        on_move: &mut dyn FnMut(&mut Knowledge),
    ) -> Result<(), OracleError> {
        let position = knowledge.position();
        let unknown = knowledge.unknown_moves();
        let kind = ValueKind::Scores;
        let threads = self.threads;
        if knowledge.score().is_none() {
            let score = self.value(position, ScoreBounds::NONE, kind, budget)?;
            knowledge.learn_score(score, 0);
            on_move(knowledge);
        }
        if let Some(Known { score, .. }) = knowledge.score() {
            budget.prove(position, ScoreBounds::exactly(score));
        }
        let children: Vec<Position> = unknown.iter().map(|&column| position.play(column)).collect();
        let bounds = knowledge.bounds_of_moves();
        let mut learn = |values: &[OnceLock<Score>]| {
            if knowledge.learn(&unknown, values.iter().map(|it| it.get().copied())) {
                on_move(knowledge);
            }
        };
        let solved = self.solvers.values(&children, bounds, kind, budget, threads, &mut learn)?;
        solved.1.map_or(Ok(()), |reason| Err(budget.stopped(reason).into()))
    }
}

impl Known {
    /// The score of a lookup, if it found one.
    fn of(lookup: Lookup) -> Option<Self> {
        lookup.score().map(|score| Known { score, source: Source::of(lookup) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;
    use fourbook_solver::Limits;
    use fourbook_solver::board::Size;

    fn oracle() -> Oracle {
        Oracle::without_book(Size::new(4, 4).unwrap()).unwrap()
    }

    #[test]
    fn a_position_that_is_over_is_known_from_the_rules() {
        let size = oracle().size();
        let won = Position::parse(size, "1213141").unwrap();
        let knowledge = oracle().known(won).unwrap();
        assert!(knowledge.is_complete() && knowledge.unknown_moves().is_empty());
        assert_eq!(knowledge.score(), Some(Known { score: -5, source: Source::Derived }));
    }

    #[test]
    fn bounds_that_meet_are_the_score() {
        let oracle = oracle();
        let mut knowledge = oracle.known(Position::empty(oracle.size())).unwrap();
        knowledge.learn_bounds(ScoreBounds { min: -1, max: 2 });
        assert_eq!(knowledge.score(), None);
        knowledge.learn_bounds(ScoreBounds { min: 2, max: 4 });
        assert_eq!(knowledge.score(), Some(Known { score: 2, source: Source::Solver }));
    }

    #[test]
    fn a_search_adds_the_score_first_and_then_move_by_move() {
        let oracle = oracle();
        let mut knowledge = oracle.known(Position::empty(oracle.size())).unwrap();
        assert_eq!((knowledge.unknown_moves(), knowledge.answer()), (vec![1, 2, 0, 3], None));
        let mut seen = Vec::new();
        let mut on_move = |knowledge: &Knowledge| {
            seen.push((knowledge.unknown_moves(), knowledge.score().is_some()));
        };
        oracle.complete(&mut knowledge, &mut on_move).unwrap();
        let unknown = [vec![1, 2, 0, 3], vec![2, 0, 3], vec![0, 3], vec![3], vec![]];
        assert_eq!(seen, unknown.map(|unknown| (unknown, true)));
        assert_eq!(knowledge.answer().unwrap().value.score, 0);
        assert!(knowledge.nodes() > 0);
    }

    #[test]
    fn what_was_found_before_a_limit_is_kept() {
        let oracle = Oracle::without_book(Size::STANDARD).unwrap();
        let position = Position::from_moves("7422341735647741166133573473242").unwrap();
        let mut all = oracle.known(position).unwrap();
        oracle.complete(&mut all, &mut |_| ()).unwrap();
        let mut some = Oracle::without_book(Size::STANDARD).unwrap().known(position).unwrap();
        let before = some.unknown_moves().len();
        let limits = Limits { max_nodes: Some(all.nodes() - 1), ..Limits::default() };
        let fresh = Oracle::without_book(Size::STANDARD).unwrap();
        let result = fresh.with_limits(limits).complete(&mut some, &mut |_| ());
        assert!(result.is_err() && !some.is_complete());
        assert!(some.unknown_moves().len() < before);
        for (some, all) in some.moves().iter().zip(all.moves()) {
            assert!(some.is_none() || some == all);
        }
    }

    #[test]
    fn the_score_alone_is_the_score_with_all_moves() {
        let book = Book::from_bytes(&include_bytes!("../../examples/4x4-d6.book")[..]).unwrap();
        let mut positions = vec![Position::empty(book.size())];
        for _ in 0..8 {
            for &position in &positions {
                for book in [None, Some(&book)] {
                    let alone = Knowledge::of_score(book, position).unwrap();
                    let known = Knowledge::of(book, position).unwrap().score();
                    assert!(alone.is_none_or(|alone| alone.score() == known));
                    let has_entry = book.is_some() && position.ply() <= 6;
                    assert!(!has_entry || known.is_some(), "{position:?}");
                }
            }
            positions = positions.iter().flat_map(|it| it.children().flatten()).take(300).collect();
        }
    }

    #[test]
    fn the_mirror_image_has_the_mirrored_moves() {
        let oracle = oracle();
        let position = Position::parse(oracle.size(), "12").unwrap();
        let mut knowledge = oracle.known(position).unwrap();
        oracle.complete(&mut knowledge, &mut |_| ()).unwrap();
        let mirrored = knowledge.mirrored();
        let mut expected = oracle.known(position.mirrored()).unwrap();
        oracle.complete(&mut expected, &mut |_| ()).unwrap();
        assert_eq!(mirrored.move_scores(), expected.move_scores());
        assert_eq!(mirrored.mirrored(), knowledge);
        let mut numbers = knowledge.numbers();
        let nodes = knowledge.nodes();
        assert_eq!(Knowledge::of_numbers(position, &numbers, nodes), Some(knowledge));
        numbers[0] = Score::MIN;
        assert_eq!(Knowledge::of_numbers(position, &numbers, nodes).unwrap().score(), None);
        numbers.pop();
        assert_eq!(Knowledge::of_numbers(position, &numbers, nodes), None);
    }
}
