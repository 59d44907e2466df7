//! Searches that a player waits for, and that Ctrl-C stops.

use crate::cli::args::Options;
use crate::cli::error::{INTERRUPTED, Result};
use crate::cli::waiting::wait_for;
use crate::cli::write::on_signal;
use fourbook::oracle::OracleError;
use fourbook::{Limits, Oracle, StopReason};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Searches for one person, one after the other.
#[derive(Debug)]
pub(crate) struct Thinking<'a> {
    options: &'a Options,
    /// Stops the search; set while none is under way.
    cancel: Arc<AtomicBool>,
}

impl<'a> Thinking<'a> {
    /// From now on Ctrl-C stops a search, and ends the program if none is under way.
    pub(crate) fn new(options: &'a Options) -> Result<Self> {
        let thinking = Thinking { options, cancel: Arc::new(AtomicBool::new(true)) };
        let cancel = Arc::clone(&thinking.cancel);
        on_signal(move || {
            if cancel.swap(true, Ordering::Relaxed) {
                // The next output begins on a line of its own.
                let _ = writeln!(io::stderr());
                std::process::exit(INTERRUPTED.into());
            }
        })?;
        Ok(thinking)
    }

    /// Runs a search and returns its result; `None` if it was stopped.
    pub(crate) fn search<T: Send>(
        &self,
        oracle: &Oracle,
        task: impl FnOnce(&Oracle) -> Result<T, OracleError> + Send,
    ) -> Result<Option<T>> {
        let (cancel, progress) = (Some(Arc::clone(&self.cancel)), Some(Arc::default()));
        let oracle = oracle.with_limits(Limits { cancel, progress, ..Limits::default() });
        self.cancel.store(false, Ordering::Relaxed);
        let name = "thinking (Ctrl-C stops it)";
        let found = wait_for(name, &oracle, None, self.options, || task(&oracle));
        self.cancel.store(true, Ordering::Relaxed);
        match found? {
            Ok(found) => Ok(Some(found)),
            Err(OracleError::Stopped(it)) if it.reason == StopReason::Cancelled => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
