//! Games of two people.

use super::support::{FOREVER, PATIENT, Reply, Server, start, with_book};
use axum::body::Body;
use axum::extract::Request;
use fourbook_server::{BookSource, ServerOptions};
use serde_json::{Value, json};
use std::time::Duration;

const MINE: &str = "+my secret";
const THEIRS: &str = "their secret";
const THIRD: &str = "a third secret";

async fn post(server: &Server, body: Value) -> Reply {
    server.post_to("/v1/friend", body.to_string()).await
}

/// Creates a game, and returns its name.
async fn create(server: &Server) -> String {
    let reply = post(server, json!({ "token": MINE })).await;
    assert_eq!(reply.status, 200, "{:?}", reply.json());
    reply.json()["game"].as_str().unwrap().to_owned()
}

async fn play(server: &Server, game: &str, token: &str, moves: &str) -> Reply {
    post(server, json!({ "game": game, "token": token, "moves": moves })).await
}

#[tokio::test]
async fn two_players_share_a_game_and_others_watch() {
    let server = with_book();
    let game = create(&server).await;
    let open = |token| post(&server, json!({ "game": game, "token": token }));
    let state = |moves: &str, joined, version| json!({ "game": game, "size": "7x6", "moves": moves, "joined": joined, "version": version });
    let with_side = |mut state: Value, side: Value| {
        state["side"] = side;
        state
    };
    let mine = open(MINE).await;
    assert_eq!(mine.json(), with_side(state("", false, 1), json!("X")));
    assert_eq!(mine.header("cache-control"), "no-store");
    assert_eq!(open(THEIRS).await.json(), with_side(state("", true, 2), json!("O")));
    assert_eq!(open(THIRD).await.json(), with_side(state("", true, 2), json!(null)));
    assert_eq!(play(&server, &game, MINE, "4").await.json()["moves"], "4");
    assert_eq!(play(&server, &game, THEIRS, "44").await.json()["moves"], "44");
    // The same once more changes nothing.
    assert_eq!(play(&server, &game, THEIRS, "44").await.json()["version"], 4);
    let watched = server.get(&format!("/v1/friend/wait?game={game}")).await;
    assert_eq!(watched.json(), state("44", true, 4));
    assert_eq!(watched.header("cache-control"), "no-store");
    assert_eq!(server.metric("fourbook_games").await, 1);
}

#[tokio::test]
async fn a_game_goes_on_from_moves_with_the_side_and_board_that_were_asked_for() {
    let server = with_book();
    let body = json!({ "token": MINE, "moves": "12", "size": "4x4", "side": "O" });
    let reply = post(&server, body).await.json();
    assert_eq!(
        (&reply["size"], &reply["moves"], &reply["side"]),
        (&json!("4x4"), &json!("12"), &json!("O"))
    );
    let game = reply["game"].as_str().unwrap();
    play(&server, game, MINE, "123").await.problem(409, "out-of-turn");
    assert_eq!(play(&server, game, THEIRS, "123").await.json()["side"], "X");
}

#[tokio::test]
async fn wrong_moves_are_explained_and_change_nothing() {
    let server = with_book();
    let game = create(&server).await;
    post(&server, json!({ "game": game, "token": THEIRS })).await;
    let detail =
        play(&server, &game, THEIRS, "4").await.problem(409, "out-of-turn")["detail"].clone();
    let expected = "expected the moves of the game, '', and one more of the player to move, X; found '4' from O";
    assert_eq!(detail, expected);
    play(&server, &game, THIRD, "4").await.problem(403, "not-a-player");
    assert_eq!(play(&server, &game, MINE, "8").await.problem(400, "bad-position")["move"], 1);
    // Two moves at once, and moves that differ from the game.
    play(&server, &game, MINE, "44").await.problem(409, "out-of-turn");
    assert_eq!(play(&server, &game, MINE, "4").await.status, 200);
    play(&server, &game, MINE, "3").await.problem(409, "out-of-turn");
    play(&server, &game, MINE, "44").await.problem(409, "out-of-turn");
    let state = server.get(&format!("/v1/friend/wait?game={game}")).await.json();
    assert_eq!(state["moves"], "4");
}

#[tokio::test]
async fn nothing_is_played_after_the_end() {
    let server = with_book();
    let body = json!({ "token": MINE, "moves": "121212" });
    let game = post(&server, body).await.json()["game"].as_str().unwrap().to_owned();
    assert_eq!(play(&server, &game, MINE, "1212121").await.status, 200);
    let problem = play(&server, &game, THEIRS, "12121212").await.problem(400, "bad-position");
    assert_eq!(problem["move"], 8);
}

#[tokio::test]
async fn wrong_requests_are_explained() {
    let server = with_book();
    for (body, detail) in [
        (json!({}), "expected the parameter token"),
        (json!({ "token": "short" }), "token: expected a text of 8 to 64 bytes, found 5 bytes"),
        (json!({ "token": MINE, "side": "Y" }), "side: expected X or O, found 'Y'"),
        (json!({ "token": MINE, "other": 1 }), "found 'other'"),
        (json!([]), "found []"),
    ] {
        let problem = post(&server, body).await.problem(400, "bad-body");
        assert!(problem["detail"].as_str().unwrap().contains(detail), "{problem}");
    }
    post(&server, json!({ "token": MINE, "moves": "8" })).await.problem(400, "bad-position");
    post(&server, json!({ "token": MINE, "game": "0" })).await.problem(404, "no-game");
    server.get("/v1/friend/wait?game=0").await.problem(404, "no-game");
    server.get("/v1/friend/wait").await.problem(400, "bad-query");
    let plain = Request::post("/v1/friend").body(Body::from("{}")).unwrap();
    let problem = server.send(plain).await.problem(415, "media-type");
    assert_eq!(problem["detail"], "expected the header 'Content-Type: application/json'");
}

#[tokio::test]
async fn a_change_ends_the_wait() {
    let server = with_book();
    let game = create(&server).await;
    for (version, body, change) in [
        (1, json!({ "game": game, "token": THEIRS }), ("", true)),
        (2, json!({ "game": game, "token": MINE, "moves": "4" }), ("4", true)),
    ] {
        let uri = format!("/v1/friend/wait?game={game}&version={version}");
        let (news, _) = tokio::join!(server.get(&uri), post(&server, body));
        let news = news.json();
        assert_eq!((&news["moves"], &news["joined"]), (&json!(change.0), &json!(change.1)));
    }
    // An old version is answered at once, and so is a wait that is too long.
    server.get(&format!("/v1/friend/wait?game={game}&version=1")).await.json();
    let impatient = ServerOptions { deadline: Duration::from_millis(1), ..PATIENT };
    let server = start([BookSource::Embedded], impatient);
    let game = create(&server).await;
    let state = server.get(&format!("/v1/friend/wait?game={game}&version=1")).await.json();
    assert_eq!(state["version"], 1);
}

#[tokio::test]
async fn a_server_that_stops_lets_nobody_wait() {
    let server = with_book();
    let game = create(&server).await;
    let uri = format!("/v1/friend/wait?game={game}&version=1");
    let stop = async { server.daemon.begin_stop() };
    let (news, ()) = tokio::join!(server.get(&uri), stop);
    news.problem(404, "no-game");
}

#[tokio::test]
async fn a_full_store_refuses_games_and_one_address_takes_a_tenth() {
    let server = start([BookSource::Embedded], ServerOptions { games: 2, ..PATIENT });
    for _ in 0..2 {
        create(&server).await;
    }
    let problem = post(&server, json!({ "token": MINE })).await.problem(503, "too-many-games");
    assert_eq!(
        problem["detail"],
        "this server keeps at most 2 games, a tenth of them for one address; try again later"
    );
    let options = ServerOptions { games: 20, trust_proxy: true, ..PATIENT };
    let server = start([BookSource::Embedded], options);
    let create_from = async |address: &str| {
        let request = Request::post("/v1/friend").header("content-type", "application/json");
        let request = request.header("x-forwarded-for", address);
        let body = json!({ "token": MINE }).to_string();
        server.send(request.body(body.into()).unwrap()).await
    };
    for address in ["10.0.0.1", "10.0.0.9, 10.0.0.1:4000", "[::1]:4000"] {
        assert_eq!(create_from(address).await.status, 200);
    }
    for address in ["10.0.0.1", "::ffff:10.0.0.1"] {
        create_from(address).await.problem(503, "too-many-games");
    }
    assert_eq!(create_from("10.0.0.2").await.status, 200);
}

#[tokio::test]
async fn few_requests_wait_and_the_others_are_answered_at_once() {
    let options = ServerOptions { connections: 3, deadline: FOREVER, ..PATIENT };
    let server = start([BookSource::Embedded], options);
    let game = create(&server).await;
    let state = server.get(&format!("/v1/friend/wait?game={game}&version=1")).await.json();
    assert_eq!(state["version"], 1);
}
