//! Positions from the arguments or from lines of standard input.

use super::values::{notation_parser, whole};
use crate::cli::error::{Context, Error, Result};
use crate::cli::status::error_line;
use clap::Args;
use fourbook::board::column_name;
use fourbook::board::notation::{Notation, diagram, moves};
use fourbook::files::quoted;
use fourbook::oracle::Game;
use fourbook::text::shortened;
use fourbook::{Position, PositionError, Size};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::Path;

/// The place of a text among the arguments.
const ARGUMENT: &str = "position";

// The arguments of a subcommand that reads positions.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// Positions in any notation. With `-`, or with none if stdin is not a terminal, reads lines of
    /// stdin, in which a # begins a comment; the rows of a board may stand on lines of their own
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,

    /// Read every position in this notation [default: detected]
    #[arg(long, value_name = "NOTATION", value_parser = notation_parser())]
    from: Option<Notation>,

    /// Read moves whose columns count from 0 instead of 1
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = whole(0_u8..=1))]
    columns_from: u8,
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

    /// The position of a line POSITION SCORE, and the score.
    pub(crate) fn with_score(&self) -> Result<(Line, i32)> {
        self.check()?;
        let is_between = |part: char| part.is_whitespace() || matches!(part, ',' | ';');
        let fields = self.text.rsplit_once(is_between);
        let fields = fields.and_then(|(text, score)| Some((text, score.parse().ok()?)));
        let (text, score) = fields.ok_or_else(|| {
            let found = shortened(&self.text);
            Error::new(format!("expected POSITION SCORE, such as '4453 -2', found '{found}'"))
        })?;
        Ok((Line::new(text.trim_end_matches(is_between), self.place), score))
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
        let text = self.text(size, line)?;
        let position = match self.from {
            Some(notation) => notation.parse(size, &text),
            None if self.columns_from == 0 => Notation::Moves.parse(size, &text),
            None => Position::parse(size, &text),
        };
        position.map_err(|error| self.explain(error, line))
    }

    /// Parses a text as the moves of a game.
    pub(crate) fn parse_game(&self, size: Size, line: &Line) -> Result<Game> {
        line.check()?;
        let text = self.text(size, line)?;
        match self.from.or(Notation::recognise(&text)) {
            None | Some(Notation::Moves) => {
                Game::parse(size, &text).map_err(|error| self.explain(error, line))
            }
            Some(other) => Err(Error::new(format!(
                "expected the moves of a game, such as 445352, found the notation {}; \
                 'fourbook show --to moves' prints a game that leads to a position",
                other.name()
            ))),
        }
    }

    /// The text of a line, with columns that count from 1.
    fn text<'a>(&self, size: Size, line: &'a Line) -> Result<Cow<'a, str>> {
        if self.columns_from == 1 {
            return Ok(Cow::Borrowed(&line.text));
        }
        let columns = moves::parse(size, &line.text, 0)?;
        Ok(columns.into_iter().map(column_name).collect::<String>().into())
    }

    fn explain(&self, error: PositionError, line: &Line) -> Error {
        let is_argument = line.place.is_none_or(|(what, _)| what == ARGUMENT);
        if is_argument && Path::new(&line.text).is_file() {
            let file = quoted(Path::new(&line.text));
            return Error::new(format!(
                "expected a position, found the name of a file; to read its lines, use '< {file}'"
            ));
        }
        match error {
            PositionError::Move { text: '0', .. } if self.from.is_none() => {
                Error::new(format!("{error}; if the columns count from 0, use '--columns-from 0'"))
            }
            error => error.into(),
        }
    }

    /// Calls `task` with batches of up to `most` texts. A batch ends early where no more input
    /// is ready, so that a program waiting for an answer gets it.
    pub(crate) fn for_each_batch(
        &self,
        size: Size,
        most: usize,
        task: &mut dyn FnMut(&[Line]) -> Result<()>,
    ) -> Result<()> {
        if self.positions.is_empty() {
            if io::stdin().is_terminal() {
                let message = "no position given; name one, or '-' to read them from stdin";
                return Err(Error::usage(message));
            }
            return read_batches(size, most, task);
        }
        let several = self.positions.len() > 1;
        let lines = (1..)
            .zip(&self.positions)
            .map(|(number, text)| Line::new(text, several.then_some((ARGUMENT, number))));
        let lines: Vec<Line> = lines.collect();
        for (number, part) in lines.split(|line| line.text == "-").enumerate() {
            if number > 0 {
                read_batches(size, most, task)?;
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
fn read_batches(
    size: Size,
    most: usize,
    task: &mut dyn FnMut(&[Line]) -> Result<()>,
) -> Result<()> {
    let mut stdin = BufReader::with_capacity(BUFFER_BYTES, io::stdin().lock());
    let mut batch = Vec::new();
    let mut bytes = Vec::new();
    let mut board = Board { size, rows: Vec::new(), has_ended: false };
    for number in 1.. {
        if read_line(&mut stdin, &mut bytes)? == 0 {
            break;
        }
        if let Some(line) = line(&bytes, number) {
            board.read(line, &mut batch);
        }
        let more_is_there = stdin.buffer().contains(&b'\n');
        if batch.len() >= most || !more_is_there && !batch.is_empty() {
            task(&batch)?;
            batch.clear();
        }
    }
    batch.extend(board.take());
    if batch.is_empty() { Ok(()) } else { task(&batch) }
}

/// A board over several lines, which are one position.
struct Board {
    size: Size,
    rows: Vec<Line>,
    /// Whether the lines before this one were a board.
    has_ended: bool,
}

impl Board {
    /// Adds to `batch` the positions that are complete with this line.
    fn read(&mut self, line: Line, batch: &mut Vec<Line>) {
        let has_bars = self.rows.first().is_some_and(|row| row.text.contains('|'));
        let is_row =
            diagram::is_row(self.size, &line.text) && (!has_bars || line.text.contains('|'));
        let is_beside = self.has_ended || !self.rows.is_empty();
        let is_frame = line.text.is_empty() || diagram::is_frame(&line.text);
        if is_row {
            self.has_ended = false;
            self.rows.push(line);
            if self.rows.len() == self.size.height() {
                batch.extend(self.take());
                self.has_ended = true;
            }
        } else if !(is_frame && is_beside || line.text.starts_with('+')) {
            batch.extend(self.take());
            batch.push(line);
            self.has_ended = false;
        }
    }

    /// The rows in one text.
    fn take(&mut self) -> Option<Line> {
        let rows = std::mem::take(&mut self.rows);
        let texts: Vec<&str> = rows.iter().map(|row| &*row.text).collect();
        Some(Line { text: texts.join("\n"), ..rows.first()?.clone() })
    }
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
