//! The scripts of the page, joined to a few files, and a document that names them: a first visit
//! makes few requests, and a later one asks for the document only.
//!
//! A module becomes a function that returns what it exports. Modules name their imports and exports
//! at the beginnings of lines, one statement a line.

use super::{PAGE, PageFile};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The files, and the modules that each begins with: the one that loads the texts of a language,
/// what the first view needs, what is loaded right after it, and the rest. A module is in the first file whose modules import it.
const FILES: [(&str, &[&str]); 4] = [
    ("language.js", &["texts.js"]),
    ("first.js", &["main.js", "play-panel.js"]),
    ("second.js", &["later.js", "server-engine.js"]),
    ("third.js", &[]),
];
/// Modules of other hosts and of the description of the interface.
const OTHERS: [&str; 2] = ["local-engine.js", "api.js"];

/// The page as the server sends it.
pub(crate) struct Bundle {
    /// The document, the joined scripts, and the list of files for the service worker.
    pub files: Vec<PageFile>,
    /// Names the version, in the queries of addresses that never change their content.
    pub version: &'static str,
}

/// A module of the page.
struct Module {
    imports: Vec<(&'static str, &'static str)>,
    exports: Vec<&'static str>,
    body: String,
}

impl Module {
    fn new(text: &'static str) -> Module {
        let mut module = Module { imports: Vec::new(), exports: Vec::new(), body: String::new() };
        for line in text.lines() {
            if let Some((names, rest)) =
                line.strip_prefix("import {").and_then(|rest| rest.split_once("} from \"./"))
            {
                module.imports.push((names.trim(), rest.trim_end_matches("\";")));
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
}

/// The name of a module within a joined file.
fn variable(name: &str) -> String {
    // With the ending, as some modules have the names of globals.
    name.replace(['-', '.'], "_")
}

/// Appends the modules that `name` imports, and then itself, unless a file has it.
fn place(
    name: &'static str,
    file: usize,
    modules: &BTreeMap<&str, Module>,
    order: &mut Vec<(&'static str, usize)>,
) {
    if order.iter().any(|(placed, _)| *placed == name) {
        return;
    }
    for (_, import) in &modules[name].imports {
        place(import, file, modules, order);
    }
    order.push((name, file));
}

/// Joins the scripts.
pub(crate) fn bundle() -> Bundle {
    let mut texts = BTreeMap::new();
    for file in PAGE {
        let text = str::from_utf8(file.content).unwrap_or_default();
        texts.insert(file.path, text);
    }
    let scripts =
        texts.iter().filter_map(|(path, text)| Some((path.strip_prefix("script/")?, *text)));
    let modules: BTreeMap<&'static str, Module> = scripts
        .filter(|(name, _)| !OTHERS.contains(name))
        .map(|(name, text)| (name, Module::new(text)))
        .collect();
    let mut order = Vec::new();
    for (file, (_, first)) in FILES.iter().enumerate() {
        for name in *first {
            place(name, file, &modules, &mut order);
        }
    }
    for name in modules.keys() {
        place(name, FILES.len() - 1, &modules, &mut order);
    }

    let version: &'static str = {
        let mut hasher = crc32fast::Hasher::new();
        PAGE.iter().for_each(|file| hasher.update(file.content));
        format!("{:08x}", hasher.finalize()).leak()
    };
    let address = |name: &str| format!("\"./{name}?{version}\"");
    let mut joined = FILES.map(|_| String::new());
    for (file, text) in joined.iter_mut().enumerate() {
        for (before, (name, _)) in FILES.iter().enumerate().take(file) {
            writeln!(text, "import * as file{before} from {};", address(name)).expect("memory");
        }
    }
    for (name, file) in &order {
        let module = &modules[name];
        let text = &mut joined[*file];
        // A module can wait for something at its top level.
        let waits = |line: &str| line.starts_with("const ") && line.contains(" = await ");
        let how = if module.body.lines().any(waits) { "await (async " } else { "(" };
        writeln!(text, "export const {} = {how}() => {{", variable(name)).expect("memory");
        for (names, import) in &module.imports {
            let other = order.iter().find(|(placed, _)| placed == import).expect("it is placed").1;
            let of = if other == *file { String::new() } else { format!("file{other}.") };
            writeln!(
                text,
                "const {{ {} }} = {of}{};",
                names.replace(" as ", ": "),
                variable(import)
            )
            .expect("memory");
        }
        let mut body = module
            .body
            .replace("\"style/later.css\"", &format!("\"style/later.css?{version}\""))
            .replace(".json`", &format!(".json?{version}`"));
        for (other, place) in &order {
            let there = format!(
                "import({}).then((all) => all.{})",
                address(FILES[*place].0),
                variable(other)
            );
            body = body.replace(&format!("import(\"./{other}\")"), &there);
        }
        writeln!(text, "{body}return {{ {} }};\n}})();", module.exports.join(", "))
            .expect("memory");
    }

    let document = texts["index.html"]
        .lines()
        .filter(|line| !line.contains("rel=\"modulepreload\""))
        .fold(String::new(), |text, line| text + line + "\n")
        .replace(
            "<script type=\"module\" src=\"script/main.js\"></script>",
            &format!(
                "<script type=\"module\" src=\"script/first.js?{version}\"></script>\n\
                 <link rel=\"modulepreload\" href=\"script/second.js?{version}\">"
            ),
        )
        .replace("script/texts.js\">", &format!("script/language.js?{version}\">"))
        .replace(".css\">", &format!(".css?{version}\">"));
    let names = FILES.map(|(name, _)| format!("script/{name}?{version}"));
    let styles = ["theme", "page", "later"].map(|name| format!("style/{name}.css?{version}"));
    let languages = texts.keys().filter(|path| path.starts_with("texts/"));
    let languages = languages.map(|path| format!("{path}?{version}"));
    let kept: Vec<String> =
        ["./".to_owned()].into_iter().chain(names).chain(styles).chain(languages).collect();
    let list = format!("self.VERSION = {version:?};\nself.FILES = {kept:?};\n");

    let made =
        |path: &'static str, content: String| PageFile { path, content: content.leak().as_bytes() };
    let [language, first, second, third] = joined;
    let files = vec![
        made("index.html", document),
        made("files.js", list),
        made("script/language.js", language),
        made("script/first.js", first),
        made("script/second.js", second),
        made("script/third.js", third),
    ];
    Bundle { files, version }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_is_in_one_file_and_imports_from_that_file_or_one_before() {
        let bundle = bundle();
        let text = |path: &str| {
            let file = bundle.files.iter().find(|file| file.path == path).expect(path);
            str::from_utf8(file.content).unwrap()
        };
        let files = FILES.map(|(name, _)| text(&format!("script/{name}")));
        for file in PAGE {
            let Some(name) =
                file.path.strip_prefix("script/").filter(|name| !OTHERS.contains(name))
            else {
                continue;
            };
            let defined = format!("export const {} = ", variable(name));
            let count: usize = files.iter().map(|text| text.matches(&defined).count()).sum();
            assert_eq!(count, 1, "{name}");
        }
        for text in files {
            assert!(!text.lines().any(|line| line.starts_with("import {")));
            let left = ["local-engine.js"]
                .map(|name| text.matches(&format!("import(\"./{name}\")")).count());
            let all = text.matches("import(\"./").count();
            let joined = text.matches(&format!(".js?{}\").then(", bundle.version)).count();
            assert_eq!(all, joined + left.iter().sum::<usize>());
        }
        assert!(text("index.html").contains(&format!("script/first.js?{}", bundle.version)));
        assert!(!text("index.html").contains("main.js"));
    }
}
