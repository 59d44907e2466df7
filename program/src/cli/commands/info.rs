//! `fourbook info`: prints the header of a book.

use crate::cli::args::{Options, is_strategy};
use crate::cli::error::Result;
use crate::cli::output;
use clap::Args;
use fourbook::Size;
use fourbook::book::{BookInfo, Provenance};
use fourbook::text::{escaped, grouped};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  fourbook info 7x6-d8.book
  fourbook info --json 7x6-d8.book | jq .depth";

/// Print what a book contains: its board, its depth, how it was made; or what a strategy contains
///
/// Only the header and the tables of compact sections are read; 'fourbook verify' reads and checks
/// the rest. The identity is the checksum of the header, which covers the checksums of all blocks:
/// undamaged books with the same identity are the same.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InfoArgs {
    /// The book or strategy; '-' is standard input, for a book; 'built-in' is the built-in one
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Print one JSON object
    #[arg(help_heading = "Output", long)]
    json: bool,
}

pub(crate) fn run(args: &InfoArgs, options: &Options) -> Result {
    if is_strategy(&args.book) {
        return print_strategy(args, options);
    }
    let book = options.open_book(&args.book)?;
    let info = Info { file: args.book.display().to_string(), book: book.info() };
    let mut out = output::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&info)?)?;
    } else {
        print(&mut out, book.size(), &info)?;
    }
    Ok(())
}

fn print_strategy(args: &InfoArgs, options: &Options) -> Result {
    let strategy = options.open_strategy(&args.book)?;
    let info = strategy.info();
    let mut out = output::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&info)?)?;
        return Ok(());
    }
    writeln!(out, "{}", escaped(args.book.display()))?;
    writeln!(out, "strategy   {strategy}")?;
    writeln!(out, "value      {}", output::worth(&strategy, strategy.value()))?;
    writeln!(out)?;
    writeln!(out, "ply  {:>13}", "positions")?;
    for ply in &info.plies {
        writeln!(out, "{:>3}  {:>13}", ply.ply, grouped(ply.positions))?;
    }
    Ok(())
}

/// The JSON object.
#[derive(Debug, Serialize)]
struct Info {
    file: String,
    #[serde(flatten)]
    book: BookInfo,
}

fn print(out: &mut impl Write, size: Size, Info { file, book: info }: &Info) -> io::Result<()> {
    let Provenance { program, version, arguments, values } = &info.provenance;
    writeln!(out, "{}", escaped(file))?;
    writeln!(out, "board      {size}")?;
    let stored: Vec<String> = info.sections.iter().map(|section| section.ply.to_string()).collect();
    writeln!(out, "plies      0 to {}; stored are {}", info.depth, stored.join(", "))?;
    writeln!(out, "values     {} ({values})", info.values)?;
    writeln!(out, "made by    {program} {version}")?;
    writeln!(out, "asked to   {arguments}")?;
    writeln!(out, "format     version {}", info.format_version)?;
    writeln!(out, "size       {} bytes", grouped(info.bytes))?;
    writeln!(out, "identity   {}", info.identity)?;
    writeln!(out)?;
    writeln!(out, "ply  encoding  bits  {:>13}  {:>13}  {:>13}", "slots", "entries", "bytes")?;
    for section in &info.sections {
        writeln!(
            out,
            "{:>3}  {:<8}  {:>4}  {:>13}  {:>13}  {:>13}",
            section.ply,
            section.encoding,
            section.bits,
            grouped(section.slots),
            grouped(section.entries),
            grouped(section.bytes),
        )?;
    }
    Ok(())
}
