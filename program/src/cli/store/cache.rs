//! The local folder for files of object stores: fetched books, and shards being solved.

use crate::cli::error::{Context, Error, Result};
use fourbook::files;
use std::fs;
use std::path::{Path, PathBuf};

/// The variable that names the folder.
const VARIABLE: &str = "FOURBOOK_CACHE";

/// The path of the cached file of an address, below the folder for its kind.
pub(crate) fn path(kind: &str, address: &Path) -> Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let cache = folder(variable).ok_or_else(|| {
        Error::usage(format!(
            "expected a folder on this machine for files of '{}', found none in the environment; set {VARIABLE} to one",
            address.display()
        ))
    })?;
    let text = address.display().to_string();
    // The parts of the address become folders. The colon is left out, since some systems do not
    // allow it in names.
    Ok(cache.join(kind).join(text.replacen("://", "/", 1)))
}

/// Creates the folder of a cached file.
pub(crate) fn create_folder(path: &Path) -> Result {
    let folder = files::folder_of(path);
    fs::create_dir_all(folder).with_context(|| {
        format!("cannot create the folder '{}'; {VARIABLE} names another", folder.display())
    })
}

/// The folder, from the environment: the program's own variable, or the folder of all caches.
fn folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|path| !path.as_os_str().is_empty());
    // Programs ignore a relative path, by the specification.
    let caches = set("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let caches = caches.or_else(|| Some(set("HOME")?.join(".cache")));
    set(VARIABLE).or_else(|| Some(caches?.join("fourbook")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_own_variable_comes_first() {
        let with = |set: &[(&str, &str)]| {
            let value = |name: &str| set.iter().find(|(known, _)| *known == name);
            folder(|name| value(name).map(|(_, value)| PathBuf::from(value)))
        };
        let (home, caches) = (("HOME", "/home/me"), ("XDG_CACHE_HOME", "/var/me"));
        assert_eq!(with(&[home, caches, (VARIABLE, "here")]), Some("here".into()));
        assert_eq!(with(&[home, caches]), Some("/var/me/fourbook".into()));
        assert_eq!(with(&[home, ("XDG_CACHE_HOME", "x")]), Some("/home/me/.cache/fourbook".into()));
        assert_eq!(with(&[home, (VARIABLE, "")]), Some("/home/me/.cache/fourbook".into()));
        assert_eq!(with(&[]), None);
    }
}
