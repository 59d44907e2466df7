//! A program with a book compiled in: one file to ship, no other file to find.
//!
//! ```text
//! cargo run --example embed 1213
//! ```
//!
//! The book is a small one, of `fourbook generate --size 4x4 --depth 6`. A book of a few megabytes
//! opens as fast, since lookups read it in place.

use fourbook::{Book, Lookup, Outcome, Position};
use std::error::Error;
use std::sync::LazyLock;

/// The header is checked and some tables are made at the first lookup, which takes
/// microseconds. A damaged book would be a mistake in the making of this program.
static BOOK: LazyLock<Book> = LazyLock::new(|| {
    let book = Book::from_bytes(include_bytes!("4x4-d6.book"));
    book.expect("the book compiled in is one")
});

/// Advice to the player whose turn it is.
fn advice(moves: &str) -> Result<String, Box<dyn Error>> {
    let lookup = BOOK.look_up(Position::empty(BOOK.size()).play_moves(moves)?).unwrap();
    Ok(match lookup.outcome() {
        Some(Outcome::Win) => "you can win".to_owned(),
        Some(Outcome::Draw) => "you can hold a draw".to_owned(),
        Some(Outcome::Loss) => "you lose against perfect play".to_owned(),
        None if lookup == Lookup::TooDeep => {
            format!("the book ends after {} stones", BOOK.depth())
        }
        None => "the book does not know".to_owned(),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let moves = std::env::args().nth(1).unwrap_or_default();
    println!("{}", advice(&moves)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{BOOK, advice};
    use fourbook::tools::verify::{VerifyOptions, verify};

    #[test]
    fn the_book_compiled_in_is_right() {
        assert_eq!(BOOK.size().to_string(), "4x4");
        assert!(verify(&BOOK, &VerifyOptions::default(), &()).unwrap().passed());
    }

    #[test]
    fn players_are_told_what_the_rules_and_the_book_say() {
        // The first player has three in the first column.
        assert_eq!(advice("12131").unwrap(), advice("13121").unwrap());
        assert_eq!(advice("121314").unwrap(), "you can win");
        assert_eq!(advice("").unwrap(), "you can hold a draw");
        assert_eq!(advice("12341234").unwrap(), "the book ends after 6 stones");
        assert!(advice("5").is_err());
        // Mirror images get the same advice.
        for moves in ["1", "12", "4431", "21342"] {
            let mirrored: String =
                moves.bytes().map(|column| char::from(b'1' + b'4' - column)).collect();
            assert_eq!(advice(moves).unwrap(), advice(&mirrored).unwrap());
        }
    }
}
