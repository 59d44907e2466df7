//! Answers about positions of a board whose size is known only at run time.
//!
//! Here is all that is compiled once for every size; a position passes as its key.

use crate::board::notation::{NotationError, parse_position};
use crate::board::{OnSize, Position, Score};
use crate::book::{Book, BookView, WrongSize};
use crate::oracle::{BookBytes, Oracle, Source, Sourced, Unanswered};
use crate::solver::{Analysis, Limits, TranspositionTable};
use std::sync::Arc;

/// A position that has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// Its [key](Position::key).
    pub(super) key: u64,
    /// The smaller of its key and its mirror image's.
    pub(super) canonical_key: u64,
    /// Number of stones.
    pub(super) ply: u32,
    /// Whether the game has ended.
    pub(super) over: bool,
}

/// The scores of a position and its moves, as [`Analysis`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) score: Score,
    /// Score of each column, `None` if it cannot be played.
    pub(super) moves: Vec<Option<Score>>,
    pub(super) source: Source,
    /// Nodes that were visited to find it.
    pub(super) nodes: u64,
}

impl Verdict {
    /// The verdict on the mirror image.
    pub(super) fn mirrored(mut self) -> Self {
        self.moves.reverse();
        self
    }
}

/// A book and a solver for boards of one size.
pub(super) trait Answers: Send + Sync {
    /// Reads a position in whatever notation it is.
    fn read(&self, text: &str) -> Result<Question, NotationError>;

    /// What the book says; `None` if something would have to be searched.
    fn look_up(&self, question: Question) -> Option<Verdict>;

    /// The verdict on the canonical one of a position and its mirror image,
    /// searched where the book does not have it.
    fn solve(&self, question: Question, limits: &Limits) -> Result<Verdict, Unanswered>;
}

/// Makes the [`Answers`] of a board size; for [`Size::dispatch`](crate::board::Size::dispatch).
pub(super) struct Open {
    pub(super) book: Option<Book<BookBytes>>,
    pub(super) table: Arc<TranspositionTable>,
}

impl OnSize for Open {
    type Output = Result<Box<dyn Answers>, WrongSize>;

    fn on_size<const W: usize, const H: usize>(self) -> Self::Output {
        let view: Option<BookView<_, W, H>> = self.book.map(Book::into_view).transpose()?;
        Ok(Box::new(Oracle::over(view, self.table)))
    }
}

impl<const W: usize, const H: usize> Answers for Oracle<BookBytes, W, H> {
    fn read(&self, text: &str) -> Result<Question, NotationError> {
        let position: Position<W, H> = parse_position(text)?;
        Ok(Question {
            key: position.key(),
            canonical_key: position.canonical_key(),
            ply: position.ply(),
            over: position.is_over(),
        })
    }

    fn look_up(&self, question: Question) -> Option<Verdict> {
        self.analyse_from_book(position::<W, H>(question.key)).map(verdict)
    }

    fn solve(&self, question: Question, limits: &Limits) -> Result<Verdict, Unanswered> {
        self.analyse(position::<W, H>(question.canonical_key), limits).map(verdict)
    }
}

fn position<const W: usize, const H: usize>(key: u64) -> Position<W, H> {
    Position::from_key(key).expect("a question holds the keys of a position")
}

fn verdict<const W: usize>(answer: Sourced<Analysis<W>>) -> Verdict {
    let Sourced { value: Analysis { score, moves }, source, nodes } = answer;
    Verdict { score, moves: moves.to_vec(), source, nodes }
}
