//! Every tool can be cancelled by each event of its progress.

use crate::strategy;
use crate::truth::FOUR_BY_FOUR;
use fourbook::book::Encoding;
use fourbook::generate::{self, Parts, Plan, Shard};
use fourbook::progress::{Progress, Step};
use fourbook::strategy::verify as verify_strategy;
use fourbook::tools::exchange::{ExportOptions, ForeignBook, Format, Other};
use fourbook::tools::exchange::{compare, export, import};
use fourbook::tools::pack::{PackOptions, pack};
use fourbook::tools::stats::statistics;
use fourbook::tools::verify::{VerifyOptions, verify};
use fourbook::{
    Book, Classify, ErrorKind, Oracle, Player, Size, StopReason, ValueKind, files, with_causes,
};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Cancels the work at one of its events.
struct CancelAt {
    event: u64,
    events: AtomicU64,
    cancel: Arc<AtomicBool>,
}

impl Progress for CancelAt {
    fn begin(&self, _: Step, _: u64, _: u64) {
        self.advance(0);
    }

    fn advance(&self, _: u64) {
        if self.events.fetch_add(1, Ordering::Relaxed) == self.event {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }

    fn cancel(&self) -> Option<&Arc<AtomicBool>> {
        Some(&self.cancel)
    }
}

/// How a tool has ended: an error that is not that of cancelled work is a panic.
#[derive(PartialEq)]
enum Ended {
    Done,
    Cancelled,
}

fn ended<T, E: Classify>(result: Result<T, E>) -> Ended {
    match result.as_ref().map_err(Classify::kind) {
        Ok(_) => Ended::Done,
        Err(ErrorKind::Cancelled) => Ended::Cancelled,
        Err(ErrorKind::Stopped(stopped)) if stopped.reason == StopReason::Cancelled => {
            Ended::Cancelled
        }
        Err(_) => panic!("{}", with_causes(&result.err().unwrap())),
    }
}

/// A tool that may write files into a folder.
type Tool<'a> = &'a dyn Fn(&Path, &CancelAt) -> Ended;

#[test]
fn every_tool_is_cancelled_by_any_event_and_leaves_no_file() {
    let compact = FOUR_BY_FOUR.encoded(6, ValueKind::Scores, Encoding::Compact);
    let book = &Book::from_bytes(compact).unwrap();
    let mut csv = Vec::new();
    let to_csv = ExportOptions::new(Format::Csv);
    export(book, &to_csv, &mut csv, &()).unwrap();
    let foreign = &ForeignBook::open(&csv, Format::Csv, Some(book.size())).unwrap();
    let made = tempfile::tempdir().unwrap();
    let plan_in = |folder: &Path, name: &str| Plan {
        threads: 1,
        table_bytes: 1 << 20,
        out: folder.join(name),
        ..Plan::new(Size::new(4, 4).unwrap(), 3)
    };
    let shard = Shard::new(1, 1).unwrap();
    generate::solve_shard(&plan_in(made.path(), "all.part"), shard, &()).unwrap();
    let parts = &Parts::find(made.path(), &()).unwrap();
    let strategy_in =
        |folder: &Path| strategy::plan(folder, "4x4", Player::X, 2, ValueKind::Scores);
    let (_, strategy) = &strategy::make(&strategy_in(made.path()));
    let tools: [Tool<'_>; 14] = [
        &|_, progress| {
            ended(verify(book, &VerifyOptions { deep: true, solve: 9, seed: 1 }, progress))
        },
        &|_, progress| ended(statistics(book, progress)),
        &|folder, progress| {
            let kind = ValueKind::WinDrawLoss;
            let options = PackOptions { depth: 5, kind, encoding: Encoding::Compact };
            let contents = pack(book, options, progress);
            let path = folder.join("new.book");
            ended(contents.and_then(|contents| Ok(contents.write_file(path, progress)?)))
        },
        &|folder, progress| {
            let contents = import(foreign, None, Encoding::Flat, Some(book), progress);
            let path = folder.join("new.book");
            ended(contents.and_then(|contents| Ok(contents.write_file(path, progress)?)))
        },
        &|folder, progress| {
            let path = folder.join("new.csv");
            ended(files::replace(&path, |file| export(book, &to_csv, file, progress)))
        },
        &|folder, progress| {
            let options = ExportOptions::new(Format::Pons);
            let path = folder.join("new.pons");
            ended(files::replace(&path, |file| export(book, &options, file, progress)))
        },
        &|_, progress| ended(compare(book, Other::Book(book), progress, &mut |_| Ok(()))),
        &|_, progress| ended(compare(book, Other::Foreign(foreign), progress, &mut |_| Ok(()))),
        &|folder, progress| ended(generate::run(&plan_in(folder, "new.book"), progress)),
        &|folder, progress| {
            ended(generate::solve_shard(&plan_in(folder, "new.part"), shard, progress))
        },
        &|_, progress| ended(Parts::find(made.path(), progress)),
        &|folder, progress| {
            ended(generate::merge(parts, &parts.plan(folder.join("new.book"), 1), progress))
        },
        &|folder, progress| {
            let plan = strategy_in(folder);
            ended(fourbook::strategy::make(&plan, None, None, progress))
        },
        &|_, progress| {
            let oracle = Oracle::without_book(book.size()).unwrap();
            ended(verify_strategy(strategy, 100, 1, &oracle, progress))
        },
    ];
    for (number, tool) in tools.into_iter().enumerate() {
        let mut late = 0;
        for event in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let progress = CancelAt { event, events: AtomicU64::new(0), cancel: Arc::default() };
            let ended = tool(folder.path(), &progress);
            if !progress.cancel.load(Ordering::Relaxed) {
                assert!(ended == Ended::Done && event > 0, "tool {number}");
                break;
            }
            let names = fs::read_dir(folder.path()).unwrap();
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            if ended == Ended::Done {
                // The work was done before the flag was looked at again.
                late += 1;
            } else {
                // Solved positions are kept.
                let left: Vec<_> = names.filter(|name| !name.ends_with(".checkpoint")).collect();
                assert!(left.is_empty(), "tool {number}, event {event}: {left:?}");
            }
        }
        assert!(late <= 1, "tool {number}: {late}");
    }
}
