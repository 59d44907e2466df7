//! What is different when a person reads: `fourbook show` on a terminal.

use crate::support::{fourbook, on_terminal};

/// What is shown without what colours it.
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
        ["\x1b[1m\x1b[38;5;32mX\x1b[0m", "\x1b[1m\x1b[38;5;160mO\x1b[0m", "\x1b[1m-2\x1b[0m"]
    {
        assert!(run.stdout.contains(styled), "{styled:?} {:?}", run.stdout);
    }
    // Below the board, all is as in a pipe.
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
    // On a small board, all are found in a moment.
    let arguments = ["show", "--size", "4x4", "1122"];
    let shown = on_terminal(&[&arguments[..], &["--color", "never"]].concat(), &[]).stdout;
    let asked_for = fourbook(&[&arguments[..], &["--scores"]].concat()).stdout;
    assert_eq!(shown, asked_for);
    let analysis = fourbook(&["lookup", "--size", "4x4", "--analyze", "1122"]).stdout;
    let scores: Vec<&str> = analysis.split_whitespace().skip(1).collect();
    let line = shown.lines().nth(5).expect("the line below the columns");
    assert_eq!(line.split_whitespace().collect::<Vec<_>>(), scores);
}
