//! Times lookups in a book of 7x6: takes the book and how many rounds to do as
//! arguments, and positions as lines of moves on standard input. Prints the bytes of
//! the book, the number of its entries, the nanoseconds of a lookup (the median of
//! the rounds, each through all positions, after one to warm up), and the scores.
//!
//! ```sh
//! cargo run --release --example lookup_time -- books/7x6-d8.book 20 < positions.txt
//! ```
//!
//! `benches/compare-books` compares the figures with other programs.

use fourbook::{Book, Position, Size};
use std::error::Error;
use std::hint::black_box;
use std::io;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, rounds] = arguments.as_slice() else {
        return Err("expected a book and a number of rounds as arguments".into());
    };
    let rounds: usize = rounds.parse()?;
    let book = Book::open(path)?;
    book.check_size(Size::STANDARD)?;
    let text = io::read_to_string(io::stdin())?;
    let positions = text.lines().map(Position::from_moves).collect::<Result<Vec<_>, _>>()?;
    let round = || {
        let start = Instant::now();
        for &position in &positions {
            let _ = black_box(book.look_up(black_box(position)).unwrap());
        }
        start.elapsed().as_nanos() as f64 / positions.len().max(1) as f64
    };
    round();
    let mut times: Vec<f64> = (0..rounds.max(1)).map(|_| round()).collect();
    times.sort_unstable_by(f64::total_cmp);
    println!("bytes {}", book.length());
    println!("entries {}", book.sections().iter().map(|s| s.entries).sum::<u64>());
    println!("nanoseconds {:.2}", times[times.len() / 2]);
    for (moves, &position) in text.lines().zip(&positions) {
        match book.look_up(position).unwrap().score() {
            Some(score) => println!("score {moves} {score}"),
            None => println!("score {moves} none"),
        }
    }
    Ok(())
}
