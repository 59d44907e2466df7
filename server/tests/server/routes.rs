//! The answers of each route.

use super::openapi::resolved;
use super::support::{PATIENT, Server, solver_only, start, with_book};
use axum::body::{Body, Bytes};
use axum::http::Request;
use fourbook::{Position, Size};
use fourbook_server::described::MAX_POSITIONS;
use fourbook_server::{BookSource, ServerOptions};
use futures_util::{FutureExt, stream};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::time::Duration;
use tower::ServiceExt;

#[tokio::test]
async fn solve_has_the_shape_that_clients_of_the_public_solver_read() {
    let reply = with_book().get("/solve?pos=4453").await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.json(), json!({ "pos": "4453", "score": [-5, -5, -2, -3, -4, -2, -2] }));
}

#[tokio::test]
async fn solve_says_100_for_a_full_column() {
    let reply = with_book().get("/solve?pos=4444443").await;
    assert_eq!(reply.json()["score"][3], 100);
    assert_ne!(reply.json()["score"][2], 100);
}

#[tokio::test]
async fn position_says_everything_and_the_best_move_first() {
    let answer = with_book().get("/v1/position?moves=4453").await.json();
    assert_eq!(answer["score"], -2);
    assert_eq!(answer["outcome"], "loss");
    assert_eq!(answer["plies_to_end"], 36);
    assert_eq!(answer["best_moves"], json!(["3", "6", "7"]));
    assert_eq!(answer["source"], "book");
    let columns: Vec<_> = answer["moves"].as_array().unwrap().iter().collect();
    assert_eq!(columns[0]["column"], "3");
    assert_eq!(columns.len(), 7);
    let scores: Vec<_> = columns.iter().map(|column| column["score"].as_i64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[tokio::test]
async fn illegal_moves_come_last_without_a_score() {
    let answer = with_book().get("/v1/position?moves=4444443").await.json();
    let last = answer["moves"].as_array().unwrap().last().unwrap().clone();
    let expected = json!({
        "column": "4", "playable": false, "known": true,
        "score": null, "outcome": null, "plies_to_end": null, "source": null,
    });
    assert_eq!(last, expected);
}

#[tokio::test]
async fn a_game_that_is_over_has_no_moves_and_no_plies_left() {
    let answer = with_book().get("/v1/position?moves=1212121").await.json();
    assert_eq!((&answer["over"], &answer["plies_to_end"]), (&json!(true), &json!(0)));
    assert_eq!((&answer["outcome"], &answer["best_moves"]), (&json!("loss"), &json!([])));
}

#[tokio::test]
async fn all_notations_say_the_same() {
    let server = with_book();
    let expected = server.get("/v1/position?moves=4453").await.json();
    for query in [
        "key=4433222074497",
        "key=key:4433222074497",
        "diagram=......./......./......./......./...O.../..OXX..",
    ] {
        let mut answer = server.get(&format!("/v1/position?{query}")).await.json();
        answer["position"] = expected["position"].clone();
        assert_eq!(answer, expected, "{query}");
    }
}

#[tokio::test]
async fn mirror_images_have_mirrored_scores() {
    let server = with_book();
    // A position outside the book, so that both come from one search.
    let here = server.get("/solve?pos=4453444555233").await.json();
    let there = server.get("/solve?pos=4435444333655").await.json();
    let mut mirrored = there["score"].as_array().unwrap().clone();
    mirrored.reverse();
    assert_eq!(here["score"], Value::Array(mirrored));
    assert_eq!(server.metric("fourbook_solver_cached_total").await, 1);
}

/// Nobody reads more than the first part of the answer.
#[tokio::test]
async fn a_batch_answers_only_what_its_reader_reads() {
    let server = with_book();
    let body = json!({ "positions": vec!["44"; MAX_POSITIONS] }).to_string();
    let request = Request::post("/v1/positions").header("content-type", "application/json");
    let request = request.body(Body::from(body)).unwrap();
    let mut answer = server.router.clone().oneshot(request).await.unwrap().into_body();
    let first = answer.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(first.starts_with(b"{\"answers\":[{"), "{first:?}");
    let answered = server.metric(r#"fourbook_answers_total{source="book"}"#).await;
    assert!(answered <= 32, "{answered}");
}

#[tokio::test]
async fn batches_have_a_limit_on_memory_half_of_it_for_one_address() {
    let server = start([BookSource::Embedded], ServerOptions { trust_proxy: true, ..PATIENT });
    let ask = |address: &str, body: Body| {
        let request = Request::post("/v1/positions").header("content-type", "application/json");
        let request = request.header("x-forwarded-for", address);
        server.router.clone().oneshot(request.body(body).unwrap())
    };
    // Bodies of unknown length that do not arrive.
    let hold_half = |address| {
        [(); 32].map(|()| {
            let body = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
            let mut unread = Box::pin(ask(address, body));
            assert!(unread.as_mut().now_or_never().is_none());
            unread
        })
    };
    let status = async |address| {
        let body = r#"{"positions": ["44"]}"#;
        ask(address, body.into()).await.unwrap().status().as_u16()
    };
    let one = hold_half("10.0.0.1");
    assert_eq!((status("10.0.0.1").await, status("10.0.0.2").await), (503, 200));
    let two = hold_half("2001:db8::1");
    assert_eq!((status("2001:db8::2").await, status("10.0.0.2").await), (503, 503));
    let refused = r#"fourbook_solver_refused_total{reason="batches"}"#;
    assert_eq!(server.metric(refused).await, 3);
    drop(one);
    assert_eq!((status("10.0.0.1").await, status("2001:db8::2").await), (200, 503));
    drop(two);
    assert_eq!(status("2001:db8::2").await, 200);
}

#[tokio::test]
async fn many_positions_are_answered_in_order_with_errors_in_place() {
    let body = r#"{"positions": ["44", "49", "", "key:4433222074497"]}"#;
    let answers = with_book().post(body).await.json()["answers"].clone();
    assert_eq!(answers[0]["position"], "44");
    assert_eq!(answers[1]["error"]["type"], "urn:fourbook:problem:bad-position");
    assert_eq!(answers[1]["error"]["move"], 2);
    assert_eq!((&answers[2]["score"], &answers[2]["position"]), (&json!(1), &json!("")));
    assert_eq!(answers[3]["score"], -2);
}

#[tokio::test]
async fn book_says_which_one_is_loaded() {
    let book = with_book().get("/v1/book").await.json();
    assert_eq!((&book["loaded"], &book["depth"]), (&json!(true), &json!(12)));
    assert_eq!((&book["width"], &book["height"]), (&json!(7), &json!(6)));
    assert_eq!(book["identity"].as_str().unwrap().len(), 8);
    assert_eq!(
        book["provenance"]["arguments"],
        "generate --size 7x6 --depth 12 --encoding compact; with all plies to 8"
    );
}

#[tokio::test]
async fn readiness_ends_when_the_server_stops_and_health_does_not() {
    let server = with_book();
    assert_eq!(server.get("/readyz").await.status, 200);
    server.daemon.begin_stop();
    server.get("/readyz").await.problem(503, "stopping");
    assert_eq!(server.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn answers_true_only_now_are_never_kept_as_described() {
    let server = with_book();
    let description = server.get("/openapi.json").await.json();
    let said = &description["components"]["headers"]["NoStore"];
    assert_eq!((&said["schema"]["const"], &said["required"]), (&json!("no-store"), &json!(true)));
    for path in ["/healthz", "/readyz", "/metrics"] {
        let responses = description["paths"][path]["get"]["responses"].as_object().unwrap();
        for (status, response) in responses {
            let response = resolved(&description, response);
            let header = &response["headers"]["Cache-Control"]["$ref"];
            assert_eq!(header, "#/components/headers/NoStore", "{path} {status}");
        }
    }
    let expect = async |uri: &str, status: u16| {
        let reply = server.get(uri).await;
        assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (status, "no-store"));
    };
    for uri in ["/healthz", "/readyz", "/metrics"] {
        expect(uri, 200).await;
    }
    server.daemon.begin_stop();
    expect("/readyz", 503).await;
}

#[tokio::test]
async fn no_error_is_kept() {
    let server = solver_only(Duration::from_millis(1), 1);
    for (uri, status) in
        [("/nothing", 404), ("/solve?pos=x", 400), ("/solve?pos=", 503), ("/v1/positions", 405)]
    {
        let reply = server.get(uri).await;
        assert_eq!(reply.status, status, "{uri}");
        assert_eq!(reply.header("cache-control"), "no-store", "{uri}");
    }
}

#[tokio::test]
async fn metrics_count_requests_and_answers() {
    let server = with_book();
    server.get("/solve?pos=44").await;
    server.get("/solve?pos=x").await;
    let label = |status| {
        format!(r#"fourbook_http_requests_total{{method="GET",route="/solve",status="{status}"}}"#)
    };
    assert_eq!(server.metric(&label(200)).await, 1);
    assert_eq!(server.metric(&label(400)).await, 1);
    assert_eq!(server.metric(r#"fourbook_answers_total{source="book"}"#).await, 1);
}

#[tokio::test]
async fn answers_of_every_route_are_counted_from_zero() {
    let server = with_book();
    let answers = async || {
        let mut counts = Vec::new();
        for source in ["book", "derived", "solver", "strategy"] {
            let name = format!(r#"fourbook_answers_total{{source="{source}"}}"#);
            counts.push(server.metric(&name).await);
        }
        counts
    };
    assert_eq!(answers().await, [0; 4]);
    for (uri, counts) in [
        ("/v1/move?moves=&size=8x7&level=perfect", [0, 0, 0, 1]),
        ("/v1/move?moves=44&level=novice", [1, 0, 0, 1]),
        ("/v1/line?moves=1212121", [1, 1, 0, 1]),
        ("/v1/review?moves=1212121", [1, 2, 0, 1]),
    ] {
        assert_eq!(server.get(uri).await.status, 200, "{uri}");
        assert_eq!(answers().await, counts, "{uri}");
    }
}

/// Counts the requests for a path that are answered completely.
async fn counted(server: &Server, route: &str) -> u64 {
    let labels = format!(r#"{{method="GET",route="{route}",status="200"}}"#);
    let text = server.metrics().await;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("fourbook_http_requests_total")?.strip_prefix(&labels));
    line.map_or(0, |number| number.trim().parse().unwrap())
}

#[tokio::test]
async fn a_request_is_counted_and_measured_when_its_answer_ends() {
    let server = with_book();
    let request = Request::get("/v1/position/stream?moves=44").body(Body::empty());
    let answer = server.router.clone().oneshot(request.unwrap()).await.unwrap();
    assert_eq!(answer.status(), 200);
    let route = "/v1/position/stream";
    assert_eq!(counted(&server, route).await, 0);
    answer.into_body().collect().await.unwrap();
    assert_eq!(counted(&server, route).await, 1);
}

#[tokio::test]
async fn an_answer_that_its_client_leaves_is_counted_as_such() {
    let server = with_book();
    let gone = r#"fourbook_http_requests_total{method="POST",route="/v1/positions",status="499"}"#;
    let body = json!({ "positions": vec!["44"; 100] }).to_string();
    let request = Request::post("/v1/positions").header("content-type", "application/json");
    let request = request.body(Body::from(body)).unwrap();
    let mut answer = server.router.clone().oneshot(request).await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.frame().await.unwrap().unwrap();
    drop(answer);
    assert_eq!(server.metric(gone).await, 1);
    // Answers without a body are complete.
    let reply = server.get_with("/solve?pos=44", &[("if-none-match", "*")]).await;
    assert_eq!(reply.status, 304);
    let complete = r#"fourbook_http_requests_total{method="GET",route="/solve",status="304"}"#;
    assert_eq!(server.metric(complete).await, 1);
}

#[tokio::test]
async fn metrics_are_open_metrics() {
    let reply = with_book().get("/metrics").await;
    assert!(reply.header("content-type").starts_with("application/openmetrics-text"));
    let text = String::from_utf8(reply.body).unwrap();
    assert!(text.contains("# TYPE fourbook_reloads counter\n") && text.ends_with("# EOF\n"));
}

#[tokio::test]
async fn a_mark_before_a_body_is_skipped() {
    let server = with_book();
    let marked = "\u{feff}{\"positions\": [\"44\"], \"only\": \"score\"}";
    let answer = server.post_to("/v1/positions", marked).await.json();
    assert_eq!(answer["answers"][0]["score"], 1);
}

#[tokio::test]
async fn bodies_may_be_in_gzip() {
    // {"positions": ["44"], "only": "score"}
    const GZIP: [u8; 56] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 42, 200, 47, 206, 44, 201, 204, 207, 43, 86, 178,
        82, 136, 86, 50, 49, 81, 138, 213, 81, 80, 202, 207, 203, 169, 4, 242, 149, 138, 147, 243,
        139, 82, 149, 106, 1, 58, 185, 23, 225, 38, 0, 0, 0,
    ];
    let server = with_book();
    let post = async |encoding: &str, body: &[u8]| {
        let request = Request::post("/v1/positions").header("content-type", "application/json");
        let request = request.header("content-encoding", encoding);
        server.send(request.body(Body::from(body.to_vec())).unwrap()).await
    };
    let answers = post("gzip", &GZIP).await.json()["answers"].clone();
    assert_eq!(answers[0]["score"], 1);
    post("gzip", &GZIP[..40]).await.problem(400, "bad-body");
    post("br", &GZIP).await.problem(415, "media-type");
}

#[tokio::test]
async fn metrics_tell_of_the_process_and_the_program() {
    let server = with_book();
    let build = format!(r#"fourbook_build_info{{version="{}"}}"#, env!("CARGO_PKG_VERSION"));
    assert_eq!(server.metric(&build).await, 1);
    if cfg!(target_os = "linux") {
        let text = String::from_utf8(server.get("/metrics").await.body).unwrap();
        for name in ["resident_memory_bytes", "open_fds", "start_time_seconds", "cpu_seconds_total"]
        {
            let line = text.lines().find_map(|it| it.strip_prefix(&format!("process_{name} ")));
            let value = line.unwrap_or_else(|| panic!("no {name} in {text}")).parse::<f64>();
            assert!(value.is_ok_and(|value| value > 0.0 || name.starts_with("cpu")), "{name}");
        }
    }
}

/// After the first visit, a browser asks for the document only.
#[tokio::test]
async fn the_document_names_files_that_clients_keep_forever() {
    let server = with_book();
    let document = server.get("/").await;
    assert_eq!(document.header("cache-control"), "no-cache");
    let text = String::from_utf8(document.body.clone()).unwrap();
    let names: Vec<&str> = text
        .split('"')
        .filter(|part| part.starts_with("script/") || part.starts_with("style/"))
        .collect();
    assert!(names.len() >= 4, "{names:?}");
    for name in names {
        let uri = format!("/{name}");
        let file = server.get(&uri).await;
        assert_eq!(file.status, 200, "{uri}");
        assert!(file.header("cache-control").contains("immutable"), "{uri}");
        let parts: Vec<&str> = uri.split('.').collect();
        let &[path, _, ending] = &parts[..] else { panic!("{uri} names no version") };
        let other = server.get(&format!("{path}.{ending}")).await;
        assert_eq!(other.header("cache-control"), "no-cache", "{uri}");
        // A page that is open never gets a part of another version.
        let other = server.get(&format!("{path}.01234567.{ending}")).await;
        assert_eq!(other.status, 404, "{uri}");
    }
    let list = server.get("/files.js").await;
    let names = String::from_utf8(list.body).unwrap();
    assert!(names.contains("script/third."), "{names}");
    assert_eq!(server.get("/service-worker.js").await.status, 200);
}

#[tokio::test]
async fn who_has_an_answer_gets_304() {
    let server = with_book();
    for uri in [
        "/solve?pos=44",
        "/v1/position?moves=44",
        "/v1/review?moves=44",
        "/",
        "/script/first.js",
        "/openapi.json",
    ] {
        let first = server.get(uri).await;
        assert!(!first.header("cache-control").is_empty(), "{uri}");
        let tag = first.header("etag");
        let again = server.get_with(uri, &[("if-none-match", tag)]).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{uri}");
        assert_eq!(again.header("etag"), tag);
        assert_eq!(first.header("vary"), "accept-encoding", "{uri}");
        // A client keeps the headers of the later answer.
        for name in ["vary", "cache-control"] {
            assert_eq!(again.header(name), first.header(name), "{uri}: {name}");
        }
        let other = server.get_with(uri, &[("if-none-match", "\"another\"")]).await;
        assert_eq!(other.status, 200);
    }
    let [here, there] = ["/solve?pos=44", "/solve?pos=45"].map(|uri| server.get(uri));
    assert_ne!(here.await.header("etag"), there.await.header("etag"));
}

#[tokio::test]
async fn answers_are_compressed_for_who_reads_that() {
    let server = with_book();
    let plain = server.get("/openapi.json").await;
    let compressed = server.get_with("/openapi.json", &[("accept-encoding", "gzip")]).await;
    assert_eq!(compressed.header("content-encoding"), "gzip");
    assert!(compressed.body.len() < plain.body.len() / 2);
}

#[tokio::test]
async fn request_ids_are_made_or_taken_over() {
    let server = with_book();
    let given = server.get_with("/healthz", &[("x-request-id", "mine")]).await;
    assert_eq!(given.header("x-request-id"), "mine");
    assert!(server.get("/healthz").await.header("x-request-id").len() >= 32);
    let long = "a".repeat(1000);
    let replaced = server.get_with("/healthz", &[("x-request-id", &long)]).await;
    assert!(replaced.header("x-request-id").len() < 64);
}

#[tokio::test]
async fn other_origins_may_ask_only_if_they_are_allowed() {
    let origin = [("origin", "https://example.org")];
    let reply = with_book().get_with("/solve?pos=44", &origin).await;
    assert_eq!(reply.header("access-control-allow-origin"), "");
    for (allowed, expected) in
        [("*", "*"), ("https://example.org", "https://example.org"), ("https://example.com", "")]
    {
        let cors = vec![allowed.parse().unwrap()];
        let options = ServerOptions { cors, ..ServerOptions::default() };
        let server = start([BookSource::Embedded], options);
        let reply = server.get_with("/solve?pos=44", &origin).await;
        assert_eq!(reply.header("access-control-allow-origin"), expected);
        // Bodies may be in gzip.
        let asks = Request::options("/v1/positions").header("origin", "https://example.org");
        let asks = asks.header("access-control-request-method", "POST");
        let reply = server.send(asks.body(String::new().into()).unwrap()).await;
        assert!(reply.header("access-control-allow-headers").contains("content-encoding"));
    }
}

#[tokio::test]
async fn the_page_takes_nothing_from_elsewhere() {
    let server = with_book();
    let document = "default-src 'none'; script-src 'self'";
    for (uri, kind, policy) in [
        ("/", "text/html", document),
        ("/api", "text/html", document),
        ("/style/page.css", "text/css", ""),
        ("/script/first.js", "text/javascript", ""),
        ("/texts/de.json", "application/json", "default-src 'none'"),
        ("/app/icon.svg", "image/svg+xml", "default-src 'none'"),
        ("/app/manifest.webmanifest", "application/manifest+json", "default-src 'none'"),
    ] {
        let reply = server.get(uri).await;
        assert!(reply.header("content-type").starts_with(kind), "{uri}");
        let found = reply.header("content-security-policy");
        assert!(
            found.starts_with(policy) && found.is_empty() == policy.is_empty(),
            "{uri}: {found}"
        );
        let text = String::from_utf8(reply.body.clone()).unwrap();
        assert!(!text.is_empty());
        assert!(!text.contains("https://") && !text.contains("//cdn"), "{uri}");
    }
}

#[tokio::test]
async fn files_that_the_page_does_not_have_are_not_found() {
    let server = with_book();
    for uri in ["/script/other.js", "/style/..%2Findex.html", "/app/", "/page.js"] {
        let reply = server.get(uri).await;
        let found = (reply.status.as_u16(), reply.header("content-type"));
        assert_eq!(found, (404, "text/html; charset=utf-8"), "{uri}");
    }
}

#[tokio::test]
async fn texts_of_every_kind_are_read_as_the_file_of_cases_says() {
    let server = with_book();
    let lines = include_str!("../../../tests/data/notations.tsv").lines();
    let cases: Vec<(&str, String)> = lines
        .filter_map(|line| line.strip_prefix("7x6\t")?.split_once('\t'))
        .map(|(expected, text)| (expected, text.replace(r"\n", "\n").replace(r"\t", "\t")))
        .collect();
    let ask = async |positions: Vec<&str>| {
        let body = json!({ "positions": positions, "only": "score" });
        server.post(body.to_string()).await.json()["answers"].as_array().unwrap().clone()
    };
    let found = ask(cases.iter().map(|(_, text)| text.as_str()).collect()).await;
    let moves = |expected: &'static str| expected.trim_matches('-');
    let known = cases.iter().map(|&(it, _)| if it.starts_with('!') { "" } else { moves(it) });
    let known = ask(known.collect()).await;
    assert_eq!((found.len(), known.len()), (cases.len(), cases.len()));
    for (((expected, text), mut found), mut known) in cases.into_iter().zip(found).zip(known) {
        let record = server.post_to("/v1/parse", json!({ "text": text }).to_string()).await;
        if let Some(part) = expected.strip_prefix('!') {
            let detail = record.problem(400, "bad-position")["detail"].as_str().unwrap().to_owned();
            assert!(detail.contains(part), "{text:?}: {detail}");
            let error = &found["error"];
            assert_eq!(error["type"], "urn:fourbook:problem:bad-position", "{text:?}: {found}");
            assert!(error["detail"].as_str().unwrap().contains(part), "{text:?}: {found}");
        } else {
            for answer in [&mut found, &mut known] {
                answer.as_object_mut().unwrap().remove("position");
            }
            assert_eq!(found, known, "{text:?}");
            let record = record.json();
            let start = record["diagram"].as_str().unwrap_or_default();
            let made =
                &record["moves"].as_str().unwrap()[..record["ply"].as_u64().unwrap() as usize];
            let position = start.parse::<Position>().unwrap().play_moves(made);
            assert_eq!(position, Position::from_moves(moves(expected)), "{text:?}");
        }
    }
}

#[tokio::test]
async fn a_text_is_parsed_to_the_parameters_of_a_link() {
    let server =
        start([BookSource::Embedded], ServerOptions { sizes: vec![Size::STANDARD], ..PATIENT });
    let diagram = ["......."; 5].join("/") + "/...X...";
    for (asked, expected) in [
        (json!({ "text": " 1. d1 d2\n2. e1 c1" }), json!(["7x6", null, "4453", 4])),
        (json!({ "text": "?size=8x7&pos=445&ply=2" }), json!(["8x7", null, "445", 2])),
        (
            json!({ "text": format!("?diagram={diagram}&moves=45") }),
            json!(["7x6", diagram, "45", 2]),
        ),
        (
            json!({ "text": "X.../O.../X.../O...", "size": "9x9" }),
            json!(["4x4", "X.../O.../X.../O...", "", 0]),
        ),
        (json!({ "text": "10, 1,", "size": "10x10" }), json!(["10x10", null, "a1", 2])),
        (json!({ "text": "" }), json!(["7x6", null, "", 0])),
    ] {
        let record = server.post_to("/v1/parse", asked.to_string()).await.json();
        let members = ["size", "diagram", "moves", "ply"].map(|name| &record[name]);
        assert_eq!(json!(members), expected, "{asked}");
    }
    let wrong = json!({ "text": "4, 4, 8, 1" }).to_string();
    let problem = server.post_to("/v1/parse", wrong).await.problem(400, "bad-position");
    assert_eq!(problem["move"], 3);
    let detail = problem["detail"].as_str().unwrap();
    assert!(
        detail.ends_with("expected a column from 1 to 7; understood before it: 44"),
        "{detail}"
    );
    server.post_to("/v1/parse", "{}").await.problem(400, "bad-body");
}

#[tokio::test]
async fn parameters_take_moves_and_diagrams_in_every_form() {
    let server = with_book();
    let known = server.get("/v1/position?moves=4453").await.json()["score"].clone();
    for query in [
        "moves=4,4,5,3",
        "moves=ddec",
        "moves=https://connect4.gamesolver.org/%3Fpos%3D4453",
        "diagram=......./......./......./......./...o.../..oxx..",
    ] {
        assert_eq!(
            server.get(&format!("/v1/position?{query}")).await.json()["score"],
            known,
            "{query}"
        );
    }
    server.get("/v1/position?moves=4453%20-5").await.problem(400, "bad-position");
}
