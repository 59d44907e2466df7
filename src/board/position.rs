//! A position: whose stones stand where, and how it is told from any other.

use super::geometry::Geometry;
use super::score::{Score, winning_score};
use super::threats;

/// A position on a `W` x `H` board, as two bitboards.
///
/// `position` holds the stones of the side to move, `mask` all stones. The
/// first player moves at even plies. Every `Position` respects gravity, and
/// the side to move has as many stones as the other or one fewer.
///
/// ```
/// use fourbook::board::Position;
/// let position = Position::<7, 6>::from_moves("4453")?;
/// assert_eq!(position.ply(), 4);
/// assert!(position.can_play(3));
/// # Ok::<(), fourbook::board::MoveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position<const W: usize, const H: usize> {
    position: u64,
    mask: u64,
}

/// Two bitboards that are no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A stone of the side to move is missing from the mask of all stones.
    #[error("the side to move has a stone where the mask of all stones has none")]
    StoneOutsideMask,
    /// A stone stands outside the board.
    #[error("there is a stone outside the board (in the guard row or past the last column)")]
    OutsideBoard,
    /// A key says nothing about a column.
    #[error("the key has no bit that marks the top of column {column} (from 1)")]
    NoTopBit {
        /// The column, from 1.
        column: usize,
    },
    /// A stone hangs in the air.
    #[error(
        "the stone in column {column} (from 1), row {row} (from the bottom, from 1) has no stone below it"
    )]
    Floating {
        /// Column of the stone, from 1.
        column: usize,
        /// Row of the stone, from 1 at the bottom.
        row: usize,
    },
    /// The players do not have the numbers of stones that taking turns gives.
    #[error(
        "the first player has {first} stones and the second {second}; taking turns, they have equal numbers or the first has one more"
    )]
    Turns {
        /// Stones of the first player.
        first: u32,
        /// Stones of the second player.
        second: u32,
    },
    /// A line of four was on the board before the last stone.
    #[error(
        "the game was over before the last stone: {0} has four in a line and it is not the stone of the last move that made it"
    )]
    OverBefore(&'static str),
}

/// A move in a list that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} ('{}') {reason}", .text.escape_debug())]
pub struct MoveError {
    /// Which move, from 1.
    pub number: usize,
    /// What stands there.
    pub text: char,
    /// What is wrong with it.
    pub reason: MoveErrorReason,
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveErrorReason {
    /// Not a column.
    #[error("is not a column; expected a digit from 1 to {width}")]
    NoColumn {
        /// Number of columns of the board.
        width: usize,
    },
    /// The column is full.
    #[error("goes to a full column; a column holds {height} stones")]
    FullColumn {
        /// Number of rows of the board.
        height: usize,
    },
    /// The game has ended before.
    #[error("comes after the end of the game: the move before it made four in a line")]
    GameOver,
}

impl<const W: usize, const H: usize> Position<W, H> {
    /// The empty board.
    pub const EMPTY: Self = Position { position: 0, mask: 0 };

    /// The position with these stones of the side to move and these stones in all.
    ///
    /// # Errors
    ///
    /// If no game can look like this: stones outside the board or in the air,
    /// numbers of stones that taking turns does not give, or a line of four that
    /// the last stone has not made (it would have ended the game before).
    pub fn from_bitboards(position: u64, mask: u64) -> Result<Self, BoardError> {
        if position & !mask != 0 {
            return Err(BoardError::StoneOutsideMask);
        }
        if mask & !Geometry::<W, H>::BOARD != 0 {
            return Err(BoardError::OutsideBoard);
        }
        let unsupported = mask & !Geometry::<W, H>::BOTTOM & !(mask << 1);
        if unsupported != 0 {
            let bit = unsupported.trailing_zeros() as usize;
            return Err(BoardError::Floating { column: bit / (H + 1) + 1, row: bit % (H + 1) + 1 });
        }
        let ply = mask.count_ones();
        let to_move = position.count_ones();
        if to_move != ply / 2 {
            let (first, second) = if ply.is_multiple_of(2) {
                (to_move, ply - to_move)
            } else {
                (ply - to_move, to_move)
            };
            return Err(BoardError::Turns { first, second });
        }
        let result = Position { position, mask };
        if threats::has_four::<W, H>(position) {
            let side = if ply.is_multiple_of(2) { "the first player" } else { "the second player" };
            return Err(BoardError::OverBefore(side));
        }
        if result.is_won() && !result.last_stone_can_have_won() {
            let side = if ply.is_multiple_of(2) { "the second player" } else { "the first player" };
            return Err(BoardError::OverBefore(side));
        }
        Ok(result)
    }

    /// Whether one stone of the side that moved last, on top of its column,
    /// is part of every line of four.
    fn last_stone_can_have_won(self) -> bool {
        let tops = self.mask & !(self.mask >> 1);
        let mut candidates = tops & self.opponent();
        while candidates != 0 {
            let stone = candidates & candidates.wrapping_neg();
            if !threats::has_four::<W, H>(self.opponent() & !stone) {
                return true;
            }
            candidates &= candidates - 1;
        }
        false
    }

    /// The position with these bitboards, which the caller knows to be one.
    #[inline(always)]
    pub(crate) const fn from_bitboards_unchecked(position: u64, mask: u64) -> Self {
        Position { position, mask }
    }

    /// The position after these moves from the empty board: columns from 1,
    /// one digit a move. The empty text is the empty board.
    ///
    /// # Errors
    ///
    /// At the first move that cannot be played.
    pub fn from_moves(moves: &str) -> Result<Self, MoveError> {
        let mut position = Self::EMPTY;
        for (index, text) in moves.chars().enumerate() {
            let error = |reason| MoveError { number: index + 1, text, reason };
            let column = match text.to_digit(10) {
                Some(digit) if (1..=W).contains(&(digit as usize)) => digit as usize - 1,
                _ => return Err(error(MoveErrorReason::NoColumn { width: W })),
            };
            if position.is_won() {
                return Err(error(MoveErrorReason::GameOver));
            }
            if !position.can_play(column) {
                return Err(error(MoveErrorReason::FullColumn { height: H }));
            }
            position = position.play(column);
        }
        Ok(position)
    }

    /// The stones of the side to move.
    #[must_use]
    #[inline(always)]
    pub const fn position(self) -> u64 {
        self.position
    }

    /// The stones of both sides.
    #[must_use]
    #[inline(always)]
    pub const fn mask(self) -> u64 {
        self.mask
    }

    /// The stones of the side that moved last.
    #[must_use]
    #[inline(always)]
    pub const fn opponent(self) -> u64 {
        self.position ^ self.mask
    }

    /// The stones of the first player.
    #[must_use]
    pub const fn first_player(self) -> u64 {
        if self.ply().is_multiple_of(2) { self.position } else { self.opponent() }
    }

    /// The stones of the second player.
    #[must_use]
    pub const fn second_player(self) -> u64 {
        self.first_player() ^ self.mask
    }

    /// Number of stones on the board.
    #[must_use]
    #[inline(always)]
    pub const fn ply(self) -> u32 {
        self.mask.count_ones()
    }

    /// Number of stones in `column` (from 0).
    ///
    /// # Panics
    ///
    /// If there is no such column.
    #[must_use]
    pub const fn height(self, column: usize) -> usize {
        assert!(column < W);
        (self.mask & Geometry::<W, H>::column(column)).count_ones() as usize
    }

    /// A number that no other position of this size has: `position + mask + bottom`.
    ///
    /// Adding `mask` and the bottom row puts a single bit on top of each
    /// column, the stones of the side to move fill in below it.
    ///
    /// Source: D. Herzberg, "Bitboards and Connect Four"; J. Tromp.
    #[must_use]
    #[inline(always)]
    pub const fn key(self) -> u64 {
        // On the largest board a full last column uses all 64 bits and never more.
        self.position.wrapping_add(self.mask).wrapping_add(Geometry::<W, H>::BOTTOM)
    }

    /// The smaller of this position's key and its mirror image's: the same for both.
    #[must_use]
    #[inline(always)]
    pub const fn canonical_key(self) -> u64 {
        // Each column of the key stays within its bits, so the key mirrors like cells.
        let (key, mirror) = (self.key(), Geometry::<W, H>::mirrored(self.key()));
        if key < mirror { key } else { mirror }
    }

    /// The position with this [key](Self::key).
    ///
    /// # Errors
    ///
    /// If no position has it.
    pub fn from_key(key: u64) -> Result<Self, BoardError> {
        let (mut position, mut mask) = (0, 0);
        for column in 0..W {
            let shift = column * Geometry::<W, H>::COLUMN_BITS;
            let bits = (key >> shift) & ((1 << (H + 1)) - 1);
            if bits == 0 {
                return Err(BoardError::NoTopBit { column: column + 1 });
            }
            let top = 1 << bits.ilog2();
            position |= (bits - top) << shift;
            mask |= (top - 1) << shift;
        }
        if W * (H + 1) < 64 && key >> (W * (H + 1)) != 0 {
            return Err(BoardError::OutsideBoard);
        }
        Self::from_bitboards(position, mask)
    }

    /// The mirror image: the first column becomes the last.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Position {
            position: Geometry::<W, H>::mirrored(self.position),
            mask: Geometry::<W, H>::mirrored(self.mask),
        }
    }

    /// This position or its mirror image, whichever has the smaller
    /// [key](Self::key): the same for both.
    #[must_use]
    #[inline(always)]
    pub const fn canonical(self) -> Self {
        let mirror = self.mirrored();
        if self.key() <= mirror.key() { self } else { mirror }
    }

    /// Whether a stone fits into `column` (from 0). No column can be played
    /// if there is no such column; a finished game is not looked at.
    #[must_use]
    #[inline]
    pub const fn can_play(self, column: usize) -> bool {
        column < W && self.mask & (Geometry::<W, H>::bottom(column) << (H - 1)) == 0
    }

    /// The position after the side to move puts a stone into `column` (from 0).
    ///
    /// # Panics
    ///
    /// If the column is full or there is none ([`can_play`](Self::can_play)).
    #[must_use]
    #[inline]
    pub const fn play(self, column: usize) -> Self {
        assert!(self.can_play(column), "the column is full or there is none");
        self.play_cell(
            (self.mask + Geometry::<W, H>::bottom(column)) & Geometry::<W, H>::column(column),
        )
    }

    /// The position after the side to move puts a stone on `cell`, one of
    /// [`possible_moves`](Self::possible_moves).
    #[must_use]
    #[inline(always)]
    pub(crate) const fn play_cell(self, cell: u64) -> Self {
        Position { position: self.opponent(), mask: self.mask | cell }
    }

    /// The cells a stone can be put on: the lowest empty one of every column.
    #[must_use]
    #[inline(always)]
    pub const fn possible_moves(self) -> u64 {
        self.mask.wrapping_add(Geometry::<W, H>::BOTTOM) & Geometry::<W, H>::BOARD
    }

    /// The threats of the side to move: empty cells that complete its four,
    /// whether they can be played now or not.
    #[must_use]
    #[inline(always)]
    pub fn winning_cells(self) -> u64 {
        threats::winning_cells::<W, H>(self.position, self.mask)
    }

    /// The threats of the side that moved last.
    #[must_use]
    #[inline(always)]
    pub fn opponent_winning_cells(self) -> u64 {
        threats::winning_cells::<W, H>(self.opponent(), self.mask)
    }

    /// Whether the side to move wins with its next stone.
    #[must_use]
    #[inline(always)]
    pub fn can_win_at_once(self) -> bool {
        self.winning_cells() & self.possible_moves() != 0
    }

    /// The moves that do not let the opponent win with the next stone; see
    /// [`threats::non_losing_moves`].
    #[must_use]
    #[inline(always)]
    pub fn non_losing_moves(self) -> u64 {
        threats::non_losing_moves(self.possible_moves(), self.opponent_winning_cells())
    }

    /// Whether the side that moved last has four in a line.
    #[must_use]
    #[inline(always)]
    pub fn is_won(self) -> bool {
        threats::has_four::<W, H>(self.opponent())
    }

    /// Whether the board is full.
    #[must_use]
    #[inline(always)]
    pub const fn is_full(self) -> bool {
        self.mask == Geometry::<W, H>::BOARD
    }

    /// Whether the game has ended.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.is_won() || self.is_full()
    }

    /// The score where the rules say it without any search: the game has
    /// ended, or the side to move wins with its next stone.
    #[must_use]
    #[inline]
    pub fn score_by_rules(self) -> Option<Score> {
        let cells = Geometry::<W, H>::CELLS;
        if self.is_won() {
            Some(-winning_score(cells, self.ply()))
        } else if self.is_full() {
            Some(0)
        } else if self.can_win_at_once() {
            Some(winning_score(cells, self.ply() + 1))
        } else {
            None
        }
    }

    /// The positions after each move, by column from 0; `None` where the
    /// column is full or the game is over.
    #[must_use]
    pub fn children(self) -> [Option<Self>; W] {
        let over = self.is_over();
        std::array::from_fn(|column| (!over && self.can_play(column)).then(|| self.play(column)))
    }
}

impl<const W: usize, const H: usize> Default for Position<W, H> {
    fn default() -> Self {
        Self::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Standard = Position<7, 6>;

    #[test]
    fn a_move_into_a_full_column_is_named() {
        let error = Standard::from_moves("4444444").unwrap_err();
        assert_eq!(error.number, 7);
        assert_eq!(
            error.to_string(),
            "move 7 ('4') goes to a full column; a column holds 6 stones"
        );
    }

    #[test]
    fn a_move_after_the_end_is_named() {
        let error = Standard::from_moves("12121213").unwrap_err();
        assert_eq!((error.number, error.reason), (8, MoveErrorReason::GameOver));
    }

    #[test]
    fn what_is_no_column_is_named() {
        let error = Standard::from_moves("4x").unwrap_err();
        assert_eq!(error.to_string(), "move 2 ('x') is not a column; expected a digit from 1 to 7");
    }

    #[test]
    fn bitboards_that_are_no_position_are_refused() {
        let floating = Geometry::<7, 6>::cell(2, 1);
        assert_eq!(
            Standard::from_bitboards(0, floating),
            Err(BoardError::Floating { column: 3, row: 2 })
        );
        assert_eq!(Standard::from_bitboards(2, 1), Err(BoardError::StoneOutsideMask));
        assert_eq!(Standard::from_bitboards(0, 1 << 6), Err(BoardError::OutsideBoard));
        assert_eq!(Standard::from_bitboards(3, 3), Err(BoardError::Turns { first: 2, second: 0 }));
    }

    #[test]
    fn two_lines_that_no_single_stone_made_are_refused() {
        // Four of the second player in columns 1 and 2, four and four of the first beside.
        let column = |c: usize| 0b1111 << (7 * c);
        let theirs = column(0) | column(1);
        let row = |c| Geometry::<7, 6>::cell(c, 0) | Geometry::<7, 6>::cell(c, 1);
        let ours = row(2) | row(3) | row(4) | row(6);
        assert_eq!(
            Standard::from_bitboards(ours, ours | theirs),
            Err(BoardError::OverBefore("the second player"))
        );
    }

    #[test]
    fn the_key_leads_back_to_the_position() {
        for moves in ["", "4", "4453", "444444", "1234567123", "226744515337"] {
            let position = Standard::from_moves(moves).unwrap();
            assert_eq!(Standard::from_key(position.key()), Ok(position), "{moves}");
        }
        assert!(Standard::from_key(0).is_err());
        assert!(Standard::from_key(u64::MAX).is_err());
    }

    #[test]
    fn rules_alone_score_the_end_and_the_move_before() {
        assert_eq!(Standard::from_moves("1212121").unwrap().score_by_rules(), Some(-18));
        assert_eq!(Standard::from_moves("121212").unwrap().score_by_rules(), Some(18));
        assert_eq!(Standard::from_moves("12121").unwrap().score_by_rules(), None);
    }
}
