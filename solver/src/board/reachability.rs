//! Whether a game can reach a position, and how.
//!
//! Gravity and equal numbers of stones are not enough: two columns that both
//! begin with a stone of `O` on an otherwise empty board are no game. A game
//! is found by taking stones back, each time one that lies on top of its
//! column and belongs to the player whose turn it was. The heights of the columns
//! determine the remaining stones, so no combination of heights is looked
//! at twice. Since the players alternate strictly, few of them come up in a
//! position from play: less than a microsecond's work on 7x6. A board made up
//! to be tangled takes up to half a second on 8x7; on boards with more
//! combinations than that one the search gives up in the end.

use super::packed::Board;
use super::player::Player;
use super::position::Position;
use super::threats::has_four;
use super::word::Word;
use crate::with_word;
use std::collections::HashSet;

/// The most combinations of heights that a search rules out before it gives up: those of 8x7.
/// So all boards of at most 64 bits and 8 columns are decided.
const MOST_DEAD: usize = 1 << 24;

/// The search with a set, for boards with too many combinations for a bit each.
const MOST_DEAD_IN_SET: usize = 1 << 20;

/// Words of bits for few combinations: enough for positions of 7x6 with 16 stones.
const FEW: usize = 64;

/// Combinations that have a bit each: 32 MiB.
const MOST_BITS: u64 = 1 << 28;

/// Whether some game from the empty board reaches `position`, with no line of
/// four before its last stone.
///
/// Exact on every board up to eight columns and seven rows. On others a search that
/// becomes too long is given up, and the answer is `false`; no position met in play is
/// known for which that happens.
///
/// ```
/// use fourbook_solver::board::{Board, Position, Size, is_reachable};
/// assert!(is_reachable(Position::from_moves("4453")?));
/// // O X and O X in two columns: X has no first move.
/// let unreachable =
///     Position::from_bitboards(Size::STANDARD, 0b10_0000010, 0b11_0000011_u128)?;
/// assert!(!is_reachable(unreachable));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_reachable(position: Position) -> bool {
    with_word!(position.size(), B => {
        let board = Board::<B>::of(position);
        can_be_taken_back(board) || find(board).is_some()
    })
}

/// Takes stones back one by one, each time one that uncovers a stone of the other player if there
/// is one. Returns whether that leads to the empty board, as it does for most positions that a game
/// reaches, in a tenth of the time of a search.
fn can_be_taken_back<B: Word>(board: Board<B>) -> bool {
    let mut next = board.mover();
    let mut last = board.opponent();
    if [next, last].into_iter().any(|stones| has_four(board.geometry(), stones)) {
        return false;
    }
    while !last.is_empty() {
        let tops = last & !((next | last) >> 1);
        let uncovering = tops & next << 1;
        let stone = if uncovering.is_empty() { tops } else { uncovering }.lowest();
        if stone.is_empty() {
            return false;
        }
        (next, last) = (last ^ stone, next);
    }
    true
}

/// The moves (columns from 0) of some game that reaches `position`, or `None` if there is none or
/// the search gives up, as [`is_reachable`] does. Returns the same game every time.
pub fn find_game(position: Position) -> Option<Vec<usize>> {
    let columns = with_word!(position.size(), B => find(Board::<B>::of(position)))?;
    Some(columns.into_iter().take(position.ply() as usize).map(usize::from).collect())
}

/// The columns of a game in the order of the moves, then zeros.
type Columns = [u8; u128::BITS as usize];

fn find<B: Word>(board: Board<B>) -> Option<Columns> {
    let geometry = board.geometry();
    if has_four(geometry, board.mover()) {
        return None;
    }
    let mut weights = [0; 16];
    let mut combinations = 1;
    for (column, weight) in (0..geometry.size.width()).zip(&mut weights) {
        *weight = combinations;
        combinations *= u64::from((board.mask() & geometry.column(column)).count_ones()) + 1;
    }
    let mut search = GameSearch {
        first: board.stones(Player::X),
        column_bits: geometry.column_bits,
        weights,
        dead: Dead::among(combinations),
        columns: [0; u128::BITS as usize],
    };
    // The last stone must break every line of four. No earlier position can then hold one: it
    // is a part of this.
    let winner = board.opponent();
    let allowed = if has_four(geometry, winner) {
        winner
            .cells()
            .filter(|stone| !has_four(geometry, winner & !*stone))
            .fold(B::ZERO, |all, stone| all | stone)
    } else {
        !B::ZERO
    };
    let found = search.take_back(board.mask(), combinations - 1, allowed);
    found.then_some(search.columns)
}

/// A search for a game, backwards from its last position.
struct GameSearch<B> {
    /// Stones of the first player in the position looked for.
    first: B,
    /// Bits of a column.
    column_bits: u32,
    /// The weight of a stone of each column in the number of a combination of heights.
    weights: [u64; 16],
    dead: Dead,
    /// The column of each move of the game, filled in on the way back.
    columns: Columns,
}

/// The combinations of heights that are known to lead nowhere.
#[expect(
    clippy::large_enum_variant,
    reason = "the large one is the usual one, and needs no allocation"
)]
enum Dead {
    /// One bit for each of few combinations, without an allocation.
    Few([u64; FEW]),
    /// One bit for each combination, up to the last one that leads nowhere.
    Bits { bits: Vec<u64>, number: usize },
    /// The combinations themselves.
    Set(HashSet<u64>),
}

impl Dead {
    fn among(combinations: u64) -> Dead {
        if combinations <= 64 * FEW as u64 {
            Dead::Few([0; FEW])
        } else if combinations <= MOST_BITS {
            Dead::Bits { bits: Vec::new(), number: 0 }
        } else {
            Dead::Set(HashSet::new())
        }
    }

    fn contains(&self, number: u64) -> bool {
        match self {
            Dead::Few(bits) => bits[(number / 64) as usize] >> (number % 64) & 1 != 0,
            Dead::Bits { bits, .. } => {
                bits.get((number / 64) as usize).is_some_and(|word| word >> (number % 64) & 1 != 0)
            }
            Dead::Set(set) => set.contains(&number),
        }
    }

    fn insert(&mut self, number: u64) {
        let word = (number / 64) as usize;
        match self {
            Dead::Few(bits) => bits[word] |= 1 << (number % 64),
            Dead::Bits { bits, number: inserted } => {
                if bits.len() <= word {
                    bits.resize(word + 1, 0);
                }
                bits[word] |= 1 << (number % 64);
                *inserted += 1;
            }
            Dead::Set(set) => {
                set.insert(number);
            }
        }
    }

    /// Whether the search has become too long.
    fn are_too_many(&self) -> bool {
        match self {
            Dead::Few(_) => false,
            Dead::Bits { number, .. } => *number > MOST_DEAD,
            Dead::Set(set) => set.len() > MOST_DEAD_IN_SET,
        }
    }
}

impl<B: Word> GameSearch<B> {
    /// Whether all stones of `mask` can be taken back, the first one from `allowed`.
    ///
    /// `number` is the number of this combination of heights. Never deeper
    /// than there are stones on the board.
    fn take_back(&mut self, mask: B, number: u64, allowed: B) -> bool {
        let ply = mask.count_ones();
        if ply == 0 {
            return true;
        }
        let tops = mask & !(mask >> 1);
        let mover = if ply.is_multiple_of(2) { !self.first } else { self.first };
        for stone in (tops & mover & allowed).cells() {
            let column = (stone.trailing_zeros() / self.column_bits) as usize;
            let rest = number - self.weights[column];
            if self.dead.are_too_many() {
                return false;
            }
            if !self.dead.contains(rest) && self.take_back(mask & !stone, rest, !B::ZERO) {
                self.columns[ply as usize - 1] = column as u8;
                return true;
            }
        }
        self.dead.insert(number);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    use crate::board::{Geometry, Size};

    type Small = Position;

    fn small() -> Size {
        Size::new(4, 4).unwrap()
    }

    /// Every position of the games from `position` on.
    fn collect(position: Small, seen: &mut HashSet<Small>) {
        if seen.insert(position) {
            position.children().flatten().for_each(|child| collect(child, seen));
        }
    }

    #[test]
    fn on_4x4_exactly_the_positions_of_games_are_reachable() {
        let mut reached = HashSet::new();
        collect(Small::empty(small()), &mut reached);
        assert_eq!(reached.len(), 161_029, "John Tromp's count of 4x4 positions");
        let mut accepted = 0;
        for heights in 0..5_u32.pow(4) {
            let height = |column| heights / 5_u32.pow(column) % 5;
            let mask = (0..4).map(|column| ((1_u128 << height(column)) - 1) << (5 * column)).sum();
            for position in subsets(mask) {
                if let Ok(position) = Small::from_bitboards(small(), position, mask) {
                    let reachable = is_reachable(position);
                    assert_eq!(reachable, reached.contains(&position), "{position:?}");
                    accepted += usize::from(reachable);
                }
            }
        }
        assert_eq!(accepted, reached.len());
    }

    fn subsets(mask: u128) -> impl Iterator<Item = u128> {
        let mut next = Some(0_u128);
        std::iter::from_fn(move || {
            let subset = next?;
            next =
                Some((subset | !mask).wrapping_add(1) & mask).filter(|&following| following != 0);
            Some(subset)
        })
    }

    #[test]
    fn the_game_found_leads_to_the_position() {
        let empty = Position::empty(Size::new(10, 11).unwrap());
        let mut position = empty;
        let mut random = 1_u64;
        for _ in 0..2_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let column = (random >> 40) as usize % 10;
            position = match position.is_over() {
                true => empty,
                false => position.try_play(column).unwrap_or(position),
            };
            let game = find_game(position).unwrap();
            assert_eq!(game.iter().fold(empty, |p, &column| p.play(column)), position);
        }
    }

    #[test]
    fn a_line_of_four_before_the_last_stone_is_no_game() {
        let won = Position::from_moves("1212121").unwrap();
        assert!(is_reachable(won));
        let beyond = won.0.play_cell(won.0.possible_moves() & won.0.geometry().column(1)).widen();
        assert!(!is_reachable(beyond));
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
        let geometry: &Geometry<u64> = u64::geometry(Size::new(8, 7).unwrap());
        let combinations = 8_u64.pow(6);
        let mut search = GameSearch {
            first,
            column_bits: 8,
            weights: std::array::from_fn(|column| 8_u64.pow(column as u32 % 8)),
            dead: Dead::among(combinations),
            columns: [0; 128],
        };
        assert!(!search.take_back(geometry.board >> 16, combinations - 1, u64::MAX));
    }

    #[test]
    fn a_search_too_long_is_given_up() {
        let mut dead = Dead::among(1 << 48);
        (0..=MOST_DEAD_IN_SET as u64).for_each(|number| dead.insert(number));
        assert!(dead.are_too_many() && dead.contains(7) && !dead.contains(1 << 40));
    }
}
