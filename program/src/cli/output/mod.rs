//! Output of subcommands: results on stdout, progress on stderr, files.

mod color;
mod files;
mod progress;
mod words;

pub(crate) use color::{for_stdout, has_colors, mark_of, paint, stone_of};
pub(crate) use files::{check_new, check_results, quoted, write_results};
pub(crate) use progress::{OnStderr, THINKING};
pub(crate) use words::{describe, in_words};

use crate::cli::error::{Error, Result};
use crate::cli::stderr;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the reader of standard output has gone.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Returns standard output. A line is written when it is complete, so that a program that talks
/// to this one line by line gets its answers.
pub(crate) fn stdout() -> impl Write {
    Output(io::stdout().lock())
}

/// Whether writing to standard output failed because its reader has gone.
pub(crate) fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

/// The end of a subcommand that has printed its results, `failed` if some input was bad or a check
/// failed. If the reader has gone, that is no error.
pub(crate) fn ended(printed: Result, failed: bool) -> Result {
    match printed {
        Err(error) if !is_closed() => Err(error),
        _ if failed => Err(Error::reported()),
        _ => Ok(()),
    }
}

struct Output<W: Write>(W);

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // What was printed on stderr comes first on a terminal.
        stderr::flush();
        self.0.write(bytes).map_err(name_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(name_output)
    }
}

/// Adds that the error is about standard output. `Interrupted` stays as it is, since the caller
/// tries again.
fn name_output(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::Interrupted => return error,
        io::ErrorKind::BrokenPipe => CLOSED.store(true, Ordering::Relaxed),
        _ => {}
    }
    io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn only_standard_output_counts_as_closed() {
        writeln!(Broken, "4").unwrap_err();
        assert!(!is_closed());
        writeln!(Output(Broken), "4").unwrap_err();
        assert!(is_closed());
    }
}
