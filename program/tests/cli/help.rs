//! The help of all subcommands: its examples work.

use crate::examples::{Example, examples};
use crate::support::{fourbook, program, repository, text};
use std::fs;
use std::process::Command;

/// The subcommands, as the help of the program lists them.
pub(crate) fn subcommands() -> Vec<String> {
    let help = fourbook(&["--help"]).stdout;
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.trim().is_empty());
    // A name is indented by two; its description may continue in the next line.
    let lines = lines.filter(|line| !line.starts_with("   "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_help_has_examples_and_the_exit_codes() {
    let subcommands = subcommands();
    assert!(subcommands.len() >= 15, "{subcommands:?}");
    for name in subcommands {
        let run = fourbook(&[&name, "--help"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        assert_eq!(run.stdout, fourbook(&["help", &name]).stdout);
        for part in ["Examples:\n", "Exit codes:\n", "\n  2  wrong use"] {
            assert!(run.stdout.contains(part), "{name}: {part}");
        }
    }
}

/// The examples that take no more than a moment, as they stand in the help of the
/// subcommands. All others are read by the parser's own tests.
const QUICK: &[&str] = &[
    "fourbook lookup 4453",
    "fourbook lookup --analyze 4453",
    "fourbook lookup --json 4453 | jq .best_moves",
    "fourbook lookup < positions.txt",
    "fourbook lookup --format plain 4453",
    "fourbook lookup --deadline 2 < positions.txt",
    "fourbook show 444441221515",
    "fourbook show '[1, 2, 2]' rows:0x18:0x804",
    "fourbook show --to key 4453",
    "fourbook show --to moves < diagrams.txt",
    "fourbook show --from key --to diagram 4433222074497",
    "fourbook show --scores 4453",
    "fourbook show --color always 4453 | less -R",
    "fourbook show --json 4453 | jq .threats",
    "fourbook completions bash > ~/.local/share/bash-completion/completions/fourbook",
    "fourbook completions zsh > ~/.zfunc/_fourbook",
    "fourbook completions fish > ~/.config/fish/completions/fourbook.fish",
    "fourbook completions elvish >> ~/.config/elvish/rc.elv",
    "fourbook completions powershell >> $PROFILE",
    "fourbook info 7x6-d8.book",
    "fourbook info --json 7x6-d8.book | jq .depth",
    "fourbook verify 7x6-d8.book",
    "fourbook stats 7x6-d8.book",
    "fourbook stats 7x6-d8.book --csv > 7x6-d8.csv",
    "fourbook export 7x6-d8.book --out 7x6-d8.csv",
    "fourbook export 7x6-d8.book --notation key | head",
    "fourbook import scores.csv --out 7x6-d8.book",
    "fourbook compare 7x6-d8.book scores.csv",
];

#[test]
fn the_quick_examples_work() {
    let helps = subcommands().into_iter().map(|name| fourbook(&[&name, "--help"]).stdout);
    let all: Vec<Example> = helps.flat_map(|help| examples(&help)).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let book = repository!("books/7x6-d8.book");
    let scores = fourbook(&["export", book]).stdout;
    for quick in QUICK {
        let example = all.iter().find(|it| it.command == *quick);
        let example = example.unwrap_or_else(|| panic!("there is no example '{quick}'"));
        let arguments = example.arguments.as_ref().expect("it is of this program");
        // Each example begins without the files of earlier ones.
        fs::copy(book, path("7x6-d8.book")).expect("a book");
        let _ = fs::remove_file(path("7x6-d8.csv"));
        fs::write(path("scores.csv"), &scores).expect("a file");
        let import = arguments[0] == "import";
        if import {
            fs::remove_file(path("7x6-d8.book")).expect("it is there");
        }
        fs::write(path("lines"), "4453\n44\n").expect("a file");
        let lines = fs::File::open(path("lines")).expect("it is there");
        let run = program()
            .args(arguments)
            .arg("--quiet")
            .current_dir(&folder)
            .stdin(lines)
            .output()
            .expect("the program ends");
        let errors = String::from_utf8(run.stderr).expect("text");
        assert_eq!((run.status.code(), errors.as_str()), (Some(0), ""), "{quick}");
        let has_file = ["7x6-d8.csv", "7x6-d8.book"].iter().any(|name| path(name).exists());
        assert!(!run.stdout.is_empty() || has_file, "{quick}");
    }
}

#[test]
fn there_is_a_manual_page_for_every_subcommand() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("man1");
    // The second time, existing pages are replaced.
    for _ in 0..2 {
        let run = fourbook(&["man", "--out", text(&out)]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    }
    for name in subcommands() {
        let page = fs::read_to_string(out.join(format!("fourbook-{name}.1"))).expect("a page");
        assert!(page.contains(r"\-\-quiet"), "{name}: {page}");
    }
    assert!(out.join("fourbook.1").exists());
}

#[test]
fn there_is_a_script_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = fourbook(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{shell}");
        for word in ["lookup", "max-nodes", "no-book"] {
            assert!(run.stdout.contains(word), "{shell}");
        }
    }
}

#[test]
fn a_subcommand_for_all_boards_refuses_a_size() {
    let page: &[&str] = &["page", "--out", "site"];
    let mut subcommands = vec![page, &["man", "--out", "man1"], &["completions", "bash"]];
    if cfg!(feature = "server") {
        subcommands.push(&["health"]);
    }
    for subcommand in subcommands {
        for size in [&["--size", "5x4"][..], &["--size", "7x6"]] {
            for arguments in [[size, subcommand].concat(), [subcommand, size].concat()] {
                let run = fourbook(&arguments);
                assert_eq!((run.code, &*run.stdout), (2, ""), "{arguments:?}");
                assert!(run.stderr.contains("leave --size out"), "{}", run.stderr);
            }
        }
    }
}

#[test]
fn a_misspelt_subcommand_is_suggested_also_to_help() {
    let run = fourbook(&["help", "lokup"]);
    assert_eq!((run.code, &*run.stdout), (2, ""));
    assert!(run.stderr.contains("'lookup'"), "{}", run.stderr);
    assert_eq!(fourbook(&["help"]).stdout, fourbook(&["--help"]).stdout);
    assert_eq!(fourbook(&["help", "help"]).code, 0);
    assert_eq!(fourbook(&["help", "lookup", "4453"]).code, 2);
}

#[test]
fn the_version_has_commit_and_features() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(fourbook(&["-V"]).stdout, format!("fourbook {version}\n"));
    let run = fourbook(&["--version"]);
    let mut lines = run.stdout.lines();
    assert_eq!(lines.next(), Some(&*format!("fourbook {version}")), "{run:?}");
    let features = if cfg!(feature = "server") { "server" } else { "" };
    assert!(lines.next_back().is_some_and(|it| it.starts_with(&format!("features  {features}"))));
    // Only a checkout has a commit, and git has to be there and to trust it.
    let commit = lines.next().and_then(|line| line.strip_prefix("commit    "));
    let git = Command::new("git").args(["-C", repository!(""), "rev-parse", "HEAD"]).output();
    let is_checkout = std::path::Path::new(repository!(".git")).exists();
    let head = git.ok().filter(|git| is_checkout && git.status.success());
    let head = head.map(|git| String::from_utf8(git.stdout).expect("text"));
    assert_eq!(commit.map(|commit| &commit[..10]), head.as_deref().map(|head| &head[..10]));
}
