//! Positions from the arguments or from lines of standard input.

use super::values::notation_parser;
use crate::cli::error::{Context, Error, Result};
use crate::cli::status::error_line;
use clap::Args;
use fourbook::board::notation::Notation;
use fourbook::{Position, PositionError, Size};
use std::fmt;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};

// The arguments of a subcommand that reads positions.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// Positions in any notation. With `-`, or with none if stdin is not a terminal, reads lines of
    /// stdin
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
    /// The place of one among several texts: `position` or `line`, and its number from 1.
    place: Option<(&'static str, usize)>,
}

impl Line {
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
    pub(crate) fn parse(&self, size: Size, line: &Line) -> Result<Position, PositionError> {
        match self.from {
            Some(notation) => notation.parse(size, &line.text),
            None => Position::parse(size, &line.text),
        }
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
        let lines = (1..).zip(&self.positions).map(|(number, text)| {
            let place = several.then_some(("position", number));
            Line { text: text.clone(), place }
        });
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

/// Calls `task` with the lines of standard input, up to `most` at a time. A byte-order mark is
/// skipped.
fn read_batches(most: usize, task: &mut dyn FnMut(&[Line]) -> Result<()>) -> Result<()> {
    let mut stdin = BufReader::with_capacity(BUFFER_BYTES, io::stdin().lock());
    let mut batch = Vec::new();
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let read = stdin.by_ref().take(MOST_BYTES + 1).read_until(b'\n', &mut bytes);
        match read.with_context(|| "cannot read standard input")? as u64 {
            0 => break,
            read if read > MOST_BYTES => {
                let text = format!("line {number}: expected at most 1 MiB, found more");
                return Err(Error::new(text));
            }
            _ => {}
        }
        // Bytes that are not UTF-8 are no notation either, and are reported as such.
        let text = String::from_utf8_lossy(&bytes);
        let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { &text };
        let text = text.trim_end_matches(['\r', '\n']).to_owned();
        batch.push(Line { text, place: Some(("line", number)) });
        let more_is_there = stdin.buffer().contains(&b'\n');
        if batch.len() >= most || !more_is_there {
            task(&batch)?;
            batch.clear();
        }
    }
    if batch.is_empty() { Ok(()) } else { task(&batch) }
}
