//! Lists of moves, as people write them: `4453`, `[4, 4, 5, 3]`, `ddec`, `1. d1 d2 2. e1 c1`.
//!
//! A column is a digit, a letter, or a number between separators. The marks of players may stand before
//! their moves: `x:d1 o:d2`, or as OpenSpiel writes it, with columns from 0, `x3 o3`. Only a game with
//! the numbers of turns may have several lines, or several words of more than one digit. `1 4453` may
//! be a numbered line, `4453 2` a position and its score, and `44 53` two games. For the same reason
//! all separators are of one kind.
//!
//! On boards of more than nine columns a letter has two meanings: `a` is the tenth column in
//! fourbook's own moves, and the first one elsewhere. Moves as fourbook prints them are never
//! ambiguous. Any other list is read in every way in which all its moves can be played. If two ways
//! differ, the text is ambiguous, and the error shows both.

use super::words::Words;
use crate::board::position::column_name;
use crate::board::{Position, PositionError, Size};
use crate::text::{number, shortened};

/// The letters that name the first nine columns.
const LETTERS: std::ops::RangeInclusive<char> = 'a'..='i';

/// The marks of players before their moves.
const PLAYERS: &str = "xoryXORY🔴🟡🔵🟢";

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
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let list = Words::new(text);
    let refused = |problem| PositionError::Text(format!("'{}' {problem}", shortened(text)));
    let is_wide = size.width() > 9;
    let (words, players, is_plain) = words(text, &list).map_err(refused)?;
    // On wide boards, a number of two digits may be a column.
    let is_uneven = is_plain
        && (words.iter().any(|word| word.len() != words[0].len())
            || !is_wide
                && words.len() > 1
                && words.iter().any(|word| word.len() > 1 && number::<u128>(word).is_some()));
    // As the program prints a position, and its score or one for each column. A comma at the end
    // makes it a list of moves.
    let is_output = is_uneven
        && [2, size.width() + 1].contains(&words.len())
        && !text.trim_end().ends_with(',');
    // OpenSpiel names the player of each move, and counts columns from 0.
    let is_open_spiel = !players.is_empty()
        && words.iter().flat_map(|word| word.bytes()).all(|part| part.is_ascii_digit());
    let is_listed = list.is_list || is_open_spiel || is_wide && text.contains(',');
    let first = if is_open_spiel { 0 } else { first };
    let own = words.iter().flat_map(|word| word.chars());
    let own = own.map(|name| Move::new(name, number_of(name, first))).collect();
    let own = Some(own).filter(|_| !is_uneven);
    let letters = if first == 1 { words.iter().map(|word| letters(word)).collect() } else { None };
    let letters = letters.map(|words: Vec<_>| words.concat());
    let readings = match numbers(&words, first).filter(|_| !is_output) {
        Some(numbers) if is_listed => [Some(numbers), None, None],
        _ if !is_wide => [letters, own, None],
        numbers => [numbers.filter(|numbers| numbers.len() > 1), own, letters],
    };
    let mut fault = None;
    let mut found: Vec<Vec<usize>> = Vec::new();
    for reading in readings
        .into_iter()
        .flatten()
        .filter(|reading: &Vec<Move>| players.is_empty() || players.len() == reading.len())
    {
        match play(size, &reading, first) {
            Ok(columns) if found.contains(&columns) => {}
            Ok(columns) => found.push(columns),
            Err(error) => fault = fault.or(Some((error, reading))),
        }
    }
    match (&found[..], fault) {
        ([], Some((mut error, reading))) => {
            // Shows how a text was read that has more than columns in it.
            if let PositionError::Move { number: number @ 2.., problem, .. } = &mut error
                && text.contains(|part: char| !part.is_alphanumeric())
            {
                *problem += "; understood before it: ";
                problem.extend(reading[..*number - 1].iter().map(|it| column_name(it.column)));
            }
            Err(error)
        }
        ([], None) if is_uneven => Err(refused(
            "has words that are not one move each, so it may be more than a position; expected \
             moves alone, such as 4453 or 4, 4, 5, 3,"
                .to_owned(),
        )),
        ([], None) => {
            Err(refused("has not one move for each player's mark; expected x3 o3".to_owned()))
        }
        ([one], _) => Ok(one.clone()),
        (several, _) => {
            let readings: Vec<String> = several
                .iter()
                .map(|columns: &Vec<usize>| {
                    let numbers: Vec<String> =
                        columns.iter().map(|it| format!("{},", it + first)).collect();
                    format!("'{}'", numbers.join(" "))
                })
                .collect();
            Err(refused(format!(
                "is ambiguous on a board of {} columns; write {}",
                size.width(),
                readings.join(" or ")
            )))
        }
    }
}

/// Whether a text can be meant as a list of moves.
pub(super) fn looks_like(words: &Words) -> bool {
    let mut all = words.rows.iter().flatten();
    let Some(first) = all.clone().next().filter(|_| !words.has_frame) else { return false };
    first.starts_with(|first: char| first.is_ascii_digit())
        || !first.starts_with('.')
            && all.all(|word| {
                let word = word.trim();
                word.strip_prefix(is_player).unwrap_or(word).chars().all(|part| {
                    part.is_ascii_digit()
                        || LETTERS.contains(&part.to_ascii_lowercase())
                        || matches!(part, '-' | '.' | ')')
                })
            })
}

fn is_player(part: char) -> bool {
    PLAYERS.contains(part)
}

/// Whether these words are two moves.
fn is_whole_turn(words: &[String]) -> bool {
    match words {
        [both] => {
            let letters = both.chars().filter(|part| part.is_alphabetic()).count();
            letters > 1 || letters == 0 && both.len() > 1
        }
        words => words.len() == 2,
    }
}

/// Whether a text has separators of several kinds.
fn mixes_separators(text: &str) -> bool {
    const KINDS: [&[char]; 4] = [&[';'], &['\t'], &[','], &['-', '–', '—', '−']];
    let text = text.trim_end_matches([',', ';', ' ', '\t']).trim_start();
    let mut found = KINDS.into_iter().filter(|kind| text.contains(*kind));
    let Some(kind) = found.next() else { return false };
    found.next().is_some() || text.split(kind).any(|word| word.trim().contains(char::is_whitespace))
}

/// The words of a list of moves without the numbers of turns, the players named before moves, and
/// whether there are neither these nor brackets; or the problem with the list.
fn words(text: &str, list: &Words) -> Result<(Vec<String>, Vec<char>, bool), String> {
    let all = list.rows.concat();
    let mut words = Vec::<String>::new();
    let mut players = Vec::new();
    let mut turn = 0;
    let mut turn_start = 0;
    // Other marks than OpenSpiel's: nobody knows from where the columns after them count.
    let mut has_other_marks = false;
    let is_digit = |part: char| part.is_ascii_digit();
    for word in &all {
        if word.strip_prefix('-').is_some_and(|number| number.starts_with(is_digit)) {
            return Err(format!("has the score {word} in it; expected moves alone, such as 4453"));
        }
        if word == " " {
            return Err("has no move at a comma; expected moves such as 4, 4, 5, 3".to_owned());
        }
        for mut word in word.split('-') {
            let rest = word.trim_start_matches(is_digit);
            let number = &word[..word.len() - rest.len()];
            if let (false, Some(after)) = (number.is_empty(), rest.strip_prefix(['.', ')'])) {
                let number: usize = number.parse().unwrap_or(usize::MAX);
                if number != turn && number != turn + 1 {
                    return Err(format!("has the turn {number} after the turn {turn}"));
                }
                if rest.starts_with('.') && after.starts_with(is_digit) {
                    return Err(format!("has the number {word} in it; expected 1. 4 for a turn"));
                }
                let played = &words[turn_start..];
                let is_half = played.len() == 1 && number == turn;
                let is_next = number == turn + 1 && !after.starts_with('.');
                if !is_half && !(is_next && (turn == 0 || is_whole_turn(played))) {
                    return Err(format!(
                        "has {word} where no turn begins; expected two moves before it"
                    ));
                }
                if is_next {
                    turn_start = words.len();
                }
                turn = number;
                word = after.trim_start_matches(['.', ')']);
            }
            if let Some(rest) = word.strip_prefix(is_player) {
                has_other_marks |= rest.is_empty() || !word.starts_with(['x', 'o']);
                players.extend(word.chars().next());
                word = rest;
            }
            words.extend((!word.is_empty()).then(|| word.to_owned()));
        }
    }
    if turn > 0 && words.len() > turn_start + 2 {
        return Err(format!("has more than two moves in the turn {turn}"));
    }
    if words.is_empty() {
        return Err("has no move in it; expected moves such as 4453, or nothing at all for the \
                    empty board"
            .to_owned());
    }
    let has_rows = list.rows.len() > 1 && (list.is_list || turn == 0);
    if list.has_frame || has_rows || all.concat().contains("--") {
        return Err(
            "is no list of moves; expected moves alone, such as 4453, in one line".to_owned()
        );
    }
    if players.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err("names a player twice in turn; expected marks by turns: x3 o3 x4".to_owned());
    }
    if has_other_marks && words.iter().any(|word| word.starts_with(is_digit)) {
        return Err("may count columns from 0 or from 1; expected moves alone, such as 4453, or \
                    x3 o3 with columns from 0"
            .to_owned());
    }
    let is_plain = turn == 0 && players.is_empty() && !list.is_list;
    if is_plain && mixes_separators(text) {
        return Err(
            "has separators of several kinds, so it may be more than a position; expected \
                    moves alone, such as 4453"
                .to_owned(),
        );
    }
    Ok((words, players, is_plain))
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
fn numbers(words: &[String], first: usize) -> Option<Vec<Move>> {
    words
        .iter()
        .map(|word| {
            let column = number::<usize>(word)?.checked_sub(first)?;
            Some(Move::new(if column < 16 { column_name(column) } else { '?' }, column))
        })
        .collect()
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
            let row = row.unwrap_or_default();
            let height = height + 1;
            return Err(problem(format!(
                "names the row {row}, but the stone falls to row {height}"
            )));
        }
    }
    Ok(moves.iter().map(|it| it.column).collect())
}
