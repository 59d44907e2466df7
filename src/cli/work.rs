//! What is to be solved and with what, on the command line.

use super::memory::ByteSize;
use super::threads::ThreadArgs;
use clap::Args;
use fourbook::board::Size;
use fourbook::generate::{Memory, Plan, ValueKind};
use std::path::PathBuf;

/// The arguments of a subcommand that solves positions for a book, or plans to.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct WorkArgs {
    /// The deepest ply of the book [default: 8; a third of the cells on small boards]
    #[arg(short, long, value_name = "PLIES")]
    pub(super) depth: Option<u32>,

    #[command(flatten)]
    pub(super) threads: ThreadArgs,

    /// Memory for the transposition table, such as 512M or 2GiB; K, M, G and T are powers of 1024
    /// [default: what the job can use, at most half of what is free]
    #[arg(short, long, value_name = "SIZE")]
    pub(super) memory: Option<ByteSize>,

    /// Win, draw or loss only, not the exact scores
    #[arg(long)]
    pub(super) wdl: bool,
}

impl WorkArgs {
    /// The plan of these arguments, for a file that is named after what is in it if
    /// there is no name for it.
    pub(super) fn plan(&self, size: Size, out: Option<PathBuf>) -> Plan {
        let depth = self.depth.unwrap_or_else(|| Plan::default_depth(size));
        let kind = if self.wdl { ValueKind::Outcomes } else { ValueKind::Scores };
        let table_bytes = match self.memory {
            Some(memory) => memory.bytes(),
            None => Plan::default_table_bytes(size, depth, Memory::now().available),
        };
        let out = out.unwrap_or_else(|| Plan::default_out(size, depth, kind));
        Plan { size, depth, kind, threads: self.threads.number(), table_bytes, out }
    }
}
