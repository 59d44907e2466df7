//! The plan of a book, and the checks made before hours are spent on it.

use super::error::GenerateError;
use super::part::PartIdentity;
use super::shard::Shard;
use crate::book::{Book, BookError, Encoding, Provenance, every_second_ply, most_bytes};
use crate::enumerate::{SlotSet, bytes_of_sets, slots_of_plies};
use crate::files::{check_writable, folder_of, is_other, names_file, target_of};
use crate::memory::Memory;
use crate::rank::{deepest_ply, slots};
use fourbook_solver::board::Size;
use fourbook_solver::{ValueKind, thread_count};
use fs4::available_space;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

/// A book to generate, the threads and the memory for it.
///
/// Board, depth, kind and encoding determine the book; threads and memory only how long
/// generating takes.
///
/// ```
/// use fourbook::Size;
/// use fourbook::generate::Plan;
/// let plan = Plan { threads: 2, ..Plan::new(Size::STANDARD, 8) };
/// assert_eq!(plan.out.to_str(), Some("7x6-d8.book"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The board size.
    pub size: Size,
    /// The deepest ply of the book: the number of stones of its positions.
    pub depth: u32,
    /// Exact scores, or outcomes only.
    pub kind: ValueKind,
    /// How the book stores values; parts of shards have no encoding.
    pub encoding: Encoding,
    /// Number of threads that solve; 0 is one for each processor.
    pub threads: usize,
    /// Size of the transposition table shared by the threads, in bytes.
    pub table_bytes: usize,
    /// The file of the book, or of the part if a shard is solved. The checkpoint
    /// is a file beside it.
    pub out: PathBuf,
    /// Whether a book and a report that exist are replaced.
    pub replace: bool,
}

/// The resources of a plan, estimated without counting positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needs {
    /// Memory, in bytes.
    pub(super) memory: u64,
    /// About how much the checkpoint takes on the disk, in bytes.
    pub(super) checkpoint: u64,
    /// The book or part on the disk, in bytes at most.
    pub(super) book: u64,
}

/// The memory of each thread, in bytes: a small table and a stack.
const BYTES_PER_THREAD: u64 = 4 << 20;

/// The bytes of a position in a checkpoint. A full record has 24 positions in 64 bytes;
/// long ones are written before their records are full.
const CHECKPOINT_BYTES: u64 = 4;

/// Headers and block rounding of a checkpoint or part, in bytes.
const OVERHEAD: u64 = 8 << 10;

fn checkpoint_bytes(positions: u64) -> u64 {
    positions.saturating_mul(CHECKPOINT_BYTES).saturating_add(OVERHEAD)
}

impl Plan {
    /// The plan of a flat book of exact scores.
    ///
    /// It has a thread for each processor, and a file name made from the size, depth and kind of
    /// the book. Its table takes at most a quarter of the free memory, and at most 1 GiB.
    pub fn new(size: Size, depth: u32) -> Plan {
        let kind = ValueKind::Scores;
        Plan {
            size,
            depth,
            kind,
            encoding: Encoding::Flat,
            threads: thread_count(0),
            table_bytes: Memory::now().table_bytes(),
            out: Self::default_out(size, depth, kind),
            replace: false,
        }
    }

    /// A depth for a first book of a board: at most 8 plies, fewer on small boards and on
    /// wide ones, which have many positions.
    ///
    /// Up to about 7x6, and on low or narrow boards a little larger, such a book takes seconds
    /// to hours. On boards of many more cells no depth is solved in reasonable time:
    /// see [`estimate`](super::estimate()).
    pub fn default_depth(size: Size) -> u32 {
        // 8x7 has 226,170 slots at ply 8.
        const MOST_SLOTS: u64 = 1 << 18;
        let deepest = (size.cells() / 3).min(8);
        (0..=deepest)
            .rev()
            .find(|depth| slots(size, *depth).is_some_and(|slots| slots <= MOST_SLOTS))
            .unwrap_or(0)
    }

    /// The deepest ply that a book of this board can have.
    pub fn deepest(size: Size) -> u32 {
        deepest_ply(size)
    }

    /// A file name made from the book's size, depth and kind, such as `7x6-d8.book`.
    pub fn default_out(size: Size, depth: u32, kind: ValueKind) -> PathBuf {
        let suffix = super::file_suffix(kind);
        format!("{size}-d{depth}{suffix}.book").into()
    }

    /// The file of the checkpoint: beside the book or part, `FILE.checkpoint`.
    pub fn checkpoint_file(&self) -> PathBuf {
        self.beside(".checkpoint")
    }

    /// The identity of a shard's part.
    pub(super) fn part(&self, shard: Shard, positions: u64, range: Range<u64>) -> PartIdentity {
        PartIdentity {
            width: self.size.width() as u8,
            height: self.size.height() as u8,
            depth: self.depth,
            kind: self.kind,
            index: shard.index(),
            of: shard.of(),
            positions,
            first: range.start,
            count: range.end - range.start,
        }
    }

    /// The path of the report, which is the book's path with `.json` appended.
    pub fn report_file(&self) -> PathBuf {
        self.beside(".json")
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        let mut name = self.out.clone().into_os_string();
        name.push(suffix);
        name.into()
    }

    /// The number of slots of the deepest ply, an upper bound of the positions to solve.
    ///
    /// # Errors
    ///
    /// If the depth is too large for the board.
    pub fn slots(&self) -> Result<u64, GenerateError> {
        Ok(self.slots_of_plies()?[self.depth as usize])
    }

    /// The memory and disk space that the plan requires.
    pub(super) fn needs(&self) -> Result<Needs, GenerateError> {
        let plies = self.slots_of_plies()?;
        let deepest = plies[self.depth as usize];
        // Reachable slots, visited slots, and ended games of one ply.
        let bits = 2 * bytes_of_sets(&plies) + SlotSet::bytes_for(deepest);
        // The table is gone before the scores are put into their slots, from a copy.
        let scores = plies.iter().sum::<u64>().max(2 * deepest);
        let solving = self.solving_memory().saturating_add(deepest);
        Ok(Needs {
            memory: solving.max(scores).saturating_add(bits),
            checkpoint: checkpoint_bytes(deepest),
            book: most_bytes(self.size, self.kind, self.encoding, &plies)?,
        })
    }

    /// The needs of a shard with `positions` positions.
    pub(super) fn shard_needs(&self, positions: u64) -> Result<Needs, GenerateError> {
        let plies = self.slots_of_plies()?;
        Ok(Needs {
            memory: self
                .solving_memory()
                .saturating_add(bytes_of_sets(&plies))
                .saturating_add(positions),
            checkpoint: checkpoint_bytes(positions),
            book: positions.saturating_add(OVERHEAD),
        })
    }

    /// How many slots each ply has, down to the deepest.
    fn slots_of_plies(&self) -> Result<Vec<u64>, GenerateError> {
        let Plan { size, depth, .. } = *self;
        if depth >= size.cells() {
            return Err(BookError::TooDeep { size, ply: depth }.into());
        }
        Ok(slots_of_plies(size, depth)?)
    }

    fn solving_memory(&self) -> u64 {
        // A table of any size can be asked for.
        (self.table_bytes as u64).saturating_add(self.threads_memory())
    }

    /// The number of threads that solve.
    pub(super) fn thread_count(&self) -> usize {
        thread_count(self.threads)
    }

    fn threads_memory(&self) -> u64 {
        (self.thread_count() as u64).saturating_mul(BYTES_PER_THREAD)
    }

    /// Whether the file `out` is the whole book of this plan already, and is not to be replaced.
    pub fn is_made(&self) -> bool {
        let Plan { size, depth, kind, encoding, .. } = *self;
        // A book of another origin may have other values.
        let provenance = Provenance::generated(size, depth, kind, encoding);
        let is_ours = |book: &Book| {
            let plies = book.sections().iter().map(|section| section.ply);
            book.size() == size
                && book.provenance().arguments == provenance.arguments
                && plies.eq(every_second_ply(depth))
                && book.check_sections().is_ok()
        };
        !self.replace && Book::open(&self.out).is_ok_and(|book| is_ours(&book))
    }

    /// Checks whether the plan can be carried out on this machine as it is now.
    ///
    /// # Errors
    ///
    /// If something is wrong with the plan, the output's folder cannot be
    /// written to, or memory or room on the disk do not suffice.
    pub fn check(&self) -> Result<(), GenerateError> {
        self.slots_of_plies()?;
        self.check_output()?;
        self.check_machine(&Plan::needs)
    }

    /// Checks whether the file and its report can be written.
    pub(crate) fn check_output(&self) -> Result<(), GenerateError> {
        self.check_folder()?;
        let files = [self.out.clone(), self.report_file()];
        if let Some(other) = files.iter().find(|path| is_other(path)) {
            return Err(GenerateError::NoFileName(other.clone()));
        }
        if let Some(there) =
            files.into_iter().find(|path| !self.replace && path.symlink_metadata().is_ok())
        {
            return Err(GenerateError::OutputExists(there));
        }
        Ok(())
    }

    /// Checks whether this machine has what is needed. `needs_of` says what a plan of this or
    /// another depth needs.
    pub(super) fn check_machine(
        &self,
        needs_of: &dyn Fn(&Plan) -> Result<Needs, GenerateError>,
    ) -> Result<(), GenerateError> {
        let needs = &needs_of(self)?;
        self.check_folder()?;
        let folder = folder_of(&self.out).to_owned();
        let free = match available_space(&folder) {
            Ok(free) => free,
            Err(source) => return Err(GenerateError::Folder { folder, source }),
        };
        // The checkpoint of a run that was interrupted takes its room already.
        let taken = self.checkpoint_file().metadata().map_or(0, |metadata| metadata.len());
        let disk =
            |needs: &Needs| needs.checkpoint.saturating_sub(taken).saturating_add(needs.book);
        let available = Memory::now().available;
        let fits = |needs: &Needs| disk(needs) <= free && needs.memory <= available;
        if fits(needs) {
            return Ok(());
        }
        let plan = |depth| Plan { depth, ..self.clone() };
        let depths = (0..self.depth).rev();
        let fitting =
            depths.into_iter().find(|&depth| needs_of(&plan(depth)).is_ok_and(|it| fits(&it)));
        let needed = disk(needs);
        if needed > free {
            return Err(GenerateError::Disk { folder, needed, free, fitting });
        }
        let table = self.table_bytes as u64;
        let threads = self.threads_memory();
        Err(GenerateError::Memory { needed: needs.memory, table, threads, available, fitting })
    }

    /// The error of a system that does not provide the threads.
    pub(crate) fn no_threads(&self, source: io::Error) -> GenerateError {
        GenerateError::Threads { threads: self.thread_count(), source }
    }

    fn check_folder(&self) -> Result<(), GenerateError> {
        if !names_file(&self.out) {
            return Err(GenerateError::NoFileName(self.out.clone()));
        }
        // The checkpoint lies beside the link, if it is one.
        let target = target_of(&self.out);
        [&self.out, &target].into_iter().try_for_each(|path| {
            let folder = folder_of(path);
            check_writable(folder)
                .map_err(|source| GenerateError::Folder { folder: folder.to_owned(), source })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn plan(folder: &Path) -> Plan {
        let (threads, table_bytes, out) = (1, 1 << 20, folder.join("test.book"));
        Plan { threads, table_bytes, out, ..Plan::new(Size::STANDARD, 8) }
    }

    #[test]
    fn needs_follow_from_the_slots_of_the_plies() {
        let plan = Plan { depth: 12, ..plan(Path::new("x")) };
        let needs = plan.needs().unwrap();
        let slots = plan.slots().unwrap();
        assert_eq!(slots, 7_116_648);
        // Six bits a slot, and the plies above.
        assert!(needs.book > slots * 6 / 8 && needs.book < slots, "{needs:?}");
        assert!(needs.memory > 2 * slots / 8 && needs.memory < 20_000_000, "{needs:?}");
    }

    #[test]
    fn no_book_is_larger_than_its_plan() {
        let folder = tempfile::tempdir().unwrap();
        for (size, depths) in [("4x4", [0, 1, 5, 9]), ("5x4", [0, 2, 3, 6]), ("4x5", [1, 2, 4, 6])]
        {
            let size: Size = size.parse().unwrap();
            for depth in depths {
                for kind in [ValueKind::Scores, ValueKind::WinDrawLoss] {
                    for encoding in [Encoding::Flat, Encoding::Compact] {
                        let plan = Plan { size, depth, kind, encoding, ..plan(folder.path()) };
                        crate::generate::run(&Plan { replace: true, ..plan.clone() }, &()).unwrap();
                        let length = plan.out.metadata().unwrap().len();
                        let most = plan.needs().unwrap().book;
                        assert!(
                            length <= most,
                            "{size} {depth} {kind} {encoding}: {length}, {most}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_depth_that_the_board_has_not_is_refused() {
        let size = Size::new(4, 4).unwrap();
        let plan = |depth| Plan { size, depth, ..plan(Path::new("x")) };
        assert!(plan(15).needs().is_ok());
        let error = plan(16).needs().unwrap_err().to_string();
        assert!(error.contains("depth 16") && error.contains("0 to 15"), "{error}");
        let size = Size::new(8, 7).unwrap();
        let error = Plan { size, ..plan(36) }.needs().unwrap_err();
        assert!(matches!(error, GenerateError::Book(BookError::TooDeep { .. })), "{error}");
        let deepest = deepest_ply(size);
        assert!(Plan { size, ..plan(deepest) }.needs().is_ok());
        assert!(Plan { size, ..plan(deepest + 1) }.needs().is_err());
        let error = Plan { size, ..plan(56) }.needs().unwrap_err().to_string();
        assert!(error.contains(&format!("0 to {deepest} plies")), "{error}");
    }

    #[test]
    fn an_output_that_cannot_be_written_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let good = plan(folder.path());
        good.check().unwrap();
        let out = folder.path().join("missing/test.book");
        assert!(matches!(Plan { out, ..good.clone() }.check(), Err(GenerateError::Folder { .. })));
        let out = PathBuf::from("/");
        assert!(matches!(Plan { out, ..good.clone() }.check(), Err(GenerateError::NoFileName(_))));
        for out in [folder.path(), Path::new(if cfg!(windows) { "NUL" } else { "/dev/null" })] {
            let plan = Plan { out: out.into(), replace: true, ..good.clone() };
            let error = plan.check().unwrap_err();
            assert!(matches!(error, GenerateError::NoFileName(_)), "{error}");
        }
        std::fs::write(&good.out, "mine").unwrap();
        assert!(matches!(good.check(), Err(GenerateError::OutputExists(path)) if path == good.out));
        assert!(Plan { replace: true, ..good.clone() }.check().is_ok());
        std::fs::rename(&good.out, good.report_file()).unwrap();
        let taken = good.check().unwrap_err().to_string();
        assert!(taken.contains("test.book.json' exists already"), "{taken}");
    }

    #[test]
    fn more_memory_or_disk_than_there_is_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let good = plan(folder.path());
        let boundless = Plan { table_bytes: usize::MAX, ..good.clone() };
        assert!(matches!(boundless.check(), Err(GenerateError::Memory { .. })));
        let greedy = Plan { table_bytes: 1 << 50, ..good.clone() };
        let error = greedy.check().unwrap_err();
        assert!(matches!(error, GenerateError::Memory { .. }), "{error}");
        assert!(error.to_string().contains("1.00 PiB"), "{error}");
        let needs = |plan: &Plan| {
            let book = if plan.depth < good.depth { 0 } else { 1 << 60 };
            Ok(Needs { book, ..plan.needs()? })
        };
        let error = good.check_machine(&needs).unwrap_err();
        assert!(matches!(error, GenerateError::Disk { fitting: Some(7), .. }), "{error}");
        assert!(error.to_string().ends_with("a smaller depth (at most 7)"), "{error}");
    }

    #[test]
    fn the_greatest_depth_that_fits_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let size = Size::new(10, 10).unwrap();
        let deep = Plan { size, depth: deepest_ply(size), ..plan(folder.path()) };
        let (GenerateError::Disk { fitting, .. } | GenerateError::Memory { fitting, .. }) =
            deep.check().unwrap_err()
        else {
            panic!("no machine has so much")
        };
        let fitting = fitting.unwrap();
        Plan { depth: fitting, ..deep.clone() }.check().unwrap();
        assert!(Plan { depth: fitting + 1, ..deep }.check().is_err());
    }

    #[test]
    fn every_depth_of_every_board_is_planned_or_refused() {
        for size in Size::all() {
            let plan = |depth| Plan {
                size,
                depth,
                threads: usize::MAX,
                table_bytes: usize::MAX,
                ..plan(Path::new("x"))
            };
            let deepest = deepest_ply(size);
            for depth in [0, 1, deepest / 2, deepest] {
                let needs = plan(depth).needs().unwrap();
                assert!(
                    needs.book >= plan(depth).slots().unwrap() / 2 && needs.memory == u64::MAX,
                    "{size}"
                );
                plan(depth).shard_needs(u64::MAX).unwrap();
            }
            for depth in [deepest + 1, size.cells(), u32::MAX] {
                let error = plan(depth).needs().unwrap_err();
                assert!(error.to_string().contains(&deepest.to_string()), "{error}");
            }
        }
    }

    #[test]
    fn the_default_depth_suits_the_board() {
        let depth = |text: &str| Plan::default_depth(text.parse().unwrap());
        assert_eq!(["4x4", "5x4", "5x5", "7x6", "8x7", "4x31"].map(depth), [5, 6, 8, 8, 8, 8]);
        assert_eq!(["9x4", "10x10", "13x8", "16x7"].map(depth), [7, 7, 6, 5]);
        for size in Size::all() {
            let depth = Plan::default_depth(size);
            assert!((4..=8).contains(&depth), "{size}: {depth}");
        }
    }

    #[test]
    fn names_say_what_is_inside() {
        let out = Plan::default_out(Size::STANDARD, 8, ValueKind::WinDrawLoss);
        assert_eq!(out, Path::new("7x6-d8-wdl.book"));
        let plan = plan(Path::new("books"));
        assert_eq!(plan.checkpoint_file(), Path::new("books/test.book.checkpoint"));
    }
}
