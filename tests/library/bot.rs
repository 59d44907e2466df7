//! Bots: compiled, and played against random and strong opponents. Every move is a best one.

use crate::common::{Random, root};
use crate::strategy::{make, plan};
use fourbook::board::column_name;
use fourbook::strategy::{Language, StrategyPlan, bot};
use fourbook::{Book, Level, Oracle, Player, Position, Size, Strategy, ValueKind};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::slice;

/// The opponents: one who plays at random, expert and master.
const OPPONENTS: [Option<Level>; 3] = [None, Some(Level::ALL[5]), Some(Level::ALL[6])];

const C: &str = "cc -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror";
const RUST: &str = "rustc --edition 2021 -O -D warnings";

fn is_there(program: &str) -> bool {
    let Err(error) = Command::new(program).arg("--version").output() else { return true };
    println!("skipped: there is no {program}");
    assert!(std::env::var_os("FOURBOOK_ALL_TOOLS").is_none(), "{program}: {error}");
    false
}

/// A bot that runs.
struct Bot {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Bot {
    /// Compiles a bot whose searches do not end before they are done, and starts it; `None` without
    /// its compiler.
    fn start(strategies: &[Strategy], language: Language, folder: &Path) -> Option<Bot> {
        let text = bot(strategies, language).unwrap();
        let (limit, no_limit, file, compiler) = match language {
            Language::Python => ("LIMIT = 1.6", "LIMIT = 1e9", "bot.py", "python3"),
            Language::Javascript => ("LIMIT = 1000;", "LIMIT = 1e12;", "bot.mjs", "node"),
            Language::C => ("LIMIT 1.0", "LIMIT 1e9", "bot.c", C),
            Language::Rust => ("from_secs(1)", "from_secs(1 << 30)", "bot.rs", RUST),
            _ => unreachable!("{language}"),
        };
        assert!(text.contains(limit), "{language}");
        let source = folder.join(file);
        std::fs::write(&source, text.replace(limit, no_limit)).unwrap();
        let mut words = compiler.split(' ');
        let compiler = words.next().unwrap();
        if !is_there(compiler) {
            return None;
        }
        let mut command = Command::new(compiler);
        command.args(words).arg(&source);
        if matches!(language, Language::C | Language::Rust) {
            let program = folder.join("bot");
            assert!(command.arg("-o").arg(&program).status().unwrap().success(), "{language}");
            command = Command::new(program);
        }
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let questions = process.stdin.take().unwrap();
        let answers = BufReader::new(process.stdout.take().unwrap());
        Some(Bot { process, questions, answers })
    }

    fn ask(&mut self, moves: impl AsRef<[u8]>) -> String {
        self.questions.write_all(moves.as_ref()).unwrap();
        self.questions.write_all(b"\n").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        answer.trim_end().to_owned()
    }

    /// Ends the program; returns its exit code.
    fn end(self) -> i32 {
        let Bot { mut process, questions, .. } = self;
        drop(questions);
        process.wait().unwrap().code().unwrap()
    }

    /// Plays a game, and checks each of the bot's moves. Returns how many there were.
    fn play(&mut self, player: Player, kind: ValueKind, oracle: &Oracle, number: u64) -> usize {
        let mut random = Random::new(number);
        let mut position = Position::empty(oracle.size());
        let mut moves = String::new();
        let mut checked = 0;
        let value = |position| kind.of(oracle.score(position).unwrap().value);
        while !position.is_over() {
            let opponent = OPPONENTS[number as usize % OPPONENTS.len()];
            let column = if position.to_move() == player {
                let answer = self.ask(&moves);
                let mut columns = 0..oracle.size().width();
                let column = columns.find(|&column| column_name(column).to_string() == answer);
                let column = column.unwrap_or_else(|| panic!("'{answer}' after '{moves}'"));
                let child = position.play(column);
                assert_eq!(-value(child), value(position), "'{answer}' after '{moves}'");
                checked += 1;
                column
            } else if let Some(level) = opponent {
                oracle.choose_move(position, level, number).unwrap().0.unwrap()
            } else {
                let columns = 0..oracle.size().width();
                let legal: Vec<_> =
                    columns.filter(|&column| position.try_play(column).is_ok()).collect();
                legal[random.below(legal.len())]
            };
            position = position.play(column);
            moves += &column_name(column).to_string();
        }
        assert_eq!(self.ask(&moves), "", "the game is over: {moves}");
        checked
    }
}

/// Plays games of both players until `count` moves of the bot are checked.
fn check(strategies: &[Strategy], language: Language, count: usize) {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut bot) = Bot::start(strategies, language, folder.path()) else { return };
    let size = strategies[0].size();
    let oracle = match Book::embedded_for(size) {
        Some(book) => Oracle::new(book).unwrap(),
        None => Oracle::without_book(size).unwrap(),
    };
    let mut checked = 0;
    for number in 0.. {
        let player = Player::BOTH[number as usize % 2];
        checked += bot.play(player, strategies[0].kind(), &oracle, number);
        if checked >= count {
            break;
        }
    }
    for wrong in ["x", "0", "9", "1111111", "1,2", &"4".repeat(5000)] {
        assert_eq!(bot.ask(wrong), "", "'{wrong}'");
    }
    assert_eq!(bot.ask(b"caf\xe9"), "", "no UTF-8");
    assert_ne!(bot.ask("4"), "");
    assert_eq!(bot.end(), 1);
}

fn shipped() -> [Strategy; 2] {
    ["first-d16", "second-d15"].map(|name| {
        Strategy::open(root().join(format!("books/strategies/7x6-{name}.strategy"))).unwrap()
    })
}

/// On a small board: a strategy of each player alone, and outcomes of both; with and without values.
fn small(folder: &Path) -> Vec<Vec<Strategy>> {
    let mut all = Vec::new();
    for kind in [ValueKind::Scores, ValueKind::WinDrawLoss] {
        for (player, has_values) in [(Player::X, true), (Player::O, false)] {
            let plan = plan(folder, "5x4", player, 8, kind);
            all.push(make(&StrategyPlan { has_values, ..plan }).1);
        }
    }
    let outcomes = all.split_off(2);
    let alone = all.split_off(1);
    vec![all, alone, outcomes]
}

#[test]
fn bots_play_best_moves() {
    let folder = tempfile::tempdir().unwrap();
    for language in Language::ALL {
        check(&shipped(), language, 300);
        for strategies in small(folder.path()) {
            check(&strategies, language, 50);
        }
    }
}

/// A strategy of outcomes for a board whose last column is `a`. Its only move is not a good one.
fn wide() -> Strategy {
    let mut bytes = b"\x894PLAY\r\n\x01\0\0\0\x18\0\0\0\x0a\x04\0\0\0\0\x01".to_vec();
    bytes.resize(40, 0);
    bytes[32] = 1;
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Strategy::from_bytes(&bytes).unwrap()
}

/// A game that goes on, with few empty cells.
fn long_game(size: Size) -> String {
    (0..)
        .find_map(|number| {
            let mut random = Random::new(number);
            let mut position = Position::empty(size);
            let mut moves = String::new();
            while position.ply() + 10 < size.cells() {
                let columns: Vec<_> =
                    (0..size.width()).filter(|&column| position.try_play(column).is_ok()).collect();
                let column = *columns.get(random.below(columns.len().max(1)))?;
                position = position.play(column);
                moves.push(column_name(column));
            }
            (!position.is_over() && moves.contains('a')).then_some(moves)
        })
        .unwrap()
}

/// Capitals and blanks make no difference, in any language.
#[test]
fn a_game_is_read_by_one_rule() {
    let folder = tempfile::tempdir().unwrap();
    let wide = wide();
    let moves = long_game(wide.size());
    for language in Language::ALL {
        let Some(mut bot) = Bot::start(slice::from_ref(&wide), language, folder.path()) else {
            continue;
        };
        let answer = bot.ask(&moves);
        assert_ne!(answer, "", "{language}: {moves}");
        let apart = moves.replace('a', " \tA ");
        for same in
            [moves.to_uppercase(), format!("\t{moves} \r"), apart, " ".repeat(2000) + &moves]
        {
            assert_eq!(bot.ask(&same), answer, "{language}: '{same}'");
        }
        assert_eq!(bot.ask(" "), bot.ask(""), "{language}");
        for wrong in ["b", "B", "4,4", "4\u{a0}4", "4\x0b4", "\u{ff14}"] {
            assert_eq!(bot.ask(wrong), "", "{language}: '{wrong}'");
        }
    }
    if is_there("node") {
        let script =
            "import { best_move } from './bot.mjs'; console.log(best_move(4), best_move(['4']))";
        let mut node = Command::new("node");
        node.args(["--input-type=module", "--eval", script]).current_dir(&folder);
        assert_eq!(node.output().unwrap().stdout, b"0 0\n");
    }
}

/// As Kaggle's ConnectX calls it: the last function of the file, with values by key or as attributes.
#[test]
fn the_bot_in_python_plays_connect_x() {
    const SCRIPT: &str = r#"
import sys
from types import SimpleNamespace
names = {}
exec(sys.stdin.read(), names)
agent = [value for value in names.values() if callable(value)][-1]
size = {"columns": 7, "rows": 6}
for mark, stones in (1, {}), (2, {38: 1}), (1, {38: 1, 31: 2}):
    game = {"board": [stones.get(cell, 0) for cell in range(42)], "mark": mark}
    column = agent(game, size)
    assert column + 1 == names["best_move"]("4" * len(stones)), (column, stones)
    assert column == agent(SimpleNamespace(**game), SimpleNamespace(**size))
for wrong in 44, ["4"], None:
    try:
        names["best_move"](wrong)
    except ValueError as error:
        print(error)
try:
    agent(game, {"columns": 8, "rows": 6})
except ValueError as error:
    print(error)
"#;
    if !is_there("python3") {
        return;
    }
    let mut python = Command::new("python3")
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = bot(&shipped(), Language::Python).unwrap();
    python.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    let expected = "expected a game that goes on, such as '44', found";
    let texts = [format!("{expected} 44"), format!("{expected} ['4']"), format!("{expected} None")];
    let expected = texts.join("\n") + "\nexpected a board of 7x6, found 8x6\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
#[ignore = "plays 10,000 moves in each language; `.ci/run slow` runs it"]
fn ten_thousand_moves_are_best_ones() {
    for language in Language::ALL {
        check(&shipped(), language, 10_000);
    }
}
