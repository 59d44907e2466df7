//! Starting, stopping and reloading.

use super::support::{LONG, Server, exchange, read_all, request};
use crate::support::{program, repository};
use rustix::process::Signal;
use std::fs::{self, File};
use std::io::Write;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// A book to ply 8.
const BOOK: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../books/7x6-d8.book"));

/// The built-in book, to ply 12.
const DEEPER: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../books/7x6-d12-compact.book"));

#[test]
fn it_answers_on_the_address_it_says() {
    let server = Server::start(&[]);
    let answer = server.get("/solve?pos=4453");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.ends_with(r#"{"pos":"4453","score":[-5,-5,-2,-3,-4,-2,-2]}"#), "{answer}");
    server.stop();
}

#[test]
fn a_request_under_way_is_finished_before_it_stops() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut server = Server::start(&["--grace", "60"]);
        let mut stream = server.connect();
        let head = "POST /v1/positions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: 21\r\nExpect: 100-continue\r\n\r\n";
        let body = r#"{"positions": ["44"]}"#;
        stream.write_all(head.as_bytes()).unwrap();
        // The server asks for the body once the request is under way.
        let mut first = [0; 25];
        std::io::Read::read_exact(&mut stream, &mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 100 Continue\r\n\r\n");
        server.signal(signal);
        server.wait_for_log("stopping");
        // `timeout` sends it to the program, and to its group.
        server.signal(Signal::TERM);
        stream.write_all(body.as_bytes()).unwrap();
        let answer = read_all(stream);
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        assert_eq!(server.wait().code(), Some(0));
    }
}

#[test]
fn a_request_that_does_not_end_is_cut_off() {
    let mut server = Server::start(&["--grace", "0.2"]);
    let mut stream = server.connect();
    let head = "POST /v1/positions HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\
                Content-Type: application/json\r\nContent-Length: 21\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    std::io::Read::read_exact(&mut stream, &mut [0; 25]).unwrap();
    server.signal(Signal::TERM);
    server.wait_for_log("cut off");
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn a_long_search_ends_with_what_it_has_proved_before_the_server_does() {
    let arguments = ["--size", "8x8", "--no-book", "--grace", "6"];
    let mut server = Server::start(&arguments);
    let mut stream = server.connect();
    stream.write_all(request("/v1/position?moves=&wait=true").as_bytes()).unwrap();
    while !server.get("/metrics").contains("fourbook_solver_busy 1\n") {
        std::thread::yield_now();
    }
    server.signal(Signal::TERM);
    let answer = read_all(stream);
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(answer.contains("problem:stopping") && answer.contains("\"nodes\":"), "{answer}");
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn a_second_signal_ends_the_server_at_once() {
    let mut server = Server::start(&["--size", "8x8", "--no-book", "--grace", "1h"]);
    let mut stream = server.connect();
    stream.write_all(request("/v1/position?moves=&wait=true").as_bytes()).unwrap();
    while !server.get("/metrics").contains("fourbook_solver_busy 1\n") {
        std::thread::yield_now();
    }
    server.signal(Signal::INT);
    server.wait_for_log("waiting for");
    server.signal(Signal::INT);
    assert_eq!(server.wait().code(), Some(0));
}

#[test]
fn sighup_takes_a_good_book_and_refuses_a_bad_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book");
    fs::write(&path, BOOK).unwrap();
    let server = Server::start(&["--book", path.to_str().unwrap()]);
    let expected = server.get("/solve?pos=4453").lines().last().unwrap().to_owned();
    // Truncated in place, and then filled with rubbish.
    for bad in [&BOOK[..1000], b"rubbish"] {
        fs::write(&path, bad).unwrap();
        server.signal(Signal::HUP);
        server.wait_for_log("the old books and strategies stay in use");
        assert_eq!(server.get("/solve?pos=4453").lines().last(), Some(expected.as_str()));
    }
    fs::write(&path, BOOK).unwrap();
    server.signal(Signal::HUP);
    server.wait_for_log("loaded the books again");
    assert_eq!(server.get("/solve?pos=4453").lines().last(), Some(expected.as_str()));
    server.stop();
}

/// Gives all files one time, as archives and image layers do.
fn set_oldest_time(path: &Path) {
    let times = fs::FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
    File::options().write(true).open(path).unwrap().set_times(times).unwrap();
}

#[test]
fn a_watched_file_is_loaded_when_another_is_renamed_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, new) = (folder.path().join("a.book"), folder.path().join("new"));
    fs::write(&path, BOOK).unwrap();
    set_oldest_time(&path);
    let server = Server::start(&["--watch", "--book", path.to_str().unwrap()]);
    fs::write(&new, BOOK).unwrap();
    set_oldest_time(&new);
    fs::rename(&new, &path).unwrap();
    server.wait_for_log("loaded the books again");
    server.stop();
}

#[test]
fn a_watched_link_is_followed_when_it_leads_to_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    for version in ["one", "two"] {
        fs::create_dir(place(version)).unwrap();
        fs::write(place(version).join("a.book"), BOOK).unwrap();
    }
    // The layout of a mounted configuration in Kubernetes.
    symlink("one", place("current")).unwrap();
    symlink("current/a.book", place("a.book")).unwrap();
    let server = Server::start(&["--watch", "--book", place("a.book").to_str().unwrap()]);
    symlink("two", place("next")).unwrap();
    fs::rename(place("next"), place("current")).unwrap();
    server.wait_for_log("loaded the books again");
    server.stop();
}

#[test]
fn of_a_folder_that_is_watched_the_deepest_book_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::write(place("a.book"), BOOK).unwrap();
    let server = Server::start(&["--watch", "--book", folder.path().to_str().unwrap()]);
    let served = |part: &str| {
        let answer = server.get("/v1/book");
        assert!(answer.contains(part), "{answer}");
    };
    served(r#""file":"a.book""#);
    fs::write(place("new"), DEEPER).unwrap();
    fs::rename(place("new"), place("b.book")).unwrap();
    server.wait_for_log("loaded the books again");
    served(r#""file":"b.book""#);
    // A deleted book is reported; rubbish is skipped.
    fs::write(place("c.book"), "rubbish").unwrap();
    server.wait_for_log("skipped: ");
    server.wait_for_log("loaded the books again");
    fs::remove_file(place("b.book")).unwrap();
    server.wait_for_log("loaded the books again");
    served(r#""file":"a.book""#);
    // So is a book for another board than at the start, and without one, that in the program.
    fs::write(place("new"), SMALL).unwrap();
    fs::rename(place("new"), place("d.book")).unwrap();
    assert!(server.wait_for_log("loaded the books again").contains("changed=\"4x4\""));
    fs::remove_file(place("a.book")).unwrap();
    assert!(server.wait_for_log("loaded the books again").contains("changed=\"7x6\""));
    served(r#""depth":12"#);
    server.stop();
}

/// The book among the examples, for 4x4 to ply 6.
const SMALL: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/4x4-d6.book"));

#[test]
fn several_books_are_served_watched_and_loaded_again() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    fs::write(place("7x6"), BOOK).unwrap();
    fs::create_dir(place("small")).unwrap();
    fs::write(place("small/a.book"), SMALL).unwrap();
    let [large, small] = ["7x6", "small"].map(|name| place(name).to_str().unwrap().to_owned());
    let server = Server::start(&["--watch", "--book", &large, "--book", &small]);
    let book = |query: &str| server.get(&format!("/v1/book{query}"));
    assert!(book("").contains(r#""width":7"#), "{}", book(""));
    assert!(book("?size=4x4").contains(r#""file":"a.book""#), "{}", book("?size=4x4"));
    assert!(server.get("/solve?pos=11&size=4x4").starts_with("HTTP/1.1 200 OK"));
    fs::write(place("7x6"), "rubbish").unwrap();
    let line = server.wait_for_log("the old books and strategies stay in use");
    assert!(line.contains(&large), "{line}");
    fs::write(place("7x6"), DEEPER).unwrap();
    let line = server.wait_for_log("loaded the books again");
    assert!(line.contains("changed=\"7x6\""), "{line}");
    assert!(book("").contains(r#""depth":12"#), "{}", book(""));
    fs::write(place("new"), SMALL).unwrap();
    fs::rename(place("new"), place("small/b.book")).unwrap();
    assert!(server.wait_for_log("loaded the books again").contains("changed=\"none\""));
    server.stop();
    // The default board of a request without a size.
    let server = Server::start(&["--size", "4x4", "--book", &large, "--book", &small]);
    assert!(server.get("/v1/book").contains(r#""width":4"#));
    server.stop();
}

/// One bad file is one line, for all boards.
#[test]
#[cfg(unix)]
fn a_bad_strategy_is_one_line_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.strategy");
    let shipped = repository!("books/strategies/5x4-first-d18-wdl.strategy");
    fs::copy(shipped, &file).unwrap();
    let server = Server::start(&["--watch", "--strategy", file.to_str().unwrap()]);
    let book = server.get("/v1/book?size=5x4");
    assert!(book.contains("5x4 for X to ply 18, win, draw or loss"), "{book}");
    fs::write(&file, "rubbish").unwrap();
    let line = server.wait_for_log("expected a strategy");
    assert!(line.contains("x.strategy"), "{line}");
    fs::copy(shipped, &file).unwrap();
    let lines = server.log_to("loaded the books again");
    assert!(!lines.iter().any(|line| line.contains("expected a strategy")), "{lines:?}");
    server.stop();
}

#[test]
fn the_environment_names_the_book_that_is_served() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.book"), BOOK).unwrap();
    let mut command = program();
    command.args(["serve", "--memory", "1M", "--bind", "127.0.0.1:0", "--watch"]);
    command.env("FOURBOOK_BOOK", folder.path());
    let server = Server::spawn(command);
    assert!(server.get("/v1/book").contains(r#""file":"a.book""#));
    server.stop();
    let none = Server::start(&["--no-book"]);
    assert!(none.get("/v1/book").contains(r#""loaded":false"#));
    none.stop();
}

#[test]
fn the_books_in_the_program_are_served_unless_books_are_named() {
    for (arguments, default) in [(&[][..], "7x6"), (&["--size", "5x4"], "5x4")] {
        let server = Server::start(arguments);
        let book = server.get("/v1/book");
        let (width, height) = default.split_once('x').unwrap();
        assert!(book.contains(&format!("\"width\":{width}")), "{book}");
        assert!(book.contains(&format!("\"height\":{height}")), "{book}");
        assert!(book.contains(r#""sizes":["4x4","4x5""#), "{book}");
        for query in ["size=4x4&moves=1", "size=6x5&moves=334"] {
            let answer = server.get(&format!("/v1/position?{query}"));
            assert!(!answer.contains(r#""source":"solver""#), "{answer}");
        }
        server.stop();
    }
    let solver = Server::start(&["--size", "10x5"]);
    assert!(solver.get("/v1/book").contains(r#""loaded":false"#));
    assert!(solver.get("/v1/book?size=5x4").contains(r#""loaded":true"#));
    solver.stop();
    // A named book takes the place of the one in the program.
    let place = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/4x4-d6.book");
    let server = Server::start(&["--book", "built-in", "--book", place]);
    assert!(server.get("/v1/book?size=4x4").contains(r#""file":"4x4-d6.book""#));
    server.stop();
}

#[test]
fn a_board_that_a_folder_has_no_book_for_is_solved_or_has_the_built_in_book() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.book"), SMALL).unwrap();
    let named = ["--book", folder.path().to_str().unwrap()];
    for (size, book) in [("10x5", r#""loaded":false"#), ("7x6", r#""loaded":true"#)] {
        let server = Server::start(&[&named[..], &["--size", size]].concat());
        assert!(server.get("/v1/book").contains(book), "{}", server.get("/v1/book"));
        assert!(server.get("/v1/book?size=4x4").contains(r#""file":"a.book""#));
        server.stop();
    }
}

#[test]
fn every_address_of_the_machine_is_listened_on_if_none_is_named() {
    let server = Server::start_at(&["--bind", ":0"]);
    assert!(server.address.starts_with("0.0.0.0:"), "{}", server.address);
    assert!(server.get("/healthz").starts_with("HTTP/1.1 200 OK"));
    server.stop();
}

#[test]
fn a_unix_socket_is_served_taken_over_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    // A socket file left by a killed server.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let server = Server::start_at(&["--unix", path.to_str().unwrap()]);
    assert_eq!(server.address, path.to_str().unwrap());
    let stream = UnixStream::connect(&path).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    assert!(exchange(stream, &request("/healthz")).starts_with("HTTP/1.1 200 OK"));
    server.stop();
    assert!(!path.exists());
}

#[test]
#[cfg(target_os = "linux")]
fn a_service_manager_with_an_abstract_socket_is_told() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram};
    let name = format!("fourbook-test-{}", std::process::id());
    let manager = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    manager.set_read_timeout(Some(LONG)).unwrap();
    let told = || {
        let mut text = [0; 100];
        let length = manager.recv(&mut text).unwrap();
        String::from_utf8_lossy(&text[..length]).into_owned()
    };
    let mut command = program();
    command.args(["serve", "--memory", "1M", "--bind", "127.0.0.1:0"]);
    command.env("NOTIFY_SOCKET", format!("@{name}"));
    let server = Server::spawn(command);
    assert_eq!(told(), "READY=1\n");
    server.stop();
    assert_eq!(told(), "STOPPING=1\n");
}

#[test]
fn health_has_the_exit_code_0_if_a_server_answers() {
    let check = |url: &str| {
        let output = program().args(["health", "--timeout", "60", url]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let server = Server::start(&[]);
    let url = format!("http://{}", server.address);
    assert_eq!(check(&url), (Some(0), String::new()));
    assert_eq!(check(&format!("{url}/readyz")), (Some(0), String::new()));
    let (code, text) = check(&format!("{url}/nothing"));
    assert!(code == Some(1) && text.contains("found 'HTTP/1.1 404 Not Found'"), "{text}");
    server.stop();
    let (code, text) = check(&url);
    assert!(code == Some(1) && text.contains("cannot connect to 127.0.0.1"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let url = format!("unix:{}", socket.display());
    let server = Server::start_at(&["--unix", socket.to_str().unwrap()]);
    assert_eq!(check(&url), (Some(0), String::new()));
    server.stop();
    let (code, text) = check(&url);
    assert!(code == Some(1) && text.contains("cannot connect to /"), "{text}");
    let (code, text) = check("https://localhost");
    assert!(code == Some(2) && text.contains("expected http://HOST"), "{text}");
    // One that accepts and does not answer.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let output = program().args(["health", "--timeout", "10ms", &url]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_socket_handed_over_is_used() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    // A path that the server does not listen on is not its own to remove.
    let other = tempfile::NamedTempFile::new().unwrap();
    let mut command = Command::new("sh");
    let script =
        r#"LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" serve --unix "$1" --memory 1M 3<&0 </dev/null"#;
    command.args(["-c", script, env!("CARGO_BIN_EXE_fourbook"), other.path().to_str().unwrap()]);
    command.stdin(Stdio::from(OwnedFd::from(listener)));
    let server = Server::spawn(command);
    assert_eq!(server.address, address);
    assert!(server.get("/healthz").starts_with("HTTP/1.1 200 OK"));
    server.stop();
    assert!(other.path().exists());
}

#[test]
fn the_log_names_memory_books_and_strategies() {
    for (arguments, books, strategies) in [
        (&[][..], "books=\"4x4, 4x5, ", "strategies=\"6x8, 7x6, "),
        (&["--no-book", "--size", "5x4"], "books=\"none\"", "strategies=\"none\""),
    ] {
        let server = Server::start(arguments);
        let line = &server.serving;
        assert!(line.contains("memory=\"1.00 MiB\""), "{line}");
        assert!(line.contains(books) && line.contains(strategies), "{line}");
        let (_, of_books) = line.split_once("books=").unwrap();
        let (of_books, _) = of_books.split_once(" strategies=").unwrap();
        assert!(!of_books.contains("8x7"), "a board with a strategy only: {line}");
        server.stop();
    }
}

#[test]
fn the_log_can_be_json_and_names_requests() {
    let server = Server::start(&["--log-format", "json"]);
    let ask =
        "GET /v1/book HTTP/1.1\r\nHost: h\r\nx-request-id: my-own\r\nConnection: close\r\n\r\n";
    exchange(server.connect(), ask);
    let line = server.wait_for_log("my-own");
    let entry: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&entry["level"], &entry["id"]), (&"INFO".into(), &"my-own".into()));
    assert_eq!((&entry["uri"], &entry["status"]), (&"/v1/book".into(), &200.into()));
    assert!(entry["microseconds"].as_u64() > Some(0), "{line}");
    server.stop();
}

#[test]
fn a_line_of_the_log_has_two_times_and_a_client() {
    let ask = "GET /v1/book HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 192.0.2.1, 192.0.2.2\r\n\
               Connection: close\r\n\r\n";
    for (arguments, client) in [(&[][..], "127.0.0.1"), (&["--trust-proxy"], "192.0.2.2")] {
        let server = Server::start(arguments);
        exchange(server.connect(), ask);
        let line = server.wait_for_log("/v1/book");
        assert!(line.contains(&format!(" client={client} ")), "{line}");
        let (time, _) = line.split_once('T').unwrap();
        assert!(time.len() == 10 && time.split('-').all(|it| it.parse::<u32>().is_ok()), "{line}");
        let (_, time) = line.split_once("microseconds=").unwrap();
        assert!(time.trim().parse::<u32>().is_ok(), "{line}");
        server.stop();
    }
}

#[test]
fn probes_are_logged_at_debug_only_and_the_level_is_an_option() {
    let log_of = |arguments: &[&str]| {
        let server = Server::start(arguments);
        server.get("/healthz");
        server.get("/v1/book");
        server.log_to("/v1/book")
    };
    let has_probe = |lines: &[String]| lines.iter().any(|line| line.contains("/healthz"));
    assert!(!has_probe(&log_of(&[])));
    assert!(has_probe(&log_of(&["--verbose"])));
    assert!(has_probe(&log_of(&["--log-level", "debug"])));
    let named = "warn,fourbook_server=debug,fourbook_cli=info";
    assert!(has_probe(&log_of(&["-q", "--log-level", named])));
}

#[test]
fn a_failed_request_is_logged_with_its_id() {
    let server = Server::start(&["--max-nodes", "1"]);
    let ask = "GET /solve?pos=4453444555233 HTTP/1.1\r\nHost: h\r\nx-request-id: my-own\r\n\
               Connection: close\r\n\r\n";
    assert!(exchange(server.connect(), ask).starts_with("HTTP/1.1 503"));
    let line = server.wait_for_log("request failed");
    for words in ["WARN", "my-own", "/solve?pos=4453444555233", "503"] {
        assert!(line.contains(words), "{line}");
    }
    server.stop();
}

#[test]
fn a_named_book_keeps_those_in_the_program_and_sizes_limit_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("4x4.book");
    fs::write(&path, SMALL).unwrap();
    let named = Server::start(&["--book", path.to_str().unwrap()]);
    for (query, part) in [
        ("", r#""file":"4x4.book""#),
        ("?size=7x6", r#""depth":12"#),
        ("?size=16x7", r#""loaded":false"#),
    ] {
        let answer = named.get(&format!("/v1/book{query}"));
        assert!(answer.contains(part), "{answer}");
    }
    named.stop();
    let limited = Server::start(&["--sizes", "7x6,8x7"]);
    assert!(limited.get("/v1/book?size=8x7").starts_with("HTTP/1.1 200"));
    let answer = limited.get("/v1/book?size=5x5");
    assert!(answer.contains("404") && answer.contains("serves 7x6 and 8x7"), "{answer}");
    limited.stop();
    let both = Server::start(&["--sizes", "8x7", "--book", path.to_str().unwrap()]);
    let answer = both.get("/v1/book");
    assert!(answer.contains(r#""file":"4x4.book""#), "{answer}");
    both.stop();
}

#[test]
fn empty_variables_are_ignored() {
    let mut command = program();
    command.args(["serve", "--memory", "1M", "--bind", "127.0.0.1:0"]);
    command.envs([("RUST_LOG", ""), ("FOURBOOK_BOOK", ""), ("NOTIFY_SOCKET", "")]);
    // The log has the address at the level 'info'.
    let server = Server::spawn(command);
    assert!(server.get("/v1/book").contains(r#""loaded":true"#));
    let log = server.log_to("/v1/book");
    assert!(log.iter().all(|line| !line.contains("service manager")), "{log:?}");
    server.stop();
}

#[test]
fn what_cannot_be_served_is_an_error() {
    let run = |arguments: &[&str]| {
        let output = program().arg("serve").args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, text) = run(&["--book", "/nonexistent"]);
    assert!(code == Some(1) && text.contains("cannot open '/nonexistent'"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let (code, text) = run(&["--book", folder.path().to_str().unwrap()]);
    assert!(code == Some(1) && text.contains("expected a book in the folder"), "{text}");
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["one", "two"] {
        fs::write(place(name), SMALL).unwrap();
    }
    let (code, text) = run(&["--book", &place("one"), "--book", &place("two")]);
    assert!(code == Some(2) && text.contains("expected one book for 4x4 boards"), "{text}");
    assert!(text.contains(&place("one")) && text.contains(&place("two")), "{text}");
    let (code, text) = run(&["--no-book", "--book", &place("one")]);
    assert!(code == Some(2) && text.contains("cannot be used with '--no-book'"), "{text}");
    let (code, text) = run(&["--strategy", &place("one")]);
    assert!(code == Some(1) && text.contains("expected a strategy"), "{text}");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let (code, text) = run(&["--bind", &taken.local_addr().unwrap().to_string()]);
    assert!(code == Some(1) && text.contains("choose another --bind"), "{text}");
    assert_eq!(run(&["--deadline", "-1"]).0, Some(2));
    assert_eq!(run(&["--queue", "0"]).0, Some(2));
    for option in ["--book", "--log-level"] {
        let (code, text) = run(&[option, ""]);
        assert!(code == Some(2) && text.contains(option), "{text}");
    }
    for bind in ["8080", ":", "127.0.0.1"] {
        let (code, text) = run(&["--bind", bind]);
        assert!(code == Some(2) && text.contains("ADDRESS:PORT"), "{bind}: {text}");
    }
    for origin in [
        "https://example.com/",
        "example.com",
        "nonsense",
        "https://example.com/page",
        "https://*.example.com",
        "https://Example.com",
        "https://example.com:443",
        "HTTPS://me@example.com/",
    ] {
        let (code, text) = run(&["--cors", origin]);
        assert!(code == Some(2) && text.contains("SCHEME://HOST"), "{origin}: {text}");
    }
    let (code, text) = run(&["--watch"]);
    assert!(code == Some(2) && text.contains("there is no file to watch"), "{text}");
}
