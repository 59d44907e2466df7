//! The page as a host sends it: its scripts joined to a few files, whose names have the version. A
//! first visit makes few requests, a later one asks for the document only, and a page that is open
//! never gets a part of another version.
//!
//! A module becomes a function that returns what it exports. Modules name their imports and exports
//! at the beginnings of lines, one statement a line.

use super::{PAGE, PageFile};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What sends the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// `fourbook serve`.
    Server,
    /// A web server that sends files only; the JavaScript package answers.
    Files {
        /// The bytes of the package's large files, as a JSON object.
        bytes: String,
    },
}

/// The joined scripts, and the modules that each begins with: what asks for the texts of a language, the
/// texts in English and the parts that the page of the API shares, the first view, the parts loaded right
/// after it, the rest, and the page of the API. A module is in the first file whose modules import it.
const FILES: [(&str, &[&str]); 6] = [
    ("language.js", &["language.js"]),
    ("base.js", &["texts.js", "dom.js", "store.js"]),
    ("first.js", &["main.js", "play-panel.js"]),
    ("second.js", &["later.js", "server-engine.js", "local-engine.js"]),
    ("third.js", &[]),
    ("api.js", &["api.js"]),
];

/// The folders of the files whose names have the version.
const VERSIONED: [&str; 3] = ["script/", "style/", "texts/"];

/// The page for a host.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The files, by their paths without the version.
    pub files: Vec<PageFile>,
    /// The version, which follows from the content of all files.
    pub version: &'static str,
}

impl Bundle {
    /// Joins the scripts of the page for a host.
    pub fn new(host: &Host) -> Bundle {
        let hosting = hosting_for(host);
        let mut texts = BTreeMap::new();
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(hosting.as_bytes());
        for file in PAGE {
            hasher.update(file.content);
            texts.insert(file.path, str::from_utf8(file.content).unwrap_or_default());
        }
        texts.insert("script/hosting.js", hosting);
        let version = &*format!("{:08x}", hasher.finalize()).leak();

        let is_left_out = |path: &str| match host {
            Host::Server => path == "script/local-engine.js",
            // The routes cannot be tried without a server; their description can be read.
            Host::Files { .. } => {
                ["api.html", "style/api.css", "script/api.js", "script/server-engine.js"]
                    .contains(&path)
            }
        };
        texts.retain(|path, _| !is_left_out(path));
        let mut files = Vec::new();
        for file in PAGE {
            let is_joined = file.path.starts_with("script/") || file.path == ENGLISH;
            if !is_joined && !is_left_out(file.path) {
                files.push(*file);
            }
        }
        for (name, text) in joined(&texts, version) {
            let path = format!("script/{name}").leak();
            files.push(PageFile { path, content: text.leak().as_bytes() });
        }
        // Documents name other files.
        let paths: Vec<&str> = files.iter().map(|file| file.path).collect();
        for file in files.iter_mut().filter(|file| file.path.ends_with(".html")) {
            let text = with_version(texts[file.path], &paths, version);
            file.content = text.leak().as_bytes();
        }
        Bundle { files, version }
    }

    /// The address of a file, relative to the page.
    pub fn address(&self, path: &str) -> String {
        address(path, self.version)
    }

    /// The files that the service worker keeps before they are asked for. Texts of other languages
    /// than English are kept when they are used.
    pub fn kept(&self) -> Vec<String> {
        let mut kept = vec!["./".to_owned()];
        for PageFile { path, .. } in &self.files {
            let is_script_or_style = path.ends_with(".js") || path.ends_with(".css");
            let is_of_the_page = path.contains('/') && !path.contains("/api.");
            if is_of_the_page && is_script_or_style {
                kept.push(self.address(path));
            }
        }
        kept
    }
}

/// The list of files for the service worker, `files.js`.
pub fn file_list(version: &str, kept: &[String]) -> String {
    format!("self.VERSION = {version:?};\nself.FILES = {kept:#?};\n")
}

/// The texts in English, which are in the scripts.
const ENGLISH: &str = "texts/en.json";

/// The module that names the host.
fn hosting_for(host: &Host) -> &'static str {
    let file = PAGE.iter().find(|file| file.path == "script/hosting.js").expect("the page has it");
    let text = str::from_utf8(file.content).expect("it is UTF-8");
    match host {
        Host::Server => text,
        Host::Files { bytes } => text
            .replace("\"server\";", "\"local\";")
            .replace("bytes = {};", &format!("bytes = {bytes};"))
            .leak(),
    }
}

/// The address of a file, relative to the page.
fn address(path: &str, version: &str) -> String {
    if VERSIONED.iter().any(|folder| path.starts_with(folder)) {
        versioned(path, version)
    } else {
        path.to_owned()
    }
}

/// The name of a file with the version.
fn versioned(name: &str, version: &str) -> String {
    let (stem, ending) = name.rsplit_once('.').expect("files have an ending");
    format!("{stem}.{version}.{ending}")
}

/// A text with the addresses of the files that it names.
fn with_version(text: &str, paths: &[&str], version: &str) -> String {
    let mut text = text.to_owned();
    for path in paths {
        text = text.replace(&format!("\"{path}\""), &format!("\"{}\"", address(path, version)));
    }
    // The name of a language is put in by the script.
    text.replace("}.json`", &format!("}}.{version}.json`"))
}

/// A module of the page.
struct Module<'a> {
    /// Names, and the module that exports them.
    imports: Vec<(&'a str, &'a str)>,
    /// Statements that import files which are not joined.
    outside: Vec<&'a str>,
    exports: Vec<&'a str>,
    body: String,
}

impl<'a> Module<'a> {
    fn new(text: &'a str, english: &str) -> Module<'a> {
        let mut module = Module {
            imports: Vec::new(),
            outside: Vec::new(),
            exports: Vec::new(),
            body: String::new(),
        };
        let mut in_comment = false;
        for line in text.lines() {
            // Comments, which have lines of their own, are a tenth of the bytes.
            let code = line.trim_start();
            if in_comment || code.starts_with("/*") {
                in_comment = !code.ends_with("*/");
                continue;
            }
            if code.starts_with("//") {
                continue;
            }
            if let Some(statement) = line.strip_prefix("import ") {
                let (names, file) = statement.split_once(" from \"").expect("an import has a file");
                if let Some(name) = file.strip_prefix("./") {
                    let names = names.trim_matches(['{', '}', ' ']);
                    module.imports.push((names, name.trim_end_matches("\";")));
                } else if file.starts_with("../texts/") {
                    writeln!(module.body, "const {names} = {english};").expect("memory");
                } else {
                    module.outside.push(line);
                }
                continue;
            }
            let exported = line.strip_prefix("export ");
            if let Some(statement) = exported {
                let name = statement
                    .split(|letter: char| !(letter.is_alphanumeric() || "_$".contains(letter)))
                    .find(|word| !["", "async", "function", "const", "class"].contains(word));
                module.exports.push(name.expect("an export has a name"));
            }
            module.body += exported.unwrap_or(line);
            module.body.push('\n');
        }
        module
    }

    /// Whether it waits for something at its top level.
    fn waits(&self) -> bool {
        self.body.lines().any(|line| line.starts_with("const ") && line.contains(" = await "))
    }
}

/// The name of a module within a joined file.
fn variable(name: &str) -> String {
    // With the ending, as some modules have the names of globals.
    name.replace(['-', '.'], "_")
}

/// Appends the modules that `name` imports, and then itself, unless a file has it.
fn place<'a>(
    name: &'a str,
    file: usize,
    modules: &BTreeMap<&str, Module<'a>>,
    order: &mut Vec<(&'a str, usize)>,
) {
    if order.iter().any(|(placed, _)| *placed == name) {
        return;
    }
    for (_, import) in &modules[name].imports {
        place(import, file, modules, order);
    }
    order.push((name, file));
}

/// The joined scripts: their names and contents.
fn joined(
    texts: &BTreeMap<&'static str, &'static str>,
    version: &str,
) -> Vec<(&'static str, String)> {
    let mut modules = BTreeMap::new();
    for (path, text) in texts {
        if let Some(name) = path.strip_prefix("script/") {
            modules.insert(name, Module::new(text, texts[ENGLISH].trim()));
        }
    }
    let mut order = Vec::new();
    let named: Vec<&str> = FILES.iter().flat_map(|(_, first)| *first).copied().collect();
    for (file, (_, first)) in FILES.iter().enumerate() {
        let rest = modules.keys().copied().filter(|name| first.is_empty() && !named.contains(name));
        let first = first.iter().copied().filter(|name| modules.contains_key(name));
        for name in first.chain(rest) {
            place(name, file, &modules, &mut order);
        }
    }

    let paths: Vec<&str> = texts.keys().copied().collect();
    let beside = |file: usize| format!("\"./{}\"", versioned(FILES[file].0, version));
    let mut bodies = FILES.map(|_| String::new());
    let mut heads = FILES.map(|_| BTreeSet::new());
    for (name, file) in &order {
        let module = &modules[name];
        let text = &mut bodies[*file];
        heads[*file].extend(module.outside.iter().map(|statement| (*statement).to_owned()));
        let how = if module.waits() { "await (async " } else { "(" };
        writeln!(text, "export const {} = {how}() => {{", variable(name)).expect("memory");
        for (names, import) in &module.imports {
            let other = order.iter().find(|(placed, _)| placed == import).expect("it is placed").1;
            let mut of = String::new();
            if other != *file {
                of = format!("file{other}.");
                heads[*file].insert(format!("import * as file{other} from {};", beside(other)));
            }
            let names = names.replace(" as ", ": ");
            writeln!(text, "const {{ {names} }} = {of}{};", variable(import)).expect("memory");
        }
        let mut body = with_version(&module.body, &paths, version);
        for (other, place) in &order {
            let there =
                format!("import({}).then((all) => all.{})", beside(*place), variable(other));
            body = body.replace(&format!("import(\"./{other}\")"), &there);
        }
        writeln!(text, "{body}return {{ {} }};\n}})();", module.exports.join(", "))
            .expect("memory");
    }
    let mut files = Vec::new();
    for (file, body) in bodies.into_iter().enumerate().filter(|(_, body)| !body.is_empty()) {
        let mut text = String::new();
        for statement in &heads[file] {
            text += statement;
            text.push('\n');
        }
        files.push((FILES[file].0, text + &body));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts() -> [Host; 2] {
        [Host::Server, Host::Files { bytes: "{\"package/a.wasm\":7}".to_owned() }]
    }

    fn text<'a>(bundle: &'a Bundle, path: &str) -> &'a str {
        let file = bundle.files.iter().find(|file| file.path == path).expect(path);
        str::from_utf8(file.content).unwrap()
    }

    #[test]
    fn every_module_is_in_one_file_and_imports_from_that_file_or_one_before() {
        for host in hosts() {
            let bundle = Bundle::new(&host);
            let is_script = |file: &&PageFile| file.path.starts_with("script/");
            let files: Vec<&str> = bundle
                .files
                .iter()
                .filter(is_script)
                .map(|file| text(&bundle, file.path))
                .collect();
            let mut left_out = Vec::new();
            for file in PAGE.iter().filter(is_script) {
                let name = &file.path["script/".len()..];
                let defined = format!("export const {} = ", variable(name));
                match files.iter().map(|text| text.matches(&defined).count()).sum() {
                    0 => left_out.push(name),
                    count => assert_eq!(count, 1, "{name}"),
                }
            }
            let wanted: &[&str] = match host {
                Host::Server => &["local-engine.js"],
                Host::Files { .. } => &["api.js", "server-engine.js"],
            };
            assert_eq!(left_out, wanted);
            for text in files {
                // Imports from other joined files and from the package are left.
                for line in text.lines().filter(|line| line.starts_with("import ")) {
                    let is_known = line.contains("\"../package/") || line.contains(bundle.version);
                    assert!(is_known, "{line}");
                }
                let all = text.matches("import(\"./").count();
                let joined = text.matches(&format!(".{}.js\").then(", bundle.version)).count();
                let left: usize = wanted
                    .iter()
                    .map(|name| text.matches(&format!("import(\"./{name}\")")).count())
                    .sum();
                assert_eq!(all, joined + left);
            }
        }
    }

    #[test]
    fn documents_name_files_that_there_are() {
        for host in hosts() {
            let bundle = Bundle::new(&host);
            let addresses: Vec<String> =
                bundle.files.iter().map(|file| bundle.address(file.path)).collect();
            for document in bundle.files.iter().filter(|file| file.path.ends_with(".html")) {
                let text = text(&bundle, document.path);
                for start in ["src=\"", "href=\"script", "href=\"style", "href=\"app"] {
                    for part in text.split(start).skip(1) {
                        let folder = start.split_once('"').unwrap().1;
                        let named = format!("{folder}{}", part.split_once('"').unwrap().0);
                        assert!(addresses.contains(&named), "{}: {named}", document.path);
                    }
                }
            }
        }
    }

    /// The page of the API must not start the game.
    #[test]
    fn the_page_of_the_api_imports_the_base_only() {
        let bundle = Bundle::new(&Host::Server);
        let imports =
            text(&bundle, "script/api.js").lines().filter(|line| line.starts_with("import "));
        assert_eq!(imports.count(), 1);
        let base = format!("from \"./base.{}.js\"", bundle.version);
        assert!(text(&bundle, "script/api.js").lines().next().unwrap().contains(&base));
    }

    #[test]
    fn the_page_of_files_says_that_there_is_no_server_and_how_much_it_downloads() {
        let [server, files] = hosts().map(|host| Bundle::new(&host));
        let first = text(&files, "script/second.js");
        assert!(first.contains("hosting = \"local\";"), "{first}");
        assert!(first.contains("bytes = {\"package/a.wasm\":7};"), "{first}");
        assert_ne!(server.version, files.version);
    }
}
