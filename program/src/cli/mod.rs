//! The command line. A subcommand has its module in [`commands`], its variant of [`Command`] and its
//! line in [`Command::run`].
//!
//! Results go to stdout, everything else to stderr.

mod args;
mod commands;
mod error;
#[cfg(test)]
#[path = "../../tests/cli/examples.rs"]
mod examples;
mod hint;
mod output;
mod signals;
mod status;
mod stderr;
mod waiting;
mod write;

use args::{EXIT_CODES, Options};
use clap::{
    Arg, Args, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, value_parser,
};
use commands::*;
use error::{Error, Result};
use fourbook::Size;
use status::{PLAIN_LINES, report};
use std::backtrace::Backtrace;
use std::ffi::OsString;
use std::io::{self, Write};
use std::panic;
use stderr::{FlushAtEnd, Stderr};
use tracing_subscriber::filter::LevelFilter;
#[cfg(feature = "server")]
use tracing_subscriber::prelude::*;

const EXAMPLES: &str = "\
Examples:
  fourbook lookup 4453                 who wins, and how soon
  fourbook show 4453                   the board after moves in columns 4, 4, 5 and 3
  fourbook play                        a game against the computer
  fourbook generate --depth 8          make a book
  fourbook verify --deep 7x6-d8.book   check it
  fourbook serve                       answer over HTTP, with a page to play on
  fourbook show --help                 what a subcommand does, with examples";

/// The beginning of a help text, before [`EXIT_CODES`], in clap's default form.
const HELP: &str = "\
{before-help}{about-with-newline}
{usage-heading} {usage}

{all-args}{after-help}";

/// What `--version` prints: the version, the commit if the program was built from one, and its
/// features.
fn long_version() -> &'static str {
    let features = if cfg!(feature = "server") { "server" } else { "" };
    let commit = match env!("FOURBOOK_COMMIT") {
        "" => String::new(),
        commit => format!("\ncommit    {commit}"),
    };
    let text = format!("{}{commit}\nfeatures  {features}", env!("CARGO_PKG_VERSION"));
    // The parser takes static texts only, and this is called once.
    text.leak()
}

/// Perfect-play Connect Four opening books.
#[derive(Debug, Parser)]
#[command(name = "fourbook", version, long_version = long_version(), max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

// Only the arguments of the called subcommand are made, which saves a tenth of a short run.
// Flattened arguments have no doc comments, which would replace the summaries here.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum Command {
    /// Make a book: the perfect-play scores of all positions down to a ply
    Generate(generate::GenerateArgs),
    /// Make a strategy: one side's perfect moves down to a ply, in kilobytes
    Strategy(strategy::StrategyArgs),
    /// Make a book from the parts that 'fourbook generate --shard' has written
    Merge(merge::MergeArgs),
    /// Estimate how much work, memory and disk space a book takes
    Plan(plan::PlanArgs),
    /// Make a book from another one: shallower, smaller, or with less in it
    Pack(pack::PackArgs),
    /// Make a book from another program's, or from comma-separated values
    Import(import::ImportArgs),
    /// Write a book in another program's format, or as comma-separated values, or a strategy as a bot
    Export(export::ExportArgs),
    /// Compare two books: list the positions for which they have different values
    Compare(compare::CompareArgs),
    /// Print the outcome and score of each position
    Lookup(lookup::LookupArgs),
    #[cfg(feature = "server")]
    /// Answer lookups over HTTP, with a page to play on
    Serve(serve::ServeArgs),
    #[cfg(feature = "server")]
    /// Check that a server answers
    Health(health::HealthArgs),
    /// Print positions: the board, whose move it is, threats, and every notation
    Show(show::ShowArgs),
    /// Play against the computer, in the terminal
    Play(play::PlayArgs),
    /// Print what a book contains: its board, its depth, how it was made; or what a strategy contains
    Info(info::InfoArgs),
    /// Check a book: every byte, and with --deep every entry and every value
    Verify(verify::VerifyArgs),
    /// Count how the positions of every ply end: who wins, from the first player's view
    Stats(stats::StatsArgs),
    /// Solve a fixed set of positions and print how fast that went
    Bench(bench::BenchArgs),
    /// Write the page to play on as files
    Page(page::PageArgs),
    /// Print a script with which a shell completes subcommands, options and their values
    Completions(completions::CompletionsArgs),
    /// Write the manual pages into a folder
    Man(man::ManArgs),
}

impl Command {
    fn run(&self, options: &Options) -> Result {
        if options.size.is_some() && self.is_for_all_boards() {
            let text = "this subcommand is not about one board; leave --size out";
            return Err(Error::usage(text));
        }
        match self {
            Command::Bench(args) => bench::run(args, options),
            Command::Generate(args) => generate::run(args, options),
            Command::Strategy(args) => strategy::run(args, options),
            Command::Merge(args) => merge::run(args, options),
            Command::Plan(args) => plan::run(args, options),
            Command::Pack(args) => pack::run(args, options),
            Command::Import(args) => import::run(args, options),
            Command::Export(args) => export::run(args, options),
            Command::Compare(args) => compare::run(args, options),
            Command::Completions(args) => completions::run(args, command()),
            Command::Lookup(args) => lookup::run(args, options),
            #[cfg(feature = "server")]
            Command::Serve(args) => serve::run(args, options),
            #[cfg(feature = "server")]
            Command::Health(args) => health::run(args),
            Command::Info(args) => info::run(args, options),
            Command::Man(args) => man::run(args, command()),
            Command::Verify(args) => verify::run(args, options),
            Command::Stats(args) => stats::run(args, options),
            Command::Show(args) => show::run(args, options),
            Command::Page(args) => page::run(args, options),
            Command::Play(args) => play::run(args, options),
        }
    }

    /// Whether `--size` means nothing to it.
    fn is_for_all_boards(&self) -> bool {
        match self {
            #[cfg(feature = "server")]
            Command::Health(_) => true,
            Command::Completions(_) | Command::Man(_) | Command::Page(_) => true,
            _ => false,
        }
    }
}

/// Runs the command line and returns its exit code. The first argument is the program's name.
///
/// To be called once in a process, which it may end: after `--help`, after wrong arguments and on
/// Ctrl-C.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let _flush = FlushAtEnd;
    let cli = match parse(arguments.into_iter()) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            let text = error.render().ansi().to_string();
            status::print(output::shown(text, ColorChoice::Auto, &io::stderr()));
            return error::WRONG_USE;
        }
        Err(help) => return end(print_help(&help)),
    };
    init_tracing(&cli);
    // The standard library would wait for the reader of stderr.
    panic::set_hook(Box::new(|panic| {
        tracing::error!("{panic}\n{}", Backtrace::capture());
    }));
    #[cfg(unix)]
    {
        signals::survive_file_limits();
        signals::end_on_request();
    }
    end(cli.command.run(&cli.options))
}

/// Prints a help text, or the version.
fn print_help(help: &clap::Error) -> Result {
    let text = output::for_stdout(help.render().ansi().to_string(), ColorChoice::Auto);
    Ok(output::stdout().write_all(text.as_bytes())?)
}

/// Reports an error, and returns the exit code.
fn end(result: Result) -> u8 {
    // The end of a text without a line break may still be in memory.
    match result.and_then(|()| Ok(output::stdout().flush()?)) {
        Ok(()) => 0,
        Err(error) if error.is_reported() => error.exit,
        Err(error) => {
            report(&error);
            if let Some(hint) = &error.hint {
                status::hint(hint);
            }
            error.exit
        }
    }
}

/// The description of the command line.
fn command() -> clap::Command {
    let help = [HELP, EXIT_CODES].join("\n\n");
    let hidden_size = Arg::new("size").long("size").hide(true).value_parser(value_parser!(Size));
    // A negative number is a wrong value, not an unknown option.
    Cli::command()
        .mut_subcommands(|it: clap::Command| {
            let it = it.allow_negative_numbers(true).help_template(help.clone());
            match it.get_name() {
                "completions" | "health" | "man" | "page" => it.arg(&hidden_size),
                _ => it,
            }
        })
        .help_template(help)
}

/// Reads the command line.
fn parse(arguments: impl Iterator<Item = impl Into<OsString>>) -> Result<Cli, clap::Error> {
    let mut arguments: Vec<OsString> = arguments.map(Into::into).collect();
    // The parser suggests a subcommand for this form only.
    if let [_, help, name] = &mut arguments[..]
        && *help == "help"
        && *name != "help"
        && !name.as_encoded_bytes().starts_with(b"-")
    {
        *help = std::mem::replace(name, "--help".into());
    }
    let mut command = command();
    // The parser copies the options into all subcommands that it has, so it only has the first word.
    if let Some(named) = arguments.get(1).and_then(|name| command.find_subcommand(name)) {
        let program = clap::Command::new("fourbook").max_term_width(100);
        command = Options::augment_args(program).subcommand(named.clone());
    }
    let matches = command.try_get_matches_from(arguments);
    matches.and_then(|it| Cli::from_arg_matches(&it))
}

fn init_tracing(cli: &Cli) {
    let Options { quiet, verbose, color, .. } = cli.options;
    let subscriber = tracing_subscriber::fmt()
        .with_writer(|| Stderr)
        .with_ansi(output::has_colors(color, &io::stderr()))
        .with_target(false);
    #[cfg(feature = "server")]
    if let Command::Serve(args) = &cli.command {
        let subscriber = subscriber.with_max_level(LevelFilter::TRACE);
        let levels = args.levels(quiet, verbose);
        return match args.log_format {
            serve::LogFormat::Json => {
                subscriber.json().flatten_event(true).finish().with(levels).init();
            }
            serve::LogFormat::Text => subscriber.finish().with(levels).init(),
        };
    }
    let level = match (quiet, verbose) {
        (true, _) => LevelFilter::ERROR,
        (_, true) => LevelFilter::INFO,
        _ => LevelFilter::WARN,
    };
    subscriber.with_max_level(level).event_format(PLAIN_LINES).init();
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, ValueHint};

    /// Texts of the standard library's and the argument parser's own value parsers, which do
    /// not name the expected value.
    const OTHERS_TEXTS: [&str; 12] = [
        "invalid digit",
        "number too",
        "cannot parse",
        "parse error",
        "invalid float",
        "is not in",
        "invalid socket",
        "invalid port",
        "provided string",
        "failed to",
        "os error",
        "out of range",
    ];

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    /// The description without 'help', with the shared options in each subcommand.
    fn program() -> clap::Command {
        let mut program = command().disable_help_subcommand(true);
        program.build();
        program
    }

    fn subcommands() -> Vec<clap::Command> {
        program().get_subcommands().cloned().collect()
    }

    /// A doc comment of flattened arguments would take the place of a subcommand's.
    #[test]
    fn every_subcommand_has_its_own_summary() {
        let listed = command();
        for subcommand in subcommands() {
            let listed = listed.find_subcommand(subcommand.get_name()).expect("it is listed");
            let summary = |it: &clap::Command| it.get_about().map(ToString::to_string);
            assert!(summary(listed).is_some());
            assert_eq!(summary(&subcommand), summary(listed));
        }
    }

    #[test]
    fn the_examples_of_every_help_are_understood() {
        let all = std::iter::once(program()).chain(subcommands());
        let helps: Vec<_> = all.map(|mut it| it.render_long_help().to_string()).collect();
        for help in helps {
            assert!(
                help.ends_with(EXIT_CODES) || help.ends_with(&format!("{EXIT_CODES}\n")),
                "{help}"
            );
            let examples: Vec<_> =
                examples::examples(&help).into_iter().filter_map(|it| it.arguments).collect();
            assert!(!examples.is_empty(), "{help}");
            for arguments in examples {
                let program = ["fourbook".to_owned()];
                match parse(program.iter().chain(&arguments)) {
                    Err(error) if error.kind() != clap::error::ErrorKind::DisplayHelp => {
                        panic!("{arguments:?}: {error}")
                    }
                    _ => {}
                }
            }
        }
    }

    /// All options with values, be they numbers, sizes, addresses or names.
    #[test]
    fn a_value_that_is_refused_is_answered_with_what_was_expected() {
        let mut refused = 0;
        for subcommand in subcommands() {
            for option in subcommand
                .get_arguments()
                .filter(|it| it.get_action().takes_values() && !it.is_positional())
            {
                let option = format!("--{}", option.get_long().expect("options have long names"));
                for value in
                    ["x", "", "-1", "+1", "1.5x", "0x10", "1 2", "99999999999999999999", "é"]
                {
                    let arguments = ["fourbook", subcommand.get_name(), &option, value];
                    let Err(error) = parse(arguments.into_iter()) else { continue };
                    let text = error.to_string();
                    if !text.contains("invalid value") {
                        // Something else is missing.
                        continue;
                    }
                    refused += 1;
                    assert!(
                        text.contains("expected") || text.contains("possible values"),
                        "{text}"
                    );
                    assert!(text.contains(&option), "{text}");
                    let other = OTHERS_TEXTS.iter().find(|other| text.contains(**other));
                    assert_eq!(other, None, "{text}");
                }
            }
        }
        assert!(refused > 200, "{refused}");
    }

    /// A file named '-' is made or read by no command.
    #[test]
    fn a_dash_is_a_stream_for_every_path_or_refused() {
        let mut streams = Vec::new();
        for subcommand in subcommands() {
            for argument in subcommand.get_arguments() {
                if argument.get_value_hint() != ValueHint::AnyPath {
                    continue;
                }
                let parser = argument.get_value_parser().clone();
                let program = clap::Command::new("test").arg(Arg::new("path").value_parser(parser));
                let name = format!("{} {}", subcommand.get_name(), argument.get_id());
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                match program.try_get_matches_from(["test", "-"]) {
                    Ok(_) => {
                        assert!(help.contains("'-' is standard "), "{name}: {help}");
                        streams.push(name);
                    }
                    Err(error) => assert!(error.to_string().contains("'./-'"), "{name}: {error}"),
                }
            }
        }
        let expected = [
            "pack book",
            "import file",
            "export files",
            "export out",
            "compare book",
            "compare other",
            "info book",
            "verify books",
            "stats book",
        ];
        assert_eq!(streams, expected);
    }
}
