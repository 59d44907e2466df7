//! What context function 1 sees of a position: see `books/FORMAT.md`.

use fourbook::{Player, Position, Size};

/// How many features there are.
pub(crate) const FEATURES: usize = 1108;

const THREATS: usize = 896;
const LINES: usize = 994;
const SIDE_TO_MOVE: usize = 1106;
/// Bits of a board; those of a column are one more than its cells.
const BOARD_BITS: usize = 49;
/// Bits of the first cells of a player's lines, level and slanted.
const LINE_BITS: usize = 56;
/// The lowest cell of each column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;

/// The features of a position.
pub(crate) fn of(position: Position) -> Vec<u16> {
    assert_eq!(position.size(), Size::STANDARD);
    let [first, second] = [Player::X, Player::O].map(|player| position.stones(player) as u64);
    let key = first + position.mask() as u64 + BOTTOM;
    let mut features: Vec<usize> =
        (0..7).map(|column| 128 * column + (key >> (7 * column)) as usize % 128).collect();
    for (from, player) in [(THREATS, Player::X), (THREATS + BOARD_BITS, Player::O)] {
        let cells = position.threats(player);
        features.extend((0..BOARD_BITS).filter(|&bit| cells >> bit & 1 == 1).map(|bit| from + bit));
    }
    features.extend(lines().filter_map(|(slanted, cells)| {
        let count = |stones: u64| cells.iter().filter(|&&bit| stones >> bit & 1 == 1).count();
        let player = match (count(first), count(second)) {
            (2, 0) => 0,
            (0, 2) => 1,
            _ => return None,
        };
        Some(LINES + player * LINE_BITS + slanted * LINE_BITS / 2 + cells[0])
    }));
    features.push(SIDE_TO_MOVE + usize::from(position.to_move() == Player::O));
    features.into_iter().map(|feature| feature as u16).collect()
}

/// Every line of four that is not upright: 1 if it is slanted, else 0, and the
/// bits of its cells from the left.
fn lines() -> impl Iterator<Item = (usize, [usize; 4])> {
    let starts = (0..4).flat_map(|column| (0..6).map(move |row| (column, row)));
    starts.flat_map(|(column, row)| {
        (0..3).filter_map(move |direction| {
            let up = direction - 1;
            let cell = |i: i32| (column + i) * 7 + row + i * up;
            let inside = (0..6).contains(&(row + 3 * up));
            inside.then(|| (usize::from(up != 0), [0, 1, 2, 3].map(|i| cell(i) as usize)))
        })
    })
}
