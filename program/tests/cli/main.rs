//! `fourbook` as its users run it.

mod book;
mod book_choice;
// Not all of it is needed here.
#[allow(dead_code)]
#[path = "../../../tests/library/book/broken.rs"]
mod broken;
mod broken_books;
mod changing_books;
mod examples;
mod exchange;
mod generate;
mod guide;
mod help;
mod limits;
mod lookup;
mod pack;
mod page;
mod play;
#[cfg(unix)]
mod pseudo_terminal;
#[cfg(all(unix, feature = "server"))]
mod serve;
mod shards;
mod show;
mod show_scores;
mod sizes;
mod stats;
#[cfg(all(target_os = "linux", feature = "server"))]
mod stderr;
mod strategy;
mod streams;
mod support;
#[cfg(unix)]
mod terminal;
mod values;
