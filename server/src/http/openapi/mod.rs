//! Makes `openapi.json`, the description of the API, from a table of routes. After a change here
//! write it anew with `FOURBOOK_WRITE=1 cargo test --release -p fourbook-server openapi`.

mod json;
mod route;
mod schemas;

use super::layers::MAX_BODY;
use super::routes::MAX_POSITIONS;
use crate::page::OPENAPI;
use fourbook::Level;
use json::{Json, object};
use route::{Parameter, Route, parameter, with_schema};
use schemas::{or_null, record, text, whole, words};

const LEVELS: &str = "Requires exactly one of moves, diagram and key. A level sees a number of \
    stones ahead: a move after which perfect play ends the game within that many stones is worth \
    its score, every other move 0. A draw among the best moves decides, and in some of 100 \
    positions a draw among all moves; columns near the centre are more likely. Levels, with stones \
    and positions of 100: 1 beginner 1, 40; 2 novice 2, 25; 3 casual 4, 20; 4 intermediate 6, 12; \
    5 advanced 8, 6; 6 expert 12, 3; 7 master 20, 1; 8 perfect, the whole game, 0. The same seed, \
    level and position give the same move on every machine; the library's type Level documents \
    the rule to the bit. Levels 7 and 8 need exact scores, so they take as long as /v1/position \
    with wait=true.";

const STREAM: &str = "Server-sent events. An event 'position' has a line of JSON as /v1/position \
    returns: first with what is known at once, then again after each solved move; the last one has \
    complete: true, or the requested score. An event 'problem' has a Problem and is the last one. \
    Takes the parameters of /v1/position; wait is true by default.";

const WAIT: &str = "How to treat scores that are not in the book. By default, the request waits \
    for a search only if the position's score is unknown, and the answer has complete: false if \
    scores of moves are missing. true: wait for all scores, up to the server's deadline. false: \
    never wait.";

const ONLY: &str = "score: only the score of the position, which is found sooner than those of \
    its moves.";

const ONE_POSITION: &str = "Requires exactly one of moves, diagram and key.";

const POSITION: &str = "Requires exactly one of moves, diagram and key. By default answers at once \
    if the score is known: see wait.";

const GAME: &str = "The score of every position of a game from the empty board on, a mark for \
    every move, and the line of perfect play from its end.";

const BY_SEED: &str = "by the level, the seed, the book and the position; only if the request has a \
    seed";

const NOT_SERVED_OR_KNOWN: &str = "Boards of this size are not served (size-not-served); or, with \
    only=score and wait=false, the book does not have the position (not-in-book).";

const BAD_QUERY: &str = "The query or the position is invalid.";
const NOT_SERVED: &str = "Boards of this size are not served (size-not-served).";
const SIZE_PATTERN: &str = "^[1-9][0-9]?x[1-9][0-9]?$";

fn routes_of_the_page() -> Vec<Route> {
    let file = "The page has no such file (not-found).";
    vec![
        Route::get("/", "page", "A page to play on")
            .ok("The page.", &[("text/html", text(""))])
            .tagged(),
        Route::get("/api", "apiPage", "This description, to read and to try")
            .ok("The page.", &[("text/html", text(""))])
            .tagged(),
        Route::get("/script/{name}", "pageScript", "A script of the page")
            .takes([file_name("main.js")])
            .ok("The script.", &[("text/javascript", text(""))])
            .tagged()
            .fails(404, file),
        Route::get("/style/{name}", "pageStyle", "A style sheet of the page")
            .takes([file_name("page.css")])
            .ok("The style sheet.", &[("text/css", text(""))])
            .tagged()
            .fails(404, file),
        Route::get("/app/{name}", "pageApp", "Icons and the manifest of the installed page")
            .takes([file_name("icon.svg")])
            .ok(
                "The file.",
                &["image/svg+xml", "image/png", "application/manifest+json"]
                    .map(|it| (it, text(""))),
            )
            .tagged()
            .fails(404, file),
        Route::get("/openapi.json", "description", "This description")
            .ok("This description.", &[("application/json", object! { "type" => "object" })])
            .tagged(),
    ]
}

fn routes_of_positions() -> Vec<Route> {
    vec![
        Route::get(
            "/solve",
            "solve",
            "Scores of all columns, as clients of the public solver read them",
        )
        .takes([
            parameter("pos", MOVES).required().example("4453"),
            size(),
            max_nodes("the position, its moves included"),
        ])
        .answers("The scores.", "Solve")
        .kept("by the book and the position")
        .fails(400, BAD_QUERY)
        .fails(404, NOT_SERVED)
        .may_be_unsolved(),
        Route::get("/v1/position", "position", "Everything about a position")
            .about(POSITION)
            .takes(position())
            .takes([only(), wait(), max_nodes("the position, its moves included")])
            .answers("The report.", "Position")
            .kept("by the book and the position")
            .fails(400, BAD_QUERY)
            .fails(404, NOT_SERVED_OR_KNOWN)
            .may_be_unsolved(),
        Route::get(
            "/v1/position/stream",
            "positionStream",
            "Everything about a position, as it is found",
        )
        .about(STREAM)
        .takes(position())
        .takes([only(), wait(), max_nodes("the position, its moves included")])
        .ok("The events.", &[("text/event-stream", event())])
        .fails(400, BAD_QUERY)
        .fails(404, NOT_SERVED)
        .may_be_unsolved(),
    ]
}

fn routes_of_play() -> Vec<Route> {
    vec![
        Route::get("/v1/game", "game", "What each move of a game was worth")
            .about(GAME)
            .takes([
                moves(true, "44535261"),
                size(),
                max_nodes("each position, and for the line at the end"),
            ])
            .answers("The review.", "Game")
            .fails(400, BAD_QUERY)
            .fails(404, NOT_SERVED)
            .may_be_unsolved(),
        Route::get(
            "/v1/line",
            "line",
            "The principal variation: the rest of the game under perfect play",
        )
        .about(ONE_POSITION)
        .takes(position())
        .takes([max_nodes("the position, and for the line that follows")])
        .answers("The line.", "Line")
        .kept("by the book and the position")
        .fails(400, BAD_QUERY)
        .fails(404, NOT_SERVED)
        .may_be_unsolved(),
        Route::get("/v1/move", "move", "The move that a level of play chooses")
            .about(LEVELS)
            .takes(position())
            .takes([level(), seed(), max_nodes("exact scores, which levels 7 and 8 need")])
            .answers("The move.", "ChosenMove")
            .kept(BY_SEED)
            .fails(400, BAD_QUERY)
            .fails(404, NOT_SERVED)
            .may_be_unsolved(),
    ]
}

fn other_routes() -> Vec<Route> {
    vec![
        Route::new("post", "/v1/positions", "positions", "Many positions in one request")
            .body(body())
            .answers("The answers, in the order of the positions.", "Positions")
            .fails(400, "The body is invalid.")
            .fails(404, NOT_SERVED)
            .fails(413, &format!("More than {MAX_POSITIONS} positions or {MAX_BODY} bytes."))
            .fails(415, "The body is not JSON."),
        Route::get("/v1/book", "book", "The book in use")
            .takes([size()])
            .answers("The book for boards of a size.", "Book")
            .fails(400, "The query is invalid.")
            .fails(404, NOT_SERVED),
        Route::get("/healthz", "health", "Whether the process is alive")
            .answers("The process is alive.", "Status")
            .not_kept(),
        Route::get("/readyz", "ready", "Whether the server takes requests")
            .answers("The server takes requests.", "Status")
            .fails(503, "The server is stopping.")
            .header("Retry-After", "Seconds after which to try again.", "integer")
            .not_kept(),
        Route::get("/metrics", "metrics", "Counters for Prometheus")
            .ok("The counters.", &[("application/openmetrics-text", text(""))])
            .not_kept(),
    ]
}

/// A position in one of its notations.
fn position() -> [Parameter; 4] {
    [moves(false, "4453"), diagram(), key(), size()]
}

const MOVES: &str = "The columns played, one character a move: 1 to 9, then a to g; empty for the \
    empty board.";

fn file_name(example: &str) -> Parameter {
    let schema = text("").with("minLength", 1);
    let name = with_schema("name", "The file's name.", schema).required();
    name.set("in", "path".into()).example(example)
}

fn moves(required: bool, example: &str) -> Parameter {
    parameter("moves", MOVES).set("required", required.into()).example(example)
}

fn diagram() -> Parameter {
    let text = "The rows, the top one first, of X (first player), O and '.', separated by '/' or \
                line ends.";
    parameter("diagram", text)
}

fn key() -> Parameter {
    let text = "The sum of three bitboards: stones of the side to move, all stones and the bottom \
                row; decimal, or hexadecimal after 0x.";
    parameter("key", text)
}

/// The description of a board.
fn board(of: &str) -> String {
    format!(
        "The board{of}, width x height: one of the sizes of /v1/book. By default the server's \
         default board."
    )
}

fn size() -> Parameter {
    with_schema("size", &board(""), text("").with("pattern", SIZE_PATTERN)).example("7x6")
}

fn only() -> Parameter {
    with_schema("only", ONLY, words(&["score"], ""))
}

fn wait() -> Parameter {
    with_schema("wait", WAIT, object! { "type" => "boolean" })
}

fn most_nodes(of: &str) -> String {
    format!("The node limit for {of}; the server may set a lower one.")
}

fn max_nodes(of: &str) -> Parameter {
    with_schema("max_nodes", &most_nodes(of), whole(1))
}

fn level() -> Parameter {
    let default = Level::default();
    let text =
        format!("A level's name, in either case, or its number from 1 to 8; {default} by default.");
    let names = Level::ALL.map(|level| level.name().to_owned());
    let numbers = Level::ALL.map(|level| level.number().to_string());
    let all: Vec<&str> = names.iter().chain(&numbers).map(String::as_str).collect();
    with_schema("level", &text, words(&all, "")).example("casual")
}

fn seed() -> Parameter {
    let text = "The seed of the draw; random by default. The answer has it.";
    with_schema("seed", text, whole(0)).example(7)
}

fn event() -> Json {
    let data = text("").with("contentMediaType", "application/json");
    let about = "Each event: its name, and a line of JSON, a Position or a Problem.";
    record(about, vec![("event", words(&["position", "problem"], "")), ("data", data)])
}

/// The body of `/v1/positions`.
fn body() -> Json {
    let item = "A position in any notation: moves, a diagram, [first, second, moves], rows:A:B or \
                key:N.";
    let positions =
        object! { "type" => "array", "maxItems" => MAX_POSITIONS, "items" => text(item) };
    let nodes = whole(1).with("description", most_nodes("each position, its moves included"));
    let size = text(&board(" of all positions")).with("pattern", SIZE_PATTERN);
    let wait = object! { "type" => "boolean", "description" => WAIT };
    let schema = record(
        "",
        vec![
            ("positions", positions),
            ("size?", or_null(size)),
            ("only?", or_null(words(&["score"], ONLY))),
            ("wait?", or_null(wait)),
            ("max_nodes?", nodes),
        ],
    );
    let schema = schema.with("additionalProperties", false);
    let example = object! { "positions" => ["4453", "44444"], "wait" => true };
    let content = object! {
        "application/json" => object! { "schema" => schema, "example" => example },
    };
    object! { "required" => true, "content" => content }
}

fn document() -> Json {
    let info = object! {
        "title" => "fourbook",
        "version" => "1",
        "summary" => "Perfect play for Connect Four",
        "description" => "Exact scores from an opening book, and from a solver for positions \
                          outside it. An answer is never a guess. Columns count from 1.",
        "license" => object! { "name" => "MIT OR Apache-2.0", "identifier" => "MIT OR Apache-2.0" },
    };
    let no_store = object! {
        "description" => "The answer holds for this moment only and must not be kept.",
        "required" => true,
        "schema" => object! { "type" => "string", "const" => "no-store" },
    };
    let routes = [routes_of_the_page(), routes_of_positions(), routes_of_play(), other_routes()];
    let paths = routes.into_iter().flatten().map(Route::described).collect();
    let components = object! {
        "headers" => object! { "NoStore" => no_store },
        "schemas" => schemas::all(),
    };
    object! {
        "openapi" => "3.1.0",
        "info" => info,
        "paths" => Json::Object(paths),
        "components" => components,
    }
}

#[test]
fn the_description_is_current() {
    let text = serde_json::to_string_pretty(&document()).unwrap() + "\n";
    if std::env::var_os("FOURBOOK_WRITE").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json"), text).unwrap();
    } else {
        let current = text.as_bytes() == OPENAPI.content;
        assert!(current, "openapi.json is not current; write it anew as src/http/openapi says");
    }
}
