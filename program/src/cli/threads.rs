//! The number of threads on the command line.

use super::numbers::whole;
use crate::common::count;
use anyhow::Context;
use clap::Args;
use fourbook::solver::STACK_BYTES;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The argument of a subcommand that works with several threads.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct ThreadArgs {
    /// The number of threads [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = whole::<u16>(1..=u16::MAX.into()))]
    pub(super) threads: Option<u16>,
}

/// Does something on the threads of `pool`, where the library's functions find them.
pub(super) fn on<R: Send>(pool: &ThreadPool, task: impl FnOnce() -> R + Send) -> R {
    /// Compiled once for all tasks.
    fn install(pool: &ThreadPool, task: &mut (dyn FnMut() + Send)) {
        pool.install(task);
    }
    let (mut task, mut result) = (Some(task), None);
    install(pool, &mut || result = task.take().map(|task| task()));
    result.expect("the task has been done")
}

impl ThreadArgs {
    /// How many threads there are to be.
    pub(super) fn number(self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(processors, usize::from)
    }

    /// As many threads, with stack enough to solve positions.
    ///
    /// # Errors
    ///
    /// If the system does not give them.
    pub(super) fn start(self) -> anyhow::Result<ThreadPool> {
        let number = self.number();
        let pool = ThreadPoolBuilder::new().num_threads(number).stack_size(STACK_BYTES);
        pool.build().with_context(|| {
            let threads = count(number as u64, "thread");
            format!("cannot start {threads}; choose fewer with --threads")
        })
    }
}
