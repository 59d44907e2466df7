//! The one shape in which people and programs get a position.

use super::{Analysis, Source};
use fourbook_solver::best_first;
use fourbook_solver::board::{Cell, Outcome, Player, Position, Score, column_name, plies_to_end};
use serde::{Serialize, Serializer};
use std::time::Duration;

/// A position and its known scores, as `fourbook lookup --json`, the server and the
/// bindings return them. Columns and rows count from 0, rows from the bottom; JSON has their names,
/// from 1. Scores are for the side to move. Unknown values are `null`.
///
/// The server's `/openapi.json` has the schema of its JSON, as `Position`.
///
/// ```
/// use fourbook::oracle::PositionReport;
/// use fourbook::{Book, Oracle, Position};
/// let oracle = Oracle::new(Book::embedded())?;
/// let report = PositionReport::new("4453", &oracle.known(Position::from_moves("4453")?)?);
/// assert_eq!((report.score, report.plies_to_end), (Some(-2), Some(36)));
/// assert_eq!((report.best_moves, report.complete), (vec![2, 5, 6], true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionReport {
    /// The position as it was asked for.
    pub position: String,
    /// The board, such as `7x6`.
    pub size: String,
    /// Its key, decimal; a text because JSON readers round large numbers.
    pub key: String,
    /// Number of stones.
    pub ply: u32,
    /// The player who moves next; none if the game has ended.
    pub to_move: Option<Player>,
    /// Whether the game has ended.
    pub over: bool,
    /// The cells of all lines of four, if the game is won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_line: Option<Vec<Cell>>,
    /// Score of the position.
    pub score: Option<Score>,
    /// The outcome for the side to move.
    pub outcome: Option<Outcome>,
    /// Stones of both sides until the game ends; 0 if it has ended.
    pub plies_to_end: Option<u32>,
    /// The columns that are known to reach the score, those nearest to the centre first.
    #[serde(serialize_with = "names")]
    pub best_moves: Vec<usize>,
    /// All columns: the best first, then columns without a known score, then full columns.
    pub moves: Vec<MoveReport>,
    /// Where the score comes from.
    pub source: Option<Source>,
    /// Whether the scores of the position and of all its moves are known.
    pub complete: bool,
    /// Nodes visited, where something was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds that the search took, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

/// A column of a [`PositionReport`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveReport {
    /// The column, from 0.
    #[serde(serialize_with = "name")]
    pub column: usize,
    /// Whether a stone can be dropped there.
    pub playable: bool,
    /// Whether everything about it is known; false while its score is unknown.
    pub known: bool,
    /// Its score, for the side that moves.
    pub score: Option<Score>,
    /// The outcome after it, for the side that moves.
    pub outcome: Option<Outcome>,
    /// Stones until the game ends, this one counted.
    pub plies_to_end: Option<u32>,
    /// Where the score comes from.
    pub source: Option<Source>,
}

impl PositionReport {
    /// The report on a position that was asked for as `text`.
    pub fn new(text: impl Into<String>, known: &Analysis) -> Self {
        let position = known.position();
        let score = known.score();
        let over = position.is_over();
        let winning_line = || Cell::of_all(position.size(), position.winning_stones());
        PositionReport {
            position: text.into(),
            size: position.size().to_string(),
            key: position.key().to_string(),
            ply: position.ply(),
            to_move: (!over).then(|| position.to_move()),
            over,
            winning_line: position.is_won().then(winning_line),
            score,
            outcome: score.map(Outcome::of),
            plies_to_end: score.map(|score| plies(position, score)),
            best_moves: known.best_moves(),
            moves: moves(known),
            source: known.source().filter(|_| score.is_some()),
            complete: known.is_complete(),
            nodes: Some(known.nodes()).filter(|&nodes| nodes > 0),
            time_ms: None,
        }
    }

    /// This report with the time that the search took.
    #[must_use]
    pub fn with_time(self, took: Option<Duration>) -> Self {
        PositionReport { time_ms: took.map(|took| took.as_millis() as u64), ..self }
    }
}

/// Writes the name of a column (from 0).
pub(super) fn name<S: Serializer>(column: &usize, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(column_name(*column))
}

/// Writes the names of columns (from 0).
pub(super) fn names<S: Serializer>(columns: &[usize], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(columns.iter().map(|&column| column_name(column)))
}

/// Stones until the game ends if a position has this score.
fn plies(position: Position, score: Score) -> u32 {
    plies_to_end(position.size().cells(), position.ply(), score)
}

fn moves(known: &Analysis) -> Vec<MoveReport> {
    let position = known.position();
    let mut columns = best_first(&known.move_scores());
    columns.sort_by_key(|&column| !position.can_play(column));
    columns
        .into_iter()
        .map(|column| {
            let (score, source) = known.moves()[column].unzip();
            let playable = position.can_play(column);
            MoveReport {
                column,
                playable,
                known: score.is_some() || !playable,
                score,
                outcome: score.map(Outcome::of),
                plies_to_end: score.map(|score| plies(position, score)),
                source,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;
    use fourbook_solver::board::Size;

    fn oracle() -> Oracle {
        Oracle::without_book(Size::STANDARD).unwrap()
    }

    #[test]
    fn unknown_scores_are_null_and_sorted_before_full_columns() {
        // The first column is full, the second one wins at once.
        let position = Position::from_moves("1111112424").unwrap();
        let report = PositionReport::new("x", &oracle().known(position).unwrap());
        assert!(!report.complete && report.score.is_none() && report.best_moves.is_empty());
        let columns: Vec<_> = report.moves.iter().map(|it| (it.column, it.known)).collect();
        assert_eq!(columns.len(), 7);
        assert_eq!(columns[6], (0, true));
        assert!(columns[..6].iter().all(|(column, _)| *column != 0));
        assert!(report.moves[..6].iter().all(|it| it.playable && it.known == it.score.is_some()));
    }

    #[test]
    fn a_game_that_is_over_shows_its_line() {
        let won = Position::from_moves("1213141").unwrap();
        let report = PositionReport::new("1213141", &oracle().known(won).unwrap());
        let line = report.winning_line.unwrap();
        let cells: Vec<_> = line.iter().map(|cell| (cell.column, cell.row)).collect();
        assert_eq!(cells, [(0, 0), (0, 1), (0, 2), (0, 3)]);
        assert_eq!((report.over, report.to_move, report.plies_to_end), (true, None, Some(0)));
        assert!(report.moves.iter().all(|it| !it.playable && it.known && it.score.is_none()));
    }

    #[test]
    fn all_fours_of_a_double_win_are_in_the_line() {
        let rows = "......./......./......X/.....XO/....XOO/XXXXOOO";
        let won = Position::parse(Size::STANDARD, rows).unwrap();
        let report = PositionReport::new("", &oracle().known(won).unwrap());
        assert_eq!(report.winning_line.map(|line| line.len()), Some(7));
    }

    #[test]
    fn a_complete_report_has_the_best_moves_first() {
        let oracle = oracle();
        let position = Position::from_moves("5622736721521").unwrap();
        let report = PositionReport::new("", &oracle.analyse(position).unwrap())
            .with_time(Some(Duration::from_millis(7)));
        assert_eq!((report.score, report.complete, report.time_ms), (Some(-8), true, Some(7)));
        assert_eq!(report.moves[0].column, report.best_moves[0]);
        assert!(report.nodes.is_some());
        let scores: Vec<_> = report.moves.iter().filter_map(|it| it.score).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b) && scores[0] == -8);
    }
}
