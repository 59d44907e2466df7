//! Lines answered by several threads, and their answers printed in the order of the lines.

use crate::cli::args::{LimitArgs, Line, Options};
use crate::cli::error::Result;
use crate::cli::output::OnStderr;
use crate::cli::waiting::{beside, show_progress};
use fourbook::solver::SearchProgress;
use fourbook::{Limits, Oracle};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
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
    pub(crate) fn answer_all(&self, lines: &[Line], print: &mut Print<'_>) -> Result {
        let easy = self.answer_easy(lines);
        let (first, others) = lines.split_at(easy.len());
        print(first, easy)?;
        if others.is_empty() { Ok(()) } else { self.answer_others(others, print) }
    }

    /// The limits of each line. If there is a single line, its search shows progress.
    fn limits(&self, search: Option<Arc<SearchProgress>>) -> Limits {
        let progress = search.or_else(|| tracing::enabled!(Level::INFO).then(Arc::default));
        Limits { cancel: Some(Arc::clone(&self.cancel)), progress, ..self.limits.of_search() }
    }

    /// Answers lines on this thread, until one is not easy, or threads are worth their start.
    fn answer_easy(&self, lines: &[Line]) -> Vec<Result<String>> {
        let start = Instant::now();
        let started = self.started.load(Ordering::Relaxed);
        let time = if started { EASY_TIME_AMONG_MANY } else { EASY_TIME };
        let limits = self.limits(None);
        let is_enough = limits.max_nodes.is_some_and(|most| most <= EASY_NODES);
        let max_nodes = if is_enough { limits.max_nodes } else { Some(EASY_NODES) };
        let oracle = self.oracle.with_limits(Limits { max_nodes, ..limits });
        let mut answers = Vec::new();
        for line in lines {
            if start.elapsed() >= time {
                break;
            }
            let before = self.oracle.nodes();
            let answer = (self.answer)(line, &oracle);
            if !is_enough && self.oracle.nodes() - before >= EASY_NODES {
                // The search may have been stopped.
                break;
            }
            answers.push(answer);
        }
        answers
    }

    /// Answers lines on several threads, which help each other with the last ones. With fewer
    /// lines than threads, all threads answer one line after the other.
    fn answer_others(&self, lines: &[Line], print: &mut Print<'_>) -> Result {
        self.started.store(true, Ordering::Relaxed);
        let all = &self.oracle.with_threads(self.threads);
        let one_by_one = lines.len() < self.threads;
        let length = match one_by_one {
            true => 1,
            false => (lines.len() / (BLOCKS_PER_THREAD * self.threads)).clamp(1, LARGEST_BLOCK),
        };
        let blocks = lines.len().div_ceil(length);
        let search: Option<Arc<SearchProgress>> = (lines.len() == 1).then(Arc::default);
        let oracle = if one_by_one { all } else { self.oracle };
        let (mut printed, mut waiting) = (0, BTreeMap::new());
        let (mut shown, started) = (None, Instant::now());
        let answer = |sender: Sender<Block>| {
            let answer_block = |number: usize| {
                let start = number * length;
                let some = &lines[start..lines.len().min(start + length)];
                // Sending fails only after printing has failed.
                self.answer_block(oracle, search.as_ref(), (start, some), &|it| {
                    drop(sender.send(it))
                });
            };
            match one_by_one {
                true => (0..blocks).for_each(answer_block),
                false => all.for_each(blocks, &answer_block),
            }
        };
        beside(answer, &mut |answers| {
            let Some((start, answers)) = answers else {
                let begin = || self.show_progress(search.as_ref(), lines.len(), started);
                shown.get_or_insert_with(begin).set(printed as u64);
                return Ok(());
            };
            waiting.insert(start, answers);
            while let Some(answers) = waiting.remove(&printed) {
                let some = &lines[printed..printed + answers.len()];
                let print = || print(some, answers);
                let is_printed = match &shown {
                    Some(progress) => OnStderr::suspend(progress, print),
                    None => print(),
                };
                is_printed.inspect_err(|_| self.cancel.store(true, Ordering::Relaxed))?;
                printed += some.len();
            }
            Ok(())
        })
    }

    /// Answers consecutive lines on this thread, and sends their answers in several messages if
    /// that takes long.
    fn answer_block(
        &self,
        oracle: &Oracle,
        search: Option<&Arc<SearchProgress>>,
        (mut start, lines): (usize, &[Line]),
        send: &dyn Fn(Block),
    ) {
        let oracle = oracle.with_limits(self.limits(search.cloned()));
        let (mut begun, mut answers) = (Instant::now(), Vec::new());
        for (left, line) in (0..lines.len()).rev().zip(lines) {
            answers.push((self.answer)(line, &oracle));
            if left == 0 || begun.elapsed() >= SEND_AFTER {
                let end = start + answers.len();
                send((start, std::mem::take(&mut answers)));
                (start, begun) = (end, Instant::now());
            }
        }
    }

    fn show_progress(
        &self,
        search: Option<&Arc<SearchProgress>>,
        lines: usize,
        started: Instant,
    ) -> OnStderr {
        let progress = show_progress(self.options, Some(self.limits), self.oracle.size());
        match search {
            Some(search) => progress.start_search("solving", Arc::clone(search), started),
            None => progress.start("solving", lines as u64),
        }
        progress
    }
}
