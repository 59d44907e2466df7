//! Lines answered by several threads, and their answers printed in the order of the lines.

use crate::cli::args::{LimitArgs, Line, ThreadArgs};
use crate::cli::output::OnStderr;
use fourbook::progress::Progress;
use fourbook::solver::{Crew, Worker};
use fourbook::{Limits, Oracle};
use rayon::ThreadPool;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Nodes of an easy line, which is answered before a thread has started.
const EASY_NODES: u64 = 1 << 13;

/// Time after which threads are started for the remaining lines.
const EASY_TIME: Duration = Duration::from_millis(2);

/// Time without an answer after which progress is shown, and between two updates of it.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);

/// What is printed for a line, or what is wrong with it.
pub(crate) type Answer = anyhow::Result<String>;

/// The threads that answer lines.
pub(crate) struct Workers<'a> {
    pub(crate) oracle: &'a Oracle,
    pub(crate) threads: ThreadArgs,
    /// Whether several threads can share the moves of one line.
    pub(crate) has_moves: bool,
    pub(crate) quiet: bool,
    pub(crate) limits: LimitArgs,
    pub(crate) answer: &'a (dyn Fn(&Line, &Limits) -> Answer + Sync),
    /// Started for the first line that is not easy.
    pub(crate) pool: Option<ThreadPool>,
    /// Set when printing fails.
    pub(crate) cancel: Arc<AtomicBool>,
}

impl Workers<'_> {
    /// Answers lines, and calls `print` with each of them in their order. Easy lines are
    /// answered before any thread is started.
    pub(crate) fn answer_all(
        &mut self,
        lines: &[Line],
        print: &mut dyn FnMut(&Line, Answer) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
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
    fn answer_easy(&self, output: &mut OrderedOutput<'_>) -> anyhow::Result<()> {
        let start = Instant::now();
        for (number, line) in output.lines.iter().enumerate() {
            if start.elapsed() >= EASY_TIME {
                break;
            }
            let limits = self.limits();
            let is_enough = limits.max_nodes.is_some_and(|most| most <= EASY_NODES);
            let max_nodes = if is_enough { limits.max_nodes } else { Some(EASY_NODES) };
            let before = self.oracle.nodes();
            let answer = (self.answer)(line, &Limits { max_nodes, ..limits });
            if !is_enough && self.oracle.nodes() - before >= EASY_NODES {
                // Stopped, perhaps.
                break;
            }
            output.take(number, answer)?;
        }
        Ok(())
    }

    /// Answers the lines that are left on several threads.
    fn answer_others(&mut self, mut output: OrderedOutput<'_>) -> anyhow::Result<()> {
        let pool = match self.pool.take() {
            Some(pool) => pool,
            None => self.threads.start()?,
        };
        let (threads, first) = (pool.current_num_threads(), output.printed);
        let lines = &output.lines[first..];
        // With fewer lines than threads, the moves of each are solved side by side.
        let by_moves = self.has_moves && lines.len() < threads;
        let number = if by_moves { lines.len() } else { threads };
        let crew = Crew::new(self.oracle.table());
        // A single thread has no search to help. A worker without memory does not help.
        let worker = |_| if threads > 1 { crew.worker().ok() } else { None };
        let workers = (0..number).map(worker).collect();
        let answer = |line: usize| {
            let threads = Some(share(threads, number, line));
            (self.answer)(&lines[line], &Limits { threads, ..self.limits() })
        };
        in_order(&pool, workers, lines.len(), &answer, &mut output)?;
        self.pool = Some(pool);
        Ok(())
    }
}

/// The number of threads for a task, by its number, where `tasks` run at a time.
fn share(threads: usize, tasks: usize, number: usize) -> usize {
    threads / tasks + usize::from(number < threads % tasks)
}

/// Answers lines, by their numbers, on as many threads of `pool` as there are workers, and
/// prints the answers. Threads without a line help the others.
fn in_order(
    pool: &ThreadPool,
    workers: Vec<Option<Worker<'_>>>,
    lines: usize,
    answer: &(dyn Fn(usize) -> Answer + Sync),
    output: &mut OrderedOutput<'_>,
) -> anyhow::Result<()> {
    let (sender, received) = mpsc::channel();
    let (next, first) = (&AtomicUsize::new(0), output.printed);
    pool.in_place_scope(|scope| {
        for worker in workers {
            let sender = sender.clone();
            scope.spawn(move |_| {
                loop {
                    let line = next.fetch_add(1, Ordering::Relaxed);
                    if line >= lines {
                        break;
                    }
                    // Nobody listens after printing has failed.
                    let _ = sender.send((first + line, answer(line)));
                }
                if let Some(worker) = worker {
                    worker.help_others();
                }
            });
        }
        // The channel is closed when all threads have ended.
        drop(sender);
        loop {
            match received.recv_timeout(PROGRESS_AFTER) {
                Ok((number, answer)) => output.take(number, answer)?,
                Err(RecvTimeoutError::Timeout) => output.show_progress(),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    })
}

/// Answers, each of which is printed as soon as those of the lines before it are.
struct OrderedOutput<'a> {
    lines: &'a [Line],
    print: &'a mut dyn FnMut(&Line, Answer) -> anyhow::Result<()>,
    /// Set when printing fails.
    cancel: Arc<AtomicBool>,
    /// Answers that wait for one before them.
    waiting: BTreeMap<usize, Answer>,
    printed: usize,
    quiet: bool,
    /// Shown once an answer takes long.
    progress: Option<OnStderr>,
}

impl OrderedOutput<'_> {
    fn take(&mut self, number: usize, answer: Answer) -> anyhow::Result<()> {
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
