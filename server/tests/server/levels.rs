//! `/v1/move`: what levels of play choose.

use super::support::{
    FOREVER, PATIENT, Server, repository, solver_only, start, with_book, without_book,
};
use fourbook::board::column_name;
use fourbook::{Book, Level, Limits, Oracle, Position, Size};
use fourbook_server::{BookSource, ServerOptions};
use serde_json::json;
use std::collections::BTreeSet;
use std::time::Duration;

/// Positions in the book, beyond it, and close to the end.
const POSITIONS: [&str; 6] =
    ["", "4453", "414241", "51116515", "122631142652642", "7422341735647741166133573473242566"];

fn server() -> Server {
    start([BookSource::Path(repository!("books/7x6-d8.book").into())], PATIENT)
}

/// The same columns as the library's.
async fn assert_plays_as(server: &Server, oracle: &Oracle, moves: &str, level: Level, seed: u64) {
    let position = Position::empty(oracle.size()).play_moves(moves).unwrap();
    let limits = Limits { max_time: Some(PATIENT.deadline), ..Limits::default() };
    let (expected, _) = oracle.with_limits(limits).choose_move(position, level, seed).unwrap();
    let size = oracle.size();
    let time = PATIENT.deadline.as_secs();
    let uri =
        format!("/v1/move?moves={moves}&level={level}&seed={seed}&size={size}&deadline={time}");
    let reply = server.get(&uri).await.json();
    assert_eq!(reply["column"], json!(expected.map(column_name)), "{uri}: {reply}");
}

#[tokio::test]
async fn the_same_seed_gives_the_moves_of_the_library() {
    let server = server();
    let book = Book::open(repository!("books/7x6-d8.book")).unwrap();
    let oracle = Oracle::new(book).unwrap();
    let last = u64::MAX;
    for (index, moves) in POSITIONS.into_iter().enumerate() {
        for level in Level::ALL {
            // This request takes long with a small table.
            if level.is_quick() || index != 3 {
                for seed in [0, 7, 1_000_000, last] {
                    assert_plays_as(&server, &oracle, moves, level, seed).await;
                }
            }
        }
    }
}

#[tokio::test]
async fn mirror_images_on_another_board_get_the_moves_of_the_library() {
    let size: Size = "8x8".parse().unwrap();
    let server = without_book(&size.to_string(), PATIENT);
    let oracle = Oracle::without_book(size).unwrap();
    for moves in ["1", "8", "33445", "66554", "1122", "8877"] {
        for level in ["novice", "advanced"].map(|name| name.parse::<Level>().unwrap()) {
            for seed in 0..6 {
                assert_plays_as(&server, &oracle, moves, level, seed).await;
            }
        }
    }
}

#[tokio::test]
async fn an_answer_says_what_is_played_and_what_comes_of_it() {
    let server = with_book();
    let reply = server.get("/v1/move?moves=414241&level=8&seed=1").await;
    let mut answer = reply.json();
    let after = answer["after"].take();
    let expected = json!({
        "position": "414241", "size": "7x6", "level": "perfect", "seed": 1, "column": "4",
        "proved": true, "after": null,
    });
    assert_eq!(answer, expected);
    assert_eq!((&after["position"], &after["ply"]), (&json!("4142414"), &json!(7)));
    assert_eq!((&after["over"], &after["outcome"]), (&json!(true), &json!("loss")));
    assert_eq!(after, server.get("/v1/position?moves=4142414").await.json());
    // In another notation, the position after the move can be used in a request, too.
    let reply = server.get("/v1/move?key=4433222074497&level=perfect&seed=1").await.json();
    let text = reply["after"]["position"].as_str().unwrap().to_owned();
    let again = server.get(&format!("/v1/position?key={text}")).await.json();
    assert_eq!(again["key"], reply["after"]["key"]);
    let reply = server.get("/v1/move?moves=1.%20d1%20d2%202.%20e1%20c1&seed=1").await.json();
    let column = reply["column"].as_str().unwrap();
    assert_eq!(reply["after"]["position"], format!("4453{column}"));
    // Of a link, only the moves that are made.
    let reply = server.get("/v1/move?moves=%3Fmoves%3D4453%26ply%3D2&seed=1").await.json();
    let column = reply["column"].as_str().unwrap();
    assert_eq!(reply["after"]["position"], format!("44{column}"));
}

#[tokio::test]
async fn a_game_that_is_over_has_no_move() {
    let reply = with_book().get("/v1/move?moves=1212121&seed=1").await.json();
    assert_eq!((&reply["column"], &reply["after"]), (&json!(null), &json!(null)));
}

#[tokio::test]
async fn without_a_seed_chance_decides_and_the_answer_can_be_repeated() {
    let server = with_book();
    let mut columns = BTreeSet::new();
    for _ in 0..40 {
        let reply = server.get("/v1/move?moves=&level=beginner").await;
        assert_eq!((reply.header("cache-control"), reply.header("etag")), ("no-store", ""));
        let reply = reply.json();
        columns.insert(reply["column"].as_str().unwrap().to_owned());
        let seed = &reply["seed"];
        let again = server.get(&format!("/v1/move?moves=&level=1&seed={seed}")).await.json();
        assert_eq!(again, reply);
    }
    assert!(columns.len() > 2, "{columns:?}");
    // The level is that of 'fourbook play'.
    let usual = server.get("/v1/move?moves=44").await.json();
    assert_eq!(usual["level"], Level::default().name);
}

#[tokio::test]
async fn who_has_a_move_gets_304() {
    let server = with_book();
    let uri = |level: &str, seed: u64| format!("/v1/move?moves=44&level={level}&seed={seed}");
    let tag = async |uri: &str| server.get(uri).await.header("etag").to_owned();
    let first = tag(&uri("casual", 7)).await;
    let again = server.get_with(&uri("3", 7), &[("if-none-match", &first)]).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    for other in [uri("casual", 8), uri("novice", 7), uri("casual", 7).replace("44", "45")] {
        assert_ne!(tag(&other).await, first, "{other}");
        assert_eq!(server.get_with(&other, &[("if-none-match", &first)]).await.status, 200);
    }
    let unnamed = server.get_with("/v1/move?moves=44", &[("if-none-match", "*")]).await;
    assert_eq!(unnamed.status, 200);
}

#[tokio::test]
async fn wrong_queries_are_explained() {
    let server = with_book();
    for (query, words) in [
        ("level=3", "exactly one of"),
        ("moves=4&key=1", "exactly one of"),
        ("moves=4&level=grandmaster", "is not a level; expected a number from 1 to 8 or a name"),
        ("moves=4&level=9", "is not a level"),
        ("moves=4&seed=-1", "seed"),
        ("moves=4&seed=18446744073709551616", "seed"),
        ("moves=4&max_nodes=0", "max_nodes"),
        ("moves=4&only=score", "found 'only'"),
    ] {
        let problem = server.get(&format!("/v1/move?{query}")).await.problem(400, "bad-query");
        assert!(problem["detail"].as_str().unwrap().contains(words), "{problem}");
    }
    let problem = server.get("/v1/move?moves=48").await.problem(400, "bad-position");
    assert_eq!(problem["move"], 2);
}

/// The limits apply to the sum of all searches.
#[tokio::test]
async fn where_a_limit_ends_the_search_the_best_move_known_is_played() {
    let server = solver_only(FOREVER, 1);
    for level in ["master", "perfect"] {
        let uri = format!("/v1/move?moves=&level={level}&max_nodes=50&seed=1");
        let reply = server.get(&uri).await;
        assert_eq!((reply.header("cache-control"), reply.header("etag")), ("no-store", ""));
        let reply = reply.json();
        assert_eq!((&reply["column"], &reply["proved"]), (&json!("4"), &json!(false)), "{reply}");
        assert_eq!(reply["bounds"], json!({ "min": -18, "max": 18 }));
        assert_eq!(reply["known"], "any outcome for X (score -18 to 18)");
    }
    // Nobody waits for exact scores where the level needs none.
    let reply = server.get("/v1/move?moves=&level=expert&max_nodes=1000000").await.json();
    assert_eq!((&reply["proved"], &reply["bounds"]), (&json!(true), &json!(null)));
}

#[tokio::test]
async fn a_server_that_stops_chooses_no_moves_that_take_long() {
    let hasty = solver_only(Duration::from_millis(20), 1);
    let reply = hasty.get("/v1/move?moves=&level=perfect").await.json();
    assert_eq!((&reply["column"], &reply["proved"]), (&json!("4"), &json!(false)));
    assert!(hasty.metric("fourbook_solver_unsolved_total").await >= 1);
    hasty.daemon.stop();
    hasty.get("/v1/move?moves=&level=expert").await.problem(503, "stopping");
    // The rules alone need no solver, nor do a few stones.
    assert_eq!(hasty.get("/v1/move?moves=1212121").await.status, 200);
    assert_eq!(hasty.get("/v1/move?moves=&level=casual").await.status, 200);
}

#[tokio::test]
async fn there_is_a_move_on_boards_that_cannot_be_solved() {
    let server = without_book("9x8", ServerOptions { threads: 1, ..PATIENT });
    // The side to move has to prevent three in a row with both ends open.
    for (moves, column) in [("", "5"), ("1", "5"), ("415", "6")] {
        let uri = format!("/v1/move?moves={moves}&level=perfect&max_nodes=1000&seed=1");
        let reply = server.get(&uri).await.json();
        assert_eq!(
            (&reply["column"], &reply["proved"]),
            (&json!(column), &json!(false)),
            "{reply}"
        );
    }
    // A win as soon as any other is proved.
    let uri = "/v1/move?moves=4455&level=perfect&max_nodes=1&seed=1";
    assert_eq!(server.get(uri).await.json()["proved"], true);
}

/// Looking far ahead on the largest boards takes seconds, too long for this test.
#[tokio::test]
async fn looking_ahead_ends_with_its_deadline() {
    let options = ServerOptions { threads: 1, deadline: Duration::from_millis(5), ..PATIENT };
    let server = without_book("16x7", options);
    let reply = server.get("/v1/move?moves=8&level=expert&seed=1").await.json();
    assert_eq!(reply["proved"], false, "{reply}");
    assert_eq!(server.metric("fourbook_solver_cancelled_total").await, 0);
    assert_eq!(server.metric("fourbook_solver_unsolved_total").await, 1);
    server.wait_for("fourbook_solver_busy", 0).await;
}
