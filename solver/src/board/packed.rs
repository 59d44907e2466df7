//! A position in the smallest word that holds it, for code with inner loops.

use super::error::PositionError;
use super::player::Player;
use super::position::{Position, column_named};
use super::score::{Score, winning_score};
use super::size::Size;
use super::threats;
use super::word::{Geometry, Word};
use crate::ValueKind;

/// A [`Position`] in the word `B`, which holds its board.
///
/// Code with an inner loop is generic over the word: [`with_word!`](crate::with_word) chooses `u64`
/// where it suffices. A `Position` is a board in the largest word.
///
/// ```
/// use fourbook_solver::Position;
/// use fourbook_solver::board::Board;
/// let position = Position::from_moves("4453")?;
/// let board = Board::<u64>::of(position);
/// assert_eq!(u128::from(board.key()), position.key());
/// assert_eq!(board.widen(), position);
/// # Ok::<(), fourbook_solver::PositionError>(())
/// ```
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board<B: Word> {
    pub(super) geometry: &'static Geometry<B>,
    pub(super) mover: B,
    pub(super) mask: B,
}

impl Board<u64> {
    /// A position of 7x6 whose bitboards the caller knows to be one, with a board that
    /// compilers know to be constant: looking it up takes less time.
    #[inline(always)]
    pub fn standard(mover: u64, mask: u64) -> Self {
        static STANDARD: Geometry<u64> = u64::STANDARD;
        Board { geometry: &STANDARD, mover, mask }
    }
}

impl<B: Word> Board<B> {
    /// The empty board of a size.
    ///
    /// # Panics
    ///
    /// If the word is too small for the board.
    #[inline]
    pub fn start(size: Size) -> Self {
        Board { geometry: B::geometry(size), mover: B::ZERO, mask: B::ZERO }
    }

    /// The position with these bitboards, which the caller knows to be one.
    ///
    /// Other bitboards make a board without meaning: its scores are wrong, and methods may panic.
    /// [`Position::from_bitboards`] checks them.
    #[inline(always)]
    pub fn from_bitboards_unchecked(geometry: &'static Geometry<B>, mover: B, mask: B) -> Self {
        Board { geometry, mover, mask }
    }

    /// The size of the board.
    #[inline(always)]
    pub fn size(self) -> Size {
        self.geometry.size
    }

    /// The masks of the board.
    #[inline(always)]
    pub fn geometry(self) -> &'static Geometry<B> {
        self.geometry
    }

    /// Returns the board of a position.
    ///
    /// # Panics
    ///
    /// If the word is too small for the board.
    #[inline(always)]
    pub fn of(position: Position) -> Self {
        let Board { geometry, mover, mask } = position.0;
        let geometry = B::geometry(geometry.size);
        Board { geometry, mover: B::truncate(mover), mask: B::truncate(mask) }
    }

    /// Returns the board as a position.
    ///
    /// # Panics
    ///
    /// With debug assertions, if the board is no position; see
    /// [`from_bitboards_unchecked`](Self::from_bitboards_unchecked).
    #[must_use]
    #[inline(always)]
    pub fn widen(self) -> Position {
        debug_assert!(self.is_position(), "expected stones that two players have dropped by turns");
        let geometry = u128::geometry(self.size());
        Position(Board { geometry, mover: self.mover.widen(), mask: self.mask.widen() })
    }

    /// Whether the stones lie on one another and the players took turns.
    fn is_position(self) -> bool {
        let above = self.mask.wrapping_add(self.geometry.bottom);
        (self.mover & !self.mask | self.mask & (above | !self.geometry.board)).is_empty()
            && self.mover.count_ones() == self.ply() / 2
    }

    /// The stones of the side to move.
    #[inline(always)]
    pub fn mover(self) -> B {
        self.mover
    }

    /// The stones of both sides.
    #[inline(always)]
    pub fn mask(self) -> B {
        self.mask
    }

    /// The stones of the side that moved last.
    #[inline(always)]
    pub fn opponent(self) -> B {
        self.mover ^ self.mask
    }

    /// Number of stones on the board.
    #[inline(always)]
    pub fn ply(self) -> u32 {
        self.mask.count_ones()
    }

    /// A number that no other position of this size has: `mover + mask + bottom`.
    ///
    /// Adding `mask` and the bottom row puts a single bit on top of each
    /// column, the stones of the side to move fill in below it.
    ///
    /// Source: D. Herzberg, "Bitboards and Connect Four"; J. Tromp.
    #[inline(always)]
    pub fn key(self) -> B {
        // On the largest boards a full last column uses all bits and never more.
        self.mover.wrapping_add(self.mask).wrapping_add(self.geometry.bottom)
    }

    /// The smaller of this position's key and its mirror image's: the same for both.
    #[inline(always)]
    pub fn canonical_key(self) -> B {
        // Each column of the key stays within its bits, so the key mirrors like cells.
        self.key().min(self.geometry.mirrored(self.key()))
    }

    /// The mirror image: the first column becomes the last.
    #[must_use]
    #[inline(always)]
    pub fn mirrored(self) -> Self {
        Board {
            mover: self.geometry.mirrored(self.mover),
            mask: self.geometry.mirrored(self.mask),
            ..self
        }
    }

    /// This position or its mirror image, whichever has the smaller
    /// [key](Self::key): the same for both.
    #[must_use]
    #[inline(always)]
    pub fn canonical(self) -> Self {
        let mirror = self.mirrored();
        if self.key() <= mirror.key() { self } else { mirror }
    }

    /// The position after the side to move puts a stone on `cell`, one of
    /// [`possible_moves`](Self::possible_moves). The caller knows that the game is not over.
    #[inline(always)]
    pub fn play_cell(self, cell: B) -> Self {
        Board { mover: self.opponent(), mask: self.mask | cell, ..self }
    }

    /// The lowest empty cell of every column, whether the game is over or not.
    #[inline(always)]
    pub fn possible_moves(self) -> B {
        self.mask.wrapping_add(self.geometry.bottom) & self.geometry.board
    }

    /// The cells that the next stone may fill: none if the game is over.
    #[inline(always)]
    pub fn legal_moves(self) -> B {
        if self.is_won() { B::ZERO } else { self.possible_moves() }
    }

    /// The threats of the side to move.
    #[inline(always)]
    pub fn winning_cells(self) -> B {
        threats::winning_cells(self.geometry, self.mover, self.mask)
    }

    /// The threats of the side that moved last.
    #[inline(always)]
    pub fn opponent_winning_cells(self) -> B {
        threats::winning_cells(self.geometry, self.opponent(), self.mask)
    }

    /// Whether the side to move wins with its next stone; `false` if the game is over.
    #[inline(always)]
    pub fn can_win_at_once(self) -> bool {
        !(self.winning_cells() & self.possible_moves()).is_empty() && !self.is_won()
    }

    /// The moves after which the opponent cannot win with the next stone. A forced reply is the
    /// only such move; no move below a winning cell of the opponent is one.
    ///
    /// Call this only if the side to move cannot win at once: winning moves may be left out.
    #[inline(always)]
    pub fn non_losing_moves(self) -> B {
        threats::non_losing_moves(self.possible_moves(), self.opponent_winning_cells())
    }

    /// Whether the side that moved last has four in a line.
    #[inline(always)]
    pub fn is_won(self) -> bool {
        threats::has_four(self.geometry, self.opponent())
    }

    /// Whether the board is full.
    #[inline(always)]
    pub fn is_full(self) -> bool {
        self.mask == self.geometry.board
    }

    /// The score, if the rules give it without a search: the game has ended, or the side to move
    /// wins with its next stone.
    #[inline(always)]
    pub fn score_by_rules(self) -> Option<Score> {
        let cells = self.size().cells();
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
    pub fn children(self) -> impl ExactSizeIterator<Item = Option<Self>> {
        let moves = self.legal_moves();
        (0..self.size().width()).map(move |column| {
            let cell = moves & self.geometry.column(column);
            (!cell.is_empty()).then(|| self.play_cell(cell))
        })
    }

    /// The stones of a player.
    #[inline(always)]
    pub fn stones(self, player: Player) -> B {
        if self.to_move() == player { self.mover } else { self.opponent() }
    }

    /// The player who moves next; meaningless in a finished game.
    #[inline(always)]
    pub fn to_move(self) -> Player {
        Player::to_move_at(self.ply())
    }

    /// The threats of a player: empty cells that complete four, whether they can be
    /// played now or not.
    pub fn threats(self, player: Player) -> B {
        threats::winning_cells(self.geometry, self.stones(player), self.mask)
    }

    /// Whether the game has ended.
    #[inline(always)]
    pub fn is_over(self) -> bool {
        self.is_won() || self.is_full()
    }

    /// The board after these moves, as [`Position::play_moves`] reads them.
    pub(super) fn play_moves(self, moves: &str) -> Result<Self, PositionError> {
        // With the board of 7x6 as a constant, this takes less than half the time.
        let played = match self.size() == Size::STANDARD {
            true => self.play_on(&B::STANDARD, moves),
            false => self.play_on(self.geometry, moves),
        };
        played.ok_or_else(|| self.widen().first_error(moves))
    }

    /// The board after these moves, if all can be played. `geometry` is that of the board.
    #[inline(always)]
    fn play_on(self, geometry: &Geometry<B>, moves: &str) -> Option<Self> {
        let mut before = B::ZERO;
        let mut mover = self.mover;
        let mut mask = self.mask;
        for name in moves.bytes() {
            let column = column_named(name.into(), geometry.size.width())?;
            let cell = mask.wrapping_add(geometry.bottom) & geometry.column(column);
            if cell.is_empty() {
                return None;
            }
            (before, mover, mask) = (mover, mover ^ mask, mask | cell);
        }
        // A line of four stays on the board, so one check covers all moves but the last.
        let is_over = [before, mover].into_iter().any(|stones| threats::has_four(geometry, stones));
        (moves.is_empty() || !is_over).then_some(Board { mover, mask, ..self })
    }

    /// Returns the value of a position that the rules do not score: the best of its moves. `after`
    /// returns the opponent's value after a move that leaves the opponent no win with the next stone.
    #[inline(always)]
    pub fn value_of_best_move<E>(
        self,
        kind: ValueKind,
        mut after: impl FnMut(Self) -> Result<Score, E>,
    ) -> Result<Score, E> {
        let mut moves = self.non_losing_moves();
        if moves.is_empty() {
            // Whatever is played, the opponent wins with the stone after.
            return Ok(kind.of(-winning_score(self.size().cells(), self.ply() + 2)));
        }
        let mut best = Score::MIN;
        while !moves.is_empty() {
            let child = self.play_cell(moves.lowest());
            moves = moves.without_lowest();
            let value = if child.is_full() { 0 } else { after(child)? };
            best = best.max(value.saturating_neg());
        }
        Ok(best)
    }
}
