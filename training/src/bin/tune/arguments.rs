//! The arguments of the program.

use crate::sets::Plan;
use fourbook::Size;
use std::path::PathBuf;

/// What the program says of itself.
pub(crate) const HELP: &str = "\
Tunes the order in which the solver searches moves

Positions are drawn at random, always the same ones from the same seed, and solved; the
nodes that this takes are the same in every run. In an order's file each weight has a
line such as 'early.threat = 256'.

Usage: tune COMMAND [OPTIONS]

Commands:
  count    Print the nodes that each set takes, and by how much they are more or fewer
           than with the built-in order
  climb    Change one weight after the other, in one stage of the game or in both, and
           keep what lowers the mean logarithm of the nodes; at the end count on
           positions that nothing was tuned on
  without  Print what each weight is good for: the change of the nodes if it is 0
  show     Print the order, in the form of a file

Options:
  --order FILE      The order to count or to start from [default: the built-in one]
  --out FILE        For climb: where to write the best order so far; if it is there
                    already, the climb has to start from it (--order)
  --size WxH        The board [default: 7x6]
  --sets LIST       Sets of positions, each PLYxCOUNT or PLYxCOUNT:WEIGHT, with commas
                    between them; a weight says how much the set's nodes count
                    [default on 7x6: 8x60,10x80,12x1000,14x1000,16x2000,20x2000]
  --seed N          The seed of the positions [default: 1 for climb, else 2]
  --check-sets LIST For climb: the sets that are counted at the end [default: --sets]
  --check-seed N    For climb: the seed of their positions [default: 2]
  --threads N       Sets that are solved at the same time [default: one a processor]
  --evaluations N   For climb: changes to try at most [default: until none is of use]
  --threshold N     For climb: percent by which a change has to lower the mean to be kept
                    [default: 0.1]
  -h, --help        Print this

Examples:
  tune count                                       nodes with the built-in order
  tune count --order new.order --seed 3            by how much another order changes them
  tune count --size 8x8 --sets 36x100,40x100       on another board
  tune climb --out new.order --evaluations 200     find a better one
  tune climb --order new.order --out new.order     go on from there
  tune without --sets 12x1000,16x2000              which weights are useless

Exit codes:
  0  all is well
  1  some input was bad, or something went wrong
  2  wrong use: an unknown option, a missing argument";

/// The sets of 7x6 if none are said.
const STANDARD_SETS: &str = "8x60,10x80,12x1000,14x1000,16x2000,20x2000";

/// What to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    /// Print the help text.
    Help,
    /// Print nodes.
    Count,
    /// Climb and write the best order to a file.
    Climb {
        /// The file.
        out: PathBuf,
        /// Sets that nothing is tuned on.
        check: Vec<Plan>,
        /// The seed of their positions.
        check_seed: u64,
        /// Changes to try at most.
        most_evaluations: u64,
        /// The gain from which a change is kept, as a share.
        threshold: f64,
    },
    /// Print what each weight is good for.
    Without,
    /// Print the order.
    Show,
}

/// What to do and with what.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arguments {
    pub(crate) command: Command,
    /// The order's file; the built-in order if there is none.
    pub(crate) order: Option<PathBuf>,
    pub(crate) size: Size,
    pub(crate) sets: Vec<Plan>,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
}

/// The options and their values, as texts, until they are taken.
struct Options(Vec<(String, String)>);

impl Options {
    /// The options in the arguments after the command.
    fn of(arguments: &[String]) -> Result<Self, String> {
        let mut options: Vec<(String, String)> = Vec::new();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            if !argument.starts_with("--") {
                return Err(format!("expected an option, found '{argument}'"));
            }
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) => (name, value),
                None => match arguments.next() {
                    Some(value) => (argument.as_str(), value.as_str()),
                    None => return Err(format!("expected a value after '{argument}'")),
                },
            };
            if options.iter().any(|(other, _)| other == name) {
                return Err(format!("expected {name} once, found it twice"));
            }
            options.push((name.to_owned(), value.to_owned()));
        }
        Ok(Options(options))
    }

    /// The value of an option, if it is there.
    fn take(&mut self, name: &str) -> Option<String> {
        let place = self.0.iter().position(|(other, _)| other == name)?;
        Some(self.0.remove(place).1)
    }

    /// The same, as something else than a text.
    fn parsed<T>(
        &mut self,
        name: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let Some(text) = self.take(name) else { return Ok(None) };
        let problem = || format!("{name}: expected {expected}, found '{text}'");
        parse(&text).ok_or_else(problem).map(Some)
    }

    fn number(&mut self, name: &str) -> Result<Option<u64>, String> {
        self.parsed(name, "a whole number", |text| text.parse().ok())
    }

    fn sets(&mut self, name: &str) -> Result<Option<Vec<Plan>>, String> {
        self.take(name).map(|text| plans(&text)).transpose()
    }

    /// All that only `climb` has.
    fn climb(&mut self, sets: &[Plan]) -> Result<Command, String> {
        let is_share = |percent: &f64| (0.0..100.0).contains(percent);
        let percent = self.parsed("--threshold", "a number from 0 to 100", |text| {
            text.parse().ok().filter(is_share)
        })?;
        Ok(Command::Climb {
            out: self.take("--out").ok_or("climb: expected --out FILE, found none")?.into(),
            check: self.sets("--check-sets")?.unwrap_or_else(|| sets.to_vec()),
            check_seed: self.number("--check-seed")?.unwrap_or(2),
            most_evaluations: self.number("--evaluations")?.unwrap_or(u64::MAX),
            threshold: percent.unwrap_or(0.1) / 100.0,
        })
    }
}

fn plans(text: &str) -> Result<Vec<Plan>, String> {
    text.split(',').map(str::parse).collect()
}

impl Arguments {
    /// What the arguments after the program's name say.
    ///
    /// # Errors
    ///
    /// If they make no sense.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let is_help = |argument: &String| ["--help", "-h", "help"].contains(&argument.as_str());
        if arguments.iter().any(is_help) {
            let none = Options(Vec::new());
            return Self::of("help", none);
        }
        let Some((command, rest)) = arguments.split_first() else {
            return Err("expected a command, found none".to_owned());
        };
        Self::of(command, Options::of(rest)?)
    }

    fn of(command: &str, mut options: Options) -> Result<Self, String> {
        let expected = "the size of a board, such as 8x8";
        let size = options.parsed("--size", expected, |text| text.parse().ok())?;
        let size = size.unwrap_or_default();
        let sets = match (options.sets("--sets")?, size) {
            (Some(sets), _) => sets,
            (None, Size::STANDARD) => plans(STANDARD_SETS)?,
            (None, _) => return Err(format!("expected --sets for {size}, found none")),
        };
        let order = options.take("--order").map(PathBuf::from);
        let seed = options.number("--seed")?;
        let is_some = |threads: &usize| *threads > 0;
        let threads = options
            .parsed("--threads", "a number from 1", |text| text.parse().ok().filter(is_some))?;
        let command = match command {
            "help" => Command::Help,
            "count" => Command::Count,
            "climb" => options.climb(&sets)?,
            "without" => Command::Without,
            "show" => Command::Show,
            _ => {
                let expected = "count, climb, without or show";
                return Err(format!("expected {expected}, found '{command}'"));
            }
        };
        if let Some((name, _)) = options.0.first() {
            return Err(format!("expected an option that the command has, found '{name}'"));
        }
        let is_climb = matches!(command, Command::Climb { .. });
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or_else(processors);
        let seed = seed.unwrap_or(if is_climb { 1 } else { 2 });
        Ok(Arguments { command, order, size, sets, seed, threads })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Arguments::parse(&arguments)
    }

    #[test]
    fn every_example_of_the_help_is_understood() {
        let (_, examples) = HELP.split_once("Examples:\n").unwrap();
        let lines = examples.lines().take_while(|line| !line.is_empty());
        let commands = lines.map(|line| line.trim().split("   ").next().unwrap());
        let commands: Vec<&str> = commands.map(|it| it.strip_prefix("tune ").unwrap()).collect();
        assert!(commands.len() >= 5);
        for command in commands {
            parse(command).unwrap_or_else(|error| panic!("{command}: {error}"));
        }
        for line in ["--help", "-h", "help", "climb --help", "count --no -h"] {
            assert_eq!(parse(line).unwrap().command, Command::Help, "{line}");
        }
        assert!(HELP.contains(STANDARD_SETS) && HELP.lines().all(|line| line.len() <= 90));
    }

    #[test]
    fn options_say_what_they_say() {
        let line = "count --size=8x7 --sets 30x5,32x6:2 --seed 9 --threads 3 --order a.order";
        let arguments = parse(line).unwrap();
        assert_eq!(arguments.command, Command::Count);
        assert_eq!((arguments.size.to_string().as_str(), arguments.seed), ("8x7", 9));
        assert_eq!(arguments.sets, plans("30x5,32x6:2").unwrap());
        assert_eq!((arguments.threads, arguments.order), (3, Some("a.order".into())));
        let line = "climb --out b.order --evaluations 7 --threshold 0.5 --check-sets 8x1";
        let climb = parse(line).unwrap();
        let check = plans("8x1").unwrap();
        let (most_evaluations, threshold, check_seed) = (7, 0.005, 2);
        let out = PathBuf::from("b.order");
        let command = Command::Climb { out, check, check_seed, most_evaluations, threshold };
        assert_eq!((climb.command, climb.seed), (command, 1));
    }

    #[test]
    fn wrong_use_is_refused() {
        for (line, expected) in [
            ("", "expected a command, found none"),
            ("clime", "found 'clime'"),
            ("count 5", "expected an option, found '5'"),
            ("count --seed", "expected a value after '--seed'"),
            ("count --seed x", "--seed: expected a whole number, found 'x'"),
            ("count --seed 1 --seed 2", "expected --seed once"),
            ("count --out a", "found '--out'"),
            ("count --size 3x3", "found '3x3'"),
            ("count --size 8x8", "expected --sets for 8x8"),
            ("count --sets 8x", "found '8x'"),
            ("count --threads 0", "expected a number from 1, found '0'"),
            ("climb", "expected --out FILE"),
            ("climb --out a --threshold -1", "--threshold: expected a number from 0 to 100"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
