//! Positions and values as text: comma-separated values.
//!
//! The first line is `position,score` or, for win, draw and loss as 1, 0 and -1,
//! `position,outcome`. Each line after it has a position, in any
//! [notation](fourbook_solver::board::notation), and its value for the side to move, such as `-2` or
//! `-2.0`. The empty board is a diagram: a field without a text is a missing position. Fields may
//! stand in double quotes, and have to if there is a comma in them. Lines may come in any order. A
//! third column, `size`, names the board in every line, such as `7x6`; without it, the caller names
//! the board. The columns may come in any order, among others, with semicolons, tabs or spaces
//! between them. Instead of `position`, a column may be named `moves`; or `key` or `hash`, for
//! [keys](Position::key) without `key:`. Only the first word of a name counts; a size after it, as in
//! the `book-8x7.csv` of c4, names the board.
//!
//! Without that line, a table has a position, a value and perhaps the size in each line, and all of
//! its lines decide which is which: a table that can be read in two ways is an error.
//!
//! The data set connect-4 of UCI has no first line. Each line has the 42 cells of a position with 8
//! stones, column by column from the bottom, as `x`, `o` and `b`, and its outcome for the first
//! player: `win`, `draw` or `loss`. Positions with a forced move are left out. A line of names, the
//! numbers of rows, quotes and the declarations of an ARFF file are skipped.
//!
//! Writing gives the positions of all plies to the depth that the rules do not score, a position
//! and its mirror image once, the empty board as a diagram. Reading also accepts repeated positions
//! (or their mirror images) with the same value, and positions that the rules score, with the right
//! value.

use super::foreign::{ForeignBook, ForeignValue, Format, Values, name};
use crate::findings::{Findings, SHOWN};
use crate::tools::error::ToolError;
use csv::{ByteRecord, ReaderBuilder, StringRecord};
use fourbook_solver::ValueKind;
use fourbook_solver::board::notation::{Notation, diagram};
use fourbook_solver::board::{Position, Score, Size, is_reachable};
use fourbook_solver::text::{number, shortened, with_causes};
use std::sync::Arc;

/// The number of rows that must fit another board before an error names that board.
const FITTING_ROWS: usize = 10_000;

/// The name of the second column.
pub(super) const fn column_of(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Scores => "score",
        ValueKind::WinDrawLoss => "outcome",
    }
}

/// The table in these bytes, of positions on the board that it names or, without a name, of
/// this size.
pub(super) fn open(bytes: &[u8], size: Size) -> Result<ForeignBook<'static>, ToolError> {
    let line = first_fields(bytes);
    let fields: Vec<&str> = line.iter().collect();
    let Some(columns) = Columns::named(&fields) else { return open_unnamed(bytes, &fields, size) };
    let size = columns.board_in(bytes).unwrap_or(size);
    read_as(bytes, columns, size, usize::MAX)
        .map_err(|error| with_board(error, bytes, columns, size))
}

/// Replaces the error of many wrong rows by one that names the boards that they fit.
fn with_board(error: ToolError, bytes: &[u8], columns: Columns, size: Size) -> ToolError {
    if !matches!(error, ToolError::Rows { wrong, .. } if wrong > SHOWN as u64) {
        return error;
    }
    let fits =
        |other: &Size| *other != size && read_as(bytes, columns, *other, FITTING_ROWS).is_ok();
    let fits: Vec<Size> = Size::all().filter(fits).collect();
    if fits.is_empty() { error } else { ToolError::RowsSize { size, fits } }
}

/// The columns that a table may have whose first line names none.
const UNNAMED: [[&str; 3]; 4] = [
    ["position", "score", "size"],
    ["score", "position", "size"],
    ["position", "outcome", "size"],
    ["outcome", "position", "size"],
];

/// The table in these bytes, whose first line has these fields, if it can be read in one way only. If
/// there is none, the wrong rows are those of the way that fits best, and the first line fits.
fn open_unnamed(
    bytes: &[u8],
    fields: &[&str],
    size: Size,
) -> Result<ForeignBook<'static>, ToolError> {
    let mut tables = Vec::new();
    let mut fewest = u64::MAX;
    let mut closest = None;
    for names in UNNAMED {
        let names = names.get(..fields.len()).unwrap_or_default();
        if let Some(columns) = Columns::named(names) {
            let columns = Columns { are_named: false, ..columns };
            let size = columns.board_in(bytes).unwrap_or(size);
            match read_as(bytes, columns, size, usize::MAX) {
                Ok(table) => tables.push(table),
                Err(ToolError::Rows { wrong, first }) if wrong < fewest && first[0].0 > 1 => {
                    fewest = wrong;
                    closest = Some((ToolError::Rows { wrong, first }, columns, size));
                }
                Err(_) => {}
            }
        }
    }
    match (tables.pop(), closest) {
        (Some(table), _) if tables.is_empty() => Ok(table),
        (None, Some((rows, columns, size))) => Err(with_board(rows, bytes, columns, size)),
        (other, _) => {
            let ways = if other.is_some() { ", which can be read in several ways" } else { "" };
            let expected = "the first line to name the columns, such as 'position,score' or \
                            'position,outcome'";
            let found = format!("'{}'{ways}", shortened(&fields.join(",")));
            Err(ToolError::unfit(expected, found, "add such a line, or choose another format"))
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    /// The smaller key of the position and its mirror image.
    key: u128,
    line: u32,
    value: Score,
}

/// The columns of a table: position, value, and perhaps size.
#[derive(Clone, Copy)]
struct Columns {
    /// Whether the first line has their names.
    are_named: bool,
    kind: ValueKind,
    position: usize,
    /// Whether positions are keys.
    are_keys: bool,
    value: usize,
    size: Option<usize>,
    number: usize,
    /// The board that the names of the columns mention.
    board: Option<Size>,
}

impl Columns {
    /// The columns with these names; `None` if one is missing, or there twice.
    fn named(names: &[&str]) -> Option<Self> {
        let is = |name: &str, wanted: &str| {
            name.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case(wanted))
        };
        let place = |wanted: &str| {
            let mut places = (0..names.len()).filter(|&place| is(names[place], wanted));
            places.next().filter(|_| places.next().is_none())
        };
        let of = |kind| Some((kind, place(column_of(kind))?));
        let (kind, value) = of(ValueKind::Scores).or_else(|| of(ValueKind::WinDrawLoss))?;
        let text = place("position").or_else(|| place("moves"));
        let position = text.or_else(|| place("key")).or_else(|| place("hash"))?;
        let mut words = names.iter().flat_map(|name| name.split_whitespace());
        let board = words.find_map(|word| word.parse().ok());
        let are_keys = text.is_none();
        let size = place("size");
        let number = names.len();
        Some(Columns { are_named: true, kind, position, are_keys, value, size, number, board })
    }

    /// The board that the first row or the names of the columns mention.
    fn board_in(&self, bytes: &[u8]) -> Option<Size> {
        let row = reader(bytes, self.are_named).byte_records().next()?.ok()?;
        let named = self.size.and_then(|field| str::from_utf8(row.get(field)?).ok());
        named.and_then(|name| name.trim().parse().ok()).or(self.board)
    }
}

/// Whether a table can begin with this line, which names its columns.
pub(super) fn is_header(line: &[u8]) -> bool {
    Columns::named(&first_fields(line).iter().collect::<Vec<_>>()).is_some()
}

/// Whether a table can begin with this line, which names no columns.
pub(super) fn is_row(line: &[u8]) -> bool {
    let fields = first_fields(line);
    matches!(fields.len(), 2 | 3) && fields.iter().any(|field| field.parse::<f64>().is_ok())
}

/// The fields of the first line of a table; none if it is no text.
fn first_fields(bytes: &[u8]) -> StringRecord {
    let mut fields = reader(bytes, false).into_records().next().and_then(Result::ok);
    fields.iter_mut().for_each(StringRecord::trim);
    fields.unwrap_or_default()
}

/// A reader of the rows of a table, before which there may be a line of names.
fn reader(bytes: &[u8], are_named: bool) -> csv::Reader<&[u8]> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first_line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let delimiter = [b'\t', b';', b','].into_iter().find(|byte| first_line.contains(byte));
    let mut builder = ReaderBuilder::new();
    builder.has_headers(are_named).flexible(true).delimiter(delimiter.unwrap_or(b' '));
    builder.from_reader(bytes)
}

/// The cells and the outcome in a line of the data set connect-4 of UCI, without quotes and the
/// number of the row.
fn uci_row(line: &[u8]) -> Option<String> {
    let around = [' ', '\r', '"', '\'', '\u{feff}'];
    let fields = str::from_utf8(line).ok()?.split(',').map(|field| field.trim_matches(around));
    let mut fields: Vec<&str> = fields.collect();
    if fields.len() == 44 && fields[0].parse::<u32>().is_ok() {
        fields.remove(0);
    }
    let (class, cells) = fields.split_last()?;
    let is_row = cells.len() == Size::STANDARD.cells() as usize
        && cells.iter().all(|cell| matches!(*cell, "b" | "x" | "o"))
        && matches!(*class, "win" | "draw" | "loss");
    is_row.then(|| fields.join(","))
}

/// The lines of the data set connect-4 of UCI and their numbers, from the first row on: names of
/// columns and the declarations of an ARFF file may stand before it.
fn uci_lines(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    lines.skip_while(|(_, line)| uci_row(line).is_none())
}

/// Whether these bytes are the data set connect-4 of UCI.
pub(super) fn is_uci(bytes: &[u8]) -> bool {
    uci_lines(bytes).next().is_some()
}

/// The data set connect-4 of UCI in these bytes.
pub(super) fn open_uci(bytes: &[u8]) -> Result<ForeignBook<'static>, ToolError> {
    let size = Size::STANDARD;
    let kind = ValueKind::WinDrawLoss;
    let read = |line: &[u8]| {
        let text = uci_row(line).ok_or_else(|| {
            let found = shortened(&String::from_utf8_lossy(line));
            format!("expected 42 cells and the outcome, found '{found}'")
        })?;
        let position = Position::parse(size, &text).map_err(|error| with_causes(&error))?;
        let value = match text.rsplit_once(',') {
            Some((_, "win")) => 1,
            Some((_, "loss")) => -1,
            _ => 0,
        };
        let to_move = if position.ply().is_multiple_of(2) { value } else { -value };
        Ok(position.score_by_rules().is_none().then_some((position, to_move)))
    };
    let lines = uci_lines(bytes).filter(|(_, line)| !line.trim_ascii().is_empty());
    table(Format::Uci, size, kind, lines.map(|(number, line)| (number, read(line))))
}

/// Reads a table of positions on boards of a size, or its first rows.
fn read_as(
    bytes: &[u8],
    columns: Columns,
    size: Size,
    most: usize,
) -> Result<ForeignBook<'static>, ToolError> {
    let rows = reader(bytes, columns.are_named).into_byte_records().take(most).map(|record| {
        let mut record = record.expect("memory can be read");
        let line = record.position().map_or(0, csv::Position::line);
        // A diagram may have several lines. Elsewhere, a quote that is never closed would hide all
        // rows after it.
        let mut others = record.iter().enumerate().filter(|(field, _)| *field != columns.position);
        if others.any(|(_, text)| text.contains(&b'\n') || text.contains(&b'\r')) {
            let problem = "expected a row on one line, found a quoted field over several lines";
            return (line, Err(problem.to_owned()));
        }
        record.trim();
        (line, read_row(size, &record, columns))
    });
    table(Format::Csv, size, columns.kind, rows)
}

/// The position and the value of a row; `None` if the rules score the position.
type Entry = Result<Option<(Position, Score)>, String>;

/// The book of these rows, each with the number of its line.
fn table(
    format: Format,
    size: Size,
    kind: ValueKind,
    entries: impl Iterator<Item = (u64, Entry)>,
) -> Result<ForeignBook<'static>, ToolError> {
    let mut rows = Vec::new();
    let mut plies = 0;
    let mut faults = Findings::default();
    for (line, entry) in entries {
        match entry {
            Ok(Some((position, value))) => {
                plies |= 1 << position.ply();
                let line = u32::try_from(line).unwrap_or(u32::MAX);
                rows.push(Row { key: position.canonical_key(), line, value });
            }
            Ok(None) => {}
            Err(problem) => faults.note(line, || problem),
        }
    }
    rows.sort_unstable();
    // Of several rows for one position, the first stays.
    rows.dedup_by(|row, kept| {
        if row.key == kept.key && row.value != kept.value {
            let other = kept.line;
            let expected = kept.value;
            let found = row.value;
            faults.note(row.line.into(), || {
                format!(
                    "expected {expected} as in line {other} for the same position, found {found}"
                )
            });
        }
        row.key == kept.key
    });
    if faults.wrong > 0 {
        let wrong = faults.wrong;
        let first = faults.first.into_iter().collect();
        return Err(ToolError::Rows { wrong, first });
    }
    if rows.is_empty() {
        let expected = "positions that the rules do not score";
        return Err(ToolError::unfit(expected, "none", "is it the file you mean?"));
    }
    let entries = rows.len() as u64;
    Ok(ForeignBook { format, size, kind, entries, plies, values: Arc::new(Table(rows)) })
}

/// The rows of a table, in the order of their keys.
#[derive(Debug)]
struct Table(Vec<Row>);

impl Values for Table {
    fn find(&self, position: Position) -> ForeignValue {
        let found = self.0.binary_search_by_key(&position.canonical_key(), |row| row.key);
        found.map_or(ForeignValue::Nothing, |index| ForeignValue::Value(self.0[index].value, 1))
    }
}

fn read_row(size: Size, record: &ByteRecord, columns: Columns) -> Entry {
    let kind = columns.kind;
    let expected = columns.number;
    let found = record.len();
    if found != expected {
        return Err(format!("expected {expected} fields, found {found}"));
    }
    let [text, value] =
        [columns.position, columns.value].map(|field| String::from_utf8_lossy(&record[field]));
    let named = columns.size.map(|field| String::from_utf8_lossy(&record[field]));
    if let Some(named) = named
        && named.parse() != Ok(size)
    {
        let found = shortened(&named);
        return Err(format!("expected the size {size}, found '{found}'"));
    }
    if text.is_empty() {
        let empty = diagram::print(Position::empty(size));
        return Err(format!(
            "expected a position, found an empty field; the empty board is {empty}"
        ));
    }
    let position = if columns.are_keys {
        Notation::Key.parse(size, &text)
    } else {
        Position::parse(size, &text)
    };
    let position = position.map_err(|error| with_causes(&error))?;
    let are_moves = !columns.are_keys && Notation::recognise(&text) == Some(Notation::Moves);
    if !are_moves && !is_reachable(position) {
        let found = shortened(&text);
        return Err(format!("expected a position that a game can reach, found '{found}'"));
    }
    let highest = kind.highest_value(size);
    let (possible, by_rules) = match position.score_by_rules() {
        Some(score) => (-highest..=highest, Some(kind.of(score))),
        None => (kind.possible_values(size, position.ply()), None),
    };
    // Programs that know missing values write whole numbers as -2.0.
    let whole = number(&value).filter(|number: &f64| number.fract() == 0.0);
    let value = match whole.map(|whole| whole as Score) {
        Some(value) if possible.contains(&value) => value,
        _ => {
            let (least, most) = possible.into_inner();
            let found = shortened(&value);
            return Err(format!("expected a value from {least} to {most}, found '{found}'"));
        }
    };
    match by_rules {
        Some(expected) if expected != value => {
            Err(format!("expected the value {expected}, as the rules have it, found {value}"))
        }
        Some(_) => Ok(None),
        None => Ok(Some((position, value))),
    }
}

/// The lines of positions with their values, and how many there are.
pub(super) fn lines(
    rows: impl Iterator<Item = (Position, Score)>,
    notation: Notation,
) -> (u64, Vec<u8>) {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut number = 0;
    for (position, value) in rows {
        let value = value.to_string();
        let size = position.size().to_string();
        let text = match notation {
            Notation::Moves => name(position),
            _ => notation.print(position).expect("these print every position"),
        };
        let written = writer.write_record([text, value, size]);
        written.expect("memory takes everything");
        number += 1;
    }
    (number, writer.into_inner().expect("memory takes everything"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str, size: &str) -> String {
        open(text.as_bytes(), size.parse().unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn deep_plies_and_keys_of_128_bits_are_kept() {
        let size: Size = "8x15".parse().unwrap();
        assert_eq!(size.bits(), u128::BITS);
        let mut position = Position::empty(size);
        while position.ply() < 70 {
            position = position.children().flatten().find(|&child| !child.is_over()).unwrap();
        }
        let text = format!("position,outcome\n{},0\n", Notation::Key.print(position).unwrap());
        let table = open(text.as_bytes(), size).unwrap();
        assert_eq!((table.plies, table.entries), (1 << position.ply(), 1));
        for image in [position, position.mirrored()] {
            assert_eq!(table.values.find(image), ForeignValue::Value(0, 1));
        }
    }

    #[test]
    fn a_wrong_row_is_told_with_the_reason() {
        let text = errors("position,score\nkey:5,1\n5,x\n", "7x6");
        for part in ["line 2", "no bit that marks the top", "line 3", "found 'x'"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(errors("4,1\n", "7x6").contains("found '4,1'"));
    }

    #[test]
    fn a_table_names_its_board() {
        let size = |text: &str| Some(open(text.as_bytes(), Size::STANDARD).ok()?.size.to_string());
        assert_eq!(size("position,score,size\n11,0,5x4\n").as_deref(), Some("5x4"));
        let text = errors("position,score,size\n11,0,5x4\n12,0,7x6\n13,0,x\n12,0\n", "7x6");
        for part in [
            "line 3: expected the size 5x4, found '7x6'",
            "line 4: expected the size 5x4, found 'x'",
            "line 5: expected 3 fields, found 2",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    /// The way in which the first line can be read is the one meant.
    #[test]
    fn a_wrong_row_is_told_also_without_names() {
        let text = errors("44,1\n4,x\n4453,-2\n", "7x6");
        assert!(text.contains("line 2: ") && text.contains("found 'x'"), "{text}");
        assert!(!text.contains("line 1: ") && !text.contains("line 3: "), "{text}");
        let text = errors("1,44\n-2,4453\n0,449\n", "7x6");
        assert!(text.contains("line 3: ") && !text.contains("line 1: "), "{text}");
        assert!(errors("44,x\n4453,-2\n", "7x6").contains("name the columns"));
    }

    /// Ten rows of another size are not ten wrong rows.
    #[test]
    fn a_wrong_size_is_told_from_wrong_rows() {
        let rows: String =
            (1..=8).flat_map(|a| (8..=9).map(move |b| format!("{a}{b},0\n"))).collect();
        let text = errors(&format!("position,score\n{rows}"), "7x6");
        assert!(
            text.contains("expected positions of 7x6 boards, found those of others, such as 9x4"),
            "{text}"
        );
        let text = errors(&format!("position,score\n{rows}4,x\n"), "7x6");
        assert!(text.contains("line 2: "), "{text}");
    }
}
