//! The header of a book.

use fourbook_solver::ValueKind;
use fourbook_solver::board::Size;
use fourbook_solver::named;
use fourbook_solver::text::escaped;
use serde::{Deserialize, Serialize};

/// The first bytes of every book. The first has its high bit set and the last
/// two end a line, so a transfer as text is noticed.
pub const MAGIC: [u8; 8] = *b"\x894BOOK\r\n";

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// The most bytes that the encoded header may have.
pub(super) const MAX_HEADER: usize = 64 * 1024;

/// How the values of a section are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Encoding {
    /// A code of fixed width for every slot: the fastest to look up.
    #[default]
    Flat,
    /// Prefix codes of the values alone, behind a hash: the smallest.
    Compact,
}

named!(Encoding, "book encoding", 2: Flat = "flat", Compact = "compact");

/// Where a book comes from; nothing here differs from run to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Name of the program that made it.
    pub program: String,
    /// Version of that program.
    pub version: String,
    /// The arguments of that program.
    pub arguments: String,
    /// The meaning of the values, in words.
    pub values: String,
}

impl Provenance {
    /// The provenance of a generated book: everything that decides its contents,
    /// and nothing that differs from run to run.
    pub(crate) fn generated(size: Size, depth: u32, kind: ValueKind, encoding: Encoding) -> Self {
        let wdl = wdl_option(kind);
        let encoding = match encoding {
            Encoding::Flat => "",
            Encoding::Compact => " --encoding compact",
        };
        Provenance::new(kind, format!("generate --size {size} --depth {depth}{wdl}{encoding}"))
    }

    /// The arguments of a book that is cut from this one.
    pub(crate) fn packed_arguments(&self, depth: u32, kind: ValueKind) -> String {
        format!("{}; pack --depth {depth}{}", self.arguments, wdl_option(kind))
    }

    /// This program and version, asked to do this, with values of this kind.
    ///
    /// `arguments` should not contain anything that does not change the book, such as threads and
    /// paths: equal books should have equal bytes.
    pub fn new(kind: ValueKind, arguments: impl Into<String>) -> Self {
        Provenance {
            program: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: arguments.into(),
            values: match kind {
                ValueKind::Scores => {
                    "for the side to move: 0 draw, (cells + 2 - s) / 2 rounded down to win with \
                     the s-th stone of the game, the negative to lose by it"
                }
                ValueKind::WinDrawLoss => "for the side to move: 1 win, 0 draw, -1 loss",
            }
            .to_owned(),
        }
    }

    /// The provenance with escapes, such as `\u{1b}`, for characters that control a terminal or
    /// change the direction of text. No book that this library writes has any.
    #[must_use]
    pub fn escaped(&self) -> Self {
        let Provenance { program, version, arguments, values } = self;
        let [program, version, arguments, values] =
            [program, version, arguments, values].map(escaped);
        Provenance { program, version, arguments, values }
    }
}

/// How the command line asks for values of a kind. It is part of the bytes of books, which
/// may not change when the command line does.
const fn wdl_option(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Scores => "",
        ValueKind::WinDrawLoss => " --wdl",
    }
}

/// Where and how the values of one ply are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Number of stones of its positions.
    pub ply: u32,
    /// How the values are stored.
    pub encoding: Encoding,
    /// Bits of a value in the flat encoding, 1 to 6, on boards of more than 68 cells to 7; 0 of
    /// a compact section.
    pub bits: u8,
    /// The number that is added to a value before it is stored.
    pub bias: i8,
    /// Where it begins in the file, in bytes.
    pub offset: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// Number of slots of the ply.
    pub slots: u64,
    /// Number of slots that have a value.
    pub entries: u64,
}

/// The header of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) size: Size,
    pub(crate) kind: ValueKind,
    pub(crate) provenance: Provenance,
    pub(crate) sections: Vec<Section>,
}
