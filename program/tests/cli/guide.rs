//! The README and the guide: their examples print what they show, and their links lead somewhere.

use crate::support::{fourbook, repository};
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

/// A command and the output that a page shows for it.
struct Example<'a> {
    command: &'a str,
    output: Vec<&'a str>,
}

/// The commands in blocks of the kind `console`: lines that begin with `$ `.
fn examples(page: &str) -> Vec<Example<'_>> {
    let mut examples: Vec<Example> = Vec::new();
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for line in block.lines() {
            match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => examples.push(Example { command, output: Vec::new() }),
                (None, Some(example)) => example.output.push(line),
                (None, None) => panic!("expected a line that begins with '$ ', found '{line}'"),
            }
        }
    }
    examples
}

/// The examples of a page run one after the other in a folder of their own. A line `...` stands
/// for the rest of the output.
#[test]
#[cfg(unix)]
fn examples_print_what_the_pages_show() {
    let program = Path::new(env!("CARGO_BIN_EXE_fourbook"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for Example { command, output } in examples(&text) {
            let run = std::process::Command::new("sh")
                .args(["-c", command])
                .current_dir(&folder)
                .env("PATH", &path)
                .env_remove("FOURBOOK_BOOK")
                .output()
                .unwrap();
            let stdout = String::from_utf8(run.stdout).unwrap();
            let (shown, found) = match output.iter().position(|line| *line == "...") {
                Some(end) => (&output[..end], stdout.lines().take(end).collect()),
                None => (&output[..], stdout.lines().collect::<Vec<_>>()),
            };
            let stderr = String::from_utf8_lossy(&run.stderr);
            assert_eq!(shown, found, "{}: {command}\n{stderr}", page.display());
            assert!(run.status.success(), "{}: {command}\n{stderr}", page.display());
            count += 1;
        }
    }
    assert!(count > 10, "{count} examples");
}

#[test]
fn links_between_pages_lead_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#', ' ']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let path = page.parent().unwrap().join(target);
            assert!(path.exists(), "{} links to {target}, which is missing", page.display());
        }
    }
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

/// `docs/src/commands.md` is the help of all commands.
#[test]
fn the_reference_of_commands_is_current() {
    let commands = crate::help::subcommands();
    let mut page = "# Commands\n\nThe output of `--help` of every command.\n".to_owned();
    for name in std::iter::once("").chain(commands.iter().map(String::as_str)) {
        let arguments = [name, "--help"];
        let help = fourbook(if name.is_empty() { &arguments[1..] } else { &arguments }).stdout;
        page += &format!(
            "\n## {}\n\n```text\n{}\n```\n",
            format!("fourbook {name}").trim(),
            help.trim()
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
