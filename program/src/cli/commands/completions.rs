//! `fourbook completions`: completion scripts for shells.

use crate::cli::error::Result;
use crate::cli::output;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  fourbook completions bash > ~/.local/share/bash-completion/completions/fourbook
  fourbook completions zsh > ~/.zfunc/_fourbook     with 'fpath+=~/.zfunc' before compinit
                                                    in ~/.zshrc
  fourbook completions fish > ~/.config/fish/completions/fourbook.fish
  fourbook completions elvish >> ~/.config/elvish/rc.elv
  fourbook completions powershell >> $PROFILE       in PowerShell itself";

/// Print a script with which a shell completes subcommands, options and their values
///
/// Save the script where the shell looks for completions: the examples show how. Write it again
/// after an update of fourbook.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs, mut program: Command) -> Result {
    // The generator expects writing to succeed, so it writes into memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "fourbook", &mut script);
    output::stdout().write_all(&script)?;
    Ok(())
}
