//! The built-in strategies.

use super::Strategy;
use fourbook_solver::board::Size;
use std::sync::LazyLock;

/// Files of the folder `books/strategies`.
macro_rules! files {
    ($($name:literal,)*) => {
        [$(&include_bytes!(concat!("../../books/strategies/", $name, ".strategy"))[..]),*]
    };
}

static STRATEGIES: LazyLock<Vec<Strategy>> = LazyLock::new(|| {
    // Of other boards, those whose positions take long to solve.
    let files = files![
        "7x6-first-d16",
        "7x6-second-d15",
        "6x8-second-d19-wdl",
        "7x7-first-d18-wdl",
        "7x7-second-d15-wdl",
        "8x5-first-d18-wdl",
        "8x6-second-d13-wdl",
        "8x7-first-d12-wdl",
    ];
    files.map(|bytes| Strategy::unexpanded(bytes).expect("the library's strategy is one")).into()
});

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
        STRATEGIES.iter().filter(|strategy| strategy.size == size).cloned().collect()
    }
}
