//! Data flows one way: no module imports from one that comes after it.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the library, each after all that it builds on.
const ORDER: [&str; 16] = [
    "errors",
    "files",
    "envelope",
    "mapping",
    "parallel",
    "progress",
    "board",
    "rank",
    "scores",
    "solver",
    "book",
    "oracle",
    "level",
    "enumerate",
    "generate",
    "tools",
];

/// The files of a module, all below its folder included.
fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") && path.is_file() {
        found.push(path.to_owned());
    }
}

/// The modules that a line of code names by `crate::`, in documentation or not.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or("");
    code.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

#[test]
fn no_module_imports_from_one_that_comes_after_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (place, module) in ORDER.into_iter().enumerate() {
        let mut found = Vec::new();
        files(&source.join(module), &mut found);
        files(&source.join(module).with_extension("rs"), &mut found);
        assert!(!found.is_empty(), "there is no module {module}");
        for file in found {
            let text = fs::read_to_string(&file).unwrap();
            for (number, line) in (1..).zip(text.lines()) {
                for other in named(line) {
                    // What the root re-exports has to be taken from its module.
                    let allowed = ORDER[..=place].contains(&other);
                    assert!(allowed, "{}:{number} uses {other}", file.display());
                }
            }
        }
    }
}

#[test]
fn every_module_of_the_library_has_its_place() {
    let root = include_str!("../src/lib.rs");
    let declared = root
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'));
    for module in declared {
        assert!(ORDER.contains(&module), "{module} is not in the order");
    }
}
