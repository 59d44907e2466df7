//! What context function 2 sees of a position: see `books/FORMAT.md`.

use fourbook::{Player, Position, Score, Size};

/// How many features there are.
pub(crate) const FEATURES: usize = 1419;

const THREATS: usize = 896;
const TWO_IN_LINE: usize = 994;
const ONE_IN_LINE: usize = 1106;
const SAFE_COLUMNS: usize = 1218;
const THREATENING_MOVES: usize = 1346;
const STONES: usize = 1395;
/// Bits of a board; those of a column are one more than its cells.
const BOARD_BITS: usize = 49;
/// Bits of the first cells of a player's lines, level and slanted.
const LINE_BITS: usize = 56;
/// The lowest cell of each column, and all cells.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
const BOARD: u64 = 63 * BOTTOM;
const MOST_FORCED: u32 = 8;

/// Whose stones are where: those of the side to move, and all.
#[derive(Clone, Copy)]
struct Board {
    own: u64,
    mask: u64,
}

impl Board {
    fn possible(self) -> u64 {
        (self.mask + BOTTOM) & BOARD
    }

    fn play(self, cell: u64) -> Board {
        Board { own: self.own ^ self.mask, mask: self.mask | cell }
    }

    fn other(self) -> Board {
        Board { own: self.own ^ self.mask, ..self }
    }

    /// The empty cells that complete four of the side's stones.
    fn threats(self) -> u64 {
        let complete = [1, 6, 7, 8].map(|step| {
            let at = |cells: i32| {
                let shift = step * cells;
                if shift < 0 { self.own << -shift } else { self.own >> shift }
            };
            let rows = [[1, 2, 3], [-1, 1, 2], [-2, -1, 1], [-3, -2, -1]];
            rows.iter().fold(0, |cells, row| cells | at(row[0]) & at(row[1]) & at(row[2]))
        });
        complete.iter().fold(0, |all, cells| all | cells) & BOARD & !self.mask
    }

    /// The moves after which the other side does not win at once.
    fn safe(self) -> u64 {
        let threats = self.other().threats();
        let moves = match self.possible() & threats {
            0 => self.possible(),
            one if one.is_power_of_two() => one,
            _ => 0,
        };
        moves & !(threats >> 1)
    }

    /// Whether a move leaves the other side none that is safe.
    fn wins_soon(self) -> bool {
        cells(self.safe()).any(|cell| {
            let after = self.play(cell);
            after.mask != BOARD && after.safe() == 0
        })
    }
}

fn cells(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// What the function sees.
pub(crate) enum Sight {
    /// The score for the side to move.
    Score(Score),
    Features(Vec<u16>),
}

/// What the function sees of a position that is its own canonical image.
pub(crate) fn of(position: Position) -> Sight {
    assert_eq!(position.size(), Size::STANDARD);
    let [first, second] = [Player::X, Player::O].map(|player| position.stones(player) as u64);
    let stones = position.ply();
    let own = if stones.is_multiple_of(2) { first } else { second };
    let mut board = Board { own, mask: first | second };
    let mut forced = 0;
    // If the side that plays stone number `stone` makes four with it.
    let score = |stone: u32| {
        let score = ((44 - stone) / 2) as Score;
        if (stone - stones).is_multiple_of(2) { -score } else { score }
    };
    loop {
        let safe = board.safe();
        if safe == 0 && board.mask != BOARD {
            return Sight::Score(score(stones + forced + 2));
        }
        if !safe.is_power_of_two() || forced == MOST_FORCED {
            break;
        }
        board = board.play(safe);
        forced += 1;
    }
    if board.wins_soon() {
        return Sight::Score(score(stones + forced + 3));
    }
    let mut threatening = 0;
    for cell in cells(board.safe()) {
        let after = board.play(cell);
        let replies = after.possible() & after.other().threats();
        if replies != 0 {
            threatening |= cell;
            if after.play(replies).wins_soon() {
                return Sight::Score(score(stones + forced + 5));
            }
        }
    }
    Sight::Features(features(board, threatening))
}

fn features(board: Board, threatening: u64) -> Vec<u16> {
    let stones = board.mask.count_ones() as usize;
    let first = if stones.is_multiple_of(2) { board } else { board.other() };
    let bits = |from: usize, set: u64| {
        (0..BOARD_BITS).filter(move |bit| set >> bit & 1 == 1).map(move |bit| from + bit)
    };
    let key = first.own + first.mask + BOTTOM;
    let mut features: Vec<usize> =
        (0..7).map(|column| 128 * column + (key >> (7 * column)) as usize % 128).collect();
    features.extend(bits(THREATS, first.threats()));
    features.extend(bits(THREATS + BOARD_BITS, first.other().threats()));
    features.extend(lines().filter_map(|(slanted, line)| {
        let count = |stones: u64| line.iter().filter(|&&bit| stones >> bit & 1 == 1).count();
        let (from, player) = match (count(first.own), count(first.other().own)) {
            (2, 0) => (TWO_IN_LINE, 0),
            (0, 2) => (TWO_IN_LINE, 1),
            (1, 0) => (ONE_IN_LINE, 0),
            (0, 1) => (ONE_IN_LINE, 1),
            _ => return None,
        };
        Some(from + player * LINE_BITS + slanted * LINE_BITS / 2 + line[0])
    }));
    let safe = board.safe();
    let columns = (0..7).filter(|column| safe >> (7 * column) & 127 != 0);
    features.push(SAFE_COLUMNS + columns.map(|column| 1 << column).sum::<usize>());
    features.extend(bits(THREATENING_MOVES, threatening));
    features.push(STONES + if stones > 22 { 22 + stones % 2 } else { stones });
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
