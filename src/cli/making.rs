//! What the subcommands that make a book share: being interrupted, and writing
//! the book with the report beside it.

use anyhow::Context;
use fourbook::book::{BookContents, Encoding, Provenance};
use fourbook::generate::{Generated, Plan, Report};
use indicatif::{HumanBytes, HumanCount, HumanDuration};
use rayon::ThreadPool;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Is set when the user or the system asks the program to end; a second
/// request ends it at once, which loses nothing but the positions being solved.
///
/// # Errors
///
/// If the system does not tell.
pub(super) fn cancel_on_signal() -> anyhow::Result<Arc<AtomicBool>> {
    let cancel = Arc::new(AtomicBool::new(false));
    let cancelled = Arc::clone(&cancel);
    ctrlc::set_handler(move || {
        if cancelled.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
    })
    .context("cannot be told of Ctrl-C")?;
    Ok(cancel)
}

/// Writes the file that the plan names, with the threads of `pool`, and the
/// report beside it; removes the checkpoint.
///
/// # Errors
///
/// If one of the files cannot be written.
pub(super) fn finish(
    plan: &Plan,
    encoding: Encoding,
    generated: Generated,
    pool: &ThreadPool,
    quiet: bool,
) -> anyhow::Result<()> {
    let Plan { size, depth, kind, .. } = *plan;
    let provenance = Provenance::generated(size, depth, kind, encoding);
    pool.install(|| {
        let plies = &generated.plies();
        BookContents { size, kind, encoding, plies, provenance }.write_file(&plan.out)
    })?;
    write_report(&plan.out, generated.report())?;
    if !quiet {
        // The book is there, whether or not anybody reads this.
        let _ = writeln!(io::stderr(), "{}", summary(&plan.out, generated.report()));
    }
    generated.remove_checkpoint()?;
    Ok(())
}

fn write_report(book: &Path, report: &Report) -> anyhow::Result<()> {
    let mut path = book.as_os_str().to_owned();
    path.push(".json");
    let path = PathBuf::from(path);
    let json = serde_json::to_string_pretty(report)? + "\n";
    std::fs::write(&path, json).with_context(|| format!("cannot write '{}'", path.display()))
}

fn summary(out: &Path, report: &Report) -> String {
    let positions: u64 = report.plies.iter().map(|ply| ply.counts.stored).sum();
    let solving = report.solving;
    let time = HumanDuration(Duration::from_millis(solving.milliseconds));
    let nodes = HumanCount(solving.nodes);
    let solved = HumanCount(solving.positions);
    let positions = HumanCount(positions);
    let size = match std::fs::metadata(out) {
        Ok(metadata) => format!(", {}", HumanBytes(metadata.len())),
        Err(_) => String::new(),
    };
    format!(
        "{}: {positions} positions{size}; {solved} solved in {time}, {nodes} nodes",
        out.display()
    )
}

/// The text as a shell takes it for one word.
pub(super) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
