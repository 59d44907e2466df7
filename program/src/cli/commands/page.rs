//! `fourbook page`: the page as files that need no server of ours.

use crate::cli::args::{Options, named_path};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output;
use clap::Args;
use fourbook::text::count;
use fourbook_server::page::{OPENAPI, PAGE};
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  fourbook page --out public                                     with the package in target/javascript/package
  fourbook page --out public --package node_modules/fourbook     with the one that npm has installed
  python3 -m http.server --directory public                      to look at it";

/// Files that a package must have.
const NEEDED: [&str; 3] = ["worker-web.js", "raw_bg.wasm", BOOK];
/// The package's book.
const BOOK: &str = "7x6-d12.book";
/// The folder of the package below the page.
const PACKAGE: &str = "package";

/// Write the page to play on as files
///
/// Any web server can send them, from any folder; none of ours is needed, since the browser
/// answers by itself, with fourbook's JavaScript package. The page can be installed as an app
/// and then works without a network. Browsers do not open it from a disk, since they load
/// modules by HTTP only.
///
/// The package is not in the program: scripts/build-javascript makes it in
/// target/javascript/package, npm installs it as node_modules/fourbook. The books come with it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PageArgs {
    /// Write into this folder, which is made if it does not exist
    #[arg(help_heading = "Output", short, long, value_name = "FOLDER", value_parser = named_path())]
    out: PathBuf,

    /// The folder of the JavaScript package
    #[arg(
        help_heading = "Input",
        long,
        value_name = "FOLDER",
        default_value = "target/javascript/package"
    )]
    #[arg(value_parser = named_path())]
    package: PathBuf,
}

/// The path of a file to write, below the folder, and its content.
type File = (String, Vec<u8>);

/// Writes the page.
pub(crate) fn run(args: &PageArgs, options: &Options) -> Result {
    let package = package(&args.package)?;
    let mut written = page(&package);
    written.extend(package);
    written.push(list_of(&written));
    for (path, content) in &written {
        let path = args.out.join(path);
        let folder = path.parent().expect("it is below the folder");
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder '{}'", folder.display()))?;
        output::write_results(&path, content)?;
    }
    options.note(format_args!("{}: {}", args.out.display(), count(written.len(), "file")));
    Ok(())
}

/// The files of the page, which state that there is no server, and the bytes of the package's large
/// files.
fn page(package: &[File]) -> Vec<File> {
    let mut files: Vec<File> = PAGE
        .iter()
        .chain([&OPENAPI])
        .map(|file| (file.path.to_owned(), file.content.into()))
        .collect();
    // The routes cannot be tried without a server; their description can be read.
    files.retain(|(path, _)| !matches!(&**path, "api.html" | "script/api.js" | "style/api.css"));
    let hosting = files.iter_mut().find(|(path, _)| path == "script/hosting.js");
    let (_, hosting) = hosting.expect("the page has it");
    let large = package.iter().filter(|(path, _)| !path.ends_with(".js"));
    let bytes: BTreeMap<_, _> = large.map(|(path, content)| (path, content.len())).collect();
    let bytes = serde_json::to_string(&bytes).expect("numbers are JSON");
    *hosting = String::from_utf8_lossy(hosting)
        .replace("\"server\";", "\"local\";")
        .replace("bytes = {};", &format!("bytes = {bytes};"))
        .into_bytes();
    files
}

/// The files of the package that a browser needs.
fn package(folder: &Path) -> Result<Vec<File>> {
    let lib = folder.join("lib");
    if let Some(missing) = NEEDED.iter().find(|name| !lib.join(name).is_file()) {
        return Err(Error::new(format!(
            "expected the built JavaScript package in '{}', found no '{}'; make it with \
             scripts/build-javascript, or install it with npm, and name its folder with --package",
            folder.display(),
            Path::new("lib").join(missing).display()
        )));
    }
    let mut files = Vec::new();
    let cannot_read = || format!("cannot read the package '{}'", folder.display());
    for entry in fs::read_dir(&lib).with_context(cannot_read)? {
        let name = entry.with_context(cannot_read)?.file_name();
        let Some(name) = name.to_str() else { continue };
        let is_for_browsers = !name.contains("-node.") && name != "node.js";
        if is_for_browsers && [".js", ".wasm", ".book"].iter().any(|ending| name.ends_with(ending))
        {
            let content = fs::read(lib.join(name)).with_context(cannot_read)?;
            files.push((format!("{PACKAGE}/{name}"), content));
        }
    }
    files.sort();
    Ok(files)
}

/// The list of files that the service worker caches at once, with a version that changes with them.
/// It caches the books of other boards than 7x6 when they are used.
fn list_of(files: &[File]) -> File {
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let kept = files.iter().map(|(path, _)| path.as_str());
    let kept = kept.filter(|&path| path != "service-worker.js" && path != "index.html");
    let kept = kept.filter(|path| !path.ends_with(".book") || path.ends_with(BOOK));
    // Browsers ask for the folder, not for `index.html`.
    let kept: Vec<&str> = std::iter::once("./").chain(kept).collect();
    let content = format!(
        "self.VERSION = \"{:016x}\";\nself.FILES = {};\n",
        hasher.finish(),
        serde_json::to_string_pretty(&kept).expect("texts are JSON")
    );
    ("files.js".to_owned(), content.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_that_there_is_no_server_and_how_much_it_downloads() {
        let files = page(&[("package/a.wasm".to_owned(), vec![0; 7])]);
        let hosting = files.iter().find(|(path, _)| path == "script/hosting.js").unwrap();
        let text = str::from_utf8(&hosting.1).unwrap();
        assert!(text.contains("hosting = \"local\";"), "{text}");
        assert!(text.contains("bytes = {\"package/a.wasm\":7};"), "{text}");
        assert!(files.iter().any(|(path, _)| path == "script/local-engine.js"));
    }

    #[test]
    fn the_version_follows_from_the_files() {
        let file = |content: &str| ("a.js".to_owned(), content.into());
        let version = |files: &[File]| list_of(files).1;
        assert_eq!(version(&[file("1")]), version(&[file("1")]));
        assert_ne!(version(&[file("1")]), version(&[file("2")]));
        let text = String::from_utf8(version(&[file("1")])).unwrap();
        assert!(text.contains("\"./\",\n  \"a.js\""), "{text}");
    }
}
