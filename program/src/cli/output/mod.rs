//! Output of subcommands: results on stdout, progress on stderr, files.

mod color;
mod files;
mod progress;
mod words;

pub(crate) use color::{for_stdout, has_colors, mark_of, paint, shown, stone_of};
pub(crate) use files::{check_new, check_other, check_results, quoted, write_results};
pub(crate) use progress::{OnStderr, THINKING, clear_progress};
pub(crate) use words::{describe, in_words, worth};

use crate::cli::error::{Error, Result};
use crate::cli::stderr;
use std::error;
use std::io::{self, Write};
use std::iter::successors;

/// Returns standard output. A line is written when it is complete, so that a program that talks
/// to this one line by line gets its answers.
pub(crate) fn stdout() -> impl Write {
    Output(io::stdout().lock())
}

/// Whether an error, or one of its causes, is that the reader of standard output has gone.
pub(crate) fn is_closed(error: &(dyn error::Error + 'static)) -> bool {
    successors(Some(error), |cause| cause.source())
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .filter(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
        .any(|cause| cause.get_ref().is_some_and(|inner| inner.is::<OutputError>()))
}

/// The end of a subcommand that has printed its results, `failed` if some input was bad or a check
/// failed.
pub(crate) fn ended(printed: Result, failed: bool) -> Result {
    match printed {
        Err(error) if error.exit != 0 => Err(error),
        _ if failed => Err(Error::reported()),
        _ => Ok(()),
    }
}

struct Output<W: Write>(W);

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The text on stderr comes first on a terminal.
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
        io::ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, OutputError(error)),
    }
}

/// Standard output cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output: {0}")]
struct OutputError(io::Error);

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook::tools::ToolError;

    /// A pipe without a reader.
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
    fn only_a_standard_output_without_a_reader_is_closed() {
        assert!(!is_closed(&writeln!(Broken, "4").unwrap_err()));
        assert!(!is_closed(&name_output(io::ErrorKind::StorageFull.into())));
        let closed = writeln!(Output(Broken), "4").unwrap_err();
        assert!(is_closed(&closed));
        assert!(is_closed(&ToolError::Write(closed)), "it is the cause");
    }
}
