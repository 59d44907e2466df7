//! `fourbook page` on the real program.

use crate::support::fourbook;
use std::fs;
use std::path::Path;

/// A folder that has the names of a package that is built.
fn package(folder: &Path) -> String {
    let lib = folder.join("package").join("lib");
    fs::create_dir_all(&lib).expect("a folder");
    for name in ["worker-web.js", "worker-node.js", "raw_bg.wasm", "7x6-d12.book", "index.d.ts"] {
        fs::write(lib.join(name), name).expect("a file");
    }
    folder.join("package").to_str().expect("a path in UTF-8").to_owned()
}

#[test]
fn the_page_is_written_with_the_package_and_the_list_of_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let package = package(folder.path());
    let out = folder.path().join("some/site");
    let run = fourbook(&["page", "--out", out.to_str().unwrap(), "--package", &package]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(run.stderr.trim_end().ends_with(" files"), "{}", run.stderr);
    let read = |path: &str| fs::read_to_string(out.join(path)).expect(path);
    let document = read("index.html");
    let (_, script) = document.split_once("href=\"script/second.").expect("the page loads it");
    let (version, _) = script.split_once('.').expect("a version");
    assert!(read(&format!("script/second.{version}.js")).contains("hosting = \"local\""));
    assert_eq!(read("package/worker-web.js"), "worker-web.js");
    // Files that only Node.js and compilers read are left out.
    assert!(!out.join("package/worker-node.js").exists());
    assert!(!out.join("package/index.d.ts").exists());
    let files = read("files.js");
    let first = format!("\"script/first.{version}.js\"");
    for kept in ["\"./\"", &first, "\"package/7x6-d12.book\"", "VERSION = \""] {
        assert!(files.contains(kept), "{files}");
    }
    // Again: the same, to the byte.
    let run = fourbook(&["page", "-q", "--out", out.to_str().unwrap(), "--package", &package]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(read("files.js"), files);
}

#[test]
fn without_a_package_an_error_says_how_to_have_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("site");
    let run = fourbook(&["page", "--out", out.to_str().unwrap(), "--package", "nowhere"]);
    assert_eq!(run.code, 1);
    for part in
        ["the built JavaScript package in 'nowhere'", "scripts/build-javascript", "--package"]
    {
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    assert!(!out.exists(), "nothing is written");
    assert_eq!(fourbook(&["page"]).code, 2);
}
