//! `fourbook man`: manual pages.

use crate::cli::args::{EXIT_CODES, Options, named_path};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output;
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use fourbook::text::{count, shortened};
use std::io::{self, Write};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  fourbook man lookup | man -l -                read the page of a subcommand
  fourbook man --out ~/.local/share/man/man1    for 'man fourbook' and 'man fourbook-lookup'";

/// The program, in the names of pages.
const PROGRAM: &str = "fourbook";

/// Print a manual page, or write all of them into a folder
///
/// Each subcommand has a page, and the program has one that lists them. They have the text of
/// --help, as manual pages. Pages that exist in the folder are replaced.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// Print the page of this subcommand [default: that of the program]
    #[arg(value_name = "SUBCOMMAND", conflicts_with = "out")]
    subcommand: Option<String>,

    /// Write all pages into this folder, which is made if it does not exist
    #[arg(short, long, value_name = "FOLDER", value_parser = named_path())]
    out: Option<PathBuf>,
}

/// Prints or writes manual pages of the program that clap describes in `program`.
pub(crate) fn run(args: &ManArgs, program: &Command, options: &Options) -> Result {
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder '{}'", folder.display()))?;
        for command in commands(program) {
            let path = folder.join(Man::new(command.clone()).get_filename());
            output::write_results(&path, &page(command)?)?;
        }
        let pages = count(commands(program).count(), "page");
        options.note(format_args!("{}: {pages}", folder.display()));
        return Ok(());
    }
    let command = match &args.subcommand {
        None => program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| unknown(program, name))?,
    };
    output::stdout().write_all(&page(command)?)?;
    Ok(())
}

/// All commands that have a page.
fn commands(program: &Command) -> impl Iterator<Item = &Command> {
    std::iter::once(program).chain(program.get_subcommands())
}

fn unknown(program: &Command, name: &str) -> Error {
    let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
    Error::usage(format!(
        "expected the name of a subcommand, found '{}'; there are {}",
        shortened(name),
        names.join(", ")
    ))
}

/// The page of a command: its arguments, the sections at the end of its help, variables and
/// files.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut command = command.clone();
    let usage = command.render_usage().to_string();
    let man = Man::new(command.clone())
        // An empty text would be left out, and the next one read as the date.
        .date("\"\"")
        .source(concat!("fourbook ", env!("CARGO_PKG_VERSION")))
        .manual("fourbook");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    // The renderer of `Man` leaves out the names of values.
    let mut synopsis = Roff::new();
    synopsis.control("SH", ["SYNOPSIS"]);
    synopsis.text([roman(usage.trim_start_matches("Usage: "))]);
    synopsis.to_writer(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }

    let mut end = Roff::new();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    print_sections(&mut end, &[help.as_str(), EXIT_CODES].join("\n"));
    list(&mut end, "ENVIRONMENT", command.get_name());
    list(&mut end, "FILES", command.get_name());
    if command.get_name() != PROGRAM {
        end.control("SH", ["SEE ALSO"]);
        end.text([bold(PROGRAM), roman("(1)")]);
    }
    end.to_writer(&mut page)?;
    Ok(page)
}

/// Variables and files, one a line: the section, the name, the subcommands that use it (none for all
/// of them), and what for.
const ITEMS: &str = include_str!("man.txt");

/// Writes a section with the items of a command, if it has any. The program's page has all items.
fn list(page: &mut Roff, section: &str, command: &str) {
    let rows = ITEMS.lines().map(|row| row.splitn(4, '|').map(str::trim).collect::<Vec<_>>());
    let is_for = |commands: &str| commands.split(' ').any(|it| ["", command].contains(&it));
    let rows = rows.filter(|row| row[0] == section && (command == PROGRAM || is_for(row[2])));
    for (number, row) in rows.enumerate() {
        if number == 0 {
            page.control("SH", [section]);
        }
        page.control("TP", []);
        page.text([bold(row[1])]);
        page.text([roman(row[3])]);
    }
}

/// Prints the sections of a text. A heading is at the start of a line and ends with a colon; all
/// other lines are indented. Examples and tables are printed as they are.
fn print_sections(page: &mut Roff, text: &str) {
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match (line.strip_prefix("  "), line.strip_suffix(':')) {
            (Some(line), _) => page.text([roman(line)]),
            (None, Some("Exit codes")) => heading(page, "EXIT STATUS"),
            (None, Some(other)) => heading(page, &other.to_uppercase()),
            (None, None) => unreachable!("a heading ends with a colon"),
        };
    }
    page.control("fi", []);
}

/// Prints a heading; the lines after it are not filled.
fn heading<'a>(page: &'a mut Roff, text: &str) -> &'a mut Roff {
    page.control("fi", []).control("SH", [text]).control("nf", [])
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
        let mut page = Roff::new();
        print_sections(&mut page, "Examples:\n  a  b\n    more\n\nExit codes:\n  0  good\n");
        let text = page.to_roff();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(".fi")).collect();
        let expected = [".SH EXAMPLES", ".nf", "a  b", "  more"];
        assert_eq!(lines[..4], expected, "{text}");
        assert_eq!(lines[4..], [".SH \"EXIT STATUS\"", ".nf", "0  good"], "{text}");
    }
}
