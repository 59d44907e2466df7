//! What is to be generated, and the checks made before hours are spent on it.

use super::memory::Memory;
use crate::board::Size;
use crate::enumerate::{PlyError, SlotSet};
use crate::files::{check_writable, folder_of, names_file};
use crate::rank::slots;
use crate::scores::ValueKind;
use fs4::available_space;
use indicatif::HumanBytes;
use std::io;
use std::path::PathBuf;

/// What is to be generated, and with what.
///
/// The board, the depth and the kind of scores determine the result; threads
/// and memory only how soon it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The board.
    pub size: Size,
    /// The deepest ply of the book: the number of stones of its positions.
    pub depth: u32,
    /// What the book says about a position.
    pub kind: ValueKind,
    /// Number of threads that solve.
    pub threads: usize,
    /// Size of the transposition table shared by the threads, in bytes.
    pub table_bytes: usize,
    /// The file of the book, or of the part if a shard is solved. The checkpoint
    /// is a folder beside it.
    pub out: PathBuf,
}

/// Why a plan cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The board has no positions so deep that need an entry.
    #[error(
        "depth {depth} is too deep for {size}: expected 0 to {} plies, since a full board needs no entry",
        size.cells() - 1
    )]
    Depth {
        /// The board.
        size: Size,
        /// The depth asked for.
        depth: u32,
    },
    /// A ply has more positions than can be numbered.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// No threads.
    #[error("0 threads cannot solve anything; expected at least 1")]
    NoThreads,
    /// The output is no file name.
    #[error("expected the name of a file to write, found '{}'", .0.display())]
    NoFileName(PathBuf),
    /// There is something of that name already.
    #[error("'{}' exists already; remove it, or choose another file to write the book to", .0.display())]
    OutputExists(PathBuf),
    /// The file of the book is there and its checkpoint too: a run may have been ended
    /// between writing the one and removing the other.
    #[error(
        "'{}' exists already, and '{}' beside it, which a run leaves that is ended just after writing the book; if 'fourbook verify' finds the book whole, remove the latter, or else the former to have it written again from the latter",
        out.display(), checkpoint.display()
    )]
    OutputAndCheckpoint {
        /// The file of the book.
        out: PathBuf,
        /// The folder of the checkpoint.
        checkpoint: PathBuf,
    },
    /// The output's folder cannot be written to.
    #[error("cannot write into the folder '{}': {cause}; choose another file to write the book to", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// Too little room on the disk.
    #[error(
        "the disk of the folder '{}' has {} free, but {} are needed for the checkpoint and the file; make room, choose a file on another disk or a smaller depth",
        folder.display(), HumanBytes(*free), HumanBytes(*needed)
    )]
    Disk {
        /// The folder.
        folder: PathBuf,
        /// Room needed, in bytes.
        needed: u64,
        /// Room there is, in bytes.
        free: u64,
    },
    /// Too little memory.
    #[error(
        "{} of memory are available, but {} are needed, {} of them for the transposition table and {} for the threads; {}",
        HumanBytes(*available), HumanBytes(*needed), HumanBytes(*table), HumanBytes(*threads),
        save_memory(*needed, *table, *threads)
    )]
    Memory {
        /// Memory needed, in bytes.
        needed: u64,
        /// Of it for the transposition table, in bytes.
        table: u64,
        /// Of it for what each thread has of its own, in bytes.
        threads: u64,
        /// Memory there is, in bytes.
        available: u64,
    },
}

/// What helps where memory is lacking.
fn save_memory(needed: u64, table: u64, threads: u64) -> &'static str {
    let positions = needed.saturating_sub(table.saturating_add(threads));
    match table.max(threads).max(positions) {
        largest if largest == table => "give the table less memory",
        largest if largest == threads => "choose fewer threads",
        _ => "choose a smaller depth, or a larger machine",
    }
}

/// What a plan takes, as far as it is known without counting positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Slots of the deepest ply: at most so many positions are to be solved.
    pub slots: u64,
    /// Memory, in bytes. The mapped checkpoint is not counted: the system can
    /// drop its pages at any time.
    pub memory: u64,
    /// The checkpoint on the disk, in bytes.
    pub checkpoint: u64,
    /// The book, or the part of a shard, on the disk, in bytes at most.
    pub book: u64,
}

/// What each thread keeps for itself: a small table and a stack, in bytes.
const BYTES_PER_THREAD: u64 = 4 << 20;

/// Header and block rounding of the checkpoint's files, in bytes.
const CHECKPOINT_OVERHEAD: u64 = 64 << 10;

/// Header and block rounding of a part, in bytes.
const PART_OVERHEAD: u64 = 4 << 10;

impl Plan {
    /// The depth of a book that is generated in reasonable time on any board
    /// for which that is possible: 8 plies, fewer on small boards.
    #[must_use]
    pub fn default_depth(size: Size) -> u32 {
        (size.cells() as u32 / 3).min(8)
    }

    /// A file name that says what is in the book, such as `7x6-d8.book`.
    #[must_use]
    pub fn default_out(size: Size, depth: u32, kind: ValueKind) -> PathBuf {
        let suffix = kind.file_suffix();
        format!("{size}-d{depth}{suffix}.book").into()
    }

    /// A size for the transposition table, in bytes, that fits the job: enough
    /// for the positions that can come up, but not more than half of the
    /// memory that is `available`.
    #[must_use]
    pub fn default_table_bytes(size: Size, depth: u32, available: u64) -> usize {
        // Zeroing a large table takes longer than a small job, and one that
        // holds a small part of the positions is still worth having.
        const SMALLEST: u64 = 16 << 20;
        const LARGEST: u64 = 8 << 30;
        // Measured: of all positions below, a search keeps about one in 30, at
        // 8 bytes each; on large boards far fewer, and the limit holds.
        let mut positions = 0_u64;
        for ply in depth.saturating_add(1)..size.cells() as u32 {
            positions = positions.saturating_add(slots(size, ply).unwrap_or(u64::MAX));
        }
        let bytes = (positions / 4).clamp(SMALLEST, LARGEST);
        usize::try_from(bytes.min(available / 2).max(SMALLEST)).unwrap_or(usize::MAX)
    }

    /// The folder of the checkpoint: beside the book or part, `FILE.checkpoint`.
    #[must_use]
    pub fn checkpoint_folder(&self) -> PathBuf {
        self.beside(".checkpoint")
    }

    /// The file that says how the book was made: beside it, `FILE.json`.
    #[must_use]
    pub fn report_file(&self) -> PathBuf {
        self.beside(".json")
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        let mut name = self.out.clone().into_os_string();
        name.push(suffix);
        name.into()
    }

    /// What the plan takes.
    ///
    /// # Errors
    ///
    /// If the depth is too large for the board or to be numbered.
    pub fn needs(&self) -> Result<Needs, PlanError> {
        let plies = self.slots_of_plies()?;
        let deepest = plies[self.depth as usize];
        // What is reachable, what the order has met, and ended games of one ply.
        let bits = 2 * bytes_of_bits(&plies) + SlotSet::bytes_for(deepest);
        // The table is gone before the shallower plies are derived.
        let derived = plies[..self.depth as usize].iter().sum::<u64>();
        Ok(Needs {
            slots: deepest,
            memory: self.solving_memory().max(derived).saturating_add(bits),
            checkpoint: deepest + CHECKPOINT_OVERHEAD,
            book: plies.iter().rev().step_by(2).sum(),
        })
    }

    /// What a shard of the plan takes that has so many positions: no more memory
    /// for each than for enumerating them.
    ///
    /// # Errors
    ///
    /// As [`needs`](Self::needs).
    pub fn shard_needs(&self, positions: u64) -> Result<Needs, PlanError> {
        let plies = self.slots_of_plies()?;
        Ok(Needs {
            slots: plies[self.depth as usize],
            memory: self.solving_memory().saturating_add(bytes_of_bits(&plies)),
            checkpoint: positions + CHECKPOINT_OVERHEAD,
            book: positions + PART_OVERHEAD,
        })
    }

    /// How many slots each ply has, down to the deepest.
    fn slots_of_plies(&self) -> Result<Vec<u64>, PlanError> {
        if self.depth as usize >= self.size.cells() {
            return Err(PlanError::Depth { size: self.size, depth: self.depth });
        }
        let slots_of = |ply| {
            let slots = slots(self.size, ply);
            slots.ok_or_else(|| PlyError::Numbering { size: self.size, ply }.into())
        };
        (0..=self.depth).map(slots_of).collect()
    }

    fn solving_memory(&self) -> u64 {
        // A table of any size can be asked for.
        (self.table_bytes as u64).saturating_add(self.threads_memory())
    }

    fn threads_memory(&self) -> u64 {
        self.threads as u64 * BYTES_PER_THREAD
    }

    /// Looks whether the plan can be carried out on this machine as it is now.
    ///
    /// # Errors
    ///
    /// If something is wrong with the plan, the output's folder cannot be
    /// written to, or memory or room on the disk do not suffice.
    pub fn check(&self) -> Result<Needs, PlanError> {
        let needs = self.needs()?;
        self.check_name()?;
        let (out, checkpoint) = (self.out.clone(), self.checkpoint_folder());
        if out.symlink_metadata().is_ok() && checkpoint.is_dir() {
            return Err(PlanError::OutputAndCheckpoint { out, checkpoint });
        }
        let new = [out, self.report_file()];
        if let Some(there) = new.into_iter().find(|path| path.symlink_metadata().is_ok()) {
            return Err(PlanError::OutputExists(there));
        }
        self.check_machine(&needs)?;
        Ok(needs)
    }

    /// Looks whether this machine has what is needed.
    pub(super) fn check_machine(&self, needs: &Needs) -> Result<(), PlanError> {
        if self.threads == 0 {
            return Err(PlanError::NoThreads);
        }
        self.check_folder()?;
        self.check_disk(needs)?;
        let available = Memory::now().available;
        if needs.memory > available {
            let (table, threads) = (self.table_bytes as u64, self.threads_memory());
            return Err(PlanError::Memory { needed: needs.memory, table, threads, available });
        }
        Ok(())
    }

    fn check_name(&self) -> Result<(), PlanError> {
        if names_file(&self.out) { Ok(()) } else { Err(PlanError::NoFileName(self.out.clone())) }
    }

    fn check_folder(&self) -> Result<(), PlanError> {
        self.check_name()?;
        let folder = folder_of(&self.out);
        check_writable(folder)
            .map_err(|cause| PlanError::Folder { folder: folder.to_owned(), cause })
    }

    fn check_disk(&self, needs: &Needs) -> Result<(), PlanError> {
        let folder = folder_of(&self.out);
        let free = available_space(folder)
            .map_err(|cause| PlanError::Folder { folder: folder.to_owned(), cause })?;
        // The checkpoint of a run that was interrupted takes its room already.
        let scores = super::checkpoint::scores_path(&self.checkpoint_folder());
        let taken = scores.metadata().map_or(0, |metadata| metadata.len());
        let needed = needs.checkpoint.saturating_sub(taken) + needs.book;
        if needed > free {
            return Err(PlanError::Disk { folder: folder.to_owned(), needed, free });
        }
        Ok(())
    }
}

/// The memory of one bit a slot, in bytes.
fn bytes_of_bits(plies: &[u64]) -> u64 {
    plies.iter().map(|&slots| SlotSet::bytes_for(slots)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn plan(folder: &Path) -> Plan {
        Plan {
            size: Size::STANDARD,
            depth: 8,
            kind: ValueKind::Scores,
            threads: 1,
            table_bytes: 1 << 20,
            out: folder.join("test.book"),
        }
    }

    #[test]
    fn needs_follow_from_the_slots_of_the_plies() {
        let plan = Plan { depth: 12, ..plan(Path::new("x")) };
        let needs = plan.needs().unwrap();
        assert_eq!(needs.slots, 7_116_648);
        assert!(needs.book > needs.slots && needs.book < 10_000_000, "{needs:?}");
        assert!(needs.memory > 2 * needs.slots / 8 && needs.memory < 20_000_000, "{needs:?}");
    }

    #[test]
    fn the_advice_is_to_save_where_most_memory_goes() {
        assert!(save_memory(100, 80, 10).contains("table"));
        assert!(save_memory(100, 10, 80).contains("threads"));
        assert!(save_memory(100, 10, 10).contains("depth"));
        // A table of any size can be asked for.
        assert!(save_memory(u64::MAX, u64::MAX, 8).contains("table"));
    }

    #[test]
    fn a_depth_that_the_board_has_not_is_refused() {
        let size = Size::new(4, 4).unwrap();
        let plan = |depth| Plan { size, depth, ..plan(Path::new("x")) };
        assert!(plan(15).needs().is_ok());
        let error = plan(16).needs().unwrap_err().to_string();
        assert!(error.contains("depth 16") && error.contains("0 to 15"), "{error}");
        let size = Size::new(8, 7).unwrap();
        assert!(matches!(Plan { size, ..plan(36) }.needs(), Err(PlanError::Ply(_))));
    }

    #[test]
    fn an_output_that_cannot_be_written_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let good = plan(folder.path());
        good.check().unwrap();
        let out = folder.path().join("missing/test.book");
        assert!(matches!(Plan { out, ..good.clone() }.check(), Err(PlanError::Folder { .. })));
        let out = PathBuf::from("/");
        assert!(matches!(Plan { out, ..good.clone() }.check(), Err(PlanError::NoFileName(_))));
        std::fs::write(&good.out, "mine").unwrap();
        assert!(matches!(good.check(), Err(PlanError::OutputExists(path)) if path == good.out));
        std::fs::create_dir(good.checkpoint_folder()).unwrap();
        assert!(matches!(good.check(), Err(PlanError::OutputAndCheckpoint { .. })));
        std::fs::rename(&good.out, good.report_file()).unwrap();
        let taken = good.check().unwrap_err().to_string();
        assert!(taken.contains("test.book.json' exists already"), "{taken}");
    }

    #[test]
    fn more_memory_or_disk_than_there_is_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let good = plan(folder.path());
        let boundless = Plan { table_bytes: usize::MAX, ..good.clone() };
        assert!(matches!(boundless.check(), Err(PlanError::Memory { .. })));
        let greedy = Plan { table_bytes: 1 << 50, ..good.clone() };
        let error = greedy.check().unwrap_err();
        assert!(matches!(error, PlanError::Memory { .. }), "{error}");
        assert!(error.to_string().contains("1.00 PiB"), "{error}");
        let needs = Needs { book: 1 << 60, ..good.needs().unwrap() };
        let error = good.check_disk(&needs).unwrap_err();
        assert!(matches!(error, PlanError::Disk { .. }), "{error}");
    }

    #[test]
    fn the_default_table_fits_job_and_machine() {
        let table = |width, height, depth, available| {
            Plan::default_table_bytes(Size::new(width, height).unwrap(), depth, available)
        };
        assert_eq!(table(4, 4, 8, 1 << 40), 16 << 20);
        assert_eq!(table(7, 6, 12, 1 << 40), 8 << 30);
        assert_eq!(table(7, 6, 12, 2 << 30), 1 << 30);
        // A depth that will be refused.
        assert_eq!(table(7, 6, u32::MAX, 1 << 40), 16 << 20);
    }

    #[test]
    fn names_say_what_is_inside() {
        let out = Plan::default_out(Size::STANDARD, 8, ValueKind::Outcomes);
        assert_eq!(out, Path::new("7x6-d8-wdl.book"));
        let plan = plan(Path::new("books"));
        assert_eq!(plan.checkpoint_folder(), Path::new("books/test.book.checkpoint"));
    }
}
