//! Writing books: interrupts, the file, and the report beside it if positions were solved.

use crate::cli::error::{Context, Error, INTERRUPTED, Result};
use crate::cli::output::{self, OnStderr};
use crate::cli::status::{note, report};
use clap::Args;
use fourbook::count;
use fourbook::files::{self, quoted};
use fourbook::generate::{GenerateError, Plan, Report};
use fourbook::tools::pack::Packed;
use indicatif::{HumanBytes, HumanCount, HumanDuration};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Returns a flag that Ctrl-C or the system sets to end the program; a second request ends it
/// at once, which loses only the positions being solved.
pub(crate) fn cancel_on_signal() -> Result<Arc<AtomicBool>> {
    let cancel = Arc::new(AtomicBool::new(false));
    let cancelled = Arc::clone(&cancel);
    ctrlc::set_handler(move || {
        if cancelled.swap(true, Ordering::Relaxed) {
            files::remove_unfinished();
            std::process::exit(INTERRUPTED.into());
        }
    })
    .context("cannot be told of Ctrl-C")?;
    Ok(cancel)
}

/// Adds to an interruption the command that resumes: the same command again.
pub(crate) fn with_command(error: GenerateError) -> Error {
    let error = Error::from(error);
    if error.exit != INTERRUPTED {
        return error;
    }
    let arguments = std::env::args_os().skip(1).map(|it| quoted(Path::new(&it)));
    let command: Vec<String> = std::iter::once("fourbook".to_owned()).chain(arguments).collect();
    error.with_hint(format!("start it again with: {}", command.join(" ")))
}

/// Lets Ctrl-C or the system end the program, which deletes its unfinished file: for work that
/// cannot be resumed.
pub(crate) fn end_on_signal() -> Result<()> {
    ctrlc::set_handler(|| {
        files::remove_unfinished();
        report("interrupted; nothing was written");
        std::process::exit(INTERRUPTED.into());
    })
    .context("cannot be told of Ctrl-C")
}

// The file of a book made from another one.
#[derive(Debug, Args)]
pub(crate) struct NewBookArgs {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    /// Replace the file if it exists
    #[arg(short, long)]
    force: bool,
}

impl NewBookArgs {
    /// Checks that the file may be written, and deletes it if it is unfinished at an interrupt.
    pub(crate) fn prepare(&self) -> Result<()> {
        output::check_new(&self.out, self.force)?;
        end_on_signal()
    }

    /// Writes the file.
    pub(crate) fn write(&self, book: &Packed, progress: &OnStderr) -> Result<()> {
        Ok(book.contents(&book.plies()).write_file(&self.out, progress)?)
    }

    /// Prints on stderr how large the file is.
    pub(crate) fn report(&self, quiet: bool) -> Result<()> {
        output::report_book(&self.out, quiet)
    }
}

/// Prints on stderr the contents of the new book of a plan, unless `quiet` is set.
pub(crate) fn print_summary(plan: &Plan, report: &Report, quiet: bool) {
    if !quiet {
        note(summary(&plan.out, report));
    }
}

fn summary(out: &Path, report: &Report) -> String {
    let positions: u64 = report.plies.iter().map(|ply| ply.counts.stored).sum();
    let solving = report.solving;
    let time = HumanDuration(Duration::from_millis(solving.milliseconds));
    let nodes = count(solving.nodes, "node");
    let solved = HumanCount(solving.positions);
    let positions = count(positions, "position");
    let size = match std::fs::metadata(out) {
        Ok(metadata) => format!(", {}", HumanBytes(metadata.len())),
        Err(_) => String::new(),
    };
    format!("{}: {positions}{size}; {solved} solved in {time}, {nodes}", out.display())
}
