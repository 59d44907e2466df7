//! Progress of work on a whole book; of [solving](generating) for one, apart.

pub(super) mod generating;

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
            let style = ProgressStyle::with_template("{msg} [{wide_bar}] {percent}% {elapsed}");
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
        self.start(&step.to_string(), total);
    }

    fn advance(&self, units: u64) {
        self.add(units);
    }
}

impl OnStderr {
    /// A step begins that will take `total` units.
    pub(super) fn start(&self, step: &str, total: u64) {
        match self {
            OnStderr::Quiet => {}
            OnStderr::Bar(bar) => {
                bar.set_message(step.to_owned());
                bar.set_length(total);
                bar.set_position(0);
            }
            OnStderr::Lines(lines) => {
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                (lines.step, lines.total, lines.done) = (step.to_owned(), total, 0);
            }
        }
    }

    /// So many units more are done.
    pub(super) fn add(&self, units: u64) {
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

impl OnStderr {
    /// Time has passed.
    pub(super) fn tick(&self) {
        match self {
            OnStderr::Bar(bar) => bar.tick(),
            OnStderr::Lines(_) | OnStderr::Quiet => self.add(0),
        }
    }

    /// Lets `print` have the terminal.
    pub(super) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        match self {
            OnStderr::Bar(bar) => bar.suspend(print),
            OnStderr::Lines(_) | OnStderr::Quiet => print(),
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
