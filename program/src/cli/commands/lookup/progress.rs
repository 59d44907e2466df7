//! Progress of a lookup that takes long.

use crate::cli::args::LimitArgs;
use crate::cli::output::OnStderr;
use crate::cli::status::{hint, note};
use fourbook::solver::SearchProgress;
use fourbook::{Size, count};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// Cells of the largest boards of which every position is solved in minutes.
const MOST_CELLS: u32 = 56;

/// Time between two lines about a search where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of some lines: of a single line its search, of several the number answered.
pub(crate) struct LookupProgress {
    options: ProgressOptions,
    lines: usize,
    search: Arc<SearchProgress>,
    started: Instant,
    /// When the search was last shown, and its nodes then.
    last: (Instant, u64),
    shown: Option<Shown>,
}

/// Options shared by all lines.
#[derive(Clone, Copy)]
pub(crate) struct ProgressOptions {
    pub(crate) is_shown: bool,
    pub(crate) size: Size,
    pub(crate) limits: LimitArgs,
}

enum Shown {
    Lines(Box<OnStderr>),
    Search(ProgressBar),
    /// A search, where there is no terminal.
    Notes,
}

impl LookupProgress {
    pub(crate) fn new(options: ProgressOptions, lines: usize) -> Self {
        let started = Instant::now();
        let (search, last) = (Arc::default(), (started, 0));
        LookupProgress { options, lines, search, started, last, shown: None }
    }

    /// The progress of the search of a single line.
    pub(crate) fn search(&self) -> &Arc<SearchProgress> {
        &self.search
    }

    /// Shows how far it is, `printed` lines being answered.
    pub(crate) fn show(&mut self, printed: usize) {
        if !self.options.is_shown {
            return;
        }
        if self.shown.is_none() {
            self.begin();
        }
        if let Some(Shown::Lines(lines)) = &self.shown {
            lines.set(printed as u64);
            return;
        }
        let is_due = self.last.0.elapsed() >= LINE_EVERY;
        match &self.shown {
            Some(Shown::Search(bar)) => bar.set_message(self.describe_search()),
            Some(Shown::Notes) if is_due => note(format_args!("info: {}", self.describe_search())),
            _ => return,
        }
        self.last = (Instant::now(), self.search.nodes());
    }

    fn begin(&mut self) {
        static HINT: Once = Once::new();
        let ProgressOptions { size, limits, .. } = self.options;
        if size.cells() > MOST_CELLS && !limits.has_deadline() {
            HINT.call_once(|| {
                hint(format_args!(
                    "positions of {size} boards may take longer than you can wait; \
                     --deadline SECONDS gives them up"
                ));
            });
        }
        self.shown = Some(if self.lines > 1 {
            let lines = OnStderr::new(false);
            lines.start("solving", self.lines as u64);
            Shown::Lines(Box::new(lines))
        } else if io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{wide_msg}").expect("the template is right");
            Shown::Search(ProgressBar::no_length().with_style(style))
        } else {
            Shown::Notes
        });
    }

    /// Bounds, nodes, nodes a second and time of the search, as text.
    fn describe_search(&self) -> String {
        let (then, before) = self.last;
        let nodes = self.search.nodes();
        let speed = nodes.saturating_sub(before) as f64 / then.elapsed().as_secs_f64().max(1e-3);
        let bounds = self.search.bounds().map_or_else(String::new, |it| format!("{it}; "));
        let (nodes, speed) = (count(nodes, "node"), count(speed as u64, "node"));
        let seconds = count(self.started.elapsed().as_secs(), "second");
        format!("solving: {bounds}{nodes}, {speed} a second, {seconds}")
    }

    /// Hides what is shown while `print` runs.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.shown {
            Some(Shown::Lines(lines)) => lines.suspend(print),
            Some(Shown::Search(bar)) => bar.suspend(print),
            Some(Shown::Notes) | None => print(),
        }
    }
}

impl Drop for LookupProgress {
    fn drop(&mut self) {
        if let Some(Shown::Search(bar)) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook::{Limits, Position, Solver};

    #[test]
    fn a_search_is_described_by_bounds_nodes_and_time() {
        let limits = LimitArgs::default();
        let options = ProgressOptions { is_shown: true, size: Size::STANDARD, limits };
        let progress = LookupProgress::new(options, 1);
        assert!(progress.describe_search().starts_with("solving: 0 nodes, 0 nodes a second, "));
        let search = Some(Arc::clone(progress.search()));
        let limits = Limits { max_nodes: Some(1234), progress: search, ..Limits::default() };
        let position = Position::from_moves("4").unwrap();
        Solver::new(1 << 20).unwrap().score(position, &limits).unwrap_err();
        let text = progress.describe_search();
        assert!(text.starts_with("solving: score -"), "{text}");
        assert!(text.contains("; 1,234 nodes, ") && text.contains(" a second, "), "{text}");
    }
}
