//! Names the commit for `fourbook --version`, and leaves symbols out of the released program.

use std::path::Path;
use std::process::Command;

/// The sources of the program. A package from a registry has no repository around it.
const SOURCES: [&str; 12] = [
    "Cargo.toml",
    "Cargo.lock",
    "src",
    "solver/src",
    "solver/Cargo.toml",
    "program/src",
    "program/Cargo.toml",
    "server/src",
    "server/build.rs",
    "server/page",
    "server/Cargo.toml",
    "books",
];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut commit = None;
    if root.join(".git").exists() {
        // Every commit and checkout is written to the log of HEAD.
        if let Some(log) = git(&root, &["rev-parse", "--git-path", "logs/HEAD"]) {
            println!("cargo::rerun-if-changed={}", root.join(log).display());
        }
        for source in SOURCES {
            println!("cargo::rerun-if-changed=../{source}");
        }
        commit = git(&root, &["rev-parse", "--short=10", "HEAD"]);
        let is_changed =
            git(&root, &[&["diff", "--quiet", "HEAD", "--"], &SOURCES[..]].concat()).is_none();
        commit = commit.map(|it| if is_changed { format!("{it}, with changes") } else { it });
    } else {
        println!("cargo::rerun-if-changed=build.rs");
    }
    println!("cargo::rustc-env=FOURBOOK_COMMIT={}", commit.unwrap_or_default());
    // Not in the profile, so that tests and libraries keep their symbols for backtraces.
    let is = |variable, value: &str| std::env::var(variable).is_ok_and(|it| it == value);
    if is("PROFILE", "release") && is("DEBUG", "false") && is("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,--strip-all");
    }
}

/// What git prints; `None` if it fails or is missing.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
