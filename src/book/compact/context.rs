//! Contexts: a model's estimate of a position's value, without a search.
//!
//! Each context has a prefix code of its own. The models are parts of the book format: whole
//! numbers only, and none of them ever changes. Mirror images have the same context.

use super::likelihood::{self, Order};
use super::tactics::{Tactics, resolve};
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Board, Player, Score, Size, Word};
use fourbook_solver::simd::Simd;
use std::ops::RangeInclusive;

/// The way to the context of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Model {
    /// All positions have the same context.
    None,
    /// Forced moves, then a trained network that orders the possible scores; for exact scores of
    /// 7x6.
    Likelihood,
}

/// The result of a model for a position.
#[derive(Clone, Copy)]
pub(super) enum Prediction {
    /// Its value, for which nothing is written.
    Value(Score),
    /// A context, whose code is for values in their natural order.
    Context(usize),
    /// A context, whose code is for values in this order; from the first player's view.
    Ordered(usize, Order),
}

impl Prediction {
    /// The context, unless the model finds the value.
    #[inline(always)]
    pub(super) fn context(&self) -> Option<usize> {
        match self {
            Prediction::Value(_) => None,
            Prediction::Context(context) | Prediction::Ordered(context, _) => Some(*context),
        }
    }

    /// Returns the value that this symbol stands for with `player` to move, where values begin at
    /// `least`; `None` if there is no such value.
    #[inline(always)]
    pub(super) fn value(&self, symbol: u8, player: Player, least: Score) -> Option<Score> {
        match self {
            Prediction::Value(score) => Some(*score),
            Prediction::Context(_) => Some(least.wrapping_add(symbol as Score)),
            Prediction::Ordered(_, order) => {
                let score = order.score(symbol)?;
                Some(if player == Player::X { score } else { -score })
            }
        }
    }
}

impl Model {
    /// The models for sections with values of this kind on boards of this size, the best first. The
    /// last one works for any values.
    pub(super) fn best(size: Size, kind: ValueKind) -> &'static [Model] {
        match (size, kind) {
            (Size::STANDARD, ValueKind::Scores) => &[Model::Likelihood, Model::None],
            _ => &[Model::None],
        }
    }

    /// Its number in a file: the CRC-32 of its constants, 0 without any.
    pub(super) const fn number(self) -> u32 {
        match self {
            Model::None => 0,
            Model::Likelihood => likelihood::NUMBER,
        }
    }

    /// The number of its contexts: a power of two.
    pub(super) const fn contexts(self) -> usize {
        match self {
            Model::None => 1,
            Model::Likelihood => likelihood::CONTEXTS,
        }
    }

    /// Applies the model to a position that is its own [canonical](Position::canonical) image and
    /// has one of `values`.
    #[inline(always)]
    pub(super) fn of<B: Word, S: Simd>(
        self,
        position: Board<B>,
        values: &RangeInclusive<Score>,
    ) -> Prediction {
        match self {
            Model::None => Prediction::Context(0),
            Model::Likelihood => {
                match resolve::<S>(position.mover().low(), position.mask().low()) {
                    Tactics::Known(score) => Prediction::Value(score),
                    Tactics::Quiet(quiet) => {
                        let values = for_first(position, values);
                        let order = Order::of::<S>(&quiet, values);
                        Prediction::Ordered(order.context::<S>(), order)
                    }
                }
            }
        }
    }
}

/// Values for the side to move, from the first player's view.
#[inline(always)]
fn for_first<B: Word>(position: Board<B>, values: &RangeInclusive<Score>) -> RangeInclusive<Score> {
    match position.to_move() {
        Player::X => values.clone(),
        Player::O => values.end().saturating_neg()..=values.start().saturating_neg(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_the_one_that_the_format_names() {
        let checksum = crc32fast::hash(include_bytes!("../../../books/context.bin"));
        assert_eq!(Model::Likelihood.number(), checksum, "{checksum:08x}");
        let document = include_str!("../../../docs/src/format.md");
        assert!(document.contains(&format!("CRC-32 `{checksum:08x}`")), "{checksum:08x}");
    }
}
