//! The one shape in which people and programs get a position.

use super::{Analysis, Source};
use fourbook_solver::board::notation::Notation;
use fourbook_solver::board::{Cell, Outcome, Player, Score, ScoreBounds, Size, column_name};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

/// An [`Analysis`] with the text that it was asked for, as `fourbook lookup --json`, the server and
/// the bindings print it.
///
/// The server's `/openapi.json` has the schema of its JSON, as `Position`. Columns and rows have their
/// names, from 1, rows from the bottom. Scores are for the side to move. Unknown values are `null`.
///
/// ```
/// use fourbook::oracle::PositionReport;
/// use fourbook::{Book, Oracle, Position};
/// let oracle = Oracle::new(Book::embedded())?;
/// let known = oracle.known(Position::from_moves("4453")?)?;
/// let json = serde_json::to_value(PositionReport::new("4453", known, None))?;
/// assert_eq!((&json["score"], &json["plies_to_end"]), (&(-2).into(), &36.into()));
/// assert_eq!(json["best_moves"], serde_json::json!(["3", "6", "7"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionReport {
    /// The position as it was asked for.
    pub position: String,
    /// The known facts about it.
    #[serde(flatten)]
    pub analysis: Analysis,
    /// Milliseconds that the search took, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

impl PositionReport {
    /// The report on a position that was asked for as `text`, with the time that a search took.
    pub fn new(text: impl Into<String>, analysis: Analysis, took: Option<Duration>) -> Self {
        let time_ms = took.map(|took| took.as_millis() as u64);
        PositionReport { position: text.into(), analysis, time_ms }
    }
}

/// The JSON of an analysis.
#[derive(Serialize, Deserialize)]
struct Facts {
    size: Size,
    key: String,
    ply: u32,
    to_move: Option<Player>,
    over: bool,
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    winning_line: Option<Vec<Cell>>,
    score: Option<Score>,
    outcome: Option<Outcome>,
    plies_to_end: Option<u32>,
    /// While the score is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<ScoreBounds>,
    best_moves: Vec<char>,
    moves: Vec<Move>,
    source: Option<Source>,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
}

/// The JSON of a column.
#[derive(Serialize, Deserialize)]
struct Move {
    column: char,
    playable: bool,
    known: bool,
    score: Option<Score>,
    outcome: Option<Outcome>,
    plies_to_end: Option<u32>,
    source: Option<Source>,
}

impl Serialize for Analysis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let position = self.position();
        let score = self.score();
        let over = position.is_over();
        let winning_line = || Cell::of_all(position.size(), position.winning_stones());
        let moves = self.columns().into_iter().map(|column| {
            let (score, source) = self.moves()[column].unzip();
            let playable = position.can_play(column);
            Move {
                column: column_name(column),
                playable,
                known: score.is_some() || !playable,
                score,
                outcome: score.map(Outcome::of),
                plies_to_end: score.map(|score| position.plies_to_end(score)),
                source,
            }
        });
        let facts = Facts {
            size: position.size(),
            key: position.key().to_string(),
            ply: position.ply(),
            to_move: (!over).then(|| position.to_move()),
            over,
            winning_line: position.is_won().then(winning_line),
            score,
            outcome: self.outcome(),
            plies_to_end: self.plies_to_end(),
            bounds: Some(self.bounds()).filter(|_| score.is_none()),
            best_moves: self.best_moves().into_iter().map(column_name).collect(),
            moves: moves.collect(),
            source: self.source(),
            complete: self.is_complete(),
            nodes: Some(self.nodes()).filter(|&nodes| nodes > 0),
        };
        facts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Analysis {
    /// Takes what is serialised: all but the line, and how far a level has looked ahead.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let facts = Facts::deserialize(deserializer)?;
        let position = Notation::Key.parse(facts.size, &facts.key).map_err(D::Error::custom)?;
        let mut analysis = Analysis::none(position);
        let bounds = facts.score.map(ScoreBounds::exactly).or(facts.bounds);
        let source = facts.source.unwrap_or(Source::Solver);
        analysis.learn_bounds(bounds.unwrap_or(ScoreBounds::NONE), source);
        for Move { column, score, source, .. } in facts.moves {
            let place = (0..position.size().width()).find(|&place| column_name(place) == column);
            let place = place.ok_or_else(|| D::Error::custom("expected the name of a column"))?;
            analysis.all_moves[place] = score.zip(source).filter(|_| position.can_play(place));
        }
        analysis.learn_from_moves();
        analysis.nodes = facts.nodes.unwrap_or(0);
        Ok(analysis)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;
    use fourbook_solver::board::Position;
    use serde_json::{Value, json};

    fn oracle() -> Oracle {
        Oracle::without_book(Size::STANDARD).unwrap()
    }

    fn json(known: Analysis) -> Value {
        serde_json::to_value(&known).unwrap()
    }

    #[test]
    fn unknown_scores_are_null_and_sorted_before_full_columns() {
        // The first column is full, the second one wins at once.
        let position = Position::from_moves("1111112424").unwrap();
        let json = json(oracle().known(position).unwrap());
        assert_eq!(json["complete"], false);
        assert_eq!((&json["score"], &json["best_moves"]), (&Value::Null, &json!([])));
        let moves = json["moves"].as_array().unwrap();
        assert_eq!(moves.len(), 7);
        assert_eq!((&moves[6]["column"], &moves[6]["known"]), (&json!("1"), &json!(true)));
        for column in &moves[..6] {
            assert_ne!(column["column"], "1");
            assert_eq!(column["playable"], true);
            assert_eq!(column["known"], !column["score"].is_null());
        }
    }

    #[test]
    fn a_game_that_is_over_shows_its_line() {
        let won = Position::from_moves("1213141").unwrap();
        let json = json(oracle().known(won).unwrap());
        let cells = (1..=4).map(|row| json!({ "column": "1", "row": row.to_string() }));
        assert_eq!(json["winning_line"], cells.collect::<Value>());
        assert_eq!(json["over"], true);
        assert_eq!((&json["to_move"], &json["plies_to_end"]), (&Value::Null, &json!(0)));
        let moves = json["moves"].as_array().unwrap();
        assert!(moves.iter().all(|column| column["known"] == true && column["score"].is_null()));
    }

    #[test]
    fn all_fours_of_a_double_win_are_in_the_line() {
        let rows = "......./......./......X/.....XO/....XOO/XXXXOOO";
        let won = Position::parse(Size::STANDARD, rows).unwrap();
        let json = json(oracle().known(won).unwrap());
        assert_eq!(json["winning_line"].as_array().map(Vec::len), Some(7));
    }

    #[test]
    fn what_is_serialised_is_read_again() {
        let oracle = oracle();
        let position = Position::from_moves("5622736721521").unwrap();
        let mut some = oracle.known(position).unwrap();
        some.learn_bounds(ScoreBounds { min: -12, max: 3 }, Source::Solver);
        let all = oracle.analyse(position).unwrap();
        let won = oracle.known(Position::from_moves("1213141").unwrap()).unwrap();
        for known in [some, all, won] {
            let again: Analysis = serde_json::from_value(json(known.clone())).unwrap();
            assert_eq!(again, known);
        }
        for (field, wrong) in [("key", json!("0")), ("moves", json!([{}])), ("size", json!("3x3"))]
        {
            let mut json = json(oracle.known(position).unwrap());
            json[field] = wrong;
            assert!(serde_json::from_value::<Analysis>(json).is_err(), "{field}");
        }
    }

    #[test]
    fn a_complete_report_has_the_best_moves_first() {
        let position = Position::from_moves("5622736721521").unwrap();
        let known = oracle().analyse(position).unwrap();
        let report = PositionReport::new("5622736721521", known, Some(Duration::from_millis(7)));
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!((&json["score"], &json["complete"]), (&json!(-8), &json!(true)));
        assert_eq!(json["time_ms"], 7);
        assert_eq!(json["moves"][0]["column"], json["best_moves"][0]);
        assert!(json["nodes"].is_u64());
        let moves = json["moves"].as_array().unwrap();
        let scores: Vec<_> = moves.iter().filter_map(|column| column["score"].as_i64()).collect();
        assert!(scores.is_sorted_by(|one, other| one >= other) && scores[0] == -8);
    }
}
