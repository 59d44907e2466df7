//! Many positions at once, on all threads of the oracle.

use super::{Answer, Knowledge, Oracle, OracleError, Source};
use crate::board::{Position, Score, ScoreBounds};
use crate::scores::ValueKind;
use crate::solver::{Analysis, StopReason};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// Positions whose moves are solved together: many more than threads, and few enough that
/// they take little memory.
const TOGETHER: usize = 1 << 12;

impl Oracle {
    /// The exact scores of positions, in their order. The oracle's threads solve the positions
    /// outside the book side by side, and help each other with the last ones. Limits hold for all
    /// positions together.
    ///
    /// ```
    /// use fourbook::{Book, Oracle, Position};
    /// let oracle = Oracle::new(Book::embedded())?;
    /// let positions = [Position::from_moves("44")?, Position::from_moves("4453")?];
    /// assert_eq!(oracle.scores(&positions)?, [1, -2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    ///
    /// # Panics
    ///
    /// If the board of one has another size.
    pub fn scores(&self, positions: &[Position]) -> Result<Vec<Score>, OracleError> {
        let mut known: Vec<Option<Score>> = Vec::with_capacity(positions.len());
        for positions in positions.chunks(TOGETHER) {
            self.check_cancel()?;
            for &position in positions {
                known.push(self.look_up(position)?.score());
            }
        }
        let unknown = positions.iter().zip(&known).filter(|(_, known)| known.is_none());
        let unknown: Vec<Position> = unknown.map(|(&position, _)| position).collect();
        let (kind, budget) = (ValueKind::Scores, self.budget(None));
        let solved = self.values(&unknown, |_| ScoreBounds::NONE, kind, &budget)?;
        let mut solved = solved.into_iter();
        let mut score = |known: Option<Score>| known.or_else(|| solved.next());
        Ok(known.into_iter().map(|known| score(known).expect("the others are solved")).collect())
    }

    /// The scores of positions and of all their moves, in their order; otherwise as
    /// [`scores`](Self::scores).
    ///
    /// ```
    /// use fourbook::{Book, Oracle, Position};
    /// let oracle = Oracle::new(Book::embedded())?;
    /// let positions = [Position::from_moves("44")?, Position::from_moves("4453")?];
    /// let analyses = oracle.analyse_all(&positions)?;
    /// assert_eq!(analyses[1].moves, [-5, -5, -2, -3, -4, -2, -2].map(Some));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    ///
    /// # Panics
    ///
    /// If the board of one has another size.
    pub fn analyse_all(&self, positions: &[Position]) -> Result<Vec<Analysis>, OracleError> {
        let mut analyses = Vec::with_capacity(positions.len());
        let (kind, budget) = (ValueKind::Scores, self.budget(None));
        for positions in positions.chunks(TOGETHER) {
            self.check_cancel()?;
            let known = positions.iter().map(|&it| self.known(it));
            let mut known = known.collect::<Result<Vec<_>, _>>()?;
            let unscored = known.iter().filter(|known| known.score().is_none());
            let unknown: Vec<_> = unscored.map(Knowledge::position).collect();
            let solved = self.values(&unknown, |_| ScoreBounds::NONE, kind, &budget)?;
            let unscored = known.iter_mut().filter(|known| known.score().is_none());
            for (known, value) in unscored.zip(solved) {
                known.learn_score(Answer { value, source: Source::Solver, nodes: 0 });
            }
            let columns: Vec<_> = known.iter().map(Knowledge::unknown_moves).collect();
            let (children, bounds): (Vec<_>, Vec<_>) = known
                .iter()
                .zip(&columns)
                .flat_map(|(known, columns)| {
                    let (position, bounds) = (known.position(), known.bounds_after_moves());
                    columns.iter().map(move |&column| (position.play(column), bounds))
                })
                .unzip();
            let scores = self.values(&children, move |number| bounds[number], kind, &budget)?;
            let scores: Vec<OnceLock<Score>> = scores.into_iter().map(OnceLock::from).collect();
            let mut scores = scores.as_slice();
            for (known, columns) in known.iter_mut().zip(&columns) {
                let (own, others) = scores.split_at(columns.len());
                known.learn(columns, own);
                scores = others;
            }
            let analysis = |known: &Knowledge| known.answer().expect("all is known").value;
            analyses.extend(known.iter().map(analysis));
        }
        Ok(analyses)
    }

    /// Books answer without a search, so no search checks the size.
    fn check_cancel(&self) -> Result<(), OracleError> {
        let cancel = self.limits.cancel.as_ref();
        match cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            true => Err(self.budget(None).stopped(StopReason::Cancelled).into()),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::book::Book;
    use crate::solver::Limits;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn oracle() -> Oracle {
        Oracle::without_book(Size::new(5, 4).unwrap()).unwrap()
    }

    /// Positions of several plies, one of an ended game among them.
    fn positions() -> Vec<Position> {
        let moves = ["123", "", "1212121", "33224", "5454", "3323", "2222"];
        let empty = Position::empty(oracle().size());
        moves.map(|moves| empty.play_moves(moves).unwrap()).to_vec()
    }

    #[test]
    fn many_positions_have_the_scores_that_each_has_alone() {
        let positions = positions();
        for threads in [1, 3] {
            let scores = oracle().with_threads(threads).scores(&positions).unwrap();
            let analyses = oracle().with_threads(threads).analyse_all(&positions).unwrap();
            let alone = oracle();
            for ((&position, score), analysis) in positions.iter().zip(scores).zip(analyses) {
                let expected = alone.analyse(position).unwrap().value;
                assert_eq!((score, analysis), (expected.score, expected));
            }
        }
    }

    #[test]
    fn a_cancelled_call_looks_nothing_up() {
        let cancel = Some(Arc::new(AtomicBool::new(true)));
        let oracle = Oracle::new(Book::embedded()).unwrap();
        let oracle = oracle.with_limits(Limits { cancel, ..Limits::default() });
        let positions = [Position::empty(oracle.size())];
        let cancelled =
            |error| matches!(error, OracleError::Stopped(it) if it.reason == StopReason::Cancelled);
        assert!(oracle.scores(&positions).is_err_and(cancelled));
        assert!(oracle.analyse_all(&positions).is_err_and(cancelled));
    }

    #[test]
    fn limits_count_for_all_together() {
        let limits = Limits { max_nodes: Some(50), ..Limits::default() };
        let oracle = || oracle().with_limits(limits.clone());
        assert!(oracle().scores(&positions()).is_err());
        assert!(oracle().analyse_all(&positions()).is_err());
        assert!(oracle().scores(&[]).unwrap().is_empty());
    }
}
