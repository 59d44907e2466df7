//! Lists the files of the page.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=page");
    let page = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("page");
    let mut folders = vec![page.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let list = if path.is_dir() { &mut folders } else { &mut files };
            list.push(path);
        }
    }
    files.sort();
    let mut list = String::new();
    for file in files {
        let path = file.strip_prefix(&page)?.to_str().ok_or("a name is no UTF-8")?;
        let path = path.replace('\\', "/");
        list += &format!("PageFile {{ path: {path:?}, content: include_bytes!({file:?}) }},\n");
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("page.rs"), format!("&[{list}]"))?;
    Ok(())
}
