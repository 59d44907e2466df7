//! The README and the guide: their examples run and print what they show.

use crate::support::{fourbook, repository, skip_without};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The README and all pages of the guide.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![PathBuf::from(repository!("README.md"))];
    let mut folders = vec![PathBuf::from(repository!("docs/src"))];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    assert!(pages.len() > 15, "{pages:?}");
    pages
}

/// A block of code on a page.
struct Block {
    language: String,
    text: String,
    /// Whether a comment above it, `<!-- not run: REASON -->`, exempts it from running.
    runs: bool,
}

fn blocks(page: &Path) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut previous = String::new();
    for line in fs::read_to_string(page).unwrap().lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => {
                let runs = !previous.starts_with("<!-- not run: ");
                open = Some(Block { language: language.to_owned(), text: String::new(), runs });
            }
            (None, Some(block)) => block.text += &format!("{line}\n"),
            (None, None) => {}
        }
        line.clone_into(&mut previous);
    }
    blocks
}

/// Runs a command in the folder, with the program on its path.
#[cfg(unix)]
fn run(program: &str, arguments: &[&str], folder: &Path) -> std::process::Output {
    let binaries = Path::new(env!("CARGO_BIN_EXE_fourbook")).parent().unwrap();
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
    std::process::Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("PATH", path)
        .env_remove("FOURBOOK_BOOK")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}

/// The examples of a page run one after the other in a folder of their own, with the small shipped
/// book in it. After a command, a block of the kind `console` shows what it prints; a line `...`
/// stands for the rest.
#[test]
#[cfg(unix)]
fn examples_print_what_the_pages_show() {
    let mut count = 0;
    for page in pages() {
        let folder = tempfile::tempdir().unwrap();
        fs::copy(repository!("books/7x6-d8.book"), folder.path().join("7x6-d8.book")).unwrap();
        for Block { language, text, runs } in blocks(&page) {
            let commands: Vec<&str> = match language.as_str() {
                "sh" if runs => vec![&text],
                "console" => text.strip_prefix("$ ").expect("a command").split("\n$ ").collect(),
                _ => continue,
            };
            for command in commands {
                let (command, shown) = match language.as_str() {
                    "sh" => (command, None),
                    _ => command
                        .split_once('\n')
                        .map(|(a, b)| (a, Some(b)))
                        .unwrap_or((command, Some(""))),
                };
                let output = run("sh", &["-ec", command], folder.path());
                let stderr = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{}: {command}\n{stderr}", page.display());
                let Some(shown) = shown else { continue };
                let stdout = String::from_utf8(output.stdout).unwrap();
                let shown: Vec<_> = shown.lines().collect();
                let end = shown.iter().position(|line| *line == "...");
                let found: Vec<_> = stdout.lines().take(end.unwrap_or(usize::MAX)).collect();
                assert_eq!(
                    shown[..end.unwrap_or(shown.len())],
                    found,
                    "{}: {command}",
                    page.display()
                );
            }
            count += 1;
        }
    }
    assert!(count > 12, "{count} blocks");
}

/// The options of commands that take too long to run.
#[test]
fn commands_that_do_not_run_have_the_options_shown() {
    let mut count = 0;
    for page in pages() {
        for Block { text, .. } in blocks(&page).iter().filter(|b| b.language == "sh" && !b.runs) {
            let commands = text.split("fourbook ").skip(1).map(|rest| rest.lines().next().unwrap());
            for command in commands {
                let command = command.split(['#', '|', ')']).next().unwrap();
                let mut words = command.split_whitespace().peekable();
                let name = words.peek().copied().unwrap_or("--help");
                let help = fourbook(&[name, "--help"]).stdout;
                for option in words.filter(|word| word.starts_with("--")) {
                    assert!(help.contains(option), "{}: {command}", page.display());
                    count += 1;
                }
            }
        }
    }
    assert!(count > 10, "{count} options");
}

/// The blocks in Python of a page build on one another.
#[test]
#[cfg(unix)]
fn python_on_the_pages_runs() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        skip_without("python3");
        return;
    }
    let mut count = 0;
    for page in pages() {
        let programs: Vec<_> = blocks(&page)
            .into_iter()
            .filter(|block| block.language == "python" && block.runs)
            .map(|block| block.text)
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let output = run("python3", &["-c", &programs.concat()], folder.path());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {stderr}", page.display());
        count += programs.len();
    }
    assert!(count > 4, "{count} blocks");
}

/// The lines of the packages' examples stand in files that the tests of the packages run.
#[test]
fn examples_of_packages_are_run_elsewhere() {
    let page = PathBuf::from(repository!("docs/src/languages.md"));
    let mut count = 0;
    for Block { language, text, .. } in blocks(&page) {
        let source = match language.as_str() {
            "python" => repository!("bindings/python/README.md"),
            "js" => repository!("bindings/javascript/README.md"),
            "c" => repository!("bindings/c/examples/lookup.c"),
            _ => continue,
        };
        let source = fs::read_to_string(source).unwrap();
        for line in text.lines() {
            assert!(source.contains(line.trim()), "{}: {line}", page.display());
            count += 1;
        }
    }
    assert!(count > 10, "{count} lines");
}

#[test]
fn the_guide_lists_all_its_pages() {
    let folder = PathBuf::from(repository!("docs/src"));
    let summary = fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    for page in pages().iter().skip(1).filter(|page| !page.ends_with("SUMMARY.md")) {
        let name = page.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
        assert!(summary.contains(&format!("({name})")), "docs/src/SUMMARY.md lacks {name}");
    }
}

/// The pieces of a help text: each option with its description, and the text between.
fn pieces(help: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for line in help.split_inclusive('\n') {
        let is_option = line.starts_with("  -") || line.starts_with("      --");
        let was_option = pieces.last().unwrap().starts_with("  ");
        if is_option || was_option && line.starts_with(char::is_alphabetic) {
            pieces.push(String::new());
        }
        pieces.last_mut().unwrap().push_str(line);
    }
    pieces
}

/// Options are shared if at least this number of commands have them with the same description.
const SHARED: usize = 4;

/// The name of an option, from the piece about it.
fn option_of(piece: &str) -> Option<&str> {
    let is_option = piece.starts_with("  -") || piece.starts_with("      --");
    piece.split([' ', '\n']).find(|word| word.starts_with("--")).filter(|_| is_option)
}

/// `docs/src/commands.md` has the help of all commands, and once what several have.
#[test]
fn the_reference_of_commands_is_current() {
    let help_of = |name: &str| fourbook(&[name, "--help"]).stdout;
    let helps: Vec<(String, Vec<String>)> = crate::help::subcommands()
        .into_iter()
        .map(|name| {
            let help = help_of(&name);
            let (help, _) = help.split_once("\nExit codes:\n").unwrap();
            (name, pieces(help))
        })
        .collect();
    let all: Vec<&String> = helps.iter().flat_map(|(_, pieces)| pieces).collect();
    let is_shared = |piece: &String| {
        let alike = all.iter().filter(|it| it.trim_end() == piece.trim_end());
        option_of(piece).is_some() && alike.count() >= SHARED
    };
    let shared = all.iter().filter(|piece| is_shared(piece));
    let shared: BTreeSet<_> = shared.map(|it| (option_of(it), it.trim_end())).collect();
    let shared: String = shared.into_iter().map(|(_, it)| format!("{it}\n\n")).collect();
    let mut page = format!(
        "# Commands\n\nThe output of `--help`, without the options that several commands have.\n\n\
         ## fourbook\n\n```text\n{}\n```\n\n## Shared options\n\n```text\n{}\n```\n",
        fourbook(&["--help"]).stdout.trim(),
        shared.trim_end()
    );
    for (name, pieces) in &helps {
        let own: String =
            pieces.iter().filter(|piece| !is_shared(piece)).map(String::as_str).collect();
        let others: Vec<&str> =
            pieces.iter().filter(|piece| is_shared(piece)).filter_map(|it| option_of(it)).collect();
        let own = without_empty_headings(&own);
        page += &format!(
            "\n## fourbook {name}\n\n```text\n{}\n```\n\n[Shared](#shared-options): `{}`.\n",
            own.trim(),
            others.join("`, `")
        );
    }
    let path = repository!("docs/src/commands.md");
    if std::env::var_os("FOURBOOK_WRITE").is_some() {
        fs::write(path, page).unwrap();
    } else {
        let advice = "write it by FOURBOOK_WRITE=1 cargo test -p fourbook-cli --test cli guide";
        assert!(fs::read_to_string(path).unwrap() == page, "commands.md is not current; {advice}");
    }
}

/// The text without headings of options that have none left.
fn without_empty_headings(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let is_heading = kept.ends_with("\n\n") && line.ends_with(":\n");
        let is_empty = lines.peek().is_none_or(|next| !next.starts_with(' '));
        if !(is_heading && is_empty) {
            kept.push_str(line);
        }
    }
    kept
}
