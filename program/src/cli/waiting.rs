//! Searches in the foreground: long ones show progress.

use crate::cli::args::Options;
use crate::cli::error::{Context, Result};
use crate::cli::output::OnStderr;
use crate::cli::status;
use fourbook::Oracle;
use fourbook::solver::STACK_BYTES;
use std::io::{self, IsTerminal};
use std::panic::resume_unwind;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Time after which a search shows progress, and between two updates of it.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);

/// Runs `task`, a search of `oracle`, on a thread with enough stack. If it takes long, prints
/// `hint` and shows time and nodes, on a terminal or with `-v`.
pub(crate) fn wait_for<T: Send>(
    name: &str,
    oracle: &Oracle,
    hint: Option<&str>,
    options: &Options,
    task: impl FnOnce() -> T + Send,
) -> Result<T> {
    let is_quiet = options.quiet || options.verbose == 0 && !io::stderr().is_terminal();
    let nodes = oracle.nodes();
    let (ended, end) = mpsc::channel();
    thread::scope(|scope| {
        let work = move || {
            let result = task();
            // The receiver waits until it ends.
            let _ = ended.send(());
            result
        };
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, work).context("cannot start a thread")?;
        let mut progress = None;
        while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(PROGRESS_AFTER) {
            let begin = || {
                hint.filter(|_| !options.quiet).into_iter().for_each(status::hint);
                let progress = OnStderr::new(is_quiet);
                progress.start_search(name, oracle, nodes, PROGRESS_AFTER);
                progress
            };
            progress.get_or_insert_with(begin).tick();
        }
        Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
