//! The arguments that say which book to solve, and with which resources.

use super::resources::ThreadArgs;
use super::values::{Depth, byte_size, depth};
use clap::Args;
use fourbook::generate::Plan;
use fourbook::{Size, ValueKind};
use std::path::PathBuf;

// The arguments of a subcommand that solves positions for a book, or plans to.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct BookPlanArgs {
    /// The deepest ply of the book; max: the deepest that a book of the board can have
    /// [default: 8; a third of the cells on small boards]
    #[arg(short, long, value_name = "PLIES", value_parser = depth)]
    pub(crate) depth: Option<Depth>,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,

    /// The most memory for the transposition table, which grows with the work, such as 512M or
    /// 1.5GiB; K, M, G and T are powers of 1024 [default: a quarter of the free memory, at most 1G]
    #[arg(short, long, value_name = "SIZE", value_parser = byte_size)]
    pub(crate) memory: Option<usize>,

    /// Win, draw or loss only, not the exact scores
    #[arg(long)]
    pub(crate) wdl: bool,
}

impl BookPlanArgs {
    /// The plan of these arguments; without a name for the file, it is named after its contents.
    pub(crate) fn plan(&self, size: Size, out: Option<PathBuf>) -> Plan {
        let depth = match self.depth {
            Some(depth) => depth.or_deepest(Plan::deepest(size)),
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
