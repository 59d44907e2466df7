//! The files of the page, for the server and for `fourbook page`.

pub mod bundle;

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// Its path below the page, with `/` between folders.
    pub path: &'static str,
    /// Its content.
    pub content: &'static [u8],
}

impl PageFile {
    /// Its media type, by the ending of its name.
    pub fn content_type(&self) -> &'static str {
        match self.path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            Some("json") => "application/json",
            Some("webmanifest") => "application/manifest+json",
            _ => "application/octet-stream",
        }
    }
}

/// All files of the page, as they are written.
pub static PAGE: &[PageFile] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The description of the server's API, which the page links to.
pub static OPENAPI: PageFile =
    PageFile { path: "openapi.json", content: include_bytes!("../openapi.json") };

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "http")]
    use std::collections::BTreeMap;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn files_in(folder: &Path, root: &Path, found: &mut BTreeSet<String>) {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files_in(&path, root, found);
            } else {
                let path = path.strip_prefix(root).unwrap().to_str().unwrap();
                found.insert(path.replace('\\', "/"));
            }
        }
    }

    fn text(path: &str) -> &'static str {
        let file = PAGE.iter().find(|file| file.path == path).expect(path);
        str::from_utf8(file.content).expect("it is UTF-8")
    }

    #[test]
    fn the_list_has_every_file_of_the_folder() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut found = BTreeSet::new();
        files_in(&root, &root, &mut found);
        let listed = PAGE.iter().map(|file| file.path.to_owned());
        assert_eq!(found, listed.collect());
    }

    /// The texts of a language.
    #[cfg(feature = "http")]
    fn texts(path: &str) -> BTreeMap<String, serde_json::Value> {
        serde_json::from_str(text(path)).expect(path)
    }

    /// The parts between a start and the next end.
    #[cfg(feature = "http")]
    fn between<'a>(text: &'a str, start: &str, end: char) -> BTreeSet<&'a str> {
        let parts = text.split(start).skip(1);
        parts.filter_map(|part| part.split_once(end)).map(|(part, _)| part).collect()
    }

    #[cfg(feature = "http")]
    #[test]
    fn every_language_has_every_text_with_the_same_placeholders() {
        let english = texts("texts/en.json");
        let listed = between(text("script/language.js"), "export const LANGUAGES = [", ']');
        let languages = PAGE.iter().filter_map(|file| file.path.strip_prefix("texts/"));
        for name in languages.filter_map(|name| name.strip_suffix(".json")) {
            assert!(listed.iter().any(|list| list.contains(&format!("\"{name}\""))), "{name}");
            let own = texts(&format!("texts/{name}.json"));
            assert!(own.keys().eq(english.keys()), "{name}");
            for (key, text) in own {
                let forms = match (&text, &english[&key]) {
                    (serde_json::Value::Object(forms), serde_json::Value::Object(_)) => {
                        assert!(forms.contains_key("other"), "{name}: {key}");
                        forms.values().collect()
                    }
                    (form, english) => {
                        assert!(form.is_string() && english.is_string(), "{name}: {key}");
                        vec![form]
                    }
                };
                let wanted = match &english[&key] {
                    serde_json::Value::Object(forms) => &forms["other"],
                    form => form,
                };
                for form in forms {
                    let has = [form, wanted].map(|text| between(text.as_str().unwrap(), "{", '}'));
                    assert_eq!(has[0], has[1], "{name}: {key}");
                }
            }
        }
    }

    #[cfg(feature = "http")]
    #[test]
    fn scripts_say_the_texts_that_there_are() {
        let english = texts("texts/en.json");
        let scripts: Vec<_> = PAGE
            .iter()
            .filter(|file| file.path.starts_with("script/") || file.path == "index.html")
            .map(|file| text(file.path))
            .collect();
        for name in scripts.iter().flat_map(|script| between(script, "say(\"", '"')) {
            assert!(english.contains_key(name), "{name}");
        }
        // The beginnings of names that end with a value.
        let begun: BTreeSet<_> = scripts
            .iter()
            .flat_map(|script| between(script, "`", '$'))
            .filter(|start| start.contains('.'))
            .collect();
        for name in english.keys() {
            let is_said = scripts.iter().any(|script| script.contains(&format!("\"{name}\"")))
                || begun.iter().any(|start| name.starts_with(start));
            assert!(is_said, "{name}");
        }
    }

    #[test]
    fn every_file_has_a_media_type() {
        for file in PAGE.iter().chain([&OPENAPI]) {
            assert_ne!(file.content_type(), "application/octet-stream", "{}", file.path);
        }
    }
}
