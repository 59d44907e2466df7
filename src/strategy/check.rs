//! The value that a strategy guarantees, by its moves and the values of its last positions alone.

use super::Strategy;
use crate::oracle::{Oracle, OracleError};
use crate::progress::{Progress, Step};
use fourbook_solver::board::{Board, Player, Position, Score, Word};
use fourbook_solver::splitmix::sample;
use fourbook_solver::{Limits, Outcome, ValueKind, with_word};
use std::collections::HashMap;

/// The result of [`verify`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrategyCheck {
    /// The positions of the strategy, in each of which it has a move.
    pub positions: u64,
    /// The positions of the last ply that were solved.
    pub solved: u64,
    /// Those of them in which the move is not a best one, or the value is another.
    pub wrong: u64,
    /// The value that its player gets at least from the empty board, if all positions of the last ply
    /// were solved: by the moves and the rules alone.
    pub proved: Option<Score>,
}

impl StrategyCheck {
    /// Whether the strategy is right.
    pub fn passed(&self, strategy: &Strategy) -> bool {
        self.wrong == 0 && self.proved.is_none_or(|proved| proved == strategy.value())
    }
}

/// Solves `count` positions of the strategy's last ply, chosen by `seed`, and those after its moves.
/// If `count` is at least their number, also proves the value that the strategy guarantees: a position
/// has the value after the strategy's move and the opponent's best reply. So the proof needs no search
/// above the last ply.
///
/// That there is a move for every reply is checked when a strategy is opened.
///
/// # Errors
///
/// If the oracle reaches a limit or has no memory, or `progress` cancels the work.
pub fn verify(
    strategy: &Strategy,
    count: u64,
    seed: u64,
    oracle: &Oracle,
    progress: &dyn Progress,
) -> Result<StrategyCheck, OracleError> {
    let limits = oracle.limits().clone();
    let cancel = progress.cancel().cloned().or(limits.cancel);
    let oracle = &oracle.with_limits(Limits { cancel, ..limits });
    let kind = strategy.kind();
    let last = strategy.plies().last().expect("a strategy has a ply");
    let all = last.keys.len();
    let numbers = sample(all as u64, count, seed);
    let numbers: Vec<usize> = numbers.into_iter().map(|number| number as usize).collect();
    progress.begin(Step::Solve(strategy.depth()), 0, numbers.len() as u64);
    let mut wrong = 0;
    let mut values = HashMap::new();
    for numbers in numbers.chunks(1 << 10) {
        let before: Vec<_> =
            numbers.iter().map(|&number| position(strategy, last.keys[number])).collect();
        let after: Vec<_> = before
            .iter()
            .zip(numbers)
            .map(|(position, &number)| position.play(last.entries[number].column.into()))
            .collect();
        let before_values = solve(oracle, kind, &before)?;
        let after_values = solve(oracle, kind, &after)?;
        for (place, &number) in numbers.iter().enumerate() {
            let value = -after_values[place];
            let is_stored = !strategy.has_values() || last.entries[number].value == value;
            wrong += u64::from(before_values[place] != value || !is_stored);
            values.insert(last.keys[number], value);
        }
        progress.advance(numbers.len() as u64);
    }
    let proved = (numbers.len() == all)
        .then(|| with_word!(strategy.size, B => prove::<B>(strategy, values)));
    let positions = strategy.plies().iter().map(|ply| ply.keys.len() as u64).sum();
    Ok(StrategyCheck { positions, solved: numbers.len() as u64, wrong, proved })
}

fn position(strategy: &Strategy, key: u128) -> Position {
    Position::from_key(strategy.size, key).expect("a strategy has keys of positions")
}

fn solve(
    oracle: &Oracle,
    kind: ValueKind,
    positions: &[Position],
) -> Result<Vec<Score>, OracleError> {
    match kind {
        ValueKind::Scores => oracle.scores(positions),
        ValueKind::WinDrawLoss => {
            let mut outcomes = Vec::new();
            oracle.outcomes_into(positions, &mut outcomes)?;
            Ok(outcomes.into_iter().flatten().map(Outcome::sign).collect())
        }
    }
}

/// The value of the empty board for the player, from the `values` of the last ply's positions.
fn prove<B: Word>(strategy: &Strategy, mut values: HashMap<u128, Score>) -> Score {
    let kind = strategy.kind();
    for ply in strategy.plies().iter().rev().skip(1) {
        let moves = ply.keys.iter().zip(&ply.entries).map(|(&key, entry)| {
            let after = position(strategy, key).play(entry.column.into());
            (key, worst(Board::<B>::of(after), kind, &values))
        });
        values = moves.collect();
    }
    let start = Board::<B>::start(strategy.size);
    match strategy.player() {
        Player::X => values[&start.key().widen()],
        Player::O => worst(start, kind, &values),
    }
}

/// The player's value in a position in which the opponent is to move: that after the worst reply.
fn worst<B: Word>(board: Board<B>, kind: ValueKind, values: &HashMap<u128, Score>) -> Score {
    if let Some(score) = board.score_by_rules() {
        return -kind.of(score);
    }
    board
        .children()
        .flatten()
        .map(|child: Board<B>| match child.score_by_rules() {
            Some(score) => kind.of(score),
            None => values[&child.canonical_key().widen()],
        })
        .min()
        .expect("the game goes on")
}
