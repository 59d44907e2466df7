//! fourbook for JavaScript: the WebAssembly that the modules in `lib/` call.
//!
//! Data flows down this list; no module uses one below it.
//!
//! | module | what is there |
//! |---|---|
//! | `errors` | errors of the library as errors of JavaScript |
//! | `position` | positions |
//! | `level` | levels of play |
//! | `book` | books |
//! | `oracle` | a book and the solver |
//! | `query` | questions that are answered in steps |
//!
//! Everything here is thin: the classes that JavaScript sees are in `lib/`, with their
//! documentation. Columns are numbers from 0; texts and JSON have their names.

pub mod book;
pub mod errors;
pub mod level;
pub mod oracle;
pub mod position;
pub mod query;

use wasm_bindgen::prelude::wasm_bindgen;

/// The number for an unknown score, or a column that cannot be played.
pub(crate) const NONE: i32 = i8::MIN as i32;

/// Makes a panic an error with a text, where there would be none.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| errors::throw_panic(&panic.to_string())));
}

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
