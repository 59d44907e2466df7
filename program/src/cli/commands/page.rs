//! `fourbook page`: the page as files that need no server of ours.

use crate::cli::args::{Options, named_path};
use crate::cli::error::{Context, Error, Result};
use crate::cli::output;
use clap::Args;
use fourbook::text::count;
use fourbook_server::page::OPENAPI;
use fourbook_server::page::bundle::{Bundle, Host, file_list};
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
    let written = page(package(&args.package)?);
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

/// The files of the page and of the package, and the list of files that the service worker keeps.
fn page(package: Vec<File>) -> Vec<File> {
    let large = package.iter().filter(|(path, _)| !path.ends_with(".js"));
    let bytes: BTreeMap<_, _> = large.map(|(path, content)| (path, content.len())).collect();
    let bytes = serde_json::to_string(&bytes).expect("numbers are JSON");
    let bundle = Bundle::new(&Host::Files { bytes });
    let mut files = Vec::new();
    for file in bundle.files.iter().chain([&OPENAPI]) {
        files.push((bundle.address(file.path), file.content.into()));
    }
    files.extend(package);
    let mut kept = bundle.kept();
    for (path, _) in &files {
        // It keeps the books of other boards than 7x6 when they are used.
        let is_other_book = path.ends_with(".book") && !path.ends_with(BOOK);
        if ["app/", "package/"].iter().any(|folder| path.starts_with(folder)) && !is_other_book {
            kept.push(path.clone());
        }
    }
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let list = file_list(&format!("{:016x}", hasher.finish()), &kept);
    files.push(("files.js".to_owned(), list.into_bytes()));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_follows_from_the_files() {
        let version = |content: &str| {
            let files = page(vec![("package/a.js".to_owned(), content.into())]);
            String::from_utf8(files.last().expect("the list").1.clone()).expect("it is UTF-8")
        };
        assert_eq!(version("1"), version("1"));
        assert_ne!(version("1"), version("2"));
        assert!(version("1").contains("\"./\",\n"), "{}", version("1"));
    }
}
