//! A book in another program's format.

use super::bitbully::{Entries, Variant};
use super::csv::Lines;
use super::pons::{self, Table};
use super::{Format, Step};
use crate::board::notation::Notation;
use crate::board::{OnSize, Position, Score, Size};
use crate::book::error::{ChecksumError, MissingValue};
use crate::book::walk::{explore_to, visit_stored};
use crate::book::{Book, BookView, Progress};
use crate::enumerate::{PlyError, Reachable};
use crate::files;
use crate::scores::ValueKind;
use std::io::{self, Write};
use std::path::Path;

/// Why a book could not be written in another format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The format is for another board.
    #[error(
        "expected a book for {expected} boards, which is all that {format} has, found one for {found} boards"
    )]
    Size {
        /// The format.
        format: Format,
        /// Its board.
        expected: Size,
        /// That of the book.
        found: Size,
    },
    /// The book is not as deep as the format wants it, or deeper than it can be.
    #[error(
        "expected a book of depth {least} to {most} for {format}, found one of depth {found}; \
         choose another book, or pack this one to such a depth"
    )]
    Depth {
        /// The format.
        format: Format,
        /// The least depth.
        least: u32,
        /// The greatest depth.
        most: u32,
        /// That of the book.
        found: u32,
    },
    /// The format has exact scores and the book has not.
    #[error(
        "expected a book of exact scores for {format}, found one of win, draw or loss; \
         choose another book or format"
    )]
    NoScores {
        /// The format.
        format: Format,
    },
    /// There is no table of this size.
    #[error("expected 2^2 to 2^{} as the size of a table, found 2^{found}", pons::LOG2_SIZES.end())]
    TableSize {
        /// The exponent that was asked for.
        found: u32,
    },
    /// A section's bytes are not those that were written.
    #[error(transparent)]
    Checksum(#[from] ChecksumError),
    /// A position has no value that should have one.
    #[error(transparent)]
    Missing(#[from] MissingValue),
    /// The positions of a ply cannot be enumerated.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// The bytes could not be written.
    #[error("cannot write the book in another format")]
    Io(#[from] io::Error),
}

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The format.
    pub format: Format,
    /// How positions are written, as [text](super::csv).
    pub notation: Notation,
    /// The logarithm of the size of a [hash table](super::pons), or nothing for one
    /// that loses nothing, if that is affordable.
    pub log2_size: Option<u32>,
}

impl ExportOptions {
    /// A format with what is usual.
    #[must_use]
    pub const fn new(format: Format) -> Self {
        ExportOptions { format, notation: Notation::Moves, log2_size: None }
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// How many positions.
    pub positions: u64,
    /// How many of them are not in the file, as another one has their place.
    pub replaced: u64,
    /// The logarithm of the size of the table, if it is one.
    pub log2_size: Option<u32>,
}

/// Writes a book in another format: a position and its mirror image once, without
/// those that the rules score. Positions are enumerated on the threads of the
/// current rayon pool.
///
/// # Errors
///
/// If the format cannot hold this book, the book is damaged, or writing fails.
pub fn export<D: AsRef<[u8]>>(
    book: &Book<D>,
    options: &ExportOptions,
    out: &mut dyn Write,
    progress: &dyn Progress<Step>,
) -> Result<Exported, ExportError> {
    let book = &book.borrowed();
    check(book, options)?;
    book.check_sections()?;
    book.size().dispatch(Export { book, options, out, progress })
}

/// As [`export`], to a file that appears under its name only when it is whole and
/// on the disk. A file that was there before is replaced.
///
/// # Errors
///
/// As [`export`].
pub fn export_file<D: AsRef<[u8]>>(
    book: &Book<D>,
    options: &ExportOptions,
    path: impl AsRef<Path>,
    progress: &dyn Progress<Step>,
) -> Result<Exported, ExportError> {
    files::replace(path.as_ref(), |out| export(book, options, out, progress))
}

fn check(book: &Book<&[u8]>, options: &ExportOptions) -> Result<(), ExportError> {
    let (format, size) = (options.format, book.size());
    let (least, most, kind) = match format {
        Format::Csv => return Ok(()),
        Format::Solver => (0, pons::deepest(size), ValueKind::Scores),
        Format::Bitbully(variant) => (variant.ply(), size.cells() as u32, variant.kind()),
    };
    let expected = Size::STANDARD;
    if matches!(format, Format::Bitbully(_)) && size != expected {
        return Err(ExportError::Size { format, expected, found: size });
    }
    let found = book.depth();
    if !(least..=most).contains(&found) {
        return Err(ExportError::Depth { format, least, most, found });
    }
    if kind == ValueKind::Scores && book.kind() == ValueKind::Outcomes {
        return Err(ExportError::NoScores { format });
    }
    match options.log2_size {
        Some(found) if !(2..=*pons::LOG2_SIZES.end()).contains(&found) => {
            Err(ExportError::TableSize { found })
        }
        _ => Ok(()),
    }
}

struct Export<'a> {
    book: &'a Book<&'a [u8]>,
    options: &'a ExportOptions,
    out: &'a mut dyn Write,
    progress: &'a dyn Progress<Step>,
}

impl OnSize for Export<'_> {
    type Output = Result<Exported, ExportError>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        let view = self.book.view::<W, H>().expect("the size is the book's");
        let positions = Positions { view, progress: self.progress };
        match self.options.format {
            Format::Csv => csv(&positions, self.options.notation, self.out),
            Format::Solver => solver(&positions, self.options.log2_size, self.out),
            Format::Bitbully(variant) => bitbully(&positions, variant, self.out),
        }
    }
}

/// The positions of a book with their values.
struct Positions<'a, const W: usize, const H: usize> {
    view: BookView<&'a &'a [u8], W, H>,
    progress: &'a dyn Progress<Step>,
}

impl<const W: usize, const H: usize> Positions<'_, W, H> {
    /// All plies to `depth`.
    fn explore(&self, depth: u32) -> Result<Reachable<W, H>, ExportError> {
        let mut reachable = Reachable::root();
        explore_to(&mut reachable, depth, |ply| Step::Enumerate { ply }, self.progress)?;
        Ok(reachable)
    }

    /// Calls `visit` with the positions of a ply that has been explored.
    fn visit(
        &self,
        reachable: &Reachable<W, H>,
        ply: u32,
        mut visit: impl FnMut(Position<W, H>, Score) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let step = |ply| Step::Values { ply };
        visit_stored(reachable.ply(ply), step, self.progress, |position| {
            match self.view.score_of_game(position).value() {
                Some(value) => visit(position, value.number()),
                None => Err(MissingValue::of(position).into()),
            }
        })
    }
}

fn csv<const W: usize, const H: usize>(
    positions: &Positions<'_, W, H>,
    notation: Notation,
    out: &mut dyn Write,
) -> Result<Exported, ExportError> {
    let book = positions.view.book();
    let mut lines = Lines::new(out, notation, book.kind())?;
    let mut reachable = Reachable::root();
    let mut written = 0;
    for ply in 0..=book.depth() {
        // Ply by ply, so that the first lines are there at once.
        explore_to(&mut reachable, ply, |ply| Step::Enumerate { ply }, positions.progress)?;
        positions.visit(&reachable, ply, |position, value| {
            written += 1;
            Ok(lines.add(position, value)?)
        })?;
    }
    lines.finish()?;
    Ok(Exported { positions: written, replaced: 0, log2_size: None })
}

fn solver<const W: usize, const H: usize>(
    positions: &Positions<'_, W, H>,
    log2: Option<u32>,
    out: &mut dyn Write,
) -> Result<Exported, ExportError> {
    let book = positions.view.book();
    let mut table = Table::new(book.size(), book.depth());
    let reachable = positions.explore(book.depth())?;
    // What comes later replaces what was there: the shallower, which takes the
    // solver longer to find.
    for ply in (0..=book.depth()).rev() {
        positions.visit(&reachable, ply, |position, score| {
            table.add(position, score);
            Ok(())
        })?;
    }
    let log2 = log2.unwrap_or_else(|| table.choose_log2());
    let (positions, replaced) = table.write(log2, out)?;
    Ok(Exported { positions, replaced, log2_size: Some(log2) })
}

fn bitbully<const W: usize, const H: usize>(
    positions: &Positions<'_, W, H>,
    variant: Variant,
    out: &mut dyn Write,
) -> Result<Exported, ExportError> {
    let reachable = positions.explore(variant.ply())?;
    let mut entries = Entries::new(variant);
    positions.visit(&reachable, variant.ply(), |position, value| {
        entries.add(position, value);
        Ok(())
    })?;
    Ok(Exported { positions: entries.write(out)?, replaced: 0, log2_size: None })
}
