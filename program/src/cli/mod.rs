//! The command line. One file a subcommand, each with its arguments and a
//! `run` function; to add one takes its `mod`, its variant of [`Command`] and
//! its line in [`Command::run`].
//!
//! Results go to stdout, everything else to stderr. What a subcommand shares
//! with others is in [`input`] (positions from arguments or stdin), [`book`] (which one to
//! answer from), [`output`] (stdout, and a reader that has gone), [`making`] (a book, and
//! being interrupted), [`progress`], [`hint`] (what to do about an error), [`memory`],
//! [`shard`], [`threads`], [`limits`], [`numbers`], and what is shown to people: [`board`],
//! [`color`], [`draw`] and [`words`].

mod bench;
mod board;
mod book;
mod color;
mod compare;
mod completions;
mod draw;
#[cfg(test)]
mod examples;
mod export;
mod format;
mod game;
mod generate;
mod hint;
mod import;
mod info;
mod input;
mod limits;
mod lookup;
mod making;
mod man;
mod memory;
mod merge;
mod numbers;
mod output;
mod pack;
mod page;
mod place;
mod plan;
mod play;
mod progress;
#[cfg(feature = "server")]
mod serve;
mod shard;
mod show;
mod stats;
#[cfg(feature = "object-store")]
mod store;
mod suggest;
mod threads;
mod verify;
mod words;
mod work;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, ColorChoice, Parser, Subcommand};
use color::Paint;
use fourbook::Size;
use fourbook::board::notation::Notation;
use fourbook::book::Encoding;
use fourbook::generate::{GenerateError, PlanError, PlyError};
use fourbook::tools::pack::PackError;
use std::io;
use std::process::ExitCode;
use tracing::Level;

/// What the exit codes mean, for the end of a help text.
const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  some input was bad, a check failed, or something went wrong
  2  wrong use: an unknown option, a missing argument";

const EXAMPLES: &str = "\
Examples:
  fourbook lookup 4453                 who wins, and how soon
  fourbook show 4453                   the board after moves in columns 4, 4, 5 and 3
  fourbook play                        a game against the computer
  fourbook generate --depth 8          make a book
  fourbook verify --deep 7x6-d8.book   check it
  fourbook serve                       answer over HTTP, with a page to play on
  fourbook show --help                 what a subcommand does, with examples";

/// Perfect-play Connect Four opening books.
#[derive(Debug, Parser)]
#[command(name = "fourbook", version, max_term_width = 100, after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

/// What every subcommand takes.
#[derive(Debug, Args)]
struct Options {
    /// The board size, columns by rows: from 4x4 on, at most 16 columns, and
    /// WIDTH * (HEIGHT + 1) at most 128 [default: 7x6, or that of the book]
    #[arg(long, global = true, value_name = "WIDTHxHEIGHT")]
    size: Option<Size>,

    /// Print no progress and no warnings, only results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,

    /// Say more on stderr about what is done; twice for details
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,

    /// When to use colours; auto is on a terminal, unless the variable NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

impl Options {
    /// The board size asked for, or the usual one.
    fn size(&self) -> Size {
        self.size.unwrap_or_default()
    }

    /// Makes sure that a board size, if one is asked for, is that of the book.
    ///
    /// # Errors
    ///
    /// If the book is for another.
    fn check_book(&self, book: Size) -> Result<(), UsageError> {
        match self.size {
            Some(size) if size != book => {
                Err(UsageError(format!("the book is for {book}, not for {size}; leave --size out")))
            }
            _ => Ok(()),
        }
    }
}

// Only the arguments of the one that is called are made: that is a tenth of a short run.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum Command {
    #[command(about = generate::SUMMARY)]
    Generate(generate::GenerateArgs),
    #[command(about = merge::SUMMARY)]
    Merge(merge::MergeArgs),
    #[command(about = plan::SUMMARY)]
    Plan(plan::PlanArgs),
    #[command(about = pack::SUMMARY)]
    Pack(pack::PackArgs),
    #[command(about = import::SUMMARY)]
    Import(import::ImportArgs),
    #[command(about = export::SUMMARY)]
    Export(export::ExportArgs),
    #[command(about = compare::SUMMARY)]
    Compare(compare::CompareArgs),
    #[command(about = lookup::SUMMARY)]
    Lookup(lookup::LookupArgs),
    #[cfg(feature = "server")]
    #[command(about = serve::SUMMARY)]
    Serve(serve::ServeArgs),
    #[command(about = show::SUMMARY)]
    Show(show::ShowArgs),
    #[command(about = play::SUMMARY)]
    Play(play::PlayArgs),
    #[command(about = info::SUMMARY)]
    Info(info::InfoArgs),
    #[command(about = verify::SUMMARY)]
    Verify(verify::VerifyArgs),
    #[command(about = stats::SUMMARY)]
    Stats(stats::StatsArgs),
    #[command(about = bench::SUMMARY)]
    Bench(bench::BenchArgs),
    #[command(about = page::SUMMARY)]
    Page(page::PageArgs),
    #[command(about = completions::SUMMARY)]
    Completions(completions::CompletionsArgs),
    #[command(about = man::SUMMARY)]
    Man(man::ManArgs),
}

impl Command {
    fn run(&self, options: &Options) -> anyhow::Result<Status> {
        match self {
            Command::Bench(args) => bench::run(args, options),
            Command::Generate(args) => generate::run(args, options),
            Command::Merge(args) => merge::run(args, options),
            Command::Plan(args) => plan::run(args, options),
            Command::Pack(args) => pack::run(args, options),
            Command::Import(args) => import::run(args, options),
            Command::Export(args) => export::run(args, options),
            Command::Compare(args) => compare::run(args, options),
            Command::Completions(args) => completions::run(args),
            Command::Lookup(args) => lookup::run(args, options),
            #[cfg(feature = "server")]
            Command::Serve(args) => serve::run(args, options),
            Command::Info(args) => info::run(args, options),
            Command::Man(args) => man::run(args, options),
            Command::Verify(args) => verify::run(args, options),
            Command::Stats(args) => stats::run(args, options),
            Command::Show(args) => show::run(args, options),
            Command::Page(args) => page::run(args, options),
            Command::Play(args) => play::run(args, options),
        }
    }
}

impl Command {
    /// The form of a server's log, which says more than warnings; `None` for a
    /// command that ends by itself.
    #[cfg(feature = "server")]
    fn log_format(&self) -> Option<LogFormat> {
        match self {
            Command::Serve(args) => Some(args.log_format),
            _ => None,
        }
    }

    /// There is no server in this build.
    #[cfg(not(feature = "server"))]
    fn log_format(&self) -> Option<LogFormat> {
        None
    }
}

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "server", derive(clap::ValueEnum))]
enum LogFormat {
    /// Lines for people
    #[cfg(feature = "server")]
    Text,
    /// A JSON object a line
    #[cfg(feature = "server")]
    Json,
}

/// How a subcommand that ran to its end came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// All is well: exit code 0.
    Fine,
    /// Some input was bad or a check failed, as has been reported: exit code 1.
    Failed,
}

/// The program was called wrongly in a way that the argument parser cannot
/// see: exit code 2. Every other error that a subcommand returns is exit code 1.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct UsageError(String);

/// Runs the program and says how it ends.
pub(crate) fn main() -> ExitCode {
    // Leaves with 2 if called wrongly, with 0 after --help.
    let cli = Cli::try_parse().unwrap_or_else(|error| suggest::with_tip(error).exit());
    init_tracing(&cli);
    match cli.command.run(&cli.options) {
        Ok(Status::Fine) => ExitCode::SUCCESS,
        Ok(Status::Failed) => ExitCode::from(1),
        // A reader that has seen enough, like `head`: nothing is wrong.
        Err(error) if output::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&format!("{error:#}"));
            if let Some(hint) = hint::for_error(&error) {
                say(&format!("hint: {hint}"));
            }
            ExitCode::from(if is_wrong_use(&error) { 2 } else { 1 })
        }
    }
}

/// Whether only other arguments would help, on any machine.
fn is_wrong_use(error: &anyhow::Error) -> bool {
    let is_impossible = |plan: &PlanError| {
        use PlanError::{Depth, NoFileName, Ply};
        matches!(plan, Depth { .. } | NoFileName(_) | Ply(PlyError::Numbering { .. }))
    };
    error.chain().any(|cause| {
        cause.is::<UsageError>()
            || cause.downcast_ref().is_some_and(is_impossible)
            || matches!(cause.downcast_ref(), Some(GenerateError::Plan(plan)) if is_impossible(plan))
            || matches!(cause.downcast_ref(), Some(PackError::TooDeep { .. }))
    })
}

/// Prints an error in the form all errors have.
fn report(error: &str) {
    say(&format!("error: {error}"));
}

/// Prints a line on stderr.
fn say(text: &str) {
    // Not `eprintln`, which panics if stderr is closed: then nobody is left to tell.
    let _ = io::Write::write_fmt(&mut io::stderr(), format_args!("fourbook: {text}\n"));
}

fn init_tracing(cli: &Cli) {
    let serving = cli.command.log_format().is_some();
    let level = match (cli.options.quiet, cli.options.verbose + u8::from(serving)) {
        (true, _) => Level::ERROR,
        (false, 0) => Level::WARN,
        (false, 1) => Level::INFO,
        (false, _) => Level::DEBUG,
    };
    let subscriber = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(Paint::stderr(cli.options.color).is_on())
        .with_max_level(level)
        .with_target(false);
    match cli.command.log_format() {
        #[cfg(feature = "server")]
        Some(LogFormat::Json) => subscriber.json().flatten_event(true).init(),
        _ => subscriber.without_time().init(),
    }
}

/// The argument parser for the name of a notation; lists them in the help.
fn notation_parser() -> impl TypedValueParser<Value = Notation> {
    PossibleValuesParser::new(Notation::ALL.map(Notation::name))
        .try_map(|name| name.parse::<Notation>())
}

/// The argument parser for the name of an encoding; lists them in the help.
fn encoding_parser() -> impl TypedValueParser<Value = Encoding> {
    PossibleValuesParser::new(Encoding::ALL.map(Encoding::name)).map(|name| {
        let named = |encoding: &Encoding| encoding.name() == name;
        Encoding::ALL.into_iter().find(named).expect("the parser lets only names through")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, CommandFactory};

    /// Texts of the standard library's and the argument parser's own ways to read values,
    /// which say nothing of what the program expects.
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

    /// The subcommands, but for that of the parser, which explains the others.
    fn subcommands() -> Vec<clap::Command> {
        let mut program = Cli::command().disable_help_subcommand(true);
        program.build();
        program.get_subcommands().cloned().collect()
    }

    #[test]
    fn the_examples_of_every_help_are_understood() {
        let mut helps = vec![format!("{EXAMPLES}\n\n{EXIT_CODES}")];
        helps.extend(subcommands().into_iter().map(|mut it| it.render_long_help().to_string()));
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
                match Cli::try_parse_from(program.iter().chain(&arguments)) {
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
            let takes_value = |it: &&Arg| it.get_action().takes_values() && !it.is_positional();
            for option in subcommand.get_arguments().filter(takes_value) {
                let option = format!("--{}", option.get_long().expect("options have long names"));
                for value in
                    ["x", "", "-1", "+1", "1.5x", "0x10", "1 2", "99999999999999999999", "é"]
                {
                    let arguments =
                        ["fourbook", subcommand.get_name(), &format!("{option}={value}")];
                    let Err(error) = Cli::try_parse_from(arguments) else { continue };
                    let text = suggest::with_tip(error).to_string();
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
}
