//! A book from another program's.

use super::{ForeignBook, Found, Step};
use crate::board::notation::diagram;
use crate::board::{OnSize, Position, Score};
use crate::book::pack::{self, Packed};
use crate::book::walk::{explore_to, visit_stored};
use crate::book::{Encoding, Progress, Provenance, stored_plies};
use crate::enumerate::{PlyError, Reachable, ReachablePly, SlotSet};
use crate::generate::Memory;
use crate::generate::derive::derive_ply;
use crate::rank::slots;
use crate::scores::{ABSENT, decode, encode};
use indicatif::HumanBytes;

/// How many positions an error names.
pub const SHOWN_POSITIONS: usize = 5;

/// Why no book could be made of another program's.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file is not as deep as asked for.
    #[error(
        "expected a depth of 0 to {deepest}, the depth of the file, found {depth}; choose such a depth"
    )]
    TooDeep {
        /// The depth asked for.
        depth: u32,
        /// That of the file.
        deepest: u32,
    },
    /// There is too little memory for the positions of the deepest ply.
    #[error(
        "{} of memory are available, but the positions of ply {ply} need {}; choose a smaller depth \
         if the file has one, or import it on a larger machine",
        HumanBytes(*available), HumanBytes(*needed)
    )]
    Memory {
        /// Number of stones.
        ply: u32,
        /// Memory needed, in bytes.
        needed: u64,
        /// Memory there is, in bytes.
        available: u64,
    },
    /// Positions of the deepest ply are missing.
    #[error(
        "expected values for all {expected} positions of ply {ply}, found {missing} missing; \
         complete the file, choose a smaller depth, or generate the book; missing are:{}",
        list(first, *missing)
    )]
    Missing {
        /// Number of stones.
        ply: u32,
        /// Positions that have to be there.
        expected: u64,
        /// How many are not.
        missing: u64,
        /// The first of them, as [diagrams](diagram).
        first: Vec<String>,
    },
    /// Values are such that no position of the ply can have.
    #[error(
        "expected values that positions of ply {ply} can have, found {wrong} others; \
         the file is damaged or wrong:{}",
        list(first, *wrong)
    )]
    Impossible {
        /// Number of stones.
        ply: u32,
        /// How many values.
        wrong: u64,
        /// The first of them: position and value.
        first: Vec<String>,
    },
    /// Values contradict those that follow from the deepest ply, or the value of the
    /// mirror image.
    #[error(
        "expected values that agree with those of ply {deepest}, found {wrong} others at ply {ply}; \
         the file is wrong (position, value expected, value found):{}", list(first, *wrong)
    )]
    Contradiction {
        /// Number of stones of the positions that have other values.
        ply: u32,
        /// Number of stones of the positions from which the values follow.
        deepest: u32,
        /// How many values.
        wrong: u64,
        /// The first of them: position, value expected, value found.
        first: Vec<String>,
    },
    /// The positions of a ply cannot be enumerated.
    #[error(transparent)]
    Ply(#[from] PlyError),
}

fn list(first: &[String], all: u64) -> String {
    let lines = first.iter().map(|position| format!("\n  {position}")).collect::<String>();
    match all - first.len() as u64 {
        0 => lines,
        more => format!("{lines}\n  and {more} more"),
    }
}

/// What the book is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportOptions {
    /// The deepest ply; nothing for that of the file.
    pub depth: Option<u32>,
    /// How the values are stored.
    pub encoding: Encoding,
}

/// The values of a book, from those of another program's. Positions are
/// enumerated on the threads of the current rayon pool.
///
/// The ply of the book's depth has to be there in full; or else the next deeper
/// one that the file has. From it follow the others. What the file says of them is
/// compared, and of mirror images.
///
/// # Errors
///
/// If positions are missing, or values contradict one another.
pub fn import(
    file: &ForeignBook<'_>,
    options: ImportOptions,
    progress: &dyn Progress<Step>,
) -> Result<Packed, ImportError> {
    let (depth, deepest) = (options.depth.unwrap_or(file.depth()), file.depth());
    let Some(source) = (depth..=deepest).find(|&ply| file.has_ply(ply)) else {
        return Err(ImportError::TooDeep { depth, deepest });
    };
    file.size().dispatch(Import { file, depth, source, encoding: options.encoding, progress })
}

struct Import<'a> {
    file: &'a ForeignBook<'a>,
    /// The deepest ply of the book.
    depth: u32,
    /// The ply that all others follow from, at least as deep.
    source: u32,
    encoding: Encoding,
    progress: &'a dyn Progress<Step>,
}

impl OnSize for Import<'_> {
    type Output = Result<Packed, ImportError>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        self.check_memory()?;
        let mut reachable = Reachable::<W, H>::root();
        explore_to(&mut reachable, self.source, |ply| Step::Enumerate { ply }, self.progress)?;
        let mut bytes = self.read(reachable.deepest())?;
        let mut plies = Vec::new();
        for ply in (0..=self.source).rev() {
            if ply < self.source {
                let below = reachable.ply(ply + 1).ranking();
                bytes = derive_ply(reachable.ply(ply), below, &bytes, self.file.kind());
                if self.file.has_ply(ply) {
                    self.compare(reachable.ply(ply), &bytes)?;
                }
            }
            if stored_plies(self.depth).any(|stored| stored == ply) {
                plies.push((ply, bytes.clone()));
            }
        }
        plies.reverse();
        let (depth, kind, encoding) = (self.depth, self.file.kind(), self.encoding);
        let arguments = format!("import --format {} --depth {depth}", self.file.format());
        Ok(Packed {
            size: self.file.size(),
            options: pack::Options { depth, kind, encoding },
            plies,
            provenance: Provenance::new(kind, arguments),
        })
    }
}

impl Import<'_> {
    /// Makes sure that there is memory for the positions, whose ply a file of any size
    /// can name.
    fn check_memory(&self) -> Result<(), ImportError> {
        let (size, ply) = (self.file.size(), self.source);
        let mut needed = 0_u64;
        let mut deepest = 0;
        for ply in 0..=ply {
            deepest = slots(size, ply).ok_or(PlyError::Numbering { size, ply })?;
            // Ongoing and ended games of the ply.
            needed = needed.saturating_add(2 * SlotSet::bytes_for(deepest));
        }
        needed = needed.saturating_add(2 * deepest);
        let available = Memory::now().available;
        if needed > available {
            return Err(ImportError::Memory { ply, needed, available });
        }
        Ok(())
    }

    /// The values of the ply that the others follow from, one byte a slot.
    fn read<const W: usize, const H: usize>(
        &self,
        positions: &ReachablePly<W, H>,
    ) -> Result<Vec<u8>, ImportError> {
        let (ranking, ply) = (positions.ranking(), positions.ranking().ply());
        let possible = self.file.kind().possible_values(self.file.size(), ply);
        let mut bytes = vec![ABSENT; ranking.slots() as usize];
        let (mut missing, mut wrong, mut contrary) = Default::default();
        self.visit(positions, |position, found| match found {
            Found::Value(value, _) if possible.contains(&value) => {
                bytes[ranking.rank(position) as usize] = encode(value);
            }
            Found::Value(value, _) => {
                note(&mut wrong, || format!("{} {value}", diagram::print(position)))
            }
            Found::Nothing => note(&mut missing, || diagram::print(position)),
            Found::Contradiction(value, mirrored) => {
                note(&mut contrary, || format!("{} {value} {mirrored}", diagram::print(position)));
            }
        });
        let expected = positions.counts().stored;
        match (missing, wrong, contrary) {
            (Noted { number: 0, .. }, Noted { number: 0, .. }, Noted { number: 0, .. }) => {
                Ok(bytes)
            }
            (Noted { number: 0, .. }, Noted { number: 0, .. }, Noted { number, first }) => {
                Err(ImportError::Contradiction { ply, deepest: ply, wrong: number, first })
            }
            (Noted { number: 0, .. }, Noted { number, first }, _) => {
                Err(ImportError::Impossible { ply, wrong: number, first })
            }
            (Noted { number, first }, ..) => {
                Err(ImportError::Missing { ply, expected, missing: number, first })
            }
        }
    }

    /// Compares what the file says of a ply with the values that follow from the
    /// deepest one; what the file does not have is no contradiction.
    fn compare<const W: usize, const H: usize>(
        &self,
        positions: &ReachablePly<W, H>,
        bytes: &[u8],
    ) -> Result<(), ImportError> {
        let ranking = positions.ranking();
        let mut noted = Noted::default();
        self.visit(positions, |position, found| {
            let expected = decode(bytes[ranking.rank(position) as usize]);
            let others = match found {
                Found::Nothing => return,
                Found::Value(value, _) if Some(value) == expected => return,
                Found::Value(value, _) => value.to_string(),
                Found::Contradiction(value, mirrored) => format!("{value} {mirrored}"),
            };
            note(&mut noted, || {
                format!("{} {} {others}", diagram::print(position), expected.unwrap_or(Score::MIN))
            });
        });
        match noted {
            Noted { number: 0, .. } => Ok(()),
            Noted { number: wrong, first } => {
                let (ply, deepest) = (ranking.ply(), self.source);
                Err(ImportError::Contradiction { ply, deepest, wrong, first })
            }
        }
    }

    /// Calls `visit` with the stored positions of a ply and what the file says of them.
    fn visit<const W: usize, const H: usize>(
        &self,
        positions: &ReachablePly<W, H>,
        mut visit: impl FnMut(Position<W, H>, Found),
    ) {
        let step = |ply| Step::Values { ply };
        let visited = visit_stored(positions, step, self.progress, |position| {
            visit(position, self.file.find(position));
            Ok::<_, std::convert::Infallible>(())
        });
        let Ok(()) = visited;
    }
}

/// How many positions have a fault, and the first of them.
#[derive(Default)]
struct Noted {
    number: u64,
    first: Vec<String>,
}

fn note(noted: &mut Noted, text: impl FnOnce() -> String) {
    noted.number += 1;
    if noted.first.len() < SHOWN_POSITIONS {
        noted.first.push(text());
    }
}
