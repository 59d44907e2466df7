//! Which of several best moves is played.

use super::Level;
use fourbook_solver::board::Position;
use fourbook_solver::{Analysis, named};

/// Which of the moves that reach a position's score is chosen.
///
/// ```
/// use fourbook::level::Tie;
/// use fourbook::{Analysis, Position};
/// let position = Position::from_moves("4453")?;
/// let moves = [-5, -5, -2, -3, -4, -2, -2].map(Some).to_vec();
/// let analysis = Analysis { score: -2, moves };
/// let chosen = |tie: Tie| tie.choose(position, &analysis, 1);
/// assert_eq!(Tie::ALL.map(chosen), [Some(2), Some(2), Some(5)]);
/// assert_eq!("first".parse(), Ok(Tie::First));
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
    Random,
}

named!(Tie, "rule for ties", 3: Centre = "centre", First = "first", Random = "random");

impl Tie {
    /// The column (from 0) that is chosen in a position with this analysis; `None` if the game
    /// is over. Only [`Random`](Self::Random) uses the seed.
    ///
    /// # Panics
    ///
    /// If the analysis has not as many moves as the board has columns.
    pub fn choose(self, position: Position, analysis: &Analysis, seed: u64) -> Option<usize> {
        let mut best = analysis.best_moves();
        match self {
            Tie::Centre => best.next(),
            Tie::First => best.min(),
            Tie::Random => Level::PERFECT.choose(position, &analysis.moves, seed),
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
        let chosen = |tie: Tie, seed| tie.choose(position, &analysis, seed).unwrap();
        assert_eq!((chosen(Tie::default(), 1), chosen(Tie::First, 1)), (4, 0));
        let mut random: Vec<_> = (0..100).map(|seed| chosen(Tie::Random, seed)).collect();
        random.sort_unstable();
        random.dedup();
        assert_eq!(random, [0, 4, 5]);
    }

    #[test]
    fn every_rule_has_a_name() {
        for (name, tie) in ["centre", "first", "random"].into_iter().zip(Tie::ALL) {
            assert_eq!(name.parse(), Ok(tie));
        }
        let error = "center".parse::<Tie>().unwrap_err().to_string();
        assert_eq!(error, "'center' is not a rule for ties; expected centre, first or random");
    }

    #[test]
    fn there_is_no_move_when_the_game_is_over() {
        let over = Position::from_moves("1212121").unwrap();
        let analysis = Analysis { score: -18, moves: vec![None; 7] };
        for tie in Tie::ALL {
            assert_eq!(tie.choose(over, &analysis, 1), None);
        }
    }
}
