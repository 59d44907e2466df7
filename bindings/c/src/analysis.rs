//! The scores of a position and its moves, as C sees them.

use crate::status::Failure;
use library::oracle::Knowledge;
use library::{Analysis as Scores, Score};

/// The score of a column that cannot be played; less than any other score.
pub const UNPLAYABLE: i8 = i8::MIN;

/// An unknown score.
pub const UNKNOWN: i8 = i8::MIN + 1;

/// The scores of a position and of its moves, for the side to move: 0 is a draw, a positive score a
/// win, a negative one a loss. The faster the win, the further the score is from 0.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Analysis {
    /// The position's score, or FOURBOOK_UNKNOWN.
    pub score: i8,
    /// Columns of the board, and the number of scores in `moves` that are used.
    pub width: u8,
    /// Whether all scores are known.
    pub complete: bool,
    /// The score of each move, by column from 0; FOURBOOK_UNPLAYABLE if the column cannot be
    /// played, FOURBOOK_UNKNOWN if the score is not known.
    pub moves: [i8; 16],
    /// Nodes visited by the search; 0 if nothing was searched, and for positions that are analysed
    /// together.
    pub nodes: u64,
}

impl Analysis {
    pub(crate) fn known(knowledge: &Knowledge) -> Self {
        let playable: Vec<bool> =
            knowledge.position().children().map(|child| child.is_some()).collect();
        let unknown = |column: usize| if playable[column] { UNKNOWN } else { UNPLAYABLE };
        let score = knowledge.score().map_or(UNKNOWN, |known| known.score);
        let moves = knowledge.move_scores();
        Analysis {
            complete: knowledge.is_complete(),
            nodes: knowledge.nodes(),
            ..Self::new(score, &moves, unknown)
        }
    }

    pub(crate) fn of(scores: &Scores) -> Self {
        Self::new(scores.score, &scores.moves, |_| UNPLAYABLE)
    }

    fn new(score: Score, scores: &[Option<Score>], missing: impl Fn(usize) -> i8) -> Self {
        let mut moves = [UNPLAYABLE; 16];
        for (column, (place, score)) in moves.iter_mut().zip(scores).enumerate() {
            *place = score.unwrap_or_else(|| missing(column));
        }
        Analysis { score, width: scores.len() as u8, complete: true, moves, nodes: 0 }
    }
}

/// The error that there is no move.
pub(crate) fn game_over() -> Failure {
    let text = "there is no move: the game is over; take a stone back, or start a new game";
    Failure::new(crate::status::Status::BadPosition, text)
}
