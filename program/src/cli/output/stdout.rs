//! Standard output, whose reader may go away.

use crate::cli::status::Status;
use std::io::{self, Write};

/// Standard output. A line is written when it is complete, so that a program
/// that talks to this one line by line gets its answers.
///
/// [`is_closed`] recognises the error of a reader that has gone.
pub(crate) fn stdout() -> impl Write {
    Output(io::stdout().lock())
}

/// Whether the reader of standard output has gone.
pub(crate) fn is_closed(error: &anyhow::Error) -> bool {
    let inner = |cause: &io::Error| cause.get_ref().is_some_and(|inner| inner.is::<Closed>());
    error.chain().any(|cause| cause.downcast_ref().is_some_and(inner))
}

/// The status of a subcommand after printing. A reader that has gone is no error, and does not
/// change the status.
pub(crate) fn ended(printed: anyhow::Result<()>, found: Status) -> anyhow::Result<Status> {
    match printed {
        Err(error) if !is_closed(&error) => Err(error),
        _ => Ok(found),
    }
}

/// Standard output is a pipe without a reader.
#[derive(Debug, thiserror::Error)]
#[error("standard output is closed")]
struct Closed;

/// Standard output takes nothing more for another reason, such as a full disk.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output")]
struct Unwritable(#[source] io::Error);

struct Output<W: Write>(W);

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
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
        io::ErrorKind::BrokenPipe => io::Error::new(io::ErrorKind::BrokenPipe, Closed),
        io::ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, Unwritable(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

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
        let ours = writeln!(Output(Broken), "4").context("printing").unwrap_err();
        assert!(is_closed(&ours));
        let other = writeln!(Broken, "4").context("sending").unwrap_err();
        assert!(!is_closed(&other));
    }
}
