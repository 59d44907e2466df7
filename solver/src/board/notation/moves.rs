//! Lists of moves, as people write them: `4453`, `4, 4, 5, 3`, `ddec`, `1. d1 d2 2. e1 c1`.
//!
//! A column is a digit, a letter, or a number between separators. On boards of more than nine
//! columns a letter has two meanings: `a` is the tenth column in fourbook's own moves, and the
//! first one elsewhere. A list of moves is read in every way in which all its moves can be played.
//! If two ways differ, the text is ambiguous, and the error shows both.

use crate::board::position::column_name;
use crate::board::{Position, PositionError, Size};
use crate::text::shortened;

/// The letters that name the first nine columns.
const LETTERS: std::ops::RangeInclusive<char> = 'a'..='i';

/// A move as it is written. There may be no such column.
#[derive(Clone, Copy)]
struct Move {
    column: usize,
    /// The row that the stone must fall to, from 1.
    row: Option<usize>,
    name: char,
}

/// Returns the columns, from 0, of a list of moves in any form. `first` is the number of the first
/// column in the text, usually 1.
///
/// ```
/// use fourbook_solver::board::{Size, notation::moves};
/// for text in ["4453", "4, 4, 5, 3", "ddec", "1. d1 d2 2. e1 c1"] {
///     assert_eq!(moves::parse(Size::STANDARD, text, 1), Ok(vec![3, 3, 4, 2]));
/// }
/// assert_eq!(moves::parse(Size::STANDARD, "3342", 0), Ok(vec![3, 3, 4, 2]));
/// # Ok::<(), fourbook_solver::PositionError>(())
/// ```
///
/// # Errors
///
/// At the first move that cannot be played, and if the text is ambiguous.
pub fn parse(size: Size, text: &str, first: usize) -> Result<Vec<usize>, PositionError> {
    let words = words(size, text)?;
    let own = words.iter().flat_map(|word| word.chars());
    let own = Some(own.map(|name| Move::new(name, number_of(name, first))).collect());
    let letters = if first == 1 { words.iter().map(|word| letters(word)).collect() } else { None };
    let letters = letters.map(|words: Vec<_>| words.concat());
    let readings = match size.width() {
        ..10 => [letters, own, None],
        _ => match (numbers(&words, first), text.contains(',')) {
            (Some(numbers), true) => [Some(numbers), None, None],
            (numbers, _) => [numbers.filter(|numbers| numbers.len() > 1), own, letters],
        },
    };
    let mut fault = None;
    let mut found: Vec<Vec<usize>> = Vec::new();
    for reading in readings.into_iter().flatten() {
        match play(size, &reading, first) {
            Ok(columns) if found.contains(&columns) => {}
            Ok(columns) => found.push(columns),
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    match (&found[..], fault) {
        ([], Some(error)) => Err(error),
        ([one], _) => Ok(one.clone()),
        (several, _) => {
            let listed = |columns: &Vec<usize>| {
                let numbers: Vec<String> =
                    columns.iter().map(|it| format!("{},", it + first)).collect();
                format!("'{}'", numbers.join(" "))
            };
            let readings: Vec<String> = several.iter().map(listed).collect();
            Err(PositionError::Text(format!(
                "'{}' is ambiguous on a board of {} columns; write {}",
                shortened(text),
                size.width(),
                readings.join(" or ")
            )))
        }
    }
}

/// Whether a text can be meant as a list of moves.
pub(super) fn looks_like(text: &str) -> bool {
    let is_part = |part: char| {
        part.is_ascii_digit()
            || LETTERS.contains(&part.to_ascii_lowercase())
            || is_separator(part)
            || matches!(part, '.' | ')')
    };
    text.starts_with(|first: char| {
        first.is_ascii_digit() || text.chars().all(is_part) && first != '.'
    })
}

fn is_separator(part: char) -> bool {
    part.is_whitespace() || matches!(part, ',' | ';' | '-' | '–')
}

/// The words of a text without the numbers of turns.
fn words(size: Size, text: &str) -> Result<Vec<&str>, PositionError> {
    let refused = |problem: String| PositionError::Text(format!("'{}' {problem}", shortened(text)));
    let (mut words, mut turn) = (Vec::new(), 0);
    for word in text.split(|part: char| is_separator(part) && part != '-') {
        let is_score = word
            .strip_prefix('-')
            .is_some_and(|number| number.starts_with(|it: char| it.is_ascii_digit()));
        if is_score {
            return Err(refused(format!(
                "has the score {word} in it; expected moves alone, such as 4453"
            )));
        }
        for word in word.split('-').filter(|word| !word.is_empty()) {
            let digits = word.len() - word.trim_start_matches(|it: char| it.is_ascii_digit()).len();
            let (number, rest) = word.split_at(digits);
            let mut word = word;
            if digits > 0 && rest.starts_with(['.', ')']) {
                let number: usize = number.parse().unwrap_or(usize::MAX);
                if number != turn && number != turn + 1 {
                    return Err(refused(format!("has the turn {number} after the turn {turn}")));
                }
                turn = number;
                word = rest.trim_start_matches(['.', ')']);
            }
            words.extend((!word.is_empty()).then_some(word));
        }
    }
    // A line that the program has printed: a position, and its score or one for each column.
    // A comma at the end makes it a list of moves.
    if let ([first, scores @ ..], 0, false) = (&words[..], turn, text.trim_end().ends_with(',')) {
        let most = size.cells() / 2;
        let is_score = |word: &&str| word.parse::<u32>().is_ok_and(|score| score <= most);
        let is_output = [1, size.width()].contains(&scores.len()) && scores.iter().all(is_score);
        if first.len() > 1 && is_output && scores.iter().any(|word| word.len() != first.len()) {
            return Err(refused(format!(
                "is either the moves {} or the position {first} and {}; write the moves together",
                words.concat(),
                if scores.len() == 1 { "its score" } else { "a score for each column" }
            )));
        }
    }
    Ok(words)
}

impl Move {
    fn new(name: char, column: usize) -> Self {
        Move { column, row: None, name }
    }
}

/// The column that a digit or a letter past 9 stands for; too large if it is none.
fn number_of(name: char, first: usize) -> usize {
    name.to_digit(36).and_then(|number| (number as usize).checked_sub(first)).unwrap_or(usize::MAX)
}

/// Moves of letters, each perhaps with the row: `ddec`, `d1`.
fn letters(word: &str) -> Option<Vec<Move>> {
    let mut moves: Vec<Move> = Vec::new();
    for part in word.chars() {
        let name = part.to_ascii_lowercase();
        if LETTERS.contains(&name) {
            moves.push(Move::new(part, name as usize - 'a' as usize));
        } else {
            let digit = part.to_digit(10)? as usize;
            let row = &mut moves.last_mut()?.row;
            *row = Some(row.unwrap_or(0).min(100) * 10 + digit);
        }
    }
    Some(moves)
}

/// Numbers with separators between them: `4 4 10 3`. On wide boards, a comma makes every number one
/// column.
fn numbers(words: &[&str], first: usize) -> Option<Vec<Move>> {
    let number = |word: &&str| {
        let column = word.parse::<usize>().ok()?.checked_sub(first)?;
        Some(Move::new(if column < 16 { column_name(column) } else { '?' }, column))
    };
    words.iter().map(number).collect()
}

/// The columns of moves that can all be played.
fn play(size: Size, moves: &[Move], first: usize) -> Result<Vec<usize>, PositionError> {
    let mut position = Position::empty(size);
    for (number, &Move { column, row, name }) in (1..).zip(moves) {
        let problem = |problem| PositionError::Move { number, text: name, problem };
        if column >= size.width() {
            let last = size.width() - 1;
            let last = if first == 1 {
                column_name(last)
            } else {
                char::from_digit(last as u32, 36).unwrap_or('?')
            };
            let expected = format!("is not a column; expected a column from {first} to {last}");
            return Err(problem(expected));
        }
        let height = position.height(column);
        position = position.try_play(column).map_err(|error| match error {
            PositionError::Move { problem, .. } => {
                PositionError::Move { number, text: name, problem }
            }
            other => other,
        })?;
        if row.is_some_and(|row| row != height + 1) {
            let (row, height) = (row.unwrap_or_default(), height + 1);
            return Err(problem(format!(
                "names the row {row}, but the stone falls to row {height}"
            )));
        }
    }
    Ok(moves.iter().map(|it| it.column).collect())
}
