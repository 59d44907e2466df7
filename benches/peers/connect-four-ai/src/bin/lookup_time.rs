//! Times lookups in connect-four-ai's opening book, a hash map from keys to scores:
//! in the book that the crate carries or, if a file of comma-separated values is named
//! after the number of rounds, in one made of those. Reads positions as lines of moves
//! from standard input. Prints the bytes of the book's file, the number of its
//! entries, the nanoseconds of a lookup (the median of the rounds, each through all
//! positions, after one to warm up), and the scores.

use connect_four_ai::{OpeningBook, Position, Solver};
use std::error::Error;
use std::hint::black_box;
use std::io;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (rounds, book) = match arguments.as_slice() {
        [rounds] => (rounds, Solver::new().opening_book.ok_or("the crate has no book")?),
        [rounds, values] => (rounds, book_of(&std::fs::read_to_string(values)?)?),
        _ => return Err("expected a number of rounds, and perhaps a file of values".into()),
    };
    let rounds: usize = rounds.parse()?;
    let text = io::read_to_string(io::stdin())?;
    let positions = text.lines().map(position_of).collect::<Result<Vec<_>, _>>()?;
    let round = || {
        let start = Instant::now();
        for position in &positions {
            black_box(book.get(black_box(position)));
        }
        start.elapsed().as_nanos() as f64 / positions.len().max(1) as f64
    };
    round();
    let mut times: Vec<f64> = (0..rounds.max(1)).map(|_| round()).collect();
    times.sort_unstable_by(f64::total_cmp);
    let file = std::env::temp_dir().join(format!("lookup-time-{}.bin", std::process::id()));
    book.save(&file)?;
    println!("bytes {}", std::fs::metadata(&file)?.len());
    std::fs::remove_file(&file)?;
    println!("entries {}", book.map.len());
    println!("nanoseconds {:.2}", times[times.len() / 2]);
    for (moves, position) in text.lines().zip(&positions) {
        match book.get(position) {
            Some(score) => println!("score {moves} {score}"),
            None => println!("score {moves} none"),
        }
    }
    Ok(())
}

fn position_of(moves: &str) -> Result<Position, String> {
    Position::from_moves(moves).map_err(|error| format!("{moves}: {error}"))
}

/// The book with these values, a position and its score in each line but the first.
fn book_of(values: &str) -> Result<OpeningBook, Box<dyn Error>> {
    let mut book = OpeningBook::new();
    for line in values.lines().skip(1) {
        let (moves, score) = line.split_once(',').ok_or("a line without a comma")?;
        book.map.insert(position_of(moves)?.get_key(), score.parse()?);
    }
    Ok(book)
}
