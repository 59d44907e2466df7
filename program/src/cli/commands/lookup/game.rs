//! A reviewed game, as `fourbook lookup --game` prints it.

use fourbook::oracle::GameReview;
use std::fmt::Write;

/// The game, a line for each move with its number, the player, the column, the score after
/// it for that player and what it was worth, and the line of perfect play from the end.
pub(crate) fn print_review(review: &GameReview) -> String {
    let mut text = format!("game {}", review.game);
    for it in &review.moves {
        let (number, player, column) = (it.number, it.player, it.column);
        let _ =
            write!(text, "\n{number:>3} {player} {column:>2} {:>4}  {}", it.score, it.mark.text());
        if it.score != it.best {
            let _ = write!(text, ", {} was there", it.best);
        }
    }
    let end = &review.positions[review.moves.len()];
    let _ = match (review.winner, review.over) {
        (Some(winner), _) => write!(text, "\nend {winner} has won"),
        (None, true) => write!(text, "\nend draw"),
        (None, false) => write!(text, "\nline {} ({})", review.line, end.score),
    };
    text
}
