//! `fourbook man`: manual pages.

use crate::cli::args::named_path;
use crate::cli::error::{Context, Result};
use clap::{Args, Command};
use std::fs;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  fourbook man --out ~/.local/share/man/man1    for 'man fourbook' and 'man fourbook-lookup'";

/// Write the manual pages into a folder
///
/// Each subcommand has a page, and the program has one that lists them. They have the text of
/// --help. Pages that exist in the folder are replaced.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// Write into this folder, which is made if it does not exist
    #[arg(help_heading = "Output", short, long, value_name = "FOLDER", value_parser = named_path())]
    out: PathBuf,
}

/// Writes the manual pages of the program.
pub(crate) fn run(args: &ManArgs, program: Command) -> Result {
    let context = || format!("cannot write manual pages into '{}'", args.out.display());
    fs::create_dir_all(&args.out).with_context(context)?;
    clap_mangen::generate_to(program, &args.out).with_context(context)?;
    Ok(())
}
