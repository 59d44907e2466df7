//! Why a game ends as it does: the line of four, the threat it came from, and the moves that the
//! loser had left.

use super::{Answer, Oracle, OracleError, report};
use fourbook_solver::board::{Board, Cell, Player, Position, Word, column_name};
use fourbook_solver::text::listed;
use serde::Serialize;
use std::fmt;

/// Why a line of moves ends as it does.
///
/// The facts are about the end of the line. After perfect play the loser had no defence left, so
/// the reason is then never an [`Oversight`](Reason::Oversight). Printed, an explanation is a few
/// sentences about the players `X` and `O`.
///
/// Columns and rows count from 0, rows from the bottom. JSON has their names, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The winner; none after a draw.
    pub winner: Option<Player>,
    /// Number of stones on the board at the end.
    pub stones: u32,
    /// The moves of the line, one character each.
    pub line: String,
    /// The winner's lines of four or more at the end.
    pub fours: Vec<Four>,
    /// The last cell filled, which completes four; none after a draw or without moves.
    pub last: Option<Cell>,
    /// `odd` or `even`: the number of the last cell's row.
    pub row: Option<&'static str>,
    /// Number of stones on the board when the last cell had become a threat of the winner, or
    /// before the line if it was a threat already.
    pub threat_since: Option<u32>,
    /// Why the loser could not prevent it.
    pub reason: Option<Reason>,
    /// The winner's threats that [`reason`](Self::reason) is about.
    pub threats: Vec<Cell>,
    /// The columns with which the loser would not have lost at once, after an oversight.
    #[serde(serialize_with = "report::names")]
    pub defences: Vec<usize>,
    /// All of this in a few sentences.
    pub text: String,
}

/// Four or more stones of one player in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Four {
    /// How the line runs: `column`, `row` or `diagonal`.
    pub direction: &'static str,
    /// The cell at its left end, or at its bottom.
    pub from: Cell,
    /// The cell at its other end.
    pub to: Cell,
}

/// Why a loser could not prevent the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The loser had no move in the line: the winner moves first and wins.
    AtOnce,
    /// The winner had at least two threats that could be played at once.
    DoubleThreat,
    /// Blocking one threat made the threat above it playable.
    StackedThreats,
    /// Zugzwang: the winner threatened nothing that could be played at once, but the loser had to
    /// move, and every column left was below a threat.
    Zugzwang,
    /// The loser had a move that would not have lost at once.
    Oversight,
}

impl Explanation {
    /// Explains how `line`, moves from `position` to the end of a game, ends.
    ///
    /// ```
    /// use fourbook::Position;
    /// use fourbook::oracle::{Explanation, Reason};
    /// // Three in the middle of the bottom row, open on both sides.
    /// let explanation = Explanation::new(Position::from_moves("44335")?, &[1, 5]);
    /// assert_eq!(explanation.reason, Some(Reason::DoubleThreat));
    /// # Ok::<(), fourbook::PositionError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If a move cannot be played or the game goes on after the last one.
    pub fn new(position: Position, line: &[usize]) -> Explanation {
        let mut positions = vec![position];
        for &column in line {
            positions.push(positions[positions.len() - 1].play(column));
        }
        let end = positions[line.len()];
        assert!(end.is_over(), "the line does not end the game");
        let mut explanation = Explanation {
            winner: end.winner(),
            stones: end.ply(),
            line: line.iter().map(|&column| column_name(column)).collect(),
            fours: end.winner().map_or_else(Vec::new, |winner| fours(end, winner)),
            ..Explanation::default()
        };
        if let (Some(winner), [before @ .., _]) = (end.winner(), &positions[..])
            && !before.is_empty()
        {
            explanation.explain_win(winner, before, end);
        }
        explanation.text = explanation.to_string();
        explanation
    }

    /// Fills in the facts of a win. `before` are the positions before the last move.
    fn explain_win(&mut self, winner: Player, before: &[Position], end: Position) {
        let cell = end.mask() ^ before[before.len() - 1].mask();
        let size = end.size();
        let last = Cell::of_all(size, cell)[0];
        let since = before.iter().find(|position| position.threats(winner) & cell != 0);
        self.last = Some(last);
        self.row = Some(if last.row.is_multiple_of(2) { "odd" } else { "even" });
        self.threat_since = since.map(|position| position.ply());
        let Some(index) = before.len().checked_sub(2) else {
            self.reason = Some(Reason::AtOnce);
            return;
        };
        let (reason, threats) = reason_of(Board::of(before[index]));
        self.reason = Some(reason);
        self.threats = Cell::of_all(size, threats);
        let defences = Cell::of_all(size, defences(Board::of(before[index])));
        self.defences = defences.iter().map(|cell| cell.column).collect();
    }
}

/// The moves with which the side to move does not lose at once.
fn defences(position: Board<u128>) -> u128 {
    let wins = position.winning_cells() & position.possible_moves();
    position.non_losing_moves() | wins
}

/// Why the side to move loses with the opponent's next stone, and the threats it is about.
fn reason_of(position: Board<u128>) -> (Reason, u128) {
    let threats = position.opponent_winning_cells();
    let possible = position.possible_moves();
    let playable = threats & possible;
    if defences(position) != 0 {
        (Reason::Oversight, playable)
    } else if playable.count_ones() >= 2 {
        (Reason::DoubleThreat, playable)
    } else if playable != 0 {
        (Reason::StackedThreats, playable | playable << 1)
    } else {
        (Reason::Zugzwang, possible << 1)
    }
}

/// The lines of four or more stones of a player, by their first cells, column by column.
fn fours(position: Position, player: Player) -> Vec<Four> {
    let size = position.size();
    let stones = position.stones(player);
    let number = |cell| Cell::of_all(size, cell)[0];
    let right = size.height() + 1;
    let steps = [("column", 1), ("row", right), ("diagonal", right + 1), ("diagonal", right - 1)];
    let mut found = Vec::new();
    for (direction, step) in steps {
        // A longer line has several cells from which four stones go on.
        let starts = (1..4).fold(stones, |starts, count| starts & stones >> (count * step));
        for from in (starts & !(starts << step)).cells() {
            let more = (1..).take_while(|count| starts & from << (count * step) != 0).count();
            let to = number(from << ((more + 3) * step));
            found.push(Four { direction, from: number(from), to });
        }
    }
    found.sort_by_key(|four| (four.from.column, four.from.row));
    found
}

impl fmt::Display for Four {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Four { from, to, .. } = self;
        let [first, last] = [from, to].map(|cell| column_name(cell.column));
        if from.column == to.column {
            write!(f, "column {first}, rows {} to {}", from.row + 1, to.row + 1)
        } else if from.row == to.row {
            write!(f, "row {}, columns {first} to {last}", from.row + 1)
        } else {
            write!(f, "the diagonal from {from} to {to}")
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(winner) = self.winner else {
            return write!(f, "The board is full after {} stones: a draw.", self.stones);
        };
        let fours: Vec<String> = self.fours.iter().map(Four::to_string).collect();
        let fours = fours.join(", and ");
        let (Some(last), Some(row), Some(since)) = (self.last, self.row, self.threat_since) else {
            return write!(f, "{winner} has won with four in {fours}.");
        };
        write!(f, "{winner} wins with stone {} in {last}: it completes {fours}.", self.stones)?;
        if self.stones - since > 2 {
            write!(f, " That cell, on an {row} row, was a threat after stone {since}.")?;
        }
        self.write_reason(f, winner)
    }
}

impl Explanation {
    fn write_reason(&self, f: &mut fmt::Formatter<'_>, winner: Player) -> fmt::Result {
        let loser = winner.other();
        let cells: Vec<String> = self.threats.iter().map(Cell::to_string).collect();
        match self.reason {
            None | Some(Reason::AtOnce) => Ok(()),
            Some(Reason::DoubleThreat) => write!(
                f,
                " {winner} threatened to complete four in {}; {loser} could block only one.",
                cells.join(" and in ")
            ),
            Some(Reason::StackedThreats) if self.last == Some(self.threats[1]) => write!(
                f,
                " {loser} had to block {}, which made the threat above it playable.",
                cells[0]
            ),
            // The loser's last move is unknown.
            Some(Reason::StackedThreats) => {
                write!(f, " Blocking {} would have made the threat above it playable.", cells[0])
            }
            Some(Reason::Zugzwang) => {
                let columns =
                    listed(self.threats.iter().map(|cell| column_name(cell.column)), "and");
                let left = match self.threats.len() {
                    1 => format!("column {columns} was left,"),
                    _ => format!("columns {columns} were left, each"),
                };
                write!(f, " {loser} was in zugzwang: only {left} below a threat of {winner}.")
            }
            Some(Reason::Oversight) => {
                let columns = listed(self.defences.iter().map(|column| column_name(*column)), "or");
                write!(f, " {loser} could have gone on with column {columns}.")
            }
        }
    }
}

impl Oracle {
    /// Explains the result of a position from its line of perfect play.
    ///
    /// ```
    /// use fourbook::{Oracle, Player, Position, Size};
    /// let oracle = Oracle::without_book(Size::new(5, 4)?)?;
    /// let position = Position::empty(oracle.size()).play_moves("3322")?;
    /// let explanation = oracle.explain(position)?.value;
    /// assert_eq!(explanation.winner, Some(Player::X));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`score`](Self::score).
    pub fn explain(&self, position: Position) -> Result<Answer<Explanation>, OracleError> {
        let Answer { value: (_, line), source, nodes } = self.line(position)?;
        Ok(Answer { value: Explanation::new(position, &line), source, nodes })
    }
}

#[cfg(test)]
mod tests;
