//! Levels of play: how a player below perfect strength picks a move.

use crate::oracle::Analysis;
use fourbook_solver::best_first;
use fourbook_solver::board::{Position, Score};
use fourbook_solver::splitmix::{SplitMix, mix};
use fourbook_solver::text::{NameError, listed};
use serde::Serialize;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::str::FromStr;
use std::time::Duration;

/// Seeds chosen at random are below this, so that they are easy to type.
const SEEDS: u64 = 1_000_000;

/// Returns a seed for a new game, below a million.
pub fn random_seed() -> u64 {
    RandomState::new().hash_one(0) % SEEDS
}

/// How well a player plays: one of eight levels, from a beginner to a perfect player.
///
/// Parsed from a number from 1 or a name, printed as the name.
///
/// # The rule
///
/// A level chooses a move from the exact scores of all moves.
///
/// 1. It sees as many stones ahead as its [horizon](Self::horizon). A move is worth its
///    score if under perfect play the game ends within that many stones, the move
///    counted; every other move is worth 0. The perfect player sees to the end.
/// 2. The moves of the highest worth are the candidates. In a given share of all positions,
///    [played by chance](Self::chance), all moves are candidates.
/// 3. Where a limit leaves the scores of some moves unknown, each of these moves is worth 0, or the
///    nearest score within the proved bounds of the position. The candidate nearest to the centre
///    is played: see [`decide`](Self::decide).
/// 4. Otherwise chance decides among the candidates. A column has the weight of its distance from
///    the nearer edge of the board, 1 for the outermost: 1, 2, 3, 4, 3, 2, 1 on 7x6.
///
/// | number | name | horizon in stones | by chance, of 100 |
/// |---|---|---|---|
/// | 1 | beginner | 1 | 40 |
/// | 2 | novice | 2 | 25 |
/// | 3 | casual | 4 | 20 |
/// | 4 | intermediate | 6 | 12 |
/// | 5 | advanced | 8 | 6 |
/// | 6 | expert | 12 | 3 |
/// | 7 | master | 20 | 1 |
/// | 8 | perfect | the whole game | 0 |
///
/// # Chance that repeats itself
///
/// The same seed in the same position gives the same move, on every machine, so a game can be
/// repeated from its seed and the moves of the other side. Programs in other languages get
/// the same games in this way, in numbers of 64 bits that wrap around, with `step` and `mix`
/// of S. Vigna's "splitmix64.c":
///
/// ```text
/// step   = 0x9e3779b97f4a7c15
/// mix(z) : z = (z xor (z >> 30)) * 0xbf58476d1ce4e5b9
///          z = (z xor (z >> 27)) * 0x94d049bb133111eb
///          z xor (z >> 31)
///
/// low, high = the lower and the upper 64 bits of the position's key (high is 0 on 7x6)
/// state     = mix(mix(seed xor high) xor low)
/// first     = mix(state + step)
/// second    = mix(state + step + step)
/// ```
///
/// The level plays by chance if `first` modulo 100 is less than its [`chance`](Self::chance).
/// `second` modulo the sum of the candidates' weights chooses one: candidates from the left
/// take as many of the numbers from 0 on as they weigh. The key is
/// [`Position::key`], that of the position with the move to be chosen.
///
/// ```
/// use fourbook::{Level, Position};
/// let position = Position::from_moves("4453")?;
/// // The scores of all moves, as `Oracle::analyse` has them.
/// let moves = [-5, -5, -2, -3, -4, -2, -2].map(Some);
/// let by_seed = |seed| Level::PERFECT.choose(position, &moves, seed);
/// assert_eq!([1, 2, 3, 4].map(by_seed), [Some(5), Some(2), Some(2), Some(2)]);
///
/// let level: Level = "casual".parse()?;
/// assert_eq!((level.number, level.horizon), (3, Some(4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Level {
    /// Its number, from 1 for a beginner to 8 for a perfect player.
    pub number: u8,
    /// Its name in everything that is printed.
    pub name: &'static str,
    /// How many stones it sees ahead, its own next one counted; `None` if to the end of
    /// the game.
    pub horizon: Option<u32>,
    /// In how many of 100 positions it plays any move by chance.
    pub chance: u32,
}

/// The farthest horizon that is searched; beyond it, levels use exact scores.
const SEARCHED: u32 = 12;

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 8] = [
        Level { number: 1, name: "beginner", horizon: Some(1), chance: 40 },
        Level { number: 2, name: "novice", horizon: Some(2), chance: 25 },
        Level { number: 3, name: "casual", horizon: Some(4), chance: 20 },
        Level { number: 4, name: "intermediate", horizon: Some(6), chance: 12 },
        Level { number: 5, name: "advanced", horizon: Some(8), chance: 6 },
        Level { number: 6, name: "expert", horizon: Some(12), chance: 3 },
        Level { number: 7, name: "master", horizon: Some(20), chance: 1 },
        Level { number: 8, name: "perfect", horizon: None, chance: 0 },
    ];

    /// The weakest level.
    pub const BEGINNER: Level = Level::ALL[0];

    /// The strongest level: always a move of a strategy, or one that reaches the position's score.
    pub const PERFECT: Level = Level::ALL[7];

    /// The longest time for a move, where the limits of an oracle set neither time nor nodes.
    pub const USUAL_TIME: Duration = Duration::from_secs(3);

    /// Whether it finds its moves without the exact scores of positions, which no solver has
    /// for large boards.
    pub const fn is_quick(self) -> bool {
        matches!(self.horizon, Some(plies) if plies <= SEARCHED)
    }

    /// How many stones it looks ahead where exact scores are unknown: as far as it sees, and at
    /// most 12.
    pub fn looks_ahead(self) -> u32 {
        self.horizon.unwrap_or(SEARCHED).min(SEARCHED)
    }

    /// The column (from 0) that it plays in a position; `None` if the game is over.
    ///
    /// `moves` are the scores of all columns for the side to move, as
    /// [`Analysis::move_scores`](crate::oracle::Analysis::move_scores). They need to be exact only for moves
    /// after which the game ends within the [horizon](Self::horizon); all others may be 0.
    ///
    /// # Panics
    ///
    /// If there are not as many scores as the board has columns.
    pub fn choose(self, position: Position, moves: &[Option<Score>], seed: u64) -> Option<usize> {
        let width = position.size().width();
        assert_eq!(moves.len(), width, "there is a score, or none, for each column");
        let (by_chance, choice) = self.draw(position, seed);
        let worth = |score| self.worth(position, score);
        let most = moves.iter().flatten().map(|&score| worth(score)).max()?;
        let weight = |column: usize| column.min(width - 1 - column) as u64 + 1;
        let candidates = (0..width)
            .filter(|&column| moves[column].is_some_and(|score| by_chance || worth(score) == most));
        let mut left = choice % candidates.clone().map(weight).sum::<u64>();
        for column in candidates {
            match left.checked_sub(weight(column)) {
                Some(rest) => left = rest,
                None => return Some(column),
            }
        }
        unreachable!("the number is less than the sum of all weights")
    }

    /// Whether no other score can change the move: all that it sees is known, or it sees the soonest win
    /// and plays nothing by chance.
    pub(crate) fn is_settled(self, known: &Analysis) -> bool {
        let position = known.position();
        let is_seen = |score| score > 0 && position.plies_to_end(score) <= known.ahead();
        known.is_complete()
            || self.horizon.is_some_and(|horizon| horizon <= known.ahead())
            || self.chance == 0 && known.score().is_some_and(is_seen)
    }

    /// The column (from 0) that it plays by the known scores, `None` if the game is over, and
    /// whether that is proved: whether it might play the column whatever the unknown scores are.
    ///
    /// ```
    /// use fourbook::oracle::Analysis;
    /// use fourbook::{Level, Position, Size};
    /// let nothing = Analysis::none(Position::empty(Size::new(9, 8)?));
    /// assert_eq!(Level::PERFECT.decide(&nothing, 1), (Some(4), false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decide(self, known: &Analysis, seed: u64) -> (Option<usize>, bool) {
        let bounds = known.bounds();
        let mut moves = known.move_scores();
        let sees_all = self.is_settled(known);
        // A move that is known to be the best needs no other score.
        let best = moves.iter().flatten().max().copied();
        let has_best = best.is_some_and(|best| best >= bounds.max);
        // If no known move is worth the least score of the position, an unknown one is.
        let least = if best == Some(bounds.min) { 0 } else { bounds.min.max(0) };
        let unknown = if sees_all { 0 } else { bounds.max.min(least) };
        if sees_all || !has_best {
            for column in known.unknown_moves() {
                moves[column] = Some(unknown);
            }
        }
        if sees_all || has_best {
            (self.choose(known.position(), &moves, seed), true)
        } else {
            (best_first(&moves).first().copied(), false)
        }
    }

    /// The worth of a move with this score.
    fn worth(self, position: Position, score: Score) -> Score {
        let plies = position.plies_to_end(score);
        if self.horizon.is_none_or(|horizon| plies <= horizon) { score } else { 0 }
    }

    /// Whether it plays by chance in a position, and a number that chooses among candidates.
    fn draw(self, position: Position, seed: u64) -> (bool, u64) {
        let key = position.key();
        let mut random = SplitMix(mix(mix(seed ^ (key >> 64) as u64) ^ key as u64));
        (random.draw() % 100 < u64::from(self.chance), random.draw())
    }
}

impl Default for Level {
    /// A level in the middle.
    fn default() -> Self {
        Level::ALL[3]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl FromStr for Level {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Level::ALL.into_iter().find(|level| {
            text == level.number.to_string() || text.eq_ignore_ascii_case(level.name)
        });
        found.ok_or_else(|| {
            let names = listed(Level::ALL, "or");
            let expected = format!("a number from 1 to {} or a name: {names}", Level::ALL.len());
            NameError::new("level", expected, text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Oracle, Source};
    use fourbook_solver::board::{ScoreBounds, Size, column_name, winning_score};
    use fourbook_solver::{Limits, StopReason, Stopped};

    /// Equal scores for every column of 7x6.
    const EVEN: [Option<Score>; 7] = [Some(0); 7];

    fn position(moves: &str) -> Position {
        Position::from_moves(moves).unwrap()
    }

    #[test]
    fn a_board_of_another_size_is_an_error() {
        let oracle = Oracle::without_book("8x8".parse().unwrap()).unwrap();
        for level in [Level::PERFECT, Level::BEGINNER] {
            let error = oracle.choose_move(position("44"), level, 1).unwrap_err();
            assert_eq!(error.to_string(), "expected a position of 8x8 boards, found one of 7x6");
        }
    }

    #[test]
    fn random_seeds_differ_and_are_short() {
        let seeds: std::collections::BTreeSet<u64> = (0..20).map(|_| random_seed()).collect();
        assert!(seeds.len() > 10 && seeds.iter().all(|&seed| seed < SEEDS), "{seeds:?}");
    }

    /// How often each column is played, by seeds from 0 on.
    fn frequencies(level: Level, position: Position, moves: &[Option<Score>]) -> Vec<u32> {
        let mut frequencies = vec![0; moves.len()];
        for seed in 0..16_000 {
            frequencies[level.choose(position, moves, seed).unwrap()] += 1;
        }
        frequencies
    }

    #[test]
    fn levels_are_read_by_number_and_name() {
        for (index, level) in Level::ALL.into_iter().enumerate() {
            assert_eq!(level.number as usize, index + 1);
            for text in [level.number.to_string(), level.to_string(), level.name.to_uppercase()] {
                assert_eq!(text.parse(), Ok(level));
            }
        }
        assert_eq!((Level::ALL[0], Level::ALL[7]), (Level::BEGINNER, Level::PERFECT));
        for text in ["", "0", "9", "08", "-1", "grandmaster"] {
            let error = text.parse::<Level>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{text}' is not a level; expected a number")));
            assert!(
                error.ends_with(
                    "from 1 to 8 or a name: beginner, novice, casual, \
                 intermediate, advanced, expert, master or perfect"
                ),
                "{error}"
            );
        }
    }

    #[test]
    fn the_documentation_lists_every_level() {
        for level in Level::ALL {
            let horizon = level.horizon.map_or("the whole game".to_owned(), |it| it.to_string());
            let row = format!("| {} | {level} | {horizon} | {} |", level.number, level.chance);
            assert!(include_str!("mod.rs").contains(&row), "{row}");
        }
    }

    #[test]
    fn every_level_is_stronger_than_the_one_before() {
        for pair in Level::ALL.windows(2) {
            assert!(pair[0].chance >= pair[1].chance);
            let farther = pair[1].horizon.is_none_or(|far| pair[0].horizon <= Some(far));
            assert!(farther, "{pair:?}");
        }
        assert_eq!((Level::PERFECT.chance, Level::PERFECT.horizon), (0, None));
    }

    #[test]
    fn candidates_are_chosen_by_their_distance_from_the_edge() {
        let frequencies = frequencies(Level::PERFECT, position(""), &EVEN);
        for (column, weight) in [1, 2, 3, 4, 3, 2, 1].into_iter().enumerate() {
            assert!(frequencies[column].abs_diff(1000 * weight) < 150, "{frequencies:?}");
        }
    }

    #[test]
    fn a_level_plays_by_chance_as_often_as_it_says() {
        // A win at once in the first column: all levels see it.
        let position = position("121212");
        let mut moves = EVEN;
        moves[0] = Some(18);
        for level in Level::ALL {
            let missed = 16_000 - frequencies(level, position, &moves)[0];
            // Of 16 moves by chance, one is in the first column.
            let expected = 16_000 * level.chance / 100 * 15 / 16;
            assert!(missed.abs_diff(expected) <= expected / 10, "{level}: {missed}");
        }
    }

    #[test]
    fn what_lies_beyond_the_horizon_is_even() {
        let position = position("");
        let ends_after = |stones| Some(winning_score(42, stones));
        for level in Level::ALL {
            let Some(horizon) = level.horizon else { continue };
            // The first player wins with odd stones, loses to even ones.
            let win = (horizon - 1) / 2 * 2 + 1;
            let loss = horizon / 2 * 2;
            let worth = |score: Option<Score>| level.worth(position, score.unwrap());
            assert_eq!(worth(ends_after(win)), ends_after(win).unwrap(), "{level}");
            assert_eq!(worth(ends_after(win + 2)), 0, "{level}");
            let lost = |stones| ends_after(stones).map(|score| -score);
            if loss > 0 {
                assert_eq!(worth(lost(loss)), lost(loss).unwrap(), "{level}");
            }
            assert_eq!(worth(lost(loss + 2)), 0, "{level}");
        }
    }

    #[test]
    fn a_win_with_the_next_stone_takes_no_search() {
        let oracle = Oracle::without_book("8x7".parse().unwrap()).unwrap();
        let position = Position::parse(oracle.size(), "112233").unwrap();
        assert_eq!(oracle.choose_move(position, Level::PERFECT, 1).unwrap(), (Some(3), None));
        assert_eq!(oracle.nodes(), 0);
    }

    /// A level's move in a position of a large board, within some nodes.
    fn find(level: Level, size: &str, moves: &str, nodes: u64) -> (Option<usize>, Option<Stopped>) {
        let limits = Limits { max_nodes: Some(nodes), ..Limits::default() };
        let oracle = Oracle::without_book(size.parse().unwrap()).unwrap().with_limits(limits);
        let position = Position::parse(oracle.size(), moves).unwrap();
        oracle.choose_move(position, level, 1).unwrap()
    }

    #[test]
    fn where_a_limit_ends_the_search_the_best_move_known_is_played() {
        for level in [Level::PERFECT, Level::ALL[6]] {
            for (size, moves, expected) in [
                // Nothing is known but the board.
                ("8x8", "", 3),
                ("9x8", "1", 4),
                // Three in a row with both ends open would come next.
                ("9x8", "415", 5),
            ] {
                for nodes in [0, 1000] {
                    let (column, stopped) = find(level, size, moves, nodes);
                    let stopped = stopped.unwrap_or_else(|| panic!("{size} {moves} is proved"));
                    assert_eq!(column, Some(expected), "{size} {moves} {level}");
                    assert_eq!((stopped.reason, stopped.nodes), (StopReason::NodeBudget, nodes));
                    let bounds = stopped.bounds.expect("one position");
                    assert!(bounds.min < 0 && bounds.max > 0, "{bounds:?}");
                }
            }
        }
    }

    #[test]
    fn a_move_that_wins_as_soon_as_any_is_proved_without_its_score() {
        // Three in a row with both ends open.
        let (column, stopped) = find(Level::PERFECT, "9x8", "4455", 0);
        assert!(stopped.is_none() && [Some(2), Some(5)].contains(&column), "{column:?}");
        // Levels that look ahead see it, too, and a move that is all that they see is proved.
        for level in Level::ALL.into_iter().filter(|level| level.is_quick()) {
            assert_eq!(find(level, "9x8", "", 1 << 30).1, None, "{level}");
        }
    }

    /// Bounds of the score decide first, then scores of moves.
    #[test]
    fn bounds_choose_between_known_and_unknown_moves() {
        let position = position("");
        let known = |moves: [i8; 7], min, max| {
            let none = Score::MIN;
            let mut known = Analysis::none(position);
            known.learn_bounds(ScoreBounds { min, max }, Source::Solver);
            let columns: Vec<usize> = (0..7).filter(|&column| moves[column] != none).collect();
            known.learn(&columns, columns.iter().map(|&column| Some(-moves[column])));
            Level::PERFECT.decide(&known, 1)
        };
        let none = Score::MIN;
        // A draw is known, and the position is at most a draw.
        assert_eq!(known([0, none, none, none, none, none, -2], -5, 0), (Some(0), true));
        // A draw is known, but a move wins.
        assert_eq!(known([none, 0, 0, 0, 0, 0, 0], 1, 5), (Some(0), false));
        // The moves that are known lose.
        assert_eq!(known([-1, -2, none, -3, -3, none, -1], -9, 9), (Some(2), false));
        // A win is known; others could be sooner.
        assert_eq!(known([none, none, none, none, none, 3, none], -9, 9), (Some(5), false));
    }

    #[test]
    fn columns_that_cannot_be_played_are_never_chosen() {
        let full = position("4444443");
        let moves = [Some(-3), None, Some(-3), None, None, Some(-4), None];
        for level in Level::ALL {
            let frequencies = frequencies(level, full, &moves);
            assert_eq!([1, 3, 4, 6].map(|column| frequencies[column]), [0; 4], "{level}");
            assert!(frequencies[2] > 0);
        }
        assert_eq!(Level::BEGINNER.choose(position("1212121"), &[None; 7], 1), None);
    }

    /// The choice of another implementation of the documented rule.
    #[test]
    fn chance_is_the_same_everywhere() {
        let chosen = |position: Position, wins: &[usize], seeds: &[u64]| -> String {
            let win = winning_score(position.size().cells(), position.ply() + 1);
            let moves: Vec<_> = (0..position.size().width())
                .map(|column| Some(if wins.contains(&column) { win } else { 0 }))
                .collect();
            seeds
                .iter()
                .map(|&seed| Level::BEGINNER.choose(position, &moves, seed).unwrap())
                .map(column_name)
                .collect()
        };
        let seeds: Vec<u64> = (0..40).collect();
        assert_eq!(
            chosen(position("4453"), &[2, 5, 6], &seeds),
            "3636334764343333636634376357624433453365"
        );
        let wide = Position::empty(Size::new(16, 7).unwrap()).play_moves("gg1").unwrap();
        let seeds: Vec<u64> = seeds.into_iter().map(|seed| u64::MAX - seed).collect();
        assert_eq!(chosen(wide, &[0, 9, 15], &seeds), "814aaaaaga9aaa1aa18ag7aacaa11ad999a7aca7");
    }
}
