//! Progress of work on a whole book.

use fourbook::book::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Progress on the standard error stream: nothing if quiet, a bar on a
/// terminal, or else a line every ten seconds.
#[derive(Debug)]
pub(super) enum OnStderr {
    Quiet,
    Bar(ProgressBar),
    Lines(Mutex<Lines>),
}

#[derive(Debug)]
pub(super) struct Lines {
    step: String,
    total: u64,
    done: u64,
    next: Instant,
}

const LINE_EVERY: Duration = Duration::from_secs(10);

impl OnStderr {
    pub(super) fn new(quiet: bool) -> Self {
        if quiet {
            OnStderr::Quiet
        } else if io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{msg} [{wide_bar}] {percent}%");
            let style = style.expect("the template is right").progress_chars("=> ");
            OnStderr::Bar(ProgressBar::new(0).with_style(style))
        } else {
            let next = Instant::now() + LINE_EVERY;
            OnStderr::Lines(Mutex::new(Lines { step: String::new(), total: 0, done: 0, next }))
        }
    }
}

impl<S: Display> Progress<S> for OnStderr {
    fn begin(&self, step: S, total: u64) {
        match self {
            OnStderr::Quiet => {}
            OnStderr::Bar(bar) => {
                bar.set_message(step.to_string());
                bar.set_length(total);
                bar.set_position(0);
            }
            OnStderr::Lines(lines) => {
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                (lines.step, lines.total, lines.done) = (step.to_string(), total, 0);
            }
        }
    }

    fn advance(&self, units: u64) {
        match self {
            OnStderr::Quiet => {}
            OnStderr::Bar(bar) => bar.inc(units),
            OnStderr::Lines(lines) => {
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                lines.done += units;
                if Instant::now() < lines.next {
                    return;
                }
                lines.next = Instant::now() + LINE_EVERY;
                let percent = lines.done as f64 * 100.0 / lines.total.max(1) as f64;
                // If nobody can read the lines, the work is still worth going on with.
                let _ = writeln!(io::stderr(), "{}: {percent:.0}%", lines.step);
            }
        }
    }
}

impl Drop for OnStderr {
    fn drop(&mut self) {
        if let OnStderr::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
