//! The built-in strategies.

use super::Strategy;
use fourbook_solver::board::Size;
use std::sync::LazyLock;

/// Columns and rows of boards, with strategies of the folder `books/strategies`.
macro_rules! strategies {
    ($($width:literal x $height:literal $name:literal,)*) => {
        [$((($width, $height), LazyLock::new(|| {
            let bytes = include_bytes!(concat!(
                "../../books/strategies/", $width, "x", $height, "-", $name, ".strategy"
            ));
            Strategy::unexpanded(bytes).expect("the library's strategy is one")
        }))),*]
    };
}

/// Of boards but 7x6, those whose positions take long to solve.
static STRATEGIES: [((usize, usize), LazyLock<Strategy>); 8] = strategies![
    7 x 6 "first-d16",
    7 x 6 "second-d15",
    6 x 8 "second-d19-wdl",
    7 x 7 "first-d18-wdl",
    7 x 7 "second-d15-wdl",
    8 x 5 "first-d18-wdl",
    8 x 6 "second-d13-wdl",
    8 x 7 "first-d12-wdl",
];

impl Strategy {
    /// The built-in strategies for boards of a size, at most one for each player.
    /// Each is expanded when a position of its player is first looked up, which takes up to 50 ms;
    /// the whole program shares it.
    ///
    /// ```
    /// use fourbook::{Level, Oracle, Position, Strategy};
    /// let size = "8x7".parse()?;
    /// let oracle = Oracle::without_book(size)?.with_strategies(Strategy::embedded_for(size))?;
    /// // The first player of 8x7 wins, which takes too long to solve.
    /// let (column, stopped) = oracle.choose_move(Position::empty(size), Level::PERFECT, 1)?;
    /// assert!(column.is_some() && stopped.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn embedded_for(size: Size) -> Vec<Strategy> {
        let sides = (size.width(), size.height());
        let all = STRATEGIES.iter().filter(|(board, _)| *board == sides);
        all.map(|(_, strategy)| Strategy::clone(strategy)).collect()
    }
}
