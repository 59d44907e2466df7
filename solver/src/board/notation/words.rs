//! A text as rows of words: what lists of moves and boards have in common.
//!
//! Characters that look alike become one: blanks, dashes, quotes, bars, full-width digits and letters,
//! keycaps. Names become the mark they name: `red`, `:white_circle:`, `null`, `:one:`.

/// The brackets at the start of a list, and those at its end.
const OPENING: [char; 3] = ['[', '(', '{'];
const CLOSING: [char; 3] = [']', ')', '}'];

/// Names, and after each the mark that it stands for.
const NAMES: &str = "null . none . nan . empty . white ⚪ black ⚫ red 🔴 yellow 🟡 blue 🔵 green 🟢 \
                     orange 🟠 purple 🟣 brown 🟤 zero 0 one 1 two 2 three 3 four 4 five 5 six 6 \
                     seven 7 eight 8 nine 9";

/// The words of a text, row by row.
pub(super) struct Words {
    /// A row ends with a line, at `/`, and in a list where a bracket closes. An empty cell between
    /// bars or commas is a blank word.
    pub(super) rows: Vec<Vec<String>>,
    /// Whether the text is in brackets.
    pub(super) is_list: bool,
    /// Whether the text has a sign that moves do not have: a slash, a bar, a part of a frame, or two
    /// brackets at its start.
    pub(super) has_frame: bool,
}

impl Words {
    pub(super) fn new(text: &str) -> Words {
        let text = plain(text);
        let text = without_type(text.trim());
        let is_list = text.starts_with(OPENING) || text.starts_with(CLOSING);
        let is_nested =
            text.strip_prefix(OPENING).is_some_and(|inner| inner.trim_start().starts_with(OPENING));
        let has_bars = text.contains('|');
        let ends = if is_list { CLOSING } else { ['\n', '/', '\n'] };
        let rows = text.split(ends).filter(|row| {
            let is_type = is_list && row.trim_start_matches([',', ' ', '\n']).starts_with("dtype=");
            !is_type && !is_frame(row, has_bars)
        });
        let rows = rows.map(|row| match row.rsplit_once(OPENING) {
            Some((before, row)) if is_list && is_name(before) => words_of(row),
            None if is_list => words_of(row.trim_matches([',', ' ', '\n'])),
            _ => words_of(row),
        });
        Words {
            rows: rows.filter(|row| !row.is_empty()).collect(),
            is_list,
            has_frame: text.contains(['/', '|', '+', '=']) || is_nested,
        }
    }
}

/// The text with one character for all that look alike, blanks for quotes, and a dot for quoted blanks.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut quoted = None;
    for part in text.chars() {
        match part {
            '\'' | '"' | '`' | '‘'..='‟' => {
                let is_empty = quoted.take().map(|start: usize| plain[start..].trim().is_empty());
                plain += if is_empty == Some(true) { ". " } else { " " };
                quoted = is_empty.is_none().then_some(plain.len());
            }
            '\u{feff}' | '\u{fe0f}' | '\u{20e3}' | '\u{200b}'..='\u{200d}' => {}
            '！'..='～' => plain.extend(char::from_u32(part as u32 - '！' as u32 + '!' as u32)),
            '‐'..='―' | '−' => plain.push('-'),
            '│' | '┃' | '║' => plain.push('|'),
            '─'..='╿' => plain.push('+'),
            ';' => plain.push(','),
            // After a player, and around names; `12:34` is a time.
            ':' if !plain.ends_with(|last: char| last.is_ascii_digit()) => plain.push(' '),
            '\r' | '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                plain.push('\n')
            }
            _ if part.is_whitespace() => plain.push(' '),
            _ => plain.push(part),
        }
    }
    plain
}

/// A list without the name of its type, such as `array(`.
fn without_type(text: &str) -> &str {
    match text.split_once("([") {
        Some((name, _)) if name.bytes().all(|part| part.is_ascii_alphabetic() || part == b'.') => {
            &text[name.len() + 1..]
        }
        _ => text,
    }
}

/// Whether a row is a part of a frame. Beside rows with bars, dashes alone are one.
fn is_frame(row: &str, has_bars: bool) -> bool {
    row.chars().all(|part| "+=|-_ ".contains(part))
        && (row.contains(['+', '=']) || has_bars && !row.contains('|'))
}

/// Whether at most one name stands before a list, and no number, which could be a move.
fn is_name(before: &str) -> bool {
    let names = before.split(|part: char| " ,\n".contains(part) || OPENING.contains(&part));
    !before.contains(|part: char| part.is_ascii_digit())
        && names.filter(|name| !name.is_empty()).count() <= 1
}

/// The words of a row, which has commas or bars between its cells, or neither.
fn words_of(row: &str) -> Vec<String> {
    let is_blank = |cell: &&str| cell.trim().is_empty();
    let has_bars = row.contains('|');
    let mut cells: Vec<&str> = row.split(if has_bars { '|' } else { ',' }).collect();
    // Outside of bars, and after the comma at the end of a list, there is no cell.
    let blanks = cells.iter().filter(|cell| is_blank(cell)).count();
    if cells.last().is_some_and(is_blank) && (has_bars || blanks == 1) {
        cells.pop();
    }
    if has_bars && cells.first().is_some_and(is_blank) {
        cells.remove(0);
    }
    let words = cells.into_iter().flat_map(|cell| {
        let blank = is_blank(&cell).then(|| " ".to_owned());
        let parts = cell.split([' ', '\n', ',']).filter(|part| !part.is_empty());
        blank.into_iter().chain(parts.map(named))
    });
    words.collect()
}

/// The mark that a word names, or the word.
fn named(word: &str) -> String {
    if word.len() > 2 && word.starts_with(|part: char| part.is_ascii_alphabetic()) {
        let lower = word.to_ascii_lowercase();
        let mut names = NAMES.split_whitespace();
        while let (Some(name), Some(mark)) = (names.next(), names.next()) {
            // `white_circle` is white, but `player_one` is not a column.
            let is_color = !mark.starts_with(|part: char| part.is_ascii_digit());
            if lower == name || is_color && lower.split('_').any(|part| part == name) {
                return mark.to_owned();
            }
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<String> {
        Words::new(text).rows.into_iter().map(|row| row.join("~")).collect()
    }

    #[test]
    fn characters_that_look_alike_are_read_as_one() {
        assert_eq!(rows("\u{feff}４\u{a0}4\u{3000}5️⃣ 3"), ["4~4~5~3"]);
        assert_eq!(rows("4–4—5−3"), ["4-4-5-3"]);
        assert_eq!(rows("│X│ │\r\n├─┼─┤\n│O│X│"), ["X~ ", "O~X"]);
        assert_eq!(rows("“4” 'd1' `x`"), ["4~d1~x"]);
        assert_eq!(
            rows("4\r4\u{b}5\u{c}3\u{85}2\u{2028}1\u{2029}6"),
            ["4", "4", "5", "3", "2", "1", "6"]
        );
    }

    #[test]
    fn names_are_read_as_marks() {
        assert_eq!(rows(":white_large_square::red_circle: :one:"), ["⚪~🔴~1"]);
        assert_eq!(rows("[[null, 'Red'], [None, \"yellow\"]]"), [".~🔴", ".~🟡"]);
    }

    #[test]
    fn an_empty_cell_is_a_word() {
        assert_eq!(rows("[['', ' ', 'X']]"), [".~.~X"]);
        assert_eq!(rows("[['' '' 'X']]"), [".~.~X"]);
        assert_eq!(rows(",,X,"), [" ~ ~X~ "]);
        assert_eq!(rows("X, O, X,"), ["X~O~X"]);
        assert_eq!(rows("| | |X| |"), [" ~ ~X~ "]);
        assert_eq!(rows(",,,"), [" ~ ~ ~ "]);
    }

    #[test]
    fn a_list_has_rows_where_brackets_close() {
        assert_eq!(rows("array([[0, 1],\n  [2,\n 3]], dtype=int8)"), ["0~1", "2~3"]);
        assert_eq!(rows("{{0, 1}, {2, 3},};"), ["0~1", "2~3"]);
        assert_eq!(rows("1) 4 4\n2) 5 3"), ["1)~4~4", "2)~5~3"]);
        assert_eq!(rows("{'board': [[0, 1]]}"), ["0~1"]);
        assert_eq!(rows("{'turn': 'O', 'board': [[0, 1]]}").len(), 1);
        assert_eq!(rows("{'turn': 'O', 'board': [[0, 1]]}")[0].split('~').next(), Some("{"));
    }
}
