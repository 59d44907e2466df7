//! Positions and values as text: comma-separated values.
//!
//! The first line is `position,score` or, for win, draw and loss as 1, 0 and -1,
//! `position,outcome`. Each line after it has a position, in any
//! [notation](crate::board::notation), and its value for the side to move. Fields
//! may stand in double quotes, and have to if there is a comma in them. Lines may
//! come in any order.
//!
//! Written are the positions of all plies to the depth that the rules do not
//! score, each with its mirror image once. Read is more: a position may come
//! again, or as its mirror image, with the same value; and positions that the rules
//! score may be there, with the right value.

use super::Found;
use crate::board::notation::{Notation, NotationError, parse_position, shortened};
use crate::board::{OnSize, Position, Score, Size, is_reachable};
use crate::scores::ValueKind;
use csv::{ByteRecord, ReaderBuilder};
use std::fmt;
use std::io::{self, Write};

/// How many rows with a fault an error names.
pub const SHOWN_ROWS: usize = 10;

/// The name of the second column.
const fn column_of(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Scores => "score",
        ValueKind::Outcomes => "outcome",
    }
}

/// Text that is no table of positions and values.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CsvError {
    /// The first line does not say what the columns are.
    #[error(
        "expected the first line to be 'position,score' or 'position,outcome', found '{found}'; \
         add such a line, or choose another --format"
    )]
    Header {
        /// What is there, cut short if it is long.
        found: String,
    },
    /// There are no positions.
    #[error(
        "expected positions that the rules do not score, found none; \
         is it the file you mean?"
    )]
    NoRows,
    /// Rows are wrong.
    #[error("expected a position and its value in every line, found others:{}", list(first, *more))]
    Rows {
        /// The first of them.
        first: Vec<RowError>,
        /// How many more there are.
        more: u64,
    },
    /// The bytes could not be read as a table.
    #[error("cannot read comma-separated values")]
    Read(#[source] csv::Error),
}

/// A row that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct RowError {
    /// Its line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub problem: RowProblem,
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowProblem {
    /// It has not two fields.
    #[error("expected two fields, a position and its value, found {found}")]
    Fields {
        /// How many it has.
        found: usize,
    },
    /// Its first field is no position.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// No game leads to its position.
    #[error("expected a position that a game can reach, found '{found}'")]
    Unreachable {
        /// The position.
        found: String,
    },
    /// Its second field is no value that the position can have.
    #[error("expected a value from {least} to {most}, found '{found}'")]
    Value {
        /// The lowest value that a position of this ply can have.
        least: Score,
        /// The highest.
        most: Score,
        /// What is there, cut short if it is long.
        found: String,
    },
    /// The rules say that the value is another one.
    #[error("expected the value {expected}, as the rules have it, found {found}")]
    Rules {
        /// The value by the rules.
        expected: Score,
        /// The value that is there.
        found: Score,
    },
    /// Another row has another value for the same position.
    #[error("expected {expected} as in line {other} for the same position, found {found}")]
    Conflict {
        /// The line of the other row, from 1.
        other: u64,
        /// The other row's value.
        expected: Score,
        /// This row's value.
        found: Score,
    },
}

fn list(first: &[RowError], more: u64) -> String {
    let lines = first.iter().map(|row| format!("\n  {row}")).collect::<String>();
    if more == 0 { lines } else { format!("{lines}\n  and {more} more") }
}

/// A table of positions and values.
#[derive(Clone)]
pub struct CsvBook {
    size: Size,
    kind: ValueKind,
    /// One for each position that the rules do not score, in the order of the keys.
    rows: Vec<Row>,
    /// Bit `n` is 1 if there is a position with `n` stones.
    plies: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    /// That of the position or its mirror image, whichever is less.
    key: u64,
    line: u32,
    value: Score,
}

impl fmt::Debug for CsvBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CsvBook { size, kind, rows, .. } = self;
        write!(f, "CsvBook {{ size: {size}, kind: {kind:?}, rows: {} }}", rows.len())
    }
}

impl CsvBook {
    /// The table in these bytes, of positions on a board of this size.
    ///
    /// # Errors
    ///
    /// If a line is wrong: all of them are read first, and the first of the wrong
    /// ones named.
    pub fn open(bytes: &[u8], size: Size) -> Result<Self, CsvError> {
        size.dispatch(Read(bytes))
    }

    /// The board it is for.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The most stones of a position in it.
    #[must_use]
    pub fn depth(&self) -> u32 {
        63 - self.plies.leading_zeros()
    }

    /// What its values are.
    #[must_use]
    pub fn kind(&self) -> ValueKind {
        self.kind
    }

    /// Whether there are positions with so many stones.
    #[must_use]
    pub fn has_ply(&self, ply: u32) -> bool {
        ply < 64 && self.plies >> ply & 1 == 1
    }

    /// How many positions it has that the rules do not score.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.rows.len() as u64
    }

    pub(super) fn find<const W: usize, const H: usize>(&self, position: Position<W, H>) -> Found {
        let key = position.canonical_key();
        let found = self.rows.binary_search_by_key(&key, |row| row.key);
        found.map_or(Found::Nothing, |index| Found::Value(self.rows[index].value, 1))
    }
}

/// Reads a table.
struct Read<'a>(&'a [u8]);

impl OnSize for Read<'_> {
    type Output = Result<CsvBook, CsvError>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(self.0);
        let mut record = ByteRecord::new();
        reader.read_byte_record(&mut record).map_err(CsvError::Read)?;
        let kind = kind_of(&record)?;
        let (mut rows, mut plies, mut faults) = (Vec::new(), 0, Faults::default());
        while reader.read_byte_record(&mut record).map_err(CsvError::Read)? {
            let line = record.position().map_or(0, csv::Position::line);
            match read_row::<W, H>(&record, kind) {
                Ok((position, value)) if position.score_by_rules().is_none() => {
                    plies |= 1 << position.ply();
                    let line = u32::try_from(line).unwrap_or(u32::MAX);
                    rows.push(Row { key: position.canonical_key(), line, value });
                }
                Ok(_) => {}
                Err(problem) => faults.add(RowError { line, problem }),
            }
        }
        rows.sort_unstable();
        // Of rows for one position the first one stays.
        rows.dedup_by(|row, kept| {
            if row.key == kept.key && row.value != kept.value {
                let (other, expected, found) = (kept.line.into(), kept.value, row.value);
                let problem = RowProblem::Conflict { other, expected, found };
                faults.add(RowError { line: row.line.into(), problem });
            }
            row.key == kept.key
        });
        faults.none()?;
        if rows.is_empty() {
            return Err(CsvError::NoRows);
        }
        Ok(CsvBook { size: Size::of::<W, H>(), kind, rows, plies })
    }
}

/// What the columns' names say.
fn kind_of(names: &ByteRecord) -> Result<ValueKind, CsvError> {
    let named = |kind: &ValueKind| *names == ["position", column_of(*kind)][..];
    let kinds = [ValueKind::Scores, ValueKind::Outcomes];
    kinds.into_iter().find(named).ok_or_else(|| {
        let fields: Vec<_> = names.iter().map(String::from_utf8_lossy).collect();
        CsvError::Header { found: shortened(&fields.join(",")) }
    })
}

fn read_row<const W: usize, const H: usize>(
    record: &ByteRecord,
    kind: ValueKind,
) -> Result<(Position<W, H>, Score), RowProblem> {
    let [position, value] = [0, 1].map(|field| record.get(field));
    let (Some(text), Some(value), 2) = (position, value, record.len()) else {
        return Err(RowProblem::Fields { found: record.len() });
    };
    let (text, value) = (String::from_utf8_lossy(text), String::from_utf8_lossy(value));
    let position = parse_position::<W, H>(&text)?;
    if Notation::recognise(&text) != Some(Notation::Moves) && !is_reachable(position) {
        return Err(RowProblem::Unreachable { found: shortened(&text) });
    }
    let highest = kind.highest_value(Size::of::<W, H>());
    let (possible, by_rules) = match position.score_by_rules() {
        Some(score) => (-highest..=highest, Some(kind.of(score))),
        None => (kind.possible_values(Size::of::<W, H>(), position.ply()), None),
    };
    let value = match value.parse::<Score>() {
        Ok(value) if possible.contains(&value) => value,
        _ => {
            let (least, most) = possible.into_inner();
            return Err(RowProblem::Value { least, most, found: shortened(&value) });
        }
    };
    match by_rules {
        Some(expected) if expected != value => Err(RowProblem::Rules { expected, found: value }),
        _ => Ok((position, value)),
    }
}

/// The rows that are wrong.
#[derive(Default)]
struct Faults {
    first: Vec<RowError>,
    more: u64,
}

impl Faults {
    fn add(&mut self, row: RowError) {
        if self.first.len() < SHOWN_ROWS {
            self.first.push(row);
        } else {
            self.more += 1;
        }
    }

    fn none(self) -> Result<(), CsvError> {
        let Faults { first, more } = self;
        if first.is_empty() { Ok(()) } else { Err(CsvError::Rows { first, more }) }
    }
}

/// Writes a table.
pub(super) struct Lines<'a> {
    writer: csv::Writer<&'a mut dyn Write>,
    notation: Notation,
}

impl<'a> Lines<'a> {
    /// Begins a table of values of this kind.
    pub(super) fn new(
        out: &'a mut dyn Write,
        notation: Notation,
        kind: ValueKind,
    ) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(["position", column_of(kind)]).map_err(io_error)?;
        Ok(Lines { writer, notation })
    }

    pub(super) fn add<const W: usize, const H: usize>(
        &mut self,
        position: Position<W, H>,
        value: Score,
    ) -> io::Result<()> {
        let position = self.notation.print(position).expect("a game reaches what is enumerated");
        self.writer.write_record([position, value.to_string()]).map_err(io_error)
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// What the writer below says, without what is around it.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
