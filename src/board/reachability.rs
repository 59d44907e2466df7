//! Whether a game can reach a position, and how.
//!
//! Gravity and equal numbers of stones are not enough: two columns that both
//! begin with a stone of `O` on an otherwise empty board are no game. A game
//! is found by taking stones back, each time one that lies on top of its
//! column and belongs to the player whose turn it was. What is left is told by
//! the height of every column alone, so no combination of heights is looked
//! at twice. Since the players alternate strictly, few of them come up in a
//! position from play: less than a microsecond's work on 7x6. A board made up
//! to be tangled takes up to half a second on 8x7.

use super::geometry::Geometry;
use super::position::Position;
use super::threats::has_four;

/// Whether some game from the empty board reaches `position`, with no line of
/// four before its last stone. Exact.
///
/// ```
/// use fourbook::board::{Position, is_reachable};
/// assert!(is_reachable(Position::<7, 6>::from_moves("4453")?));
/// // O X and O X in two columns: X has no first move.
/// let unreachable = Position::<7, 6>::from_bitboards(0b10_0000010, 0b11_0000011)?;
/// assert!(!is_reachable(unreachable));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn is_reachable<const W: usize, const H: usize>(position: Position<W, H>) -> bool {
    Retraction::of(position).is_some()
}

/// The moves (columns from 0) of some game that reaches `position`, or `None`
/// if there is none. The same game every time.
#[must_use]
pub fn find_game<const W: usize, const H: usize>(position: Position<W, H>) -> Option<Vec<usize>> {
    let found = Retraction::of(position)?;
    Some(found.columns[..position.ply() as usize].iter().map(|&c| usize::from(c)).collect())
}

/// A search for a game, backwards from its last position.
struct Retraction<const W: usize, const H: usize> {
    /// Stones of the first player in the position looked for.
    first: u64,
    /// What one stone of each column counts in the number of a combination of heights.
    weights: [usize; W],
    /// Number of combinations of heights.
    combinations: usize,
    /// One bit for each combination that is known to lead nowhere; empty until there is one.
    dead: Vec<u64>,
    /// The column of each move of the game, filled in on the way back.
    columns: [u8; 64],
}

impl<const W: usize, const H: usize> Retraction<W, H> {
    /// The finished search, if it has found a game.
    fn of(position: Position<W, H>) -> Option<Self> {
        if has_four::<W, H>(position.position()) {
            return None;
        }
        let mut weights = [0; W];
        let mut combinations = 1;
        for (column, weight) in weights.iter_mut().enumerate() {
            *weight = combinations;
            combinations *= position.height(column) + 1;
        }
        let first = position.first_player();
        let mut search =
            Retraction { first, weights, combinations, dead: Vec::new(), columns: [0; 64] };
        search.take_back_last(position).then_some(search)
    }

    /// Takes the last stone back, which must break every line of four, and goes on.
    /// No earlier position can then hold one: it is a part of this.
    fn take_back_last(&mut self, position: Position<W, H>) -> bool {
        let winner = position.opponent();
        let allowed = if has_four::<W, H>(winner) {
            let stones = cells(winner);
            stones.filter(|stone| !has_four::<W, H>(winner & !stone)).sum()
        } else {
            u64::MAX
        };
        self.take_back(position.mask(), self.combinations - 1, allowed)
    }

    /// Whether all stones of `mask` can be taken back, the first one from `allowed`.
    ///
    /// `number` is the number of this combination of heights. Never deeper
    /// than there are stones on the board.
    fn take_back(&mut self, mask: u64, number: usize, allowed: u64) -> bool {
        let ply = mask.count_ones();
        if ply == 0 {
            return true;
        }
        let tops = mask & !(mask >> 1);
        let mover = if ply.is_multiple_of(2) { !self.first } else { self.first };
        for stone in cells(tops & mover & allowed) {
            let column = stone.trailing_zeros() as usize / Geometry::<W, H>::COLUMN_BITS;
            let rest = number - self.weights[column];
            if !self.is_dead(rest) && self.take_back(mask & !stone, rest, u64::MAX) {
                self.columns[ply as usize - 1] = column as u8;
                return true;
            }
        }
        self.mark_dead(number);
        false
    }

    fn is_dead(&self, number: usize) -> bool {
        self.dead.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    fn mark_dead(&mut self, number: usize) {
        if self.dead.is_empty() {
            self.dead = vec![0; self.combinations.div_ceil(64)];
        }
        self.dead[number / 64] |= 1 << (number % 64);
    }
}

/// The cells of a bitboard one by one, the lowest bit first.
fn cells(mut bits: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let cell = bits & bits.wrapping_neg();
        bits ^= cell;
        (cell != 0).then_some(cell)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    type Small = Position<4, 4>;

    /// Every position of the games from `position` on.
    fn collect(position: Small, seen: &mut HashSet<Small>) {
        if seen.insert(position) {
            position.children().into_iter().flatten().for_each(|child| collect(child, seen));
        }
    }

    #[test]
    fn on_4x4_exactly_the_positions_of_games_are_reachable() {
        let mut reached = HashSet::new();
        collect(Small::EMPTY, &mut reached);
        assert_eq!(reached.len(), 161_029, "John Tromp's count of 4x4 positions");
        let mut accepted = 0;
        for heights in 0..5_u32.pow(4) {
            let height = |column| heights / 5_u32.pow(column) % 5;
            let mask = (0..4).map(|column| ((1_u64 << height(column)) - 1) << (5 * column)).sum();
            for position in subsets(mask) {
                if let Ok(position) = Small::from_bitboards(position, mask) {
                    let reachable = is_reachable(position);
                    assert_eq!(reachable, reached.contains(&position), "{position:?}");
                    accepted += usize::from(reachable);
                }
            }
        }
        assert_eq!(accepted, reached.len());
    }

    fn subsets(mask: u64) -> impl Iterator<Item = u64> {
        let mut next = Some(0_u64);
        std::iter::from_fn(move || {
            let subset = next?;
            next =
                Some((subset | !mask).wrapping_add(1) & mask).filter(|&following| following != 0);
            Some(subset)
        })
    }

    #[test]
    fn the_game_found_leads_to_the_position() {
        let mut position = Position::<8, 7>::EMPTY;
        let mut random = 1_u64;
        for _ in 0..2_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let column = (random >> 40) as usize % 8;
            position = match position.is_over() {
                true => Position::EMPTY,
                false if position.can_play(column) => position.play(column),
                false => position,
            };
            let game = find_game(position).unwrap();
            assert_eq!(game.iter().fold(Position::EMPTY, |p, &column| p.play(column)), position);
        }
    }

    #[test]
    fn a_line_of_four_before_the_last_stone_is_no_game() {
        let won = Position::<7, 6>::from_moves("1212121").unwrap();
        assert!(is_reachable(won));
        assert!(!is_reachable(won.play(1)));
    }

    /// Nearly every combination of heights comes up: above two rows that no
    /// game has, every column alternates, half of them the other way round.
    #[test]
    fn a_tangled_board_is_decided() {
        let of_first = |column: u64, row: u64| row >= 2 && (row + column).is_multiple_of(2);
        let mut first = 0;
        for column in 0..6 {
            for row in 0..7 {
                first |= u64::from(row == 1 || of_first(column, row)) << (8 * column + row);
            }
        }
        // The lines of four on it are of no concern to the search itself.
        let mut search = Retraction::<8, 7> {
            first,
            weights: std::array::from_fn(|column| 8_usize.pow(column as u32)),
            combinations: 8_usize.pow(6),
            dead: Vec::new(),
            columns: [0; 64],
        };
        assert!(!search.take_back(Geometry::<8, 7>::BOARD >> 16, 8_usize.pow(6) - 1, u64::MAX));
    }
}
