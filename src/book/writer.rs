//! Writing a book.

use super::blocks;
use super::compact::{self, SectionValues};
use super::error::BookError;
use super::flat::Flat;
use super::header::{Encoding, Header, Provenance, Section};
use super::stored::{can_be_stored, every_second_ply};
use crate::files;
use crate::progress::{Progress, Step};
use crate::rank;
use crate::scores::{self, PlyScores};
use fourbook_solver::ValueKind;
use fourbook_solver::board::Size;
use fourbook_solver::text::{count, grouped, is_invisible};
use std::io::Write;
use std::path::Path;

/// The contents of a book to write. Equal contents give equal bytes.
///
/// ```
/// use fourbook::book::{BookContents, Encoding, PlyScores, Provenance, encode};
/// use fourbook::{Book, Lookup, Position, ScoreBounds, Size, ValueKind};
///
/// // A book of depth 0 for 9x9 boards in which the empty board is a draw.
/// let contents = BookContents {
///     size: Size::new(9, 9)?,
///     kind: ValueKind::Scores,
///     encoding: Encoding::Flat,
///     plies: vec![PlyScores::new(0, vec![encode(0)])],
///     provenance: Provenance::new(ValueKind::Scores, "an example"),
///     memory: None,
/// };
/// let book = Book::from_bytes(contents.to_bytes()?)?;
/// let position = Position::empty(book.size());
/// assert_eq!(book.look_up(position)?, Lookup::Stored(ScoreBounds::exactly(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookContents {
    /// The board.
    pub size: Size,
    /// The kind of its values; a book of outcomes keeps the sign of scores.
    pub kind: ValueKind,
    /// How the values are stored. In a compact book, a ply is stored flat when that is smaller, or
    /// when the ply before or after it is stored, too: such plies are stored to be found sooner.
    pub encoding: Encoding,
    /// The scores of the plies to store, in any order: the deepest, every second one above,
    /// and any between, which are then found sooner and not derived.
    pub plies: Vec<PlyScores>,
    /// Where the book comes from.
    pub provenance: Provenance,
    /// Memory for encoding compact sections, in bytes: 17 for each position of the largest ply by
    /// default. With less, positions are encoded in several rounds. Sections, which stay in memory
    /// until all are written, and about 4 MiB for each thread come on top.
    pub memory: Option<u64>,
}

impl BookContents {
    /// The bytes of the book. Compact sections are made with all threads of the
    /// rayon pool this is called in; the bytes do not depend on their number.
    ///
    /// # Errors
    ///
    /// If plies are missing or too many, or have other slots or scores than the
    /// board; or if the provenance is too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BookError> {
        let mut bytes = Vec::new();
        self.write(&mut bytes, &())?;
        Ok(bytes)
    }

    /// Writes the book, and reports to `progress`. Nothing is written if the contents are not
    /// right.
    ///
    /// # Errors
    ///
    /// As [`to_bytes`](Self::to_bytes), and if writing fails or the work is cancelled.
    pub fn write(&self, out: &mut dyn Write, progress: &dyn Progress) -> Result<(), BookError> {
        self.check_texts()?;
        let mut sections = Vec::new();
        let mut contents = Vec::new();
        for ply in self.plies_in_order()? {
            let (section, bytes) = self.section(ply, progress)?;
            sections.push(section);
            contents.push(bytes);
        }
        let provenance = self.provenance.clone();
        let header = Header { size: self.size, kind: self.kind, provenance, sections };
        let checksums = blocks::checksums(contents.iter().map(Vec::as_slice));
        out.write_all(&header.encode(&checksums)?)?;
        for bytes in contents {
            out.write_all(&bytes)?;
        }
        out.flush()?;
        Ok(())
    }

    /// Writes the book to a file, which appears under its name only when it
    /// is whole and on the disk: it is written beside and renamed. A book that
    /// was there before is replaced; a reader that has it open keeps the old one.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn write_file(
        &self,
        path: impl AsRef<Path>,
        progress: &dyn Progress,
    ) -> Result<(), BookError> {
        self.write_whole(path.as_ref(), true, progress)
    }

    /// As [`write_file`](Self::write_file), but unless it `may_replace` a file, another one that has the
    /// name by the time at which this one is whole is an error, and stays.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write), and if there is a file that may not be replaced.
    pub fn write_whole(
        &self,
        path: &Path,
        may_replace: bool,
        progress: &dyn Progress,
    ) -> Result<(), BookError> {
        let written = files::write_whole(path, may_replace, |out| self.write(out, progress));
        written.map_err(|error| match error {
            BookError::Write(source) => BookError::io("write", path)(source),
            other => other,
        })
    }

    /// Checks that terminals can print the provenance.
    fn check_texts(&self) -> Result<(), BookError> {
        let Provenance { program, version, arguments, values } = &self.provenance;
        let texts = [program, version, arguments, values];
        match texts.into_iter().flat_map(|text| text.chars()).find(|&it| is_invisible(it)) {
            Some(found) => Err(BookError::contents(
                "a provenance without control characters and characters that change the \
                 direction of text",
                found.escape_unicode(),
            )),
            None => Ok(()),
        }
    }

    /// The plies that are stored, the shallowest first.
    fn plies_in_order(&self) -> Result<Vec<&PlyScores>, BookError> {
        let mut plies: Vec<_> = self.plies.iter().collect();
        plies.sort_by_key(|ply| ply.ply);
        let depth = plies.last().map_or(0, |ply| ply.ply);
        self.slots(depth)?;
        let sections: Vec<u32> = plies.iter().map(|ply| ply.ply).collect();
        if !can_be_stored(&sections) {
            let such_as = every_second_ply(depth);
            let found: Vec<u32> = self.plies.iter().map(|ply| ply.ply).collect();
            let expected = format!(
                "the scores of at least every second ply to the deepest, such as {such_as:?}, each once"
            );
            return Err(BookError::contents(expected, format!("plies {found:?}")));
        }
        Ok(plies)
    }

    /// How many slots a ply has.
    fn slots(&self, ply: u32) -> Result<u64, BookError> {
        let size = self.size;
        rank::slots(size, ply).ok_or_else(|| {
            let deepest = rank::deepest_ply(size);
            // A book may go on to the full board, too.
            let full = deepest + 1 == size.cells() && rank::slots(size, deepest + 1).is_some();
            let deepest = deepest + u32::from(full);
            let expected =
                format!("a depth that a book of {size} boards can have, at most {deepest}");
            BookError::contents(expected, ply)
        })
    }

    /// The section of a ply; its offset is left open.
    fn section(
        &self,
        scores: &PlyScores,
        progress: &dyn Progress,
    ) -> Result<(Section, Vec<u8>), BookError> {
        let ply = scores.ply;
        let expected = self.slots(ply)?;
        let slots = scores.bytes().len() as u64;
        if slots != expected {
            let expected = format!("the scores of {} at ply {ply}", count(expected, "slot"));
            return Err(BookError::contents(expected, grouped(slots)));
        }
        let values = self.check_values(scores)?;
        let flat = Flat::for_values(values.as_ref().map(|values| (values.least, values.greatest)));
        let entries = values.as_ref().map_or(0, |values| values.entries);
        progress.begin(Step::Encode(ply), 0, slots);
        let has_neighbour = self.plies.iter().any(|other| other.ply.abs_diff(ply) == 1);
        let compact = match &values {
            Some(values) if self.encoding == Encoding::Compact && !has_neighbour => {
                let memory = self.memory.unwrap_or(u64::MAX);
                let bytes = compact::encode(values, memory, progress);
                progress.check()?;
                Some(bytes.ok_or_else(|| {
                    BookError::contents(
                        format!("scores in the slots that positions of ply {ply} have"),
                        "two different ones of the same position; the scores are damaged",
                    )
                })?)
            }
            _ => {
                progress.advance(slots);
                progress.check()?;
                None
            }
        };
        let smaller = compact.filter(|bytes| (bytes.len() as u64) < flat.section_bytes(slots));
        let (encoding, bits, bytes) = match smaller {
            Some(bytes) => (Encoding::Compact, 0, bytes),
            None => {
                let values =
                    scores.bytes().iter().map(|&byte| Some(self.kind.of(scores::decode(byte)?)));
                (Encoding::Flat, flat.bits, flat.encode(values))
            }
        };
        let section = Section {
            ply,
            encoding,
            bits,
            bias: flat.bias,
            offset: 0,
            bytes: bytes.len() as u64,
            slots,
            entries,
        };
        Ok((section, bytes))
    }

    /// The values of a ply, if there are any; each is possible on the board.
    fn check_values<'a>(
        &self,
        scores: &'a PlyScores,
    ) -> Result<Option<SectionValues<'a>>, BookError> {
        let ply = scores.ply;
        let most = ValueKind::Scores.highest_value(self.size);
        let mut values: Option<SectionValues<'_>> = None;
        for (slot, &byte) in scores.bytes().iter().enumerate() {
            let Some(score) = scores::decode(byte) else { continue };
            if score < -most || score > most {
                return Err(BookError::contents(
                    format!("scores from -{most} to {most}"),
                    format!(
                        "{score} in slot {slot} of ply {ply}; they are damaged or of another board"
                    ),
                ));
            }
            let value = self.kind.of(score);
            let values = values.get_or_insert(SectionValues {
                size: self.size,
                kind: self.kind,
                scores,
                least: value,
                greatest: value,
                entries: 0,
            });
            values.least = values.least.min(value);
            values.greatest = values.greatest.max(value);
            values.entries += 1;
        }
        Ok(values)
    }
}
