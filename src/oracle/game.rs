//! A whole game, move by move: what each was worth.

use super::{Oracle, OracleError, Question, report};
use fourbook_solver::board::{
    Outcome, Player, Position, PositionError, Score, Size, column_name, notation::GameRecord,
};
use serde::Serialize;

/// The quality of a move, compared with the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// No other move has a higher score.
    Best,
    /// There was a win, and there is none after it.
    WinThrownAway,
    /// There was a draw, and the game is lost after it.
    DrawThrownAway,
    /// It wins, but not as soon as it could.
    SlowerWin,
    /// It loses like every other move, but sooner than necessary.
    FasterLoss,
}

impl Mark {
    /// The mark of a move after which the score is `after`, where `best` could be reached;
    /// both for the side that moves.
    ///
    /// ```
    /// use fourbook::oracle::Mark;
    /// assert_eq!(Mark::of(3, 3), Mark::Best);
    /// assert_eq!(Mark::of(3, 1), Mark::SlowerWin);
    /// assert_eq!(Mark::of(3, 0), Mark::WinThrownAway);
    /// assert_eq!(Mark::of(0, -2), Mark::DrawThrownAway);
    /// assert_eq!(Mark::of(-2, -5), Mark::FasterLoss);
    /// ```
    pub fn of(best: Score, after: Score) -> Mark {
        match (Outcome::of(best), Outcome::of(after)) {
            _ if after >= best => Mark::Best,
            (Outcome::Win, Outcome::Win) => Mark::SlowerWin,
            (Outcome::Win, _) => Mark::WinThrownAway,
            (Outcome::Loss, _) => Mark::FasterLoss,
            (Outcome::Draw, _) => Mark::DrawThrownAway,
        }
    }

    /// The mark in words.
    pub const fn text(self) -> &'static str {
        match self {
            Mark::Best => "best",
            Mark::WinThrownAway => "win thrown away",
            Mark::DrawThrownAway => "draw thrown away",
            Mark::SlowerWin => "slower win",
            Mark::FasterLoss => "faster loss",
        }
    }
}

/// A reviewed game: the score of every position, a mark for every move, and
/// the perfect continuation from its end. Columns count from 0; JSON has their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameReview {
    /// The moves; or a link to them, if they begin from another position than the empty board.
    pub game: String,
    /// The board.
    pub size: Size,
    /// All positions from the first one on: one more than moves.
    pub positions: Vec<ReviewedPosition>,
    /// The moves.
    pub moves: Vec<ReviewedMove>,
    /// The winner, if the game is won.
    pub winner: Option<Player>,
    /// Whether the game has ended.
    pub over: bool,
    /// The moves of perfect play from the last position on; none if the game has ended.
    pub line: String,
}

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReviewedPosition {
    /// Number of stones.
    pub ply: u32,
    /// Its score, for the side to move.
    pub score: Score,
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// Stones of both sides until the game ends.
    pub plies_to_end: u32,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReviewedMove {
    /// Its number, from 1.
    pub number: usize,
    /// The player of the move.
    pub player: Player,
    /// The column, from 0.
    #[serde(serialize_with = "report::name")]
    pub column: usize,
    /// The score after it, for that player.
    pub score: Score,
    /// The best score there was, for that player.
    pub best: Score,
    /// The quality of the move.
    pub mark: Mark,
}

/// The positions of a game, from the empty board or another position on.
///
/// ```
/// use fourbook::Size;
/// use fourbook::oracle::Game;
/// let game = Game::parse(Size::STANDARD, "4453")?;
/// assert_eq!(game.positions().len(), 5);
/// # Ok::<(), fourbook::PositionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    record: GameRecord,
    /// One more than moves.
    positions: Vec<Position>,
}

impl Game {
    /// A game on boards of a size, from its [moves](crate::board::notation::moves) in any form, or a
    /// link to them. A position in another notation is a game without moves.
    ///
    /// # Errors
    ///
    /// As [`GameRecord::parse`].
    pub fn parse(size: Size, text: &str) -> Result<Game, PositionError> {
        let record = GameRecord::parse(size, text)?;
        let mut position = record.start();
        let mut positions = vec![position];
        for &column in record.moves() {
            position = position.play(column);
            positions.push(position);
        }
        Ok(Game { record, positions })
    }

    /// All positions, in their order.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The last position.
    pub fn end(&self) -> Position {
        self.positions[self.positions.len() - 1]
    }

    /// Computes the review from the scores of all positions and the moves of
    /// perfect play from its end, columns from 0.
    ///
    /// # Panics
    ///
    /// If there are not as many scores as positions, or a score is [`Score::MIN`].
    pub fn review(&self, scores: &[Score], line: &[usize]) -> GameReview {
        assert_eq!(scores.len(), self.positions.len(), "each position has a score");
        assert!(!scores.contains(&Score::MIN), "each score is known");
        let end = self.end();
        let size = end.size();
        let moved = |(i, &column): (usize, &usize)| ReviewedMove {
            number: i + 1,
            player: Player::to_move_at(self.positions[i].ply()),
            column,
            score: -scores[i + 1],
            best: scores[i],
            mark: Mark::of(scores[i], -scores[i + 1]),
        };
        GameReview {
            game: self.record.to_string(),
            size,
            positions: self
                .positions
                .iter()
                .zip(scores)
                .map(|(position, &score)| ReviewedPosition {
                    ply: position.ply(),
                    score,
                    outcome: Outcome::of(score),
                    plies_to_end: position.plies_to_end(score),
                })
                .collect(),
            moves: self.record.moves().iter().enumerate().map(moved).collect(),
            winner: end.winner(),
            over: end.is_over(),
            line: line.iter().map(|&column| column_name(column)).collect(),
        }
    }
}

impl Oracle {
    /// Reviews a game move by move. Limits hold for all its positions together. The last
    /// positions are solved first: they are the easiest, and their bounds help the others.
    ///
    /// ```
    /// use fourbook::oracle::{Game, Mark};
    /// use fourbook::{Oracle, Size};
    /// let oracle = Oracle::without_book(Size::new(5, 4)?)?;
    /// let game = Game::parse(oracle.size(), "33311")?;
    /// let review = oracle.review(&game)?;
    /// assert_eq!(review.moves[0].mark, Mark::Best);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn review(&self, game: &Game) -> Result<GameReview, OracleError> {
        let query = self.ask(game.end(), Question::Review(game.clone()))?;
        Ok(query.review().expect("the answer is complete"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn review(game: &str) -> GameReview {
        let oracle = Oracle::without_book(Size::new(5, 4).unwrap()).unwrap();
        let game = Game::parse(oracle.size(), game).unwrap();
        oracle.review(&game).unwrap()
    }

    #[test]
    fn moves_are_marked_against_the_best_there_was() {
        // With three in the middle of the bottom row the first player has won, and then plays
        // elsewhere.
        let review = review("33224115");
        let marks: Vec<Mark> = review.moves.iter().map(|it| it.mark).collect();
        use Mark::{Best, DrawThrownAway, WinThrownAway};
        let expected = [Best, Best, DrawThrownAway, WinThrownAway, Best, Best, WinThrownAway, Best];
        assert_eq!(marks, expected);
        for (i, it) in review.moves.iter().enumerate() {
            assert_eq!(it.mark, Mark::of(it.best, it.score));
            assert_eq!(it.best, review.positions[i].score);
            assert_eq!(it.score, -review.positions[i + 1].score);
            assert!(it.score <= it.best);
        }
    }

    #[test]
    fn a_game_may_begin_from_any_position() {
        let whole = review("33224115");
        let from = "?size=5x4&diagram=...../...../.OO../.XX..&moves=4115";
        let rest = review(from);
        assert_eq!(rest.game, from);
        assert_eq!(rest.positions, whole.positions[4..]);
        for (moved, same) in rest.moves.iter().zip(&whole.moves[4..]) {
            assert_eq!(*moved, ReviewedMove { number: moved.number, ..same.clone() });
        }
    }

    #[test]
    fn a_game_that_has_ended_has_a_winner_and_no_line() {
        let review = review("1212121");
        assert_eq!((review.winner, review.over, review.line.as_str()), (Some(Player::X), true, ""));
        assert_eq!(review.positions[7].plies_to_end, 0);
        assert_eq!(review.moves[6].mark, Mark::Best);
    }

    #[test]
    fn perfect_play_goes_on_to_the_end_that_the_score_foretells() {
        let review = review("123");
        let last = &review.positions[3];
        assert_eq!(review.line.len() as u32, last.plies_to_end);
        let whole = super::tests::review(&format!("123{}", review.line));
        assert!(whole.over && whole.moves[3..].iter().all(|it| it.mark == Mark::Best));
    }

    #[test]
    #[should_panic = "each score is known"]
    fn an_unknown_score_cannot_be_reviewed() {
        Game::parse(Size::STANDARD, "4").unwrap().review(&[0, Score::MIN], &[]);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let error = Game::parse(Size::new(5, 4).unwrap(), "11111").unwrap_err();
        assert_eq!(error.move_number(), Some(5));
    }
}
