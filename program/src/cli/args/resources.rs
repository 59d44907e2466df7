//! The arguments for resources: threads, memory, and time or nodes for a search; and the book to
//! solve with them.

use super::values::{Depth, byte_size, depth, seconds, whole};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output::OnStderr;
use clap::Args;
use fourbook::generate::Plan;
use fourbook::solver::thread_count;
use fourbook::text::count;
use fourbook::tools::{Resources, with_threads};
use fourbook::{Book, Limits, Memory, Oracle, Size, StopReason, Stopped, ValueKind};
use std::path::PathBuf;
use std::time::Duration;

// The argument of a subcommand that works with several threads.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ThreadArgs {
    /// The number of threads; 0 is one for each processor
    #[arg(help_heading = "Limits", short, long, value_name = "N", default_value = "0", value_parser = whole(0..=u16::MAX))]
    threads: u16,
}

impl ThreadArgs {
    /// The number of threads.
    pub(crate) fn number(self) -> usize {
        thread_count(self.threads.into())
    }
}

// The arguments of a subcommand that reads whole plies of a book.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ToolArgs {
    /// The most memory to use, such as 512M or 1.5GiB; K, M, G and T are powers of 1024. Values
    /// beyond it go to a temporary file [default: three quarters of the free memory]
    #[arg(help_heading = "Limits", short, long, value_name = "SIZE", value_parser = byte_size)]
    memory: Option<usize>,

    #[command(flatten)]
    threads: ThreadArgs,
}

impl ToolArgs {
    /// An oracle without a book, with these threads and this memory for its table.
    pub(crate) fn oracle(self, size: Size) -> Result<Oracle> {
        let table_bytes = self.memory.unwrap_or_else(|| Memory::now().table_bytes());
        Ok(Oracle::with_memory(None, size, table_bytes)?.with_threads(self.threads.number()))
    }

    /// Runs a tool of the library with these threads and this memory, and shows its progress.
    pub(crate) fn run<T: Send, E: Into<Error> + Send>(
        self,
        quiet: bool,
        tool: impl FnOnce(Resources<'_>) -> Result<T, E> + Send,
    ) -> Result<T> {
        let progress = OnStderr::new(quiet);
        let memory = self.memory.map(|bytes| bytes as u64);
        let resources = Resources { memory, ..Resources::new(&progress) };
        let threads = self.threads.number();
        with_threads(threads, || tool(resources))
            .with_context(|| format!("cannot start {}", count(threads, "thread")))?
            .map_err(E::into)
    }
}

// The arguments of a subcommand that solves positions for a book, or plans to.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct BookPlanArgs {
    /// The deepest ply; max: the deepest that a book of the board can have
    /// [default: 8, or fewer on small boards and on wide ones]
    #[arg(help_heading = "Book", short, long)]
    #[arg(value_name = "PLIES", value_parser = depth)]
    depth: Option<Depth>,

    #[command(flatten)]
    threads: ThreadArgs,

    /// The most memory for the transposition table, which grows with the work, such as 512M or
    /// 1.5GiB; K, M, G and T are powers of 1024 [default: a quarter of the free memory, at most 1G]
    #[arg(help_heading = "Limits", short, long, value_name = "SIZE", value_parser = byte_size)]
    memory: Option<usize>,

    /// Win, draw or loss only, not the exact scores
    #[arg(help_heading = "Book", long)]
    pub(crate) wdl: bool,
}

impl BookPlanArgs {
    /// The plan of these arguments; without a name for the file, it is named after its contents.
    pub(crate) fn plan(&self, size: Size, out: Option<PathBuf>) -> Plan {
        let depth = match self.depth {
            Some(Depth(plies)) => plies.unwrap_or_else(|| Plan::deepest(size)),
            None => Plan::default_depth(size),
        };
        let kind = if self.wdl { ValueKind::WinDrawLoss } else { ValueKind::Scores };
        let default = Plan::new(size, depth);
        let table_bytes = self.memory.unwrap_or(default.table_bytes);
        let out = out.unwrap_or_else(|| Plan::default_out(size, depth, kind));
        let threads = self.threads.number();
        Plan { kind, threads, table_bytes, out, ..default }
    }
}

// The arguments of a subcommand that gives up on positions after a limit.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Give up on a position after this time, with an error: seconds, or a time such as 500ms or
    /// 5min
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    deadline: Option<Duration>,

    /// Give up on a position after this many nodes, such as 1e6; with 0, only the book answers
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    max_nodes: Option<u64>,
}

impl LimitArgs {
    /// The limits of each search.
    pub(crate) fn of_search(self) -> Limits {
        Limits { max_time: self.deadline, max_nodes: self.max_nodes, ..Limits::default() }
    }

    /// Whether a search has no limits.
    pub(crate) fn is_unlimited(self) -> bool {
        self.deadline.is_none() && self.max_nodes.is_none()
    }
}

/// The error of a search that was stopped, with the arguments that help. A book that is there can be
/// too shallow.
pub(crate) fn not_solved(stopped: &Stopped, book: Option<&Book>) -> Error {
    let option = match stopped.reason {
        StopReason::Deadline => "--deadline",
        StopReason::NodeBudget => "--max-nodes",
        reason => return Error::new(reason.to_string()),
    };
    let findings = stopped.findings();
    let deeper = if book.is_some() { ", or name a deeper book with --book" } else { "" };
    Error::new(format!("not solved within the limits; allow more with {option}{deeper}{findings}"))
}
