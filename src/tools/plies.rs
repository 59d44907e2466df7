//! The values of all positions of a ply, in the order of their slots.

use super::error::ToolError;
use super::resources::Resources;
use crate::book::{Book, BookError};
use crate::derive::{Below, derive_into, fill};
use crate::enumerate::{Reachable, ReachablePly, bytes_of_sets, slots_of_plies};
use crate::mapping::zeros_in_file;
use crate::progress::Step;
use fourbook_solver::board::{Board, Size};
use fourbook_solver::with_word;
use memmap2::MmapMut;
use std::sync::Arc;

/// The values of a ply that are kept.
struct Decoded {
    /// The number of the book.
    book: usize,
    ply: u32,
    /// Shared with a new book that stores them.
    bytes: Arc<MmapMut>,
    first_missing: Option<u64>,
}

/// The values of the positions of a ply that the rules do not score, a position and its mirror
/// image once; from a [`BookReader`](super::BookReader).
#[derive(Clone, Copy)]
pub struct PlyValues<'a> {
    pub(super) positions: &'a ReachablePly,
    /// One byte a slot, as [`PlyScores`](crate::scores::PlyScores) has them.
    pub(super) bytes: &'a Arc<MmapMut>,
    pub(super) book: &'a Book,
    /// The first slot of a position that should have a value and has none.
    first_missing: Option<u64>,
}

impl<'a> PlyValues<'a> {
    /// How many slots there are.
    pub(super) fn slots(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The ply to derive others from.
    pub(super) fn below(&self) -> Below<'a> {
        Below { ranking: &self.positions.ranking, bytes: self.bytes, kind: self.book.kind() }
    }
}

/// Reads the plies of a book, or of two books for the same board. Keeps the ply read last and the
/// one it was derived from, so reading all plies in order, up or down, reads none twice.
pub(super) struct BookPlies<'a> {
    books: Vec<&'a Book>,
    resources: Resources<'a>,
    /// Memory that may be used for values.
    memory: u64,
    reachable: Reachable,
    /// At most two plies of each book, one next to the other.
    decoded: Vec<Decoded>,
    /// Bytes of values handed out, which stay in use.
    handed_out: u64,
}

impl<'a> BookPlies<'a> {
    /// Makes sure that there is memory to read the plies to `depth` of books for the same board.
    /// Nothing is read yet.
    pub(super) fn new(
        books: &[&'a Book],
        depth: u32,
        resources: Resources<'a>,
    ) -> Result<Self, ToolError> {
        let size = books[0].size();
        let sources = books.iter().map(|book| book.source_of(depth));
        let ply = sources.max().expect("there is a book");
        let (available, needed) = (resources.memory(), bits_to(size, ply)?);
        let memory = available.checked_sub(needed);
        let memory = memory.ok_or(ToolError::Memory { ply, needed, available })?;
        let (books, reachable, decoded) = (books.to_owned(), Reachable::root(size), Vec::new());
        Ok(BookPlies { books, resources, memory, reachable, decoded, handed_out: 0 })
    }

    /// The values of a ply of the book with this number, stored or derived from the next one.
    pub(super) fn read(&mut self, book: usize, ply: u32) -> Result<PlyValues<'_>, ToolError> {
        // Only this ply and the next are needed from now on.
        self.decoded.retain(|decoded| decoded.ply == ply || decoded.ply == ply + 1);
        if self.kept(book, ply).is_none() {
            if self.books[book].stores(ply) {
                self.read_stored(book, ply)?;
            } else {
                if self.kept(book, ply + 1).is_none() {
                    self.read_stored(book, ply + 1)?;
                }
                self.derive(book, ply)?;
            }
        }
        Ok(self.kept(book, ply).expect("it has been read"))
    }

    /// Reads a ply of the first book; an error if a value is missing.
    pub(super) fn read_complete(&mut self, ply: u32) -> Result<PlyValues<'_>, ToolError> {
        let read = self.read(0, ply)?;
        match read.first_missing {
            None => Ok(read),
            Some(slot) => {
                Err(read.book.missing(read.positions.ranking.unrank::<u128>(slot).widen()).into())
            }
        }
    }

    /// Returns the values of a ply of the first book, shared with the caller; an error if one is
    /// missing.
    pub(super) fn hand_out(&mut self, ply: u32) -> Result<Arc<MmapMut>, ToolError> {
        let bytes = Arc::clone(self.read_complete(ply)?.bytes);
        self.handed_out += bytes.len() as u64;
        Ok(bytes)
    }

    /// The values of the ply that was read last or of the one below, for the book with this number.
    pub(super) fn kept(&self, book: usize, ply: u32) -> Option<PlyValues<'_>> {
        let is_it = |decoded: &&Decoded| (decoded.book, decoded.ply) == (book, ply);
        let decoded = self.decoded.iter().find(is_it)?;
        Some(PlyValues {
            positions: self.reachable.ply(ply),
            bytes: &decoded.bytes,
            book: self.books[book],
            first_missing: decoded.first_missing,
        })
    }

    /// Room for the values of a ply.
    fn room(&self, ply: u32) -> Result<MmapMut, ToolError> {
        let bytes = self.reachable.ply(ply).ranking.slots;
        let own = self.decoded.iter().filter(|decoded| Arc::strong_count(&decoded.bytes) == 1);
        let used = own.map(|decoded| decoded.bytes.len() as u64).sum::<u64>() + self.handed_out;
        let length = usize::try_from(bytes).unwrap_or(usize::MAX);
        let in_memory = used + bytes <= self.memory;
        let scratch = in_memory.then(|| MmapMut::map_anon(length)).and_then(Result::ok);
        scratch.map_or_else(|| zeros_in_file(length), Ok).map_err(|source| ToolError::Scratch {
            ply,
            bytes,
            source,
        })
    }

    fn read_stored(&mut self, book: usize, ply: u32) -> Result<(), ToolError> {
        self.reachable.explore_to(ply, self.resources.progress)?;
        let mut bytes = self.room(ply)?;
        let (read, positions) = (self.books[book], self.reachable.ply(ply));
        let step = (Step::Read(ply), self.resources.progress);
        let first_missing = with_word!(read.size(), B => {
            fill(&mut bytes, positions, step, |slot, position: Board<B>| {
                read.stored(ply, slot, position)
            })
        })?;
        self.decoded.push(Decoded { book, ply, bytes: Arc::new(bytes), first_missing });
        Ok(())
    }

    /// Derives a ply from the next one, which has been read.
    fn derive(&mut self, book: usize, ply: u32) -> Result<(), ToolError> {
        let mut bytes = self.room(ply)?;
        let progress = self.resources.progress;
        let below = self.kept(book, ply + 1).expect("the next ply has been read").below();
        let first_missing = derive_into(&mut bytes, self.reachable.ply(ply), below, progress);
        self.decoded.push(Decoded { book, ply, bytes: Arc::new(bytes), first_missing });
        Ok(())
    }
}

/// The memory that enumerating the positions to a ply takes.
pub(super) fn bits_to(size: Size, depth: u32) -> Result<u64, BookError> {
    let plies = slots_of_plies(size, depth)?;
    // Ended games of one ply.
    Ok(bytes_of_sets(&plies) + bytes_of_sets(&plies[depth as usize..]))
}
