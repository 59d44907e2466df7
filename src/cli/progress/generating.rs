//! Progress of solving the positions of a book.

use fourbook::generate::{Event, Progress};
use indicatif::{FormattedDuration, HumanCount, ProgressBar, ProgressState, ProgressStyle};
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Progress on the standard error stream: nothing if `quiet`, a bar on a
/// terminal, or else a line every few seconds.
pub(in crate::cli) fn on_stderr(quiet: bool) -> Box<dyn Progress> {
    if quiet {
        Box::new(|_: &Event| ())
    } else if io::stderr().is_terminal() {
        Box::new(Bar::new())
    } else {
        Box::new(Lines::new(io::stderr(), Duration::from_secs(10)))
    }
}

/// How fast positions are solved of late. What an earlier run solved is part
/// of what is done, but not of the speed.
#[derive(Debug)]
struct Speed {
    started: Instant,
    positions: u64,
    /// How many positions were done when, the oldest first.
    samples: VecDeque<(Instant, u64)>,
}

impl Speed {
    fn new(started: Instant, positions: u64, found: u64) -> Self {
        Speed { started, positions, samples: VecDeque::from([(started, found)]) }
    }

    /// Positions a second, `done` of them having a score at time `now`: over the
    /// last quarter of the run, but not less than half a minute, since the
    /// first positions in the order are the slowest.
    fn rate(&mut self, done: u64, now: Instant) -> f64 {
        let since = |sample: Instant| now.saturating_duration_since(sample);
        let window = (since(self.started) / 4).max(Duration::from_secs(30));
        while self.samples.get(1).is_some_and(|&(second, _)| since(second) >= window) {
            self.samples.pop_front();
        }
        let (oldest, done_then) = self.samples[0];
        if self.samples.back().is_some_and(|&(last, _)| since(last) >= window / 32) {
            self.samples.push_back((now, done));
        }
        let seconds = since(oldest).as_secs_f64();
        if seconds > 0.0 { done.saturating_sub(done_then) as f64 / seconds } else { 0.0 }
    }

    /// Rate and time left, as text.
    fn describe(&mut self, done: u64, now: Instant) -> String {
        let rate = self.rate(done, now);
        let left = self.positions.saturating_sub(done) as f64 / rate;
        let left = match Duration::try_from_secs_f64(left) {
            Ok(left) => format!("{} left", FormattedDuration(left)),
            Err(_) => "time left unknown".to_owned(),
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
        let speed = Arc::new(Mutex::new(Speed::new(Instant::now(), positions, found)));
        let write_speed = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let mut speed = speed.lock().unwrap_or_else(PoisonError::into_inner);
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
            Event::Dividing { positions } => {
                self.bar.set_message(format!("counting positions: {}", HumanCount(positions)));
            }
            Event::Sampled { positions } => {
                self.bar.set_message(format!("sampling: {} positions", HumanCount(positions)));
            }
            Event::Solving { ply, positions, found } => self.begin_solving(ply, positions, found),
            Event::Solved => self.bar.inc(1),
            Event::Merged { part, of } => {
                self.bar.set_message(format!("merging: part {part} of {of}"));
            }
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
    done: AtomicU64,
}

#[derive(Debug)]
struct Output<W> {
    writer: W,
    /// When the next line is due.
    next: Instant,
    /// The ply that is being solved, and how fast.
    solving: Option<(u32, Speed)>,
}

impl<W: Write + Send> Lines<W> {
    fn new(writer: W, interval: Duration) -> Self {
        let output = Output { writer, next: Instant::now() + interval, solving: None };
        Lines { output: Mutex::new(output), interval, done: AtomicU64::new(0) }
    }

    fn output(&self) -> MutexGuard<'_, Output<W>> {
        // A panic while printing is no reason not to print.
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn print_if_due(&self, print: impl FnOnce(&mut Output<W>, Instant)) {
        // If another thread prints, this one need not.
        let Ok(mut output) = self.output.try_lock() else { return };
        let now = Instant::now();
        if now >= output.next {
            output.next = now + self.interval;
            print(&mut output, now);
        }
    }
}

impl<W: Write> Output<W> {
    fn print(&mut self, text: &str) {
        // If nobody can read the lines, the work is still worth going on with.
        let _ = writeln!(self.writer, "{text}");
    }

    fn print_speed(&mut self, done: u64, now: Instant) {
        if let Some((ply, speed)) = &mut self.solving {
            let percent = done as f64 * 100.0 / speed.positions.max(1) as f64;
            let (count, all) = (HumanCount(done), HumanCount(speed.positions));
            let speed = speed.describe(done, now);
            let text = format!("ply {ply}: {count} of {all} ({percent:.1}%), {speed}");
            self.print(&text);
        }
    }
}

impl<W: Write + Send> Progress for Lines<W> {
    fn report(&self, event: &Event) {
        match *event {
            Event::Counted { .. } | Event::Dividing { .. } => {}
            Event::Sampled { positions } => self.print_if_due(|output, _| {
                output.print(&format!("sampling: {} positions", HumanCount(positions)));
            }),
            Event::Merged { part, of } => self.print_if_due(|output, _| {
                output.print(&format!("merging: part {part} of {of}"));
            }),
            Event::Solving { ply, positions, found } => {
                self.done.store(found, Ordering::Relaxed);
                let mut output = self.output();
                output.solving = Some((ply, Speed::new(Instant::now(), positions, found)));
                output.print(&describe_start(ply, positions, found));
            }
            Event::Solved => {
                let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
                self.print_if_due(|output, now| output.print_speed(done, now));
            }
            Event::Derived { ply: 0 } => self.output().print("all plies above are derived"),
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
        let later = started + Duration::from_secs(10);
        let speed = || Speed::new(started, 1000, 900);
        assert_eq!(speed().describe(900, later), "0.0 positions/s, time left unknown");
        assert_eq!(speed().describe(920, later), "2.0 positions/s, 00:00:40 left");
        assert_eq!(speed().describe(1000, later), "10 positions/s, 00:00:00 left");
    }

    #[test]
    fn the_speed_is_that_of_the_last_quarter() {
        let started = Instant::now();
        let at = |seconds| started + Duration::from_secs(seconds);
        let mut speed = Speed::new(started, 1_000_000, 0);
        // 1 a second for ten minutes, then 10 a second for five.
        for second in 1..=600 {
            speed.rate(second, at(second));
        }
        for second in 601..=900 {
            speed.rate(600 + (second - 600) * 10, at(second));
        }
        let rate = speed.rate(3600, at(900));
        assert!((9.9..=10.1).contains(&rate), "{rate}");
        assert!(speed.samples.len() < 50, "{}", speed.samples.len());
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
