//! What is known of a position: its score or bounds of it, and the scores of its moves.

use super::{Source, look_up};
use crate::book::{Book, BookError, Lookup};
use fourbook_solver::board::{Board, Outcome, Position, Score, ScoreBounds, Size};
use fourbook_solver::{ValueKind, with_word};
use std::sync::OnceLock;

/// What is known of a position: its score or bounds of it, and the scores of its moves, complete or
/// not. Scores are for the side to move, columns count from 0.
///
/// ```
/// use fourbook::{Book, Oracle, Position};
/// let oracle = Oracle::new(Book::embedded())?;
/// let analysis = oracle.analyse(Position::from_moves("4453")?)?;
/// assert_eq!(analysis.score(), Some(-2));
/// assert_eq!(analysis.move_scores(), [-5, -5, -2, -3, -4, -2, -2].map(Some));
/// assert_eq!(analysis.best_moves(), [2, 5, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    position: Position,
    score: Option<(Score, Source)>,
    /// By column; `None` if the score is unknown, or the column cannot be played or does not exist.
    all_moves: [Option<(Score, Source)>; Size::MAX_WIDTH],
    /// Bounds of the score that are proved, and what proved the last ones.
    bounds: ScoreBounds,
    bounds_source: Option<Source>,
    /// How many stones ahead the moves without a known score have been searched.
    ahead: u32,
    /// The first moves of perfect play.
    pub(super) line: Vec<usize>,
    pub(super) nodes: u64,
}

impl Analysis {
    /// Returns the scores that the rules and a book, if there is one, give for a position and its
    /// moves.
    pub(super) fn of(book: Option<&Book>, position: Position) -> Result<Self, BookError> {
        let look_up = |position| look_up(book, position);
        let lookup = look_up(position)?;
        let mut all_moves = [None; Size::MAX_WIDTH];
        let mut learn = |column: usize, lookup| {
            all_moves[column] = known_score(lookup).map(|(score, source)| (-score, source));
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
        let mut analysis =
            Analysis { score: known_score(lookup), all_moves, ..Self::none(position) };
        analysis.derive_score();
        Ok(analysis)
    }

    /// Returns the analysis of a position of which nothing is known.
    pub fn none(position: Position) -> Self {
        let score = None;
        let all_moves = [None; Size::MAX_WIDTH];
        Analysis {
            position,
            score,
            all_moves,
            bounds: ScoreBounds::NONE,
            bounds_source: None,
            ahead: 0,
            line: Vec::new(),
            nodes: 0,
        }
    }

    /// The scores of the position and of all columns as numbers, the sources of all these scores,
    /// the proved bounds and [`ahead`](Self::ahead), for programs that keep them.
    /// [`Score::MIN`] stands for no score.
    pub fn numbers(&self) -> Vec<i8> {
        let known = || [self.score].into_iter().chain(self.moves().iter().copied());
        let scores = known().map(|known| known.map_or(Score::MIN, |(score, _)| score));
        let sources = known().map(|known| known.map_or(Score::MIN, |(_, source)| source as i8));
        scores.chain(sources).chain([self.bounds.min, self.bounds.max, self.ahead as i8]).collect()
    }

    /// Builds the analysis of a position from its [`numbers`](Self::numbers) and the nodes spent;
    /// `None` if no position of its board has such numbers.
    pub fn of_numbers(position: Position, numbers: &[i8], nodes: u64) -> Option<Self> {
        let (numbers, &[min, max, ahead]) = numbers.split_last_chunk()?;
        let (scores, sources) = numbers.split_at(numbers.len() / 2);
        let known = |(&score, &source): (&i8, &i8)| {
            let source = *Source::ALL.get(usize::try_from(source).ok()?)?;
            (score != Score::MIN).then_some((score, source))
        };
        let mut known = scores.iter().zip(sources).map(known);
        let score = known.next()?;
        let bounds = ScoreBounds { min, max };
        let ahead = ahead.try_into().ok()?;
        let bounds_source = (bounds != ScoreBounds::NONE).then_some(Source::Solver);
        let mut analysis =
            Analysis { score, bounds, bounds_source, ahead, nodes, ..Self::none(position) };
        let moves = &mut analysis.all_moves[..position.size().width()];
        let is_of_board = known.len() == moves.len();
        moves.iter_mut().zip(known).for_each(|(place, known)| *place = known);
        is_of_board.then_some(analysis)
    }

    /// The position.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Its score, if it is known.
    pub fn score(&self) -> Option<Score> {
        self.score.map(|(score, _)| score)
    }

    /// Where its score comes from, or else its outcome, if it is known.
    pub fn source(&self) -> Option<Source> {
        match self.score {
            Some((_, source)) => Some(source),
            None => self.bounds_source.filter(|_| self.outcome().is_some()),
        }
    }

    /// Who wins, for the side to move, if it is known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.bounds().outcome()
    }

    /// The first moves of perfect play, as far as they are known: to the end of the game after a
    /// [`Question::Line`](super::Question::Line).
    pub fn line(&self) -> &[usize] {
        &self.line
    }

    /// The bounds of the position's score that are proved: equal if the score is known.
    pub fn bounds(&self) -> ScoreBounds {
        if let Some((score, _)) = self.score {
            return ScoreBounds::exactly(score);
        }
        let best = self.moves().iter().flatten().map(|(score, _)| *score).max();
        let by_moves = ScoreBounds { min: best.unwrap_or(Score::MIN), max: Score::MAX };
        self.bounds.and(by_moves).and(ScoreBounds::by_rules(self.position))
    }

    /// How many stones ahead the moves without a known score have been searched: after none of
    /// them does perfect play end the game so soon.
    pub fn ahead(&self) -> u32 {
        self.ahead
    }

    /// The score of each column, from 0, for the side that moves, and where it comes from: `None` if
    /// it is not known, or the column cannot be played. One for each column of the board.
    #[inline]
    pub fn moves(&self) -> &[Option<(Score, Source)>] {
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
        columns.all(|(column, known)| known.is_some() || !self.position.can_play(column))
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
        self.moves().iter().map(|known| known.map(|(score, _)| score)).collect()
    }

    /// The columns, from 0, that are known to reach the score, those nearest to the centre
    /// first.
    pub fn best_moves(&self) -> Vec<usize> {
        self.score().map_or_else(Vec::new, |score| self.reaching(score))
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
        let Some(score) = self.score() else { return ScoreBounds::NONE };
        let is_the_best = self.best_moves().is_empty() && self.unknown_moves().len() == 1;
        let max = if is_the_best { -score } else { Score::MAX };
        ScoreBounds { min: -score, max }
    }

    /// The columns that are known to have a score, those nearest to the centre first.
    pub(super) fn reaching(&self, score: Score) -> Vec<usize> {
        self.position
            .size()
            .centre_first()
            .filter(|&column| self.all_moves[column].is_some_and(|(known, _)| known == score))
            .collect()
    }

    /// The analysis of the mirror image.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let width = self.position.size().width();
        let mut mirrored = Analysis { position: self.position.mirrored(), ..self.clone() };
        mirrored.all_moves[..width].reverse();
        mirrored.line.iter_mut().for_each(|column| *column = width - 1 - *column);
        mirrored
    }

    /// Adds a value of this kind from a source.
    pub(super) fn learn_value(&mut self, kind: ValueKind, number: Score, source: Source) {
        match kind {
            ValueKind::Scores => self.score = Some((number, source)),
            ValueKind::WinDrawLoss => {
                self.learn_bounds(ScoreBounds::of_outcome(Outcome::of(number)), source)
            }
        }
    }

    /// Adds the value that a strategy has of the position, and the move that reaches it.
    pub(super) fn learn_planned(&mut self, score: Score, column: Option<usize>) {
        self.score = Some((score, Source::Strategy));
        if let Some(column) = column {
            self.all_moves[column] = self.score;
        }
    }

    /// Adds proved bounds of the score. The score is known once all known bounds leave one.
    pub(super) fn learn_bounds(&mut self, bounds: ScoreBounds, source: Source) {
        self.bounds = self.bounds.and(bounds);
        self.bounds_source = Some(source);
        let ScoreBounds { min, max } = self.bounds();
        if min == max {
            self.score.get_or_insert((min, source));
        }
    }

    /// Adds what is known of the same position from elsewhere.
    pub fn learn_from(&mut self, other: &Analysis) {
        self.score = self.score.or(other.score);
        for (known, &other) in self.all_moves.iter_mut().zip(&other.all_moves) {
            *known = known.or(other);
        }
        if let Some(source) = other.bounds_source {
            self.learn_bounds(other.bounds, source);
        }
        self.ahead = self.ahead.max(other.ahead);
        if self.line.len() < other.line.len() {
            self.line.clone_from(&other.line);
        }
        self.nodes = self.nodes.max(other.nodes);
        self.derive_score();
    }

    /// Adds the scores of all columns from looking `plies` stones ahead: 0 where the game does not end
    /// within them.
    pub(super) fn learn_ahead(&mut self, plies: u32, scores: &[Option<Score>]) {
        for column in self.unknown_moves() {
            let found = scores[column].filter(|&score| score != 0);
            self.all_moves[column] = found.map(|score| (score, Source::Solver));
        }
        // No other move wins as soon.
        let win = scores.iter().copied().flatten().max().filter(|&best| best > 0);
        self.score = self.score.or(win.map(|score| (score, Source::Solver)));
        self.derive_score();
        self.ahead = self.ahead.max(plies);
    }

    /// Adds the scores of the positions after moves that a search has found.
    pub(super) fn learn(&mut self, columns: &[usize], scores: impl Iterator<Item = Option<Score>>) {
        for (&column, score) in columns.iter().zip(scores) {
            let known = &mut self.all_moves[column];
            *known = known.or(score.map(|score| (-score, Source::Solver)));
        }
        self.derive_score();
    }

    /// Derives the score from the scores of all moves.
    fn derive_score(&mut self) {
        if self.score.is_some() || !self.knows_moves() {
            return;
        }
        let known = || self.moves().iter().flatten();
        let is_solved = known().any(|(_, source)| *source == Source::Solver);
        let source = if is_solved { Source::Solver } else { Source::Derived };
        self.score = known().map(|(score, _)| *score).max().map(|score| (score, source));
    }
}

/// The score of a lookup and its source, if it found one.
fn known_score(lookup: Lookup) -> Option<(Score, Source)> {
    lookup.score().map(|score| (score, Source::of(lookup)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;

    fn oracle() -> Oracle {
        Oracle::without_book(Size::new(4, 4).unwrap()).unwrap()
    }

    #[test]
    fn a_position_that_is_over_is_known_from_the_rules() {
        let size = oracle().size();
        let won = Position::parse(size, "1213141").unwrap();
        let analysis = oracle().known(won).unwrap();
        assert!(analysis.is_complete() && analysis.unknown_moves().is_empty());
        assert_eq!(analysis.score(), Some(-5));
        assert_eq!(analysis.source(), Some(Source::Derived));
    }

    #[test]
    fn bounds_that_meet_are_the_score() {
        let oracle = oracle();
        let mut analysis = oracle.known(Position::empty(oracle.size())).unwrap();
        analysis.learn_bounds(ScoreBounds { min: -1, max: 2 }, Source::Solver);
        assert_eq!(analysis.score(), None);
        analysis.learn_bounds(ScoreBounds { min: 2, max: 4 }, Source::Solver);
        assert_eq!(analysis.score(), Some(2));
        assert_eq!(analysis.source(), Some(Source::Solver));
    }

    #[test]
    fn the_mirror_image_has_the_mirrored_moves() {
        let oracle = oracle();
        let position = Position::parse(oracle.size(), "12").unwrap();
        let analysis = oracle.analyse(position).unwrap();
        let mirrored = analysis.mirrored();
        let expected = oracle.analyse(position.mirrored()).unwrap();
        assert_eq!(mirrored.move_scores(), expected.move_scores());
        assert_eq!(mirrored.mirrored(), analysis);
        let mut numbers = analysis.numbers();
        let nodes = analysis.nodes();
        assert_eq!(Analysis::of_numbers(position, &numbers, nodes), Some(analysis));
        numbers[0] = Score::MIN;
        assert_eq!(Analysis::of_numbers(position, &numbers, nodes).unwrap().score(), None);
        numbers.pop();
        assert_eq!(Analysis::of_numbers(position, &numbers, nodes), None);
    }
}
