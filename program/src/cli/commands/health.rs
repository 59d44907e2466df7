//! `fourbook health`: a probe for containers.

use crate::cli::args::seconds;
use crate::cli::error::{Context, Error, Result};
use clap::Args;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fourbook health                              the server on port 8080 of this machine
  fourbook health http://10.0.0.7:9000/readyz  whether another takes requests
  fourbook health unix:/run/fourbook.sock      the server on a Unix socket";

/// The most bytes of an answer that are read.
const LONGEST: u64 = 1 << 10;

/// Check that a server answers
///
/// Sends a GET request. If the answer has the status 200, the exit code is 0, and otherwise 1.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HealthArgs {
    /// http://HOST:PORT[/PATH], or unix:SOCKET; the default path is /healthz
    #[arg(value_name = "URL", default_value = "http://127.0.0.1:8080")]
    url: String,

    /// How long to wait for the answer
    #[arg(help_heading = "Limits", long, value_name = "TIME", default_value = "3", value_parser = seconds)]
    timeout: Duration,
}

pub(crate) fn run(HealthArgs { url, timeout }: &HealthArgs) -> Result {
    let (sender, answer) = mpsc::channel();
    let asked = url.clone();
    // Looking up a name has no limit of its own.
    let thread = thread::Builder::new().spawn(move || sender.send(ask(&asked)));
    thread.with_context(|| "cannot start a thread")?;
    let answer = answer.recv_timeout(*timeout);
    let status =
        answer.map_err(|_| Error::new(format!("no answer from {url} in {timeout:?}")))??;
    if status.split(' ').nth(1) == Some("200") {
        return Ok(());
    }
    let found = status.trim_end();
    Err(Error::new(format!("expected the status 200 from {url}, found '{found}'")))
}

/// Returns the first line of the answer of `url`.
fn ask(url: &str) -> Result<String> {
    #[cfg(unix)]
    if let Some(socket) = url.strip_prefix("unix:") {
        let stream = std::os::unix::net::UnixStream::connect(socket)
            .with_context(|| format!("cannot connect to {socket}"))?;
        return first_line(stream, "localhost", "healthz");
    }
    let place = url.strip_prefix("http://").ok_or_else(|| {
        Error::usage(format!("expected http://HOST:PORT[/PATH] or unix:SOCKET, found '{url}'"))
    })?;
    let (address, path) = place.split_once('/').unwrap_or((place, "healthz"));
    let stream =
        TcpStream::connect(address).with_context(|| format!("cannot connect to {address}"))?;
    first_line(stream, address, path)
}

/// Sends a request and returns the first line of the answer.
fn first_line(mut stream: impl Read + Write, address: &str, path: &str) -> Result<String> {
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut line = String::new();
    BufReader::new(stream.take(LONGEST)).read_line(&mut line)?;
    Ok(line)
}
