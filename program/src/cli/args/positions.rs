//! Positions from the arguments or from lines of standard input.

use super::values::notation_parser;
use crate::cli::error::{Context, Error, Result};
use crate::cli::status::error_line;
use clap::Args;
use fourbook::board::notation::Notation;
use fourbook::text::shortened;
use fourbook::{Position, Size};
use std::fmt;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};

// The arguments of a subcommand that reads positions.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// Positions in any notation. With `-`, or with none if stdin is not a terminal, reads lines of
    /// stdin, in which a # begins a comment
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,

    /// Read every position in this notation [default: detected]
    #[arg(long, value_name = "NOTATION", value_parser = notation_parser())]
    from: Option<Notation>,
}

/// A text that should be a position.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// Whether it is longer than any position, and only its start is in `text`.
    is_too_long: bool,
    /// The place of one among several texts: `position` or `line`, and its number from 1.
    place: Option<(&'static str, usize)>,
}

impl Line {
    /// A text, without the blanks around it.
    fn new(text: &str, place: Option<(&'static str, usize)>) -> Self {
        Line { text: text.trim().to_owned(), is_too_long: false, place }
    }

    /// Rejects a text that is longer than any position.
    pub(crate) fn check(&self) -> Result<()> {
        match self.is_too_long {
            true => Err(Error::new("expected a line of at most 1 MiB, found a longer one")),
            false => Ok(()),
        }
    }

    /// Returns an error about the text as it is printed, with its line number.
    pub(crate) fn error(&self, problem: impl fmt::Display) -> String {
        match self.place {
            Some((what, number)) => error_line(format_args!("{what} {number}: {problem}")),
            None => error_line(problem),
        }
    }
}

impl PositionArgs {
    /// Parses a text as a position on a board of this size.
    pub(crate) fn parse(&self, size: Size, line: &Line) -> Result<Position> {
        line.check()?;
        Ok(match self.from {
            Some(notation) => notation.parse(size, &line.text)?,
            None => Position::parse(size, &line.text)?,
        })
    }

    /// Calls `task` with batches of up to `most` texts. A batch ends early where no more input
    /// is ready, so that a program waiting for an answer gets it.
    pub(crate) fn for_each_batch(
        &self,
        most: usize,
        task: &mut dyn FnMut(&[Line]) -> Result<()>,
    ) -> Result<()> {
        if self.positions.is_empty() {
            if io::stdin().is_terminal() {
                let message = "no position given; name one, or '-' to read them from stdin";
                return Err(Error::usage(message));
            }
            return read_batches(most, task);
        }
        let several = self.positions.len() > 1;
        let lines = (1..)
            .zip(&self.positions)
            .map(|(number, text)| Line::new(text, several.then_some(("position", number))));
        let lines: Vec<Line> = lines.collect();
        for (number, part) in lines.split(|line| line.text == "-").enumerate() {
            if number > 0 {
                read_batches(most, task)?;
            }
            part.chunks(most).try_for_each(&mut *task)?;
        }
        Ok(())
    }
}

/// Bytes to read at once: enough lines to keep all threads busy.
const BUFFER_BYTES: usize = 1 << 20;

/// The longest line: anything longer is no list of positions.
const MOST_BYTES: u64 = 1 << 20;

/// Calls `task` with the lines of standard input, up to `most` at a time. A byte-order mark and
/// comments are skipped.
fn read_batches(most: usize, task: &mut dyn FnMut(&[Line]) -> Result<()>) -> Result<()> {
    let mut stdin = BufReader::with_capacity(BUFFER_BYTES, io::stdin().lock());
    let mut batch = Vec::new();
    let mut bytes = Vec::new();
    for number in 1.. {
        if read_line(&mut stdin, &mut bytes)? == 0 {
            break;
        }
        batch.extend(line(&bytes, number));
        let more_is_there = stdin.buffer().contains(&b'\n');
        if batch.len() >= most || !more_is_there && !batch.is_empty() {
            task(&batch)?;
            batch.clear();
        }
    }
    if batch.is_empty() { Ok(()) } else { task(&batch) }
}

/// Reads a line of standard input, but keeps only the start of a line that is too long. Returns the
/// number of bytes kept, 0 at the end.
pub(crate) fn read_line(stdin: &mut impl BufRead, bytes: &mut Vec<u8>) -> Result<usize> {
    bytes.clear();
    let mut read = || {
        let read = stdin.by_ref().take(MOST_BYTES + 1).read_until(b'\n', bytes)?;
        if read as u64 > MOST_BYTES && !bytes.ends_with(b"\n") {
            stdin.skip_until(b'\n')?;
        }
        Ok::<_, io::Error>(read)
    };
    read().with_context(|| "cannot read standard input")
}

/// A line of standard input; `None` if it is a comment.
fn line(bytes: &[u8], number: usize) -> Option<Line> {
    let place = Some(("line", number));
    // Bytes that are not UTF-8 are no notation either, and are reported as such.
    let text = String::from_utf8_lossy(bytes);
    let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { &text };
    if bytes.len() as u64 > MOST_BYTES {
        return Some(Line { is_too_long: true, ..Line::new(&shortened(text), place) });
    }
    match text.split_once('#') {
        Some((before, _)) if before.trim().is_empty() => None,
        Some((before, _)) => Some(Line::new(before, place)),
        None => Some(Line::new(text, place)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_without_blanks_marks_and_comments() {
        let read = |text: &str, number| line(text.as_bytes(), number).map(|line| line.text);
        for (text, expected) in [
            ("44\n", Some("44")),
            (" 4453 \t\r\n", Some("4453")),
            ("44 # the usual\n", Some("44")),
            ("\n", Some("")),
            ("", Some("")),
            ("# 44\n", None),
            ("  #\r\n", None),
        ] {
            assert_eq!(read(text, 2).as_deref(), expected, "{text:?}");
        }
        assert_eq!(read("\u{feff}44\n", 1).as_deref(), Some("44"));
        assert_eq!(read("\u{feff}# 44\n", 1), None);
    }

    #[test]
    fn of_a_line_that_is_too_long_only_the_start_is_kept() {
        let long = line(&vec![b'4'; MOST_BYTES as usize + 1], 1).unwrap();
        assert!(long.check().is_err() && long.text.len() < 100, "{long:?}");
        assert!(line(&vec![b'4'; MOST_BYTES as usize], 1).unwrap().check().is_ok());
    }
}
