//! Positions outside the book: queue, deadline, cancellation, kept answers.

use super::support::{FOREVER, PATIENT, Server, endless_work, solver_only, start, without_book};
use axum::http::Request;
use fourbook::{Oracle, Position, Size};
use fourbook_server::ServerOptions;
use std::time::Duration;
use tower::ServiceExt;

/// No thread is busy for a moment between two slices of a search, so tests wait for this.
const BUSY: &str = "fourbook_solver_busy";
const QUEUED: &str = "fourbook_solver_queued";
const CANCELLED: &str = "fourbook_solver_cancelled_total";

/// Asks for a position in the background; aborting is what a lost connection does.
fn ask(server: &Server, moves: &str) -> tokio::task::JoinHandle<u16> {
    ask_from(server, "10.0.0.1", moves)
}

/// Asks through a proxy that adds this address, which counts where the server trusts the proxy.
fn ask_from(server: &Server, address: &str, moves: &str) -> tokio::task::JoinHandle<u16> {
    let request = Request::get(format!("/solve?pos={moves}")).header("x-forwarded-for", address);
    let request = request.body(axum::body::Body::empty()).unwrap();
    let router = server.router.clone();
    tokio::spawn(async move { router.oneshot(request).await.unwrap().status().as_u16() })
}

#[tokio::test]
async fn what_is_not_solved_in_time_is_never_guessed() {
    let server = solver_only(Duration::from_millis(50), 4);
    let reply = server.get("/v1/position?moves=").await;
    reply.problem(503, "not-solved");
    assert_eq!(server.metric("fourbook_solver_unsolved_total").await, 1);
    server.wait_for(BUSY, 0).await;
}

#[tokio::test]
async fn advice_to_wait_is_given_only_where_waiting_helps() {
    let server = endless_work(1, 4);
    let running = ask(&server, "1");
    server.wait_for(BUSY, 1).await;
    // The thread is busy with another position. A long deadline passes in the queue.
    let mut deadline = 0.01;
    let (reply, problem) = loop {
        let reply = server.get(&format!("/solve?pos=2&deadline={deadline}")).await;
        let problem = reply.problem(503, "not-solved");
        if problem.get("retry_after").is_some() {
            break (reply, problem);
        }
        deadline *= 2.0;
    };
    assert_eq!(reply.header("retry-after"), problem["retry_after"].to_string());
    assert!(problem["detail"].as_str().unwrap().contains("try again"), "{problem}");
    // The thread searches this position, except between two slices.
    let reply = loop {
        let reply = server.get("/solve?pos=1&deadline=1e-2").await;
        if reply.problem(503, "not-solved").get("retry_after").is_none() {
            break reply;
        }
    };
    assert_eq!(reply.header("retry-after"), "");
    let batch = server.post(r#"{"positions": ["1"], "deadline": 0.01}"#).await.json();
    assert_eq!(batch["answers"][0]["error"]["type"], "urn:fourbook:problem:not-solved");
    running.abort();
    // A request cannot raise the limit.
    let hasty = solver_only(Duration::from_millis(10), 4);
    hasty.get("/v1/position?moves=&deadline=1000").await.problem(503, "not-solved");
}

#[tokio::test]
async fn hard_positions_of_a_batch_do_not_delay_easy_ones() {
    let server = endless_work(1, 4);
    let easy = "5858647426616774473332151411537266822232";
    let body = format!(r#"{{"positions": ["1", "2", "3", "{easy}"], "only": "score"}}"#);
    let request = Request::post("/v1/positions").header("content-type", "application/json");
    let request = request.body(axum::body::Body::from(body)).unwrap();
    let router = server.router.clone();
    let is_known = format!("/v1/position?moves={easy}&only=score&wait=false");
    let batch = tokio::spawn(async move {
        let body = router.oneshot(request).await.unwrap().into_body();
        http_body_util::BodyExt::collect(body).await.unwrap();
    });
    while server.get(&is_known).await.json()["score"].is_null() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    batch.abort();
}

#[tokio::test]
async fn nodes_are_counted_while_a_search_runs() {
    let server = endless_work(1, 4);
    let running = ask(&server, "1");
    while server.metric("fourbook_solver_nodes_total").await == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    server.wait_for(BUSY, 1).await;
    running.abort();
}

#[tokio::test]
async fn the_node_budget_ends_a_search() {
    // The node limit ends the search, not the time, however busy the machine is.
    let options = ServerOptions { max_nodes: Some(1000), ..PATIENT };
    let server = without_book("7x6", options);
    let reply = server.get("/v1/position?moves=").await;
    let problem = reply.problem(503, "node-budget");
    let bounds = &problem["bounds"];
    assert!(
        bounds["min"].as_i64() <= bounds["max"].as_i64() && bounds["min"].is_i64(),
        "{problem}"
    );
    assert!(problem["nodes"].as_u64() > Some(0), "{problem}");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("within 1,000 nodes"), "{detail}");
    assert!(detail.contains("; proved: any outcome for X (score -"), "{detail}");
    assert_eq!(reply.header("retry-after"), "", "waiting does not help");
    assert_eq!(server.metric("fourbook_solver_unsolved_total").await, 1);
    // A request may lower the limit, not raise it.
    for (asked, given) in [(1, "1 node"), (50, "50 nodes"), (1_000_000, "1,000 nodes")] {
        for uri in ["/v1/position?moves=", "/solve?pos="] {
            let reply = server.get(&format!("{uri}&max_nodes={asked}")).await;
            let problem = reply.problem(503, "node-budget");
            let words = format!("within {given};");
            assert!(problem["detail"].as_str().unwrap().contains(&words), "{problem}");
        }
        let body = format!(r#"{{"positions": ["", "1212121"], "max_nodes": {asked}}}"#);
        let answers = server.post(body).await.json()["answers"].clone();
        assert_eq!(answers[0]["error"]["type"], "urn:fourbook:problem:node-budget");
        assert_eq!(answers[1]["outcome"], "loss");
    }
}

#[tokio::test]
async fn the_node_budget_is_for_a_position_and_its_moves_together() {
    const MOVES: &str = "7422341735647741166133573473242566";
    let uri = &format!("/v1/position?moves={MOVES}");
    // From the library, as the number differs from time to time where another thread helps.
    let position = Position::from_moves(MOVES).unwrap();
    let oracle = || Oracle::without_book(Size::STANDARD).unwrap();
    let score = oracle().score(position).unwrap().nodes;
    let all = oracle().analyse(position).unwrap().nodes();
    let ask = async |max_nodes: u64| {
        solver_only(FOREVER, 4).get(&format!("{uri}&max_nodes={max_nodes}")).await
    };
    let whole = ask(10 * all).await.json();
    assert_eq!(whole["complete"], true);
    assert!(whole["nodes"].as_u64() > Some(score), "{whole}");
    assert_eq!(ask(score.midpoint(all)).await.json()["complete"], false);
    ask(1).await.problem(503, "node-budget");
    // A solved position costs no nodes.
    let server = solver_only(FOREVER, 4);
    server.get(uri).await;
    assert_eq!(server.get(&format!("{uri}&max_nodes=1")).await.status, 200);
}

#[tokio::test]
async fn a_full_queue_turns_away_and_lookups_go_on() {
    let server = endless_work(1, 1);
    let running = ask(&server, "1");
    server.wait_for(BUSY, 1).await;
    let waiting = ask(&server, "2");
    server.wait_for(QUEUED, 1).await;
    let reply = server.get("/solve?pos=3").await;
    reply.problem(503, "busy");
    assert_ne!(reply.header("retry-after"), "");
    assert_eq!(server.metric(r#"fourbook_solver_refused_total{reason="queue"}"#).await, 1);
    // The rules alone need no solver.
    assert_eq!(server.get("/solve?pos=1212121").await.status, 200);
    running.abort();
    waiting.abort();
}

#[tokio::test]
async fn the_same_position_is_solved_once_for_all_who_ask() {
    let server = endless_work(1, 1);
    let first = ask(&server, "1");
    let second = ask(&server, "1");
    server.wait_for("fourbook_solver_coalesced_total", 1).await;
    // The mirror image is the same position.
    let third = ask(&server, "8");
    server.wait_for("fourbook_solver_coalesced_total", 2).await;
    // A solver thread takes the question from the queue some time later.
    server.wait_for(QUEUED, 0).await;
    server.wait_for(BUSY, 1).await;
    // The search goes on for the remaining client and ends with the last.
    first.abort();
    second.abort();
    assert!(first.await.is_err() && second.await.is_err());
    server.wait_for(BUSY, 1).await;
    assert_eq!(server.metric(CANCELLED).await, 0);
    third.abort();
    server.wait_for(CANCELLED, 1).await;
    server.wait_for(BUSY, 0).await;
}

#[tokio::test]
async fn work_ends_when_its_client_has_gone() {
    let server = endless_work(1, 4);
    let running = ask(&server, "1");
    server.wait_for(BUSY, 1).await;
    let waiting = ask(&server, "2");
    server.wait_for(QUEUED, 1).await;
    waiting.abort();
    server.wait_for(QUEUED, 0).await;
    running.abort();
    server.wait_for(CANCELLED, 2).await;
    server.wait_for(BUSY, 0).await;
    let gone = r#"fourbook_http_requests_total{method="GET",route="/solve",status="499"}"#;
    assert_eq!(server.metric(gone).await, 2);
}

/// Hard positions keep the only thread and the queue; easy ones pass them.
#[tokio::test]
async fn easy_positions_do_not_wait_for_hard_ones() {
    let server = endless_work(1, 2);
    let hard = ["1", "2", "3"].map(|moves| ask(&server, moves));
    server.wait_for(QUEUED, 2).await;
    let easy = "314236557547134454771156584711746483173816858753363";
    for fewer in 0..5 {
        let moves = &easy[..easy.len() - fewer];
        for uri in [format!("/solve?pos={moves}"), format!("/v1/position?moves={moves}&only=score")]
        {
            assert_eq!(server.get(&uri).await.status, 200);
        }
    }
    server.wait_for(BUSY, 1).await;
    server.wait_for(QUEUED, 2).await;
    hard.iter().for_each(tokio::task::JoinHandle::abort);
}

/// Hopeless searches of one address fill the queue, and keep no search of another address from its
/// end; that one is longer than its first slices.
#[tokio::test]
async fn a_long_search_ends_beside_hopeless_ones_of_another_address() {
    let options = ServerOptions { threads: 1, queue: 2, trust_proxy: true, ..PATIENT };
    let server = without_book("8x8", options);
    let hopeless = ["1", "2", "3"].map(|moves| ask(&server, moves));
    server.wait_for(QUEUED, 2).await;
    let long = ask_from(&server, "10.0.0.2", "585864742661677447333215141153");
    assert_eq!(long.await.unwrap(), 200);
    let refused = r#"fourbook_solver_refused_total{reason="share"}"#;
    assert_eq!(server.metric(refused).await, 1);
    server.wait_for(QUEUED, 1).await;
    hopeless.iter().for_each(tokio::task::JoinHandle::abort);
}

/// A helper thread leaves for a new position.
#[tokio::test]
async fn a_thread_that_helps_is_free_for_the_next_position() {
    let server = endless_work(2, 4);
    let first = ask(&server, "1");
    server.wait_for(BUSY, 1).await;
    let reply = server.get("/solve?pos=314236557547134454771156584711746483173816858753363").await;
    assert_eq!(reply.status, 200);
    let second = ask(&server, "2");
    server.wait_for(QUEUED, 0).await;
    server.wait_for(BUSY, 2).await;
    first.abort();
    server.wait_for(BUSY, 1).await;
    second.abort();
    server.wait_for(BUSY, 0).await;
}

#[tokio::test]
async fn a_search_given_up_is_not_joined() {
    let server = endless_work(1, 4);
    let first = ask(&server, "1");
    server.wait_for(BUSY, 1).await;
    first.abort();
    assert!(first.await.is_err());
    let second = ask(&server, "1");
    server.wait_for("fourbook_solver_cancelled_total", 1).await;
    server.wait_for(QUEUED, 0).await;
    server.wait_for(BUSY, 1).await;
    assert_eq!(server.metric("fourbook_solver_coalesced_total").await, 0);
    second.abort();
}

#[tokio::test]
async fn what_has_been_solved_is_kept() {
    let server = solver_only(FOREVER, 4);
    let uri = "/v1/position?moves=7422341735647741166133573473242566";
    let first = server.get(uri).await.json();
    assert_eq!((&first["score"], first["source"].as_str()), (&1.into(), Some("solver")));
    assert!(first["nodes"].as_u64().is_some() && first["time_ms"].as_u64().is_some());
    let second = server.get(uri).await.json();
    assert_eq!(first["moves"], second["moves"]);
    assert!(second.get("time_ms").is_none(), "nothing was solved for the second");
    assert_eq!(server.metric("fourbook_solver_cached_total").await, 1);
}

#[tokio::test]
async fn a_batch_waits_for_its_turn_instead_of_filling_the_queue() {
    let server = solver_only(FOREVER, 1);
    let games = ["7422341735647741166133573473242566", "2252576253462244111563365343671351441"];
    let positions: Vec<String> = games
        .iter()
        .flat_map(|game| (0..4).map(|fewer| game[..game.len() - fewer].to_owned()))
        .collect();
    let body = serde_json::json!({ "positions": positions }).to_string();
    let answers = server.post(body).await.json()["answers"].clone();
    for (position, answer) in positions.iter().zip(answers.as_array().unwrap()) {
        assert_eq!(answer["position"], *position);
        assert!(answer.get("error").is_none(), "{answer}");
    }
}

#[tokio::test]
async fn a_stopped_daemon_turns_away_what_must_be_solved() {
    let server = solver_only(FOREVER, 4);
    server.daemon.stop();
    server.get("/solve?pos=1").await.problem(503, "stopping");
}

#[test]
fn threads_are_bounded_by_the_processors() {
    let threads =
        |threads| start([], ServerOptions { threads, ..PATIENT }).daemon.options().threads;
    assert_eq!(threads(2), 2);
    assert_eq!(threads(usize::MAX), 4 * threads(0));
}
