//! The command line. To add a subcommand takes its module in [`commands`], its variant of
//! [`Command`] and its line in [`Command::run`].
//!
//! Results go to stdout, everything else to stderr.

mod address;
mod args;
mod commands;
mod error;
#[cfg(test)]
mod examples;
mod hint;
mod output;
mod status;
#[cfg(feature = "object-store")]
mod store;
mod suggest;
mod write;

#[cfg(feature = "server")]
use self::commands::serve;
use self::commands::{
    bench, compare, completions, export, generate, import, info, lookup, man, merge, pack, page,
    plan, play, show, stats, verify,
};
use args::{EXIT_CODES, Options};
use clap::{CommandFactory, Parser, Subcommand};
use error::Result;
use output::Paint;
use status::{PlainLines, Status, report};
use std::ffi::OsString;
use std::io;
use tracing::Level;

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
    fn run(&self, options: &Options) -> Result<Status> {
        match self {
            Command::Bench(args) => bench::run(args, options),
            Command::Generate(args) => generate::run(args, options),
            Command::Merge(args) => merge::run(args, options),
            Command::Plan(args) => plan::run(args, options),
            Command::Pack(args) => pack::run(args, options),
            Command::Import(args) => import::run(args, options),
            Command::Export(args) => export::run(args, options),
            Command::Compare(args) => compare::run(args, options),
            Command::Completions(args) => completions::run(args, &mut Cli::command()),
            Command::Lookup(args) => lookup::run(args, options),
            #[cfg(feature = "server")]
            Command::Serve(args) => serve::run(args, options),
            Command::Info(args) => info::run(args, options),
            Command::Man(args) => man::run(args, &program(), options),
            Command::Verify(args) => verify::run(args, options),
            Command::Stats(args) => stats::run(args, options),
            Command::Show(args) => show::run(args, options),
            Command::Page(args) => page::run(args, options),
            Command::Play(args) => play::run(args, options),
        }
    }

    /// Whether it runs until it is stopped; its log then has more than warnings.
    fn is_server(&self) -> bool {
        #[cfg(feature = "server")]
        return matches!(self, Command::Serve(_));
        #[cfg(not(feature = "server"))]
        false
    }
}

/// Runs the command line and returns its exit code. The first argument is the program's name.
///
/// To be called once in a process, which it may end: after `--help`, after wrong arguments and on
/// Ctrl-C.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    // Leaves with 2 if called wrongly, with 0 after --help.
    let cli =
        Cli::try_parse_from(arguments).unwrap_or_else(|error| suggest::with_tip(error).exit());
    init_tracing(&cli);
    match cli.command.run(&cli.options) {
        Ok(Status::Fine) => 0,
        Ok(Status::Failed) => 1,
        // A reader that has seen enough, like `head`: nothing is wrong.
        Err(_) if output::is_closed() => 0,
        Err(error) => {
            report(&error);
            if let Some(hint) = &error.hint {
                status::hint(hint);
            }
            error.exit
        }
    }
}

/// The description of the whole command line, with the options that all subcommands share in
/// each.
fn program() -> clap::Command {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    program
}

fn init_tracing(cli: &Cli) {
    let Options { quiet, verbose, color, .. } = cli.options;
    let level = match (quiet, verbose + u8::from(cli.command.is_server())) {
        (true, _) => Level::ERROR,
        (false, 0) => Level::WARN,
        (false, 1) => Level::INFO,
        (false, _) => Level::DEBUG,
    };
    let subscriber = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(Paint::stderr(color).is_on())
        .with_max_level(level)
        .with_target(false);
    #[cfg(feature = "server")]
    if let Command::Serve(serve::ServeArgs { log_format, .. }) = &cli.command {
        return match log_format {
            serve::LogFormat::Json => subscriber.json().flatten_event(true).init(),
            serve::LogFormat::Text => subscriber.without_time().init(),
        };
    }
    subscriber.event_format(PlainLines).init();
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

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

    fn subcommands() -> Vec<clap::Command> {
        program().get_subcommands().cloned().collect()
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
