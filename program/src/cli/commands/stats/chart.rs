//! A picture of how the positions of each ply end: one bar a ply, all of the
//! same height, split into shares.

use fourbook::Size;
use fourbook::tools::stats::Endings;
use std::fmt;

/// A bar chart.
pub(crate) struct Chart<'a> {
    pub(crate) size: Size,
    /// The unit, for the text above the bars.
    pub(crate) positions: &'static str,
    /// The plies from 0 on.
    pub(crate) plies: &'a [(u32, Endings)],
}

/// A part of every bar: its class in the style, its name in the legend, and how
/// many positions it stands for.
type Part = (&'static str, &'static str, fn(&Endings) -> u64);

/// The parts of a bar, from the bottom up.
const PARTS: [Part; 6] = [
    ("first-over", "first player has won", |e| e.first_has_won),
    ("first", "first player wins", |e| e.first_wins),
    ("drawn", "board is full", |e| e.drawn),
    ("draw", "draw", |e| e.draws),
    ("second", "second player wins", |e| e.second_wins),
    ("second-over", "second player has won", |e| e.second_has_won),
];

/// The bars are drawn in this rectangle.
const LEFT: f64 = 64.0;
const TOP: f64 = 84.0;
const HEIGHT: f64 = 320.0;
/// The distance from one bar to the next, and the width of a bar.
const STEP: f64 = 58.0;
const BAR: f64 = 46.0;
/// Number of columns of the legend, and their width.
const LEGEND_COLUMNS: usize = 3;
const LEGEND_STEP: f64 = 190.0;

/// Colours for a light and a dark background, whichever the reader prefers.
const STYLE: &str = "\
    text { font: 13px system-ui, sans-serif; fill: #24292f }
    .title { font-size: 18px; font-weight: 600 }
    .small { font-size: 11px; fill: #57606a }
    .background { fill: #ffffff }
    .grid { stroke: #d0d7de; stroke-width: 1 }
    .first { fill: #e8833a } .first-over { fill: #b3541e }
    .second { fill: #4a90d9 } .second-over { fill: #235a97 }
    .draw { fill: #b8bec6 } .drawn { fill: #7d858f }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .small { fill: #9aa4af }
      .background { fill: #0d1117 }
      .grid { stroke: #30363d }
      .draw { fill: #8b949e } .drawn { fill: #5c646d }
    }";

impl fmt::Display for Chart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bars = LEFT + STEP * self.plies.len() as f64;
        let width = (bars + 24.0).max(LEFT + LEGEND_STEP * LEGEND_COLUMNS as f64 + 24.0);
        let height = TOP + HEIGHT + 120.0;
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\">"
        )?;
        writeln!(f, "  <title>{}</title>", self.title())?;
        writeln!(f, "  <style>\n{STYLE}\n  </style>")?;
        writeln!(f, "  <rect class=\"background\" width=\"{width}\" height=\"{height}\"/>")?;
        writeln!(f, "  <text class=\"title\" x=\"{LEFT}\" y=\"32\">{}</text>", self.title())?;
        writeln!(
            f,
            "  <text class=\"small\" x=\"{LEFT}\" y=\"52\">Share of the {} of each ply, with \
             perfect play; above the bars, how many there are</text>",
            self.positions
        )?;
        self.axes(f, bars)?;
        for (place, (ply, endings)) in self.plies.iter().enumerate() {
            bar(f, LEFT + STEP * place as f64 + (STEP - BAR) / 2.0, *ply, endings)?;
        }
        legend(f)?;
        writeln!(f, "</svg>")
    }
}

impl Chart<'_> {
    fn title(&self) -> String {
        format!(
            "Connect Four on {} columns and {} rows: who wins",
            self.size.width(),
            self.size.height()
        )
    }

    fn axes(&self, f: &mut fmt::Formatter<'_>, right: f64) -> fmt::Result {
        for percent in [0, 25, 50, 75, 100] {
            let y = TOP + HEIGHT * f64::from(100 - percent) / 100.0;
            writeln!(
                f,
                "  <line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\"/>\n  \
                 <text class=\"small\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{percent}%</text>",
                LEFT - 8.0,
                y + 4.0
            )?;
        }
        let middle = (LEFT + right) / 2.0;
        let y = TOP + HEIGHT + 42.0;
        writeln!(
            f,
            "  <text x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">stones on the board</text>"
        )
    }
}

/// The bar of a ply, its number below and its positions above.
fn bar(f: &mut fmt::Formatter<'_>, x: f64, ply: u32, endings: &Endings) -> fmt::Result {
    let total = endings.total();
    let mut below = 0.0;
    for (class, name, count) in PARTS {
        let count = count(endings);
        let height = HEIGHT * count as f64 / total.max(1) as f64;
        if count > 0 {
            let y = TOP + HEIGHT - below - height;
            writeln!(
                f,
                "  <rect class=\"{class}\" x=\"{x}\" y=\"{y:.2}\" width=\"{BAR}\" \
                 height=\"{height:.2}\"><title>ply {ply}, {name}: {count}</title></rect>"
            )?;
        }
        below += height;
    }
    let middle = x + BAR / 2.0;
    for (class, y, text) in
        [("small", TOP - 8.0, short(total)), ("label", TOP + HEIGHT + 20.0, ply.to_string())]
    {
        writeln!(
            f,
            "  <text class=\"{class}\" x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>"
        )?;
    }
    Ok(())
}

fn legend(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // The entries of one player stand below each other.
    let order = [1, 3, 4, 0, 2, 5];
    for (place, part) in order.into_iter().enumerate() {
        let (class, name, _) = PARTS[part];
        let x = LEFT + LEGEND_STEP * (place % LEGEND_COLUMNS) as f64;
        let y = TOP + HEIGHT + 66.0 + 22.0 * (place / LEGEND_COLUMNS) as f64;
        writeln!(
            f,
            "  <rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"14\" height=\"14\"/>\n  \
             <text x=\"{}\" y=\"{}\">{name}</text>",
            x + 20.0,
            y + 12.0
        )?;
    }
    Ok(())
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
        let chart = Chart { size: Size::STANDARD, positions: "positions", plies: &[(3, endings)] };
        let text = chart.to_string();
        let heights: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("<title>ply"))
            .map(|line| line.split("height=\"").nth(1).unwrap().split('"').next().unwrap())
            .collect();
        assert_eq!(heights, ["80.00", "80.00", "160.00"]);
        assert!(text.contains("ply 3, second player has won: 2"));
    }
}
