//! Searches that a player waits for: long ones show progress, and Ctrl-C stops them.

use crate::cli::error::{Context, INTERRUPTED, Result};
use crate::cli::output::OnStderr;
use fourbook::oracle::OracleError;
use fourbook::solver::STACK_BYTES;
use fourbook::{Limits, Oracle, StopReason};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Time after which a search shows progress, and between two updates of it.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);

/// Searches for one person, one after the other.
#[derive(Debug)]
pub(crate) struct Thinking {
    quiet: bool,
    /// Whether a search is under way.
    under_way: Arc<AtomicBool>,
    /// Stops it.
    cancel: Arc<AtomicBool>,
}

impl Thinking {
    /// From now on Ctrl-C stops a search, and ends the program if none is under way.
    pub(crate) fn new(quiet: bool) -> Result<Self> {
        let [under_way, cancel] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let thinking = Thinking { quiet, under_way, cancel };
        let (under_way, cancel) = (Arc::clone(&thinking.under_way), Arc::clone(&thinking.cancel));
        ctrlc::set_handler(move || {
            let stops = under_way.load(Ordering::Relaxed) && !cancel.swap(true, Ordering::Relaxed);
            if !stops {
                // What the terminal shows next begins on a line of its own.
                let _ = writeln!(io::stderr());
                std::process::exit(INTERRUPTED.into());
            }
        })
        .context("cannot be told of Ctrl-C")?;
        Ok(thinking)
    }

    /// Runs a search and returns its result; `None` if it was stopped.
    pub(crate) fn search<T: Send>(
        &self,
        oracle: &Oracle,
        task: impl FnOnce(&Oracle) -> Result<T, OracleError> + Send,
    ) -> Result<Option<T>> {
        let cancel = Some(Arc::clone(&self.cancel));
        let oracle = oracle.with_limits(Limits { cancel, ..Limits::default() });
        self.cancel.store(false, Ordering::Relaxed);
        self.under_way.store(true, Ordering::Relaxed);
        let found = self.wait_for(move || task(&oracle));
        self.under_way.store(false, Ordering::Relaxed);
        match found? {
            Ok(found) => Ok(Some(found)),
            Err(OracleError::Stopped(it)) if it.reason == StopReason::Cancelled => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Runs `task` on a thread with enough stack, and shows progress if it takes long.
    fn wait_for<T: Send>(&self, task: impl FnOnce() -> T + Send) -> Result<T> {
        let started = Instant::now();
        let (ended, end) = mpsc::channel();
        thread::scope(|scope| {
            let work = move || {
                let result = task();
                // Whoever waits is there until it ends.
                let _ = ended.send(());
                result
            };
            let thread = thread::Builder::new().name("search".to_owned()).stack_size(STACK_BYTES);
            let thread = thread.spawn_scoped(scope, work).context("cannot start a thread")?;
            let mut progress = None;
            while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(PROGRESS_AFTER) {
                let begin = || {
                    let progress = OnStderr::new(self.quiet);
                    progress.start_waiting("thinking (Ctrl-C stops it)", started);
                    progress
                };
                progress.get_or_insert_with(begin).tick();
            }
            Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }
}
