//! Lines answered by several threads, and their answers printed in the order of the lines.

use crate::cli::args::{LimitArgs, Line, Options};
use crate::cli::error::{Context, Result};
use crate::cli::output::OnStderr;
use crate::cli::waiting::{PROGRESS_AFTER, show_progress};
use fourbook::solver::{STACK_BYTES, SearchProgress};
use fourbook::{Limits, Oracle};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};
use tracing::Level;

/// Nodes of an easy line, which is answered before a thread has started.
const EASY_NODES: u64 = 1 << 13;

/// Time after which threads are started for the remaining lines.
const EASY_TIME: Duration = Duration::from_millis(2);

/// That time, once threads have been started for earlier lines.
const EASY_TIME_AMONG_MANY: Duration = Duration::from_micros(200);

/// The most lines that a thread takes at a time; a message for each line would take longer than
/// to answer it.
const LARGEST_BLOCK: usize = 64;

/// The fewest blocks for each thread, so that all threads end at about the same time.
const BLOCKS_PER_THREAD: usize = 64;

/// Time after which a thread passes on the answers that it has.
const SEND_AFTER: Duration = Duration::from_millis(1);

/// Answers of consecutive lines, and the number of the first one.
type Block = (usize, Vec<Result<String>>);

/// Prints the answers of consecutive lines.
pub(crate) type Print<'a> = dyn FnMut(&[Line], Vec<Result<String>>) -> Result<()> + 'a;

/// The threads that answer lines.
pub(crate) struct Workers<'a> {
    pub(crate) oracle: &'a Oracle,
    pub(crate) threads: usize,
    pub(crate) options: &'a Options,
    pub(crate) limits: LimitArgs,
    pub(crate) answer: &'a (dyn Fn(&Line, &Oracle) -> Result<String> + Sync),
    /// Set when printing fails.
    pub(crate) cancel: Arc<AtomicBool>,
    /// Whether threads have been started.
    pub(crate) started: AtomicBool,
}

impl Workers<'_> {
    /// Answers lines, and calls `print` with them in their order. Easy lines are answered before
    /// any thread is started.
    pub(crate) fn answer_all(&self, lines: &[Line], print: &mut Print<'_>) -> Result<()> {
        let mut output = OrderedOutput {
            lines,
            print,
            cancel: Arc::clone(&self.cancel),
            waiting: Vec::new(),
            printed: 0,
            search: (lines.len() == 1).then(Arc::default),
            started: Instant::now(),
            shown: None,
        };
        self.answer_easy(&mut output)?;
        if output.printed < lines.len() { self.answer_others(output) } else { Ok(()) }
    }

    /// The limits of a line that is answered now. If it is the only line, its search shows
    /// progress.
    fn limits(&self, search: Option<Arc<SearchProgress>>) -> Limits {
        let progress = search.or_else(|| tracing::enabled!(Level::INFO).then(Arc::default));
        Limits { cancel: Some(Arc::clone(&self.cancel)), progress, ..self.limits.begin() }
    }

    /// Answers lines on this thread, until one is not easy, or threads are worth their start.
    fn answer_easy(&self, output: &mut OrderedOutput<'_, '_>) -> Result<()> {
        let start = Instant::now();
        let started = self.started.load(Ordering::Relaxed);
        let time = if started { EASY_TIME_AMONG_MANY } else { EASY_TIME };
        let mut answers = Vec::new();
        for line in output.lines {
            if start.elapsed() >= time {
                break;
            }
            let limits = self.limits(None);
            let is_enough = limits.max_nodes.is_some_and(|most| most <= EASY_NODES);
            let max_nodes = if is_enough { limits.max_nodes } else { Some(EASY_NODES) };
            let before = self.oracle.nodes();
            let oracle = self.oracle.with_limits(Limits { max_nodes, ..limits });
            let answer = (self.answer)(line, &oracle);
            if !is_enough && self.oracle.nodes() - before >= EASY_NODES {
                // The search may have been stopped.
                break;
            }
            answers.push(answer);
        }
        output.take((0, answers))
    }

    /// Answers the remaining lines on several threads, which help each other with the last ones.
    /// With fewer lines than threads, all threads answer one line after the other.
    fn answer_others(&self, mut output: OrderedOutput<'_, '_>) -> Result<()> {
        self.started.store(true, Ordering::Relaxed);
        let first = output.printed;
        let lines = &output.lines[first..];
        let all = &self.oracle.with_threads(self.threads);
        let one_by_one = lines.len() < self.threads;
        let length = match one_by_one {
            true => 1,
            false => (lines.len() / (BLOCKS_PER_THREAD * self.threads)).clamp(1, LARGEST_BLOCK),
        };
        let blocks = lines.len().div_ceil(length);
        let search = output.search.clone();
        let (sender, received) = mpsc::channel();
        let answer = move |number: usize| {
            let (mut start, mut begun) = (number * length, Instant::now());
            let mut answers = Vec::new();
            // Sending fails only after printing has failed.
            let send = |start, answers| drop(sender.send((first + start, answers)));
            for (index, line) in (start..).zip(lines[start..].iter().take(length)) {
                let limits = self.limits(search.clone());
                let oracle = if one_by_one { all } else { self.oracle };
                answers.push((self.answer)(line, &oracle.with_limits(limits)));
                if begun.elapsed() >= SEND_AFTER {
                    send(start, std::mem::take(&mut answers));
                    (start, begun) = (index + 1, Instant::now());
                }
            }
            send(start, answers);
        };
        thread::scope(|scope| {
            let thread = thread::Builder::new().name("lookup".to_owned()).stack_size(STACK_BYTES);
            // The end of this function closes the channel.
            let work = move || match one_by_one {
                true => (0..blocks).for_each(answer),
                false => all.for_each(blocks, &answer),
            };
            thread.spawn_scoped(scope, work).context("cannot start a thread")?;
            output.take_all(&received, self)
        })
    }
}

/// Prints answers in the order of their lines, each as early as possible.
struct OrderedOutput<'a, 'p> {
    lines: &'a [Line],
    print: &'a mut Print<'p>,
    /// Set when printing fails.
    cancel: Arc<AtomicBool>,
    /// Blocks that wait for one before them; few, as threads take them in order.
    waiting: Vec<Block>,
    printed: usize,
    /// The search of the only line.
    search: Option<Arc<SearchProgress>>,
    started: Instant,
    /// Shown once lines take long.
    shown: Option<OnStderr>,
}

impl OrderedOutput<'_, '_> {
    /// Prints the answers that arrive, in order, until all are printed.
    fn take_all(&mut self, received: &mpsc::Receiver<Block>, workers: &Workers<'_>) -> Result<()> {
        loop {
            match received.recv_timeout(PROGRESS_AFTER) {
                Ok(block) => self.take(block)?,
                Err(RecvTimeoutError::Timeout) => self.show_progress(workers),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn show_progress(&mut self, workers: &Workers<'_>) {
        let begin = || {
            let size = workers.oracle.size();
            let progress = show_progress(workers.options, Some(workers.limits), size);
            match &self.search {
                Some(search) => {
                    progress.start_search("solving", Arc::clone(search), self.started);
                }
                None => progress.start("solving", self.lines.len() as u64),
            }
            progress
        };
        self.shown.get_or_insert_with(begin).set(self.printed as u64);
    }

    fn take(&mut self, block: Block) -> Result<()> {
        let mut next = Some(block);
        while let Some((start, answers)) = next {
            if start > self.printed {
                self.waiting.push((start, answers));
                return Ok(());
            }
            let lines = &self.lines[start..start + answers.len()];
            let print = || (self.print)(lines, answers);
            let printed = match &self.shown {
                Some(progress) => progress.suspend(print),
                None => print(),
            };
            printed.inspect_err(|_| self.cancel.store(true, Ordering::Relaxed))?;
            self.printed += lines.len();
            let found = self.waiting.iter().position(|&(start, _)| start == self.printed);
            next = found.map(|place| self.waiting.swap_remove(place));
        }
        Ok(())
    }
}
