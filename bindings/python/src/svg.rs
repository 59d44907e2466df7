//! The board as a picture, for notebooks.

use fourbook::board::column_name;
use fourbook::{Player, Position, Score};
use std::fmt::Write;

/// Width and height of a cell.
const CELL: usize = 40;

/// Height of a line of text below the board.
const LINE: usize = 24;

/// Draws a position; stones of a winning line have a white ring. Below each column stands its
/// number, from 1, and, where there is one, the score of a move there.
pub(crate) fn draw(position: Position, scores: Option<&[Option<Score>]>) -> String {
    let size = position.size();
    let (width, board) = (CELL * size.width(), CELL * size.height());
    let height = board + LINE * if scores.is_some() { 2 } else { 1 };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"sans-serif\" \
         font-size=\"14\" text-anchor=\"middle\"><title>{}</title>\
         <rect width=\"{width}\" height=\"{board}\" rx=\"6\" fill=\"#2457a5\"/>",
        title(position)
    );
    let won = position.winning_stones();
    for column in 0..size.width() {
        for row in 0..size.height() {
            let cell = 1 << ((size.height() + 1) * column + row);
            let (x, y) = (CELL * column + CELL / 2, board - CELL * row - CELL / 2);
            let ring = if won & cell == 0 { "" } else { " stroke=\"#fff\" stroke-width=\"4\"" };
            let colour = colour(position, cell);
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"15\" fill=\"{colour}\"{ring}/>");
        }
        let x = CELL * column + CELL / 2;
        let mut text = |y: usize, weight: &str, text: &str| {
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" fill=\"#888\" font-weight=\"{weight}\">{text}</text>"
            );
        };
        text(board + 18, "normal", &column_name(column).to_string());
        let score = scores.and_then(|scores| scores[column]);
        if let Some(score) = score {
            text(board + 18 + LINE, "bold", &score.to_string());
        }
    }
    svg + "</svg>"
}

fn colour(position: Position, cell: u128) -> &'static str {
    if position.stones(Player::X) & cell != 0 {
        "#f2c230"
    } else if position.stones(Player::O) & cell != 0 {
        "#d8372f"
    } else {
        "#dce5f2"
    }
}

fn title(position: Position) -> String {
    match position.winner() {
        Some(winner) => format!("{winner} has won"),
        None if position.is_full() => "a draw".to_owned(),
        None => format!("{} to move", position.to_move()),
    }
}
