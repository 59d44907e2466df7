//! Progress of long work on the standard error stream.

use super::words::in_words;
use crate::cli::status::note;
#[cfg(unix)]
use crate::cli::stderr::Stderr;
use console::Term;
use fourbook::board::ScoreBounds;
use fourbook::progress::{Progress, Step};
use fourbook::solver::SearchProgress;
use fourbook::text::{count, grouped};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, WeakProgressBar};
use std::fmt;
#[cfg(unix)]
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// The name of the search of a player's move.
pub(crate) const THINKING: &str = "thinking, Ctrl-C stops";

/// Time between two drawings of the bar without progress.
const TICK: Duration = Duration::from_millis(500);

/// The most drawings of the bar a second.
const DRAWINGS: u8 = 20;

/// The bar on the terminal.
static SHOWN: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

/// Removes the bar from the terminal, before the program ends in the middle of some work.
pub(crate) fn clear_progress() {
    let shown = lock(&SHOWN).take().and_then(|bar| bar.upgrade());
    shown.iter().for_each(ProgressBar::finish_and_clear);
}

/// Progress on the standard error stream: nothing if quiet, a bar on a
/// terminal, or else a line every half minute.
#[derive(Debug)]
pub(crate) struct OnStderr {
    /// Counts units and time; drawn on a terminal only.
    bar: ProgressBar,
    /// Where there is no terminal: the work that lines are about.
    lines: Option<Arc<Mutex<Option<Work>>>>,
    /// Its end is that of the thread that prints the lines.
    _printer: Sender<()>,
    /// Cancels the work.
    cancel: Option<Arc<AtomicBool>>,
}

impl OnStderr {
    pub(crate) fn new(quiet: bool) -> Self {
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::term(terminal(), DRAWINGS)
        };
        let bar = ProgressBar::with_draw_target(None, target).with_style(nothing());
        let is_drawn = !bar.is_hidden();
        if is_drawn {
            bar.enable_steady_tick(TICK);
            *lock(&SHOWN) = Some(bar.downgrade());
        }
        let lines: Option<Arc<Mutex<Option<Work>>>> = (!quiet && !is_drawn).then(Arc::default);
        let (printer, ended) = channel();
        if let Some(lines) = &lines {
            let bar = bar.clone();
            let lines = Arc::clone(lines);
            // Without a thread, work goes on without lines.
            let _ = thread::Builder::new().name("progress".to_owned()).spawn(move || {
                print_lines(
                    &ended,
                    LINE_EVERY,
                    move || lock(&lines).as_ref().map(|work| work.line(&bar)),
                    note,
                )
            });
        }
        OnStderr { bar, lines, _printer: printer, cancel: None }
    }

    /// Progress of work that the flag cancels.
    pub(crate) fn with_cancel(mut self, cancel: Arc<AtomicBool>) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Shows a search, or the number of positions of `total` that are solved.
    pub(crate) fn start(
        &self,
        name: &str,
        search: Option<Arc<SearchProgress>>,
        total: usize,
        started: Instant,
    ) {
        let total = if search.is_some() { 0 } else { total as u64 };
        let form = search.map_or(Form::Share, Form::Search);
        self.begin_work(Work { name: name.to_owned(), done: 0, total, form });
        self.bar.set_elapsed(started.elapsed());
    }

    /// Sets the units that are done.
    pub(crate) fn set(&self, units: u64) {
        self.bar.set_position(units);
    }

    /// Shows nothing until more work begins.
    pub(crate) fn pause(&self) {
        match &self.lines {
            Some(lines) => *lock(lines) = None,
            None => self.bar.set_style(nothing()),
        }
    }

    /// Hides the bar while `print` runs.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    fn begin_work(&self, work: Work) {
        // More of the same work is no news.
        let beginning = if work.name == self.bar.prefix() { None } else { work.beginning() };
        self.bar.set_prefix(work.name.clone());
        // At once, or the bar would be drawn with the position of the work before.
        self.bar.update(|state| {
            state.set_len(work.total);
            state.set_pos(work.done);
        });
        self.bar.reset_elapsed();
        match &self.lines {
            Some(lines) => {
                beginning.into_iter().for_each(note);
                *lock(lines) = Some(work);
            }
            None => {
                beginning.into_iter().for_each(|text| self.bar.println(text));
                self.bar.set_style(style(work));
            }
        }
    }
}

impl Progress for OnStderr {
    fn begin(&self, step: Step, done: u64, total: u64) {
        self.begin_work(Work::of(step, done, total));
    }

    fn advance(&self, units: u64) {
        self.bar.inc(units);
    }

    fn cancel(&self) -> Option<&Arc<AtomicBool>> {
        self.cancel.as_ref()
    }
}

impl Drop for OnStderr {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The terminal on stderr, without a wait for its reader.
#[cfg(unix)]
fn terminal() -> Term {
    Term::read_write_pair(io::stdin(), Stderr)
}

/// The terminal on stderr. Consoles of Windows are drawn on by calls.
#[cfg(windows)]
fn terminal() -> Term {
    Term::buffered_stderr()
}

/// Prints a line every so often until the sender is dropped, also while no unit is finished.
fn print_lines(
    ended: &Receiver<()>,
    every: Duration,
    line: impl Fn() -> Option<String>,
    print: impl Fn(String),
) {
    while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
        line().into_iter().for_each(&print);
    }
}

fn lock<T>(shown: &Mutex<T>) -> MutexGuard<'_, T> {
    // After a panic while printing, other threads still print.
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Work under way, and how its progress is printed.
#[derive(Clone, Debug)]
struct Work {
    name: String,
    /// Units that an earlier run has done.
    done: u64,
    /// Units in all; 0 if unknown, as in a search.
    total: u64,
    form: Form,
}

/// The known progress of some work.
#[derive(Clone, Debug)]
enum Form {
    /// A percentage, or a number of positions if the total is unknown.
    Share,
    /// A percentage with numbers, speed and time left.
    Solving,
    /// Bounds, nodes and time.
    Search(Arc<SearchProgress>),
}

impl Work {
    fn of(step: Step, done: u64, total: u64) -> Self {
        let (name, form) = match step {
            Step::SolveAll(ply) => (format!("ply {ply}"), Form::Solving),
            _ => (step.to_string(), Form::Share),
        };
        Work { name, done, total, form }
    }

    /// A line to print when the work begins.
    fn beginning(&self) -> Option<String> {
        let Form::Solving = self.form else { return None };
        let mut text = format!("{}: {} to solve", self.name, count(self.total, "position"));
        if self.done > 0 {
            text += &format!(", {} of them found in the checkpoint", grouped(self.done));
        }
        Some(text)
    }

    /// A line about the work that a bar counts.
    fn line(&self, bar: &ProgressBar) -> String {
        format!("{}: {}", self.name, self.describe(bar.position(), bar.elapsed()))
    }

    /// How much has been done, as text.
    fn describe(&self, units: u64, elapsed: Duration) -> String {
        if let Form::Search(search) = &self.form {
            return describe_search(search.bounds(), search.nodes(), elapsed);
        }
        if self.total == 0 {
            return count(units, "position");
        }
        let percent = units as f64 * 100.0 / self.total as f64;
        // Units of an earlier run took none of this time.
        let rate = units.saturating_sub(self.done) as f64 / elapsed.as_secs_f64().max(1e-3);
        let amount = match self.form {
            Form::Solving => {
                let total = grouped(self.total);
                let rate = if rate < 10.0 { format!("{rate:.1}") } else { grouped(rate as u64) };
                format!("{percent:.1}% of {total}, {rate}/s")
            }
            _ => format!("{percent:.0}%"),
        };
        let left = self.total.saturating_sub(units) as f64 / rate;
        match Duration::try_from_secs_f64(left) {
            Ok(left) => format!("{amount}, {} left", in_words(Duration::from_secs(left.as_secs()))),
            Err(_) => amount,
        }
    }
}

/// How far a search is. With [`THINKING`] before it, the line fits 80 columns.
fn describe_search(bounds: Option<ScoreBounds>, nodes: u64, time: Duration) -> String {
    let bounds = bounds.map_or_else(String::new, |it| format!("score {} to {}, ", it.min, it.max));
    format!("{bounds}{} after {}", count(nodes, "node"), in_words(time))
}

/// How the bar draws while there is no work.
fn nothing() -> ProgressStyle {
    ProgressStyle::with_template("").expect("the template is right")
}

/// How the bar draws some work.
fn style(work: Work) -> ProgressStyle {
    let template = match work.total {
        0 => "{prefix}: {done}",
        _ => "{prefix} [{wide_bar}] {done}",
    };
    // The bar has no way to learn of an error.
    ProgressStyle::with_template(template)
        .expect("the template is right")
        .with_key("done", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = out.write_str(&work.describe(state.pos(), state.elapsed()));
        })
        .progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook::{Limits, Position, Solver};

    /// How far a step is after four seconds, as text, once `units` are done.
    fn line(step: Step, total: u64, units: u64) -> String {
        let work = Work::of(step, 0, total);
        format!("{}: {}", work.name, work.describe(units, Duration::from_secs(4)))
    }

    #[test]
    fn solving_says_how_fast_it_is() {
        let step = Step::SolveAll(8);
        let expected = "ply 8: 77,715 positions to solve, 77,000 of them found in the checkpoint";
        assert_eq!(Work::of(step, 77_000, 77_715).beginning().as_deref(), Some(expected));
        let expected = "ply 8: 77.2% of 77,715, 15,000/s, 1 s left";
        assert_eq!(line(step, 77_715, 60_000), expected);
        assert_eq!(
            Work::of(step, 0, 3).beginning().as_deref(),
            Some("ply 8: 3 positions to solve")
        );
        let expected = "ply 8: 0.0% of 3, 0.0/s";
        assert_eq!(line(step, 3, 0), expected);
    }

    #[test]
    fn a_run_that_goes_on_has_the_rate_of_its_own_positions() {
        let work = Work::of(Step::SolveAll(8), 77_000, 77_715);
        let expected = "99.2% of 77,715, 25/s, 24 s left";
        assert_eq!(work.describe(77_100, Duration::from_secs(4)), expected);
        assert!(!work.describe(77_000, Duration::from_secs(4)).contains("left"));
    }

    #[test]
    fn lines_are_printed_while_no_unit_is_finished() {
        let (sender, printed) = channel();
        let (printer, ended) = channel();
        let thread = thread::spawn(move || {
            print_lines(
                &ended,
                Duration::from_millis(1),
                || Some("ply 8".to_owned()),
                |line| sender.send(line).unwrap(),
            );
        });
        for _ in 0..2 {
            assert_eq!(printed.recv().unwrap(), "ply 8");
        }
        drop(printer);
        thread.join().unwrap();
    }

    #[test]
    fn a_bar_has_a_width_at_80_columns() {
        let elapsed = Duration::from_secs(3600);
        for step in [
            Step::Enumerate(12),
            Step::Sample,
            Step::SolveAll(12),
            Step::CheckParts,
            Step::Derive(12),
            Step::Entries(12),
            Step::Values(12),
            Step::Solve(12),
        ] {
            let work = Work::of(step, 0, 99_999_999);
            let text = format!("{} [] {}", work.name, work.describe(50_000_000, elapsed));
            assert!(text.len() <= 80 - 8 && text.ends_with(" 59 min 59 s left"), "{text}");
        }
    }

    #[test]
    fn what_an_earlier_run_found_counts_once() {
        let progress = OnStderr::new(true);
        progress.begin(Step::SolveAll(8), 900, 1000);
        for units in [1, 1] {
            progress.advance(units);
        }
        assert_eq!(progress.bar.position(), 902);
        progress.begin(Step::Merge, 0, 9);
        progress.advance(1);
        assert_eq!(progress.bar.position(), 1);
    }

    #[test]
    fn every_step_says_how_far_it_is() {
        assert_eq!(line(Step::Merge, 9, 3), "merging parts: 33%, 8 s left");
        let counted = line(Step::Divide, 0, 1234);
        assert_eq!(counted, format!("{}: 1,234 positions", Step::Divide));
        let step = Step::Encode(4);
        assert_eq!(line(step, 200, 10), format!("{step}: 5%, 1 min 16 s left"));
        let counted = line(Step::SolveAll(8), 1 << 20, 4 * 4321);
        assert!(counted.contains(", 4,321/s, "), "{counted}");
    }

    #[test]
    fn the_line_of_a_thinking_player_fits_80_columns() {
        let bounds = Some(ScoreBounds { min: -18, max: 18 });
        let text = describe_search(bounds, 99_999_999_999, Duration::from_secs(3599));
        let line = format!("{THINKING}: {text}");
        assert!(
            line.ends_with("99,999,999,999 nodes after 59 min 59 s") && line.len() <= 80,
            "{line}"
        );
    }

    #[test]
    fn a_search_has_bounds_nodes_and_time() {
        let search = Arc::<SearchProgress>::default();
        let shared = Some(Arc::clone(&search));
        let limits = Limits { max_nodes: Some(1234), progress: shared, ..Limits::default() };
        let position = Position::from_moves("4").unwrap();
        let solver = Solver::new(1 << 20).unwrap();
        solver.with_limits(limits).score(position).unwrap_err();
        let work = Work { name: String::new(), done: 0, total: 0, form: Form::Search(search) };
        let text = work.describe(0, Duration::from_secs(2));
        assert!(text.starts_with("score -"), "{text}");
        assert!(text.ends_with(", 1,234 nodes after 2 s"), "{text}");
    }
}
