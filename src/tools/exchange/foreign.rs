//! Another program's book, whatever its format.

use fourbook_solver::ValueKind;
use fourbook_solver::board::notation::{Notation, diagram};
use fourbook_solver::board::{Position, Score, Size};
use fourbook_solver::named;
use std::fmt::Debug;
use std::sync::Arc;

/// One of BitBully's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Ply 8, draws and losses.
    Ply8,
    /// Ply 12, draws and losses.
    Ply12,
    /// Ply 12, with the number of stones until the game ends.
    Ply12Distances,
}

/// A file format of another program.
///
/// Parsed from and printed as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Comma-separated values; see [`csv`](super::csv).
    Csv,
    /// The hash table of Pascal Pons' solver; see [`pons`](super::pons).
    Pons,
    /// A list of BitBully's; see [`bitbully`](super::bitbully).
    Bitbully(Variant),
    /// The data set connect-4 of UCI; see [`csv`](super::csv).
    Uci,
}

named!(Format, "format", 6:
    Csv = "csv",
    Pons = "pons",
    Bitbully(Variant::Ply8) = "bitbully-8",
    Bitbully(Variant::Ply12) = "bitbully-12",
    Bitbully(Variant::Ply12Distances) = "bitbully-12-distances",
    Uci = "uci"
);

impl Format {
    /// Whether [`export`](super::export()) writes it, not only [`import`](super::import()) reads it.
    pub const fn is_written(&self) -> bool {
        !matches!(self, Format::Uci)
    }

    /// Whether a file has every stored position of the plies it is for and
    /// nothing else, so that a position that is missing is a mistake.
    pub const fn is_complete(self) -> bool {
        matches!(self, Format::Bitbully(_))
    }

    /// Why a file may lack a position that its book had, after "found none".
    pub(super) fn absence(self, size: Size) -> &'static str {
        match self {
            Format::Pons if size.cells() % 2 == 1 => {
                ", as a table loses positions of one slot, and has no value for the lowest score \
                 of a board with an odd number of cells"
            }
            Format::Pons => ", as a table loses positions of one slot",
            _ => "",
        }
    }
}

/// A book of another program, over its bytes.
#[derive(Clone, Debug)]
pub struct ForeignBook<'a> {
    /// Its format.
    pub format: Format,
    /// The board it is for.
    pub size: Size,
    /// The kind of its values.
    pub kind: ValueKind,
    /// How many entries it has.
    pub entries: u64,
    /// Bit `n` is 1 if there are values of positions with `n` stones; never 0.
    pub(super) plies: u128,
    pub(super) values: Arc<dyn Values + 'a>,
}

impl ForeignBook<'_> {
    /// The most stones of a position that it has a value for.
    pub fn depth(&self) -> u32 {
        self.plies.ilog2()
    }

    /// Whether it has values of positions with `ply` stones.
    pub fn has_ply(&self, ply: u32) -> bool {
        self.plies.checked_shr(ply).is_some_and(|plies| plies & 1 == 1)
    }
}

/// The values of a book.
pub(super) trait Values: Debug + Send + Sync {
    /// The value of a position that the rules do not score, of a ply that the book is for.
    fn find(&self, position: Position) -> ForeignValue;
}

/// A foreign book's values of a position and its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForeignValue {
    /// No value.
    Nothing,
    /// This value, from one or two entries.
    Value(Score, u8),
    /// An entry for each image, with different values.
    Contradiction(Score, Score),
}

/// A position in texts: its moves, which can be looked up again; for the empty board, a diagram.
pub(super) fn name(position: Position) -> String {
    let moves = Notation::Moves.print(position).ok().filter(|moves| !moves.is_empty());
    moves.unwrap_or_else(|| diagram::print(position))
}

/// Counts of a written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// How many positions.
    pub positions: u64,
    /// How many of them are not in the file, because another position has taken their place.
    pub replaced: u64,
    /// How many of them are not in the file, because the format has no value for their scores.
    pub unheld: u64,
    /// The logarithm of the size of the table, if the file is a hash table.
    pub log2_size: Option<u32>,
}

impl Exported {
    /// The counts of a file that has every position.
    pub(super) const fn all(positions: u64) -> Self {
        Exported { positions, replaced: 0, unheld: 0, log2_size: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_parsed_from_its_name() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "PONS".parse::<Format>().unwrap_err().to_string();
        assert!(Format::ALL.iter().all(|format| error.contains(format.name())), "{error}");
    }
}
