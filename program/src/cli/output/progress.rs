//! Progress of long work on the standard error stream.

use fourbook::Oracle;
use fourbook::count;
use fourbook::progress::{Progress, Step};
use indicatif::{
    FormattedDuration, HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle,
};
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, IsTerminal, Stderr, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Time between two drawings of the bar without progress.
const TICK: Duration = Duration::from_millis(500);

/// Progress on the standard error stream: nothing if quiet, a bar on a
/// terminal, or else a line every ten seconds.
#[derive(Debug)]
pub(crate) struct OnStderr {
    shown: Shown,
    run: Mutex<Option<Run>>,
}

#[derive(Debug)]
enum Shown {
    Quiet,
    Bar(ProgressBar),
    Lines(Lines<Stderr>),
}

impl OnStderr {
    pub(crate) fn new(quiet: bool) -> Self {
        let shown = if quiet {
            Shown::Quiet
        } else if io::stderr().is_terminal() {
            let nothing = ProgressStyle::with_template("").expect("the template is right");
            let bar = ProgressBar::no_length().with_style(nothing);
            bar.enable_steady_tick(TICK);
            Shown::Bar(bar)
        } else {
            Shown::Lines(Lines::new(io::stderr(), LINE_EVERY))
        };
        OnStderr { shown, run: Mutex::new(None) }
    }

    /// Begins work of the program itself.
    pub(crate) fn start(&self, name: &str, total: u64) {
        self.begin_work(Work { name: name.to_owned(), total, form: Form::Share(None) });
    }

    /// Begins to show a search that has taken some time. The oracle had visited `nodes` nodes
    /// before it.
    pub(crate) fn start_search(&self, name: &str, oracle: &Oracle, nodes: u64, took: Duration) {
        let started = Instant::now() - took;
        let form = Form::Search { started, oracle: oracle.clone(), nodes };
        self.begin_work(Work { name: name.to_owned(), total: 0, form });
    }

    /// Sets the units that are done; prints a line if one is due.
    pub(crate) fn set(&self, units: u64) {
        match &self.shown {
            Shown::Quiet => {}
            Shown::Bar(bar) => bar.set_position(units),
            Shown::Lines(lines) => {
                let before = lines.done.load(Ordering::Relaxed);
                lines.advance(units.saturating_sub(before));
            }
        }
    }

    /// Prints a line if one is due.
    pub(crate) fn tick(&self) {
        self.advance(0);
    }

    /// Hides the bar while `print` runs.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.shown {
            Shown::Bar(bar) => bar.suspend(print),
            Shown::Lines(_) | Shown::Quiet => print(),
        }
    }

    fn run(&self) -> MutexGuard<'_, Option<Run>> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin_work(&self, work: Work) {
        match &self.shown {
            Shown::Quiet => {}
            Shown::Bar(bar) => begin_on_bar(bar, work),
            Shown::Lines(lines) => lines.begin(work),
        }
    }
}

impl Progress for OnStderr {
    fn plan(&self, steps: &[(Step, f64)]) {
        *self.run() = Some(Run::new(steps, Instant::now()));
    }

    fn begin(&self, step: Step, total: u64) {
        let part = self.run().as_mut().and_then(|run| run.begin(step));
        self.begin_work(Work::of(step, total, part));
    }

    fn advance(&self, units: u64) {
        match &self.shown {
            Shown::Quiet => {}
            Shown::Bar(bar) => bar.inc(units),
            Shown::Lines(lines) => lines.advance(units),
        }
    }
}

impl Drop for OnStderr {
    fn drop(&mut self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

/// The steps of a whole run, with their shares of its time.
#[derive(Debug)]
struct Run {
    started: Instant,
    /// Each with the share of the time that is over before it, and its own.
    steps: Vec<(Step, f64, f64)>,
    /// The place after that of the step that has begun.
    next: usize,
}

impl Run {
    fn new(steps: &[(Step, f64)], started: Instant) -> Self {
        let all = steps.iter().map(|&(_, time)| time).sum::<f64>().max(1.0);
        let mut before = 0.0;
        let share = |&(step, time): &(Step, f64)| {
            let begin = before;
            before += time / all;
            (step, begin, time / all)
        };
        Run { started, steps: steps.iter().map(share).collect(), next: 0 }
    }

    /// The part of the run that a new step is.
    fn begin(&mut self, step: Step) -> Option<Part> {
        let place = self.steps[self.next..].iter().position(|&(other, ..)| other == step)?;
        let (_, before, share) = self.steps[self.next + place];
        self.next += place + 1;
        Some(Part { started: self.started, before, share })
    }
}

/// The part of a whole run that a step is, as shares of its time.
#[derive(Clone, Copy, Debug)]
struct Part {
    started: Instant,
    before: f64,
    share: f64,
}

impl Part {
    /// The share of the run that is done and the time left, as text, where `of_step` is the share
    /// of the step that is done at time `now`.
    fn describe(&self, of_step: f64, now: Instant) -> String {
        let done = (self.before + self.share * of_step).clamp(0.0, 1.0);
        let text = format!(", {:.0}% of all", done * 100.0);
        let elapsed = now.saturating_duration_since(self.started);
        // Early estimates are too rough.
        let known = elapsed >= Duration::from_secs(2) && done >= 0.01;
        let left = known.then(|| elapsed.as_secs_f64() * (1.0 - done) / done);
        match left.map(Duration::try_from_secs_f64) {
            Some(Ok(left)) => format!("{text}, {} left", FormattedDuration(left)),
            _ => text,
        }
    }
}

/// Work under way, and how its progress is printed.
#[derive(Debug)]
struct Work {
    name: String,
    /// Units in all; 0 if unknown.
    total: u64,
    form: Form,
}

/// The form of a line of progress.
#[derive(Debug)]
enum Form {
    /// As a percentage, and that of the whole run if it is known.
    Share(Option<Part>),
    /// As a percentage with numbers, speed and time left.
    Solving(Speed),
    /// As the number of a part.
    Parts,
    /// As a number of positions, where the total is unknown.
    Positions,
    /// As time and nodes since it began.
    Search { started: Instant, oracle: Oracle, nodes: u64 },
}

impl Work {
    fn of(step: Step, total: u64, part: Option<Part>) -> Self {
        let (name, form) = match step {
            Step::SolveAll { ply, found } => {
                (format!("ply {ply}"), Form::Solving(Speed::new(Instant::now(), total, found)))
            }
            Step::CheckParts => ("checking".to_owned(), Form::Parts),
            Step::Merge => ("merging".to_owned(), Form::Parts),
            _ if total == 0 => (step.to_string(), Form::Positions),
            _ => (step.to_string(), Form::Share(part)),
        };
        Work { name, total, form }
    }

    /// A line to print when the work begins.
    fn beginning(&self) -> Option<String> {
        let Form::Solving(speed) = &self.form else { return None };
        let mut text = format!("{}: {} to solve", self.name, count(self.total, "position"));
        if speed.found > 0 {
            text += &format!(", {} of them found in the checkpoint", HumanCount(speed.found));
        }
        Some(text)
    }

    /// How much has been done at time `now`, as text.
    fn describe(&mut self, done: u64, now: Instant) -> String {
        let percent = done as f64 * 100.0 / self.total.max(1) as f64;
        let (units, total) = (HumanCount(done), HumanCount(self.total));
        match &mut self.form {
            Form::Share(part) => {
                let of_all = part.map(|part| part.describe(percent / 100.0, now));
                format!("{percent:.0}%{}", of_all.unwrap_or_default())
            }
            Form::Solving(speed) => {
                format!("{units} of {total} ({percent:.1}%), {}", speed.describe(done, now))
            }
            Form::Parts => format!("part {units} of {total}"),
            Form::Positions => count(done, "position"),
            Form::Search { started, oracle, nodes } => {
                let time = now.saturating_duration_since(*started);
                let nodes = oracle.nodes() - *nodes;
                let rate = HumanCount((nodes as f64 / time.as_secs_f64()) as u64);
                format!("{}, {}, {rate} nodes/s", HumanDuration(time), count(nodes, "node"))
            }
        }
    }
}

/// The recent speed of solving. Positions from a checkpoint count as done, but not as speed.
#[derive(Debug)]
struct Speed {
    started: Instant,
    positions: u64,
    found: u64,
    /// How many positions were done when, the oldest first.
    samples: VecDeque<(Instant, u64)>,
}

impl Speed {
    fn new(started: Instant, positions: u64, found: u64) -> Self {
        Speed { started, positions, found, samples: VecDeque::from([(started, found)]) }
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

fn begin_on_bar(bar: &ProgressBar, work: Work) {
    if let Some(text) = work.beginning() {
        bar.println(text);
    }
    let template = match (&work.form, work.total) {
        (Form::Search { .. }, _) => "{name}: {done}",
        (_, 0) => "{name}: {done} {elapsed}",
        _ => "{name} [{wide_bar}] {done} {elapsed}",
    };
    let (name, total) = (work.name.clone(), work.total);
    let work = Arc::new(Mutex::new(work));
    // The bar has no way to learn of an error in these.
    let write_name = move |_: &ProgressState, out: &mut dyn fmt::Write| {
        let _ = out.write_str(&name);
    };
    let write_done = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = out.write_str(&work.describe(state.pos(), Instant::now()));
    };
    let style = ProgressStyle::with_template(template)
        .expect("the template is right")
        .with_key("name", write_name)
        .with_key("done", write_done)
        .progress_chars("=> ");
    bar.set_style(style);
    // At once, or the bar would be drawn with the position of the work before.
    bar.update(|state| {
        state.set_len(total);
        state.set_pos(0);
    });
}

/// A line of text every so often.
#[derive(Debug)]
pub(crate) struct Lines<W> {
    output: Mutex<Output<W>>,
    interval: Duration,
    done: AtomicU64,
}

#[derive(Debug)]
struct Output<W> {
    writer: W,
    /// When the next line is due.
    next: Instant,
    work: Option<Work>,
}

impl<W: Write> Lines<W> {
    fn new(writer: W, interval: Duration) -> Self {
        let output = Output { writer, next: Instant::now() + interval, work: None };
        Lines { output: Mutex::new(output), interval, done: AtomicU64::new(0) }
    }

    fn output(&self) -> MutexGuard<'_, Output<W>> {
        // A panic while printing is no reason not to print.
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, work: Work) {
        let mut output = self.output();
        self.done.store(0, Ordering::Relaxed);
        if let Some(text) = work.beginning() {
            output.print(&text);
        }
        output.work = Some(work);
    }

    fn advance(&self, units: u64) {
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        // If another thread prints, this one need not.
        let Ok(mut output) = self.output.try_lock() else { return };
        let now = Instant::now();
        if now < output.next {
            return;
        }
        output.next = now + self.interval;
        if let Some(work) = &mut output.work {
            let done = work.describe(done, now);
            let text = format!("{}: {done}", work.name);
            output.print(&text);
        }
    }
}

impl<W: Write> Output<W> {
    fn print(&mut self, text: &str) {
        // Work continues without a reader.
        let _ = writeln!(self.writer, "{text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook::{Position, Size};

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

    /// The lines printed for a step and its units.
    fn lines(interval: Duration, step: Step, total: u64, units: &[u64]) -> Vec<String> {
        let lines = Lines::new(Vec::new(), interval);
        lines.begin(Work::of(step, total, None));
        units.iter().for_each(|&units| lines.advance(units));
        let text = String::from_utf8(lines.output.into_inner().unwrap().writer).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn lines_say_what_was_found_and_come_when_due() {
        let step = Step::SolveAll { ply: 8, found: 77_000 };
        let printed = lines(Duration::ZERO, step, 77_715, &[77_000, 1]);
        let expected = "ply 8: 77,715 positions to solve, 77,000 of them found in the checkpoint";
        assert_eq!(printed[0], expected);
        assert!(printed[2].starts_with("ply 8: 77,001 of 77,715 (99.1%), "), "{}", printed[2]);

        let step = Step::SolveAll { ply: 8, found: 0 };
        let printed = lines(Duration::from_secs(1000), step, 3, &[1]);
        assert_eq!(printed, ["ply 8: 3 positions to solve"]);
    }

    #[test]
    fn every_step_says_how_far_it_is() {
        let last = |step, total, units: &[u64]| {
            lines(Duration::ZERO, step, total, units).pop().expect("a line")
        };
        assert_eq!(last(Step::Merge, 9, &[1, 1, 1]), "merging: part 3 of 9");
        let counted = last(Step::Divide, 0, &[1000, 234]);
        assert_eq!(counted, format!("{}: 1,234 positions", Step::Divide));
        let step = Step::Encode { ply: 4 };
        assert_eq!(last(step, 200, &[50, 50]), format!("{step}: 50%"));
    }

    #[test]
    fn a_step_of_a_run_says_how_far_the_run_is() {
        let started = Instant::now();
        let [read, count] = [Step::Read { ply: 2 }, Step::Count { ply: 2 }];
        let mut run = Run::new(&[(read, 30.0), (count, 10.0), (read, 60.0)], started);
        let at = |part: Option<Part>, of_step, seconds| {
            part.unwrap().describe(of_step, started + Duration::from_secs(seconds))
        };
        let first = run.begin(read);
        assert_eq!(at(first, 0.0, 5), ", 0% of all");
        assert_eq!(at(first, 0.5, 1), ", 15% of all");
        assert_eq!(at(first, 2.0 / 3.0, 10), ", 20% of all, 00:00:40 left");
        // A step that was left out is over. A step outside the plan has no part.
        let second = run.begin(read);
        assert_eq!(at(second, 0.5, 70), ", 70% of all, 00:00:30 left");
        assert!(run.begin(count).is_none());
    }

    #[test]
    fn a_search_has_time_and_nodes() {
        let (started, oracle) = (Instant::now(), Oracle::without_book(Size::STANDARD).unwrap());
        oracle.score(Position::from_moves("122631142652642").unwrap()).unwrap();
        let nodes = oracle.nodes();
        let form = Form::Search { started, oracle, nodes: 0 };
        let mut work = Work { name: String::new(), total: 0, form };
        let rate = HumanCount(nodes / 12);
        let expected = format!("12 seconds, {} nodes, {rate} nodes/s", HumanCount(nodes));
        assert_eq!(work.describe(0, started + Duration::from_secs(12)), expected);
    }

    #[test]
    fn a_step_begins_where_it_begins() {
        let lines = Lines::new(Vec::new(), Duration::ZERO);
        for ply in [2, 1] {
            lines.begin(Work::of(Step::Read { ply }, 10, None));
            lines.advance(10);
        }
        let text = String::from_utf8(lines.output.into_inner().unwrap().writer).unwrap();
        assert_eq!(text.matches("100%").count(), 2, "{text}");
    }
}
