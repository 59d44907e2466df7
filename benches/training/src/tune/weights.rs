//! An order of moves as a list of numbers, and as a text: a line for each weight, such as
//! `early.threat = 256`.

use fourbook::solver::{MoveOrder, Weights};
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

/// The largest weight there may be, and without its sign the smallest one.
///
/// The solver adds weights times the number of cells or lines that they are for, and the
/// sums have to stay below 2^20.
pub(crate) const LARGEST: i32 = 4096;

/// The stages of the game, in the order of their numbers.
const STAGES: [&str; 2] = ["early", "late"];

/// The weights of an order, the late stage after the early one.
pub(crate) type Numbers = Vec<i32>;

/// Weights that are changed together: their places among all weights, and their name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// The name of the weight, after that of its stage if it is of one only.
    pub(crate) name: String,
    /// The places among all weights.
    pub(crate) places: Vec<usize>,
}

/// Every weight of a stage, with its name.
fn named(weights: &mut Weights) -> [(&'static str, &mut i32); 7] {
    let Weights {
        threat,
        next_threat,
        later_threat,
        reply,
        second_in_line,
        line_taken,
        centrality,
    } = weights;
    [
        ("threat", threat),
        ("next_threat", next_threat),
        ("later_threat", later_threat),
        ("reply", reply),
        ("second_in_line", second_in_line),
        ("line_taken", line_taken),
        ("centrality", centrality),
    ]
}

/// Every weight of an order, with its name.
fn all_named(order: &mut MoveOrder) -> Vec<(String, &mut i32)> {
    let MoveOrder { early, late } = order;
    let stages = STAGES.into_iter().zip([early, late]);
    stages
        .flat_map(|(stage, weights)| {
            named(weights).map(|(name, weight)| (format!("{stage}.{name}"), weight))
        })
        .collect()
}

/// The weights of an order.
pub(crate) fn numbers(mut order: MoveOrder) -> Numbers {
    all_named(&mut order).into_iter().map(|(_, weight)| *weight).collect()
}

/// The order with these weights.
pub(crate) fn order(numbers: &[i32]) -> MoveOrder {
    let mut order = MoveOrder::BEST;
    let weights = all_named(&mut order);
    assert_eq!(weights.len(), numbers.len(), "a number for each weight");
    for ((_, weight), number) in weights.into_iter().zip(numbers) {
        *weight = *number;
    }
    order
}

/// The changes to try: each weight in both stages, and in each alone.
pub(crate) fn groups() -> Vec<Group> {
    let mut best = MoveOrder::BEST;
    let weights = named(&mut best.early).map(|(name, _)| name);
    let count = weights.len();
    let of_weight = |(place, name): (usize, &str)| {
        let both = Group { name: name.to_owned(), places: vec![place, place + count] };
        let one = |stage: usize| Group {
            name: format!("{}.{name}", STAGES[stage]),
            places: vec![place + stage * count],
        };
        [both, one(0), one(1)]
    };
    weights.into_iter().enumerate().flat_map(of_weight).collect()
}

/// The order as a text.
pub(crate) fn to_text(mut order: MoveOrder) -> String {
    let mut text = String::new();
    for (name, weight) in all_named(&mut order) {
        writeln!(text, "{name} = {weight}").expect("a text takes everything");
    }
    text
}

/// The order in a file.
pub(crate) fn read(path: &Path) -> Result<MoveOrder, Box<dyn Error>> {
    let name = path.display();
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("cannot read '{name}': {error}"))?;
    from_text(&text).map_err(|error| format!("{name}, {error}").into())
}

/// Reads an order from a text: every weight once, in any order. Ignores empty lines and text after
/// `#`.
pub(crate) fn from_text(text: &str) -> Result<MoveOrder, String> {
    let mut order = MoveOrder::BEST;
    let mut weights: Vec<_> =
        all_named(&mut order).into_iter().map(|(name, weight)| (name, weight, None)).collect();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let said = line.split('#').next().unwrap_or_default().trim();
        if said.is_empty() {
            continue;
        }
        let expected =
            |expected: &str| format!("line {number}: expected {expected}, found '{said}'");
        let Some((name, value)) = said.split_once('=') else {
            return Err(expected("a weight such as 'early.threat = 256'"));
        };
        let Some((name, weight, seen)) = weights.iter_mut().find(|it| it.0 == name.trim()) else {
            let names: Vec<&str> = weights.iter().map(|(name, ..)| name.as_str()).collect();
            return Err(expected(&format!("one of the weights {}", names.join(", "))));
        };
        if let Some(before) = seen.replace(number) {
            return Err(expected(&format!("{name} once, which line {before} says")));
        }
        match value.trim().parse() {
            Ok(value) if (-LARGEST..=LARGEST).contains(&value) => **weight = value,
            _ => return Err(expected(&format!("a whole number from -{LARGEST} to {LARGEST}"))),
        }
    }
    match weights.iter().find(|(.., seen)| seen.is_none()) {
        None => Ok(order),
        Some((name, ..)) => {
            let last = text.lines().count();
            Err(format!("line {last}: expected {name} somewhere before the end, found the end"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_give_the_order_back() {
        let count = numbers(MoveOrder::BEST).len() as i32;
        for numbers in [numbers(MoveOrder::BEST), (0..count).map(|n| n * 99 - 700).collect()] {
            let order = order(&numbers);
            assert_eq!(super::numbers(order), numbers);
            assert_eq!(from_text(&to_text(order)), Ok(order));
        }
        assert!(to_text(MoveOrder::BEST).starts_with("early.threat = "));
        let reversed: Vec<String> =
            to_text(MoveOrder::BEST).lines().rev().map(|line| format!(" {line} # x")).collect();
        assert_eq!(from_text(&reversed.join("\n\n")), Ok(MoveOrder::BEST));
    }

    #[test]
    fn bad_lines_are_refused_with_their_number() {
        let good = to_text(MoveOrder::BEST);
        let line_of = |name| good.lines().position(|line| line.starts_with(name)).unwrap() + 1;
        let repeated =
            format!("line {}: expected late.reply once, which line 3", line_of("late.reply"));
        let missing = format!("line {}: expected early.next_threat", good.lines().count() + 1);
        for (line, expected) in [
            ("early.threat", "line 3: expected a weight such as"),
            ("early.thread = 3", "line 3: expected one of the weights early.threat, "),
            ("late.reply = 3", repeated.as_str()),
            ("early.next_threat = many", "line 3: expected a whole number from -4096 to 4096"),
            ("early.next_threat = 1.5", "found 'early.next_threat = 1.5'"),
            ("early.next_threat = 4097", "found 'early.next_threat = 4097'"),
            ("", missing.as_str()),
        ] {
            let mut lines: Vec<&str> = good.lines().collect();
            let place = lines.iter().position(|line| line.contains("early.next_threat")).unwrap();
            lines.remove(place);
            lines.insert(2, line);
            lines.push("# the end");
            let error = from_text(&lines.join("\n")).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = read(Path::new("no/such.order")).unwrap_err().to_string();
        assert!(error.starts_with("cannot read 'no/such.order': "), "{error}");
    }

    #[test]
    fn groups_have_every_weight_in_one_stage_and_in_both() {
        let groups = groups();
        let count = numbers(MoveOrder::BEST).len();
        assert_eq!(groups.len(), count / 2 * 3);
        let mut times = vec![0; count];
        groups.iter().flat_map(|group| &group.places).for_each(|&place| times[place] += 1);
        assert!(times.iter().all(|&times| times == 2), "{times:?}");
        let late = groups.iter().find(|group| group.name == "late.threat").unwrap();
        let mut order = MoveOrder::BEST;
        order.late.threat = -1;
        assert_eq!(numbers(order)[late.places[0]], -1);
    }
}
