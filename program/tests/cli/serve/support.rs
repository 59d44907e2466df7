//! A running server and its answers over plain sockets.

use crate::support::{program, send_signal};
use rustix::process::Signal;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than anything takes on a busy machine; only a hang reaches it.
pub(crate) const LONG: Duration = Duration::from_secs(60);

pub(crate) struct Server {
    child: Child,
    log: Receiver<String>,
    /// `127.0.0.1:PORT`, or the path of a socket.
    pub(crate) address: String,
    /// The line of the log about a board served.
    pub(crate) serving: String,
}

impl Server {
    /// Starts the program on a free port with these arguments besides.
    pub(crate) fn start(arguments: &[&str]) -> Server {
        Server::start_at(&[&["--bind", "127.0.0.1:0"], arguments].concat())
    }

    pub(crate) fn start_at(arguments: &[&str]) -> Server {
        Server::spawn(command(arguments))
    }

    pub(crate) fn spawn(mut command: Command) -> Server {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
        let stderr = child.stderr.take().expect("stderr is a pipe");
        let (sender, log) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut server = Server { child, log, address: String::new(), serving: String::new() };
        let line = server.wait_for_log("listening");
        let start = line.find("http://").map(|at| at + 7).or(line.find("unix:").map(|at| at + 5));
        let rest = &line[start.expect("an address")..];
        server.address = rest[..rest.find('"').unwrap_or(rest.len())].to_owned();
        server.serving = server.wait_for_log("serving");
        server
    }

    /// The next line of the log that contains `words`.
    pub(crate) fn wait_for_log(&self, words: &str) -> String {
        self.log_to(words).pop().expect("there is one")
    }

    /// All lines of the log to the next one that contains `words`.
    pub(crate) fn log_to(&self, words: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| !line.contains(words)) {
            lines.push(self.log.recv_timeout(LONG).expect("the log says more"));
        }
        lines
    }

    pub(crate) fn signal(&self, signal: Signal) {
        send_signal(&self.child, signal);
    }

    /// Waits until the program ends.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().expect("the program ends")
    }

    /// Sends SIGTERM and waits for a good end.
    pub(crate) fn stop(mut self) {
        self.signal(Signal::TERM);
        assert_eq!(self.wait().code(), Some(0));
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(LONG)).expect("a timeout");
        stream
    }

    pub(crate) fn get(&self, path: &str) -> String {
        exchange(self.connect(), &request(path))
    }

    /// Resident memory in KiB.
    pub(crate) fn memory(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).expect("Linux says");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.expect("a line").trim().trim_end_matches(" kB");
        number.parse().expect("a number")
    }
}

/// `fourbook serve` with these arguments.
fn command(arguments: &[&str]) -> Command {
    let mut command = program();
    command.args(["serve", "--memory", "1M", "--threads", "1"]).args(arguments);
    command
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
}

/// Sends bytes and reads until the server closes.
pub(crate) fn exchange(mut stream: impl Read + Write, bytes: &str) -> String {
    stream.write_all(bytes.as_bytes()).expect("the server reads");
    read_all(stream)
}

pub(crate) fn read_all(mut stream: impl Read) -> String {
    let mut answer = Vec::new();
    // A reset ends the answer, too.
    if let Err(error) = stream.read_to_end(&mut answer) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}");
    }
    String::from_utf8_lossy(&answer).into_owned()
}
