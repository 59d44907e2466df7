//! Which of several best moves is played.

use super::Level;
use fourbook_solver::Analysis;
use fourbook_solver::board::Position;
use fourbook_solver::text::{NameError, listed};

/// Which of the moves that reach a position's score is chosen.
///
/// ```
/// use fourbook::level::Tie;
/// use fourbook::{Analysis, Position};
/// let position = Position::from_moves("4453")?;
/// let moves = [-5, -5, -2, -3, -4, -2, -2].map(Some).to_vec();
/// let analysis = Analysis { score: -2, moves };
/// let chosen = |tie: Tie| tie.choose(position, &analysis);
/// assert_eq!([Tie::Centre, Tie::First].map(chosen), [Some(2), Some(2)]);
/// assert_eq!(chosen(Tie::Random { seed: 1 }), Some(5));
/// # Ok::<(), fourbook::PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tie {
    /// The column nearest to the centre; the left one if two are equally near.
    #[default]
    Centre,
    /// The leftmost column.
    First,
    /// A column chosen by chance, more often near the centre, as the [perfect
    /// level](Level::PERFECT) plays. The same seed in the same position gives the same move.
    Random {
        /// The seed.
        seed: u64,
    },
}

impl Tie {
    /// The names of all rules.
    pub const NAMES: [&'static str; 3] = ["centre", "first", "random"];

    /// The rule of a name; a random one gets the seed.
    ///
    /// ```
    /// use fourbook::level::Tie;
    /// assert_eq!(Tie::named("random", 7)?, Tie::Random { seed: 7 });
    /// # Ok::<(), fourbook::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the name is none of [`NAMES`](Self::NAMES).
    pub fn named(name: &str, seed: u64) -> Result<Tie, NameError> {
        match name {
            "centre" => Ok(Tie::Centre),
            "first" => Ok(Tie::First),
            "random" => Ok(Tie::Random { seed }),
            _ => Err(NameError::new("rule for ties", listed(Self::NAMES, "or"), name)),
        }
    }

    /// The column (from 0) that is chosen in a position with this analysis; `None` if the game
    /// is over.
    ///
    /// # Panics
    ///
    /// If the analysis has not as many moves as the board has columns.
    #[must_use]
    pub fn choose(self, position: Position, analysis: &Analysis) -> Option<usize> {
        let mut best = analysis.best_moves();
        match self {
            Tie::Centre => best.next(),
            Tie::First => best.min(),
            Tie::Random { seed } => Level::PERFECT.choose(position, &analysis.moves, seed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_chooses_one_of_the_best_moves() {
        let position = Position::from_moves("").unwrap();
        let moves = [Some(2), None, Some(-1), Some(1), Some(2), Some(2), None].to_vec();
        let analysis = Analysis { score: 2, moves };
        let chosen = |tie: Tie| tie.choose(position, &analysis).unwrap();
        assert_eq!((chosen(Tie::default()), chosen(Tie::First)), (4, 0));
        let mut random: Vec<_> = (0..100).map(|seed| chosen(Tie::Random { seed })).collect();
        random.sort_unstable();
        random.dedup();
        assert_eq!(random, [0, 4, 5]);
    }

    #[test]
    fn every_rule_has_a_name() {
        let named = Tie::NAMES.map(|name| Tie::named(name, 3).unwrap());
        assert_eq!(named, [Tie::Centre, Tie::First, Tie::Random { seed: 3 }]);
        assert!(Tie::named("center", 3).is_err());
    }

    #[test]
    fn there_is_no_move_when_the_game_is_over() {
        let over = Position::from_moves("1212121").unwrap();
        let analysis = Analysis { score: -18, moves: vec![None; 7] };
        for tie in [Tie::Centre, Tie::First, Tie::Random { seed: 1 }] {
            assert_eq!(tie.choose(over, &analysis), None);
        }
    }
}
