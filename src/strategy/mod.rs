//! Strategies: one side's perfect opening, in kilobytes.
//!
//! A book has a value for every position. A player who plays perfectly meets very few of them, as
//! only the opponent's choices branch. A [`Strategy`] has one move for each position that its player
//! meets to a ply. The file has the moves alone: the positions follow from them.
//! `docs/src/format.md` describes it byte by byte.
//!
//! [`Strategy::embedded_for`] has the strategies in the library.
//!
//! WeakC4 (2026) is a strategy for the first player of 7x6, as a picture.

#[cfg(feature = "generate")]
mod bot;
#[cfg(feature = "generate")]
mod check;
mod coder;
mod embedded;
#[cfg(feature = "generate")]
mod make;
mod moves;
#[cfg(feature = "generate")]
mod solved;

#[cfg(feature = "generate")]
pub use {
    bot::{Language, bot},
    check::{StrategyCheck, verify},
    make::{StrategyPlan, StrategyReport, make},
};

use crate::book::{BookError, described, open_file, other_file};
use crate::envelope::{Envelope, EnvelopeError};
use coder::{Bits, Decoder};
use fourbook_solver::board::{Player, Position, Score, ScoreBounds, Size, Word};
use fourbook_solver::text::count;
use fourbook_solver::{ValueKind, with_word};
use moves::{Entry, Met, code_ply, first_met, next_met};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// How a strategy begins.
const ENVELOPE: Envelope = Envelope { magic: *b"\x894PLAY\r\n", version: 1, most_bytes: 64 };

/// The most positions of a strategy, for its memory.
const MOST_POSITIONS: u32 = 1 << 24;

/// More bytes than a strategy has.
const MOST_BYTES: u64 = 1 << 26;

/// The header of a strategy's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    width: u8,
    height: u8,
    player: Player,
    kind: ValueKind,
    /// The ply of the last moves.
    depth: u32,
    /// Whether there are values beside the moves.
    has_values: bool,
    /// The value of the empty board for the player.
    value: Score,
    /// The number of positions.
    positions: u32,
    /// The CRC-32 of the bytes behind the header.
    checksum: u32,
}

impl Header {
    /// The outcome or score that the moves keep, and whether values stand beside them.
    fn kept(&self) -> String {
        let values = if self.has_values { ", with the values of its positions" } else { "" };
        format!("{}{values}", self.kind)
    }
}

/// The contents of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrategyInfo {
    /// The board.
    pub size: Size,
    /// The player whose moves it has.
    pub player: Player,
    /// The ply of the last moves.
    pub depth: u32,
    /// Whether the moves keep exact scores, or outcomes only.
    pub kind: ValueKind,
    /// Whether there are values beside the moves.
    pub has_values: bool,
    /// The value of the empty board for the player.
    pub value: Score,
    /// The number of positions of each ply, the first one first.
    pub plies: Vec<StrategyPly>,
}

/// The positions of one ply of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrategyPly {
    /// The number of stones.
    pub ply: u32,
    /// The positions that the player meets, one of two mirror images, without positions won with
    /// the next stone.
    pub positions: u64,
}

/// The moves of a ply, and the keys of their positions in ascending order.
#[derive(Debug)]
struct Ply {
    keys: Vec<u128>,
    entries: Vec<Entry>,
}

/// One side's perfect opening: a move for each position that its player meets to a ply.
///
/// It keeps the [value](Strategy::value) of the empty board, and wins what the opponent gives away:
/// each move is a best one. A clone shares the moves.
///
/// ```no_run
/// use fourbook::{Position, Strategy};
/// let strategy = Strategy::open("books/strategies/7x6-first-d16.strategy")?;
/// assert_eq!(strategy.best_move(Position::default()), Some(3));
/// # Ok::<(), fourbook::book::BookError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Strategy {
    size: Size,
    header: Header,
    /// The bytes behind the header.
    moves: Arc<[u8]>,
    expanded: Arc<OnceLock<Vec<Ply>>>,
}

impl Strategy {
    /// Opens the strategy at `path`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is no strategy, or is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Strategy, BookError> {
        let path = path.as_ref();
        let mut bytes = Vec::new();
        let read = open_file(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
        read.map_err(BookError::io("read", path))?;
        Strategy::from_bytes(&bytes)
            .map_err(|fault| BookError::File { path: path.to_owned(), source: Box::new(fault) })
    }

    /// The strategy in the bytes of a file.
    ///
    /// # Errors
    ///
    /// If they are no strategy, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Strategy, BookError> {
        let strategy = Self::unexpanded(bytes)?;
        let plies = strategy.expand()?;
        Ok(Strategy { expanded: Arc::new(plies.into()), ..strategy })
    }

    /// The strategy in the bytes of a file, whose moves are expanded when a position is looked up.
    fn unexpanded(bytes: &[u8]) -> Result<Strategy, BookError> {
        let opened = ENVELOPE.open::<Header>(bytes).map_err(|problem| unusable(problem, bytes))?;
        let header = opened.content;
        let moves = &bytes[opened.bytes..];
        let size = Size::checked(header.width.into(), header.height.into());
        let plies = |size: Size| first_ply(header.player)..size.cells();
        let size = size.filter(|&size| plies(size).contains(&header.depth));
        let size = size.filter(|_| header.positions <= MOST_POSITIONS);
        let Some(size) = size else {
            return Err(damaged("a board, and a ply of it", "others"));
        };
        let checksum = crc32fast::hash(moves);
        if checksum != header.checksum {
            let expected = format_args!("the checksum of the moves to be {:08x}", header.checksum);
            return Err(damaged(expected, format_args!("{checksum:08x}")));
        }
        Ok(Strategy { size, header, moves: moves.into(), expanded: Arc::default() })
    }

    fn expand(&self) -> Result<Vec<Ply>, BookError> {
        with_word!(self.size, B => decode::<B>(self.size, &self.header, &self.moves))
    }

    fn plies(&self) -> &[Ply] {
        self.expanded.get_or_init(|| self.expand().expect("the moves were checked before"))
    }

    /// The board size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The player whose moves it has.
    pub fn player(&self) -> Player {
        self.header.player
    }

    /// What its moves keep: exact scores, or outcomes only.
    pub fn kind(&self) -> ValueKind {
        self.header.kind
    }

    /// The ply of its last moves: the number of stones before them.
    pub fn depth(&self) -> u32 {
        self.header.depth
    }

    /// Whether it has the values of its positions.
    pub fn has_values(&self) -> bool {
        self.header.has_values
    }

    /// The value of the empty board for [its player](Self::player), of its [kind](Self::kind).
    pub fn value(&self) -> Score {
        self.header.value
    }

    /// The bounds that it proves of the score of a position that the rules do not score: its player gets
    /// at least the value of the empty board wherever it has the position, or all that follow. `None` if
    /// it does not have them.
    pub(crate) fn bounds(&self, position: Position) -> Option<ScoreBounds> {
        let least = self.kind().bounds(self.value()).min;
        if position.to_move() == self.player() {
            self.find(position)?;
            return Some(ScoreBounds { min: least, max: Score::MAX });
        }
        let mut has_one = false;
        for reply in position.children().flatten() {
            if self.find(reply).is_some() {
                has_one = true;
            } else if !reply.can_win_at_once() {
                return None;
            }
        }
        // Where it has a reply, a win with the next stone is no later than the one it keeps.
        has_one.then_some(ScoreBounds { min: Score::MIN, max: least.saturating_neg() })
    }

    /// The checksum of its moves, which differs between strategies with different moves.
    pub fn identity(&self) -> u32 {
        self.header.checksum
    }

    /// Returns the contents of the strategy: all but the moves.
    pub fn info(&self) -> StrategyInfo {
        let Header { player, depth, kind, has_values, value, .. } = self.header;
        let plies = (first_ply(player)..).step_by(2).zip(self.plies());
        let size = self.size;
        let plies = plies
            .map(|(ply, moves)| StrategyPly { ply, positions: moves.keys.len() as u64 })
            .collect();
        StrategyInfo { size, player, depth, kind, has_values, value, plies }
    }

    /// The column (from 0) that the player plays; `None` if the strategy does not have the position.
    ///
    /// Whoever follows it from the empty board always has a move to its [depth](Self::depth), but
    /// for the last stone of a win.
    pub fn best_move(&self, position: Position) -> Option<usize> {
        let column = usize::from(self.find(position)?.column);
        let is_mirrored = position.canonical() != position;
        Some(if is_mirrored { self.size.width() - 1 - column } else { column })
    }

    /// The value of a position that the player meets, of the strategy's [kind](Self::kind); `None` if it
    /// does not have it.
    pub fn look_up(&self, position: Position) -> Option<Score> {
        Some(self.find(position).filter(|_| self.has_values())?.value)
    }

    /// Whether the file at `path` begins as a strategy.
    pub fn is_at(path: &Path) -> bool {
        let mut magic = [0; 8];
        let read = open_file(path).and_then(|mut file| file.read_exact(&mut magic));
        read.is_ok() && magic == ENVELOPE.magic
    }

    fn find(&self, position: Position) -> Option<Entry> {
        let ply = position.ply().checked_sub(first_ply(self.header.player))?;
        if position.size() != self.size || ply % 2 == 1 || ply > self.header.depth {
            return None;
        }
        let ply = self.plies().get(ply as usize / 2)?;
        let place = ply.keys.binary_search(&position.canonical_key()).ok()?;
        Some(ply.entries[place])
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Header { player, depth, .. } = self.header;
        write!(f, "{} for {player} to ply {depth}, {}", self.size, self.header.kept())
    }
}

/// The first ply in which a player is to move.
fn first_ply(player: Player) -> u32 {
    u32::from(player == Player::O)
}

/// The name of a player in files and bots.
#[cfg(feature = "generate")]
fn side(player: Player) -> &'static str {
    match player {
        Player::X => "first",
        Player::O => "second",
    }
}

/// The error of bytes that are no strategy of this version.
fn unusable(problem: EnvelopeError, bytes: &[u8]) -> BookError {
    match problem {
        EnvelopeError::Magic => {
            let unknown = (&*described(bytes), "name another file");
            let (found, advice) = other_file(bytes).unwrap_or(unknown);
            BookError::format("a strategy, which 'fourbook strategy' makes", found, advice)
        }
        EnvelopeError::Version { expected, found } => {
            let expected = format_args!("version {expected} of the format of strategies");
            let advice = "make it again with this version of the program";
            BookError::format(expected, format_args!("version {found}"), advice)
        }
        EnvelopeError::Damaged { expected, found } => damaged(expected, found),
    }
}

fn damaged(expected: impl ToString, found: impl ToString) -> BookError {
    BookError::format(expected, found, "the strategy is damaged; fetch or make it again")
}

/// Reads the moves, and plays them to find the positions.
fn decode<B: Word>(size: Size, header: &Header, moves: &[u8]) -> Result<Vec<Ply>, BookError> {
    let mut left = header.positions as usize;
    let plies = code_plies(&mut Decoder::new(moves), size, header, |_, met: &[Met<B>]| {
        left = left.checked_sub(met.len()).ok_or_else(|| other_number(header, "more"))?;
        Ok::<_, BookError>(Vec::new())
    })?;
    if left > 0 { Err(other_number(header, "fewer")) } else { Ok(plies) }
}

/// Codes the moves of all plies that `wanted` returns for the positions of each, or decodes moves.
fn code_plies<B: Word, E>(
    bits: &mut impl Bits,
    size: Size,
    header: &Header,
    mut wanted: impl FnMut(u32, &[Met<B>]) -> Result<Vec<Entry>, E>,
) -> Result<Vec<Ply>, E> {
    let Header { player, kind, depth, has_values, .. } = *header;
    let mut met = first_met(size, player, kind);
    let mut plies = Vec::new();
    for ply in (first_ply(player)..=depth).step_by(2) {
        let wanted = wanted(ply, &met)?;
        let entries = code_ply(bits, &met, has_values.then_some(kind), &wanted);
        let keys = met.iter().map(|met| met.board.key().widen()).collect();
        if ply < depth {
            met = next_met(&met, &entries);
        }
        plies.push(Ply { keys, entries });
    }
    Ok(plies)
}

/// The error of moves that lead to another number of positions than the header has.
fn other_number(header: &Header, found: &str) -> BookError {
    damaged(count(header.positions, "position"), found)
}
