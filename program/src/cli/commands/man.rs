//! `fourbook man`: manual pages.

use crate::cli::args::{EXIT_CODES, Options};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output;
use crate::cli::status::{Status, note};
use clap::builder::Resettable;
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use fourbook::count;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) const SUMMARY: &str = "Print manual pages";

const ABOUT: &str = "\
Print a manual page, or write all of them into a folder

Each subcommand has a page, and the program has one that lists them. They say what --help says, in \
the form that 'man' reads. Pages that exist in the folder are replaced.";

const EXAMPLES: &str = "\
Examples:
  fourbook man lookup | man -l -                read the page of a subcommand
  fourbook man --out ~/.local/share/man/man1    for 'man fourbook' and 'man fourbook-lookup'";

/// The program, in the names of pages.
const PROGRAM: &str = "fourbook";

/// The arguments of `fourbook man`.
#[derive(Debug, Args)]
#[command(
    about = SUMMARY,
    long_about = ABOUT,
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(crate) struct ManArgs {
    /// Print the page of this subcommand [default: that of the program]
    #[arg(value_name = "SUBCOMMAND", conflicts_with = "out")]
    subcommand: Option<String>,

    /// Write all pages into this folder, which is made if it does not exist
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Prints or writes manual pages of the program that clap describes in `program`.
pub(crate) fn run(args: &ManArgs, program: &Command, options: &Options) -> Result<Status> {
    if let Some(folder) = &args.out {
        write_all(program, folder)?;
        if !options.quiet {
            let pages = count(commands(program).count() as u64, "page");
            note(format_args!("{}: {pages}", folder.display()));
        }
        return Ok(Status::Fine);
    }
    let command = match &args.subcommand {
        None => program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| unknown(program, name))?,
    };
    output::stdout().write_all(&page(command)?)?;
    Ok(Status::Fine)
}

/// All that have a page.
fn commands(program: &Command) -> impl Iterator<Item = &Command> {
    std::iter::once(program).chain(program.get_subcommands())
}

fn unknown(program: &Command, name: &str) -> Error {
    let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
    Error::usage(format!(
        "expected the name of a subcommand, found '{name}'; there are {}",
        names.join(", ")
    ))
}

fn write_all(program: &Command, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder '{}'", folder.display()))?;
    for command in commands(program) {
        let path = folder.join(Man::new(command.clone()).get_filename());
        output::write_results(&path, &String::from_utf8_lossy(&page(command)?))?;
    }
    Ok(())
}

/// The page of a command: what the parser knows, and the sections that its help ends with.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let known = command.clone().after_help(Resettable::Reset);
    let mut page = Vec::new();
    Man::new(known)
        // Nothing at all would not be written, and what follows would be taken for the date.
        .date("\"\"")
        .source(concat!("fourbook ", env!("CARGO_PKG_VERSION")))
        .manual("fourbook")
        .render(&mut page)?;

    let mut end = Roff::new();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    for Section { heading, lines } in sections(&help) {
        end.control("SH", [heading_of_page(heading).as_str()]);
        // As they stand there: examples and tables.
        end.control("nf", []);
        for line in lines {
            end.text([roman(line)]);
        }
        end.control("fi", []);
    }
    if command.get_name() != PROGRAM {
        end.control("SH", ["SEE ALSO"]);
        end.text([bold(PROGRAM), roman("(1)")]);
    }
    end.to_writer(&mut page)?;
    Ok(page)
}

/// A part of what stands at the end of a help text.
struct Section<'a> {
    heading: &'a str,
    lines: Vec<&'a str>,
}

/// The sections of a text. A heading is at the start of a line and ends with a colon; all
/// other lines are indented.
fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match (line.strip_prefix("  "), sections.last_mut()) {
            (Some(line), Some(section)) => section.lines.push(line),
            _ => {
                let heading = line.strip_suffix(':').expect("a heading ends with a colon");
                sections.push(Section { heading, lines: Vec::new() });
            }
        }
    }
    sections
}

/// The heading as it is usual in manual pages.
fn heading_of_page(heading: &str) -> String {
    match heading {
        "Exit codes" => "EXIT STATUS".to_owned(),
        other => other.to_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::program;

    #[test]
    fn every_page_has_examples_and_exit_codes() {
        let program = program();
        let mut names = Vec::new();
        for command in commands(&program) {
            let page = String::from_utf8(page(command).unwrap()).unwrap();
            let headings: Vec<&str> =
                page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
            for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"] {
                assert!(headings.contains(&heading), "{}: {headings:?}", command.get_name());
            }
            assert!(headings.contains(&"\"EXIT STATUS\""), "{headings:?}");
            assert!(!headings.contains(&"EXTRA"), "{headings:?}");
            names.push(command.get_name().to_owned());
        }
        let subcommands: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        assert_eq!(names[0], PROGRAM);
        assert_eq!(names[1..], subcommands);
        assert!(subcommands.contains(&"man") && !subcommands.contains(&"help"));
    }

    #[test]
    fn sections_begin_with_headings() {
        let found = sections("Examples:\n  a  b\n    more\n\nExit codes:\n  0  good\n");
        let found: Vec<_> = found.iter().map(|it| (it.heading, it.lines.join("|"))).collect();
        let expected = [("Examples", "a  b|  more"), ("Exit codes", "0  good")];
        assert_eq!(found, expected.map(|(heading, lines)| (heading, lines.to_owned())));
    }
}
