//! Writing books: interrupts, the file, and the report beside it if positions were solved.

use crate::cli::args::{Options, ToolArgs, named_path};
use crate::cli::error::{Error, INTERRUPTED, Result};
use crate::cli::output::{self, OnStderr};
use crate::cli::signals::{end_by_ctrl_c, on_signal};
use crate::cli::status::{note, report};
use crate::cli::stderr;
use clap::Args;
use fourbook::Book;
use fourbook::book::BookContents;
use fourbook::files;
use fourbook::generate::Report;
use fourbook::text::{count, grouped};
use fourbook::tools::Resources;
use indicatif::HumanBytes;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The error of an interrupted command that writes a file.
pub(crate) const NOTHING_WRITTEN: &str = "interrupted; nothing was written";

/// Returns a flag that Ctrl-C sets to end the work, and the system unless it `ends_all`. A second Ctrl-C
/// ends the program at once, which loses only the positions being solved. The system's wish does not, as
/// programs such as `timeout` send it twice: to the process, and to its group.
pub(crate) fn cancel_on_signal(ends_all: bool) -> Result<Arc<AtomicBool>> {
    let cancel = Arc::new(AtomicBool::new(false));
    let cancelled = Arc::clone(&cancel);
    on_signal(move |is_ctrl_c| {
        let is_cancelled = cancelled.swap(true, Ordering::Relaxed);
        if is_ctrl_c && is_cancelled || ends_all && !is_ctrl_c {
            files::remove_unfinished();
            output::clear_progress();
            // The next output begins on a line of its own.
            note("");
            stderr::exit(INTERRUPTED);
        }
    })?;
    Ok(cancel)
}

/// Returns progress of work that Ctrl-C or the system cancels.
pub(crate) fn cancellable(options: &Options) -> Result<OnStderr> {
    Ok(OnStderr::new(options.quiet).with_cancel(cancel_on_signal(false)?))
}

/// Lets Ctrl-C or the system end the program with this error, and delete its unfinished file: for work
/// that cannot be resumed.
pub(crate) fn end_on_signal(error: &'static str) -> Result<()> {
    on_signal(move |is_ctrl_c| {
        files::remove_unfinished();
        output::clear_progress();
        report(error);
        if is_ctrl_c {
            end_by_ctrl_c();
        }
        stderr::exit(INTERRUPTED);
    })
}

// The file of a book made from another one.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct NewBookArgs {
    /// The file to write
    #[arg(short, long, value_name = "FILE", value_parser = named_path())]
    pub(crate) out: PathBuf,

    /// Replace the file if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
}

impl NewBookArgs {
    /// Checks, before any work, that the book can be written, and not in the place of `input`.
    pub(crate) fn check(&self, input: &Path) -> Result {
        output::check_new(&self.out, self.force, input)
    }

    /// Computes the values of the new book and writes it.
    pub(crate) fn make(
        &self,
        tool: ToolArgs,
        options: &Options,
        pack: impl FnOnce(Resources<'_>) -> Result<BookContents> + Send,
    ) -> Result {
        end_on_signal(NOTHING_WRITTEN)?;
        tool.run(options.quiet, |resources| {
            pack(resources)?.write_whole(&self.out, self.force, resources.progress)?;
            Ok::<_, Error>(())
        })?;
        let new = Book::open(&self.out)?;
        let entries: u64 = new.sections().iter().map(|section| section.entries).sum();
        let positions = count(entries, "position");
        let bytes = HumanBytes(new.length());
        options.note(format_args!("{}: {positions}, {bytes}", self.out.display()));
        Ok(())
    }
}

/// Says that the book at `out` is the one asked for.
pub(crate) fn made_already(out: &Path) -> String {
    format!("{}: made already; nothing to do", out.display())
}

/// The contents of the new book at `out`, in a line.
pub(crate) fn summary(out: &Path, report: &Report) -> String {
    let positions: u64 = report.plies.iter().map(|ply| ply.counts.stored).sum();
    let solving = report.solving;
    let time = output::in_words(Duration::from_millis(solving.milliseconds));
    let nodes = count(solving.nodes, "node");
    let solved = grouped(solving.positions);
    let positions = count(positions, "position");
    let size = std::fs::metadata(out)
        .map_or_else(|_| String::new(), |it| format!(", {}", HumanBytes(it.len())));
    format!("{}: {positions}{size}; {solved} solved in {time}, {nodes}", out.display())
}
