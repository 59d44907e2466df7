//! Saying how far a run has come.

use crate::enumerate::PlyCounts;
use indicatif::{FormattedDuration, HumanCount, ProgressBar, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Something that has happened in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The positions of a ply have been counted.
    Counted {
        /// Number of stones.
        ply: u32,
        /// The deepest ply that will be counted.
        depth: u32,
        /// How many positions there are.
        counts: PlyCounts,
    },
    /// Solving the deepest ply begins.
    Solving {
        /// Number of stones.
        ply: u32,
        /// Positions that need a score.
        positions: u64,
        /// Positions that have theirs already, by an earlier run.
        found: u64,
    },
    /// One more position of the deepest ply has been solved.
    Solved,
    /// All scores of a ply have been derived from the ply below.
    Derived {
        /// Number of stones.
        ply: u32,
    },
}

/// Someone who wants to know how far a run has come; called by all its threads.
///
/// Any function of an event will do.
pub trait Progress: Sync {
    /// Takes note of an event. Solving waits for it: it has to be quick.
    fn report(&self, event: &Event);
}

impl<F: Fn(&Event) + Sync> Progress for F {
    fn report(&self, event: &Event) {
        self(event);
    }
}

/// Progress on the standard error stream: nothing if `quiet`, a bar on a
/// terminal, or else a line every few seconds.
#[must_use]
pub fn on_stderr(quiet: bool) -> Box<dyn Progress> {
    if quiet {
        Box::new(|_: &Event| ())
    } else if io::stderr().is_terminal() {
        Box::new(Bar::new())
    } else {
        Box::new(Lines::new(io::stderr(), Duration::from_secs(10)))
    }
}

/// How fast positions are solved in this run. What an earlier run solved is
/// part of what is done, but not of the speed.
#[derive(Clone, Copy, Debug)]
struct Speed {
    started: Instant,
    found: u64,
    positions: u64,
}

impl Speed {
    /// Positions a second, `done` of them having a score at time `now`.
    fn rate(&self, done: u64, now: Instant) -> f64 {
        let seconds = now.saturating_duration_since(self.started).as_secs_f64();
        if seconds > 0.0 { done.saturating_sub(self.found) as f64 / seconds } else { 0.0 }
    }

    /// The time left if it goes on like this; `None` before anything is solved.
    fn left(&self, done: u64, now: Instant) -> Option<Duration> {
        let seconds = self.positions.saturating_sub(done) as f64 / self.rate(done, now);
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// Rate and time left, as text.
    fn describe(&self, done: u64, now: Instant) -> String {
        let rate = self.rate(done, now);
        let left = match self.left(done, now) {
            Some(left) => format!("{} left", FormattedDuration(left)),
            None => "time left unknown".to_owned(),
        };
        let decimals = if rate < 10.0 { 1 } else { 0 };
        format!("{rate:.decimals$} positions/s, {left}")
    }
}

/// What begins, and what of it is done already.
fn describe_start(ply: u32, positions: u64, found: u64) -> String {
    let mut text = format!("ply {ply}: {} positions to solve", HumanCount(positions));
    if found > 0 {
        text += &format!(", {} of them found in the checkpoint", HumanCount(found));
    }
    text
}

/// A progress bar on a terminal.
#[derive(Debug)]
struct Bar {
    bar: ProgressBar,
}

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(500));
        Bar { bar }
    }

    fn begin_solving(&self, ply: u32, positions: u64, found: u64) {
        self.bar.println(describe_start(ply, positions, found));
        let speed = Speed { started: Instant::now(), found, positions };
        let write_speed = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            // The bar has no way to learn of an error here.
            let _ = out.write_str(&speed.describe(state.pos(), Instant::now()));
        };
        let style = ProgressStyle::with_template(
            "{msg} [{wide_bar}] {human_pos}/{human_len} ({percent}%), {speed}",
        )
        .expect("the template is right")
        .with_key("speed", write_speed)
        .progress_chars("=> ");
        self.bar.set_message(format!("ply {ply}"));
        self.bar.set_length(positions);
        self.bar.set_position(found);
        self.bar.set_style(style);
    }
}

impl Progress for Bar {
    fn report(&self, event: &Event) {
        match *event {
            Event::Counted { ply, depth, .. } => {
                self.bar.set_message(format!("counting positions: ply {ply} of {depth}"));
            }
            Event::Solving { ply, positions, found } => self.begin_solving(ply, positions, found),
            Event::Solved => self.bar.inc(1),
            Event::Derived { ply: 0 } => self.bar.finish_and_clear(),
            Event::Derived { .. } => {}
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line of text every so often.
#[derive(Debug)]
struct Lines<W> {
    output: Mutex<Output<W>>,
    interval: Duration,
    solving: OnceLock<(u32, Speed)>,
    done: AtomicU64,
}

#[derive(Debug)]
struct Output<W> {
    writer: W,
    /// When the next line is due.
    next: Instant,
}

impl<W: Write + Send> Lines<W> {
    fn new(writer: W, interval: Duration) -> Self {
        let output = Mutex::new(Output { writer, next: Instant::now() + interval });
        Lines { output, interval, solving: OnceLock::new(), done: AtomicU64::new(0) }
    }

    fn print(&self, text: &str) {
        // A panic while printing is no reason not to print, and if nobody can
        // read the lines, the work is still worth going on with.
        let mut output = self.output.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let _ = writeln!(output.writer, "{text}");
    }

    fn print_if_due(&self, done: u64) {
        // If another thread prints, this one need not.
        let (Some((ply, speed)), Ok(mut output)) = (self.solving.get(), self.output.try_lock())
        else {
            return;
        };
        let now = Instant::now();
        if now < output.next {
            return;
        }
        output.next = now + self.interval;
        let percent = done as f64 * 100.0 / speed.positions.max(1) as f64;
        let _ = writeln!(
            output.writer,
            "ply {ply}: {} of {} ({percent:.1}%), {}",
            HumanCount(done),
            HumanCount(speed.positions),
            speed.describe(done, now)
        );
    }
}

impl<W: Write + Send> Progress for Lines<W> {
    fn report(&self, event: &Event) {
        match *event {
            Event::Counted { .. } => {}
            Event::Solving { ply, positions, found } => {
                self.done.store(found, Ordering::Relaxed);
                let speed = Speed { started: Instant::now(), found, positions };
                self.solving.get_or_init(|| (ply, speed));
                self.print(&describe_start(ply, positions, found));
            }
            Event::Solved => {
                self.print_if_due(self.done.fetch_add(1, Ordering::Relaxed) + 1);
            }
            Event::Derived { ply: 0 } => self.print("all plies above are derived"),
            Event::Derived { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_earlier_run_found_is_not_speed() {
        let started = Instant::now();
        let speed = Speed { started, found: 900, positions: 1000 };
        let later = started + Duration::from_secs(10);
        assert_eq!(speed.rate(900, later), 0.0);
        assert_eq!(speed.left(900, later), None);
        assert_eq!(speed.rate(920, later), 2.0);
        assert_eq!(speed.left(920, later), Some(Duration::from_secs(40)));
        assert_eq!(speed.describe(920, later), "2.0 positions/s, 00:00:40 left");
        assert_eq!(speed.left(1000, later), Some(Duration::ZERO));
    }

    #[test]
    fn lines_say_what_was_found_and_come_when_due() {
        let lines = Lines::new(Vec::new(), Duration::ZERO);
        lines.report(&Event::Solving { ply: 8, positions: 77_715, found: 77_000 });
        lines.report(&Event::Solved);
        let text = String::from_utf8(lines.output.into_inner().unwrap().writer).unwrap();
        let expected = "ply 8: 77,715 positions to solve, 77,000 of them found in the checkpoint";
        assert_eq!(text.lines().next(), Some(expected));
        let second = text.lines().nth(1).unwrap();
        assert!(second.starts_with("ply 8: 77,001 of 77,715 (99.1%), "), "{second}");

        let lines = Lines::new(Vec::new(), Duration::from_secs(1000));
        lines.report(&Event::Solving { ply: 8, positions: 3, found: 0 });
        lines.report(&Event::Solved);
        let text = String::from_utf8(lines.output.into_inner().unwrap().writer).unwrap();
        assert_eq!(text, "ply 8: 3 positions to solve\n");
    }
}
