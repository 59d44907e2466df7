//! `fourbook completions`: completion scripts for shells.

use crate::cli::error::Result;
use crate::cli::output;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, ValueHint};
use clap_complete::Shell;
use fourbook::Level;
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

/// The line with which the function for bash finds the previous word, and its replacement. For bash,
/// the equals sign in `--format=json` is a word.
const BASH_PREVIOUS: [&str; 2] = [
    "    prev=\"$3\"\n",
    "    prev=\"$3\"
    if [[ \"${cur}\" == \"=\" ]]; then cur=\"\"; fi
    if [[ \"${prev}\" == \"=\" ]]; then prev=\"${COMP_WORDS[COMP_CWORD-2]}\"; fi\n",
];

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs, program: Command) -> Result {
    let mut program = with_values(program);
    // The generator expects writing to succeed, so it writes into memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "fourbook", &mut script);
    if args.shell == Shell::Bash {
        let text = String::from_utf8_lossy(&script);
        let [from, to] = BASH_PREVIOUS;
        assert!(text.contains(from), "the generator has changed");
        script = text.replace(from, to).into_bytes();
    }
    if args.shell == Shell::Fish {
        script.extend(fish_arguments(&program).into_bytes());
    }
    output::stdout().write_all(&script)?;
    Ok(())
}

/// The values of arguments without a name: the generator for fish leaves them out.
fn fish_arguments(program: &Command) -> String {
    let mut lines = String::new();
    for subcommand in program.get_subcommands() {
        let values = subcommand.get_positionals().flat_map(Arg::get_possible_values);
        let values: Vec<String> = values.map(|it| it.get_name().to_owned()).collect();
        if !values.is_empty() {
            let (name, values) = (subcommand.get_name(), values.join(" "));
            let condition = format!("__fish_fourbook_using_subcommand {name}");
            lines += &format!("complete -c fourbook -n '{condition}' -f -a '{values}'\n");
        }
    }
    lines
}

/// The program with the values of arguments that the parser describes by a text only, and with paths
/// where paths are expected only.
fn with_values(mut program: Command) -> Command {
    program.build();
    // The parser takes static texts only, and this is called once.
    let names = program.get_subcommands().map(|it| &*it.get_name().to_owned().leak());
    let subcommands: Vec<&str> = names.collect();
    let levels = Level::ALL.map(|level| level.name).to_vec();
    let values = [("level", levels), ("subcommand", subcommands)];
    let complete = |arg: Arg| {
        if let Some((_, values)) = values.iter().find(|(id, _)| arg.get_id() == id) {
            return arg.value_parser(PossibleValuesParser::new(values));
        }
        match arg.get_value_hint() {
            ValueHint::Unknown if arg.get_action().takes_values() => {
                arg.value_hint(ValueHint::Other)
            }
            _ => arg,
        }
    };
    program.mut_args(complete).mut_subcommands(|it| it.mut_args(complete))
}
