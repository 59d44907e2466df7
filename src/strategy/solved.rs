//! The values that a strategy's moves are chosen by: from a book, or solved and kept in a checkpoint,
//! which serves every strategy of its board and kind.

use crate::book::{Book, BookError};
use crate::envelope::{Envelope, EnvelopeError};
use crate::generate::{Effort, GenerateError, Header, Log, PIECE, Plan};
use crate::oracle::look_up;
use crate::progress::{Progress, Step};
use fourbook_solver::board::{Board, Position, Score, Size, Word};
use fourbook_solver::{Budget, Limits, Solvers, TranspositionTable, ValueKind, on_large_stack};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

/// The header of the checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Values {
    width: u8,
    height: u8,
    kind: ValueKind,
}

impl Header for Values {
    const ENVELOPE: Envelope =
        Envelope { magic: *b"\x894SOLV\r\n", version: 1, most_bytes: PIECE - 20 };

    fn checked(self) -> Result<Self, EnvelopeError> {
        match Size::checked(self.width.into(), self.height.into()) {
            Some(_) => Ok(self),
            None => Err(EnvelopeError::damaged("values of a board", self)),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        self == other
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "values of {}x{} boards ({})", self.width, self.height, self.kind)
    }
}

/// The content of a record.
#[derive(Serialize, Deserialize)]
struct Record {
    key: u128,
    /// The value, for the side to move.
    value: Score,
    /// The spent work.
    effort: Effort,
    zeros: [u8; 15],
}

/// The values of canonical positions.
type Known = HashMap<Position, Score>;

/// The values of positions.
pub(super) struct Solved<'a> {
    plan: &'a Plan,
    book: Option<&'a Book>,
    progress: &'a dyn Progress,
    solvers: Solvers,
    budget: Arc<Budget>,
    started: Instant,
    log: Log<Values>,
    /// The work of earlier runs.
    before: Effort,
    known: Mutex<Known>,
}

impl<'a> Solved<'a> {
    /// Opens the checkpoint of `plan`, or begins one.
    pub(super) fn open(
        plan: &'a Plan,
        book: Option<&'a Book>,
        progress: &'a dyn Progress,
    ) -> Result<Self, GenerateError> {
        let Plan { size, kind, .. } = *plan;
        let header = Values { width: size.width() as u8, height: size.height() as u8, kind };
        let mut log = Log::lock(&plan.checkpoint_file(), &header)?;
        let mut known = Known::new();
        let mut before = Effort::default();
        log.open(&header, |record: Record| {
            before = record.effort;
            let position = Position::from_key(size, record.key);
            position.map(|position| known.insert(position, record.value)).is_ok()
        })?;
        let table = TranspositionTable::new(size, plan.table_bytes)?;
        let cancel = progress.cancel().cloned();
        Ok(Solved {
            plan,
            book,
            progress,
            solvers: Solvers::new(Arc::new(table)),
            budget: Budget::new(&Limits { cancel, ..Limits::default() }),
            started: Instant::now(),
            log,
            before,
            known: known.into(),
        })
    }

    /// The value of a position, for the side to move, if it is known.
    pub(super) fn value(&self, position: Position) -> Result<Option<Score>, BookError> {
        let value = look_up(self.book, position)?.value(self.plan.kind);
        Ok(value.or_else(|| self.known().get(&position.canonical()).copied()))
    }

    /// The value of a position, for the side to move, if it is known or follows from the values after
    /// its moves.
    pub(super) fn value_by_moves<B: Word>(
        &self,
        board: Board<B>,
    ) -> Result<Option<Score>, BookError> {
        let known = self.value(board.widen())?;
        if known.is_some() {
            return Ok(known);
        }
        let most = self.plan.kind.highest_value(self.plan.size);
        let mut best = None;
        let mut is_complete = true;
        for child in board.children().flatten() {
            match self.value(child.widen())? {
                Some(value) => best = best.max(Some(-value)),
                None => is_complete = false,
            }
        }
        Ok(best.filter(|&best| is_complete || best == most))
    }

    /// Solves canonical positions of `ply` whose values are not known. `before` were solved since the
    /// ply began; returns how many that are now.
    pub(super) fn solve(
        &self,
        ply: u32,
        before: u64,
        positions: &[Position],
    ) -> Result<u64, GenerateError> {
        let Plan { kind, threads, .. } = *self.plan;
        let count = positions.len() as u64;
        self.progress.begin(Step::SolveAll(ply), before, before + count);
        let stored = self.known().len() as u64 + count;
        let failed = OnceLock::new();
        let numbered = (0..).zip(positions.iter().copied());
        let unsolved = numbered.take_while(|_| failed.get().is_none());
        let stopped = on_large_stack(|| {
            self.solvers.run(
                unsolved,
                count,
                kind,
                &self.budget,
                threads,
                |number: u64, value: Score| {
                    let position = positions[number as usize];
                    let mut known = self.known();
                    known.insert(position, value);
                    if let Err(error) = self.save(&known, position, false) {
                        drop(failed.set(error));
                    }
                    self.progress.advance(1);
                },
            )
        })
        .map_err(|source| self.plan.no_threads(source))??;
        if let Some(error) = failed.into_inner() {
            return Err(error);
        }
        let known = self.known();
        if let Some(&position) = known.keys().next() {
            // For the work of searches that were cut off.
            self.save(&known, position, true)?;
        }
        if stopped.is_some() {
            let checkpoint = self.log.path.clone();
            let solved = Some((known.len() as u64, stored));
            return Err(GenerateError::Interrupted { checkpoint, solved });
        }
        Ok(before + count)
    }

    /// Writes the value of a known position, and the spent work.
    fn save(&self, known: &Known, position: Position, to_disk: bool) -> Result<(), GenerateError> {
        let key = position.key();
        let effort = self.effort_for(known);
        let record = Record { key, value: known[&position], effort, zeros: [0; 15] };
        self.log.append([record], to_disk)
    }

    /// The work of this and earlier runs.
    pub(super) fn effort(&self) -> Effort {
        self.effort_for(&self.known())
    }

    fn effort_for(&self, known: &Known) -> Effort {
        Effort {
            runs: self.before.runs + 1,
            positions: known.len() as u64,
            nodes: self.before.nodes + self.budget.nodes(),
            milliseconds: self.before.milliseconds + self.started.elapsed().as_millis() as u64,
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Deletes the checkpoint.
    pub(super) fn remove(self) -> Result<(), GenerateError> {
        self.log.remove()
    }
}
