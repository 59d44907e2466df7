//! The board of a game in the terminal.

use crate::cli::output;
use fourbook::board::column_name;
use fourbook::{Player, Position};

/// Draws the board in several lines, the numbers of the columns below: letters for stones,
/// dots for empty cells. Stones of `marked` are in brackets.
pub(crate) fn draw(position: Position, marked: u128) -> String {
    let size = position.size();
    let draw_cell = |column: usize, row: usize| {
        let cell = 1 << ((size.height() + 1) * column + row);
        let has_stone = |&player: &Player| position.stones(player) & cell != 0;
        let stone = Player::BOTH.into_iter().find(has_stone).map_or(".".to_owned(), stone);
        if marked & cell != 0 { format!("[{stone}]") } else { format!(" {stone} ") }
    };
    let columns = 0..size.width();
    let rows = (0..size.height()).rev();
    let rows = rows.map(|row| columns.clone().map(|column| draw_cell(column, row)).collect());
    let numbers = columns.clone().map(|column| format!(" {} ", column_name(column))).collect();
    let lines = rows.chain([numbers]).map(|line: String| line.trim_end().to_owned() + "\n");
    lines.collect()
}

/// The letter of a player's stones.
pub(crate) fn stone(player: Player) -> String {
    output::paint(output::stone_of(player), player)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ColorChoice;
    use fourbook::Size;

    fn plain(position: Position, marked: u128) -> String {
        output::for_stdout(draw(position, marked), ColorChoice::Never)
    }

    #[test]
    fn stones_stand_over_their_columns_and_marked_ones_in_brackets() {
        let position = Position::empty(Size::new(4, 4).unwrap()).play_moves("1213141").unwrap();
        let drawn = plain(position, position.winning_stones());
        let expected = "[X] .  .  .\n[X] .  .  .\n[X] .  .  .\n[X] O  O  O\n 1  2  3  4\n";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn colours_change_nothing_but_the_colours() {
        let position = Position::empty(Size::new(16, 7).unwrap()).play_moves("ggf1").unwrap();
        let plain = plain(position, 0);
        assert_eq!((plain.matches('X').count(), plain.matches('O').count()), (2, 2));
        assert!(plain.ends_with(" 9  a  b  c  d  e  f  g\n"), "{plain}");
        let mut coloured = draw(position, 0);
        for player in Player::BOTH {
            let stone = stone(player);
            assert_eq!(coloured.matches(&stone).count(), 2, "{coloured:?}");
            coloured = coloured.replace(&stone, &player.to_string());
        }
        assert_eq!(coloured, plain);
    }
}
