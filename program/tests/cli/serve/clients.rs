//! Clients that are slow, greedy or talk nonsense.

use super::support::{Server, exchange, read_all, request};
use fourbook::solver::splitmix::SplitMix;
use rustix::process::{Resource, getrlimit, setrlimit};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

#[test]
fn who_never_finishes_a_head_is_cut_off() {
    let server = Server::start(&["--idle-timeout", "1"]);
    let mut slow = server.connect();
    slow.write_all(b"GET /solve?pos=4").unwrap();
    // Ends only when the server closes.
    read_all(slow);
    assert!(server.get("/healthz").starts_with("HTTP/1.1 200 OK"));
    server.stop();
}

#[test]
fn who_says_nothing_is_cut_off_also_between_requests() {
    let server = Server::start(&["--idle-timeout", "1"]);
    assert_eq!(read_all(server.connect()), "");
    let kept_alive = exchange(server.connect(), "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n");
    assert!(kept_alive.starts_with("HTTP/1.1 200 OK"), "{kept_alive}");
    server.stop();
}

#[test]
fn idle_connections_over_the_limit_make_room() {
    let server = Server::start(&["--max-connections", "4", "--idle-timeout", "600"]);
    let idle: Vec<TcpStream> = (0..700).map(|_| server.connect()).collect();
    assert!(server.get("/healthz").starts_with("HTTP/1.1 200 OK"));
    // The first ones are closed.
    let mut idle = idle.into_iter();
    assert_eq!(idle.next().map(read_all).as_deref(), Some(""));
    drop(idle);
    server.stop();
}

#[test]
fn a_head_counts_as_answered() {
    let server = Server::start(&[]);
    let head = "HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert!(exchange(server.connect(), head).starts_with("HTTP/1.1 200 OK"));
    let metrics = server.get("/metrics");
    let counted = |status: u16| {
        let labels = format!(r#"method="HEAD",route="/healthz",status="{status}""#);
        metrics.lines().any(|line| line.contains(&labels))
    };
    assert_eq!([200, 499].map(counted), [true, false], "{metrics}");
    server.stop();
}

/// All connect before the first of them sends.
#[test]
fn every_request_that_was_sent_is_answered() {
    let arguments = ["--max-connections", "6", "--size", "8x8", "--no-book", "--deadline", "1"];
    let server = Server::start(&arguments);
    let mut clients: Vec<TcpStream> = (0..5).map(|_| server.connect()).collect();
    for client in &mut clients {
        client.write_all(request("/solve?pos=4").as_bytes()).unwrap();
    }
    let answers: Vec<String> = clients.into_iter().map(read_all).collect();
    for answer in answers {
        let is_refused = answer.contains("connections that this client may use");
        assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
        assert!(!is_refused || answer.contains("retry-after: "), "{answer}");
    }
    server.stop();
}

#[test]
fn probes_are_answered_while_all_connections_are_in_use() {
    // From one address, as from a proxy.
    let server = Server::start(&["--max-connections", "2", "--trust-proxy", "--cors", "*"]);
    let busy = [(); 2].map(|()| {
        let mut stream = server.connect();
        let head = "POST /v1/positions HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n\
                    Content-Length: 21\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        stream.read_exact(&mut [0; 25]).unwrap();
        stream
    });
    for probe in ["/healthz", "/readyz", "/metrics"] {
        assert!(server.get(probe).starts_with("HTTP/1.1 200 OK"), "{probe}");
    }
    let other = server.get("/solve?pos=4453");
    assert!(other.starts_with("HTTP/1.1 503") && other.contains("connections"), "{other}");
    // As with every answer, pages of other origins can read it and the log has it.
    assert!(other.contains("access-control-allow-origin: *"), "{other}");
    let line = server.wait_for_log("/solve");
    assert!(line.contains(" status=503 "), "{line}");
    for mut stream in busy {
        stream.write_all(br#"{"positions": ["44"]}"#).unwrap();
        assert!(read_all(stream).starts_with("HTTP/1.1 200 OK"));
    }
    server.stop();
}

/// As many idle connections as the limit on open files lets this process and the server
/// have, up to 5,000 of them.
#[test]
fn thousands_of_idle_connections_cost_little_and_lock_nobody_out() {
    const MOST: u64 = 5000;
    /// Files that both need besides: the book, the log, the standard streams.
    const OTHER_FILES: u64 = 64;
    /// The memory allowed for each connection: a task, its timer and its empty buffers take about
    /// 11 KiB.
    const KIB_A_CONNECTION: u64 = 16;
    let idle = raise_file_limit(2 * MOST).saturating_sub(OTHER_FILES).min(MOST);
    assert!(idle >= 256, "a limit of {idle} open files is too low to test anything");
    // One address may open half of them. Some are counted a moment longer than they are open.
    let limit = (2 * (idle + 32)).to_string();
    // No connection times out while the test runs.
    let server = Server::start(&["--max-connections", &limit, "--idle-timeout", "600"]);
    server.get("/solve?pos=4453");
    let before = server.memory();
    let connections: Vec<TcpStream> = (0..idle).map(|_| server.connect()).collect();
    let open = format!("fourbook_connections {}", idle + 1);
    // The last ones may still wait to be accepted.
    while !server.get("/metrics").contains(&open) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(server.get("/solve?pos=4453").starts_with("HTTP/1.1 200 OK"));
    let after = server.memory();
    let allowed = before + idle * KIB_A_CONNECTION;
    assert!(after < allowed, "{idle} connections: memory went from {before} KiB to {after} KiB");
    drop(connections);
    while !server.get("/metrics").contains("fourbook_connections 1\n") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    server.stop();
}

/// Raises the limit on open files, which processes started from now on inherit, as far
/// as the system allows, and returns what it is then.
fn raise_file_limit(wanted: u64) -> u64 {
    let mut limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(u64::MAX);
    let current = limit.current.unwrap_or(u64::MAX);
    limit.current = Some(wanted.min(most).max(current));
    match setrlimit(Resource::Nofile, limit) {
        Ok(()) => limit.current.unwrap_or(u64::MAX),
        Err(_) => current,
    }
}

#[test]
fn a_head_that_comes_byte_by_byte_is_cut_off_and_others_are_served() {
    let server = Server::start(&["--idle-timeout", "1"]);
    let mut slow: Vec<TcpStream> = (0..200).map(|_| server.connect()).collect();
    let head = b"GET /healthz HTTP/1.1\r\nx-slow: ".iter().chain(std::iter::repeat(&b'a'));
    for &byte in head {
        // Each byte comes well within the limit, and the head never ends.
        slow.retain_mut(|stream| stream.write_all(&[byte]).is_ok());
        if slow.is_empty() {
            break;
        }
        assert!(server.get("/healthz").starts_with("HTTP/1.1 200 OK"));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    server.stop();
}

#[test]
fn huge_heads_addresses_and_bodies_are_refused() {
    let server = Server::start(&[]);
    let head = |rest: &str| format!("{rest}Host: h\r\nConnection: close\r\n\r\n");
    let long = "4".repeat(20_000);
    let answer = exchange(server.connect(), &head(&format!("GET /solve?pos={long} HTTP/1.1\r\n")));
    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
    let fields = format!("GET / HTTP/1.1\r\nx-long: {}\r\n", "4".repeat(20_000));
    assert!(exchange(server.connect(), &head(&fields)).starts_with("HTTP/1.1 431"));
    let fields = format!("GET / HTTP/1.1\r\n{}", "x-many: 1\r\n".repeat(100));
    assert!(exchange(server.connect(), &head(&fields)).starts_with("HTTP/1.1 431"));
    for other in ["nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        assert!(exchange(server.connect(), other).starts_with("HTTP/1.1 400"), "{other}");
    }
    let post = "POST /v1/positions HTTP/1.1\r\nContent-Type: application/json\r\n\
                Content-Length: 100000000\r\n";
    assert!(exchange(server.connect(), &head(post)).starts_with("HTTP/1.1 413"));
    server.stop();
}

/// Nonsense from the first byte, or after a good beginning.
fn nonsense(random: &mut SplitMix) -> Vec<u8> {
    let beginning: &[u8] = match random.draw() % 5 {
        0 => b"GET /",
        1 => b"GET /v1/position?diagram=",
        2 => b"GET / HTTP/1.1\r\n",
        3 => {
            b"POST /v1/positions HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n\
               Content-Length: 100\r\n\r\n"
        }
        _ => b"",
    };
    let bytes: Vec<u8> = (0..random.below(300)).map(|_| random.draw() as u8).collect();
    [beginning, &bytes].concat()
}

fn send_nonsense(server: &Server, random: &mut SplitMix, times: usize) {
    for _ in 0..times {
        let mut stream = server.connect();
        // The server may close before it has read everything.
        let _ = stream.write_all(&nonsense(random));
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        if let Err(error) = stream.read_to_end(&mut answer) {
            assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "a hang: {error}");
        }
    }
}

#[test]
fn ten_thousand_requests_of_random_bytes_do_no_harm() {
    const MOST_GROWTH: u64 = 32 << 10;
    let server = Server::start(&[]);
    let mut random = SplitMix(1);
    send_nonsense(&server, &mut random, 1000);
    let before = server.memory();
    send_nonsense(&server, &mut random, 10_000);
    let after = server.memory();
    assert!(after < before + MOST_GROWTH, "memory went from {before} KiB to {after} KiB");
    assert!(server.get("/solve?pos=4453").starts_with("HTTP/1.1 200 OK"));
    server.stop();
}
