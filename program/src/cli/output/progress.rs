//! Progress of long work on the standard error stream.

use super::words::in_words;
use crate::cli::status::note;
use crate::cli::stderr::Stderr;
use console::{Term, is_dumb};
use fourbook::board::ScoreBounds;
use fourbook::progress::{Progress, Step};
use fourbook::solver::SearchProgress;
use fourbook::text::{count, grouped};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};
use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The name of the search of a player's move.
pub(crate) const THINKING: &str = "thinking, Ctrl-C stops";

/// Time between two drawings of the bar without progress.
const TICK: Duration = Duration::from_millis(500);

/// Progress on the standard error stream: nothing if quiet, a bar on a
/// terminal, or else a line every ten seconds.
#[derive(Debug)]
pub(crate) struct OnStderr {
    /// Counts units and estimates times; drawn on a terminal only.
    bar: ProgressBar,
    /// Prints lines where there is no terminal.
    lines: Option<Mutex<Lines>>,
}

impl OnStderr {
    pub(crate) fn new(quiet: bool) -> Self {
        let is_drawn = !quiet && Term::stderr().is_term() && !is_dumb();
        let target = if is_drawn { Screen::target() } else { ProgressDrawTarget::hidden() };
        let nothing = ProgressStyle::with_template("").expect("the template is right");
        let bar = ProgressBar::with_draw_target(None, target).with_style(nothing);
        if is_drawn {
            bar.enable_steady_tick(TICK);
        }
        let lines = Lines { next: Instant::now() + LINE_EVERY, work: None };
        let lines = (!quiet && !is_drawn).then(|| Mutex::new(lines));
        OnStderr { bar, lines }
    }

    /// Begins work of the program itself.
    pub(crate) fn start(&self, name: &str, total: u64) {
        self.begin_work(Work { name: name.to_owned(), done: 0, total, form: Form::Share });
    }

    /// Begins to show a search.
    pub(crate) fn start_search(&self, name: &str, search: Arc<SearchProgress>, started: Instant) {
        let form = Form::Search(search);
        self.begin_work(Work { name: name.to_owned(), done: 0, total: 0, form });
        self.bar.set_elapsed(started.elapsed());
    }

    /// Sets the units that are done; draws the bar, or prints a line if one is due.
    pub(crate) fn set(&self, units: u64) {
        self.bar.set_position(units);
        self.print_if_due();
    }

    /// Hides the bar while `print` runs.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    fn begin_work(&self, work: Work) {
        let beginning = work.beginning();
        // At once, or the bar would be drawn with the position of the work before.
        self.bar.update(|state| {
            state.set_len(work.total);
            state.set_pos(work.done);
        });
        self.bar.reset_eta();
        self.bar.reset_elapsed();
        match &self.lines {
            Some(lines) => {
                beginning.into_iter().for_each(note);
                // After a panic while printing, other threads still print.
                lines.lock().unwrap_or_else(|it| it.into_inner()).work = Some(work);
            }
            None => {
                beginning.into_iter().for_each(|text| self.bar.println(text));
                self.bar.set_prefix(work.name.clone());
                self.bar.set_style(style(work));
            }
        }
    }

    fn print_if_due(&self) {
        // If another thread prints, this one need not.
        let Some(Ok(mut lines)) = self.lines.as_ref().map(Mutex::try_lock) else { return };
        let now = Instant::now();
        if now < lines.next {
            return;
        }
        lines.next = now + LINE_EVERY;
        if let Some(work) = &lines.work {
            let (units, rate) = (self.bar.position(), self.bar.per_sec());
            let (elapsed, left) = (self.bar.elapsed(), self.bar.eta());
            let done = Done { units, rate, elapsed, left };
            note(format_args!("{}: {}", work.name, work.describe(&done)));
        }
    }
}

impl Progress for OnStderr {
    fn begin(&self, step: Step, done: u64, total: u64) {
        self.begin_work(Work::of(step, done, total));
    }

    fn advance(&self, units: u64) {
        self.bar.inc(units);
        self.print_if_due();
    }
}

impl Drop for OnStderr {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The terminal on stderr. What is drawn is one text, which waits for nobody.
#[derive(Debug)]
struct Screen {
    terminal: Term,
    drawing: Mutex<String>,
}

/// Drawings a second, at most.
const DRAWINGS: u8 = 20;

impl Screen {
    fn target() -> ProgressDrawTarget {
        let terminal = Term::stderr();
        // On Windows, this lets a console understand escape sequences.
        terminal.features().colors_supported();
        let screen = Screen { terminal, drawing: Mutex::default() };
        ProgressDrawTarget::term_like_with_hz(Box::new(screen), DRAWINGS)
    }

    fn draw(&self, text: fmt::Arguments<'_>) -> io::Result<()> {
        let mut drawing = self.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        fmt::Write::write_fmt(&mut *drawing, text).map_err(io::Error::other)
    }

    /// Moves the cursor.
    fn step(&self, count: usize, direction: char) -> io::Result<()> {
        if count == 0 { Ok(()) } else { self.draw(format_args!("\x1b[{count}{direction}")) }
    }
}

impl TermLike for Screen {
    fn width(&self) -> u16 {
        self.terminal.size().1
    }

    fn height(&self) -> u16 {
        self.terminal.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.step(lines, 'A')
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.step(lines, 'B')
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.step(columns, 'C')
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.step(columns, 'D')
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.draw(format_args!("{line}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.draw(format_args!("{text}"))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.draw(format_args!("\r\x1b[2K"))
    }

    fn flush(&self) -> io::Result<()> {
        let mut drawing = self.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        Stderr.write_all(std::mem::take(&mut *drawing).as_bytes())
    }
}

/// A line of text every so often.
#[derive(Debug)]
struct Lines {
    /// When the next line is due.
    next: Instant,
    work: Option<Work>,
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

/// How far work is.
struct Done {
    units: u64,
    /// Units a second.
    rate: f64,
    elapsed: Duration,
    left: Duration,
}

impl Done {
    /// The time since the work of `total` units began, and the time left if it is known.
    fn times(&self, total: u64) -> String {
        let whole_seconds = |time: Duration| in_words(Duration::from_secs(time.as_secs()));
        let left = match total > 0 && self.rate > 0.0 {
            true => format!(", about {} left", whole_seconds(self.left)),
            false => String::new(),
        };
        format!("elapsed {}{left}", whole_seconds(self.elapsed))
    }
}

/// The form of a line of progress.
#[derive(Clone, Debug)]
enum Form {
    /// A percentage, or a number of positions if the total is unknown.
    Share,
    /// A percentage with numbers, speed and time left.
    Solving,
    /// The number of a part.
    Parts,
    /// Bounds, nodes and time.
    Search(Arc<SearchProgress>),
}

impl Work {
    fn of(step: Step, done: u64, total: u64) -> Self {
        let (name, form) = match step {
            Step::SolveAll(ply) => (format!("ply {ply}"), Form::Solving),
            Step::CheckParts => ("checking".to_owned(), Form::Parts),
            Step::Merge => ("merging".to_owned(), Form::Parts),
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

    /// How much has been done, as text.
    fn describe(&self, done: &Done) -> String {
        let (times, &Done { units, rate, elapsed, .. }) = (done.times(self.total), done);
        let percent = units as f64 * 100.0 / self.total.max(1) as f64;
        let (done, total) = (grouped(units), grouped(self.total));
        match &self.form {
            Form::Share if self.total == 0 => format!("{}, {times}", count(units, "position")),
            Form::Share => format!("{percent:.0}%, {times}"),
            Form::Solving => {
                let rate = match rate < 10.0 {
                    true => format!("{rate:.1}"),
                    false => grouped(rate as u64),
                };
                format!("{done} of {total} ({percent:.1}%), {rate} positions/s, {times}")
            }
            Form::Parts => format!("part {done} of {total}, {times}"),
            Form::Search(search) => describe_search(search.bounds(), search.nodes(), elapsed),
        }
    }
}

/// How far a search is. With [`THINKING`] before it, the line fits 80 columns.
fn describe_search(bounds: Option<ScoreBounds>, nodes: u64, time: Duration) -> String {
    let bounds = bounds.map_or_else(String::new, |it| format!("score {} to {}, ", it.min, it.max));
    format!("{bounds}{} after {}", count(nodes, "node"), in_words(time))
}

/// How the bar draws some work.
fn style(work: Work) -> ProgressStyle {
    let template = match work.total {
        0 => "{prefix}: {done}",
        _ => "{prefix} [{wide_bar}] {done}",
    };
    // The bar has no way to learn of an error.
    let write_done = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        let (units, rate) = (state.pos(), state.per_sec());
        let done = Done { units, rate, elapsed: state.elapsed(), left: state.eta() };
        let _ = out.write_str(&work.describe(&done));
    };
    ProgressStyle::with_template(template)
        .expect("the template is right")
        .with_key("done", write_done)
        .progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook::{Limits, Position, Solver};

    /// How far a step is, as text, once `units` are done.
    fn line(step: Step, total: u64, units: u64, rate: f64) -> String {
        let left = Duration::from_secs(((total.max(units) - units) as f64 / rate.max(1.0)) as u64);
        let (work, elapsed) = (Work::of(step, 0, total), Duration::from_secs(4));
        format!("{}: {}", work.name, work.describe(&Done { units, rate, elapsed, left }))
    }

    #[test]
    fn solving_says_how_fast_it_is() {
        let step = Step::SolveAll(8);
        let expected = "ply 8: 77,715 positions to solve, 77,000 of them found in the checkpoint";
        assert_eq!(Work::of(step, 77_000, 77_715).beginning().as_deref(), Some(expected));
        let expected =
            "ply 8: 77,001 of 77,715 (99.1%), 71 positions/s, elapsed 4 s, about 10 s left";
        assert_eq!(line(step, 77_715, 77_001, 71.4), expected);
        assert_eq!(
            Work::of(step, 0, 3).beginning().as_deref(),
            Some("ply 8: 3 positions to solve")
        );
        let expected = "ply 8: 1 of 3 (33.3%), 0.0 positions/s, elapsed 4 s";
        assert_eq!(line(step, 3, 1, 0.0), expected);
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
        assert_eq!(
            line(Step::Merge, 9, 3, 1.0),
            "merging: part 3 of 9, elapsed 4 s, about 6 s left"
        );
        let counted = line(Step::Divide, 0, 1234, 1.0);
        assert_eq!(counted, format!("{}: 1,234 positions, elapsed 4 s", Step::Divide));
        let step = Step::Encode(4);
        assert_eq!(
            line(step, 200, 100, 1.0),
            format!("{step}: 50%, elapsed 4 s, about 1 min 40 s left")
        );
        let counted = line(Step::SolveAll(8), 1 << 20, 1 << 10, 4321.0);
        assert!(counted.contains(", 4,321 positions/s, "), "{counted}");
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
        let elapsed = Duration::from_secs(2);
        let text = work.describe(&Done { units: 0, rate: 0.0, elapsed, left: Duration::ZERO });
        assert!(text.starts_with("score -"), "{text}");
        assert!(text.ends_with(", 1,234 nodes after 2 s"), "{text}");
    }
}
