//! Fits the model of compact books of 7x6, and the weights of the solver's move ordering.
//!
//! ```text
//! cargo run --release -p fourbook-training -- --help
//! ```

mod fit;
mod model;
mod network;
mod tune;

use clap::{Args, Parser, Subcommand};
use fourbook::Size;
use std::error::Error;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use tune::Plan;

/// Fits the model of compact books, and tunes the solver's move ordering.
///
/// Move orderings are compared by the nodes that the solver visits for random positions. The
/// same seed always gives the same positions, and every run the same nodes. In the file of an
/// ordering each weight has a line such as `early.threat = 256`.
#[derive(Debug, Parser)]
#[command(name = "fourbook-training", after_help = EXAMPLES, max_term_width = 90)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  fourbook-training fit 7x6-d16.book model.bin
  fourbook-training measure 7x6-d12.book model.bin
  fourbook-training count                              nodes with the built-in ordering
  fourbook-training count --order new.order --seed 3   by how much another changes them
  fourbook-training count --size 8x8 --sets 36x100,40x100
  fourbook-training climb --out new.order --evaluations 200
  fourbook-training climb --order new.order --out new.order
  fourbook-training without --sets 12x1000,16x2000     which weights are useless";

#[derive(Debug, PartialEq, Subcommand)]
enum Command {
    /// Fit the model of compact books of 7x6 to the scores in a book.
    Fit {
        book: PathBuf,
        /// File to write the model to.
        model: PathBuf,
        /// Steps, of 8,192 positions each.
        #[arg(default_value_t = 24_000)]
        steps: usize,
    },
    /// Print how many bits a score of a book takes with a model.
    Measure { book: PathBuf, model: PathBuf },
    /// Print the nodes that each set takes, and the change from the built-in ordering.
    Count {
        #[command(flatten)]
        sets: Sets,
        /// Seed of the positions.
        #[arg(long, default_value_t = 2)]
        seed: u64,
    },
    /// Find better weights by hill climbing.
    ///
    /// Changes one weight after the other, in one stage of the game or in both, and keeps what
    /// lowers the mean logarithm of the nodes. Counts at the end on positions that nothing was
    /// tuned on.
    Climb(Climb),
    /// Print the change of the nodes when each weight is 0.
    Without {
        #[command(flatten)]
        sets: Sets,
        /// Seed of the positions.
        #[arg(long, default_value_t = 2)]
        seed: u64,
    },
    /// Print the ordering, in the form of a file.
    Show {
        /// File of the ordering [default: the built-in one].
        #[arg(long, value_name = "FILE")]
        order: Option<PathBuf>,
    },
}

/// The sets of positions on which orderings are compared.
#[derive(Args, Debug, PartialEq)]
struct Sets {
    /// File of the ordering to count or to start from [default: the built-in one].
    #[arg(long, value_name = "FILE")]
    order: Option<PathBuf>,
    /// Board size.
    #[arg(long, value_name = "WxH", default_value_t)]
    size: Size,
    /// Sets of positions, PLYxCOUNT or PLYxCOUNT:WEIGHT; the weight of a set is that of its nodes
    /// in the mean [default on 7x6: 8x60,10x80,12x1000,14x1000,16x2000,20x2000].
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    sets: Vec<Plan>,
    /// Sets to solve at the same time [default: the number of processors].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

#[derive(Args, Debug, PartialEq)]
struct Climb {
    #[command(flatten)]
    sets: Sets,
    /// File to write the best ordering to; an existing one must be that of --order.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Seed of the positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Sets to count at the end [default: the sets of --sets].
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    check_sets: Vec<Plan>,
    /// Seed of their positions.
    #[arg(long, default_value_t = 2)]
    check_seed: u64,
    /// Maximum number of changes to try [default: until none is of use].
    #[arg(long, value_name = "N")]
    evaluations: Option<u64>,
    /// Percent by which a change has to lower the mean to be kept.
    #[arg(long, value_name = "PERCENT", default_value = "0.1", value_parser = percent)]
    threshold: f64,
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|percent| (0.0..100.0).contains(percent));
    number.ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

fn main() -> ExitCode {
    match run(&Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", fourbook::with_causes(&*error));
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> Result<(), Box<dyn Error>> {
    match command {
        Command::Fit { book, model, steps } => fit::run(book, model, *steps),
        Command::Measure { book, model } => fit::measure(book, model),
        Command::Count { sets, seed } => tune::count(sets, *seed),
        Command::Climb(climb) => tune::climb(climb),
        Command::Without { sets, seed } => tune::without(sets, *seed),
        Command::Show { order } => tune::show(order.as_deref()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Result<Command, clap::Error> {
        Cli::try_parse_from(line.split_whitespace()).map(|cli| cli.command)
    }

    #[test]
    fn examples_of_the_help_parse() {
        Cli::command().debug_assert();
        let lines = EXAMPLES.lines().skip(1);
        let commands: Vec<&str> =
            lines.map(|line| line.trim().split("   ").next().unwrap()).collect();
        assert!(commands.len() >= 5);
        for command in commands {
            parse(command).unwrap_or_else(|error| panic!("{command}: {error}"));
        }
    }

    #[test]
    fn options_are_parsed_and_wrong_ones_rejected() {
        let line = "x climb --out b --evaluations 7 --threshold 0.5 --sets 8x1,9x2:3 --size 8x7";
        let Ok(Command::Climb(climb)) = parse(line) else { panic!("expected a climb") };
        let plans = ["8x1", "9x2:3"].map(|plan| plan.parse().unwrap());
        assert_eq!((climb.sets.sets, climb.check_sets), (plans.to_vec(), vec![]));
        assert_eq!((climb.evaluations, climb.threshold), (Some(7), 0.5));
        assert_eq!((climb.seed, climb.check_seed), (1, 2));
        assert_eq!(climb.sets.size.to_string(), "8x7");
        for line in [
            "x",
            "x count --size 3x3",
            "x count --sets 8x",
            "x count --threads 0",
            "x climb",
            "x climb --out a --threshold -1",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
