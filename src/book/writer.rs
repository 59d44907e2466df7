//! Writing a book.

use super::Progress;
use super::compact;
use super::error::WriteError;
use super::flat::Flat;
use super::format::{Encoding, Header, Provenance, Section, stored_plies};
use crate::board::{OnSize, Score, Size};
use crate::files;
use crate::rank;
use crate::scores::{self, PlyScores, ValueKind};
use std::fmt;
use std::io::Write;
use std::path::Path;

/// A part of writing a book: encoding the values of a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteStep {
    /// Number of stones of the positions.
    pub ply: u32,
}

impl fmt::Display for WriteStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {}: encoding values", self.ply)
    }
}

/// What a book is written from. Equal contents give equal bytes.
#[derive(Clone, Debug)]
pub struct BookContents<'a> {
    /// The board.
    pub size: Size,
    /// What the values are to be; of scores, a book of outcomes keeps the sign.
    pub kind: ValueKind,
    /// How the values are to be stored. Of a compact book, plies that are smaller
    /// flat are flat.
    pub encoding: Encoding,
    /// The scores of the deepest ply and of every second one above, in any order.
    pub plies: &'a [PlyScores<'a>],
    /// Where the book comes from.
    pub provenance: Provenance,
}

impl BookContents<'_> {
    /// The bytes of the book. Compact sections are made with all threads of the
    /// rayon pool this is called in; the bytes do not depend on their number.
    ///
    /// # Errors
    ///
    /// If plies are missing or too many, or have other slots or scores than the
    /// board; or if the provenance is too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes the book. Nothing is written if the contents are not right.
    ///
    /// # Errors
    ///
    /// As [`to_bytes`](Self::to_bytes), and if writing fails.
    pub fn write(&self, out: impl Write) -> Result<(), WriteError> {
        self.write_telling(out, &())
    }

    fn write_telling(
        &self,
        mut out: impl Write,
        progress: &dyn Progress<WriteStep>,
    ) -> Result<(), WriteError> {
        let mut sections = Vec::new();
        let mut contents = Vec::new();
        for ply in self.plies_in_order()? {
            let (section, bytes) = self.section(ply, progress)?;
            sections.push(section);
            contents.push(bytes);
        }
        let mut header = Header {
            size: self.size,
            depth: sections.last().map_or(0, |section| section.ply),
            kind: self.kind,
            provenance: self.provenance.clone(),
            sections,
        };
        out.write_all(&header.encode().map_err(WriteError::Header)?)?;
        for bytes in contents {
            out.write_all(&bytes)?;
        }
        out.flush()?;
        Ok(())
    }

    /// Writes the book to a file, which appears under its name only when it
    /// is whole and on the disk: it is written beside and renamed. A book that
    /// was there before is replaced; who has it mapped keeps the old one.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn write_file(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        self.write_file_telling(path, &())
    }

    /// As [`write_file`](Self::write_file), and tells `progress` how it goes on.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn write_file_telling(
        &self,
        path: impl AsRef<Path>,
        progress: &dyn Progress<WriteStep>,
    ) -> Result<(), WriteError> {
        let path = path.as_ref();
        files::replace(path, |out| self.write_telling(out, progress)).map_err(|error| match error {
            WriteError::Io(source) => WriteError::File { path: path.to_owned(), source },
            other => other,
        })
    }

    /// The plies that are stored, the shallowest first.
    fn plies_in_order(&self) -> Result<Vec<&PlyScores<'_>>, WriteError> {
        let mut plies: Vec<_> = self.plies.iter().collect();
        plies.sort_by_key(|ply| ply.ply);
        let depth = plies.last().map_or(0, |ply| ply.ply);
        if rank::slots(self.size, depth).is_none() {
            return Err(WriteError::TooDeep { size: self.size, ply: depth });
        }
        if !plies.iter().map(|ply| ply.ply).eq(stored_plies(depth)) {
            return Err(WriteError::Plies {
                expected: stored_plies(depth).collect(),
                found: self.plies.iter().map(|ply| ply.ply).collect(),
            });
        }
        Ok(plies)
    }

    /// The section of a ply; its offset is left open.
    fn section(
        &self,
        scores: &PlyScores<'_>,
        progress: &dyn Progress<WriteStep>,
    ) -> Result<(Section, Vec<u8>), WriteError> {
        let ply = scores.ply;
        let slots = scores.bytes.len() as u64;
        let expected =
            rank::slots(self.size, ply).ok_or(WriteError::TooDeep { size: self.size, ply })?;
        if slots != expected {
            return Err(WriteError::Slots { ply, expected, found: slots });
        }
        let range = self.check_values(scores)?;
        let flat = Flat::for_values(range);
        progress.begin(WriteStep { ply }, slots);
        let compact = match (self.encoding, range) {
            (Encoding::Compact, Some(range)) => {
                let (bytes, entries) =
                    self.size.dispatch(Compact { contents: self, scores, range, progress })?;
                let smaller = (bytes.len() as u64) < flat.section_bytes(slots);
                smaller.then_some((Encoding::Compact, bytes, entries))
            }
            _ => None,
        };
        let (encoding, bytes, entries) = compact.unwrap_or_else(|| {
            let values = scores.bytes.iter().map(|&byte| self.value(byte));
            let (bytes, entries) = flat.encode(values);
            if self.encoding == Encoding::Flat || range.is_none() {
                progress.advance(slots);
            }
            (Encoding::Flat, bytes, entries)
        });
        let section = Section {
            ply,
            encoding,
            bits: flat.bits,
            bias: flat.bias,
            crc: crc32fast::hash(&bytes),
            offset: 0,
            bytes: bytes.len() as u64,
            slots,
            entries,
        };
        Ok((section, bytes))
    }

    /// The least and the greatest value of a ply, all of which the board has.
    fn check_values(&self, scores: &PlyScores<'_>) -> Result<Option<(Score, Score)>, WriteError> {
        let ply = scores.ply;
        let most = ValueKind::Scores.highest_value(self.size);
        let mut range: Option<(Score, Score)> = None;
        for (slot, &byte) in scores.bytes.iter().enumerate() {
            let Some(value) = self.value(byte) else { continue };
            let score = scores::decode(byte).unwrap_or(0);
            if score < -most || score > most {
                return Err(WriteError::Score { ply, slot: slot as u64, found: score, most });
            }
            let (least, greatest) = range.unwrap_or((value, value));
            range = Some((least.min(value), greatest.max(value)));
        }
        Ok(range)
    }

    /// The value to store for a slot's byte.
    fn value(&self, byte: u8) -> Option<Score> {
        let score = scores::decode(byte)?;
        Some(self.kind.of(score))
    }
}

/// Makes the compact section of a ply, whose values are in a range.
struct Compact<'a> {
    contents: &'a BookContents<'a>,
    scores: &'a PlyScores<'a>,
    range: (Score, Score),
    progress: &'a dyn Progress<WriteStep>,
}

impl OnSize for Compact<'_> {
    type Output = Result<(Vec<u8>, u64), WriteError>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        let (least, greatest) = self.range;
        let value = |byte| self.contents.value(byte);
        let advance = |slots| self.progress.advance(slots);
        compact::encode::<W, H>(self.scores, value, least, greatest, &advance)
            .ok_or(WriteError::Contradiction { ply: self.scores.ply })
    }
}
