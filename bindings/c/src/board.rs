//! Boards and positions.

use crate::border;
use crate::status::{Failure, Status, call};
use library::board::notation::Notation;
use library::{Player, Position as Board, Size};
use std::ffi::c_char;

/// A position on a board of some size: a value, to be copied, and compared with `memcmp`. Functions
/// of this library make positions, and so can callers; every function refuses an invalid one with
/// FOURBOOK_STATUS_BAD_POSITION, or FOURBOOK_STATUS_BAD_SIZE if its board has no valid size.
///
/// The cell in column `c` and row `r`, both from 0, is bit `c * (height + 1) + r`. The first number
/// holds bits 0 to 63, the second one bits 64 to 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Position {
    /// The stones of the side to move.
    pub mover: [u64; 2],
    /// All stones.
    pub mask: [u64; 2],
    /// Columns of the board.
    pub width: u8,
    /// Rows of the board.
    pub height: u8,
    /// Zero in every position that this library makes, so that equal positions have equal bytes.
    /// Ignored in positions of callers.
    pub reserved: [u8; 6],
}

/// Facts about a position that follow from the rules.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct State {
    /// Stones on the board.
    pub ply: u8,
    /// Who is to move: 1, the first player, or 2.
    pub to_move: u8,
    /// The winner, 1 or 2; 0 if there is none.
    pub winner: u8,
    /// Whether the game is over: won, or the board full.
    pub over: bool,
    /// The columns that can be played: bit `c` for column `c`, from 0; none if the game is over.
    pub columns: u32,
    /// The cells of all lines of four of the winner, as bits of the board.
    pub winning_cells: [u64; 2],
}

impl Position {
    pub(crate) fn of(board: Board) -> Self {
        let size = board.size();
        Position {
            mover: halves(board.mover()),
            mask: halves(board.mask()),
            width: size.width() as u8,
            height: size.height() as u8,
            reserved: [0; 6],
        }
    }

    pub(crate) fn board(&self) -> Result<Board, Failure> {
        let size = size(self.width.into(), self.height.into())?;
        Ok(Board::from_bitboards(size, whole(self.mover), whole(self.mask))?)
    }
}

/// # Safety
///
/// As [`border::read`].
pub(crate) unsafe fn board(position: *const Position) -> Result<Board, Failure> {
    // SAFETY: `position` is null or valid for reads.
    unsafe { border::read(position, "position") }?.board()
}

fn size(width: u32, height: u32) -> Result<Size, Failure> {
    Ok(Size::new(width as usize, height as usize)?)
}

/// The size of an option; `None` if both numbers are 0.
pub(crate) fn size_if_given(width: u32, height: u32) -> Result<Option<Size>, Failure> {
    if (width, height) == (0, 0) { Ok(None) } else { size(width, height).map(Some) }
}

fn halves(bits: u128) -> [u64; 2] {
    [bits as u64, (bits >> 64) as u64]
}

fn whole([low, high]: [u64; 2]) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// The empty board of `width` columns and `height` rows, such as 7 and 6: at least 4 each, at
/// most 16 columns, and `width * (height + 1)` at most 128.
///
/// # Safety
///
/// `position` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_position_empty(
    width: u32,
    height: u32,
    position: *mut Position,
) -> Status {
    call(|| {
        let empty = Position::of(Board::empty(size(width, height)?));
        // SAFETY: `position` is null or valid for writes.
        unsafe { border::write(position, "position", empty) }
    })
}

/// The position that a text describes, in any notation that fourbook knows: moves such as
/// `4453` (columns from 1; `a` to `g` are the tenth to the sixteenth), a diagram, or a key such
/// as `key:4432676798593`.
///
/// # Safety
///
/// `text` is null or ends with a zero byte; `position` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_position_parse(
    width: u32,
    height: u32,
    text: *const c_char,
    position: *mut Position,
) -> Status {
    call(|| {
        // SAFETY: `text` is null or a text that ends with a zero byte.
        let board = Board::parse(size(width, height)?, unsafe { border::text(text, "text") }?)?;
        // SAFETY: `position` is null or valid for writes.
        unsafe { border::write(position, "position", Position::of(board)) }
    })
}

/// The position after a stone in `column`, from 0. `after` may be the same as `position`.
///
/// # Safety
///
/// `position` is null or valid for reads, `after` null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_position_play(
    position: *const Position,
    column: u32,
    after: *mut Position,
) -> Status {
    call(|| {
        // SAFETY: `position` is null or valid for reads.
        let played = unsafe { board(position) }?.try_play(column as usize)?;
        // SAFETY: `after` is null or valid for writes.
        unsafe { border::write(after, "after", Position::of(played)) }
    })
}

/// The mirror image, which is worth the same. `mirrored` may be the same as `position`.
///
/// # Safety
///
/// `position` is null or valid for reads, `mirrored` null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_position_mirrored(
    position: *const Position,
    mirrored: *mut Position,
) -> Status {
    call(|| {
        // SAFETY: `position` is null or valid for reads.
        let image = Position::of(unsafe { board(position) }?.mirrored());
        // SAFETY: `mirrored` is null or valid for writes.
        unsafe { border::write(mirrored, "mirrored", image) }
    })
}

/// Writes a position's key, which no other position on boards of its size has, as two numbers. The
/// first holds bits 0 to 63, the second bits 64 to 127, which are 0 on boards of at most 64 bits.
///
/// # Safety
///
/// `position` is null or valid for reads, `key` null or valid for writes of two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_position_key(position: *const Position, key: *mut u64) -> Status {
    call(|| {
        // SAFETY: `position` is null or valid for reads.
        let board = unsafe { board(position) }?;
        // SAFETY: by this function's contract; there is nothing that two numbers of
        // memory cannot be.
        unsafe { border::write(key.cast::<[u64; 2]>(), "key", halves(board.key())) }
    })
}

/// The position with a key, of two numbers.
///
/// # Safety
///
/// `key` is null or valid for reads of two numbers, `position` null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_position_from_key(
    width: u32,
    height: u32,
    key: *const u64,
    position: *mut Position,
) -> Status {
    call(|| {
        // SAFETY: `key` is null or valid for reads.
        let key = whole(*unsafe { border::read(key.cast::<[u64; 2]>(), "key") }?);
        let board = Board::from_key(size(width, height)?, key)?;
        // SAFETY: `position` is null or valid for writes.
        unsafe { border::write(position, "position", Position::of(board)) }
    })
}

/// Writes facts about a position that follow from the rules.
///
/// # Safety
///
/// `position` is null or valid for reads, `state` null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_position_state(
    position: *const Position,
    state: *mut State,
) -> Status {
    call(|| {
        // SAFETY: `position` is null or valid for reads.
        let board = unsafe { board(position) }?;
        let number = |player: Player| 1 + player as u8;
        let found = State {
            ply: board.ply() as u8,
            to_move: number(board.to_move()),
            winner: board.winner().map_or(0, number),
            over: board.is_over(),
            columns: board.legal_columns().fold(0, |columns, column| columns | 1 << column),
            winning_cells: halves(board.winning_stones()),
        };
        // SAFETY: `state` is null or valid for writes.
        unsafe { border::write(state, "state", found) }
    })
}

/// Writes a position in a notation, `moves`, `diagram`, `bitboards`, `rows` or `key`, with a
/// zero byte after it, into `capacity` bytes at `text`, and its length with that byte into `bytes`.
/// If `text` is null, only the length is written. If `capacity` is too small,
/// FOURBOOK_STATUS_BUFFER_TOO_SMALL is returned and nothing is written at `text`. `moves` writes some
/// game that leads to the position; it fails if no game does.
///
/// # Safety
///
/// `position` is null or valid for reads; `notation` is null or ends with a zero byte; `text` is
/// null or valid for writes of `capacity` bytes; `bytes` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_position_to_text(
    position: *const Position,
    notation: *const c_char,
    text: *mut c_char,
    capacity: usize,
    bytes: *mut usize,
) -> Status {
    call(|| {
        // SAFETY: `position` is null or valid for reads.
        let (board, name) = unsafe { (board(position)?, border::text(notation, "notation")?) };
        let written = name.parse::<Notation>()?.print(board)?;
        // SAFETY: `text` is null or has `capacity` bytes.
        unsafe { border::write_text(written, text, capacity, bytes) }
    })
}
