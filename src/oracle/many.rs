//! Many positions at once, on all threads of the oracle.

use super::{Analysis, Oracle, OracleError, Source};
use crate::book::Lookup;
use fourbook_solver::StopReason;
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Outcome, Position, Score, ScoreBounds};
use std::sync::atomic::Ordering;

/// Positions whose moves are solved together: many more than threads, and few enough that
/// they take little memory.
const TOGETHER: usize = 1 << 12;

impl Oracle {
    /// The exact scores of positions, in their order. The oracle's threads solve the positions
    /// outside the book side by side, and help each other with the last ones. Limits hold for all
    /// positions together. [`scores_into`](Self::scores_into) keeps the scores found before a limit.
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
    pub fn scores(&self, positions: &[Position]) -> Result<Vec<Score>, OracleError> {
        let mut scores = Vec::with_capacity(positions.len());
        self.scores_into(positions, &mut scores)?;
        Ok(scores.into_iter().map(|score| score.expect("no limit was reached")).collect())
    }

    /// Finds the scores that [`scores`](Self::scores) returns. After an error, `scores` has those
    /// found before it, in the order of the positions: `None` for an unsolved position, and nothing
    /// for positions at the end that the call did not come to.
    ///
    /// ```
    /// use fourbook::{Book, Limits, Oracle, Position};
    /// let limits = Limits { max_nodes: Some(1000), ..Limits::default() };
    /// let oracle = Oracle::new(Book::embedded())?.with_limits(limits);
    /// let positions = [Position::from_moves("44")?, Position::from_moves("5622736721521")?];
    /// let mut scores = Vec::new();
    /// assert!(oracle.scores_into(&positions, &mut scores).is_err());
    /// assert_eq!(scores, [Some(1), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn scores_into(
        &self,
        positions: &[Position],
        scores: &mut Vec<Option<Score>>,
    ) -> Result<(), OracleError> {
        self.find_all(positions, ValueKind::Scores, Lookup::score, |score| score, scores)
    }

    /// Finds who wins, for the side to move, as [`scores_into`](Self::scores_into) finds scores;
    /// cheaper if positions need a search.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn outcomes_into(
        &self,
        positions: &[Position],
        outcomes: &mut Vec<Option<Outcome>>,
    ) -> Result<(), OracleError> {
        self.find_all(positions, ValueKind::WinDrawLoss, Lookup::outcome, Outcome::of, outcomes)
    }

    fn find_all<T>(
        &self,
        positions: &[Position],
        kind: ValueKind,
        known: impl Fn(Lookup) -> Option<T>,
        of_value: impl Fn(Score) -> T,
        found: &mut Vec<Option<T>>,
    ) -> Result<(), OracleError> {
        let budget = self.parts.solvers.budget(&self.limits, None);
        found.clear();
        for positions in positions.chunks(TOGETHER) {
            self.check_cancel()?;
            for &position in positions {
                found.push(known(self.look_up(position)?));
            }
        }
        let unknown = positions.iter().zip(&*found).filter(|(_, known)| known.is_none());
        let unknown: Vec<Position> = unknown.map(|(&position, _)| position).collect();
        let (solved, ended) = self.values(&unknown, |_: &_, _| ScoreBounds::NONE, kind, &budget)?;
        let unknown = found.iter_mut().filter(|known| known.is_none());
        unknown.zip(solved).for_each(|(known, value)| *known = value.map(&of_value));
        Ok(ended?)
    }

    /// The scores of positions and of all their moves, in their order; otherwise as
    /// [`scores`](Self::scores).
    ///
    /// ```
    /// use fourbook::{Book, Oracle, Position};
    /// let oracle = Oracle::new(Book::embedded())?;
    /// let positions = [Position::from_moves("44")?, Position::from_moves("4453")?];
    /// let analyses = oracle.analyse_all(&positions)?;
    /// assert_eq!(analyses[1].move_scores(), [-5, -5, -2, -3, -4, -2, -2].map(Some));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn analyse_all(&self, positions: &[Position]) -> Result<Vec<Analysis>, OracleError> {
        let mut found = Vec::with_capacity(positions.len());
        self.analyse_into(positions, &mut found)?;
        Ok(found)
    }

    /// Finds the scores that [`analyse_all`](Self::analyse_all) returns. After an error, `found`
    /// has what is known of the first positions, in their order, complete or not, and nothing for
    /// positions at the end that the call did not come to.
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn analyse_into(
        &self,
        positions: &[Position],
        found: &mut Vec<Analysis>,
    ) -> Result<(), OracleError> {
        let kind = ValueKind::Scores;
        let budget = self.parts.solvers.budget(&self.limits, None);
        found.clear();
        for positions in positions.chunks(TOGETHER) {
            self.check_cancel()?;
            let first = found.len();
            for &position in positions {
                found.push(self.known(position)?);
            }
            let known = &mut found[first..];
            let unscored = known.iter().filter(|known| known.score().is_none());
            let unknown: Vec<_> = unscored.map(Analysis::position).collect();
            let (solved, ended) =
                self.values(&unknown, |_: &_, _| ScoreBounds::NONE, kind, &budget)?;
            let unscored = known.iter_mut().filter(|known| known.score().is_none());
            for (known, value) in unscored.zip(solved) {
                if let Some(value) = value {
                    known.learn_bounds(ScoreBounds::exactly(value), Source::Solver);
                }
            }
            ended?;
            let columns: Vec<_> =
                known.iter().map(|it| it.unknown_moves().collect::<Vec<_>>()).collect();
            let (children, bounds): (Vec<_>, Vec<_>) = known
                .iter()
                .zip(&columns)
                .flat_map(|(known, columns)| {
                    let position = known.position();
                    let bounds = known.bounds_after_moves();
                    columns.iter().map(move |&column| (position.play(column), bounds))
                })
                .unzip();
            let (scores, ended) =
                self.values(&children, move |_: &_, number| bounds[number], kind, &budget)?;
            let mut scores = scores.into_iter();
            for (known, columns) in known.iter_mut().zip(&columns) {
                known.learn(columns, scores.by_ref().take(columns.len()));
            }
            ended?;
        }
        Ok(())
    }

    /// Ends a call that is cancelled while the book alone answers: no search checks it then.
    fn check_cancel(&self) -> Result<(), OracleError> {
        let cancel = self.limits.cancel.as_ref();
        if cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            Err(self.parts.solvers.budget(&self.limits, None).stopped(StopReason::Cancelled).into())
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;
    use fourbook_solver::Limits;
    use fourbook_solver::board::Size;
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
                let expected = alone.analyse(position).unwrap();
                assert_eq!(Some(score), expected.score());
                assert_eq!(analysis.move_scores(), expected.move_scores());
            }
            let mut outcomes = Vec::new();
            let alone = oracle();
            oracle().with_threads(threads).outcomes_into(&positions, &mut outcomes).unwrap();
            let expected = positions.iter().map(|&it| Some(alone.outcome(it).unwrap().value));
            assert!(outcomes.into_iter().eq(expected));
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

    /// Limits end the calls while they solve positions, and while they solve moves.
    #[test]
    fn scores_found_before_a_limit_are_kept() {
        let positions = positions();
        let expected = oracle().analyse_all(&positions).unwrap();
        for threads in [1, 3] {
            for nodes in [0, 2_000, 20_000, 40_000] {
                let limits = Limits { max_nodes: Some(nodes), ..Limits::default() };
                let oracle = || oracle().with_limits(limits.clone()).with_threads(threads);
                let mut scores = Vec::new();
                let mut found = Vec::new();
                let stopped = oracle().scores_into(&positions, &mut scores);
                assert_eq!(stopped.is_err(), scores.contains(&None));
                for (score, expected) in scores.iter().zip(&expected) {
                    assert!(score.is_none() || *score == expected.score());
                }
                let stopped = oracle().analyse_into(&positions, &mut found);
                assert_eq!(stopped.is_err(), !found.iter().all(Analysis::is_complete));
                for (known, expected) in found.iter().zip(&expected) {
                    assert!(known.score().is_none() || known.score() == expected.score());
                    let pairs = known.move_scores().into_iter().zip(expected.move_scores());
                    assert!(pairs.into_iter().all(|(some, all)| some.is_none() || some == all));
                }
                // The rules know one of them.
                let solved = scores.iter().flatten().count();
                assert!(solved >= 1 && (nodes < 40_000 || solved > 1), "{nodes}: {solved}");
                assert_eq!((scores.len(), found.len()), (positions.len(), positions.len()));
            }
        }
    }
}
