//! Answers to wrong requests.

use super::support::{start, with_book};
use axum::body::Body;
use axum::http::Request;
use fourbook_server::{BookSource, ServerOptions};
use std::time::Duration;

#[tokio::test]
async fn a_wrong_move_is_named() {
    let server = with_book();
    for (moves, number, words) in [
        ("44x", 3, "is not a column"),
        ("48", 2, "from 1 to 7"),
        ("4444444", 7, "full column"),
        ("12121211", 8, "after the end of the game"),
    ] {
        for uri in [format!("/solve?pos={moves}"), format!("/v1/position?moves={moves}")] {
            let problem = server.get(&uri).await.problem(400, "bad-position");
            assert_eq!(problem["move"], number, "{uri}");
            assert!(problem["detail"].as_str().unwrap().contains(words), "{problem}");
        }
    }
}

#[tokio::test]
async fn wrong_queries_are_explained() {
    let server = with_book();
    for query in
        ["", "moves=4&key=1", "moves=4&diagram=.", "moves=4&moves=5", "other=4", "diagram="]
    {
        server.get(&format!("/v1/position?{query}")).await.problem(400, "bad-query");
    }
    let problem = server.get("/solve").await.problem(400, "bad-query");
    assert_eq!(problem["detail"], "expected the parameter pos; for example /solve?pos=4453");
    for (query, expected) in [
        (
            "max_nodes=x",
            "max_nodes: expected a whole number from 1 to 18446744073709551615, found 'x'",
        ),
        (
            "max_nodes=%2B1",
            "max_nodes: expected a whole number from 1 to 18446744073709551615, found '+1'",
        ),
        ("wait=maybe", "wait: expected true or false, found 'maybe'"),
        ("only=moves", "only: expected score, found 'moves'"),
        ("deadline=0", "deadline: expected a number of seconds above 0, found '0'"),
        ("deadline=NaN", "deadline: expected a number of seconds above 0, found 'NaN'"),
        ("moves=5", "expected moves once, found it twice"),
    ] {
        let problem = server.get(&format!("/v1/position?moves=4&{query}")).await;
        let problem = problem.problem(400, "bad-query");
        let detail = format!("{expected}; for example /v1/position?moves=4453");
        assert_eq!(problem["detail"], detail);
    }
    for max_nodes in ["0", "-1", "x", ""] {
        for uri in ["/solve?pos=4", "/v1/position?moves=4"] {
            server.get(&format!("{uri}&max_nodes={max_nodes}")).await.problem(400, "bad-query");
        }
    }
    for query in ["key=5", "key=x", "diagram=XX", "moves=%FF", "moves=%00", "moves=[1,2,2]"] {
        let reply = server.get(&format!("/v1/position?{query}")).await;
        assert_eq!(reply.status, 400, "{query}");
    }
}

#[tokio::test]
async fn wrong_bodies_are_explained() {
    let server = with_book();
    for (body, words) in [
        ("", "found no JSON at line 1, column 0"),
        ("{", "found no JSON at line 1, column 1"),
        ("[]", "found []"),
        (r#"{"positions": 4}"#, "found no list of positions"),
        (r#"{"positions": [4]}"#, "found the position 4"),
        (r#"{"other": []}"#, "found no list of positions"),
        (r#"{"positions": [], "other": 1}"#, "found 'other'"),
        (r#"{"positions": [], "max_nodes": 0}"#, "max_nodes: expected a whole number from 1 to"),
        (r#"{"positions": [], "max_nodes": "5"}"#, r#"found '\"5\"'"#),
        (r#"{"positions": [], "wait": "true"}"#, "wait: expected true or false"),
        (r#"{"positions": [], "size": 7}"#, "expected WIDTHxHEIGHT"),
        (r#"{"positions": [], "deadline": -1}"#, "deadline: expected a number of seconds"),
    ] {
        let problem = server.post(body).await.problem(400, "bad-body");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(words) && detail.contains(r#"{"positions": ["4453"]"#), "{detail}");
    }
    // Long input is quoted in short.
    let problem =
        server.post(format!("[{}0]", "0,".repeat(200_000))).await.problem(400, "bad-body");
    assert!(problem["detail"].as_str().unwrap().len() < 1000);
    let request =
        Request::post("/v1/positions?wait=true").header("content-type", "application/json");
    let request = request.body(Body::from(r#"{"positions": []}"#)).unwrap();
    server.send(request).await.problem(400, "bad-query");
    let request = Request::post("/v1/positions").body(Body::from("{}")).unwrap();
    server.send(request).await.problem(415, "media-type");
    let request = Request::post("/v1/positions").header("content-type", "Application/JSON");
    let request = request.body(Body::from(r#"{"positions": []}"#)).unwrap();
    assert_eq!(server.send(request).await.status, 200);
}

#[tokio::test]
async fn too_much_is_refused_and_the_limit_said() {
    let server = with_book();
    let body = |number| format!(r#"{{"positions": [{}]}}"#, vec![r#""44""#; number].join(","));
    let answers = server.post(body(10_000)).await.json()["answers"].take();
    assert_eq!(answers.as_array().unwrap().len(), 10_000);
    let problem = server.post(body(10_001)).await.problem(413, "too-large");
    assert!(problem["detail"].as_str().unwrap().contains("at most 10000 positions, found 10001"));
    let problem = server.post(vec![b' '; 1_100_000]).await.problem(413, "too-large");
    assert!(problem["detail"].as_str().unwrap().contains("1048576 bytes"));
}

#[tokio::test]
async fn unknown_paths_and_methods_are_problems_too() {
    let server = with_book();
    server.get("/v1/nothing").await.problem(404, "not-found");
    let request = Request::delete("/solve?pos=4").body(Body::empty()).unwrap();
    let reply = server.send(request).await;
    reply.problem(405, "method-not-allowed");
    assert!(reply.header("allow").contains("GET"));
}

/// A browser at an unknown address gets a page.
#[tokio::test]
async fn unknown_pages_are_html() {
    let server = with_book();
    // A proxy may serve them below a prefix.
    for (path, start) in [("/nothing", "./"), ("/script/nothing.js", "../"), ("/v2/a/b", "../../")]
    {
        let reply = server.get(path).await;
        assert_eq!(reply.status, 404, "{path}");
        assert_eq!(reply.header("content-type"), "text/html; charset=utf-8", "{path}");
        let page = String::from_utf8_lossy(&reply.body);
        assert!(page.contains("There is no such page"), "{path}");
        assert!(page.contains(&format!(r#"<a href="{start}api">"#)), "{path}: {page}");
    }
}

#[tokio::test]
async fn a_body_that_never_ends_is_given_up() {
    let request_timeout = Duration::from_millis(50);
    let options = ServerOptions { request_timeout, ..ServerOptions::default() };
    let server = start([BookSource::Embedded], options);
    let chunks = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
    server.post(Body::from_stream(chunks)).await.problem(408, "request-timeout");
}
