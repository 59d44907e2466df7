//! A book in another program's format.

use super::bitbully::Entries;
use super::csv;
use super::foreign::{Exported, Format};
use super::pons::{self, PonsTable};
use crate::book::{Book, BookError};
use crate::parallel::{BLOCK, for_each_block_in_order};
use crate::progress::{Progress, Step};
use crate::tools::error::ToolError;
use crate::tools::plies::PlyValues;
use crate::tools::reader::BookReader;
use crate::tools::resources::Resources;
use fourbook_solver::ValueKind;
use fourbook_solver::board::notation::Notation;
use fourbook_solver::board::{Position, Score, Size};
use std::io::Write;

/// The options of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The format.
    pub format: Format,
    /// How positions are written, as [text](super::csv).
    pub notation: Notation,
    /// The logarithm of the size of a [hash table](super::pons); `None` for the smallest size that
    /// loses no entry; if that is too large, for one that loses few.
    pub log2_size: Option<u32>,
}

impl ExportOptions {
    /// A format, with the usual options.
    pub const fn new(format: Format) -> Self {
        ExportOptions { format, notation: Notation::Moves, log2_size: None }
    }
}

/// Writes a book in another format: a position and its mirror image once, without positions
/// that the rules score. Positions are enumerated on the threads of the
/// current rayon pool.
///
/// # Errors
///
/// If the format cannot hold this book, the book is damaged, writing fails, or the work is cancelled.
pub fn export<'a>(
    book: &'a Book,
    options: &ExportOptions,
    out: &mut dyn Write,
    resources: impl Into<Resources<'a>>,
) -> Result<Exported, ToolError> {
    let resources = resources.into();
    check(book, options)?;
    book.check_sections()?;
    let depth = book.depth();
    let progress = resources.progress;
    let mut plies = BookReader::new(book, depth, resources)?;
    match options.format {
        Format::Csv => write_csv(book, plies, options.notation, progress, out),
        Format::Pons => {
            let mut table = PonsTable::new(book.size(), depth);
            // Deep plies first, since a later entry replaces an earlier one, and the solver takes
            // longer for shallow positions.
            for ply in (0..=depth).rev() {
                visit(&plies.read(ply)?, progress, &mut |position, score| {
                    table.add(position, score)
                })?;
            }
            let log2 = options.log2_size.unwrap_or_else(|| table.choose_log2());
            Ok(table.write(log2, out)?)
        }
        Format::Bitbully(variant) => {
            let mut entries = Entries::new(variant);
            visit(&plies.read(variant.ply())?, progress, &mut |position, value| {
                entries.add(position, value)
            })?;
            Ok(Exported::all(entries.write(out)?))
        }
        _ => unreachable!("checked"),
    }
}

fn check(book: &Book, options: &ExportOptions) -> Result<(), ToolError> {
    let format = options.format;
    let size = book.size();
    let depth = book.depth();
    let (least, most, kind) = match format {
        Format::Csv => return Ok(()),
        Format::Pons => (0, pons::deepest(size), ValueKind::Scores),
        Format::Bitbully(variant) => (variant.ply(), size.cells(), variant.kind()),
        _ => {
            let advice = "choose csv, pons or one of BitBully's";
            return Err(ToolError::unfit("a format that fourbook writes", format, advice));
        }
    };
    let unfit = |expected: String, found: String, advice| {
        Err(ToolError::unfit(format_args!("{expected} for {format}"), found, advice))
    };
    if matches!(format, Format::Bitbully(_)) && size != Size::STANDARD {
        let expected = format!("a book for {} boards", Size::STANDARD);
        return unfit(expected, format!("one for {size} boards"), "choose another format");
    }
    if !(least..=most).contains(&depth) {
        let advice = "choose another book, or pack this one to such a depth";
        let expected = format!("a book of depth {least} to {most}");
        return unfit(expected, format!("one of depth {depth}"), advice);
    }
    if kind == ValueKind::Scores && book.kind() == ValueKind::WinDrawLoss {
        let expected = "a book of exact scores";
        let found = "one of win, draw or loss";
        return unfit(expected.to_owned(), found.to_owned(), "choose another book or format");
    }
    match options.log2_size {
        Some(found) if !(2..=*pons::LOG2_SIZES.end()).contains(&found) => {
            let (least, most) = pons::LOG2_SIZES.into_inner();
            let expected = format!("2^{least} to 2^{most} as the size of a table");
            unfit(expected, format!("2^{found}"), "choose such a size")
        }
        _ => Ok(()),
    }
}

/// Calls `visit` with the positions of a ply.
fn visit(
    read: &PlyValues<'_>,
    progress: &dyn Progress,
    visit: &mut dyn FnMut(Position, Score),
) -> Result<(), BookError> {
    progress.begin(Step::Write(read.positions.ranking.ply), 0, read.slots());
    for start in (0..read.slots()).step_by(BLOCK as usize) {
        progress.check()?;
        let end = read.slots().min(start + BLOCK);
        for (position, value) in read.values_in(start..end) {
            visit(position, value);
        }
        progress.advance(end - start);
    }
    Ok(())
}

fn write_csv(
    book: &Book,
    mut plies: BookReader<'_>,
    notation: Notation,
    progress: &dyn Progress,
    out: &mut dyn Write,
) -> Result<Exported, ToolError> {
    writeln!(out, "position,{},size", csv::column_of(book.kind()))?;
    let mut written = 0;
    for ply in 0..=book.depth() {
        // Ply by ply, so that the first lines are there at once.
        let read = plies.read(ply)?;
        let step = (Step::Write(ply), progress);
        let lines = |block| csv::lines(read.values_in(block), notation);
        for_each_block_in_order(step, read.slots(), &lines, &mut |(positions, text)| {
            written += positions;
            Ok::<_, ToolError>(out.write_all(&text)?)
        })?;
    }
    out.flush()?;
    Ok(Exported::all(written))
}
