//! Searches in the foreground: long ones show progress.

use crate::cli::args::{LimitArgs, Options};
use crate::cli::error::{Context, Result};
use crate::cli::output::OnStderr;
use crate::cli::status::hint;
use fourbook::{Oracle, Size};
use std::panic::resume_unwind;
use std::sync::Once;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Time after which a search shows progress, and between two updates of it.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);

/// How long to look ahead for a move after Ctrl-C has stopped a search.
pub(crate) const HASTY: Duration = Duration::from_millis(300);

/// Cells of the largest boards of which every position is solved in minutes.
const MOST_CELLS: u32 = 56;

/// Returns the progress of a long search. On a large board, names `--deadline` once.
pub(crate) fn show_progress(options: &Options, limits: Option<LimitArgs>, size: Size) -> OnStderr {
    static HINT: Once = Once::new();
    let is_unlimited = limits.is_some_and(LimitArgs::is_unlimited);
    if is_unlimited && size.cells() > MOST_CELLS && !options.quiet {
        HINT.call_once(|| {
            hint(format_args!(
                "positions of {size} boards may take longer than you can wait; \
                 --deadline 10s gives each up after 10 seconds"
            ));
        });
    }
    OnStderr::new(options.quiet)
}

/// Runs `task`, a search of `oracle`, and shows progress if it takes long: that of the oracle's
/// limits.
pub(crate) fn wait_for<T: Send>(
    name: &str,
    oracle: &Oracle,
    limits: Option<LimitArgs>,
    options: &Options,
    task: impl FnOnce() -> T + Send,
) -> Result<T> {
    let started = Instant::now();
    let mut progress = None;
    beside(|_: mpsc::Sender<()>| task(), &mut |_| {
        progress.get_or_insert_with(|| {
            let progress = show_progress(options, limits, oracle.size());
            let search = oracle.limits().progress.clone().unwrap_or_default();
            progress.start(name, Some(search), 1, started);
            progress
        });
        Ok(())
    })
}

/// Runs `work` on a thread. Meanwhile calls `look` with every message
/// of `work`, and with `None` whenever a second has passed without one.
pub(crate) fn beside<M: Send, T: Send>(
    work: impl FnOnce(mpsc::Sender<M>) -> T + Send,
    look: &mut dyn FnMut(Option<M>) -> Result,
) -> Result<T> {
    let (sender, received) = mpsc::channel();
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("search".to_owned());
        let thread = thread.spawn_scoped(scope, move || work(sender));
        let thread = thread.with_context(|| "cannot start a thread")?;
        loop {
            match received.recv_timeout(PROGRESS_AFTER) {
                Ok(message) => look(Some(message))?,
                Err(RecvTimeoutError::Timeout) => look(None)?,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
