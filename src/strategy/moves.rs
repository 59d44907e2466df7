//! The positions in which the player of a strategy has to move, and the code of the moves.

use super::coder::Bits;
use foldhash::{HashSet, HashSetExt};
use fourbook_solver::ValueKind;
use fourbook_solver::board::{Board, Player, Score, Size, Word, winning_score};

/// The contexts of scores, behind those of moves: for each sign of the least score, and each step
/// from it.
const SCORES: usize = 128;
const STEPS: usize = 128;

/// A position in which the player is to move, as itself or its mirror image, whichever is
/// [canonical](Board::canonical). The player cannot win with the next stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Met<B: Word> {
    pub(super) board: Board<B>,
    /// The least value that the player can have here, after the moves before.
    pub(super) least: Score,
}

/// The player's move in a position, and the position's value for the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The column, from 0.
    pub(super) column: u8,
    /// The value, if the strategy has values.
    pub(super) value: Score,
}

/// A move that a strategy can choose.
#[derive(Clone, Copy)]
pub(super) struct Choice<B: Word> {
    pub(super) column: usize,
    /// The position after it, or its mirror image.
    pub(super) after: Board<B>,
    /// Whether it makes a new threat.
    threatens: bool,
}

/// The moves that a strategy can choose: those after which the opponent cannot win with the next
/// stone, nearest to the centre first, and one of two that lead to mirror images. If there is no such
/// move, the first legal one.
pub(super) fn choices<B: Word>(board: Board<B>) -> Vec<Choice<B>> {
    let mut choices: Vec<Choice<B>> = Vec::with_capacity(board.size().width());
    let safe = board.non_losing_moves();
    let cells = if safe.is_empty() { board.possible_moves() } else { safe };
    let threats = board.winning_cells();
    for column in board.size().centre_first() {
        let cell = cells & board.geometry().column(column);
        if cell.is_empty() {
            continue;
        }
        let child = board.play_cell(cell);
        let after = child.canonical();
        if choices.iter().all(|choice| choice.after != after) {
            let new_threats = child.opponent_winning_cells() & !threats;
            choices.push(Choice { column, after, threatens: !new_threats.is_empty() });
        }
    }
    if safe.is_empty() {
        choices.truncate(1);
    }
    choices
}

/// The positions that follow the player's move, unless the game is over or the player can win with
/// the next stone.
pub(super) fn replies<B: Word>(after: Board<B>) -> impl Iterator<Item = Board<B>> {
    let children = after.children().flatten();
    children.filter(|board| board.score_by_rules().is_none()).map(Board::canonical)
}

/// The first positions in which `player` is to move.
pub(super) fn first_met<B: Word>(size: Size, player: Player, kind: ValueKind) -> Vec<Met<B>> {
    let start = Board::start(size);
    let least = -kind.highest_value(size);
    let boards = match player {
        Player::X => vec![start],
        Player::O => replies(start).collect(),
    };
    unique(boards.into_iter().map(|board| Met { board, least }).collect())
}

/// Sorts positions by their keys. Of equal ones, keeps that with the greatest value.
fn unique<B: Word>(mut met: Vec<Met<B>>) -> Vec<Met<B>> {
    met.sort_unstable_by_key(|met| (met.board.key(), -met.least));
    met.dedup_by_key(|met| met.board);
    met
}

/// Codes or decodes the moves of a ply, in the order of the positions, and their values if
/// `values` has the kind. `wanted` are the entries to be coded, and none for decoding. Returns the
/// entries.
pub(super) fn code_ply<B: Word>(
    bits: &mut impl Bits,
    met: &[Met<B>],
    values: Option<ValueKind>,
    wanted: &[Entry],
) -> Vec<Entry> {
    let mut chosen = HashSet::with_capacity(met.len());
    let mut entries = Vec::with_capacity(met.len());
    for (number, &Met { board, least }) in met.iter().enumerate() {
        let wanted = wanted.get(number).copied().unwrap_or_default();
        let choices = choices(board);
        let Choice { column, after, .. } = code_move(bits, &choices, &chosen, wanted.column);
        chosen.insert(after.key());
        let value = match values {
            Some(kind) => {
                let most = winning_score(board.size().cells(), board.ply() + 3);
                let most = kind.of(most.max(0));
                code_value(bits, least, most, wanted.value)
            }
            None => least,
        };
        entries.push(Entry { column: column as u8, value });
    }
    entries
}

/// The positions of the player's next ply, after the moves of a ply.
pub(super) fn next_met<B: Word>(met: &[Met<B>], entries: &[Entry]) -> Vec<Met<B>> {
    let mut next = Vec::new();
    for (Met { board, .. }, entry) in met.iter().zip(entries) {
        let cell = board.possible_moves() & board.geometry().column(entry.column.into());
        let after = board.play_cell(cell);
        next.extend(replies(after).map(|board| Met { board, least: entry.value }));
    }
    unique(next)
}

/// Codes which of the `choices` leads to the column `wanted`, or decodes which does. A move is more
/// likely if it leads to a position that was chosen before in this ply, or makes a threat.
fn code_move<B: Word>(
    bits: &mut impl Bits,
    choices: &[Choice<B>],
    chosen: &HashSet<B>,
    wanted: u8,
) -> Choice<B> {
    let (last, others) = choices.split_last().expect("there is a legal move");
    for (number, choice) in others.iter().enumerate() {
        let later = &choices[number + 1..];
        let flags = [
            chosen.contains(&choice.after.key()),
            later.iter().any(|choice| chosen.contains(&choice.after.key())),
            choice.threatens,
        ];
        let context = flags.iter().fold(later.len(), |sum, &flag| 2 * sum + usize::from(flag));
        if bits.bit(context, choice.column == usize::from(wanted)) {
            return *choice;
        }
    }
    *last
}

/// Codes `wanted`, or decodes a value in its place: a bit for each value from `least` on, 1 for the
/// right one.
fn code_value(bits: &mut impl Bits, least: Score, most: Score, wanted: Score) -> Score {
    let context = SCORES + STEPS * (1 + least.signum()) as usize;
    let mut value = least;
    while value < most && !bits.bit(context + (value - least) as usize, value == wanted) {
        value += 1;
    }
    value
}
