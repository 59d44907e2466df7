//! Data flows one way: no module imports from a later one, and no two files import from each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the library, each after the modules it builds on.
const ORDER: [&str; 22] = [
    "errors",
    "splitmix",
    "findings",
    "memory",
    "files",
    "envelope",
    "mapping",
    "parallel",
    "progress",
    "board",
    "simd",
    "rank",
    "scores",
    "solver",
    "book",
    "oracle",
    "level",
    "enumerate",
    "derive",
    "generate",
    "tools",
    "kind",
];

/// The source files of a folder and of all folders in it; a file itself.
fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") && path.is_file() {
        found.push(path.to_owned());
    }
}

/// A path in a `use` or in code, such as `super::size::Size`.
type Names = Vec<String>;

/// A module: a file, or a module written inside one.
#[derive(Default)]
struct Module {
    file: String,
    /// Its imports, by their names in the module.
    imports: Vec<(String, Names)>,
    /// The paths in its code.
    paths: Vec<Names>,
}

/// A crate, without the code of its tests.
#[derive(Default)]
struct Crate {
    modules: BTreeMap<Names, Module>,
    /// Every word in the code of a file outside of `use`.
    words: BTreeMap<String, BTreeSet<String>>,
    /// Modules that are compiled for tests only.
    tests: BTreeSet<Names>,
}

impl Crate {
    fn read(folder: &Path) -> Crate {
        let mut found = Vec::new();
        files(folder, &mut found);
        let mut read = Crate::default();
        for file in found {
            let name = file.strip_prefix(folder).unwrap().to_owned();
            let parts = name.with_extension("");
            let mut path: Names = parts.iter().map(|part| part.display().to_string()).collect();
            path.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
            let tokens = tokens(&fs::read_to_string(&file).unwrap());
            read.module(&path, &name.display().to_string(), &mut tokens.into_iter().peekable());
        }
        let Crate { modules, tests, .. } = &mut read;
        modules.retain(|path, _| !(1..=path.len()).any(|end| tests.contains(&path[..end])));
        read
    }

    /// Reads a module up to its closing brace or the end of the file.
    fn module(&mut self, path: &[String], file: &str, tokens: &mut Tokens) {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        let mut depth = 0;
        while let Some(token) = tokens.next() {
            match token.as_str() {
                "{" => depth += 1,
                "}" if depth == 0 => break,
                "}" => depth -= 1,
                "#" => {
                    let attribute = group(tokens);
                    let has = |word: &str| attribute.iter().any(|token| token == word);
                    if has("cfg") && has("test") && !has("not") {
                        self.skip_item(path, tokens);
                    }
                }
                "mod" => {
                    let inner = [path, &[tokens.next().unwrap()]].concat();
                    if tokens.next().as_deref() == Some("{") {
                        self.module(&inner, file, tokens);
                    }
                }
                "use" => read_use(&[], tokens, &mut module.imports),
                name if name.starts_with(is_of_name) => {
                    let mut names = vec![token];
                    while tokens.next_if(|token| token == "::").is_some() {
                        names.extend(tokens.next_if(|token| token.starts_with(is_of_name)));
                    }
                    self.words.entry(file.to_owned()).or_default().extend(names.clone());
                    module.paths.push(names);
                }
                _ => {}
            }
        }
        self.modules.insert(path.to_owned(), module);
    }

    /// Leaves out an item that is compiled for tests only.
    fn skip_item(&mut self, path: &[String], tokens: &mut Tokens) {
        let mut item = Vec::new();
        loop {
            match tokens.peek().map(String::as_str) {
                Some("{") => return drop(group(tokens)),
                Some(";") | None => break,
                Some(_) => item.extend(tokens.next()),
            }
        }
        if let [.., keyword, name] = &item[..]
            && keyword == "mod"
        {
            self.tests.insert([path, std::slice::from_ref(name)].concat());
        }
    }

    /// The file that defines what a path in a module names, if it is an item of this crate.
    fn home(&self, module: &[String], path: &[String], hops: usize) -> Option<&str> {
        let mut at = match path[0].as_str() {
            "crate" => Vec::new(),
            "self" => module.to_owned(),
            "super" => module[..module.len() - 1].to_owned(),
            _ => [module, &path[..1]].concat(),
        };
        if !self.modules.contains_key(&at) {
            return self.imported(module, path, hops);
        }
        let mut rest = &path[1..];
        while let [name, others @ ..] = rest {
            let next = match name.as_str() {
                "super" => at[..at.len() - 1].to_owned(),
                _ => [&at[..], &rest[..1]].concat(),
            };
            if !self.modules.contains_key(&next) {
                let file = self.modules.get(&at).map(|module| module.file.as_str());
                return self.imported(&at, rest, hops).or(file);
            }
            (at, rest) = (next, others);
        }
        None
    }

    /// The file for a path that begins with an imported name.
    fn imported(&self, module: &[String], path: &[String], hops: usize) -> Option<&str> {
        let imports = &self.modules.get(module)?.imports;
        let (_, from) = imports.iter().find(|(name, _)| *name == path[0])?;
        let path = [from, &path[1..]].concat();
        if hops < 8 { self.home(module, &path, hops + 1) } else { None }
    }

    /// The files that each file imports from, with the paths by which it does.
    fn arrows(&self) -> BTreeMap<&str, BTreeMap<&str, BTreeSet<String>>> {
        let mut arrows: BTreeMap<&str, BTreeMap<&str, BTreeSet<String>>> = BTreeMap::new();
        for (path, module) in &self.modules {
            // A folder's `mod.rs` does not use the names that it re-exports.
            let is_face = ["mod.rs", "lib.rs"].iter().any(|face| module.file.ends_with(face));
            let words = self.words.get(&module.file);
            let is_used =
                |name: &String| !is_face || words.is_some_and(|words| words.contains(name));
            let imports = module.imports.iter().filter(|(name, _)| is_used(name));
            for names in imports.map(|(_, names)| names).chain(&module.paths) {
                if let Some(home) = self.home(path, names, 0).filter(|&home| home != module.file) {
                    let from = arrows.entry(&module.file).or_default();
                    from.entry(home).or_default().insert(names.join("::"));
                }
            }
        }
        arrows
    }

    /// The imports within a circle of files, one line for each pair.
    fn circles(&self) -> Vec<String> {
        let arrows = self.arrows();
        let reached = |from: &str| {
            let mut reached = BTreeSet::new();
            let mut next = vec![from.to_owned()];
            while let Some(file) = next.pop() {
                for to in arrows.get(file.as_str()).into_iter().flatten().map(|(to, _)| *to) {
                    if reached.insert(to) {
                        next.push(to.to_owned());
                    }
                }
            }
            reached
        };
        let lines = arrows.iter().flat_map(|(from, to)| {
            let back = to.iter().filter(|&(to, _)| reached(to).contains(from));
            back.map(move |(to, names)| format!("{from} imports {names:?} from {to}"))
        });
        lines.collect()
    }
}

type Tokens = std::iter::Peekable<std::vec::IntoIter<String>>;

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The names and signs of code, without comments, texts, characters and numbers.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(raw) = rest.strip_prefix('r').filter(|raw| raw.starts_with(['"', '#'])) {
            let hashes = raw.len() - raw.trim_start_matches('#').len();
            let end = format!("\"{}", "#".repeat(hashes));
            let start = 2 + hashes;
            rest[start..].find(&end).map_or(rest.len(), |found| start + found + end.len())
        } else if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if first == '\'' {
            // A character, or a lifetime.
            match rest[1..].strip_prefix('\\') {
                Some(escaped) => 4 + escaped[1..].find('\'').unwrap_or(0),
                None => {
                    let mut next = rest.char_indices().skip(2);
                    next.next().filter(|&(_, c)| c == '\'').map_or(1, |(place, _)| place + 1)
                }
            }
        } else if is_of_name(first) {
            let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            if !first.is_ascii_digit() {
                tokens.push(rest[..end].to_owned());
            }
            end
        } else {
            let length = if rest.starts_with("::") { 2 } else { first.len_utf8() };
            if !first.is_whitespace() {
                tokens.push(rest[..length].to_owned());
            }
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// The tokens to the end of the group of brackets that begins with the next one or the one
/// after.
fn group(tokens: &mut Tokens) -> Names {
    let mut inside = Vec::new();
    let mut depth = 0;
    for token in tokens.by_ref() {
        match token.as_str() {
            "[" | "{" | "(" => depth += 1,
            "]" | "}" | ")" => depth -= 1,
            _ => {}
        }
        let is_end = depth == 0 && !["#", "!"].contains(&token.as_str());
        inside.push(token);
        if is_end {
            break;
        }
    }
    inside
}

/// Reads the rest of a `use`, or of a part of one in braces.
fn read_use(prefix: &[String], tokens: &mut Tokens, imports: &mut Vec<(String, Names)>) {
    let (mut names, mut alias, mut has_parts) = (prefix.to_owned(), None, false);
    while let Some(token) = tokens.next() {
        match token.as_str() {
            "::" => {}
            "as" => alias = tokens.next(),
            "{" => {
                read_use(&names, tokens, imports);
                has_parts = true;
            }
            "," | ";" | "}" => {
                if names.len() > prefix.len() && !has_parts {
                    names.pop_if(|last| last == "self");
                    let name = alias.take().or_else(|| names.last().cloned());
                    imports.extend(name.map(|name| (name, names)));
                }
                if token != "," {
                    return;
                }
                (names, has_parts) = (prefix.to_owned(), false);
            }
            _ => names.push(token),
        }
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
                    // Names that the root re-exports come from their modules.
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

#[test]
fn no_files_import_from_each_other_in_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "program/src", "server/src"] {
        let read = Crate::read(&root.join(folder));
        let circles = read.circles();
        assert!(read.modules.len() > 10, "{folder} has no files");
        assert!(circles.is_empty(), "circles in {folder}:\n{}", circles.join("\n"));
    }
}
