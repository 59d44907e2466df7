//! Allocations of single answers.

use allocation_counter::measure;
use fourbook::solver::on_large_stack;
use fourbook::{Book, Oracle, Position, Size, Source};

/// A book answers positions of stored and of derived plies without an allocation, compact or flat.
#[test]
fn a_score_from_a_book_allocates_nothing() {
    let flat: &[u8] = include_bytes!("../books/7x6-d8.book");
    for book in [Book::embedded(), Book::from_bytes(flat).unwrap()] {
        let depth = book.depth();
        let oracle = Oracle::new(book).unwrap();
        // Games of all plies of the book, with columns in many orders.
        let games = (0..2_000_u32).map(|game| {
            let mut position = Position::default();
            for ply in 0..game % (depth + 1) {
                let next = (game / (ply + 1) * 5 + ply * 3) as usize % 7;
                position = position.try_play(next).unwrap_or(position);
            }
            position
        });
        let games: Vec<Position> = games.collect();
        // The first lookup in a ply reads the section's tables.
        assert!(games.iter().all(|&position| oracle.score(position).is_ok()));
        for &position in &games {
            let allocated = measure(|| {
                let answer = oracle.score(position).unwrap();
                assert_ne!(answer.source, Source::Solver);
            });
            assert_eq!(allocated.count_total, 0, "{position:?}");
        }
    }
}

/// A search allocates its budget and, once it takes long, what threads share that help it.
#[test]
fn a_search_allocates_at_most_twice() {
    let oracle = Oracle::without_book(Size::STANDARD).unwrap();
    let easy = Position::from_moves("742234173564774116613357347324256").unwrap();
    let long = Position::from_moves("5622736721521").unwrap();
    // The first search makes a solver, which the oracle keeps.
    oracle.score(easy).unwrap();
    oracle.outcome(long).unwrap();
    // A thread for the deeper one would be started otherwise.
    on_large_stack(|| {
        for (position, most) in [(easy, 1), (long, 2)] {
            let allocated = measure(|| assert!(oracle.score(position).unwrap().nodes > 0));
            assert!(allocated.count_total <= most, "{position:?}: {allocated:?}");
        }
    })
    .unwrap();
}
