//! `fourbook lookup` and `fourbook show` on a terminal.

use crate::support::{fourbook, on_terminal};

#[test]
fn a_lookup_says_in_words_who_wins_when_and_how() {
    let run = on_terminal(&["lookup", "4453", "1212121", ""], &[]);
    let expected = "\
4453: O wins with the 40th stone, 36 stones from now; X holds out longest in column 3, 6 or 7
1212121: X has won with the 7th stone
the empty board: X wins with the 41st stone, 41 stones from now; X plays column 4
";
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), (expected, "", 0));
    // Also away from a terminal, if requested.
    let run = fourbook(&["lookup", "--format=words", "4453", "1212121", ""]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), (expected, "", 0));
}

#[test]
fn other_forms_of_a_lookup_are_the_same_on_a_terminal() {
    for form in ["--format=plain", "--analyze", "--format=wdl", "--json"] {
        let on_terminal = on_terminal(&["lookup", form, "4453", "9"], &[]);
        let in_pipe = fourbook(&["lookup", form, "4453", "9"]);
        assert_eq!(on_terminal.stdout, in_pipe.stdout, "{form}");
        assert_eq!((on_terminal.stderr, on_terminal.code), (in_pipe.stderr, 1), "{form}");
    }
    let plain = fourbook(&["lookup", "--format=plain", "4453"]);
    assert_eq!(plain.stdout, fourbook(&["lookup", "4453"]).stdout);
    assert_eq!(fourbook(&["lookup", "--format=words", "--format=plain", "4453"]).code, 2);
}

#[test]
fn a_bad_line_leaves_nothing_between_words() {
    let run = on_terminal(&["lookup", "9", "44"], &[]);
    assert_eq!((run.stdout.lines().count(), run.code), (1, 1), "{}", run.stdout);
    assert!(run.stderr.starts_with("error: position 1: "), "{}", run.stderr);
}

/// Removes the colours from a text.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    let rests = parts.map(|part| part.split_once('m').expect("the code of a colour").1);
    first + &rests.collect::<String>()
}

#[test]
fn a_position_is_shown_in_colours_with_the_scores_of_its_moves() {
    let run = on_terminal(&["show", "4453"], &[]);
    assert_eq!((run.stderr.as_str(), run.code), ("", 0));
    // A backslash at the end of the line would take the space at the beginning of the next.
    let expected = " .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
 .  .  .  O  .  .  .
 .  .  O  X  X  .  .
 1  2  3  4  5  6  7
-5 -5 -2 -3 -4 -2 -2

under the columns: the score of each move, for X
X to move, 4 stones on the board
";
    assert!(without_colours(&run.stdout).starts_with(expected), "{}", run.stdout);
    for styled in
        ["\x1b[1m\x1b[38;5;136mX\x1b[0m", "\x1b[1m\x1b[38;5;160mO\x1b[0m", "\x1b[1m-2\x1b[0m"]
    {
        assert!(run.stdout.contains(styled), "{styled:?} {:?}", run.stdout);
    }
    // Below the board, the output is as in a pipe.
    let below = |text: &str| text.split_once("X to move").expect("whose move it is").1.to_owned();
    assert_eq!(below(&run.stdout), below(&fourbook(&["show", "4453"]).stdout));
}

#[test]
fn the_line_that_has_won_is_marked_and_nothing_is_scored() {
    let run = on_terminal(&["show", "1212121"], &[]);
    assert_eq!(run.stdout.matches("\x1b[7m").count(), 4, "{:?}", run.stdout);
    assert_eq!(without_colours(&run.stdout), fourbook(&["show", "1212121"]).stdout);
}

#[test]
fn colours_are_used_when_they_are_wanted() {
    let coloured = |run: &str| run.contains('\x1b');
    assert!(!coloured(&on_terminal(&["show", "4"], &[("NO_COLOR", "1")]).stdout));
    assert!(!coloured(&on_terminal(&["show", "4"], &[("TERM", "dumb")]).stdout));
    assert!(!coloured(&on_terminal(&["show", "4", "--color", "never"], &[]).stdout));
    let asked_for = on_terminal(&["show", "4", "--color", "always"], &[("NO_COLOR", "1")]);
    assert!(coloured(&asked_for.stdout));
    let plain = fourbook(&["show", "4"]).stdout;
    assert!(!coloured(&plain));
    let always = fourbook(&["show", "4", "--color", "always"]).stdout;
    assert!(coloured(&always));
    assert_eq!(without_colours(&always), plain);
    let notation = on_terminal(&["show", "--to", "diagram", "4"], &[]).stdout;
    assert_eq!(notation, "......./......./......./......./......./...X...\n");
}

#[test]
fn scores_that_take_long_are_left_out_unless_asked_for() {
    let run = on_terminal(&["show", "--size", "8x8", "--color", "never", ""], &[]);
    let line = run.stdout.lines().nth(9).expect("the line below the columns");
    assert_eq!(line, "? ? ? ? ? ? ? ?");
    assert!(run.stdout.contains("--scores"), "{}", run.stdout);
    // On a small board, all scores are found in a moment.
    let arguments = ["show", "--size", "4x4", "1122"];
    let shown = on_terminal(&[&arguments[..], &["--color", "never"]].concat(), &[]).stdout;
    let asked_for = fourbook(&[&arguments[..], &["--scores"]].concat()).stdout;
    assert_eq!(shown, asked_for);
    let analysis = fourbook(&["lookup", "--size", "4x4", "--analyze", "1122"]).stdout;
    let scores: Vec<&str> = analysis.split_whitespace().skip(1).collect();
    let line = shown.lines().nth(5).expect("the line below the columns");
    assert_eq!(line.split_whitespace().collect::<Vec<_>>(), scores);
}
