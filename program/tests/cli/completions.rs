//! `fourbook completions` in each shell. The test of a shell that is not installed is skipped,
//! unless the variable FOURBOOK_ALL_TOOLS is set.

use crate::support::{fourbook, skip_without, text};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder with the script for a shell.
struct Script {
    _folder: TempDir,
    path: PathBuf,
}

fn script(shell: &str) -> Script {
    let run = fourbook(&["completions", shell]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("_fourbook");
    fs::write(&path, run.stdout).expect("a file");
    Script { _folder: folder, path }
}

/// Runs a program of a shell and returns its output. Its first argument is the path of the script.
/// Returns `None` if the shell is not installed.
fn run(shell: &str, options: &[&str], program: &str, arguments: &[&str]) -> Option<String> {
    let script = script(shell);
    let run = Command::new(shell)
        .args(options)
        .args(["-c", program])
        // bash and zsh take the first argument for the name of the program.
        .args(if shell == "fish" { &[][..] } else { &["test"] })
        .arg(text(&script.path))
        .args(arguments)
        // A locale that is not installed would give a warning.
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output();
    let Ok(output) = run else {
        skip_without(shell);
        return None;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{shell}: {errors}");
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// Typed words, and the completions that must be offered at their end.
const COMPLETIONS: [(&[&str], &[&str]); 10] = [
    (&["loo"], &["lookup"]),
    (&[""], &["lookup", "show", "generate", "completions", "man"]),
    (&["lookup", "--no"], &["--no-book"]),
    (&["lookup", "--max"], &["--max-nodes"]),
    (&["lookup", "--format", "game"], &["game", "game-json"]),
    (&["show", "--to", "dia"], &["diagram"]),
    (&["show", "--color", "a"], &["auto", "always"]),
    (&["play", "--level", "m"], &["master"]),
    (&["man", "loo"], &["lookup"]),
    (&["completions", "fi"], &["fish"]),
];

#[test]
fn bash_completes_subcommands_options_and_values() {
    // Calls the function as bash does when the completion key is pressed.
    let program = r#"
        source "$1"; shift
        # It is for functions that bash calls itself.
        compopt() { :; }
        complete -p fourbook >/dev/null || exit 1
        COMP_WORDS=(fourbook "$@") COMP_CWORD=$#
        _fourbook fourbook "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    for (words, expected) in COMPLETIONS {
        let Some(offered) = run("bash", &["--norc", "--noprofile"], program, words) else { return };
        for word in expected {
            assert!(offered.lines().any(|line| line == *word), "{words:?}: {offered}");
        }
    }
}

/// Bash itself, with the completion key typed at a terminal: it splits a line into words, where an
/// equals sign is a word of its own.
#[test]
#[cfg(unix)]
fn bash_completes_what_is_typed() {
    use crate::pseudo_terminal::Terminal;
    use std::io::{BufRead, BufReader, Write};
    let script = script("bash");
    let Terminal { screen, line } = Terminal::open();
    let mut bash = Command::new("bash");
    bash.args(["--norc", "--noprofile", "-i"]).env("PS1", "$ ").env("TERM", "dumb");
    // Without keys that the user has chosen.
    bash.env("INPUTRC", "/dev/null");
    let side = || Stdio::from(line.try_clone().expect("it is open"));
    let folder = script.path.parent().expect("a folder");
    bash.current_dir(folder).stdin(side()).stdout(side()).stderr(side());
    let Ok(mut child) = bash.spawn() else {
        skip_without("bash");
        return;
    };
    drop((bash, line));
    let typed = [
        ("lookup --format game-", "lookup --format game-json"),
        ("lookup --format=game-", "lookup --format=game-json"),
        ("generate --encoding=c", "generate --encoding=compact"),
        ("generate -e c", "generate -e compact"),
        ("--color=n", "--color=never"),
        ("--size 8x8 show 4 --to=di", "--size 8x8 show 4 --to=diagram"),
        ("play --level=ma", "play --level=master"),
        ("man loo", "man lookup"),
        // The folder has a file of such a name; where no file is expected, it is not offered.
        ("lookup --threads _four", "lookup --threads _four"),
        ("lookup --book _four", "lookup --book _fourbook"),
    ];
    let mut keys = &screen;
    keys.write_all(b"source _fourbook; echo READY''NOW\n").expect("it is typed");
    let mut lines = BufReader::new(&screen).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("READYNOW")));
    for (words, _) in typed {
        // The completion key; then the line is printed by a command at its start.
        writeln!(keys, "fourbook {words}\t\x01echo ").expect("it is typed");
    }
    keys.write_all(b"echo ALL''DONE; exit\n").expect("it is typed");
    let printed: Vec<String> =
        lines.take_while(|line| !line.contains("ALLDONE")).map(|line| line.trim().into()).collect();
    child.wait().expect("it ends");
    for (_, completed) in typed {
        let expected = format!("fourbook {completed}");
        assert!(printed.contains(&expected), "{expected}\n{}", printed.join("\n"));
    }
}

#[test]
fn fish_completes_subcommands_options_and_values() {
    let program = r#"
        source $argv[1]
        complete --do-complete (string join -- ' ' fourbook $argv[2..])
    "#;
    for (words, expected) in COMPLETIONS {
        let Some(offered) = run("fish", &["--no-config"], program, words) else { return };
        for word in expected {
            // A tabulator separates a word from its description.
            let is_word = |line: &str| line.split('\t').next() == Some(word);
            assert!(offered.lines().any(is_word), "{words:?}: {offered}");
        }
    }
}

#[test]
fn zsh_completes_subcommands_options_and_values() {
    // zsh completes only while a line is typed: into a second one, on a pseudo-terminal. Of
    // several words it offers, a list is shown.
    let program = r#"
        zmodload zsh/zpty
        typed="fourbook ${(j: :)@[2,-1]}"
        zpty inner zsh -f -i
        zpty -w inner "PROMPT=; unsetopt zle_bracketed_paste; zstyle ':completion:*' list-colors ''"
        zpty -w inner "LISTMAX=1000; setopt no_list_beep no_always_last_prompt; bindkey '^I' complete-word"
        zpty -w inner "autoload -Uz compinit && compinit -u -D && source ${(q)1} && compdef _fourbook fourbook"
        # Keys typed before the line editor starts are not completed.
        zpty -w inner "zle-line-init() { print READY''NOW }; zle -N zle-line-init"
        zpty -r inner before '*READYNOW*'
        zpty -w -n inner "$typed"$'\t'
        zpty -w inner $'\nprint ALL''DONE'
        zpty -r inner offered '*ALLDONE*'
        print -r -- $offered
    "#;
    for (words, expected) in COMPLETIONS {
        let Some(offered) = run("zsh", &["-f"], program, words) else { return };
        for word in expected {
            assert!(offered.contains(word), "{words:?}: {offered}");
        }
    }
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
    let run = fourbook(&["completions", "tcsh"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("bash") && run.stderr.contains("zsh"), "{}", run.stderr);
}
