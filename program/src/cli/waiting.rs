//! Searches in the foreground: long ones show progress.

use crate::cli::args::{LimitArgs, Options};
use crate::cli::error::{Context, Result};
use crate::cli::output::OnStderr;
use crate::cli::status::hint;
use fourbook::oracle::{Query, Step};
use fourbook::solver::{SearchProgress, on_large_stack};
use fourbook::{Limits, Size, Stopped};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Once};
use std::thread;
use std::time::{Duration, Instant};

/// Time after which a search shows progress, and between two updates of it.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);

/// How long to look ahead for a move after Ctrl-C has stopped a search.
pub(crate) const HASTY: Duration = Duration::from_millis(300);

/// Cells of the largest boards of which every position is solved in minutes, such as 7x7.
const MOST_CELLS: u32 = 49;

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

/// Searches until the answer is complete, or returns the limit that was reached. Shows the progress if
/// it takes long. `cancel` ends it; it is set while no search is under way.
pub(crate) fn wait_for(
    name: &str,
    query: &mut Query,
    limits: Limits,
    cancel: &Arc<AtomicBool>,
    given: Option<LimitArgs>,
    options: &Options,
) -> Result<Option<Stopped>> {
    let search: Arc<SearchProgress> = Arc::default();
    let limits =
        Limits { cancel: Some(Arc::clone(cancel)), progress: Some(Arc::clone(&search)), ..limits };
    let started = Instant::now();
    let size = query.known().position().size();
    let mut progress = None;
    cancel.store(false, Ordering::Relaxed);
    let ended = beside(|_: mpsc::Sender<()>| query.step(&limits), &mut |_| {
        progress.get_or_insert_with(|| {
            let progress = show_progress(options, given, size);
            progress.start(name, Some(Arc::clone(&search)), 1, started);
            progress
        });
        Ok(())
    });
    cancel.store(true, Ordering::Relaxed);
    Ok(match ended?? {
        Step::Done => None,
        Step::More(stopped) => Some(stopped),
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
        // Otherwise each search of the work would start one for its stack.
        let thread = thread.spawn_scoped(scope, move || on_large_stack(|| work(sender)));
        let thread = thread.with_context(|| "cannot start a thread")?;
        loop {
            match received.recv_timeout(PROGRESS_AFTER) {
                Ok(message) => look(Some(message))?,
                Err(RecvTimeoutError::Timeout) => look(None)?,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let worked = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        worked.with_context(|| "cannot start a thread")
    })
}
