//! A position: the stones of both players, and its unique key.

use super::cell::Cell;
use super::error::PositionError;
use super::notation::Notation;
use super::packed::Board;
use super::player::Player;
use super::score::{Score, plies_to_end};
use super::size::{Size, SizeError};
use super::threats;
use super::word::Word;
use crate::splitmix::SplitMix;
use crate::text::count;
use crate::with_word;
use serde::{Deserialize, Serialize};

/// A position, as two bitboards: the stones of the side to move, and all stones.
///
/// The cell at (`column`, `row`), both from 0, is bit `(height + 1) * column + row`; the
/// bit above the top row of each column is always empty. The first player moves at even
/// plies. Every `Position` respects gravity, and the side to move has as many stones as
/// the other or one fewer. Positions are ordered by size first; then the order means
/// nothing but is always the same.
///
/// ```
/// use fourbook_solver::{Position, Size};
/// let position = Position::from_moves("4453")?;
/// assert_eq!((position.size(), position.ply()), (Size::STANDARD, 4));
/// assert!(position.can_play(3));
///
/// let larger = Position::empty(Size::new(10, 10)?).play_moves("5a")?;
/// assert_eq!(larger.height(9), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Serialised, it is its size and its [key](Self::key), in decimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "Record", try_from = "Record")]
pub struct Position(pub(crate) Board<u128>);

/// A position as it is serialised. The key is a text because readers of JSON round large numbers.
#[derive(Serialize, Deserialize)]
struct Record {
    size: Size,
    key: String,
}

impl From<Position> for Record {
    fn from(position: Position) -> Self {
        Record { size: position.size(), key: position.key().to_string() }
    }
}

impl TryFrom<Record> for Position {
    type Error = PositionError;

    fn try_from(record: Record) -> Result<Self, PositionError> {
        Notation::Key.parse(record.size, &record.key)
    }
}

/// The character that stands for a column (from 0) in moves: 1 to 9, then a to g; `?` for columns
/// that no board has and that have no letter.
pub fn column_name(column: usize) -> char {
    char::from_digit(column.saturating_add(1).min(36) as u32, 36).unwrap_or('?')
}

/// The column (from 0) that a character of moves stands for; small letters or capitals.
pub(super) fn column_named(name: char, width: usize) -> Option<usize> {
    let number = name.to_digit(36)? as usize;
    (1..=width).contains(&number).then(|| number - 1)
}

impl Position {
    /// The empty board of a size.
    pub fn empty(size: Size) -> Self {
        Position(Board::start(size))
    }

    /// A position with `ply` stones that random moves reach, none of which wins. The same `seed` gives
    /// the same position everywhere.
    ///
    /// ```
    /// use fourbook_solver::{Position, Size};
    /// let position = Position::random(Size::STANDARD, 12, 1);
    /// assert_eq!((position.ply(), position.is_over()), (12, false));
    /// assert_eq!(position, Position::random(Size::STANDARD, 12, 1));
    /// ```
    ///
    /// # Panics
    ///
    /// If the board has fewer cells.
    pub fn random(size: Size, ply: u32, seed: u64) -> Self {
        assert!(ply <= size.cells(), "there are {} cells", size.cells());
        let mut random = SplitMix(seed);
        let empty = Board::start(size);
        let mut board: Board<u128> = empty;
        while board.ply() < ply {
            let moves = board.possible_moves() & !board.winning_cells();
            let chosen = moves.cells().nth(random.below(moves.count_ones() as usize));
            // Where every move wins, another game begins.
            board = chosen.map_or(empty, |cell| board.play_cell(cell));
        }
        Position(board)
    }

    /// The position on the usual board of 7x6 after these moves from the empty board:
    /// columns from 1, one character a move. The empty text is the empty board.
    ///
    /// # Errors
    ///
    /// At the first move that cannot be played.
    pub fn from_moves(moves: &str) -> Result<Self, PositionError> {
        Self::empty(Size::STANDARD).play_moves(moves)
    }

    /// The position of this size with these stones of the side to move and these stones
    /// in all.
    ///
    /// # Errors
    ///
    /// If no game can look like this: stones outside the board or in the air,
    /// numbers of stones that taking turns does not give, or a line of four that
    /// the last stone has not made (it would have ended the game before).
    pub fn from_bitboards(size: Size, mover: u128, mask: u128) -> Result<Self, PositionError> {
        let geometry = u128::geometry(size);
        if mover & !mask != 0 {
            let problem = "the side to move has a stone where the mask of all stones has none";
            return Err(PositionError::Stones(problem.to_owned()));
        }
        if mask & !geometry.board != 0 {
            return Err(PositionError::outside_board());
        }
        let unsupported = mask & !geometry.bottom & !(mask << 1);
        if unsupported != 0 {
            let Cell { column, row } = Cell::of_all(size, unsupported)[0];
            return Err(PositionError::Stones(format!(
                "the stone in column {} (from 1), row {} (from the bottom, from 1) has no stone below it",
                column + 1,
                row + 1
            )));
        }
        let result = Position(Board { geometry, mover, mask });
        let ply = result.ply();
        if mover.count_ones() != ply / 2 {
            let [first, second] = Player::BOTH.map(|player| result.stones(player).count_ones());
            let first = count(first, "stone");
            return Err(PositionError::Stones(format!(
                "the first player has {first} and the second {second}; taking turns, they have equal numbers or the first has one more"
            )));
        }
        let had_four = if threats::has_four(geometry, mover) {
            result.to_move()
        } else if result.is_won() && !result.last_stone_can_have_won() {
            result.to_move().other()
        } else {
            return Ok(result);
        };
        Err(PositionError::Stones(format!(
            "the game was over before the last stone: {had_four} has four in a line and it is not the stone of the last move that made it"
        )))
    }

    /// The position of this size with this [key](Self::key).
    ///
    /// # Errors
    ///
    /// If no position has it.
    pub fn from_key(size: Size, key: u128) -> Result<Self, PositionError> {
        let geometry = u128::geometry(size);
        let mut mover = 0;
        let mut mask = 0;
        for column in 0..size.width() {
            let shift = column as u32 * geometry.column_bits;
            let bits = (key >> shift) & geometry.column_mask();
            if bits == 0 {
                let column = column + 1;
                return Err(PositionError::Stones(format!(
                    "the key has no bit that marks the top of column {column} (from 1)"
                )));
            }
            let top = 1 << bits.ilog2();
            mover |= (bits - top) << shift;
            mask |= (top - 1) << shift;
        }
        if size.bits() < u128::BITS && key >> size.bits() != 0 {
            return Err(PositionError::outside_board());
        }
        Self::from_bitboards(size, mover, mask)
    }

    /// The position after these moves: columns from 1, one character a move; columns
    /// from 10 on are a, b, c and so on.
    ///
    /// # Errors
    ///
    /// At the first move that cannot be played. The error numbers the move with the stones already
    /// on the board counted.
    pub fn play_moves(self, moves: &str) -> Result<Self, PositionError> {
        with_word!(self.size(), B => Ok(Board::<B>::of(self).play_moves(moves)?.widen()))
    }

    /// The position after the side to move puts a stone into `column` (from 0), if that is
    /// possible.
    ///
    /// ```
    /// use fourbook_solver::{Position, Size};
    /// let position = Position::empty(Size::STANDARD);
    /// assert_eq!(position.try_play(3)?, position.play(3));
    /// let error = position.try_play(7).unwrap_err();
    /// assert_eq!(error.to_string(), "expected a column from 0 to 6, found 7");
    /// # Ok::<(), fourbook_solver::PositionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such column, the column is full, or the game is over.
    #[inline]
    pub fn try_play(self, column: usize) -> Result<Self, PositionError> {
        let last = self.size().width() - 1;
        match self.can_play(column) {
            true => Ok(Position(
                self.0.play_cell(self.0.possible_moves() & self.0.geometry.column(column)),
            )),
            false if column > last => Err(PositionError::Column(column, last)),
            false => Err(self.first_error(&column_name(column).to_string())),
        }
    }

    /// The position after the side to move puts a stone into `column` (from 0).
    ///
    /// ```
    /// use fourbook_solver::Position;
    /// // Plays the first legal move until the game is over.
    /// let mut position = Position::default();
    /// while let Some(column) = position.legal_columns().next() {
    ///     position = position.play(column);
    /// }
    /// assert!(position.is_over());
    /// ```
    ///
    /// # Panics
    ///
    /// If `column` is none of the [legal columns](Self::legal_columns): there is none, it is full,
    /// or the game is over. [`try_play`](Self::try_play) returns an error instead.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn play(self, column: usize) -> Self {
        self.try_play(column).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Makes sure that the position is of a board of this size.
    ///
    /// # Errors
    ///
    /// If it is of another.
    #[inline]
    pub fn check_size(self, expected: Size) -> Result<(), SizeError> {
        let found = self.size();
        if found == expected { Ok(()) } else { Err(SizeError::Other { expected, found }) }
    }

    /// The size of the board.
    #[inline(always)]
    pub fn size(self) -> Size {
        self.0.size()
    }

    /// The stones of the side to move.
    #[inline(always)]
    pub fn mover(self) -> u128 {
        self.0.mover()
    }

    /// The stones of both sides.
    #[inline(always)]
    pub fn mask(self) -> u128 {
        self.0.mask()
    }

    /// The stones of a player.
    #[inline(always)]
    pub fn stones(self, player: Player) -> u128 {
        self.0.stones(player)
    }

    /// Number of stones on the board.
    #[inline(always)]
    pub fn ply(self) -> u32 {
        self.0.ply()
    }

    /// The player who moves next; meaningless in a finished game.
    #[inline(always)]
    pub fn to_move(self) -> Player {
        self.0.to_move()
    }

    /// Number of stones in `column` (from 0).
    ///
    /// # Panics
    ///
    /// If there is no such column.
    pub fn height(self, column: usize) -> usize {
        assert!(column < self.size().width(), "there is no such column");
        (self.0.mask & self.0.geometry.column(column)).count_ones() as usize
    }

    /// Stones of both sides until the game ends with perfect play, if the position has this score.
    ///
    /// ```
    /// assert_eq!(fourbook_solver::Position::from_moves("4453")?.plies_to_end(-2), 36);
    /// # Ok::<(), fourbook_solver::PositionError>(())
    /// ```
    pub fn plies_to_end(self, score: Score) -> u32 {
        plies_to_end(self.size().cells(), self.ply(), score)
    }

    /// The player whose stone is in the cell at `column` and `row`, both from 0, rows from the bottom;
    /// `None` if the cell is empty.
    ///
    /// ```
    /// use fourbook_solver::{Player, Position};
    /// let position = Position::from_moves("4453")?;
    /// assert_eq!([0, 1, 2].map(|row| position.cell(3, row)), [Some(Player::X), Some(Player::O), None]);
    /// # Ok::<(), fourbook_solver::PositionError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    pub fn cell(self, column: usize, row: usize) -> Option<Player> {
        let size = self.size();
        assert!(column < size.width() && row < size.height(), "there is no such cell");
        let cell = self.0.geometry.cell(column, row);
        Player::BOTH.into_iter().find(|&player| !(self.stones(player) & cell).is_empty())
    }

    /// A number that no other position of this size has: `mover + mask + bottom`.
    ///
    /// Adding `mask` and the bottom row puts a single bit on top of each
    /// column, the stones of the side to move fill in below it.
    ///
    /// Source: D. Herzberg, "Bitboards and Connect Four"; J. Tromp.
    #[inline(always)]
    pub fn key(self) -> u128 {
        self.0.key()
    }

    /// The smaller of this position's key and its mirror image's: the same for both.
    #[inline(always)]
    pub fn canonical_key(self) -> u128 {
        self.0.canonical_key()
    }

    /// The mirror image: the first column becomes the last.
    #[must_use]
    #[inline(always)]
    pub fn mirrored(self) -> Self {
        Position(self.0.mirrored())
    }

    /// This position or its mirror image, whichever has the smaller
    /// [key](Self::key): the same for both.
    #[must_use]
    #[inline(always)]
    pub fn canonical(self) -> Self {
        Position(self.0.canonical())
    }

    /// Whether the side to move can put a stone into `column` (from 0): there is such a column, it
    /// is not full, and the game is not over.
    #[inline]
    pub fn can_play(self, column: usize) -> bool {
        column < self.size().width()
            && (self.0.mask & self.0.geometry.cell(column, self.size().height() - 1)).is_empty()
            && !self.is_won()
    }

    /// The columns (from 0) of all legal moves; none if the game is over.
    ///
    /// ```
    /// use fourbook_solver::Position;
    /// let position = Position::from_moves("444444")?;
    /// assert!(position.legal_columns().eq([0, 1, 2, 4, 5, 6]));
    /// let won = Position::from_moves("1212121")?;
    /// assert_eq!(won.legal_columns().count(), 0);
    /// # Ok::<(), fourbook_solver::PositionError>(())
    /// ```
    pub fn legal_columns(self) -> impl Iterator<Item = usize> {
        self.children().enumerate().filter_map(|(column, child)| child.map(|_| column))
    }

    /// The threats of a player: empty cells that complete four, whether they can be
    /// played now or not.
    #[inline(always)]
    pub fn threats(self, player: Player) -> u128 {
        self.0.threats(player)
    }

    /// The threats of `X` and of `O`; none once the game has ended.
    pub fn open_threats(self) -> [u128; 2] {
        Player::BOTH.map(|player| if self.is_over() { 0 } else { self.threats(player) })
    }

    /// Whether the side to move wins with its next stone; `false` if the game is over.
    #[inline(always)]
    pub fn can_win_at_once(self) -> bool {
        self.0.can_win_at_once()
    }

    /// Whether the side that moved last has four in a line.
    #[inline(always)]
    pub fn is_won(self) -> bool {
        self.0.is_won()
    }

    /// The stones that are part of four in a line; none unless the game is won.
    ///
    /// ```
    /// use fourbook_solver::Position;
    /// let won = Position::from_moves("1213141")?;
    /// assert_eq!(won.winning_stones(), 0b1111);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winning_stones(self) -> u128 {
        threats::cells_of_lines(self.0.geometry, self.0.opponent())
    }

    /// Returns the winner, if the game is won.
    pub fn winner(self) -> Option<Player> {
        self.is_won().then(|| self.to_move().other())
    }

    /// Whether the board is full.
    #[inline(always)]
    pub fn is_full(self) -> bool {
        self.0.is_full()
    }

    /// Whether the game has ended.
    #[inline(always)]
    pub fn is_over(self) -> bool {
        self.0.is_over()
    }

    /// The score, if the rules give it without a search: the game has ended, or the side to move
    /// wins with its next stone.
    #[inline(always)]
    pub fn score_by_rules(self) -> Option<Score> {
        with_word!(self.size(), B => Board::<B>::of(self).score_by_rules())
    }

    /// The positions after each move, by column from 0; `None` where the
    /// column is full or the game is over.
    pub fn children(self) -> impl ExactSizeIterator<Item = Option<Self>> {
        self.0.children().map(|child| child.map(Position))
    }

    /// The first of the moves that cannot be played.
    ///
    /// # Panics
    ///
    /// If all can.
    #[cold]
    pub(super) fn first_error(self, moves: &str) -> PositionError {
        let width = self.size().width();
        let height = self.size().height();
        let mut position = self;
        for (index, text) in moves.chars().enumerate() {
            let number = self.ply() as usize + index + 1;
            let problem = match column_named(text, width) {
                None => {
                    let last = column_name(width - 1);
                    format!("is not a column; expected a column from 1 to {last}")
                }
                Some(_) if position.is_won() => "comes after the end of the game: the move before \
                                                 it made four in a line"
                    .to_owned(),
                Some(column) => match position.children().nth(column).flatten() {
                    Some(next) => {
                        position = next;
                        continue;
                    }
                    None => format!("goes to a full column; a column holds {height} stones"),
                },
            };
            return PositionError::Move { number, text, problem };
        }
        panic!("all moves can be played: {moves}")
    }

    /// Whether one stone of the side that moved last, on top of its column,
    /// is part of every line of four.
    fn last_stone_can_have_won(self) -> bool {
        let tops = self.0.mask & !(self.0.mask >> 1);
        (tops & self.0.opponent())
            .cells()
            .any(|stone| !threats::has_four(self.0.geometry, self.0.opponent() & !stone))
    }
}

impl Default for Position {
    /// The empty board of 7x6.
    fn default() -> Self {
        Self::empty(Size::STANDARD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::Notation;

    const STANDARD: Size = Size::STANDARD;

    #[test]
    fn a_move_into_a_full_column_is_named() {
        let error = Position::from_moves("4444444").unwrap_err();
        assert_eq!(error.move_number(), Some(7));
        assert_eq!(
            error.to_string(),
            "move 7 ('4') goes to a full column; a column holds 6 stones"
        );
    }

    #[test]
    fn a_move_after_the_end_is_named() {
        let error = Position::from_moves("12121213").unwrap_err();
        assert_eq!(
            error.to_string(),
            "move 8 ('3') comes after the end of the game: the move before it made four in a line"
        );
    }

    #[test]
    fn nothing_is_played_after_the_end() {
        for (moves, size) in [("1122334", STANDARD), ("1213141", Size::new(4, 4).unwrap())] {
            let won = Position::empty(size).play_moves(moves).unwrap();
            assert!(won.is_won() && !won.can_win_at_once());
            assert_eq!(won.legal_columns().count(), 0);
            for column in 0..size.width() {
                assert!(!won.can_play(column) && won.try_play(column).is_err());
                assert!(std::panic::catch_unwind(|| won.play(column)).is_err());
                assert!(won.play_moves(&column_name(column).to_string()).is_err());
            }
        }
    }

    #[test]
    fn positions_beyond_the_end_are_refused() {
        for (moves, columns) in [("1122334", 3..7), ("1212121", 1..5)] {
            let won = Position::from_moves(moves).unwrap();
            for column in columns {
                let beyond =
                    won.0.play_cell(won.0.possible_moves() & won.0.geometry.column(column));
                assert!(Position::from_bitboards(STANDARD, beyond.mover, beyond.mask).is_err());
                for notation in Notation::ALL {
                    // No game leads there, so it has no moves.
                    let text =
                        notation.print(Position(beyond)).unwrap_or_else(|_| format!("{moves}4"));
                    assert!(notation.parse(STANDARD, &text).is_err(), "{text}");
                }
            }
        }
    }

    #[test]
    fn the_number_of_a_move_counts_the_stones_before_it() {
        let full = Position::from_moves("444444").unwrap();
        let error = full.play_moves("4").unwrap_err();
        assert_eq!(
            error.to_string(),
            "move 7 ('4') goes to a full column; a column holds 6 stones"
        );
    }

    #[test]
    fn what_is_no_column_is_named() {
        let error = Position::from_moves("4x").unwrap_err();
        assert_eq!(
            error.to_string(),
            "move 2 ('x') is not a column; expected a column from 1 to 7"
        );
    }

    #[test]
    fn bitboards_that_are_no_position_are_refused() {
        let floating = u128::geometry(STANDARD).cell(2, 1);
        for (mover, mask, expected) in [
            (0, floating, "the stone in column 3 (from 1), row 2 (from the bottom"),
            (2, 1, "the side to move has a stone where the mask of all stones has none"),
            (0, 1 << 6, "there is a stone outside the board"),
            (3, 3, "the first player has 2 stones and the second 0;"),
        ] {
            let error = Position::from_bitboards(STANDARD, mover, mask).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "expected stones that two players have dropped by turns")]
    fn bitboards_that_are_no_position_do_not_become_one() {
        let _ = Board::from_bitboards_unchecked(u128::geometry(STANDARD), 2, 2).widen();
    }

    #[test]
    fn two_lines_that_no_single_stone_made_are_refused() {
        // Four of the second player in columns 1 and 2, four and four of the first beside.
        let column = |c: usize| 0b1111 << (7 * c);
        let theirs = column(0) | column(1);
        let row = |c| u128::geometry(STANDARD).cell(c, 0) | u128::geometry(STANDARD).cell(c, 1);
        let ours = row(2) | row(3) | row(4) | row(6);
        let error = Position::from_bitboards(STANDARD, ours, ours | theirs).unwrap_err();
        assert!(error.to_string().contains("before the last stone: O has four"), "{error}");
    }

    #[test]
    fn the_key_leads_back_to_the_position() {
        for moves in ["", "4", "4453", "444444", "1234567123", "226744515337"] {
            let position = Position::from_moves(moves).unwrap();
            assert_eq!(Position::from_key(STANDARD, position.key()), Ok(position), "{moves}");
        }
        assert!(Position::from_key(STANDARD, 0).is_err());
        assert!(Position::from_key(STANDARD, u128::MAX).is_err());
    }

    #[test]
    fn rules_alone_score_the_end_and_the_move_before() {
        assert_eq!(Position::from_moves("1212121").unwrap().score_by_rules(), Some(-18));
        assert_eq!(Position::from_moves("121212").unwrap().score_by_rules(), Some(18));
        assert_eq!(Position::from_moves("12121").unwrap().score_by_rules(), None);
    }

    #[test]
    fn columns_past_the_ninth_are_letters() {
        let wide = Position::empty(Size::new(16, 7).unwrap());
        let position = wide.play_moves("9aGg").unwrap();
        let heights: Vec<_> = (0..16).map(|column| position.height(column)).collect();
        assert_eq!(heights[8..], [1, 1, 0, 0, 0, 0, 0, 2]);
        assert_eq!([34, 35, 1 << 32, usize::MAX].map(column_name), ['z', '?', '?', '?']);
        let error = wide.play_moves("1h").unwrap_err().to_string();
        assert_eq!(error, "move 2 ('h') is not a column; expected a column from 1 to g");
    }

    #[test]
    fn both_words_say_the_same() {
        for moves in ["", "4453", "226744515337", "4444441111112222"] {
            let wide = Position::from_moves(moves).unwrap();
            let narrow = Board::<u64>::of(wide);
            assert_eq!(narrow.widen(), wide);
            assert_eq!(u128::from(narrow.key()), wide.key());
            assert_eq!(u128::from(narrow.canonical_key()), wide.canonical_key());
            assert_eq!(u128::from(narrow.winning_cells()), wide.0.winning_cells());
            assert_eq!(narrow.score_by_rules(), wide.score_by_rules());
        }
    }
}
