//! The oracle that a subcommand answers with.

use super::book::BookArgs;
use super::options::Options;
use super::resources::{ThreadArgs, table_bytes};
use super::values::ByteSize;
use crate::cli::error::Result;
use clap::Args;
use fourbook::{Book, Oracle, ValueKind};
use std::sync::Arc;

// The arguments of a subcommand that looks positions up and solves the others.
#[derive(Debug, Args)]
pub(crate) struct OracleArgs {
    #[command(flatten)]
    pub(crate) book: BookArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,

    /// The most memory for the transposition table, which grows with the work, such as 512M or
    /// 2GiB [default: a quarter of the free memory, at most 1G]
    #[arg(short, long, value_name = "SIZE")]
    memory: Option<ByteSize>,
}

impl OracleArgs {
    /// Opens the book and makes the table. Searches run on one thread.
    pub(crate) fn open(&self, options: &Options) -> Result<Oracle> {
        let book = self.book.open(options)?;
        if book.as_ref().is_some_and(|book| book.kind() == ValueKind::WinDrawLoss) {
            tracing::warn!("the book has no scores, so all positions are solved");
        }
        let size = book.as_ref().map_or(options.size(), Book::size);
        Ok(Oracle::with_memory(book.map(Arc::new), size, table_bytes(self.memory))?)
    }
}
