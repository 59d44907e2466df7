//! Standard error without a reader, full, or closed.

use crate::pseudo_terminal::Terminal;
use crate::support::{program, send_signal};
use rustix::process::Signal;
use std::fs::File;
use std::io::{BufRead, BufReader, PipeReader, Read, Write, pipe};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::thread;

/// Fills a pipe or terminal and keeps it full until its reader is dropped.
fn fill(mut writer: impl Write + Send + 'static) {
    thread::spawn(move || while writer.write_all(&[b'.'; 4096]).is_ok() {});
}

/// A full pipe, and its end, which no test reads.
fn stalled() -> (Stdio, PipeReader) {
    let (reader, writer) = pipe().unwrap();
    fill(writer.try_clone().unwrap());
    (writer.into(), reader)
}

/// A pipe without a reader.
fn dead() -> Stdio {
    pipe().unwrap().1.into()
}

/// A file on a full disk.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

/// Starts a server that logs to `stderr`, and returns where it listens.
fn serve(stderr: Stdio) -> (Child, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut command = Command::new("sh");
    let script = r#"LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" serve --threads 1 --memory 1M 3<&0"#;
    command.args(["-c", script, env!("CARGO_BIN_EXE_fourbook")]).env_remove("RUST_LOG");
    command.stdin(OwnedFd::from(listener)).stderr(stderr);
    (command.spawn().unwrap(), address)
}

/// Asks for these paths on one connection and returns the answers.
fn ask(address: SocketAddr, paths: &[&str]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    for path in paths {
        write!(stream, "GET {path} HTTP/1.1\r\nHost: h\r\n\r\n").unwrap();
    }
    write!(stream, "GET /metrics HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").unwrap();
    let mut answers = String::new();
    stream.read_to_string(&mut answers).unwrap();
    answers
}

/// Asks so often that the log is longer than a pipe and the queue of the program, and returns how
/// many lines the server has lost.
fn ask_often(address: SocketAddr) -> u64 {
    const LINES: usize = 60;
    let long = format!("/{}", "a".repeat(2000));
    let mut last = String::new();
    for _ in 0..10 {
        last = ask(address, &[&*long; LINES]);
        assert_eq!(last.matches("HTTP/1.1 404 Not Found").count(), LINES);
    }
    let lost = last.lines().find_map(|line| line.strip_prefix("fourbook_log_lines_lost_total "));
    lost.expect("the metrics have it").parse().unwrap()
}

#[test]
fn a_server_whose_log_cannot_be_written_answers_and_stops() {
    let (stderr, _reader) = stalled();
    thread::scope(|scope| {
        for stderr in [stderr, dead(), full()] {
            scope.spawn(|| {
                let (mut server, address) = serve(stderr);
                assert!(ask_often(address) > 0);
                send_signal(&server, Signal::TERM);
                assert_eq!(server.wait().unwrap().code(), Some(0));
            });
        }
    });
}

#[test]
fn a_log_that_is_read_again_says_how_much_is_missing() {
    let (stderr, reader) = stalled();
    let (mut server, address) = serve(stderr);
    let lost = ask_often(address);
    let mut lines = BufReader::new(reader).lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("lines are missing")).expect("the log goes on");
    assert!(line.contains(&format!("lost={lost}")), "{line}");
    send_signal(&server, Signal::TERM);
    lines.find(|line| line.contains("stopped")).expect("the log goes on");
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn a_command_whose_messages_cannot_be_written_does_its_work() {
    let (stderr, _reader) = stalled();
    let Terminal { screen: _screen, line } = Terminal::open();
    fill(File::from(line.try_clone().unwrap()));
    let folder = tempfile::tempdir().unwrap();
    thread::scope(|scope| {
        for (number, stderr) in [stderr, dead(), full(), line.into()].into_iter().enumerate() {
            let book = folder.path().join(number.to_string());
            scope.spawn(move || {
                let mut generate = program();
                generate.args(["generate", "--size", "4x4", "--depth", "6", "--out"]);
                let made = generate.arg(&book).env("TERM", "xterm").stderr(stderr).status();
                assert_eq!((made.unwrap().code(), book.exists()), (Some(0), true), "{number}");
            });
        }
    });
}

#[test]
fn an_error_that_nobody_reads_keeps_its_exit_code() {
    let (stderr, _reader) = stalled();
    let wrong_use = program().arg("--unknown").stderr(stderr).status().unwrap();
    assert_eq!(wrong_use.code(), Some(2));
    let bad = program().args(["lookup", "9"]).stderr(dead()).status().unwrap();
    assert_eq!(bad.code(), Some(1));
}
