//! Finds the weights of [`MoveOrder`] by the nodes that searches visit.
//!
//! Random positions are solved with different orderings of moves. The best ordering is checked on
//! positions that were not used for tuning, and then written into `MoveOrder::BEST`.

mod climb;
mod positions;
mod sets;
mod weights;

pub(crate) use sets::Plan;

use crate::{Climb, Sets};
use climb::{Climber, Trial};
use fourbook::Size;
use fourbook::files;
use fourbook::solver::{MoveOrder, thread_count};
use sets::{Counts, Set};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

const STANDARD_SETS: &str = "8x60,10x80,12x1000,14x1000,16x2000,20x2000";

/// Prints the nodes of each set, and their change from the built-in ordering.
pub(crate) fn count(sets: &Sets, seed: u64) -> Result<(), Box<dyn Error>> {
    let order = order_of(sets.order.as_deref())?;
    let positions = sets::draw(&plans(sets)?, sets.size, seed, &[])?;
    compare(&positions, MoveOrder::BEST, order, threads(sets))
}

/// Prints by how much the nodes change without each weight.
pub(crate) fn without(sets: &Sets, seed: u64) -> Result<(), Box<dyn Error>> {
    let order = order_of(sets.order.as_deref())?;
    let positions = sets::draw(&plans(sets)?, sets.size, seed, &[])?;
    let all = Counts::of(&positions, order, threads(sets))?;
    for group in weights::groups() {
        let mut numbers = weights::numbers(order);
        group.places.iter().for_each(|&place| numbers[place] = 0);
        let order = weights::order(&numbers);
        let changes = Counts::of(&positions, order, threads(sets))?.changes_from(&all);
        println!("without {:24} {changes}", group.name);
    }
    Ok(())
}

/// Prints an ordering in the form of a file.
pub(crate) fn show(order: Option<&Path>) -> Result<(), Box<dyn Error>> {
    print!("{}", weights::to_text(order_of(order)?));
    Ok(())
}

/// Climbs to better weights, and measures them on other positions.
pub(crate) fn climb(arguments: &Climb) -> Result<(), Box<dyn Error>> {
    let Climb { sets, out, .. } = arguments;
    let order = order_of(sets.order.as_deref())?;
    let plans = plans(sets)?;
    let check = if arguments.check_sets.is_empty() { &plans } else { &arguments.check_sets };
    let positions = sets::draw(&plans, sets.size, arguments.seed, &[])?;
    let check = sets::draw(check, sets.size, arguments.check_seed, &positions)?;
    check_out(out, sets.order.as_deref())?;
    let climber = Climber {
        groups: &weights::groups(),
        threshold: arguments.threshold / 100.0,
        most_evaluations: arguments.evaluations.unwrap_or(u64::MAX),
        largest: weights::LARGEST,
    };
    let best = climb_from(order, &climber, &positions, out, threads(sets))?;
    compare(&check, order, best, threads(sets))
}

fn order_of(file: Option<&Path>) -> Result<MoveOrder, Box<dyn Error>> {
    file.map_or(Ok(MoveOrder::BEST), weights::read)
}

fn plans(sets: &Sets) -> Result<Vec<Plan>, String> {
    match (&sets.sets[..], sets.size) {
        ([], Size::STANDARD) => STANDARD_SETS.split(',').map(str::parse).collect(),
        ([], size) => Err(format!("expected --sets for {size}, found none")),
        (plans, _) => Ok(plans.to_vec()),
    }
}

fn threads(sets: &Sets) -> usize {
    thread_count(sets.threads.map_or(0, usize::from))
}

/// Makes sure that no ordering is lost: an existing file may be replaced if the climb starts
/// from it.
fn check_out(out: &Path, order: Option<&Path>) -> Result<(), String> {
    if order == Some(out) || out.symlink_metadata().is_err() {
        return Ok(());
    }
    let name = out.display();
    Err(format!("'{name}' exists already; start from it with --order, or choose another name"))
}

/// Prints the nodes of each set with one ordering and with another.
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
    println!("ply  positions  nodes before   nodes after    change   seconds");
    for ((old, new), (_, change)) in old.0.iter().zip(&new.0).zip(changes.sets) {
        let Plan { ply, count, .. } = new.plan;
        let before = old.nodes;
        let after = new.nodes;
        let percent = change * 100.0;
        let seconds = new.elapsed.as_secs_f64();
        println!(
            "{ply:>3}  {count:>9}  {before:>12}  {after:>12}  {percent:>+6.2} %  {seconds:>8.2}"
        );
    }
    println!("mean  {:>+47.2} %", changes.mean * 100.0);
    Ok(())
}

/// Climbs from an ordering, writes every better one to a file, and prints every change that is
/// tried. Returns the best.
fn climb_from(
    order: MoveOrder,
    climber: &Climber<'_>,
    sets: &[Set],
    out: &Path,
    threads: usize,
) -> Result<MoveOrder, Box<dyn Error>> {
    write_order(out, order)?;
    let start = Instant::now();
    let (best, _) = climber.climb(
        weights::numbers(order),
        |numbers| Counts::of(sets, weights::order(numbers), threads),
        |trial| {
            eprintln!("{}", describe(trial, start));
            if trial.is_kept { write_order(out, weights::order(trial.after)) } else { Ok(()) }
        },
    )?;
    Ok(weights::order(&best))
}

fn describe(trial: &Trial<'_, Counts>, start: Instant) -> String {
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
    fn sets_are_required_on_boards_without_default_ones() {
        let sets = |size: &str| Sets {
            order: None,
            size: size.parse().unwrap(),
            sets: Vec::new(),
            threads: None,
        };
        assert_eq!(plans(&sets("7x6")).unwrap().len(), 6);
        assert!(plans(&sets("8x8")).unwrap_err().contains("--sets for 8x8"));
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
            climb_from(order, &climber, &sets, &path, 1).unwrap()
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
