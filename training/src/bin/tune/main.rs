//! Finds the weights of the solver's order of moves, `fourbook::solver::MoveOrder`, by the
//! nodes that searches visit.
//!
//! ```text
//! cargo run --release -p fourbook-training --bin tune -- climb --out new.order
//! cargo run --release -p fourbook-training --bin tune -- count --order new.order
//! ```
//!
//! `--help` says more. Random positions, always the same ones from the same seed, are solved
//! with one order of moves after the other. What is found is checked on positions that
//! nothing was tuned on, and then written into `MoveOrder::BEST`.

mod arguments;
mod climb;
mod positions;
mod sets;
mod weights;

use arguments::{Arguments, Command, HELP};
use climb::{Climber, Trial};
use fourbook::files;
use fourbook::solver::MoveOrder;
use sets::{Counts, Plan, Set};
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned()).collect();
    let arguments = match Arguments::parse(&arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            say(&format!("error: {error}"));
            say("'tune --help' says what there is");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough, like `head`: nothing is wrong.
        Err(error) if is_closed(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {}", fourbook::with_causes(&*error)));
            ExitCode::from(1)
        }
    }
}

fn is_closed(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|it| it.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints a line on stderr.
fn say(text: &str) {
    // Not `eprintln`, which panics if stderr is closed: then nobody is left to tell.
    let _ = writeln!(io::stderr(), "tune: {text}");
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let order = match &arguments.order {
        Some(path) => weights::read(path)?,
        None => MoveOrder::BEST,
    };
    match &arguments.command {
        Command::Help => writeln!(io::stdout(), "{HELP}")?,
        Command::Show => write!(io::stdout(), "{}", weights::to_text(order))?,
        Command::Count => {
            let sets = sets::draw(&arguments.sets, arguments.size, arguments.seed, &[])?;
            compare(&sets, MoveOrder::BEST, order, arguments.threads)?;
        }
        Command::Without => without(arguments, order)?,
        Command::Climb { out, check, check_seed, most_evaluations, threshold } => {
            let climber = Climber {
                groups: &weights::groups(),
                threshold: *threshold,
                most_evaluations: *most_evaluations,
                largest: weights::LARGEST,
            };
            let sets = sets::draw(&arguments.sets, arguments.size, arguments.seed, &[])?;
            let check = sets::draw(check, arguments.size, *check_seed, &sets)?;
            check_out(out, arguments.order.as_deref())?;
            let best = climb(&climber, &sets, order, out, arguments.threads, say)?;
            compare(&check, order, best, arguments.threads)?;
        }
    }
    Ok(())
}

/// Makes sure that no order is lost: what is there may be replaced if the climb starts from it.
fn check_out(out: &Path, order: Option<&Path>) -> Result<(), String> {
    if order == Some(out) || out.symlink_metadata().is_err() {
        return Ok(());
    }
    let name = out.display();
    Err(format!("'{name}' exists already; start from it with --order, or choose another name"))
}

/// Prints the nodes of each set with one order and with another.
fn compare(
    sets: &[Set],
    before: MoveOrder,
    after: MoveOrder,
    threads: usize,
) -> Result<(), Box<dyn Error>> {
    let old = Counts::of(sets, before, threads)?;
    let new = if after == before { None } else { Some(Counts::of(sets, after, threads)?) };
    let new = new.as_ref().unwrap_or(&old);
    let changes = new.changes_from(&old);
    let mut out = io::stdout();
    writeln!(out, "ply  positions  nodes before   nodes after    change   seconds")?;
    for ((old, new), (_, change)) in old.0.iter().zip(&new.0).zip(changes.sets) {
        let Plan { ply, count, .. } = new.plan;
        let (before, after, percent) = (old.nodes, new.nodes, change * 100.0);
        let seconds = new.elapsed.as_secs_f64();
        writeln!(
            out,
            "{ply:>3}  {count:>9}  {before:>12}  {after:>12}  {percent:>+6.2} %  {seconds:>8.2}"
        )?;
    }
    writeln!(out, "mean  {:>+47.2} %", changes.mean * 100.0)?;
    Ok(())
}

/// Prints by how much the nodes change without each weight.
fn without(arguments: &Arguments, order: MoveOrder) -> Result<(), Box<dyn Error>> {
    let sets = sets::draw(&arguments.sets, arguments.size, arguments.seed, &[])?;
    let all = Counts::of(&sets, order, arguments.threads)?;
    for group in weights::groups() {
        let mut numbers = weights::numbers(order);
        group.places.iter().for_each(|&place| numbers[place] = 0);
        let order = weights::order(&numbers);
        let changes = Counts::of(&sets, order, arguments.threads)?.changes_from(&all);
        writeln!(io::stdout(), "without {:24} {changes}", group.name)?;
    }
    Ok(())
}

/// Climbs from an order, writes every better one to a file, and tells every change that was
/// tried; gives the best.
fn climb(
    climber: &Climber<'_>,
    sets: &[Set],
    order: MoveOrder,
    out: &Path,
    threads: usize,
    tell: impl Fn(&str),
) -> Result<MoveOrder, Box<dyn Error>> {
    write_order(out, order)?;
    let start = Instant::now();
    let (best, _) = climber.climb(
        weights::numbers(order),
        |numbers| Counts::of(sets, weights::order(numbers), threads),
        |trial| {
            tell(&told(trial, start));
            if trial.is_kept { write_order(out, weights::order(trial.after)) } else { Ok(()) }
        },
    )?;
    Ok(weights::order(&best))
}

/// What there is to say of a change that was tried.
fn told(trial: &Trial<'_, Counts>, start: Instant) -> String {
    let numbers = |all: &[i32]| {
        let all = trial.group.places.iter().map(|&place| all[place].to_string());
        all.collect::<Vec<_>>().join(" and ")
    };
    format!(
        "{:>4}, {:>6.0} s: {} from {} to {}: {}{}",
        trial.evaluation,
        start.elapsed().as_secs_f64(),
        trial.group.name,
        numbers(trial.before),
        numbers(trial.after),
        trial.new.changes_from(trial.old),
        if trial.is_kept { ", kept" } else { "" },
    )
}

fn write_order(path: &Path, order: MoveOrder) -> Result<(), Box<dyn Error>> {
    let text = weights::to_text(order);
    files::replace(path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| format!("cannot write '{}': {error}", path.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_only_if_the_climb_starts_from_it() {
        let there = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        assert_eq!(check_out(there, Some(there)), Ok(()));
        assert_eq!(check_out(Path::new("no/such.order"), None), Ok(()));
        for order in [None, Some(Path::new("other.order"))] {
            assert!(check_out(there, order).unwrap_err().contains("Cargo.toml' exists already"));
        }
    }

    #[test]
    fn a_climb_writes_what_it_finds_and_goes_on_from_it() {
        let folder = std::env::temp_dir().join(format!("fourbook-tune-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("new.order");
        let sets = sets::draw(&["24x100".parse().unwrap()], Default::default(), 1, &[]).unwrap();
        let mut bad = MoveOrder::BEST;
        (bad.early.threat, bad.late.threat) = (-256, -256);
        let climb = |order, most_evaluations| {
            let groups = weights::groups();
            let climber =
                Climber { groups: &groups, threshold: 0.001, most_evaluations, largest: 999 };
            super::climb(&climber, &sets, order, &path, 1, |_| ()).unwrap()
        };
        assert_eq!(climb(bad, 0), bad);
        assert_eq!(weights::read(&path).unwrap(), bad);
        let better = climb(bad, 12);
        let nodes = |order| Counts::of(&sets, order, 1).unwrap().0[0].nodes;
        assert!(nodes(better) < nodes(bad), "{better:?}");
        assert_eq!(weights::read(&path).unwrap(), better);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
