//! Lines answered by several threads, and their answers printed in the order of the lines.

use crate::cli::args::{LimitArgs, Line};
use crate::cli::error::{Context, Result};
use crate::cli::output::OnStderr;
use fourbook::progress::Progress;
use fourbook::solver::STACK_BYTES;
use fourbook::{Limits, Oracle};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Nodes of an easy line, which is answered before a thread has started.
const EASY_NODES: u64 = 1 << 13;

/// Time after which threads are started for the remaining lines.
const EASY_TIME: Duration = Duration::from_millis(2);

/// Time without an answer after which progress is shown, and between two updates of it.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);

/// The threads that answer lines.
pub(crate) struct Workers<'a> {
    pub(crate) oracle: &'a Oracle,
    pub(crate) threads: usize,
    pub(crate) quiet: bool,
    pub(crate) limits: LimitArgs,
    pub(crate) answer: &'a (dyn Fn(&Line, &Oracle) -> Result<String> + Sync),
    /// Set when printing fails.
    pub(crate) cancel: Arc<AtomicBool>,
}

impl Workers<'_> {
    /// Answers lines, and calls `print` with each of them in their order. Easy lines are
    /// answered before any thread is started.
    pub(crate) fn answer_all(
        &self,
        lines: &[Line],
        print: &mut dyn FnMut(&Line, Result<String>) -> Result<()>,
    ) -> Result<()> {
        let mut output = OrderedOutput {
            lines,
            print,
            cancel: Arc::clone(&self.cancel),
            waiting: BTreeMap::new(),
            printed: 0,
            quiet: self.quiet,
            progress: None,
        };
        self.answer_easy(&mut output)?;
        if output.printed < lines.len() { self.answer_others(output) } else { Ok(()) }
    }

    /// The limits of a line that is answered now.
    fn limits(&self) -> Limits {
        Limits { cancel: Some(Arc::clone(&self.cancel)), ..self.limits.begin() }
    }

    /// Answers lines on this thread, until one is not easy, or threads are worth their start.
    fn answer_easy(&self, output: &mut OrderedOutput<'_>) -> Result<()> {
        let start = Instant::now();
        for (number, line) in output.lines.iter().enumerate() {
            if start.elapsed() >= EASY_TIME {
                break;
            }
            let limits = self.limits();
            let is_enough = limits.max_nodes.is_some_and(|most| most <= EASY_NODES);
            let max_nodes = if is_enough { limits.max_nodes } else { Some(EASY_NODES) };
            let before = self.oracle.nodes();
            let oracle = self.oracle.with_limits(Limits { max_nodes, ..limits });
            let answer = (self.answer)(line, &oracle);
            if !is_enough && self.oracle.nodes() - before >= EASY_NODES {
                // Stopped, perhaps.
                break;
            }
            output.take(number, answer)?;
        }
        Ok(())
    }

    /// Answers the remaining lines on several threads, which help each other with the last ones.
    /// With fewer lines than threads, all threads answer one line after the other.
    fn answer_others(&self, mut output: OrderedOutput<'_>) -> Result<()> {
        let first = output.printed;
        let lines = &output.lines[first..];
        let all = &self.oracle.with_threads(self.threads);
        let one_by_one = lines.len() < self.threads;
        let (sender, received) = mpsc::channel();
        let answer = move |number: usize| {
            let oracle = if one_by_one { all } else { self.oracle };
            let answer = (self.answer)(&lines[number], &oracle.with_limits(self.limits()));
            // Nobody listens after printing has failed.
            let _ = sender.send((first + number, answer));
        };
        thread::scope(|scope| {
            let thread = thread::Builder::new().name("lookup".to_owned()).stack_size(STACK_BYTES);
            // The channel is closed when this ends.
            let work = move || match one_by_one {
                true => (0..lines.len()).for_each(answer),
                false => all.for_each(lines.len(), &answer),
            };
            thread.spawn_scoped(scope, work).context("cannot start a thread")?;
            loop {
                match received.recv_timeout(PROGRESS_AFTER) {
                    Ok((number, answer)) => output.take(number, answer)?,
                    Err(RecvTimeoutError::Timeout) => output.show_progress(),
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            }
        })
    }
}

/// Prints answers in the order of their lines, each as early as possible.
struct OrderedOutput<'a> {
    lines: &'a [Line],
    print: &'a mut dyn FnMut(&Line, Result<String>) -> Result<()>,
    /// Set when printing fails.
    cancel: Arc<AtomicBool>,
    /// Answers that wait for one before them.
    waiting: BTreeMap<usize, Result<String>>,
    printed: usize,
    quiet: bool,
    /// Shown once an answer takes long.
    progress: Option<OnStderr>,
}

impl OrderedOutput<'_> {
    fn take(&mut self, number: usize, answer: Result<String>) -> Result<()> {
        if number > self.printed {
            self.waiting.insert(number, answer);
            return Ok(());
        }
        let mut next = Some(answer);
        while let Some(answer) = next {
            let print = || (self.print)(&self.lines[self.printed], answer);
            let printed = match &self.progress {
                Some(progress) => progress.suspend(print),
                None => print(),
            };
            printed.inspect_err(|_| self.cancel.store(true, Ordering::Relaxed))?;
            self.printed += 1;
            if let Some(progress) = &self.progress {
                progress.advance(1);
            }
            next = self.waiting.remove(&self.printed);
        }
        Ok(())
    }

    fn show_progress(&mut self) {
        let begin = || {
            let progress = OnStderr::new(self.quiet);
            progress.start("solving", self.lines.len() as u64);
            progress.advance(self.printed as u64);
            progress
        };
        self.progress.get_or_insert_with(begin).tick();
    }
}
