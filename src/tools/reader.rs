//! Reading the values of whole plies.

use super::error::ToolError;
use super::plies::PlyValues;
use super::resources::Resources;
use crate::book::{Book, BookError};
use crate::derive::{derive_into, fill};
use crate::enumerate::{Reachable, bytes_of_sets, slots_of_plies};
use crate::mapping::zeros_in_file;
use crate::progress::Step;
use crate::scores::PlyScores;
use fourbook_solver::board::{Board, Size};
use fourbook_solver::with_word;
use memmap2::MmapMut;

/// The values of a ply that are kept, and the first slot without one that should have one.
type Decoded = (PlyScores, Option<u64>);

/// Reads the values of whole plies, many times as fast as looking positions up.
///
/// Each value is read once, on the threads of the current rayon pool, and takes a byte a slot.
/// Plies that are not stored are derived from the next one. Going through plies in order,
/// up or down, reads none twice.
///
/// ```
/// use fourbook::Book;
/// use fourbook::tools::BookReader;
///
/// let book = Book::from_bytes(include_bytes!("../../examples/4x4-d6.book"))?;
/// let mut reader = BookReader::new(&book, book.depth(), &())?;
/// for ply in 0..=book.depth() {
///     let values = reader.read(ply)?;
///     let wins = values.iter().filter(|(_, value)| *value > 0).count();
///     println!("ply {ply}: {wins} of {} are wins", values.iter().count());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BookReader<'a> {
    book: &'a Book,
    deepest: u32,
    resources: Resources<'a>,
    /// Memory that may be used for values.
    memory: u64,
    reachable: Reachable,
    /// At most two plies, one next to the other.
    decoded: Vec<Decoded>,
}

impl<'a> BookReader<'a> {
    /// Prepares to read the plies up to `depth`, or up to the book's depth if that is less. Makes
    /// sure that there is memory for the positions.
    ///
    /// # Errors
    ///
    /// If there is too little memory.
    pub fn new(
        book: &'a Book,
        depth: u32,
        resources: impl Into<Resources<'a>>,
    ) -> Result<Self, ToolError> {
        let resources = resources.into();
        let deepest = depth.min(book.depth());
        let size = book.size();
        let ply = book.source_of(deepest);
        let available = resources.memory();
        let needed = bits_to(size, ply)?;
        let memory = available.checked_sub(needed);
        let memory = memory.ok_or(ToolError::Memory { ply, needed, available })?;
        let reachable = Reachable::root(size);
        let decoded = Vec::new();
        Ok(BookReader { book, deepest, resources, memory, reachable, decoded })
    }

    /// The values of a ply.
    ///
    /// # Errors
    ///
    /// If the ply is deeper than `depth`, the book is damaged or lacks a value, the values fit
    /// neither in memory nor on the disk, or the work is cancelled.
    pub fn read(&mut self, ply: u32) -> Result<PlyValues<'_>, ToolError> {
        if ply > self.deepest {
            return Err(ToolError::DepthTooDeep { depth: ply, deepest: self.deepest });
        }
        let read = self.load(ply)?;
        match read.first_missing {
            None => Ok(read),
            Some(slot) => {
                Err(read.book.missing(read.positions.ranking.unrank::<u128>(slot).widen()).into())
            }
        }
    }

    /// The values of a ply as scores, for a new book; outcomes are the scores 1, 0 and -1.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn scores(&mut self, ply: u32) -> Result<PlyScores, ToolError> {
        self.read(ply)?;
        let scores = self.decoded(ply).expect("it has been read").0.clone();
        // They stay in use.
        self.memory = self.memory.saturating_sub(scores.bytes().len() as u64);
        Ok(scores)
    }

    /// The values of a ply, stored or derived from the next one. Some may be missing.
    pub(super) fn load(&mut self, ply: u32) -> Result<PlyValues<'_>, ToolError> {
        // Only this ply and the next are needed from now on.
        self.decoded.retain(|(scores, _)| scores.ply == ply || scores.ply == ply + 1);
        if self.loaded(ply).is_none() {
            if self.book.stores(ply) {
                self.read_stored(ply)?;
            } else {
                if self.loaded(ply + 1).is_none() {
                    self.read_stored(ply + 1)?;
                }
                self.derive(ply)?;
            }
        }
        Ok(self.loaded(ply).expect("it has been read"))
    }

    /// The values of the ply that was read last or of the one below.
    pub(super) fn loaded(&self, ply: u32) -> Option<PlyValues<'_>> {
        let (scores, first_missing) = self.decoded(ply)?;
        Some(PlyValues {
            positions: self.reachable.ply(ply),
            bytes: scores.bytes(),
            book: self.book,
            first_missing: *first_missing,
        })
    }

    fn decoded(&self, ply: u32) -> Option<&Decoded> {
        self.decoded.iter().find(|(scores, _)| scores.ply == ply)
    }

    /// Room for the values of a ply.
    fn room(&self, ply: u32) -> Result<MmapMut, ToolError> {
        let bytes = self.reachable.ply(ply).ranking.slots;
        let own = self.decoded.iter().filter(|(scores, _)| !scores.are_shared());
        let used = own.map(|(scores, _)| scores.bytes().len() as u64).sum::<u64>();
        let length = usize::try_from(bytes).unwrap_or(usize::MAX);
        let in_memory = used + bytes <= self.memory;
        let scratch = in_memory.then(|| MmapMut::map_anon(length)).and_then(Result::ok);
        scratch.map_or_else(|| zeros_in_file(length), Ok).map_err(|source| ToolError::Scratch {
            ply,
            bytes,
            source,
        })
    }

    fn read_stored(&mut self, ply: u32) -> Result<(), ToolError> {
        self.reachable.explore_to(ply, self.resources.progress)?;
        let mut bytes = self.room(ply)?;
        let book = self.book;
        let positions = self.reachable.ply(ply);
        let step = (Step::Read(ply), self.resources.progress);
        let first_missing = with_word!(book.size(), B => {
            fill(&mut bytes, positions, step, |_, position: Board<B>| book.value(position))
        })?;
        self.decoded.push((PlyScores::new(ply, bytes), first_missing));
        Ok(())
    }

    /// Derives a ply from the next one, which has been read.
    fn derive(&mut self, ply: u32) -> Result<(), ToolError> {
        let mut bytes = self.room(ply)?;
        let progress = self.resources.progress;
        let below = self.loaded(ply + 1).expect("the next ply has been read").below();
        let first_missing = derive_into(&mut bytes, self.reachable.ply(ply), below, progress)?;
        self.decoded.push((PlyScores::new(ply, bytes), first_missing));
        Ok(())
    }
}

/// The memory that enumerating the positions to a ply takes.
pub(super) fn bits_to(size: Size, depth: u32) -> Result<u64, BookError> {
    let plies = slots_of_plies(size, depth)?;
    // Ended games of one ply.
    Ok(bytes_of_sets(&plies) + bytes_of_sets(&plies[depth as usize..]))
}
