//! `fourbook health`: a probe for containers.

use crate::cli::args::seconds;
use crate::cli::error::{Context, Error, Result};
use axum::http::Uri;
use clap::Args;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  fourbook health                              the server on port 8080 of this machine
  fourbook health http://10.0.0.7:9000/readyz  whether another takes requests
  fourbook health unix:/run/fourbook.sock";

/// The most bytes of an answer that are read.
const LONGEST: u64 = 1 << 10;

/// Check that a server answers
///
/// Sends a GET request for /healthz, or the path of the URL. If the answer has the status 200, the
/// exit code is 0, and otherwise 1.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HealthArgs {
    /// http://HOST[:PORT][/PATH], or unix:PATH for a Unix socket
    #[arg(value_name = "URL", default_value = "http://127.0.0.1:8080")]
    url: String,

    /// How long to wait for the answer
    #[arg(long, value_name = "TIME", default_value = "3", value_parser = seconds)]
    timeout: Duration,
}

pub(crate) fn run(args: &HealthArgs) -> Result {
    let (sender, answer) = mpsc::channel();
    let url = args.url.clone();
    // Looking up a name has no limit of its own.
    thread::Builder::new()
        .spawn(move || sender.send(ask(&url)))
        .with_context(|| "cannot start a thread")?;
    let no_answer = |_| Error::new(format!("no answer from {} in {:?}", args.url, args.timeout));
    let status = answer.recv_timeout(args.timeout).map_err(no_answer)??;
    match status.split(' ').nth(1) {
        Some("200") => Ok(()),
        _ => Err(Error::new(format!(
            "expected the status 200 from {}, found '{}'",
            args.url,
            status.trim_end()
        ))),
    }
}

/// Returns the first line of the answer of `url`.
fn ask(url: &str) -> Result<String> {
    #[cfg(unix)]
    if let Some(path) = url.strip_prefix("unix:") {
        let stream = UnixStream::connect(path);
        let stream = stream.with_context(|| format!("cannot connect to '{path}'"))?;
        return Ok(exchange(stream, "localhost", "/healthz")?);
    }
    let uri: Option<Uri> = url.parse().ok();
    let uri = uri.filter(|uri| uri.scheme_str() == Some("http") && uri.host().is_some());
    let uri = uri.ok_or_else(|| {
        Error::usage(format!("expected http://HOST[:PORT][/PATH] or unix:PATH, found '{url}'"))
    })?;
    let host = uri.host().unwrap_or_default();
    let stream = TcpStream::connect((host.trim_matches(['[', ']']), uri.port_u16().unwrap_or(80)))
        .with_context(|| format!("cannot connect to {url}"))?;
    Ok(exchange(stream, host, if uri.path() == "/" { "/healthz" } else { uri.path() })?)
}

/// Sends a request and reads the first line of the answer.
fn exchange(mut stream: impl Read + Write, host: &str, path: &str) -> io::Result<String> {
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
    let mut line = String::new();
    BufReader::new(stream.take(LONGEST)).read_line(&mut line)?;
    Ok(line)
}
