//! Answers in parts: at once, awaited, and as a stream.

use super::support::{PATIENT, Server, start, without_book};
use fourbook_server::BookSource;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// A position in the last ply of the book. Its moves are outside the book and soon solved.
const EDGE: &str = "51116515";
/// A position outside the book that is soon solved.
const BEYOND: &str = "122631142652642";

fn server() -> Server {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../books/7x6-d8.book");
    start([BookSource::Path(book)], PATIENT)
}

/// Columns whose scores have to be found.
fn unknown(report: &Value) -> BTreeSet<&str> {
    let moves = report["moves"].as_array().expect("moves").iter();
    let unknown = moves.filter(|it| it["known"] == json!(false));
    unknown.map(|it| it["column"].as_str().expect("a column")).collect()
}

#[tokio::test]
async fn the_score_is_returned_at_once_when_only_moves_are_unsolved() {
    let server = server();
    let reply = server.get(&format!("/v1/position?moves={EDGE}")).await;
    let report = reply.json();
    assert_eq!((&report["complete"], &report["source"]), (&json!(false), &json!("book")));
    assert!(report["score"].is_number() && report["outcome"].is_string(), "{report}");
    assert!(!unknown(&report).is_empty());
    assert!(report.get("nodes").is_none(), "nothing is searched");
    assert_eq!(reply.header("cache-control"), "no-store");
}

#[tokio::test]
async fn who_waits_gets_all_and_then_everybody_does() {
    let server = server();
    let uri = format!("/v1/position?moves={EDGE}");
    let reply = server.get(&format!("{uri}&wait=true")).await;
    let report = reply.json();
    assert_eq!((&report["complete"], unknown(&report).len()), (&json!(true), 0));
    assert_ne!(reply.header("cache-control"), "no-store");
    let again = server.get(&uri).await.json();
    assert_eq!((&again["complete"], &again["moves"]), (&json!(true), &report["moves"]));
    assert_eq!(again["score"], report["score"]);
    let sources: Vec<_> =
        report["moves"].as_array().unwrap().iter().map(|it| &it["source"]).collect();
    assert!(sources.contains(&&json!("solver")), "{sources:?}");
}

#[tokio::test]
async fn who_does_not_wait_is_told_what_is_known_be_it_nothing() {
    let server = server();
    let report = server.get(&format!("/v1/position?moves={BEYOND}&wait=false")).await.json();
    assert_eq!((&report["score"], &report["complete"]), (&json!(null), &json!(false)));
    assert_eq!((&report["ply"], &report["to_move"]), (&json!(15), &json!("O")));
    let reply = server.get(&format!("/v1/position?moves={BEYOND}&wait=false&only=score")).await;
    let problem = reply.problem(404, "not-in-book");
    assert!(problem["detail"].as_str().unwrap().contains("wait=false"), "{problem}");
}

#[tokio::test]
async fn the_score_alone_takes_fewer_nodes_than_all_moves() {
    let uri = |only: &str| format!("/v1/position?moves={BEYOND}&wait=true{only}");
    let score = server().get(&uri("&only=score")).await.json();
    let all = server().get(&uri("")).await.json();
    let names: BTreeSet<&str> = score.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = "nodes outcome plies_to_end position score size source time_ms";
    assert_eq!(names, expected.split(' ').collect());
    for name in ["score", "outcome", "plies_to_end", "position", "size"] {
        assert_eq!(score[name], all[name], "{name}");
    }
    let nodes = |report: &Value| report["nodes"].as_u64().expect("nodes");
    assert!(nodes(&score) < nodes(&all), "{score} {all}");
}

#[tokio::test]
async fn what_is_known_is_not_withheld_when_the_rest_cannot_be_had() {
    let server = server();
    let uri = format!("/v1/position?moves={EDGE}&wait=true&max_nodes=1");
    let report = server.get(&uri).await.json();
    assert_eq!((&report["complete"], &report["source"]), (&json!(false), &json!("book")));
    // A score that is found before the limit is an answer.
    let quick = without_book("9x8", PATIENT);
    let report = quick.get("/v1/position?moves=4455&max_nodes=100000").await.json();
    assert_eq!((&report["plies_to_end"], &report["complete"]), (&json!(3), &json!(false)));
    // Clients of this route expect complete answers.
    let problem = server.get(&format!("/solve?pos={EDGE}&max_nodes=1")).await;
    let problem = problem.problem(503, "node-budget");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("the position's score is known"), "{detail}");
    let problem = server.get(&format!("/solve?pos={BEYOND}&max_nodes=1")).await;
    let problem = problem.problem(503, "node-budget");
    assert!(problem["detail"].as_str().unwrap().contains("not in the book"), "{problem}");
}

#[tokio::test]
async fn a_batch_has_the_same_choices() {
    let server = server();
    let ask = async |rest: Value| {
        let mut body = json!({ "positions": [EDGE] });
        body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        server.post(body.to_string()).await.json()["answers"][0].clone()
    };
    assert_eq!(ask(json!({})).await["complete"], json!(false));
    let score = ask(json!({ "only": "score", "wait": true })).await;
    assert_eq!((&score["source"], score.get("moves")), (&json!("book"), None));
    assert_eq!(ask(json!({ "wait": true })).await["complete"], json!(true));
}

/// The events of a stream: names and data.
async fn events(server: &Server, uri: &str) -> Vec<(String, Value)> {
    let reply = server.get(uri).await;
    assert_eq!(reply.header("content-type"), "text/event-stream");
    let text = String::from_utf8(reply.body).expect("a text");
    let event = |text: &str| {
        let (name, data) = text.split_once('\n').expect("two lines");
        let name = name.strip_prefix("event: ").expect("a name").to_owned();
        let data = data.strip_prefix("data: ").expect("data");
        (name, serde_json::from_str(data).expect("JSON"))
    };
    text.trim_end().split("\n\n").map(event).collect()
}

#[tokio::test]
async fn a_stream_fills_in_what_is_missing() {
    let server = server();
    let all = events(&server, &format!("/v1/position/stream?moves={EDGE}")).await;
    assert!(all.len() >= 2 && all.iter().all(|(name, _)| name == "position"), "{all:?}");
    assert!(all[0].1["score"].is_number() && !unknown(&all[0].1).is_empty());
    for pair in all.windows(2) {
        let before = unknown(&pair[0].1);
        let after = unknown(&pair[1].1);
        assert!(after.is_subset(&before) && after.len() < before.len(), "{all:?}");
    }
    let last = &all[all.len() - 1].1;
    assert_eq!(last["complete"], json!(true));
    let whole = server.get(&format!("/v1/position?moves={EDGE}")).await.json();
    assert_eq!(last["moves"], whole["moves"]);
    // All scores are known at once.
    assert_eq!(events(&server, &format!("/v1/position/stream?moves={EDGE}")).await.len(), 1);
    // The mirror image has the mirrored columns.
    let mirrored: String = EDGE.chars().map(|c| (b'8' - c as u8 + b'0') as char).collect();
    let events = events(&server, &format!("/v1/position/stream?moves={mirrored}")).await;
    let best = |report: &Value| report["best_moves"].as_array().unwrap().len();
    assert_eq!(best(&events[0].1), best(last));
}

#[tokio::test]
async fn a_position_is_counted_once_by_every_route_that_solves_it() {
    for (uri, solved, unsolved) in [
        (format!("/v1/position?moves={BEYOND}"), 1, 0),
        (format!("/v1/position/stream?moves={BEYOND}"), 1, 0),
        (format!("/v1/move?moves={BEYOND}&level=perfect"), 1, 0),
        (format!("/v1/position?moves={BEYOND}&max_nodes=1"), 0, 1),
        (format!("/v1/position/stream?moves={BEYOND}&max_nodes=1"), 0, 1),
        (format!("/v1/move?moves={BEYOND}&level=perfect&max_nodes=1"), 0, 1),
    ] {
        let server = server();
        server.get(&uri).await;
        let source = r#"fourbook_answers_total{source="solver"}"#;
        assert_eq!(server.metric(source).await, solved, "{uri}");
        assert_eq!(server.metric("fourbook_solver_unsolved_total").await, unsolved, "{uri}");
    }
}

#[tokio::test]
async fn a_stream_that_cannot_go_on_says_why() {
    let server = server();
    let all = events(&server, &format!("/v1/position/stream?moves={EDGE}&max_nodes=1")).await;
    assert_eq!(all[0].0, "position");
    let (name, problem) = all.last().expect("events");
    assert_eq!((name.as_str(), &problem["status"]), ("problem", &json!(503)));
    let reply = server.get("/v1/position/stream?moves=8").await;
    reply.problem(400, "bad-position");
}

#[tokio::test]
async fn a_game_is_reviewed_in_one_request() {
    let server = server();
    let review = server.get("/v1/review?moves=445352615111").await.json();
    let moves = &review["moves"];
    let positions = &review["positions"];
    assert_eq!((moves.as_array().unwrap().len(), positions.as_array().unwrap().len()), (12, 13));
    assert_eq!(
        moves[0],
        json!({
            "number": 1, "player": "X", "column": "4", "score": 1, "best": 1, "mark": "best"
        })
    );
    assert_eq!((&positions[0]["score"], &review["over"]), (&json!(1), &json!(false)));
    let last = positions[12]["plies_to_end"].as_u64().unwrap();
    assert_eq!(review["line"].as_str().unwrap().len() as u64, last);
    let over = server.get("/v1/review?moves=1212121").await.json();
    assert_eq!((&over["winner"], &over["line"]), (&json!("X"), &json!("")));
    server.get("/v1/review?moves=1111111").await.problem(400, "bad-position");
    server.get("/v1/review").await.problem(400, "bad-query");
}

#[tokio::test]
async fn a_main_line_begins_at_any_position() {
    let server = server();
    let line = server.get("/v1/line?moves=4453").await.json();
    assert_eq!(line["score"], json!(-2));
    assert_eq!(
        server.get("/v1/review?moves=4453").await.json()["line"],
        line["line"],
        "as after a game"
    );
    // The board without the order of its moves.
    let diagram = "......./......./......./......./...O.../..OXX..";
    let same = server.get(&format!("/v1/line?diagram={diagram}")).await.json();
    assert_eq!((&same["score"], &same["line"]), (&line["score"], &line["line"]));
    // The explanation follows from the same moves.
    let explanation = &line["explanation"];
    assert_eq!(explanation["line"], line["line"]);
    assert_eq!((&explanation["winner"], &explanation["stones"]), (&json!("O"), &json!(40)));
    assert!(explanation["text"].as_str().unwrap().starts_with("O wins with stone 40"));
    let over = server.get("/v1/line?moves=1212121").await.json();
    assert_eq!(over["explanation"]["reason"], json!(null));
    assert_eq!((&over["score"], &over["line"]), (&json!(-18), &json!("")));
    server.get("/v1/line").await.problem(400, "bad-query");
    server.get("/v1/line?moves=4&diagram=x").await.problem(400, "bad-query");
    server.get("/v1/line?moves=4444444").await.problem(400, "bad-position");
}
