//! Makes `openapi.json`, the description of the API, from tables of routes, parameters and
//! schemas. After a change here, write it again with
//! `FOURBOOK_WRITE=1 cargo test -p fourbook-server openapi`.

use fourbook::Level;
use fourbook::oracle::Source;
use fourbook_server::described::{KINDS, MAX_BODY, MAX_POSITIONS};
use fourbook_server::page::OPENAPI;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The routes. In `takes`, required parameters end with `!`. An answer that is `kept` has a tag, an
/// answer that is `now` must not be kept, and `file` may be asked for again by its tag.
fn routes() -> Value {
    json!([
        { "path": "/", "id": "page", "summary": "A page to play on",
          "returns": ["text/html"], "cache": "file" },
        { "path": "/api", "id": "apiPage", "summary": "This description, to read and to try",
          "returns": ["text/html"], "cache": "file" },
        { "path": "/script/{name}", "id": "pageScript", "summary": "A script of the page",
          "takes": "script!", "returns": ["text/javascript"], "cache": "file", "fails": [404] },
        { "path": "/style/{name}", "id": "pageStyle", "summary": "A style sheet of the page",
          "takes": "style!", "returns": ["text/css"], "cache": "file", "fails": [404] },
        { "path": "/app/{name}", "id": "pageApp",
          "summary": "Icons and the manifest of the installed page", "takes": "app!",
          "returns": ["image/svg+xml", "image/png", "application/manifest+json"],
          "cache": "file", "fails": [404] },
        { "path": "/openapi.json", "id": "description", "summary": "This description",
          "returns": ["application/json"], "schema": { "type": "object" }, "cache": "file" },
        { "path": "/solve", "id": "solve",
          "summary": "Scores of all columns, as clients of the public solver read them",
          "takes": "pos! size max_nodes deadline", "schema": to("Solve"),
          "cache": "kept", "fails": [400, 404, 503] },
        { "path": "/v1/position", "id": "position", "summary": "Everything about a position",
          "about": "Requires exactly one of moves, diagram and key. By default answers at once if \
                    the score is known: see wait.",
          "takes": "moves diagram key size only wait max_nodes deadline",
          "schema": { "oneOf": [to("Position"), to("Score")] },
          "cache": "kept", "fails": [400, 404, 503] },
        { "path": "/v1/position/stream", "id": "positionStream",
          "summary": "Everything about a position, as it is found", "about": STREAM,
          "takes": "moves diagram key size only wait max_nodes deadline",
          "returns": ["text/event-stream"], "schema": event(), "fails": [400, 404, 503] },
        { "path": "/v1/game", "id": "game", "summary": "What each move of a game was worth",
          "about": "The score of every position of a game from the empty board on, a mark for \
                    every move, and the line of perfect play from its end.",
          "takes": "moves! size max_nodes deadline", "schema": to("Game"),
          "cache": "kept", "fails": [400, 404, 503] },
        { "path": "/v1/line", "id": "line",
          "summary": "The principal variation: the rest of the game under perfect play",
          "about": "Requires exactly one of moves, diagram and key.",
          "takes": "moves diagram key size max_nodes deadline", "schema": to("Line"),
          "cache": "kept", "fails": [400, 404, 503] },
        { "path": "/v1/move", "id": "move", "summary": "The move that a level of play chooses",
          "about": LEVELS,
          "takes": "moves diagram key size level seed max_nodes deadline",
          "schema": to("ChosenMove"), "cache": "kept", "fails": [400, 404, 503] },
        { "path": "/v1/positions", "id": "positions", "method": "post",
          "summary": "Many positions in one request", "about": POSITIONS, "body": body(),
          "takes": "size only wait max_nodes deadline",
          "returns": ["application/json", "application/x-ndjson"],
          "schema": to("Positions"), "fails": [400, 404, 413, 415] },
        { "path": "/v1/book", "id": "book", "summary": "The book in use",
          "takes": "size", "schema": to("Book"), "fails": [400, 404] },
        { "path": "/healthz", "id": "health", "summary": "Whether the process is alive",
          "schema": to("Status"), "cache": "now" },
        { "path": "/readyz", "id": "ready", "summary": "Whether the server takes requests",
          "schema": to("Status"), "cache": "now", "fails": [503] },
        { "path": "/metrics", "id": "metrics", "summary": "Counters for Prometheus",
          "returns": ["text/plain", "application/openmetrics-text"], "cache": "now" },
    ])
}

const STREAM: &str = "Server-sent events. An event 'position' has a line of JSON as /v1/position \
    returns: first with what is known at once, then again after each solved move; the last one has \
    complete: true, or the requested score. An event 'problem' has a Problem and is the last one. \
    Takes the parameters of /v1/position; wait is true by default.";

const LEVELS: &str = "Requires exactly one of moves, diagram and key. A level sees a number of \
    stones ahead: a move after which perfect play ends the game within that many stones is worth \
    its score, every other move 0. A draw among the best moves decides, and in some of 100 \
    positions a draw among all moves; columns near the centre are more likely. Levels, with stones \
    and positions of 100: 1 beginner 1, 40; 2 novice 2, 25; 3 casual 4, 20; 4 intermediate 6, 12; \
    5 advanced 8, 6; 6 expert 12, 3; 7 master 20, 1; 8 perfect, the whole game, 0. The perfect level \
    follows a strategy, if there is one. The same seed, \
    level and position give the same move on every machine, unless a limit ends the search; the \
    library's type Level documents the rule to the bit. Levels 7 and 8 need exact scores. If a \
    limit ends the search, the answer is the best move known, from the bounds of the score, the \
    scores found and 12 stones ahead; proved is false unless these show that the level might play \
    it. The deadline is 3 seconds unless the request has a limit. Cache an answer only as its \
    Cache-Control says: if the request has a seed and no limit ended the search.";

const POSITIONS: &str = "Answers positions in their order, while they are found. A body of \
    application/json has the parameters in it and no query; the answer is a JSON object. A body of \
    application/x-ndjson has a position on each line, a JSON string, and the parameters in the \
    query; the answer has a line of JSON for each. The deadline is that of the whole request. The \
    body may be compressed with gzip.";

const WAIT: &str = "How to treat scores that are not in the book. By default, the request waits \
    for a search only if the position's score is unknown, and the answer has complete: false if \
    scores of moves are missing. true: wait for all scores, up to the deadline. false: never wait.";

const MOVES: &str = "The columns played, one character a move: 1 to 9, then a to g; empty for the \
    empty board.";

const KEY: &str = "The sum of three bitboards: stones of the side to move, all stones and the \
    bottom row; decimal";

/// A parameter with its example, if it has one.
fn parameter(name: &str) -> Value {
    let levels = Level::ALL.map(|level| level.name.to_owned()).into_iter();
    let levels: Vec<_> = levels.chain((1..=Level::ALL.len()).map(|it| it.to_string())).collect();
    let (about, schema, example) = match name {
        "moves" => (MOVES.to_owned(), of("string"), json!("4453")),
        "pos" => (MOVES.to_owned(), of("string"), json!("4453")),
        "diagram" => (
            "The rows, the top one first, of X (first player), O and '.', separated by '/' or \
             line ends."
                .to_owned(),
            of("string"),
            json!(null),
        ),
        "key" => (format!("{KEY}, or hexadecimal after 0x."), of("string"), json!(null)),
        "size" => (
            "The board, width x height: one of the sizes or solver_sizes of /v1/book. By default \
             the server's default board."
                .to_owned(),
            json!({ "type": "string", "pattern": "^[1-9][0-9]?x[1-9][0-9]?$" }),
            json!("7x6"),
        ),
        "only" => (
            "score: only the score of the position, which takes less time than scores of its moves."
                .to_owned(),
            words(&["score"]),
            json!(null),
        ),
        "wait" => (WAIT.to_owned(), of("boolean"), json!(null)),
        "max_nodes" => (
            "The node limit for each position, its moves included; the server may set a lower one."
                .to_owned(),
            range(1, u64::MAX),
            json!(null),
        ),
        "deadline" => (
            "The most seconds to wait for searches; the server may set fewer.".to_owned(),
            json!({ "type": "number", "exclusiveMinimum": 0 }),
            json!(null),
        ),
        "level" => (
            format!(
                "A level's name, in either case, or its number from 1 to 8; {} by default.",
                Level::default()
            ),
            words(&levels.iter().map(String::as_str).collect::<Vec<_>>()),
            json!("casual"),
        ),
        "seed" => (
            "The seed of the draw; random by default. The answer has it.".to_owned(),
            range(0, u64::MAX),
            json!(7),
        ),
        file => {
            let example = match file {
                "script" => "main.js",
                "style" => "page.css",
                _ => "icon.svg",
            };
            let schema = json!({ "type": "string", "minLength": 1 });
            ("The file's name.".to_owned(), schema, json!(example))
        }
    };
    let place = if ["script", "style", "app"].contains(&name) { "path" } else { "query" };
    let name = if place == "path" { "name" } else { name };
    let mut parameter =
        json!({ "name": name, "in": place, "description": about, "schema": schema });
    if !example.is_null() {
        parameter["example"] = example;
    }
    parameter
}

/// A failure of a request.
fn failure(status: u64, cache: &str) -> Value {
    let about = match status {
        400 => "The query, the position or the body is invalid.".to_owned(),
        404 if cache == "file" => "The page has no such file.".to_owned(),
        404 => "Boards of this size are not served \
                (size-not-served), or, with only=score and wait=false, the book does not have the \
                position (not-in-book)."
            .to_owned(),
        408 => "The request took too long.".to_owned(),
        413 => format!("More than {MAX_POSITIONS} positions or {MAX_BODY} bytes."),
        414 => "The path and query are too long.".to_owned(),
        415 => "The body is of another type.".to_owned(),
        503 if cache == "now" => "The server is stopping.".to_owned(),
        503 if cache == "busy" => "All connections of the server are in use (busy).".to_owned(),
        503 => "Not in the book and not solved: the deadline (not-solved) or the node limit \
                (node-budget) was reached, the queue is full or all connections are in use (busy), \
                or the server is stopping (stopping). An answer is never a guess."
            .to_owned(),
        other => unreachable!("no request fails with {other}"),
    };
    let content = if status == 404 && cache == "file" {
        json!({ "text/html": { "schema": of("string") } })
    } else {
        json!({ "application/problem+json": { "schema": to("Problem") } })
    };
    let mut response = json!({ "description": about, "content": content });
    if status == 503 {
        let about = "Seconds after which to try again; only if waiting can help.";
        let schema = of("integer");
        response["headers"] = json!({ "Retry-After": { "description": about, "schema": schema } });
    }
    response
}

fn operation(route: &Value) -> Value {
    let word = |name: &str| route[name].as_str().unwrap_or("");
    let cache = word("cache");
    let mut operation = json!({ "operationId": route["id"], "summary": route["summary"] });
    for (name, value) in [("description", &route["about"]), ("requestBody", &route["body"])] {
        if !value.is_null() {
            operation[name] = value.clone();
        }
    }
    let takes = word("takes").split_whitespace().map(|name| {
        let mut parameter = parameter(name.trim_end_matches('!'));
        parameter["required"] = json!(name.ends_with('!'));
        parameter
    });
    let takes: Vec<_> = takes.collect();
    if !takes.is_empty() {
        operation["parameters"] = json!(takes);
    }
    let kinds = route["returns"].as_array().cloned();
    let schema = if route["schema"].is_null() { of("string") } else { route["schema"].clone() };
    let content = kinds.unwrap_or(vec![json!("application/json")]).into_iter().map(|kind| {
        let kind = kind.as_str().expect("a media type").to_owned();
        let schema = match kind.as_str() {
            "application/x-ndjson" => of("string"),
            _ => schema.clone(),
        };
        (kind, json!({ "schema": schema }))
    });
    let content: Map<_, _> = content.collect();
    let mut responses = json!({ "200": { "description": "The answer.", "content": content } });
    if cache == "kept" {
        responses["200"]["headers"] = json!({
            "ETag": { "description": "Identifies this answer.", "schema": of("string") },
            "Cache-Control": { "schema": of("string") },
        });
    }
    if ["kept", "file"].contains(&cache) {
        let about = "The client has this answer (If-None-Match).";
        responses["304"] = json!({ "description": about });
    }
    let fails = route["fails"].as_array().into_iter().flatten();
    for status in fails.map(|status| status.as_u64().expect("a status")).chain([408, 414]) {
        responses[status.to_string()] = failure(status, cache);
    }
    let is_always_answered = ["health", "metrics"].contains(&word("id"));
    if !is_always_answered && responses["503"].is_null() {
        responses["503"] = failure(503, "busy");
    }
    if cache == "now" {
        let header = json!({ "$ref": "#/components/headers/NoStore" });
        for (_, response) in responses.as_object_mut().expect("responses") {
            response["headers"]["Cache-Control"] = header.clone();
        }
    }
    operation["responses"] = responses;
    operation
}

/// The schema of an explanation.
fn explanation() -> Value {
    let text = |description: &str| about(of("string"), description);
    let natural = || range(0, 124);
    let null = |schema: Value| json!({ "oneOf": [schema, of("null")] });
    let directions = words(&["column", "row", "diagonal"]);
    let reasons = ["at-once", "double-threat", "stacked-threats", "zugzwang", "oversight"];
    about(
        record(json!({
            "winner": about(or_null(words(&["X", "O"])), "null after a draw."),
            "stones": about(natural(), "Stones on the board at the end."),
            "line": text("The moves of the line, one character each."),
            "fours": about(list(record(json!({
                "direction": directions, "from": cell(), "to": cell(),
            }))), "The winner's lines of four or more at the end."),
            "last": about(null(cell()), "The last cell filled, which completes four; null after a draw \
                                         or if the game is over."),
            "row": about(or_null(words(&["odd", "even"])), "Whether the last cell is on an odd or an even row."),
            "threat_since": about(or_null(natural()), "Stones on the board when the last cell had become \
                                  a threat of the winner; at least those of the position."),
            "reason": about(or_null(words(&reasons)), "Why the loser could not prevent it."),
            "threats": about(list(cell()), "The winner's threats that the reason is about."),
            "defences": about(list(column()), "The columns with which the loser would not have lost at \
                              once, after an oversight; perfect play has none."),
            "text": text("All of this in a few sentences."),
        })),
        "Why a line of moves ends as it does. Columns and rows are strings: their names in text.",
    )
}

fn to(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}

fn of(kind: &str) -> Value {
    json!({ "type": kind })
}

fn range(least: impl Into<Value>, most: impl Into<Value>) -> Value {
    json!({ "type": "integer", "minimum": least.into(), "maximum": most.into() })
}

fn words(words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// The schema with a description.
fn about(mut schema: Value, text: &str) -> Value {
    schema["description"] = json!(text);
    schema
}

/// A schema for its values and null.
fn or_null(mut schema: Value) -> Value {
    schema["type"] = json!([schema["type"], "null"]);
    if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        words.push(Value::Null);
    }
    schema
}

/// The name of a column.
fn column() -> Value {
    json!({ "type": "string", "pattern": "^[1-9a-g]$" })
}

/// A cell, by the names of its column and row.
fn cell() -> Value {
    record(json!({ "column": column(), "row": { "type": "string", "pattern": "^[1-9][0-9]?$" } }))
}

/// An object with these members and no others; names of optional ones end with `?`.
fn record(members: Value) -> Value {
    let Value::Object(members) = members else { unreachable!("members have names") };
    let required = members.keys().filter(|name| !name.ends_with('?'));
    let required: Vec<_> = required.cloned().collect();
    let members = members.into_iter();
    let members: Map<_, _> =
        members.map(|(name, schema)| (name.trim_end_matches('?').to_owned(), schema)).collect();
    json!({ "type": "object", "required": required, "properties": members,
            "additionalProperties": false })
}

fn event() -> Value {
    let data = json!({ "type": "string", "contentMediaType": "application/json" });
    let event = record(json!({ "event": words(&["position", "problem"]), "data": data }));
    about(event, "Each event: its name, and a line of JSON, a Position, a Score or a Problem.")
}

/// The body of `/v1/positions`.
fn body() -> Value {
    let item = "A position in any notation: moves, a diagram, [first, second, moves], rows:A:B or \
                key:N.";
    let positions = about(of("string"), item);
    let optional = |name: &str| {
        let parameter = parameter(name);
        let schema = about(parameter["schema"].clone(), parameter["description"].as_str().unwrap());
        or_null(schema)
    };
    let schema = record(json!({
        "positions": { "type": "array", "maxItems": MAX_POSITIONS, "items": positions },
        "size?": optional("size"), "only?": optional("only"), "wait?": optional("wait"),
        "max_nodes?": optional("max_nodes"), "deadline?": optional("deadline"),
    }));
    let example = json!({ "positions": ["4453", "44444"], "wait": true });
    json!({ "required": true, "content": {
        "application/json": { "schema": schema, "example": example },
        "application/x-ndjson": { "schema": of("string"), "example": "\"4453\"\n\"44444\"\n" },
    } })
}

fn schemas() -> Value {
    let text = |description: &str| about(of("string"), description);
    let truth = |description: &str| about(of("boolean"), description);
    let natural = || json!({ "type": "integer", "minimum": 0 });
    let score = || range(-59, 59);
    let ply = || range(0, 124);
    let outcome = || or_null(words(&["win", "draw", "loss"]));
    let source = || or_null(words(&Source::ALL.map(Source::name)));
    let player = || words(&["X", "O"]);
    let board = || {
        json!({ "type": "string", "description": "The board, width x height.",
                           "examples": ["7x6"] })
    };
    let asked = || text("The position as requested.");
    let plies = || about(or_null(natural()), "Stones until the game ends, under perfect play.");
    let nodes = || about(natural(), "Nodes visited; only if something was solved.");
    let time = || about(natural(), "Milliseconds of solving; only if this request solved it.");
    let marks = ["best", "win-thrown-away", "draw-thrown-away", "slower-win", "faster-loss"];
    json!({
        "Solve": record(json!({
            "pos": of("string"),
            "score": about(list(of("integer")), "One number a column, from the first; 100 for a \
                     column that cannot be played."),
        })),
        "Position": about(record(json!({
            "position": asked(),
            "size": board(),
            "key": text(&format!("{KEY}. A string, since it may have 128 bits.")),
            "ply": about(ply(), "Number of stones."),
            "to_move": about(or_null(player()), "The player who moves next; X began. null if the \
                       game is over."),
            "over": truth("Whether the game is over."),
            "winning_line?": about(list(cell()),
                             "The cells of all lines of four; only if the game is won."),
            "score": about(or_null(score()), "For the side to move: 0 for a draw, positive for a \
                     win, negative for a loss; a win with the s-th stone of the game is \
                     (cells + 2 - s) / 2, rounded down."),
            "outcome": about(outcome(), "Who wins, for the side to move."),
            "plies_to_end": plies(),
            "best_moves": about(list(column()), "Columns known to reach the score, nearest to the \
                          centre first."),
            "moves": about(list(to("Move")), "All columns: the best first, then unknown scores, \
                     then columns that cannot be played."),
            "source": about(source(), "Where the score comes from: an entry of the book, the rules \
                      or entries one move on, a search."),
            "complete": truth("Whether the scores of the position and of all its moves are known."),
            "nodes?": nodes(),
            "time_ms?": time(),
        })), "A position and what is known of it, in the same form from the command line (lookup \
              --json), the server and the bindings. Columns and rows are strings: their names in text. \
              Unknown values are null."),
        "Score": about(record(json!({
            "position": asked(), "size": board(), "score": or_null(score()), "outcome": outcome(),
            "plies_to_end": plies(), "source": source(), "nodes?": nodes(), "time_ms?": time(),
        })), "The score of a position alone, as only=score asks for it; as in Position."),
        "Move": record(json!({
            "column": column(),
            "playable": truth("Whether a stone can be dropped there."),
            "known": truth("false while the score is unknown."),
            "score": about(or_null(score()), "For the side that moves."),
            "outcome": about(outcome(), "Who wins after the move, for the side that moves."),
            "plies_to_end": plies(),
            "source": about(source(), "Where the score comes from."),
        })),
        "Game": about(record(json!({
            "game": text("The moves."),
            "size": of("string"),
            "positions": about(list(record(json!({
                "ply": ply(), "score": score(), "outcome": words(&["win", "draw", "loss"]),
                "plies_to_end": natural(),
            }))), "All positions from the empty board on: one more than moves."),
            "moves": list(record(json!({
                "number": natural(),
                "player": player(),
                "column": column(),
                "score": about(score(), "After the move, for the player who made it."),
                "best": about(score(), "The best score available, for that player."),
                "mark": words(&marks),
            }))),
            "winner": or_null(player()),
            "over": of("boolean"),
            "line": text("The moves of perfect play from the last position to the end."),
        })), "What each move of a game was worth, and the line of perfect play from its end. \
              Columns are strings: their names in moves."),
        "Line": about(record(json!({
            "position": asked(),
            "size": board(),
            "score": about(score(), "For the side to move."),
            "line": text("The moves of perfect play to the end of the game, one character a move; \
                    empty if the game is over."),
            "explanation": to("Explanation"),
        })), "The principal variation of a position."),
        "Explanation": explanation(),
        "ChosenMove": about(record(json!({
            "position": asked(),
            "size": board(),
            "level": about(words(&Level::ALL.map(|level| level.name)), "The level's name."),
            "seed": about(range(0, u64::MAX), "The same seed gives the same move."),
            "column": about(or_null(column()), "The column played; null if the game is over."),
            "proved": about(of("boolean"), "Whether the level plays this column for certain; \
                     false if a limit ended the search before."),
            "bounds?": about(
                record(json!({ "min": score(), "max": score() })),
                "Where proved is false: the position's score, for the side to move, is between these."
            ),
            "known?": text("Where proved is false: the bounds in words, such as 'at least a draw for \
                     X (score 0 to 18)'."),
            "after": { "oneOf": [to("Position"), of("null")], "description": "The position after \
                     the move, and what the book and the rules say of it; nothing is searched. \
                     null if the game was over already." },
        })), "The move that a level chooses in a position."),
        "Positions": record(json!({ "answers": list(json!({ "oneOf": [
            to("Position"), to("Score"),
            record(json!({ "position": of("string"), "error": to("Problem") })),
        ] })) })),
        "Book": record(json!({
            "loaded": of("boolean"),
            "width": of("integer"),
            "height": of("integer"),
            "program_version": of("string"),
            "file?": about(or_null(of("string")), "The name of the book's file, if it was read from \
                     one."),
            "bytes?": of("integer"),
            "format_version?": of("integer"),
            "identity?": text("Checksum of the header, which covers every byte of the book."),
            "depth?": of("integer"),
            "values?": words(&["scores", "outcomes"]),
            "provenance?": of("object"),
            "sections?": list(of("object")),
            "strategies": about(list(of("string")), "The strategies that the perfect level follows, in words."),
            "sizes": { "type": "array", "items": board(), "minItems": 1,
                       "description": "The boards with a book or a strategy, and the default one; the smallest first." },
            "solver_sizes": about(list(board()), "All others, which the solver answers for."),
        })),
        "Status": record(json!({ "status": of("string") })),
        "Problem": about(record(json!({
            "type": { "type": "string", "enum": KINDS, "format": "uri",
                      "description": "Names the kind; stable." },
            "title": of("string"),
            "status": of("integer"),
            "detail": of("string"),
            "move?": about(of("integer"), "Which move of the input is wrong, from 1."),
            "retry_after?": about(of("integer"), "Seconds."),
            "bounds?": about(
                record(json!({ "min": of("integer"), "max": of("integer") })),
                "What a search that was stopped had proved: the position's score, for the side \
                 to move, is between these."
            ),
            "nodes?": about(of("integer"), "Nodes that a search that was stopped had visited."),
        })), "What went wrong (RFC 9457); sent with Cache-Control: no-store."),
    })
}

fn document() -> Value {
    let routes = routes();
    let paths = routes.as_array().expect("a list").iter().map(|route| {
        let method = route["method"].as_str().unwrap_or("get");
        let path = route["path"].as_str().expect("a path").to_owned();
        (path, json!({ method: operation(route) }))
    });
    let paths: Map<_, _> = paths.collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "fourbook",
            "version": "1",
            "summary": "Perfect play for Connect Four",
            "description": "Exact scores from an opening book, and from a solver for positions \
                            outside it. An answer is never a guess. A column is a \
                            string, its name in moves: 1 to 9, then a to g.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "headers": { "NoStore": {
                "description": "The answer holds for this moment only and must not be kept.",
                "required": true,
                "schema": { "type": "string", "const": "no-store" },
            } },
            "schemas": schemas(),
        },
    })
}

/// The page of the guide about the API: every route with its parameters.
fn guide() -> String {
    let mut page = "# HTTP\n\nEvery route of `fourbook serve`, with its parameters. A running \
        server has a page to try them, `/api`, and the complete description, `/openapi.json`.\n"
        .to_owned();
    let document = document();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, route) in methods.as_object().unwrap() {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let summary = text(&route["summary"]);
            write!(page, "\n## {} {path}\n\n{summary}.\n", method.to_uppercase()).unwrap();
            let about = text(&route["description"]);
            if !about.is_empty() {
                write!(page, "\n{about}\n").unwrap();
            }
            let parameters = route["parameters"].as_array().into_iter().flatten();
            let rows = parameters.filter(|parameter| parameter["in"] == "query").map(|of| {
                let required = if of["required"] == true { "required" } else { "" };
                let about = text(&of["description"]);
                format!("| `{}` | {required} | {about} |\n", text(&of["name"]))
            });
            let rows: String = rows.collect();
            if !rows.is_empty() {
                write!(page, "\n| parameter | | |\n|---|---|---|\n{rows}").unwrap();
            }
        }
    }
    page
}

#[test]
fn the_description_and_the_guide_are_current() {
    let text = serde_json::to_string_pretty(&document()).unwrap() + "\n";
    let guide_path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/http.md");
    if std::env::var_os("FOURBOOK_WRITE").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json"), text).unwrap();
        std::fs::write(guide_path, guide()).unwrap();
    } else {
        let advice = "write it as tests/server/openapi.rs describes";
        assert!(text.as_bytes() == OPENAPI.content, "openapi.json is not current; {advice}");
        let current = std::fs::read_to_string(guide_path).unwrap() == guide();
        assert!(current, "docs/src/http.md is not current; {advice}");
    }
}
