//! Schemas of the answers.

use super::json::{Json, object};
use crate::http::problem::Problem;
use fourbook::Level;
use fourbook::oracle::Source;

/// Scores of the largest boards, either way.
const MOST_SCORE: i32 = 59;

/// A schema of a type, described unless the name says it all.
fn of(kind: &str, description: &str) -> Json {
    described(object! { "type" => kind }, description)
}

fn described(schema: Json, description: &str) -> Json {
    if description.is_empty() { schema } else { schema.with("description", description) }
}

pub(super) fn text(description: &str) -> Json {
    of("string", description)
}

fn truth(description: &str) -> Json {
    of("boolean", description)
}

fn number(least: i32, description: &str) -> Json {
    described(object! { "type" => "integer", "minimum" => least }, description)
}

fn range(least: i32, most: i32, description: &str) -> Json {
    let schema = object! { "type" => "integer", "minimum" => least, "maximum" => most };
    described(schema, description)
}

fn score(description: &str) -> Json {
    range(-MOST_SCORE, MOST_SCORE, description)
}

fn column(description: &str) -> Json {
    range(1, 16, description)
}

fn ply(description: &str) -> Json {
    range(0, 124, description)
}

fn list(items: Json, description: &str) -> Json {
    described(object! { "type" => "array", "items" => items }, description)
}

pub(super) fn words(words: &[&str], description: &str) -> Json {
    described(object! { "type" => "string", "enum" => words }, description)
}

fn player(description: &str) -> Json {
    words(&["X", "O"], description)
}

fn outcome(description: &str) -> Json {
    words(&["win", "draw", "loss"], description)
}

fn source(description: &str) -> Json {
    words(&Source::ALL.map(Source::name), description)
}

fn board() -> Json {
    text("The board, width x height.").with("examples", ["7x6"])
}

pub(super) fn whole(least: i32) -> Json {
    object! { "type" => "integer", "minimum" => least, "maximum" => u64::MAX }
}

/// The same, or null.
pub(super) fn or_null(schema: Json) -> Json {
    let Json::Object(members) = schema else { panic!("expected a schema") };
    let nullable = |(name, value)| match (name, value) {
        (name, Json::Text(kind)) if name == "type" => {
            (name, Json::List(vec![kind.into(), "null".into()]))
        }
        (name, Json::List(mut words)) if name == "enum" => {
            words.push(Json::Null);
            (name, Json::List(words))
        }
        member => member,
    };
    Json::Object(members.into_iter().map(nullable).collect())
}

pub(super) fn reference(name: &str) -> Json {
    object! { "$ref" => format!("#/components/schemas/{name}") }
}

/// An object with these properties; a name that ends with a question mark may be absent.
pub(super) fn record(description: &str, properties: Vec<(&str, Json)>) -> Json {
    let required = properties.iter().filter(|(name, _)| !name.ends_with('?'));
    let required: Vec<&str> = required.map(|&(name, _)| name).collect();
    let properties = properties.into_iter();
    let properties = properties.map(|(name, it)| (name.trim_end_matches('?').to_owned(), it));
    of("object", description)
        .with("properties", Json::Object(properties.collect()))
        .with("required", required.as_slice())
}

fn closed(record: Json) -> Json {
    record.with("additionalProperties", false)
}

pub(super) fn all() -> Json {
    object! {
        "Solve" => solve(),
        "Position" => position(),
        "Move" => column_report(),
        "Game" => game(),
        "Line" => line(),
        "ChosenMove" => chosen_move(),
        "Positions" => positions(),
        "Book" => book(),
        "Status" => record("", vec![("status", text(""))]),
        "Problem" => problem(),
    }
}

fn solve() -> Json {
    let scores = "One number a column, from the first; 100 for a column that cannot be played.";
    record("", vec![("pos", text("")), ("score", list(of("integer", ""), scores))])
}

fn position() -> Json {
    let cell = record("", vec![("column", column("")), ("row", range(1, 30, ""))]);
    closed(record(
        "A position and what is known of it, in the same form from the command line (lookup \
         --json), the server and the bindings. Columns and rows count from 1, rows from the \
         bottom. Unknown values are null.",
        vec![
            ("position", text("The position as requested.")),
            ("size", board()),
            (
                "key",
                text(
                    "The sum of three bitboards: stones of the side to move, all stones and the \
                     bottom row; decimal. A string, since it may have 128 bits.",
                ),
            ),
            ("ply", ply("Number of stones.")),
            (
                "to_move",
                or_null(player("The player who moves next; X began. null if the game is over.")),
            ),
            ("over", truth("Whether the game is over.")),
            (
                "winning_line?",
                list(cell, "The cells of all lines of four; only if the game is won."),
            ),
            (
                "score",
                or_null(score(
                    "For the side to move: 0 for a draw, positive for a win, negative for a \
                     loss; a win with the s-th stone of the game is (cells + 2 - s) / 2, rounded \
                     down.",
                )),
            ),
            ("outcome", or_null(outcome("Who wins, for the side to move."))),
            (
                "plies_to_end",
                or_null(number(0, "Stones of both sides until the game ends, under perfect play.")),
            ),
            (
                "best_moves",
                list(column(""), "Columns known to reach the score, nearest to the centre first."),
            ),
            (
                "moves",
                list(
                    reference("Move"),
                    "All columns: the best first, then unknown scores, then columns that cannot \
                     be played.",
                ),
            ),
            (
                "source",
                or_null(source(
                    "Where the score comes from: an entry of the book, the rules or entries one \
                     move on, a search.",
                )),
            ),
            (
                "complete",
                truth("Whether the scores of the position and of all its moves are known."),
            ),
            ("nodes?", number(1, "Nodes visited; only if something was solved.")),
            (
                "time_ms?",
                number(0, "Milliseconds of solving; only if this request solved something."),
            ),
        ],
    ))
}

fn column_report() -> Json {
    closed(record(
        "",
        vec![
            ("column", column("")),
            ("playable", truth("Whether a stone can be dropped there.")),
            ("known", truth("false while the score is unknown.")),
            ("score", or_null(score("For the side that moves."))),
            ("outcome", or_null(outcome("Who wins after the move, for the side that moves."))),
            ("plies_to_end", or_null(number(0, "Stones until the game ends, this one included."))),
            ("source", or_null(source("Where the score comes from."))),
        ],
    ))
}

fn game() -> Json {
    let position = closed(record(
        "",
        vec![
            ("ply", ply("")),
            ("score", score("")),
            ("outcome", outcome("")),
            ("plies_to_end", number(0, "")),
        ],
    ));
    let marks = ["best", "win-thrown-away", "draw-thrown-away", "slower-win", "faster-loss"];
    let played = closed(record(
        "",
        vec![
            ("number", number(1, "")),
            ("player", player("")),
            ("column", column("")),
            ("score", score("After the move, for the player who made it.")),
            ("best", score("The best score available, for that player.")),
            ("mark", words(&marks, "")),
        ],
    ));
    closed(record(
        "What each move of a game was worth, and the line of perfect play from its end. Columns \
         count from 1.",
        vec![
            ("game", text("The moves.")),
            ("size", text("")),
            (
                "positions",
                list(position, "All positions from the empty board on: one more than moves."),
            ),
            ("moves", list(played, "")),
            ("winner", or_null(player(""))),
            ("over", truth("")),
            ("line", text("The moves of perfect play from the last position to the end.")),
        ],
    ))
}

fn line() -> Json {
    closed(record(
        "The principal variation of a position.",
        vec![
            ("position", text("The position as requested.")),
            ("size", board()),
            ("score", score("For the side to move.")),
            (
                "line",
                text(
                    "The moves of perfect play to the end of the game, one character a move; \
                     empty if the game is over.",
                ),
            ),
        ],
    ))
}

fn chosen_move() -> Json {
    let after = object! {
        "description" => "The position after the move, and what the book and the rules say of it; \
                          nothing is searched. null if the game was over already.",
        "oneOf" => vec![reference("Position"), of("null", "")],
    };
    closed(record(
        "The move that a level chooses in a position. Columns count from 1.",
        vec![
            ("position", text("The position as requested.")),
            ("size", board()),
            ("level", words(&Level::ALL.map(Level::name), "The level's name.")),
            ("seed", described(whole(0), "The same seed gives the same move.")),
            ("column", or_null(column("The column played; null if the game is over."))),
            ("after", after),
        ],
    ))
}

fn positions() -> Json {
    let error = record("", vec![("position", text("")), ("error", reference("Problem"))]);
    let answer = object! { "oneOf" => vec![reference("Position"), error] };
    record("", vec![("answers", list(answer, ""))])
}

fn book() -> Json {
    let size = text("").with("examples", ["7x6"]);
    let sizes = list(size, "The boards served, width x height, the smallest first.");
    record(
        "",
        vec![
            ("loaded", truth("")),
            ("width", of("integer", "")),
            ("height", of("integer", "")),
            ("program_version", text("")),
            ("file?", or_null(text("The name of the book's file, if it was read from one."))),
            ("bytes?", of("integer", "")),
            ("format_version?", of("integer", "")),
            ("identity?", text("Checksum of the header, which holds those of all sections.")),
            ("depth?", of("integer", "")),
            ("values?", words(&["scores", "outcomes"], "")),
            ("provenance?", of("object", "")),
            ("sections?", list(of("object", ""), "")),
            ("sizes", sizes.with("minItems", 1)),
        ],
    )
}

fn problem() -> Json {
    record(
        "What went wrong (RFC 9457); sent with Cache-Control: no-store.",
        vec![
            ("type", words(Problem::KINDS, "Names the kind; stable.").with("format", "uri")),
            ("title", text("")),
            ("status", of("integer", "")),
            ("detail", text("")),
            ("move?", of("integer", "Which move of the input is wrong, from 1.")),
            ("retry_after?", of("integer", "Seconds.")),
        ],
    )
}
