//! Positions from the arguments or from lines of standard input.

use super::values::{notation_parser, whole};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output::quoted;
use crate::cli::status::error_line;
use clap::Args;
use fourbook::board::column_name;
use fourbook::board::notation::diagram::{self, BoardLine};
use fourbook::board::notation::{Notation, moves};
use fourbook::book::other_file;
use fourbook::oracle::Game;
use fourbook::text::shortened;
use fourbook::{Position, PositionError, Size};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::iter;
use std::ops::Range;
use std::path::Path;

/// The place of a text among the arguments.
const ARGUMENT: &str = "position";

/// The place of a text in standard input.
const LINE: &str = "line";

// The arguments of a subcommand that reads positions.
#[derive(Clone, Debug, Args)]
pub(crate) struct PositionArgs {
    /// Positions in any notation. With `-` alone, or with none if stdin is not a terminal, reads lines of
    /// stdin, in which a # begins a comment; the rows of a board, its labels and its frame may stand
    /// on lines of their own
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,

    /// Read every position in this notation [default: detected]
    #[arg(help_heading = "Input", long, value_name = "NOTATION", value_parser = notation_parser())]
    from: Option<Notation>,

    /// Read moves whose columns count from 0 instead of 1
    #[arg(help_heading = "Input", long, value_name = "NUMBER", default_value_t = 1, value_parser = whole(0_u8..=1))]
    columns_from: u8,
}

/// A text that should be a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a str,
    /// Why it is no position, whatever its text.
    fault: Option<&'static str>,
    /// Whether blanks stand before it: in the program's own lines, after the moves of the empty board.
    is_indented: bool,
    /// The place of one among several texts: `position` or `line`, and its number from 1.
    place: Option<(&'static str, usize)>,
}

impl Line<'_> {
    /// The name of the search that begins with this line.
    pub(crate) fn search(self) -> String {
        match self.place {
            Some((what, number)) => format!("solving from {what} {number} on"),
            None => "solving".to_owned(),
        }
    }

    /// The error of an argument that is the name of a file.
    fn file(self) -> Option<Error> {
        let is_argument = self.place.is_none_or(|(what, _)| what == ARGUMENT);
        let file = Some(Path::new(self.text)).filter(|file| is_argument && file.is_file())?;
        Some(Error::new(format!(
            "expected a position, found the name of a file; to read its lines, use '< {}'",
            quoted(file)
        )))
    }

    /// Rejects a line with a fault.
    fn check(self) -> Result<()> {
        self.fault.map_or(Ok(()), |fault| Err(Error::new(fault)))
    }

    /// Whether it is as `lookup` prints the position of at most one move, and its score.
    fn is_printed(self) -> bool {
        self.place.is_some_and(|(what, _)| what == LINE)
            && match self.text.as_bytes() {
                [score] => self.is_indented && score.is_ascii_digit(),
                [column, b' ' | b'\t' | b';', score] => {
                    column.is_ascii_alphanumeric() && score.is_ascii_digit()
                }
                _ => false,
            }
    }

    /// Returns an error about the text as it is printed, with its line number.
    pub(crate) fn error(self, problem: impl fmt::Display) -> String {
        match self.place {
            Some((what, number)) => error_line(format_args!("{what} {number}: {problem}")),
            None => error_line(problem),
        }
    }
}

/// Lines that are answered together.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The texts of all lines, and their separators.
    pub(crate) text: String,
    /// Where each line is in `text`, and its number from 1.
    places: Vec<(Range<usize>, usize)>,
    /// The unit of the numbers, if there are several texts.
    unit: Option<&'static str>,
    /// The numbers of lines that are no positions, and why.
    faults: Vec<(usize, &'static str)>,
}

impl Batch {
    fn push(&mut self, text: &str, number: usize) {
        let start = self.text.len();
        self.text += text;
        self.places.push((start..self.text.len(), number));
    }

    /// Returns a line by its index.
    pub(crate) fn line(&self, index: usize) -> Line<'_> {
        let (place, number) = self.places[index].clone();
        let whole = &self.text[place];
        // Blanks alone are no position, and not the empty board.
        let text = if whole.trim().is_empty() { whole } else { whole.trim() };
        Line {
            text,
            fault: self.fault(number),
            is_indented: !whole.starts_with(text),
            place: self.unit.map(|unit| (unit, number)),
        }
    }

    fn fault(&self, number: usize) -> Option<&'static str> {
        self.faults.iter().find(|(line, _)| *line == number).map(|&(_, fault)| fault)
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        (0..self.places.len()).map(|index| self.line(index))
    }
}

impl PositionArgs {
    /// Parses a text as a position on a board of this size.
    pub(crate) fn parse(&self, size: Size, line: Line<'_>) -> Result<Position> {
        let text = self.text(size, line)?;
        let position = match self.from {
            Some(notation) => notation.parse(size, &text),
            None if self.columns_from == 0 => Notation::Moves.parse(size, &text),
            None => Position::parse(size, &text),
        };
        position.map_err(|error| self.explain(error, line))
    }

    /// Parses a text as the moves of a game.
    pub(crate) fn parse_game(&self, size: Size, line: Line<'_>) -> Result<Game> {
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
    fn text<'a>(&self, size: Size, line: Line<'a>) -> Result<Cow<'a, str>> {
        line.check()?;
        if line.is_printed() && self.from.is_none() {
            return Err(Error::new(format!(
                "expected a position, found '{}', which may be one and its score; write moves \
                 together, without a blank before them, or read games with '--from moves'",
                line.text
            )));
        }
        if self.columns_from == 1 {
            return Ok(Cow::Borrowed(line.text));
        }
        let columns = moves::parse(size, line.text, 0)?;
        Ok(columns.into_iter().map(column_name).collect::<String>().into())
    }

    fn explain(&self, error: PositionError, line: Line<'_>) -> Error {
        if let Some(error) = line.file() {
            return error;
        }
        match error {
            PositionError::Move { text: '0', .. } if self.from.is_none() => {
                Error::new(format!("{error}; if the columns count from 0, use '--columns-from 0'"))
            }
            error => error.into(),
        }
    }

    /// Whether the positions are arguments, and not lines of standard input.
    pub(crate) fn are_arguments(&self) -> bool {
        !(self.positions.is_empty() || self.positions == ["-"])
    }

    /// The lines of the arguments and of standard input, for boards of a size. A batch ends where no
    /// more input is ready, so that a program waiting for an answer gets it.
    pub(crate) fn batches(&self, size: Size) -> Result<Batches> {
        if self.positions.is_empty() && io::stdin().is_terminal() {
            let message = "no position given; name one, or '-' to read them from stdin";
            return Err(Error::usage(message));
        }
        if self.columns_from == 0 && !matches!(self.from, None | Some(Notation::Moves)) {
            return Err(Error::usage("--columns-from 0 is for moves; leave --from out"));
        }
        if !self.are_arguments() {
            let may_be_boards = self.from != Some(Notation::Moves);
            let mut lines = Lines::new(size, may_be_boards, Box::new(io::stdin()));
            return Ok(Box::new(iter::from_fn(move || lines.read().transpose())));
        }
        let unit = (self.positions.len() > 1).then_some(ARGUMENT);
        let mut batch = Batch { unit, ..Batch::default() };
        for (number, text) in (1..).zip(&self.positions) {
            batch.push(text, number);
        }
        Ok(Box::new(iter::once(Ok(batch))))
    }
}

/// Batches in the order of their lines.
pub(crate) type Batches = Box<dyn Iterator<Item = Result<Batch>> + Send>;

/// Bytes to read at once: a full pipe.
const BUFFER_BYTES: usize = 1 << 16;

/// More lines than a board has with its frame. Each line is read again with all before it.
const MOST_LINES: usize = 100;

/// The longest line: anything longer is no list of positions.
const MOST_BYTES: usize = 1 << 20;

/// The fault of a line that is longer than any position, and of which only the start is kept.
const TOO_LONG: &str = "expected a line of at most 1 MiB, found a longer one";

/// The fault of the last of some lines that are games, or the rows of a full board.
const FULL_BOARD: &str = "this line and those before it are either games or the rows of a full \
                          board; write a board in one line, with '/' between its rows, or read \
                          games with '--from moves'";

/// Lines of standard input, without comments and a byte-order mark.
struct Lines {
    stdin: BufReader<Box<dyn Read + Send>>,
    /// The number of the next line, from 1.
    number: usize,
    size: Size,
    /// The numbers and texts of lines that may be labels or a frame above a board.
    above: Vec<(usize, String)>,
    board: Rows,
    may_be_boards: bool,
    /// The numbers and texts of the last lines if they were read as games, and may be rows, too.
    full_rows: Vec<(usize, String)>,
}

/// The rows of an unfinished board over several lines.
#[derive(Default)]
struct Rows {
    text: String,
    number: usize,
    /// The number of the first line.
    first: usize,
    /// Whether they are in a batch already. A frame and labels may follow.
    are_added: bool,
    /// Whether a part of a frame stands below the rows.
    has_frame_below: bool,
    /// Whether the numbers or letters of the columns stand below the rows.
    has_columns_below: bool,
}

impl Lines {
    fn new(size: Size, may_be_boards: bool, stdin: Box<dyn Read + Send>) -> Self {
        Lines {
            stdin: BufReader::with_capacity(BUFFER_BYTES, stdin),
            number: 1,
            size,
            above: Vec::new(),
            board: Rows::default(),
            may_be_boards,
            full_rows: Vec::new(),
        }
    }

    /// Reads the next line and all ready lines after it; `None` at the end.
    fn read(&mut self) -> Result<Option<Batch>> {
        let mut batch = Batch { unit: Some(LINE), ..Batch::default() };
        while batch.places.is_empty() {
            let mut bytes = Vec::with_capacity(BUFFER_BYTES + 128);
            if read_line(&mut self.stdin, &mut bytes)? == 0 {
                self.end_board(&mut batch);
                return Ok(Some(batch).filter(|batch| !batch.places.is_empty()));
            }
            if bytes.len() > MOST_BYTES {
                bytes = shortened(String::from_utf8_lossy(&bytes).trim()).into_bytes();
                bytes.push(b'\n');
                batch.faults.push((self.number, TOO_LONG));
            }
            let ready = self.stdin.buffer();
            let length = ready.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            bytes.extend(&ready[..length]);
            self.stdin.consume(length);
            if self.number == 1
                && let Some((kind, advice)) = other_file(&bytes)
            {
                let text = format!("expected lines with positions, found {kind}; {advice}");
                return Err(Error::new(text));
            }
            // Bytes that are not UTF-8 are no notation either, and are reported as such.
            batch.text = String::from_utf8(bytes)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            self.split(&mut batch);
        }
        Ok(Some(batch))
    }

    /// Finds the positions in the text of a batch, which has whole lines.
    fn split(&mut self, batch: &mut Batch) {
        let mut start = 0;
        let end = batch.text.len();
        if self.number == 1 {
            start = end - batch.text.trim_start_matches('\u{feff}').len();
        }
        while start < end {
            let line = &batch.text.as_bytes()[start..end];
            let digits = line.iter().take_while(|byte| matches!(byte, b'1'..=b'9')).count();
            let others = line[digits..].iter().take_while(|&&byte| byte != b'\n').count();
            let place = start..start + digits + others;
            start = place.end + 1;
            // Nearly all lines are moves in digits.
            let are_moves = digits > 0 && others == 0 && !self.is_in_board();
            // A row of a board, or labels.
            let may_be_row = digits == self.size.width()
                && line[..digits].iter().all(|digit| b"12".contains(digit))
                || line.starts_with(b"123");
            if are_moves && !may_be_row || batch.fault(self.number).is_some() {
                self.add(batch, place);
            } else {
                self.read_text(batch, place);
            }
            self.number += 1;
        }
        // A program may wait for the answer before it writes the next line.
        let moves: String = (0..self.size.width()).map(column_name).collect();
        let is_last = self.stdin.buffer().is_empty();
        let are_moves = is_last && matches!(&self.above[..], [(_, line)] if *line == moves);
        if self.board.number == self.size.height() || are_moves {
            self.end_board(batch);
        }
    }

    fn is_in_board(&self) -> bool {
        self.board.number > 0 || !self.above.is_empty()
    }

    /// Reads a line that is more than digits.
    fn read_text(&mut self, batch: &mut Batch, mut place: Range<usize>) {
        let line = &batch.text[place.clone()];
        let (line, is_commented) = line.split_once('#').map_or((line, false), |it| (it.0, true));
        let text = line.trim();
        if text.is_empty() && is_commented {
            return;
        }
        let line = line.trim_end_matches('\r');
        place.end = place.start + line.len();
        let whole = line.to_owned();
        let row = text.to_owned();
        let is_in_rows = (1..self.size.height()).contains(&self.board.number);
        if self.board.number == self.size.height() && is_summary(text) {
            return;
        }
        let is_like_board = self.is_like(&row, &self.board.text);
        match BoardLine::new(self.size, text) {
            Some(BoardLine::Row { may_be_moves: true }) if !(is_in_rows && is_like_board) => {
                self.add_full_row(batch, row);
                self.add(batch, place);
            }
            Some(BoardLine::Row { .. } | BoardLine::Dashes) => self.add_row(batch, row),
            None if !row.is_empty() || !self.is_in_board() => self.add(batch, place),
            part if self.board.number == 0 => {
                // Only one row of labels stands above a board.
                if part == Some(BoardLine::Columns) && self.has_above(BoardLine::Columns) {
                    self.end_board(batch);
                }
                self.above.push((self.number, whole));
            }
            Some(BoardLine::Frame) => self.board.has_frame_below = true,
            Some(BoardLine::Columns) if self.board.number == self.size.height() => {
                let is_label = self.board.has_frame_below || is_like_board;
                if is_label && !self.board.has_columns_below {
                    self.board.has_columns_below = true;
                } else {
                    self.end_board(batch);
                    self.board = Rows::default();
                    self.above.push((self.number, row));
                }
            }
            _ => {}
        }
    }

    /// Whether some line above is this part of a board.
    fn has_above(&self, part: BoardLine) -> bool {
        self.above.iter().any(|(_, line)| BoardLine::new(self.size, line) == Some(part))
    }

    /// Whether a line can belong to a board with these rows: cells or labels without blanks
    /// between them do not stand beside rows with blanks, nor any with commas beside rows without.
    fn is_like(&self, line: &str, rows: &str) -> bool {
        let row = rows.lines().next().unwrap_or_default();
        let has_blanks = |line: &str| line.split_whitespace().count() >= self.size.width();
        (has_blanks(line) || !has_blanks(row)) && (row.contains(',') || !line.contains(','))
    }

    /// Finds the rows of a full board among games.
    fn add_full_row(&mut self, batch: &mut Batch, row: String) {
        let height = self.size.height();
        if self.full_rows.last().is_some_and(|(number, _)| number + 1 < self.number) {
            self.full_rows.clear();
        }
        self.full_rows.push((self.number, row));
        self.full_rows.drain(..self.full_rows.len().saturating_sub(height));
        let rows: Vec<&str> = self.full_rows.iter().map(|(_, row)| &**row).collect();
        if self.may_be_boards
            && rows.len() == height
            && Notation::Diagram.parse(self.size, &rows.join("\n")).is_ok()
        {
            batch.faults.push((self.number, FULL_BOARD));
        }
    }

    /// Adds a row to the board, or begins another one.
    fn add_row(&mut self, batch: &mut Batch, row: String) {
        let are_labels =
            self.above.iter().all(|(_, line)| line.is_empty() || self.is_like(line, &row));
        if !are_labels && !self.has_above(BoardLine::Frame) {
            self.end_board(batch);
        }
        self.above.clear();
        let text = match self.board.number {
            0 => row.clone(),
            _ => format!("{}\n{row}", self.board.text),
        };
        // Dashes are a row or a part of the frame: the other rows decide.
        let number =
            if text.contains(['-', '_']) { diagram::rows_in(&text) } else { self.board.number + 1 };
        let is_long = self.number > self.board.first + MOST_LINES;
        let is_next = self.board.number == 0 || number > self.size.height() || is_long;
        if is_next {
            self.end_board(batch);
            self.board = Rows { text: row, number: 1, first: self.number, ..Rows::default() };
        } else {
            self.board = Rows { text, number, ..self.board };
        }
    }

    /// Adds the position of a line.
    fn add(&mut self, batch: &mut Batch, place: Range<usize>) {
        self.end_board(batch);
        self.board = Rows::default();
        batch.places.push((place, self.number));
    }

    /// Adds the unfinished board as a position, or the lines that are not above a board.
    fn end_board(&mut self, batch: &mut Batch) {
        if self.board.number > 0 && !self.board.are_added {
            batch.push(&self.board.text, self.board.first);
            self.board.are_added = true;
        }
        let is_frame = |line: &&String| BoardLine::new(self.size, line) == Some(BoardLine::Frame);
        let frame = self.above.iter().map(|(_, line)| line).find(is_frame);
        for (number, line) in &self.above {
            // Columns in a frame are no moves.
            match frame.filter(|_| !line.is_empty() && !is_frame(&line)) {
                Some(frame) => batch.push(&format!("{line}\n{frame}"), *number),
                None => batch.push(line, *number),
            }
        }
        self.above.clear();
    }
}

/// Whether a line is one that `show` prints below a board.
fn is_summary(line: &str) -> bool {
    let starts = [
        "threats of ",
        "stacked threats of ",
        "moves  ",
        "diagram  ",
        "bitboards  ",
        "rows  ",
        "key  ",
        "canonical  ",
    ];
    line.ends_with(" on the board") || starts.iter().any(|start| line.starts_with(start))
}

/// Reads a line of standard input, but keeps only the start of a line that is too long. Returns the
/// number of bytes kept, 0 at the end.
pub(crate) fn read_line(stdin: &mut impl BufRead, bytes: &mut Vec<u8>) -> Result<usize> {
    bytes.clear();
    let mut read = || {
        let read = stdin.by_ref().take(MOST_BYTES as u64 + 1).read_until(b'\n', bytes)?;
        if read > MOST_BYTES && !bytes.ends_with(b"\n") {
            stdin.skip_until(b'\n')?;
        }
        Ok::<_, io::Error>(read)
    };
    read().with_context(|| "cannot read standard input")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The positions of lines, and whether each has a fault.
    fn lines(text: &[u8]) -> Vec<(String, bool)> {
        let input = Box::new(io::Cursor::new(text.to_vec()));
        let mut lines = Lines::new(Size::STANDARD, true, input);
        let batches = std::iter::from_fn(|| lines.read().unwrap());
        batches
            .flat_map(|batch| {
                batch
                    .lines()
                    .map(|line: Line<'_>| (line.text.to_owned(), line.fault.is_some()))
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    #[test]
    fn lines_are_read_without_blanks_marks_and_comments() {
        let text = "\u{feff}44\n 4453 \t\r\n44 # the usual\n\n# 44\n  #\r\n\u{a0}5";
        let texts: Vec<_> = lines(text.as_bytes()).into_iter().map(|line| line.0).collect();
        assert_eq!(texts, ["44", "4453", "44", "", "5"]);
        assert_eq!(lines("\u{feff}# 44\n".as_bytes()), []);
        let texts: Vec<_> = lines(b"  \n\r\n4").into_iter().map(|line| line.0).collect();
        assert_eq!(texts, ["  ", "", "4"]);
    }

    #[test]
    fn labels_and_frames_belong_to_a_board_and_not_to_games() {
        let rows = ". . . . . . .\n".repeat(6);
        let columns = "1 2 3 4 5 6 7\n";
        let rule = "---------------\n";
        for board in [
            format!("{columns}{rule}{rows}{rule}{columns}"),
            format!("1234567\n-------\n{rows}-------\n1234567\n"),
            format!("{columns}\n{rows}\n{columns}"),
        ] {
            let found = lines(format!("{board}{board}44\n").as_bytes());
            let texts: Vec<usize> = found.iter().map(|(text, _)| diagram::rows_in(text)).collect();
            assert_eq!((texts, &*found[2].0), (vec![6, 6, 1], "44"), "{board}");
        }
        for (input, texts) in [
            ("1 2 3 4 5 6 7\n44", vec!["1 2 3 4 5 6 7", "44"]),
            ("1 2 3 4 5 6 7\n\n1234567\n", vec!["1 2 3 4 5 6 7", "", "1234567"]),
            ("1 2 3 4 5 6 7\n-----", vec!["1 2 3 4 5 6 7\n-----", "-----"]),
            // Not a label before seven cells.
            ("00000000\n44", vec!["00000000", "44"]),
            ("---\n44", vec!["---", "44"]),
        ] {
            let found: Vec<_> = lines(input.as_bytes()).into_iter().map(|line| line.0).collect();
            assert_eq!(found, texts);
        }
    }

    #[test]
    fn frames_without_end_take_no_more_than_their_lines() {
        let rules = "-------\n".repeat(1000);
        let found = lines(format!(".......\n{rules}").as_bytes());
        assert!(found.iter().all(|(text, _)| text.len() <= 8 * (MOST_LINES + 1)), "{found:?}");
        let found = lines("+-------+\n".repeat(1000).as_bytes());
        assert!(found.len() == 1000 && found.iter().all(|(text, _)| text.len() < 20), "{found:?}");
    }

    /// A row of numbers may be a game, but not between the rows of a board.
    #[test]
    fn a_full_row_of_numbers_is_a_row_in_a_board_only() {
        let full = "1 2 1 2 2 1 1";
        let board = "0 0 0 0 0 0 0\n".repeat(5) + full;
        let found = lines(format!("{full}\n{board}\n{full}\n").as_bytes());
        let texts: Vec<_> = found.into_iter().map(|line| line.0).collect();
        assert_eq!(texts, [full, &board, full]);
    }

    #[test]
    fn a_game_beside_a_board_is_none_of_its_labels_or_rows() {
        let board = [". . . . . . ."; 6].join("\n");
        let zeros = ["0 0 0 0 0 0 0"; 5].join("\n");
        let joined = ["......."; 6].join("\n");
        let columns = "1 2 3 4 5 6 7";
        let game = "1234567";
        for (input, texts) in [
            (format!("{board}\n{game}\n44"), vec![&*board, game, "44"]),
            (format!("{board}\n{columns}\n{game}"), vec![&board, game]),
            (format!("{joined}\n{game}\n{game}\n44"), vec![&joined, game, "44"]),
            (format!("{game}\n{board}"), vec![game, &board]),
            (format!("{columns}\n{columns}\n{board}"), vec![columns, &board]),
            (format!("1,2,3,4,5,6,7\n{joined}"), vec!["1,2,3,4,5,6,7", &joined]),
            (format!("{zeros}\n1212121"), vec![&zeros, "1212121"]),
        ] {
            let found: Vec<_> = lines(input.as_bytes()).into_iter().map(|line| line.0).collect();
            assert_eq!(found, texts, "{input}");
        }
    }

    #[test]
    fn the_rows_of_a_full_board_are_no_games() {
        let full = ["1212121", "1212121", "2121212", "2121212", "1212121", "2121212"];
        let full = full.map(|row| row.replace("", " ").trim().to_owned());
        let joined = full.clone().map(|row| row.replace(' ', "")).join("\n");
        let labelled: Vec<String> =
            full.iter().zip(1..).map(|(row, number)| format!("{number} {row}")).collect();
        let spaced = full.join("\n");
        for text in [&joined, &spaced, &labelled.join("\n"), &full.join(",\n")] {
            let input = format!("1 2 3 4 5 6 7\n{text}\n1 2 3 4 5 6 7\n44");
            let found = lines(input.as_bytes());
            let faults = found.iter().filter(|(_, has_fault)| *has_fault);
            assert_eq!((faults.count(), found.len()), (1, 9), "{found:?}");
            assert!(found[6].1, "{found:?}");
        }
        let numpy = format!("[[{}]]", full.join("]\n ["));
        assert_eq!(lines(numpy.as_bytes()), [(numpy.replace("\n ", "\n"), false)]);
        // Games, as these rows are no board, or others stand between them.
        let games = "1212121\n".repeat(20) + &joined.replace('\n', "\n44\n");
        assert!(lines(games.as_bytes()).iter().all(|(_, has_fault)| !has_fault));
    }

    /// Lines and boards keep their numbers wherever a read ends.
    #[test]
    fn lines_and_boards_may_begin_in_one_read_and_end_in_another() {
        let list = (". . . . . . .\n".repeat(6) + "44\n7654321 # more\n").repeat(4000);
        let found = lines(list.as_bytes());
        let rows = [". . . . . . ."; 6].join("\n");
        assert_eq!(found.len(), 3 * 4000);
        for (number, (text, has_fault)) in found.iter().enumerate() {
            let expected = [&*rows, "44", "7654321"][number % 3];
            assert_eq!((&**text, *has_fault), (expected, false), "{number}");
        }
    }

    #[test]
    fn of_a_line_that_is_too_long_only_the_start_is_kept() {
        let long = |length| lines(&vec![b'4'; length]).remove(0);
        let (start, is_too_long) = long(MOST_BYTES + 1);
        assert!(is_too_long && start.len() < 100, "{start}");
        assert_eq!(long(MOST_BYTES), ("4".repeat(MOST_BYTES), false));
    }
}
