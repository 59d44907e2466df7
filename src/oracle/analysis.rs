//! The known facts about a position: its score or bounds of it, and the scores of its moves.

use super::{Source, look_up};
use crate::book::{Book, BookError, Lookup, look_up_moves};
use fourbook_solver::board::{Board, Outcome, Position, Score, ScoreBounds, Size, best_first};
use std::sync::OnceLock;

/// The known facts about a position: its score or bounds of it, and the scores of its moves, complete or
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
    /// The bounds of the score that are proved, and what proved the last ones.
    bounds: ScoreBounds,
    source: Source,
    /// By column; `None` if the score is unknown, or the column cannot be played or does not exist.
    pub(super) all_moves: [Option<(Score, Source)>; Size::MAX_WIDTH],
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
        let mut analysis = Self::none(position);
        let lookup = look_up(book, position)?;
        analysis.learn_lookup(lookup);
        look_up_moves(book, position, lookup, |column, lookup| {
            analysis.all_moves[column] = lookup.score().map(|score| (-score, Source::of(lookup)));
        })?;
        analysis.learn_from_moves();
        Ok(analysis)
    }

    /// Returns the analysis of a position of which nothing is known but the rules.
    pub fn none(position: Position) -> Self {
        Analysis {
            position,
            bounds: ScoreBounds::by_rules(position),
            source: Source::Derived,
            all_moves: [None; Size::MAX_WIDTH],
            ahead: 0,
            line: Vec::new(),
            nodes: 0,
        }
    }

    /// The position.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Its score, if it is known.
    pub fn score(&self) -> Option<Score> {
        self.bounds.score()
    }

    /// Where its score comes from, or else its outcome, if it is known.
    pub fn source(&self) -> Option<Source> {
        self.outcome().map(|_| self.source)
    }

    /// Who wins, for the side to move, if it is known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.bounds.outcome()
    }

    /// Stones of both sides until the game ends, if the score is known; 0 if it has ended.
    pub fn plies_to_end(&self) -> Option<u32> {
        Some(self.position.plies_to_end(self.score()?))
    }

    /// The first moves of perfect play, if they are known: to the end of the game after a
    /// [`Question::Line`](super::Question::Line).
    pub fn line(&self) -> &[usize] {
        &self.line
    }

    /// The bounds of the position's score that are proved: equal if the score is known.
    pub fn bounds(&self) -> ScoreBounds {
        self.bounds
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
        self.score().is_some() && self.knows_moves()
    }

    /// Whether the scores of all moves are known.
    fn knows_moves(&self) -> bool {
        let mut columns = self.moves().iter().enumerate();
        columns.all(|(column, known)| known.is_some() || !self.position.can_play(column))
    }

    /// The columns, from 0, that can be played and whose scores are not known, those nearest
    /// to the centre first.
    pub fn unknown_moves(&self) -> impl Iterator<Item = usize> {
        let board = Board::<u128>::of(self.position);
        let moves = board.legal_moves();
        let columns = self.position.size().centre_first();
        columns.filter(move |&column| {
            self.all_moves[column].is_none() && moves & board.geometry().column(column) != 0
        })
    }

    /// The scores of all columns, where they are known.
    pub fn move_scores(&self) -> Vec<Option<Score>> {
        self.moves().iter().map(|known| known.map(|(score, _)| score)).collect()
    }

    /// All columns, from 0: the best first, then those without a known score, then those that cannot be
    /// played.
    pub fn columns(&self) -> Vec<usize> {
        let mut columns = best_first(&self.move_scores());
        columns.sort_by_key(|&column| !self.position.can_play(column));
        columns
    }

    /// The columns, from 0, that are known to reach the score, those nearest to the centre
    /// first.
    pub fn best_moves(&self) -> Vec<usize> {
        self.score().map_or_else(Vec::new, |score| self.reaching(score).collect())
    }

    /// The columns, from 0, that may reach `score`, the position's: the columns
    /// known to reach it, if there are any, else the columns without a known score. Columns near
    /// the centre come first.
    pub(super) fn candidates(&self, score: Score) -> Vec<usize> {
        let columns: Vec<_> = self.reaching(score).collect();
        if columns.is_empty() { self.unknown_moves().collect() } else { columns }
    }

    /// Returns the bounds of an unknown move's score as a function of the known scores.
    pub(super) fn bounds_of_moves(
        &self,
    ) -> impl Fn(&[OnceLock<Score>], usize) -> ScoreBounds + use<> {
        let bounds = self.bounds_after_moves();
        let is_known = self.knows_best_move();
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
        let is_the_best = !self.knows_best_move() && self.unknown_moves().count() == 1;
        let max = if is_the_best { -score } else { Score::MAX };
        ScoreBounds { min: -score, max }
    }

    /// Whether a move is known to reach the score.
    pub(super) fn knows_best_move(&self) -> bool {
        self.score().is_some_and(|score| self.reaching(score).next().is_some())
    }

    /// The columns that are known to have a score, those nearest to the centre first.
    fn reaching(&self, score: Score) -> impl Iterator<Item = usize> {
        let columns = self.position.size().centre_first();
        columns
            .filter(move |&column| self.all_moves[column].is_some_and(|(known, _)| known == score))
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

    /// Adds proved bounds of the score, which is known once they leave only one. Bounds that contradict
    /// the known ones come from a file that lies, and change nothing.
    pub(crate) fn learn_bounds(&mut self, bounds: ScoreBounds, source: Source) {
        let both = self.bounds.and(bounds);
        if both != self.bounds && both.min <= both.max {
            self.bounds = both;
            self.source = source;
        }
    }

    /// Adds what a lookup of the position has found.
    pub(super) fn learn_lookup(&mut self, lookup: Lookup) {
        if let Some(bounds) = lookup.bounds() {
            self.learn_bounds(bounds, Source::of(lookup));
        }
    }

    /// Adds what is known of the same position from elsewhere.
    pub fn learn_from(&mut self, other: &Analysis) {
        self.learn_bounds(other.bounds, other.source);
        for (known, &other) in self.all_moves.iter_mut().zip(&other.all_moves) {
            *known = known.or(other);
        }
        self.ahead = self.ahead.max(other.ahead);
        if self.line.len() < other.line.len() {
            self.line.clone_from(&other.line);
        }
        self.nodes = self.nodes.max(other.nodes);
        self.learn_from_moves();
    }

    /// Adds the scores of all columns from looking `plies` stones ahead: 0 where the game does not end
    /// within them.
    pub(super) fn learn_ahead(&mut self, plies: u32, scores: &[Option<Score>]) {
        for column in self.unknown_moves().collect::<Vec<_>>() {
            let found = scores[column].filter(|&score| score != 0);
            self.all_moves[column] = found.map(|score| (score, Source::Solver));
        }
        // No other move wins as soon.
        if let Some(win) = scores.iter().copied().flatten().max().filter(|&best| best > 0) {
            self.learn_bounds(ScoreBounds::exactly(win), Source::Solver);
        }
        self.learn_from_moves();
        self.ahead = self.ahead.max(plies);
    }

    /// Adds the scores of the positions after moves that a search has found.
    pub(crate) fn learn(&mut self, columns: &[usize], scores: impl Iterator<Item = Option<Score>>) {
        for (&column, score) in columns.iter().zip(scores) {
            let known = &mut self.all_moves[column];
            *known = known.or(score.map(|score| (-score, Source::Solver)));
        }
        self.learn_from_moves();
    }

    /// Adds what the scores of moves prove: the score is at least the best of them, and no better if
    /// all are known.
    pub(super) fn learn_from_moves(&mut self) {
        if self.score().is_some() {
            return;
        }
        let known = || self.moves().iter().flatten();
        let Some(best) = known().map(|(score, _)| *score).max() else { return };
        let is_solved = known().any(|(_, source)| *source == Source::Solver);
        let source = if is_solved { Source::Solver } else { Source::Derived };
        let max = if self.knows_moves() { best } else { Score::MAX };
        self.learn_bounds(ScoreBounds { min: best, max }, source);
    }
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
        assert!(analysis.is_complete() && analysis.unknown_moves().next().is_none());
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
    }
}
