//! The board as it is shown to people: in colours, with the scores of moves below.

use crate::cli::output;
use anstyle::Style;
use fourbook::board::notation::diagram;
use fourbook::{Player, Position, Score};

/// Draws the board as [`diagram::draw`] does, in colours. Scores, by column from 0, stand in a line
/// below; a column that can be played and has none gets a question mark.
pub(crate) fn draw(position: Position, scores: Option<&[Option<Score>]>) -> String {
    let mut lines: Vec<Vec<Cell>> = diagram::draw(position).lines().map(cells).collect();
    let height = position.size().height();
    for (row, cells) in (0..height).rev().zip(&mut lines) {
        for (column, cell) in cells.iter_mut().enumerate() {
            let bit = 1 << ((height + 1) * column + row);
            cell.style = style(&cell.text, position.winning_stones() & bit != 0);
        }
    }
    lines.extend(scores.map(|scores| score_line(position, scores)));
    let width = lines.iter().flatten().map(|cell| cell.text.len()).max().unwrap_or(1);
    lines.iter().map(|cells| join(cells, width) + "\n").collect()
}

/// The text of one column of a line.
struct Cell {
    text: String,
    style: Style,
}

fn cells(line: &str) -> Vec<Cell> {
    line.split(' ').map(|text| Cell { text: text.to_owned(), style: Style::new() }).collect()
}

/// The style of a cell, by the letter in it.
fn style(letter: &str, has_won: bool) -> Style {
    Player::BOTH
        .into_iter()
        .find_map(|player| match letter.chars().next() {
            Some(letter) if letter == player.stone() => {
                let stone = output::stone_of(player);
                Some(if has_won { stone.invert() } else { stone })
            }
            Some(letter) if letter == player.threat_mark() => Some(output::mark_of(player)),
            _ => None,
        })
        .unwrap_or_default()
}

/// The line of scores. The best ones stand out if all are known.
fn score_line(position: Position, scores: &[Option<Score>]) -> Vec<Cell> {
    let playable: Vec<bool> = position.children().map(|child| child.is_some()).collect();
    let are_known = playable.iter().zip(scores).all(|(&can, score)| score.is_some() || !can);
    let best = scores.iter().flatten().max().filter(|_| are_known);
    playable
        .into_iter()
        .zip(scores)
        .map(|(can, score): (bool, &Option<Score>)| Cell {
            text: match score {
                Some(score) => score.to_string(),
                None => if can { "?" } else { "" }.to_owned(),
            },
            style: if best.is_some() && score.as_ref() == best {
                Style::new().bold()
            } else {
                Style::new()
            },
        })
        .collect()
}

fn join(cells: &[Cell], width: usize) -> String {
    let padded = cells
        .iter()
        .map(|Cell { text, style }| " ".repeat(width - text.len()) + &output::paint(*style, text));
    padded.collect::<Vec<_>>().join(" ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ColorChoice;

    fn plain(position: Position, scores: Option<&[Option<Score>]>) -> String {
        output::for_stdout(draw(position, scores), ColorChoice::Never)
    }

    #[test]
    fn without_colours_and_scores_it_is_the_diagram() {
        for moves in ["", "444441221515", "1212121", "1234567123456712345676543217"] {
            let position = Position::from_moves(moves).unwrap();
            assert_eq!(plain(position, None), diagram::draw(position), "{moves}");
        }
    }

    #[test]
    fn scores_stand_under_their_columns() {
        let position = Position::from_moves("1111112").unwrap();
        let scores = [None, Some(-18), None, Some(0), Some(-3), Some(-3), Some(-4)];
        let drawn = plain(position, Some(&scores));
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[5], "  X   X   .   .   .   .   .");
        assert_eq!(lines[6], "  1   2   3   4   5   6   7");
        assert_eq!(lines[7], "    -18   ?   0  -3  -3  -4");
        // The output can be read like any diagram, except for the line of scores.
        assert_eq!(Position::parse(position.size(), &lines[..7].join("\n")), Ok(position));
    }

    #[test]
    fn the_line_that_has_won_stands_out() {
        let won = Position::from_moves("1213141").unwrap();
        let drawn = draw(won, None);
        let winning = output::paint(output::stone_of(Player::X).invert(), 'X');
        assert_eq!(drawn.matches(&winning).count(), 4, "{drawn:?}");
        let other = output::paint(output::stone_of(Player::O), 'O');
        assert_eq!(drawn.matches(&other).count(), 3, "{drawn:?}");
    }

    #[test]
    fn the_best_moves_stand_out_if_all_are_known() {
        let best = output::paint(Style::new().bold(), -1);
        let position = Position::from_moves("4").unwrap();
        let mut scores = [-4, -2, -2, -1, -2, -2, -4].map(Some);
        assert_eq!(draw(position, Some(&scores)).matches(&best).count(), 1);
        scores[0] = None;
        assert!(!draw(position, Some(&scores)).contains(&best));
    }
}
