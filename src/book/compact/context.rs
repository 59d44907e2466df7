//! Contexts: what can be seen of a position's value without a search.
//!
//! Each context has a prefix code of its own.
//! The functions are parts of the book format: whole numbers only, and none of
//! them ever changes. Mirror images have the same context.

use super::network;
use crate::board::threats::winning_cells;
use crate::board::{Player, Position, Size, Word};

/// A context function, by its number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Function {
    /// Counts of threats, for any board.
    Threats = 0,
    /// A small network and a decision tree, for 7x6.
    Network = 1,
}

impl Function {
    /// The best there is for boards of this size.
    #[cfg(feature = "generate")]
    pub(super) fn for_size(size: Size) -> Function {
        if size == Size::STANDARD { Function::Network } else { Function::Threats }
    }

    /// The function with this number, if boards of this size can have it.
    pub(super) fn from_number(number: u8, size: Size) -> Option<Function> {
        match number {
            0 => Some(Function::Threats),
            1 if size == Size::STANDARD => Some(Function::Network),
            _ => None,
        }
    }

    /// The numbers of the functions that boards of a size can have.
    pub(super) fn numbers(size: Size) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |&number| Function::from_number(number, size).is_some())
    }

    /// How many contexts the function tells apart: a power of two.
    pub(super) const fn contexts(self) -> usize {
        match self {
            Function::Threats => 512,
            Function::Network => network::CONTEXTS,
        }
    }

    /// The context of a position that is its own [canonical](Position::canonical) image.
    #[inline]
    pub(super) fn of<B: Word>(self, position: Position<B>) -> usize {
        match self {
            Function::Threats => of_threats(position),
            Function::Network => {
                network::context(position.stones(Player::X).low(), position.mask().low())
            }
        }
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
                let context = with_word!(size, B => {
                    function.of(position.narrow::<B>().canonical())
                });
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
            assert!(Function::Threats.of(position.canonical()) < Function::Threats.contexts());
        }
        assert_eq!(Function::from_number(1, Size::new(5, 4).unwrap()), None);
        assert_eq!(Function::from_number(2, Size::STANDARD), None);
    }
}
