//! Boards of several sizes: books for each, requests that choose one, reloading.

use super::support::{PATIENT, Server, book, repository, start};
use fourbook::generate::Plan;
use fourbook::strategy::{self, StrategyPlan};
use fourbook::{Oracle, Player, Position, Size, Strategy, with_causes};
use fourbook_server::{BookSource, Daemon, LoadError, ServerOptions};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SEVEN_BY_SIX: &str = repository!("books/7x6-d8.book");
const FOUR_BY_FOUR: &str = repository!("examples/4x4-d6.book");

fn options() -> ServerOptions {
    ServerOptions { threads: 2, table_bytes: 4 << 20, ..PATIENT }
}

fn size(text: &str) -> Size {
    text.parse().unwrap()
}

/// The sources of `--book` with each of these paths.
fn sources(paths: &[&Path]) -> Vec<BookSource> {
    let source = |path: &&Path| BookSource::Path(path.to_path_buf());
    paths.iter().map(source).collect()
}

/// A server for 7x6, the default, and 4x4.
fn two_sizes() -> Server {
    let sizes = ["4x4", "7x6"].map(size).into();
    let options = ServerOptions { sizes, ..options() };
    start(sources(&[Path::new(SEVEN_BY_SIX), Path::new(FOUR_BY_FOUR)]), options)
}

/// A folder with these files in it.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// The error for sources that cannot be served.
fn refused(sources: Vec<BookSource>, options: ServerOptions) -> LoadError {
    Daemon::new(sources, options).unwrap_err()
}

#[tokio::test]
async fn a_request_chooses_the_board() {
    let server = two_sizes();
    assert_eq!(server.daemon.sizes(), [size("4x4"), size("7x6")]);
    for (uri, path) in [
        ("/solve?pos=1122", "/score"),
        ("/v1/position?moves=1122", "/moves"),
        ("/v1/review?moves=1122", "/positions/0"),
    ] {
        let get = async |more: &str| server.get(&format!("{uri}{more}")).await.json();
        let unnamed = get("").await;
        let usual = get("&size=7x6").await;
        assert_eq!(unnamed, usual, "{uri}");
        let small = get("&size=4x4").await;
        let part = |answer: &Value| answer.pointer(path).cloned();
        assert!(part(&small).is_some() && part(&small) != part(&usual), "{uri}: {small}");
    }
    let columns = |answer: &Value| answer["score"].as_array().unwrap().len();
    assert_eq!(columns(&server.get("/solve?pos=1122&size=4x4").await.json()), 4);
    let report = server.get("/v1/position?moves=1122&size=4X4").await.json();
    assert_eq!((&report["size"], &report["source"]), (&json!("4x4"), &json!("book")));
    let stream = server.get("/v1/position/stream?moves=1122&size=4x4").await;
    assert!(String::from_utf8(stream.body).unwrap().contains(r#""size":"4x4""#));
}

#[tokio::test]
async fn a_batch_is_for_one_board() {
    let server = two_sizes();
    let ask = async |rest: Value| {
        let mut body = json!({ "positions": ["1122"] });
        body.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        server.post(body.to_string()).await
    };
    let answer = async |rest: Value| ask(rest).await.json()["answers"][0]["size"].clone();
    assert_eq!(answer(json!({})).await, "7x6");
    assert_eq!(answer(json!({ "size": null })).await, "7x6");
    assert_eq!(answer(json!({ "size": "4x4" })).await, "4x4");
    ask(json!({ "size": "5x5" })).await.problem(404, "size-not-served");
    let problem = ask(json!({ "size": "3x3" })).await.problem(400, "bad-body");
    assert!(problem["detail"].as_str().unwrap().contains("expected WIDTHxHEIGHT"), "{problem}");
}

#[tokio::test]
async fn a_board_not_served_is_a_problem_that_lists_the_served_boards() {
    let server = two_sizes();
    for uri in [
        "/solve?pos=4",
        "/v1/position?moves=4",
        "/v1/position/stream?moves=4",
        "/v1/review?moves=4",
        "/v1/book?",
    ] {
        let reply = server.get(&format!("{uri}&size=8x8")).await;
        let problem = reply.problem(404, "size-not-served");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("8x8") && detail.contains("serves 4x4 and 7x6"), "{detail}");
        for wrong in ["", "7", "7x", "3x3", "7x6x5"] {
            let problem =
                server.get(&format!("{uri}&size={wrong}")).await.problem(400, "bad-query");
            let detail = problem["detail"].as_str().unwrap();
            assert!(detail.contains("expected WIDTHxHEIGHT"), "{detail}");
        }
    }
}

#[tokio::test]
async fn each_board_has_its_book_and_its_tags() {
    let server = two_sizes();
    let book = async |query: &str| server.get(&format!("/v1/book{query}")).await.json();
    let usual = book("").await;
    let small = book("?size=4x4").await;
    assert_eq!((&usual["width"], &usual["depth"]), (&json!(7), &json!(8)));
    assert_eq!((&small["width"], &small["depth"]), (&json!(4), &json!(6)));
    assert_eq!((&usual["sizes"], &small["sizes"]), (&json!(["4x4", "7x6"]), &usual["sizes"]));
    assert_eq!(book("?size=7x6").await, usual);
    let tag = async |uri: &str| server.get(uri).await.header("etag").to_owned();
    let here = tag("/solve?pos=12&size=4x4").await;
    let there = tag("/solve?pos=12").await;
    assert!(here.contains(small["identity"].as_str().unwrap()), "{here}");
    assert!(there.contains(usual["identity"].as_str().unwrap()), "{there}");
}

/// Makes a strategy of exact scores for the first player of 5x4.
fn make_strategy(out: &Path, depth: u32) {
    let work = Plan { out: out.to_owned(), replace: true, ..Plan::new(size("5x4"), depth) };
    let plan = StrategyPlan { work, player: Player::X, has_values: true };
    strategy::make(&plan, None, None, &()).unwrap();
}

#[tokio::test]
async fn strategies_answer_until_they_are_read_again() {
    let place = folder(&[]);
    let file = place.path().join("x.strategy");
    make_strategy(&file, 2);
    let options = ServerOptions { strategies: vec![file.clone()], max_nodes: Some(0), ..options() };
    let server = start([], options.clone());
    let expected = Strategy::open(&file).unwrap().best_move(Position::empty(size("5x4"))).unwrap();
    let choose = "/v1/move?moves=&size=5x4&level=perfect&seed=1";
    let reply = server.get(choose).await;
    let tag = reply.header("etag").to_owned();
    let chosen = reply.json();
    assert_eq!(chosen["column"], (expected + 1).to_string());
    assert_eq!(chosen["proved"], true);
    let position = server.get("/v1/position?moves=&size=5x4&wait=false").await.json();
    assert_eq!((&position["score"], &position["source"]), (&json!(0), &json!("strategy")));
    assert_eq!(position["best_moves"], json!([chosen["column"]]));
    let book = server.get("/v1/book?size=5x4").await.json();
    assert_eq!(
        book["strategies"],
        json!(["5x4 for X to ply 2, exact scores, with the values of its positions"])
    );
    assert_eq!(server.metric("fourbook_solver_nodes_total").await, 0);

    make_strategy(&file, 4);
    assert_eq!(server.daemon.reload().unwrap(), [size("5x4")]);
    assert_ne!(server.get(choose).await.header("etag"), tag);
    fs::write(&file, "rubbish").unwrap();
    assert!(server.daemon.reload().is_err());
    let text = with_causes(&refused(Vec::new(), options.clone()));
    assert!(text.contains("x.strategy': expected a strategy"), "{text}");
    let twice = vec![repository!("books/strategies/8x7-first-d12-wdl.strategy").into(); 2];
    let text = with_causes(&refused(Vec::new(), ServerOptions { strategies: twice, ..options }));
    assert!(text.contains("found another: 8x7 for X"), "{text}");
}

#[tokio::test]
async fn the_strategies_in_the_program_serve_a_board_that_no_book_has() {
    let options = ServerOptions { max_nodes: Some(0), ..options() };
    let proved = async |sources: Vec<BookSource>| {
        let server = start(sources, options.clone());
        server.get("/v1/move?moves=&size=8x7&level=perfect").await.json()["proved"].clone()
    };
    assert_eq!(proved(vec![BookSource::Embedded]).await, true);
    assert_eq!(proved(Vec::new()).await, false);
}

/// Positions with the same moves on two boards, beyond both books.
#[tokio::test]
async fn boards_are_solved_side_by_side_and_not_mixed_up() {
    let server = start([], options());
    for moves in ["1223344", "12123434", "334411"] {
        for text in ["6x5", "5x5", "6x5"] {
            let oracle = Oracle::without_book(size(text)).unwrap();
            let position = Position::empty(size(text)).play_moves(moves).unwrap();
            let expected = oracle.analyse(position).unwrap().move_scores();
            let reply = server.get(&format!("/solve?pos={moves}&size={text}")).await.json();
            let expected: Vec<_> = expected.iter().map(|score| score.unwrap_or(100)).collect();
            assert_eq!(reply["score"], json!(expected), "{moves} on {text}");
        }
    }
    // The third request found each position solved.
    assert_eq!(server.metric("fourbook_solver_cached_total").await, 3);
}

/// Helper threads are free for the next position, on any board.
#[tokio::test]
async fn a_thread_that_helps_on_one_board_works_on_another() {
    let server = start([], options());
    let router = server.router.clone();
    let hard = tokio::spawn(async move {
        let request = axum::http::Request::get("/solve?pos=1&size=8x8");
        let request = request.body(axum::body::Body::empty()).unwrap();
        tower::ServiceExt::oneshot(router, request).await
    });
    server.wait_for("fourbook_solver_busy", 1).await;
    let uri = "/solve?pos=7422341735647741166133573473242566&size=7x6";
    assert_eq!(server.get(uri).await.status, 200);
    server.wait_for("fourbook_solver_busy", 1).await;
    hard.abort();
    server.wait_for("fourbook_solver_busy", 0).await;
}

#[tokio::test]
async fn a_folder_serves_the_deepest_book_of_each_size() {
    let small = folder(&[("a.book", &book("4x4", "a")), ("b.book", &book("5x4", "b"))]);
    fs::copy(FOUR_BY_FOUR, small.path().join("c.book")).unwrap();
    let server = start([BookSource::Path(small.path().to_owned())], options());
    let file = async |server: &Server, query: &str| {
        server.get(&format!("/v1/book{query}")).await.json()["file"].clone()
    };
    // The default is the smallest board, since there is no book for 7x6.
    assert_eq!(
        (file(&server, "").await, file(&server, "?size=5x4").await),
        (json!("c.book"), json!("b.book"))
    );
    fs::copy(SEVEN_BY_SIX, small.path().join("d.book")).unwrap();
    let again = start([BookSource::Path(small.path().to_owned())], options());
    assert_eq!(file(&again, "").await, "d.book");
    // The default board of a running server stays the same.
    assert_eq!(server.daemon.reload().unwrap(), [size("7x6")]);
    assert_eq!(server.get("/v1/book?size=7x6").await.json()["loaded"], true);
    assert_eq!(file(&server, "").await, "c.book");
    // A named file takes precedence over a folder, and an earlier folder over later ones.
    let other = folder(&[("e.book", &book("5x4", "e")), ("f.book", &book("6x4", "f"))]);
    let named = folder(&[("4x4", &book("4x4", "named"))]);
    let named = named.path().join("4x4");
    let server = start(sources(&[other.path(), small.path(), &named]), options());
    for (query, expected) in
        [("", "e.book"), ("?size=6x4", "f.book"), ("?size=4x4", "4x4"), ("?size=7x6", "d.book")]
    {
        assert_eq!(file(&server, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn the_board_that_is_meant_can_be_chosen() {
    let books = sources(&[Path::new(SEVEN_BY_SIX), Path::new(FOUR_BY_FOUR)]);
    let options = |text| ServerOptions { default_size: Some(size(text)), ..options() };
    for board in ["4x4", "8x8"] {
        let server = start(books.clone(), options(board));
        assert_eq!(server.get("/v1/position?moves=1&wait=false").await.json()["size"], board);
    }
}

#[test]
fn two_books_for_one_board_are_an_error_that_names_both() {
    let place = folder(&[("one", &book("4x4", "one"))]);
    let one = place.path().join("one");
    let books = sources(&[Path::new(SEVEN_BY_SIX), &one, Path::new(FOUR_BY_FOUR)]);
    let error = refused(books, options());
    let text = with_causes(&error);
    for part in ["one book for 4x4 boards", one.to_str().unwrap(), FOUR_BY_FOUR] {
        assert!(text.contains(part), "{text}");
    }
}

#[tokio::test]
async fn a_bad_book_is_refused_and_all_old_ones_stay() {
    let place = folder(&[("4x4", &book("4x4", "old")), ("5x4", &book("5x4", "old"))]);
    let paths: [PathBuf; 2] = ["4x4", "5x4"].map(|name| place.path().join(name));
    let server = start(sources(&[&paths[0], &paths[1]]), options());
    fs::write(&paths[0], "rubbish").unwrap();
    fs::write(&paths[1], book("5x4", "new")).unwrap();
    let error = server.daemon.reload().unwrap_err();
    assert!(error.to_string().contains("cannot use"), "{error}");
    let note = async |text: &str| {
        let book = server.get(&format!("/v1/book?size={text}")).await.json();
        book["provenance"]["arguments"].clone()
    };
    assert_eq!((note("4x4").await, note("5x4").await), (json!("old"), json!("old")));
    fs::write(&paths[0], book("4x4", "old")).unwrap();
    assert_eq!(server.daemon.reload().unwrap(), [size("5x4")]);
    assert_eq!((note("4x4").await, note("5x4").await), (json!("old"), json!("new")));
    assert_eq!(server.metric("fourbook_reloads_total").await, 1);
    assert_eq!(server.metric("fourbook_reloads_failed_total").await, 1);
}

#[tokio::test]
async fn every_size_is_served() {
    let server = start([BookSource::Embedded], options());
    let lists = server.get("/v1/book").await.json();
    let listed = |name: &str| lists[name].as_array().unwrap().len();
    assert_eq!(listed("sizes") + listed("solver_sizes"), Size::all().count());
    for size in Size::all() {
        let book = server.get(&format!("/v1/book?size={size}")).await.json();
        assert_eq!(book["width"].as_u64(), Some(size.width() as u64));
        // Four in the first column.
        let answer = server.get(&format!("/v1/position?moves=1212121&size={size}")).await.json();
        assert_eq!(answer["outcome"], "loss");
        assert_eq!(answer["moves"].as_array().unwrap().len(), size.width());
    }
}

/// Searches that never end keep the tables of four boards in use.
#[tokio::test]
async fn few_boards_without_a_book_have_tables_at_a_time() {
    let server = start([], options());
    let hard = ["8x8", "9x8", "8x9", "9x9"].map(|size| {
        let uri = format!("/v1/position?moves=&wait=true&size={size}");
        let request = axum::http::Request::get(uri).body(axum::body::Body::empty()).unwrap();
        tokio::spawn(tower::ServiceExt::oneshot(server.router.clone(), request))
    });
    while server.get("/v1/book?size=10x8").await.status == 200 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    server.get("/v1/position?moves=&size=10x8").await.problem(503, "busy");
    hard[0].abort();
    while server.get("/v1/book?size=10x8").await.status != 200 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}
