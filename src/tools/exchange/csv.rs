//! Positions and values as text: comma-separated values.
//!
//! The first line is `position,score` or, for win, draw and loss as 1, 0 and -1,
//! `position,outcome`. Each line after it has a position, in any
//! [notation](fourbook_solver::board::notation), and its value for the side to move. Fields may stand in
//! double quotes, and have to if there is a comma in them. Lines may come in any order. A third
//! column, `size`, names the board in every line, such as `7x6`; without it, the caller names the
//! board. The columns may come in any order, among others, with semicolons or tabs between them.
//! Instead of `position`, a column may be named `moves`; or `key` or `hash`, for [keys](Position::key)
//! without `key:`. Only the first word of a name counts; a size after it, as in the
//! `book-8x7.csv` of c4, names the board.
//!
//! The data set connect-4 of UCI has no first line. Each line has the 42 cells of a position with 8
//! stones, column by column from the bottom, as `x`, `o` and `b`, and its outcome for the first
//! player: `win`, `draw` or `loss`. Positions with a forced move are left out.
//!
//! Writing gives the positions of all plies to the depth that the rules do not score, a position
//! and its mirror image once. Reading also accepts repeated positions (or their mirror images) with
//! the same value, and positions that the rules score, with the right value.

use super::foreign::{ForeignBook, Format};
use super::keyed::Keyed;
use crate::book::Value;
use crate::findings::{Findings, SHOWN};
use crate::tools::error::ToolError;
use csv::{ByteRecord, ReaderBuilder};
use fourbook_solver::ValueKind;
use fourbook_solver::board::notation::{Notation, diagram};
use fourbook_solver::board::{Position, Score, Size, is_reachable};
use fourbook_solver::text::{shortened, with_causes};

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
    let (mut reader, columns) = begin(bytes)?;
    let mut rows = reader.byte_records().take(usize::from(columns.size.is_some()));
    let first = rows.next().transpose().map_err(ToolError::Csv)?;
    let named = first.and_then(|row| {
        let text = String::from_utf8_lossy(row.get(columns.size?)?);
        Some(text.parse().map_err(|_| {
            let problem = format!("expected a board such as 7x6, found '{}'", shortened(&text));
            ToolError::Rows {
                wrong: 1,
                first: vec![(row.position().map_or(0, csv::Position::line), problem)],
            }
        }))
    });
    let named = named.transpose()?;
    let size = named.or(columns.board).unwrap_or(size);
    let read = read_as(bytes, size, usize::MAX);
    if !matches!(read, Err(ToolError::Rows { wrong, .. }) if wrong > SHOWN as u64) {
        return read;
    }
    let fits = |other: &Size| *other != size && read_as(bytes, *other, FITTING_ROWS).is_ok();
    let fits: Vec<Size> = Size::all().filter(fits).collect();
    if fits.is_empty() { read } else { Err(ToolError::RowsSize { size, fits }) }
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
    fn new(names: &[&str]) -> Option<Self> {
        let is = |name: &str, wanted: &str| {
            name.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case(wanted))
        };
        let place = |wanted: &str| names.iter().position(|name| is(name, wanted));
        let of = |kind| Some((kind, place(column_of(kind))?));
        let (kind, value) = of(ValueKind::Scores).or_else(|| of(ValueKind::WinDrawLoss))?;
        let text = place("position").or_else(|| place("moves"));
        let position = text.or_else(|| place("key")).or_else(|| place("hash"))?;
        let board = names.iter().flat_map(|name| name.split_whitespace());
        let board = board.filter_map(|word| word.parse().ok()).next();
        let (are_keys, size, number) = (text.is_none(), place("size"), names.len());
        Some(Columns { kind, position, are_keys, value, size, number, board })
    }
}

/// The character between the fields of a table, by its first line.
fn delimiter_of(line: &[u8]) -> u8 {
    [b'\t', b';'].into_iter().find(|delimiter| line.contains(delimiter)).unwrap_or(b',')
}

/// Whether a table can begin with this line.
pub(super) fn is_header(line: &[u8]) -> bool {
    begin(line).is_ok()
}

/// Begins to read a table.
fn begin(bytes: &[u8]) -> Result<(csv::Reader<&[u8]>, Columns), ToolError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first_line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut reader = reader(bytes, delimiter_of(first_line));
    let mut names = ByteRecord::new();
    reader.read_byte_record(&mut names).map_err(ToolError::Csv)?;
    names.trim();
    let fields: Vec<_> = names.iter().map(String::from_utf8_lossy).collect();
    let fields: Vec<&str> = fields.iter().map(|field| &**field).collect();
    let columns = Columns::new(&fields).ok_or_else(|| {
        let found = format!("'{}'", shortened(&fields.join(",")));
        let expected = "the first line to name the columns, such as 'position,score' or \
                        'position,outcome'";
        ToolError::file(expected, found, "add such a line, or choose another format")
    })?;
    Ok((reader, columns))
}

fn reader(bytes: &[u8], delimiter: u8) -> csv::Reader<&[u8]> {
    let mut builder = ReaderBuilder::new();
    builder.has_headers(false).flexible(true).delimiter(delimiter);
    builder.from_reader(bytes)
}

/// Whether this is a line of the data set connect-4 of UCI.
pub(super) fn is_uci(line: &[u8]) -> bool {
    let fields: Vec<&[u8]> = line.trim_ascii().split(|&byte| byte == b',').collect();
    fields.split_last().is_some_and(|(class, cells)| {
        cells.len() == Size::STANDARD.cells() as usize
            && cells.iter().all(|cell| matches!(cell, [b'b' | b'x' | b'o']))
            && matches!(*class, b"win" | b"draw" | b"loss")
    })
}

/// The data set connect-4 of UCI in these bytes.
pub(super) fn open_uci(bytes: &[u8]) -> Result<ForeignBook<'static>, ToolError> {
    let (size, kind) = (Size::STANDARD, ValueKind::WinDrawLoss);
    let read = |line: &[u8]| {
        let form = || {
            format!(
                "expected 42 cells and the outcome, found '{}'",
                shortened(&String::from_utf8_lossy(line))
            )
        };
        let text = str::from_utf8(line).ok().filter(|_| is_uci(line)).ok_or_else(form)?;
        let position = Position::parse(size, text).map_err(|error| with_causes(&error))?;
        let value = match text.rsplit_once(',') {
            Some((_, "win")) => 1,
            Some((_, "loss")) => -1,
            _ => 0,
        };
        let to_move = if position.ply().is_multiple_of(2) { value } else { -value };
        Ok(position.score_by_rules().is_none().then_some((position, to_move)))
    };
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    table(
        Format::Uci,
        size,
        kind,
        lines.map(|(number, line)| Ok((number, read(line.trim_ascii())))),
    )
}

/// Reads a table of positions on boards of a size, or its first rows.
fn read_as(bytes: &[u8], size: Size, most: usize) -> Result<ForeignBook<'static>, ToolError> {
    let (mut reader, columns) = begin(bytes)?;
    let rows = reader.byte_records().take(most).map(|record| {
        let mut record = record.map_err(ToolError::Csv)?;
        let line = record.position().map_or(0, csv::Position::line);
        // A diagram may have several lines. Elsewhere, a quote that is never closed would hide all
        // rows after it.
        let mut others = record.iter().enumerate().filter(|(field, _)| *field != columns.position);
        if others.any(|(_, text)| text.contains(&b'\n') || text.contains(&b'\r')) {
            let problem = "expected a row on one line, found a quoted field over several lines";
            return Ok((line, Err(problem.to_owned())));
        }
        record.trim();
        Ok((line, read_row(size, &record, columns)))
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
    entries: impl Iterator<Item = Result<(u64, Entry), ToolError>>,
) -> Result<ForeignBook<'static>, ToolError> {
    let (mut rows, mut plies, mut faults) = (Vec::new(), 0, Findings::default());
    for entry in entries {
        let (line, entry) = entry?;
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
            let (other, expected, found) = (kept.line, kept.value, row.value);
            faults.note(row.line.into(), || {
                format!(
                    "expected {expected} as in line {other} for the same position, found {found}"
                )
            });
        }
        row.key == kept.key
    });
    if faults.wrong > 0 {
        let (wrong, first) = (faults.wrong, faults.first.into_iter().collect());
        return Err(ToolError::Rows { wrong, first });
    }
    if rows.is_empty() {
        let expected = "positions that the rules do not score";
        return Err(ToolError::file(expected, "none", "is it the file you mean?"));
    }
    let entries = rows.into_iter().map(|row| (row.key, row.value)).collect();
    Ok(Keyed { key_of: Position::canonical_key, entries }.book(format, size, plies, kind))
}

fn read_row(size: Size, record: &ByteRecord, columns: Columns) -> Entry {
    let (kind, expected, found) = (columns.kind, columns.number, record.len());
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
        return Err(format!("expected the size {size} as in the first row, found '{found}'"));
    }
    let position = match columns.are_keys {
        true => Notation::Key.parse(size, &text),
        // On wide boards, letters are the columns of fourbook's own moves.
        false => Notation::Moves.parse(size, &text).or_else(|_| Position::parse(size, &text)),
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
    let value = match value.parse::<Score>() {
        Ok(value) if possible.contains(&value) => value,
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
    rows: impl Iterator<Item = (Position, Value)>,
    notation: Notation,
) -> Result<(u64, Vec<u8>), ToolError> {
    let (mut writer, mut number) = (csv::Writer::from_writer(Vec::new()), 0);
    for (position, value) in rows {
        let text = notation.print(position).map_err(|_| {
            let advice = "choose a notation other than moves";
            ToolError::unfit("a position that a game leads to", diagram::print(position), advice)
        })?;
        let (value, size) = (value.number().to_string(), position.size().to_string());
        writer.write_record([text, value, size]).map_err(ToolError::Csv)?;
        number += 1;
    }
    Ok((number, writer.into_inner().expect("memory takes everything")))
}

#[cfg(test)]
mod tests {
    use super::super::foreign::ForeignValue;
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
            let goes_on = |&child: &Position| !child.is_over();
            position = position.children().flatten().find(goes_on).unwrap();
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
            "line 3: expected the size 5x4 as in the first row, found '7x6'",
            "line 4: expected the size 5x4 as in the first row, found 'x'",
            "line 5: expected 3 fields, found 2",
        ] {
            assert!(text.contains(part), "{text}");
        }
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
