//! Positions.

use crate::errors::{OrThrow, position_error, range_error, size_error};
use fourbook::board::notation::Notation;
use fourbook::board::{Summary, column_name};
use fourbook::{Book, Lookup, Player, Position, Size};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A position; it never changes.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub struct RawPosition {
    pub(crate) board: Position,
    /// Whether it was made by moves, so that a game is known to reach it.
    played: bool,
}

impl RawPosition {
    /// A position that a game reaches.
    pub(crate) fn played(board: Position) -> Self {
        RawPosition { board, played: true }
    }

    /// What a book for boards of its size knows of it.
    #[inline]
    pub(crate) fn look_up(&self, book: &Book) -> Lookup {
        // A compact book is found out about sooner if a game is known to lead there.
        if self.played { book.look_up_reachable(self.board) } else { book.look_up(self.board) }
    }

    /// Makes sure that it is one of boards of a size.
    pub(crate) fn check_size(&self, expected: Size) -> Result<(), JsValue> {
        let found = self.board.size();
        if expected == found { Ok(()) } else { Err(other_size(expected, found)) }
    }

    fn with(&self, board: Position) -> Self {
        RawPosition { board, ..*self }
    }

    /// Column and row of each cell, from 0, one pair after the other.
    fn places(&self, cells: u128) -> Vec<u8> {
        let bits = self.board.size().height() + 1;
        let places = (0..u128::BITS as usize).filter(|&bit| cells >> bit & 1 != 0);
        places.flat_map(|bit| [(bit / bits) as u8, (bit % bits) as u8]).collect()
    }
}

#[wasm_bindgen]
impl RawPosition {
    /// The position of a text in any notation.
    pub fn parse(size: &str, text: &str) -> Result<RawPosition, JsValue> {
        let size: Size = size.parse().or_throw()?;
        let board = Position::parse(size, text).or_throw()?;
        Ok(RawPosition { board, played: Notation::recognise(text) == Some(Notation::Moves) })
    }

    /// The position of a text in one notation.
    pub fn read(size: &str, notation: &str, text: &str) -> Result<RawPosition, JsValue> {
        let size: Size = size.parse().or_throw()?;
        let notation = self::notation(notation)?;
        let board = notation.parse(size, text).or_throw()?;
        Ok(RawPosition { board, played: notation == Notation::Moves })
    }

    /// The board, such as `7x6`.
    pub fn size(&self) -> String {
        self.board.size().to_string()
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.board.size().width()
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.board.size().height()
    }

    /// Number of stones.
    pub fn ply(&self) -> u32 {
        self.board.ply()
    }

    /// The stone of the player who moves next; none if the game is over.
    pub fn to_move(&self) -> Option<String> {
        (!self.board.is_over()).then(|| self.board.to_move().to_string())
    }

    /// Whether the game is over.
    pub fn over(&self) -> bool {
        self.board.is_over()
    }

    /// The stone of the player who has won.
    pub fn winner(&self) -> Option<String> {
        self.board.winner().map(|player| player.to_string())
    }

    /// The cells of all lines of four, if the game is won: columns and rows from 0.
    pub fn winning_line(&self) -> Option<Vec<u8>> {
        self.board.is_won().then(|| self.places(self.board.winning_stones()))
    }

    /// The key, in decimal.
    pub fn key(&self) -> String {
        self.board.key().to_string()
    }

    /// The smaller of the keys of the position and its mirror image, in decimal.
    pub fn canonical_key(&self) -> String {
        self.board.canonical_key().to_string()
    }

    /// The moves of some game that leads here.
    pub fn moves(&self) -> Option<String> {
        Notation::Moves.print(self.board).ok()
    }

    /// The position in some notation.
    pub fn text(&self, notation: &str) -> Result<String, JsValue> {
        self::notation(notation)?.print(self.board).or_throw()
    }

    /// What the rules alone say, as JSON.
    pub fn summary(&self) -> String {
        to_json(&Summary::of(self.board))
    }

    /// The cells, the top row first: 0 is empty, 1 a stone of the first player, 2 of the
    /// second.
    pub fn cells(&self) -> Vec<u8> {
        let (width, height) = (self.width(), self.height());
        let [first, second] = Player::BOTH.map(|player| self.board.stones(player));
        let cell = |row: usize, column: usize| {
            let cell = (height + 1) * column + row;
            (first >> cell & 1) as u8 + 2 * (second >> cell & 1) as u8
        };
        (0..height).rev().flat_map(|row| (0..width).map(move |column| cell(row, column))).collect()
    }

    /// The columns that can be played.
    pub fn legal_moves(&self) -> Vec<u8> {
        let children = self.board.children().enumerate();
        children.filter_map(|(column, child)| child.map(|_| column as u8)).collect()
    }

    /// The position after a stone in a column.
    pub fn play_column(&self, column: f64) -> Result<RawPosition, JsValue> {
        let last = self.width() - 1;
        if !(0.0..=last as f64).contains(&column) || column.fract() != 0.0 {
            let text = format!("expected a column from 0 to {last}, found {column}");
            return Err(position_error(&text));
        }
        let column = column as usize;
        // The other way says why a column cannot be played.
        let board = if self.board.can_play(column) && !self.board.is_won() {
            self.board.play(column)
        } else {
            self.board.play_moves(&column_name(column).to_string()).or_throw()?
        };
        Ok(self.with(board))
    }

    /// The position after moves.
    pub fn play_moves(&self, moves: &str) -> Result<RawPosition, JsValue> {
        Ok(self.with(self.board.play_moves(moves.trim()).or_throw()?))
    }

    /// The empty cells that complete four stones of a player: columns and rows from 0.
    pub fn threats(&self, player: &str) -> Result<Vec<u8>, JsValue> {
        let found = Player::BOTH.into_iter().find(|each| each.to_string() == player);
        let player = found.ok_or_else(|| {
            range_error(&format!("expected the player 'X' or 'O', found '{player}'"))
        })?;
        Ok(self.places(self.board.threats(player)))
    }

    /// The mirror image.
    pub fn mirrored(&self) -> RawPosition {
        self.with(self.board.mirrored())
    }

    /// This position or its mirror image, the same of both.
    pub fn canonical(&self) -> RawPosition {
        self.with(self.board.canonical())
    }

    /// Whether two positions are the same.
    pub fn equals(&self, other: &RawPosition) -> bool {
        self.board == other.board
    }
}

fn other_size(expected: Size, found: Size) -> JsValue {
    size_error(&format!("expected a position of {expected} boards, found one of {found}"))
}

/// The notation with this name.
fn notation(name: &str) -> Result<Notation, JsValue> {
    name.parse().map_err(|error| range_error(&format!("{error}")))
}

/// A value as JSON.
pub(crate) fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("what the library tells has texts as keys")
}
