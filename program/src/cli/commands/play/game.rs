//! A game between a person and the computer: its moves, and how it ends.

use fourbook::board::column_name;
use fourbook::{Player, Position};

/// A game from some position on.
#[derive(Debug)]
pub(crate) struct Game {
    /// All moves from the empty board, as other subcommands read them.
    pub(crate) moves: String,
    /// The number of moves before it began, and the position that they lead to.
    opening: usize,
    pub(crate) start: Position,
    person: Player,
    /// Whether the person has given up.
    pub(crate) resigned: bool,
}

impl Game {
    /// A game from the position to which some moves lead, where `person` has the stones of
    /// one player.
    pub(crate) fn new(opening: &str, start: Position, person: Player) -> Self {
        let moves = opening.to_owned();
        let opening = opening.len();
        Game { moves, opening, start, person, resigned: false }
    }

    /// The position now.
    pub(crate) fn position(&self) -> Position {
        self.start.play_moves(&self.moves[self.opening..]).expect("these moves were played")
    }

    /// How it has ended, if it has, in words.
    pub(crate) fn end(&self) -> Option<&'static str> {
        let position = self.position();
        match position.winner() {
            Some(winner) if winner == self.person => Some("You win: four in a line."),
            Some(_) => Some("The computer wins: four in a line."),
            None if position.is_full() => Some("A draw: the board is full."),
            None => self.resigned.then_some("You resign; the computer wins."),
        }
    }

    /// Whether the computer moves next.
    pub(crate) fn is_computers_turn(&self) -> bool {
        self.end().is_none() && self.position().to_move() != self.person
    }

    /// Puts a stone of the side to move into a column that is not full.
    pub(crate) fn play(&mut self, column: usize) {
        self.moves.push(column_name(column));
    }

    /// Takes back that the person has resigned, or else the person's last move and all after
    /// it; says whether there was any.
    pub(crate) fn undo(&mut self) -> bool {
        if std::mem::take(&mut self.resigned) {
            return true;
        }
        let moves = if self.position().to_move() == self.person { 2 } else { 1 };
        let left = self.moves.len().checked_sub(moves).filter(|&left| left >= self.opening);
        self.moves.truncate(left.unwrap_or(self.moves.len()));
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(opening: &str, person: Player) -> Game {
        Game::new(opening, Position::from_moves(opening).unwrap(), person)
    }

    fn play(game: &mut Game, columns: &[usize]) {
        columns.iter().for_each(|&column| game.play(column));
    }

    #[test]
    fn undo_goes_back_to_where_the_person_chose() {
        let mut game = game("44", Player::O);
        assert!(game.is_computers_turn());
        play(&mut game, &[2]);
        assert!(!game.undo(), "the only move is the computer's");
        play(&mut game, &[5, 6]);
        assert_eq!(game.moves.as_str(), "44367");
        assert!(game.undo());
        assert_eq!((game.moves.as_str(), game.is_computers_turn()), ("443", false));
        play(&mut game, &[5]);
        assert!(game.is_computers_turn() && game.undo());
        assert_eq!((game.undo(), game.moves.as_str()), (false, "443"));
    }

    #[test]
    fn a_game_ends_by_four_in_a_line_a_full_board_or_giving_up() {
        let mut game = game("121212", Player::X);
        game.resigned = true;
        assert_eq!(
            (game.end(), game.is_computers_turn()),
            (Some("You resign; the computer wins."), false)
        );
        assert!(game.undo());
        assert_eq!(game.end(), None);
        game.play(0);
        assert_eq!(game.end(), Some("You win: four in a line."));
        assert!(game.undo() && !game.undo());
        play(&mut game, &[2, 1]);
        assert_eq!(
            (game.end(), game.moves.as_str()),
            (Some("The computer wins: four in a line."), "12121232")
        );
        assert!(game.undo());
        assert_eq!(game.moves.as_str(), "121212");

        let full = Position::parse("4x4".parse().unwrap(), "XOXO/XOXO/OXOX/XOXO").unwrap();
        assert_eq!(Game::new("", full, Player::X).end(), Some("A draw: the board is full."));
    }
}
