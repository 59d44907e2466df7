//! Books: lookups, contents, and damage.

mod answers;
pub(crate) mod broken;
mod broken_sections;
mod compact;
mod conformance;
mod damage;
mod damaged_anywhere;
mod default_book;
mod folder;
mod format_document;
mod reader;
mod shelf;
pub(crate) mod shipped;
mod stats;
mod verifying;
mod writing;
