//! `fourbook generate`: makes a book.

use super::memory::ByteSize;
use super::threads::ThreadArgs;
use super::{EXIT_CODES, Options, Status, encoding_parser};
use anyhow::{Context, anyhow};
use clap::Args;
use fourbook::board::Size;
use fourbook::book::{BookContents, Encoding, Provenance};
use fourbook::generate::{self, GenerateError, Generated, Memory, Plan, Report, ValueKind};
use fourbook::scores::PlyScores;
use indicatif::{HumanBytes, HumanCount, HumanDuration};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const ABOUT: &str = "\
Make a book: the perfect-play scores of all positions of a number of plies

What has been solved is kept in the folder FILE.checkpoint from the first position on. An \
interrupted run (by Ctrl-C, kill, or a power cut) goes on where it was when the same command is \
given again; threads and memory may be others then. The folder is removed when the book is \
complete, and FILE.json says how the book was made.";

const EXAMPLES: &str = "\
Examples:
  fourbook generate                              7x6 to ply 8, into 7x6-d8.book
  fourbook generate --depth 12 --out my.book     a deeper book
  fourbook generate --size 6x5 --depth 10        a board of another size
  fourbook generate --threads 4 --memory 2GiB    leave some of the machine to others
  fourbook generate --wdl                        only who wins, not how soon: a smaller book";

/// The arguments of `fourbook generate`.
#[derive(Debug, Args)]
#[command(
    about = "Make a book",
    long_about = ABOUT,
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(super) struct GenerateArgs {
    /// The deepest ply of the book [default: 8; a third of the cells on small boards]
    #[arg(short, long, value_name = "PLIES")]
    depth: Option<u32>,

    /// The file to write [default: named after size and depth, such as 7x6-d8.book]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Memory for the transposition table, such as 512M or 2GiB; K, M, G and T are powers of 1024
    /// [default: what the job can use, at most half of what is free]
    #[arg(short, long, value_name = "SIZE")]
    memory: Option<ByteSize>,

    /// Store win, draw or loss only, not the exact scores
    #[arg(long)]
    wdl: bool,

    /// How the values are stored: flat is looked up faster, compact takes fewer bytes
    #[arg(short, long, value_name = "ENCODING", default_value = "flat", value_parser = encoding_parser())]
    encoding: Encoding,
}

/// Makes a book.
///
/// # Errors
///
/// If it cannot be made, or the run is interrupted.
pub(super) fn run(args: &GenerateArgs, options: &Options) -> anyhow::Result<Status> {
    let plan = args.plan(options.size());
    let cancel = Arc::new(AtomicBool::new(false));
    cancel_on_signal(&cancel)?;
    tracing::info!("{} threads, {} bytes of transposition table", plan.threads, plan.table_bytes);
    let progress = generate::progress::on_stderr(options.quiet);
    let generated = generate::run(&plan, &*progress, &cancel);
    drop(progress);
    let generated = generated.map_err(|error| match error {
        GenerateError::Interrupted { .. } => {
            anyhow!("{error}\nGo on with: {}", args.command(options.size()))
        }
        error => error.into(),
    })?;
    args.threads.start()?.install(|| write_book(&plan, args.encoding, &generated.plies()))?;
    finish(&plan, generated, options.quiet)?;
    Ok(Status::Fine)
}

/// Writes the file that the plan names.
fn write_book(plan: &Plan, encoding: Encoding, plies: &[PlyScores<'_>]) -> anyhow::Result<()> {
    let Plan { size, depth, kind, .. } = *plan;
    let provenance = Provenance::generated(size, depth, kind, encoding);
    Ok(BookContents { size, kind, encoding, plies, provenance }.write_file(&plan.out)?)
}

/// Sets `cancel` when the user or the system asks the program to end; a second
/// request ends it at once, which loses nothing but the positions being solved.
fn cancel_on_signal(cancel: &Arc<AtomicBool>) -> anyhow::Result<()> {
    let cancel = Arc::clone(cancel);
    ctrlc::set_handler(move || {
        if cancel.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
    })
    .context("cannot be told of Ctrl-C")
}

/// Writes the report beside the book and removes the checkpoint.
fn finish(plan: &Plan, generated: Generated, quiet: bool) -> anyhow::Result<()> {
    let report = generated.report();
    let mut path = plan.out.clone().into_os_string();
    path.push(".json");
    let path = PathBuf::from(path);
    let json = serde_json::to_string_pretty(report)? + "\n";
    std::fs::write(&path, json).with_context(|| format!("cannot write '{}'", path.display()))?;
    if !quiet {
        // The book is there, whether or not anybody reads this.
        let _ = writeln!(io::stderr(), "{}", summary(&plan.out, report));
    }
    generated.remove_checkpoint()?;
    Ok(())
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

impl GenerateArgs {
    fn kind(&self) -> ValueKind {
        if self.wdl { ValueKind::Outcomes } else { ValueKind::Scores }
    }

    fn plan(&self, size: Size) -> Plan {
        let depth = self.depth.unwrap_or_else(|| Plan::default_depth(size));
        let kind = self.kind();
        let out = self.out.clone().unwrap_or_else(|| Plan::default_out(size, depth, kind));
        let threads = self.threads.number();
        let table_bytes = match self.memory {
            Some(memory) => memory.bytes(),
            None => Plan::default_table_bytes(size, depth, Memory::now().available),
        };
        Plan { size, depth, kind, threads, table_bytes, out }
    }

    /// The command that goes on with an interrupted run.
    fn command(&self, size: Size) -> String {
        let mut command = format!("fourbook generate --size {size}");
        if let Some(depth) = self.depth {
            command += &format!(" --depth {depth}");
        }
        if let Some(out) = &self.out {
            command += &format!(" --out {}", quoted(&out.to_string_lossy()));
        }
        if let Some(threads) = self.threads.threads {
            command += &format!(" --threads {threads}");
        }
        if let Some(memory) = self.memory {
            command += &format!(" --memory {}", memory.bytes());
        }
        if self.wdl {
            command += " --wdl";
        }
        if self.encoding != Encoding::Flat {
            command += &format!(" --encoding {}", self.encoding);
        }
        command
    }
}

/// The text as a shell takes it for one word.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_on_with_the_arguments_it_had() {
        let args = GenerateArgs {
            depth: Some(3),
            out: Some("my book's file".into()),
            threads: ThreadArgs { threads: Some(2) },
            memory: Some("1M".parse().unwrap()),
            wdl: true,
            encoding: Encoding::Compact,
        };
        let expected = r"fourbook generate --size 5x4 --depth 3 --out 'my book'\''s file' --threads 2 --memory 1048576 --wdl --encoding compact";
        assert_eq!(args.command(Size::new(5, 4).unwrap()), expected);
        let threads = ThreadArgs { threads: None };
        let encoding = Encoding::Flat;
        let defaults =
            GenerateArgs { depth: None, out: None, threads, memory: None, wdl: false, encoding };
        assert_eq!(defaults.command(Size::STANDARD), "fourbook generate --size 7x6");
    }
}
