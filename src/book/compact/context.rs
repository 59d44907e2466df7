//! Contexts: what can be seen of a position's value without a search.
//!
//! Each context has a prefix code of its own.
//! The functions are parts of the book format: whole numbers only, and none of
//! them ever changes. Mirror images have the same context.

use super::likelihood::{self, Order};
use super::network;
use super::tactics::{Tactics, resolve};
use crate::board::threats::winning_cells;
use crate::board::{Player, Position, Score, Size, Word};
use crate::scores::ValueKind;
use crate::simd::Simd;
use std::ops::RangeInclusive;

/// A context function, by its number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Function {
    /// Counts of threats, for any board.
    Threats = 0,
    /// A small network and a decision tree, for 7x6.
    Network = 1,
    /// What forced moves give away, and a network that puts the scores in an order, for
    /// exact scores of 7x6.
    Likelihood = 2,
}

/// What a function sees of a position.
#[derive(Clone, Copy)]
pub(super) enum Sight {
    /// Its value, for which nothing is written.
    Value(Score),
    /// A context, whose code is for values in their natural order.
    Context(usize),
    /// A context, whose code is for values in this order; from the first player's view.
    Ordered(usize, Order),
}

impl Sight {
    /// The context, unless the value is seen.
    #[inline(always)]
    pub(super) fn context(&self) -> Option<usize> {
        match self {
            Sight::Value(_) => None,
            Sight::Context(context) | Sight::Ordered(context, _) => Some(*context),
        }
    }

    /// The value for `player`, who is to move, that is written as this symbol where values
    /// begin at `least`; `None` if none is.
    #[inline(always)]
    pub(super) fn value(&self, symbol: u8, player: Player, least: Score) -> Option<Score> {
        match self {
            Sight::Value(score) => Some(*score),
            Sight::Context(_) => Some(least.wrapping_add(symbol as Score)),
            Sight::Ordered(_, order) => {
                let score = order.score(symbol)?;
                Some(if player == Player::X { score } else { -score })
            }
        }
    }
}

impl Function {
    /// Those for values of this kind on boards of this size, the best first.
    #[cfg(feature = "generate")]
    pub(super) fn for_values(size: Size, kind: ValueKind) -> &'static [Function] {
        match (size, kind) {
            (Size::STANDARD, ValueKind::Scores) => &[Function::Likelihood, Function::Network],
            (Size::STANDARD, ValueKind::WinDrawLoss) => &[Function::Network],
            _ => &[Function::Threats],
        }
    }

    /// The function with this number, if values of this kind on boards of this size can have it.
    pub(super) fn from_number(number: u8, size: Size, kind: ValueKind) -> Option<Function> {
        match (number, size, kind) {
            (0, ..) => Some(Function::Threats),
            (1, Size::STANDARD, _) => Some(Function::Network),
            (2, Size::STANDARD, ValueKind::Scores) => Some(Function::Likelihood),
            _ => None,
        }
    }

    /// The numbers of the functions that values of a kind on boards of a size can have.
    pub(super) fn numbers(size: Size, kind: ValueKind) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |&number| Function::from_number(number, size, kind).is_some())
    }

    /// How many contexts the function tells apart: a power of two.
    pub(super) const fn contexts(self) -> usize {
        match self {
            Function::Threats => 512,
            Function::Network => network::CONTEXTS,
            Function::Likelihood => likelihood::CONTEXTS,
        }
    }

    /// What it sees of a position that is its own [canonical](Position::canonical) image,
    /// whose value is one of `values`.
    #[inline(always)]
    pub(super) fn of<B: Word, S: Simd>(
        self,
        position: Position<B>,
        values: &RangeInclusive<Score>,
    ) -> Sight {
        match self {
            Function::Threats => Sight::Context(of_threats(position)),
            Function::Network => {
                let first = position.stones(Player::X);
                Sight::Context(network::context(first.low(), position.mask().low()))
            }
            Function::Likelihood => {
                match resolve::<S>(position.mover().low(), position.mask().low()) {
                    Tactics::Known(score) => Sight::Value(score),
                    Tactics::Quiet(quiet) => {
                        let values = for_first(position, values);
                        let order = Order::of::<S>(&quiet, values);
                        Sight::Ordered(order.context::<S>(), order)
                    }
                }
            }
        }
    }
}

/// Values for the side to move, from the first player's view.
#[inline(always)]
fn for_first<B: Word>(
    position: Position<B>,
    values: &RangeInclusive<Score>,
) -> RangeInclusive<Score> {
    match position.to_move() {
        Player::X => values.clone(),
        Player::O => values.end().saturating_neg()..=values.start().saturating_neg(),
    }
}

/// Two bits each for the threats of the first player in even rows (from 0), of
/// the second in odd ones, and the other two, the most important first; three
/// stand for more. One bit for a threat that the side to move has to answer.
fn of_threats<B: Word>(position: Position<B>) -> usize {
    let geometry = position.geometry();
    let first = winning_cells(geometry, position.stones(Player::X), position.mask());
    let second = winning_cells(geometry, position.stones(Player::O), position.mask());
    let (even, odd) = (geometry.even_rows, geometry.odd_rows);
    let counts = [first & even, second & odd, second & even, first & odd];
    let counts = counts.map(|cells| cells.count_ones().min(3) as usize);
    let forced = !(position.opponent_winning_cells() & position.possible_moves()).is_empty();
    2 * counts.into_iter().fold(0, |context, count| 4 * context + count) + usize::from(forced)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::with_word;
    use crate::simd::Baseline;

    /// The context of any position, with a function whose order is the natural one.
    fn context(function: Function, position: Position) -> usize {
        let sight = with_word!(position.size(), B => {
            function.of::<_, Baseline>(position.narrow::<B>().canonical(), &(-1..=1))
        });
        match sight {
            Sight::Context(context) => context,
            Sight::Value(_) | Sight::Ordered(..) => panic!("expected a context"),
        }
    }

    /// Compares with a table of the document, whose contexts were worked out by
    /// another program, from the description alone.
    fn assert_contexts(size: &str, heading: &str, function: Function) {
        let size: Size = size.parse().unwrap();
        let document = include_str!("../../../books/FORMAT.md");
        let (_, table) = document.split_once(&format!("{heading}\n|---|---|\n")).unwrap();
        let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
        assert!(rows.len() >= 5);
        for row in rows {
            let fields: Vec<&str> = row.split(['|', '`', ' ']).filter(|s| !s.is_empty()).collect();
            let position = Position::empty(size).play_moves(fields[0]).unwrap();
            for position in [position, position.mirrored()] {
                let context = context(function, position);
                assert_eq!(context.to_string(), fields[1], "{row}");
            }
        }
    }

    #[test]
    fn the_contexts_are_those_that_the_format_says() {
        assert_contexts("4x4", "| Moves on 4x4 | Context |", Function::Threats);
        assert_contexts("10x9", "| Moves on 10x9 | Context |", Function::Threats);
        assert_contexts("7x6", "| Moves | Context |", Function::Network);
    }

    #[test]
    fn the_model_is_the_one_that_the_format_names() {
        let checksum = crc32fast::hash(include_bytes!("../../../books/context-1.bin"));
        let document = include_str!("../../../books/FORMAT.md");
        assert!(document.contains(&format!("CRC-32 `{checksum:08x}`")), "{checksum:08x}");
    }

    #[test]
    fn every_context_is_below_their_number() {
        let mut position = Position::empty(Size::new(5, 4).unwrap());
        for column in [0, 1, 0, 1, 0, 2, 2, 4, 3, 3, 4] {
            position = position.play(column);
            assert!(context(Function::Threats, position) < Function::Threats.contexts());
        }
    }

    #[test]
    fn a_function_is_for_some_boards_and_kinds() {
        let numbers =
            |size: &str, kind| Function::numbers(size.parse().unwrap(), kind).collect::<Vec<_>>();
        for kind in [ValueKind::Scores, ValueKind::WinDrawLoss] {
            assert_eq!(numbers("5x4", kind), [0]);
        }
        assert_eq!(numbers("7x6", ValueKind::Scores), [0, 1, 2]);
        assert_eq!(numbers("7x6", ValueKind::WinDrawLoss), [0, 1]);
    }
}
