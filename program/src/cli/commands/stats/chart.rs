//! A picture of how the positions of each ply end: one bar a ply, all of the
//! same height, split into shares.

use fourbook::Size;
use fourbook::text::grouped;
use fourbook::tools::stats::Endings;
use std::fmt::Write;

/// The picture without its bars. Names in braces stand for what depends on the book.
const TEMPLATE: &str = include_str!("chart.svg");

/// A part of every bar: its class in the style, its name in the legend, and how
/// many positions it stands for.
type Share = (&'static str, &'static str, fn(&Endings) -> u64);

/// The parts of a bar, from the bottom up.
const PARTS: [Share; 6] = [
    ("first-over", "first player has won", |e| e.first_has_won),
    ("first", "first player wins", |e| e.first_wins),
    ("drawn", "board is full", |e| e.drawn),
    ("draw", "draw", |e| e.draws),
    ("second", "second player wins", |e| e.second_wins),
    ("second-over", "second player has won", |e| e.second_has_won),
];

/// The bars are drawn in this rectangle of the template.
const LEFT: f64 = 64.0;
const TOP: f64 = 84.0;
const HEIGHT: f64 = 320.0;
/// The distance from one bar to the next, and the width of a bar.
const STEP: f64 = 58.0;
const BAR: f64 = 46.0;
/// The width of the legend, and the margin on the right.
const LEGEND: f64 = 570.0;
const MARGIN: f64 = 24.0;

/// Draws a bar for each of the `plies` from 0 on; `positions` names the unit.
pub(crate) fn draw(size: Size, positions: &str, plies: &[(u32, Endings)]) -> String {
    let (columns, rows) = (size.width(), size.height());
    let right = LEFT + STEP * plies.len() as f64;
    let mut bars = String::new();
    for (ply, endings) in plies {
        draw_bar(&mut bars, LEFT + STEP * f64::from(*ply) + (STEP - BAR) / 2.0, *ply, endings);
    }
    TEMPLATE
        .replace("{title}", &format!("Connect Four on {columns} columns and {rows} rows: who wins"))
        .replace("{positions}", positions)
        .replace("{width}", &(right.max(LEFT + LEGEND) + MARGIN).to_string())
        .replace("{right}", &right.to_string())
        .replace("{middle}", &((LEFT + right) / 2.0).to_string())
        .replace("{bars}", &bars)
}

/// The bar of a ply, its number below and its positions above.
fn draw_bar(text: &mut String, x: f64, ply: u32, endings: &Endings) {
    let total = endings.total();
    let mut y = TOP + HEIGHT;
    for (class, name, count) in PARTS {
        let count = count(endings);
        let height = HEIGHT * count as f64 / total.max(1) as f64;
        y -= height;
        if count > 0 {
            let _ = writeln!(
                text,
                "  <rect class=\"{class}\" x=\"{x}\" y=\"{y:.2}\" width=\"{BAR}\" \
                 height=\"{height:.2}\"><title>ply {ply}, {name}: {}</title></rect>",
                grouped(count)
            );
        }
    }
    let middle = x + BAR / 2.0;
    let (above, below) = (TOP - 8.0, TOP + HEIGHT + 20.0);
    for (class, y, label) in [("small", above, short(total)), ("label", below, ply.to_string())] {
        let _ = writeln!(
            text,
            "  <text class=\"{class}\" x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>"
        );
    }
}

/// A number in few characters: exact below a thousand, else three digits.
fn short(number: u64) -> String {
    let mut scaled = number as f64;
    for unit in ["", "k", "M", "G"] {
        if scaled < 999.5 {
            let decimals = if unit.is_empty() || scaled >= 99.95 { 0 } else { 1 };
            return format!("{scaled:.decimals$}{unit}");
        }
        scaled /= 1000.0;
    }
    format!("{scaled:.0}T")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_rounded() {
        for (number, text) in [
            (1, "1"),
            (999, "999"),
            (1120, "1.1k"),
            (99_960, "100k"),
            (999_600, "1.0M"),
            (12_236_101, "12.2M"),
            (3_000_000_000_000_000, "3000T"),
        ] {
            assert_eq!(short(number), text);
        }
    }

    #[test]
    fn every_part_of_a_bar_has_its_share_of_the_height() {
        let endings = Endings { first_wins: 1, draws: 1, second_has_won: 2, ..Endings::default() };
        let text = draw(Size::STANDARD, "positions", &[(3, endings)]);
        let heights: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("<title>ply"))
            .map(|line| line.split("height=\"").nth(1).unwrap().split('"').next().unwrap())
            .collect();
        assert_eq!(heights, ["80.00", "80.00", "160.00"]);
        assert!(text.contains("ply 3, second player has won: 2"));
    }
}
