//! Reads a WebAssembly module that was compiled with wasm-bindgen, and writes it and the
//! JavaScript that calls it into a folder.
//!
//! The program `wasm-bindgen` does the same with the same library, but takes longer to build.

use std::env::args;
use std::error::Error;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let [_, module, folder] = <[String; 3]>::try_from(args().collect::<Vec<_>>())
        .map_err(|_| "expected a WebAssembly module and a folder")?;
    Bindgen::new()
        .input_path(module)
        .out_name("raw")
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)?;
    Ok(())
}
