//! `fourbook play`, through a pipe and in a terminal.

use crate::support::{Run, fourbook, fourbook_reading};

/// Moves that fill a board of 4x4 but for one cell, and the last one.
const UP_TO_A_DRAW: (&str, &str) = ("344334322411121", "2\n");

/// The output for some lines typed in a game with these arguments.
fn play(arguments: &[&str], lines: &str) -> Run {
    let run = fourbook_reading(&[&["play"], arguments].concat(), lines.as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}: {}", run.stdout);
    run
}

#[test]
fn the_person_wins_and_sees_the_line() {
    let run = play(&["121212"], "1\n");
    let end = "
 .  .  .  .  .  .  .
 .  .  .  .  .  .  .
[X] .  .  .  .  .  .
[X] O  .  .  .  .  .
[X] O  .  .  .  .  .
[X] O  .  .  .  .  .
 1  2  3  4  5  6  7

You win: four in a line.
Moves: 1212121
Goodbye.
";
    assert!(run.stdout.ends_with(end), "{}", run.stdout);
    assert_eq!(run.stdout.matches('[').count(), 4, "nothing is marked before");
}

#[test]
fn the_computer_wins_and_can_be_beaten_to_it() {
    let run = play(&["--level", "perfect", "121212"], "3\nundo\n1\n");
    assert!(run.stdout.contains("\nThe computer plays column 2.\n"), "{}", run.stdout);
    assert_eq!(run.stdout.matches("[O]").count(), 4, "{}", run.stdout);
    assert!(run.stdout.contains("\nThe computer wins: four in a line.\nMoves: 12121232\n"));
    assert!(run.stdout.ends_with("\nYou win: four in a line.\nMoves: 1212121\nGoodbye.\n"));
}

#[test]
fn a_full_board_is_a_draw() {
    let run = play(&["--size", "4x4", UP_TO_A_DRAW.0], UP_TO_A_DRAW.1);
    assert!(run.stdout.contains("\nA draw: the board is full.\n"), "{}", run.stdout);
    assert!(!run.stdout.contains('['), "{}", run.stdout);
}

#[test]
fn the_computer_may_begin() {
    let run = play(&["--first", "computer", "--seed", "3"], "moves\n");
    assert!(run.stdout.contains(" The computer begins.\n"), "{}", run.stdout);
    assert!(run.stdout.contains("You have the stones O, the computer X: "), "{}", run.stdout);
    let moves = run.stdout.lines().rev().nth(1).unwrap();
    assert!(run.stdout.contains(&format!("\nThe computer plays column {moves}.\n")));
    // The seed decides.
    for (seed, first) in [("0", "You begin."), ("1", "The computer begins.")] {
        let run = play(&["--first", "random", "--seed", seed], "");
        assert!(run.stdout.contains(first), "{}", run.stdout);
    }
}

#[test]
fn games_with_one_seed_are_the_same() {
    let game = |seed| play(&["--level", "1", "--seed", seed], "4\n4\n3\n5\n").stdout;
    assert_eq!(game("7"), game("7"));
    let moves = |seed| game(seed).lines().filter(|line| line.contains("plays")).collect::<String>();
    assert!(["8", "9", "10"].into_iter().any(|seed| moves(seed) != moves("7")));
    // Without a seed, the program prints the one it chose.
    let run = play(&[], "");
    assert!(run.stdout.contains("level 4 (intermediate), seed "), "{}", run.stdout);
}

#[test]
fn a_new_game_has_the_next_seed() {
    let run = play(&["--seed", "41", "--level", "8", "44"], "new\nmoves\n");
    assert!(run.stdout.contains("seed 41.") && run.stdout.contains("seed 42."), "{}", run.stdout);
    assert!(run.stdout.contains("\n44\n"), "{}", run.stdout);
}

#[test]
fn hints_say_what_the_best_column_gives() {
    let from_book = play(&["4453"], "hint\n").stdout;
    let hint = "\nHint: O wins with the 40th stone, 36 stones from now; \
                X holds out longest in column 3, 6 or 7.\n";
    assert!(from_book.contains(hint), "{from_book}");
    let solved = play(&["--no-book", "--size", "5x4", "1"], "h\n").stdout;
    let hint = "\nHint: O wins with the 20th stone, 19 stones from now; O plays column 2.\n";
    assert!(solved.contains(hint), "{solved}");
}

#[test]
fn mistakes_at_the_prompt_change_nothing() {
    let run = play(&["444444"], "4\n8\nfoo\nundo\nmoves\n\n");
    for answer in [
        "Column 4 is full; choose another.",
        "There is no column 8; expected a column from 1 to 7.",
        "'foo' is no move and no command; expected a column from 1 to 7, or hint, undo, resign, \
         moves, new, help or quit.",
        "There is no move of yours to take back.",
        "444444",
    ] {
        assert!(run.stdout.lines().any(|line| line == answer), "{answer}\n{}", run.stdout);
    }
    assert_eq!(run.stdout.matches(" 1  2  3  4  5  6  7\n").count(), 2, "an empty line draws");
}

#[test]
fn a_game_can_be_resigned_and_then_only_looked_at() {
    let run = play(&["--seed", "1"], "4\nresign\n4\nhint\nundo\nmoves\nhelp\nquit\n4\n");
    assert!(run.stdout.contains("\nYou resign; the computer wins.\nMoves: 4"), "{}", run.stdout);
    let over = "The game is over; expected new, undo or quit.\n";
    assert_eq!(run.stdout.matches(over).count(), 2, "{}", run.stdout);
    assert!(run.stdout.contains("\n  hint, h    say which column is best"), "{}", run.stdout);
    let moves = run.stdout.lines().find(|line| line.starts_with('4')).expect("the moves");
    assert_eq!(moves.len(), 2, "nothing is played after that");
}

#[test]
fn a_game_can_be_gone_on_with() {
    let first = play(&["--size", "8x8", "--level", "3", "--seed", "5"], "4\n4\n").stdout;
    let last = first.lines().last().unwrap();
    let moves = last.strip_prefix("Goodbye. To go on: the same command with --seed 5 and ");
    let moves = moves.expect("a game to go on with");
    let again = play(&["--size", "8x8", "--level", "3", "--seed", "5", moves], "3\n").stdout;
    let all = play(&["--size", "8x8", "--level", "3", "--seed", "5"], "4\n4\n3\n").stdout;
    assert_eq!(again.lines().last(), all.lines().last());
}

#[test]
fn arguments_are_explained() {
    for (arguments, code, problem) in [
        (&["play", "48"][..], 1, "move 2 ('8') is not a column; expected a column from 1 to 7"),
        (&["play", "1212121"], 1, "the game is over after '1212121'; leave some moves out"),
        (&["play", "--level", "9"], 2, "'9' is not a level; expected a number from 1 to 8 or a "),
        (&["play", "--seed", "x"], 2, "expected a whole number from 0 to "),
        (&["play", "--first", "you"], 2, "[possible values: me, computer, random]"),
        (&["play", "--book", "x", "--no-book"], 2, "cannot be used with"),
    ] {
        let run = fourbook(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (code, ""), "{arguments:?}");
        assert!(run.stderr.contains(problem), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.contains("invalid digit"), "{arguments:?}: {}", run.stderr);
    }
}

#[cfg(unix)]
mod in_a_terminal {
    use crate::pseudo_terminal::Terminal as PseudoTerminal;
    use crate::support::{program, send_signal};
    use rustix::process::Signal;
    use std::fs::File;
    use std::io::{Read, Write};
    use std::process::{Child, Stdio};
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    /// The program in a pseudo-terminal.
    struct Terminal {
        child: Child,
        keyboard: File,
        /// What appears on the screen, piece by piece.
        screen: Receiver<Vec<u8>>,
        seen: String,
    }

    impl Drop for Terminal {
        fn drop(&mut self) {
            // It may have ended already.
            let _ = self.child.kill();
        }
    }

    impl Terminal {
        fn start(arguments: &[&str], no_color: &str) -> Terminal {
            let PseudoTerminal { screen: keyboard, line } = PseudoTerminal::open();
            let side = || Stdio::from(line.try_clone().expect("there are files left"));
            let child = program()
                .arg("play")
                .args(arguments)
                .env("NO_COLOR", no_color)
                .env("TERM", "xterm-256color")
                .stdin(side())
                .stdout(side())
                .stderr(side())
                .spawn()
                .expect("the program starts");
            drop(line);
            let mut output = keyboard.try_clone().expect("there are files left");
            let (sender, screen) = mpsc::channel();
            std::thread::spawn(move || {
                let mut bytes = [0; 1024];
                // Reading past the end of a terminal is an error.
                while let Ok(length @ 1..) = output.read(&mut bytes) {
                    if sender.send(bytes[..length].to_vec()).is_err() {
                        break;
                    }
                }
            });
            Terminal { child, keyboard, screen, seen: String::new() }
        }

        /// Waits until a text appears on the screen, after what was waited for before.
        fn wait_for(&mut self, text: &str) -> String {
            loop {
                if let Some(start) = self.seen.find(text) {
                    let rest = self.seen.split_off(start + text.len());
                    return std::mem::replace(&mut self.seen, rest);
                }
                let piece = self.screen.recv_timeout(Duration::from_secs(120));
                let piece = piece.unwrap_or_else(|_| panic!("'{text}' is not in:\n{}", self.seen));
                self.seen += &String::from_utf8_lossy(&piece);
            }
        }

        fn type_in(&mut self, text: &str) {
            self.keyboard.write_all(text.as_bytes()).expect("the terminal is open");
        }

        fn exit_code(mut self) -> Option<i32> {
            self.child.wait().expect("it ends").code()
        }
    }

    #[test]
    fn a_game_is_played_with_prompts_and_colours() {
        let mut terminal = Terminal::start(&["121212"], "");
        terminal.wait_for("Your move: ");
        terminal.type_in("hint\n");
        let hint = terminal.wait_for("Your move: ");
        assert!(
            hint.contains("Hint: X wins with the 7th stone, the next one; X plays column 1."),
            "{hint}"
        );
        terminal.type_in("1\n");
        let end = terminal.wait_for("new, undo or quit: ");
        assert_eq!(end.matches("[\x1b[1m\x1b[38;5;136mX\x1b[0m]").count(), 4, "{end}");
        assert_eq!(end.matches("\x1b[1m\x1b[38;5;160mO\x1b[0m").count(), 3, "{end}");
        // Ctrl-D is the end of the input.
        terminal.type_in("\x04");
        terminal.wait_for("Goodbye.");
        assert_eq!(terminal.exit_code(), Some(0));
    }

    #[test]
    fn colours_can_be_refused() {
        let mut terminal = Terminal::start(&["121212"], "1");
        let shown = terminal.wait_for("Your move: ");
        assert!(shown.contains('X') && !shown.contains('\x1b'), "{shown}");
        terminal.type_in("quit\n");
        terminal.wait_for("Goodbye.");
        assert_eq!(terminal.exit_code(), Some(0));
    }

    #[test]
    fn an_interrupt_stops_the_computer_thinking_and_then_the_program() {
        let mut terminal =
            Terminal::start(&["--size", "10x10", "--level", "8", "--deadline", "10m"], "1");
        terminal.wait_for("Your move: ");
        terminal.type_in("5\n");
        terminal.wait_for("thinking, Ctrl-C stops: ");
        send_signal(&terminal.child, Signal::INT);
        terminal.wait_for("Stopped: ");
        terminal.wait_for("The computer plays column ");
        terminal.wait_for("Your move: ");
        terminal.type_in("hint\n");
        terminal.wait_for("thinking, Ctrl-C stops: ");
        send_signal(&terminal.child, Signal::INT);
        terminal.wait_for("Hint: column ");
        terminal.wait_for(", the best move known; proved: ");
        terminal.wait_for("Your move: ");
        send_signal(&terminal.child, Signal::INT);
        assert_eq!(terminal.exit_code(), Some(130));
    }
}

#[test]
fn where_the_time_ends_a_hint_is_the_best_move_known() {
    let hint = |size: &str| {
        let level = ["--level", "1", "--seed", "2", "--first", "me", "--deadline", "50ms"];
        play(&[&["--size", size], &level[..]].concat(), "hint\n").stdout
    };
    // The strategy of 8x7 has the move.
    let of_strategy = hint("8x7");
    assert!(of_strategy.contains("\nHint: column 4.\n"), "{of_strategy}");
    let of_search = hint("9x8");
    assert!(of_search.contains(", the best move known; proved: "), "{of_search}");
}

#[test]
fn where_the_time_ends_the_computer_plays_the_best_move_known() {
    let fixed = ["--level", "perfect", "--size", "9x8", "--deadline", "50ms"];
    let run = play(&[&fixed[..], &["--first", "computer"]].concat(), "");
    let known = ", the best move known; proved: any outcome for X (score -";
    assert!(
        run.stdout.contains(&format!("\nThe computer plays column 5{known}")),
        "{}",
        run.stdout
    );
    // It has to prevent three in a row with both ends open.
    let run = play(&[&fixed[..], &["41"]].concat(), "5\n");
    assert!(run.stdout.contains("\nThe computer plays column 6, the best "), "{}", run.stdout);
}
