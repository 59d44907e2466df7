//! The values that a strategy's moves are chosen by: from a book, or solved and kept in a file.
//!
//! The file is a log of records: the key of a position, its value, and a checksum, which covers the
//! board and the kind of the value, too. A record that is damaged or of another board counts for
//! nothing. So the file serves every strategy of its board and kind.

use crate::book::{Book, BookError};
use crate::files::{LockedFile, folder_of, sync_folder};
use crate::generate::{GenerateError, Plan, lock, remove};
use crate::oracle::look_up;
use crate::progress::{Progress, Step};
use fourbook_solver::board::{Board, Position, Score, Word};
use fourbook_solver::{Budget, Limits, Solvers, TranspositionTable, ValueKind, on_large_stack};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A key, a value, three zeros and a checksum.
const RECORD_BYTES: usize = 24;

/// The values of positions.
pub(super) struct Solved<'a> {
    plan: &'a Plan,
    book: Option<&'a Book>,
    solvers: Solvers,
    budget: Arc<Budget>,
    path: PathBuf,
    file: LockedFile,
    /// The values of canonical positions.
    known: Mutex<HashMap<Position, Score>>,
}

impl<'a> Solved<'a> {
    /// Opens the checkpoint of `plan`, or begins one.
    pub(super) fn open(
        plan: &'a Plan,
        book: Option<&'a Book>,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Self, GenerateError> {
        let path = plan.checkpoint_file();
        let file = lock(&path)?;
        let known = read(&file, plan).map_err(BookError::io("read", &path))?;
        if known.is_none() {
            let Plan { size, kind, .. } = *plan;
            let problem =
                format!("expected values of {size} boards ({kind}), found others or another file");
            return Err(GenerateError::Checkpoint { path, problem });
        }
        sync_folder(folder_of(&path)).map_err(BookError::io("write", &path))?;
        let table = TranspositionTable::new(plan.size, plan.table_bytes)?;
        let limits = Limits { cancel: Some(Arc::clone(cancel)), ..Limits::default() };
        Ok(Solved {
            plan,
            book,
            solvers: Solvers::new(Arc::new(table)),
            budget: Budget::new(&limits),
            path,
            file,
            known: Mutex::new(known.unwrap_or_default()),
        })
    }

    /// The value of a position, for the side to move, if it is known.
    pub(super) fn value(&self, position: Position) -> Result<Option<Score>, BookError> {
        let value = look_up(self.book, position)?.number(self.plan.kind);
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(value.or_else(|| known.get(&position.canonical()).copied()))
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

    /// Solves canonical positions of `ply` whose values are not known.
    pub(super) fn solve(
        &self,
        ply: u32,
        positions: &[Position],
        progress: &dyn Progress,
    ) -> Result<(), GenerateError> {
        let Plan { kind, threads, .. } = *self.plan;
        let count = positions.len() as u64;
        progress.begin(Step::SolveAll(ply), 0, count);
        let stored = self.count() + count;
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
                    let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                    let mut file: &File = &self.file;
                    match file.write_all(&record(self.plan, position, value)) {
                        Ok(()) => drop(known.insert(position, value)),
                        Err(error) => drop(failed.set(error)),
                    }
                    progress.advance(1);
                },
            )
        })
        .map_err(|source| self.plan.no_threads(source))??;
        let saved = failed.into_inner().map_or_else(|| self.file.sync_data(), Err);
        saved.map_err(BookError::io("write", &self.path))?;
        if stopped.is_some() {
            let checkpoint = self.path.clone();
            let solved = Some((self.count(), stored));
            return Err(GenerateError::Interrupted { checkpoint, solved });
        }
        Ok(())
    }

    /// The nodes that searches of this run have visited.
    pub(super) fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    /// The number of positions that this and earlier runs have solved.
    pub(super) fn count(&self) -> u64 {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    /// Deletes the checkpoint.
    pub(super) fn remove(self) -> Result<(), GenerateError> {
        remove(&self.path)
    }
}

/// The record of a position's value.
fn record(plan: &Plan, position: Position, value: Score) -> [u8; RECORD_BYTES] {
    let mut record = [0; RECORD_BYTES];
    record[..16].copy_from_slice(&position.key().to_le_bytes());
    record[16] = value as u8;
    let mut hasher = crc32fast::Hasher::new();
    let kind = u8::from(plan.kind == ValueKind::WinDrawLoss);
    hasher.update(&[plan.size.width() as u8, plan.size.height() as u8, kind]);
    hasher.update(&record[..20]);
    record[20..].copy_from_slice(&hasher.finalize().to_le_bytes());
    record
}

/// The values in a checkpoint, behind which the next ones are written; `None` if the file has
/// something, but no record of the plan's board and kind.
fn read(mut file: &File, plan: &Plan) -> io::Result<Option<HashMap<Position, Score>>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    let mut known = HashMap::new();
    let mut damaged = 0;
    for found in bytes.chunks_exact(RECORD_BYTES) {
        let (key, rest) = found.split_first_chunk().expect("a record has a key");
        let position = Position::from_key(plan.size, u128::from_le_bytes(*key));
        let value = rest[0] as Score;
        match position {
            Ok(position) if record(plan, position, value) == found => {
                known.insert(position, value);
            }
            _ => damaged += 1,
        }
    }
    if known.is_empty() && bytes.len() >= RECORD_BYTES {
        return Ok(None);
    }
    if damaged > 0 {
        tracing::warn!("{damaged} records of the checkpoint are damaged; these are solved again");
    }
    let end = bytes.len() / RECORD_BYTES * RECORD_BYTES;
    file.seek(SeekFrom::Start(end as u64)).map(|_| Some(known))
}
