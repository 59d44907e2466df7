//! The scores of a position and its moves, as C sees them.

use crate::status::{Failure, Status};
use library::board::ScoreBounds;
use library::oracle::Analysis as Known;

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
    /// The least proved score of the position; equal to `max` if the score is known.
    pub min: i8,
    /// The greatest proved score of the position.
    pub max: i8,
    /// The score of each move, by column from 0; FOURBOOK_UNPLAYABLE if the column cannot be
    /// played, FOURBOOK_UNKNOWN if the score is not known.
    pub moves: [i8; 16],
    /// Zero.
    pub reserved: [u8; 3],
    /// Nodes visited by the search; 0 if nothing was searched, and for positions that are analysed
    /// together.
    pub nodes: u64,
}

impl Analysis {
    /// The analysis of a position that a call did not come to.
    pub(crate) const UNKNOWN: Analysis = Analysis {
        score: UNKNOWN,
        width: 0,
        complete: false,
        min: UNKNOWN,
        max: UNKNOWN,
        moves: [UNKNOWN; 16],
        reserved: [0; 3],
        nodes: 0,
    };

    /// The known scores of a position, and the bounds of its own.
    pub(crate) fn known(known: &Known) -> Self {
        let mut moves = [UNPLAYABLE; 16];
        for (place, score) in moves.iter_mut().zip(known.moves()) {
            *place = score.map_or(UNPLAYABLE, |(score, _)| score);
        }
        for column in known.unknown_moves() {
            moves[column] = UNKNOWN;
        }
        let ScoreBounds { min, max } = known.bounds();
        Analysis {
            score: known.score().unwrap_or(UNKNOWN),
            width: known.moves().len() as u8,
            complete: known.is_complete(),
            min,
            max,
            moves,
            reserved: [0; 3],
            nodes: known.nodes(),
        }
    }
}

/// The error that there is no move.
pub(crate) fn game_over() -> Failure {
    let text = "there is no move: the game is over; take a stone back, or start a new game";
    Failure::new(Status::BadPosition, text)
}
