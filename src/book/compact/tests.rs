//! Lookups do the same with all instructions.

mod format;

use super::*;
use crate::book::Book;
use fourbook_solver::splitmix::SplitMix;
use likelihood::{DEEP_UNITS, LANES, UNITS};

/// Random positions with up to `most_stones` stones in which nobody wins at once.
fn positions(most_stones: u32) -> Vec<Board<u64>> {
    let mut random = SplitMix(1);
    let mut positions = Vec::new();
    while positions.len() < 5_000 {
        let mut position = Board::<u64>::of(Position::from_moves("").unwrap());
        let stones = random.draw() % u64::from(most_stones + 1);
        for _ in 0..stones {
            let column = (random.draw() % 7) as usize;
            if position.score_by_rules().is_none() {
                position = position.children().nth(column).flatten().unwrap_or(position);
            }
        }
        if position.score_by_rules().is_none() {
            positions.push(position);
        }
    }
    positions
}

#[test]
fn all_instructions_find_the_same() {
    let book = Book::from_bytes(include_bytes!("../../../books/7x6-d12-compact.book")).unwrap();
    let mut found = 0;
    for section in book.sections() {
        let Ok(tables) = book.tables(section) else { continue };
        let section = book.blocks.part(section);
        let compact = Compact::new(tables);
        for position in positions(20) {
            let position = canonical(position.mover(), position.mask());
            let mut values = Instructions::available().into_iter().map(|instructions| {
                instructions.run(Find { compact: &compact, section, position })
            });
            let first = values.next().unwrap();
            assert!(values.all(|value| value == first), "{position:?}");
            found += usize::from(first.unwrap().is_some());
        }
    }
    assert!(found > 5_000);
}

/// The numbers that the network gives.
struct Numbers<'a> {
    units: &'a [i16; UNITS],
    keys: &'a [i16; LANES],
    top: i16,
}

impl WithSimd for Numbers<'_> {
    type Output = ([i16; DEEP_UNITS], u64);

    fn run<S: Simd>(self) -> Self::Output {
        (likelihood::deep_units::<S>(self.units), likelihood::sums::<S>(self.keys, self.top))
    }
}

#[test]
fn all_instructions_give_the_same_numbers() {
    let mut random = SplitMix(2);
    let mut number = |least: i16, most: i16| {
        let count = (i32::from(most) - i32::from(least) + 1) as u64;
        (i32::from(least) + (random.draw() % count) as i32) as i16
    };
    for round in 0..1_000 {
        let units = std::array::from_fn(|_| number(0, 256));
        let units = if round == 0 { [256; UNITS] } else { units };
        let least = number(i16::MIN, i16::MAX);
        let keys = std::array::from_fn(|_| number(least, i16::MAX));
        let top = keys.iter().max().unwrap() >> 6;
        for instructions in Instructions::available() {
            let found = instructions.run(Numbers { units: &units, keys: &keys, top });
            assert_eq!(found, Numbers { units: &units, keys: &keys, top }.run::<Baseline>());
        }
    }
}

/// Computes the effect of the moves of the side to move.
struct AttackOf(Board<u64>);

impl WithSimd for AttackOf {
    type Output = tactics::Attack;

    fn run<S: Simd>(self) -> tactics::Attack {
        let position = self.0;
        tactics::attack::<S>(position.mover(), position.mask(), position.non_losing_moves())
    }
}

/// The same, move by move: whether one wins, and the threats with their replies.
fn plain_attack(position: Board<u64>) -> (bool, Vec<(u64, u64)>) {
    let moves = position.non_losing_moves().cells();
    let children: Vec<_> = moves.map(|cell| (cell, position.play_cell(cell))).collect();
    let wins =
        |&(_, child): &(u64, Board<u64>)| !child.is_full() && child.non_losing_moves().is_empty();
    let replies = |&(cell, child): &(u64, Board<u64>)| {
        (cell, child.opponent_winning_cells() & child.possible_moves())
    };
    let threats = children.iter().map(replies).filter(|&(_, reply)| reply != 0);
    (children.iter().any(wins), threats.collect())
}

#[test]
fn all_instructions_see_the_same_attacks() {
    let mut wins = 0;
    for position in positions(41) {
        let (expected, threats) = plain_attack(position);
        wins += usize::from(expected);
        for instructions in Instructions::available() {
            let found = instructions.run(AttackOf(position));
            assert_eq!(found.wins, expected, "{position:?}");
            if !found.wins {
                assert!(found.moves().eq(threats.iter().copied()), "{position:?}");
            }
        }
    }
    assert!(wins > 100);
}
