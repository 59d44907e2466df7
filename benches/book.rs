//! Benchmarks of book lookups, of opening a book, and of reading all of one.
//!
//! Positions come from random games; they are spread over books of 7x6 to ply 12 and of 9x7 to ply
//! 8, which have a few megabytes and made-up values.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fourbook::book::{BookContents, Encoding, PlyScores, Provenance, encode};
use fourbook::generate::Plan;
use fourbook::tools::stats::statistics;
use fourbook::{Book, Position, Size, Strategy, ValueKind};
use std::hint::black_box;
use std::io::Write;

/// How many different positions are looked up in turn.
const LOOKUPS: usize = 1 << 16;

/// Positions of `ply` stones that the rules alone do not score, from random games.
fn random_positions(size: Size, ply: u32, count: usize) -> Vec<Position> {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut position = Position::empty(size);
        while position.ply() < ply && !position.is_won() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let column = (random >> 33) as usize % size.width();
            position = position.try_play(column).unwrap_or(position);
        }
        if position.score_by_rules().is_none() {
            positions.push(position);
        }
    }
    positions
}

/// A book with an entry in every slot.
fn made_up_book(size: Size, depth: u32) -> Vec<u8> {
    let score = |slot: u64| (slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) % 31;
    let plies = (0..=depth)
        .step_by(2)
        .map(|ply| {
            let slots = slots(size, ply);
            let bytes: Vec<u8> = (0..slots).map(|slot| encode(score(slot) as i8 - 15)).collect();
            PlyScores::new(ply, bytes)
        })
        .collect();
    BookContents {
        size,
        kind: ValueKind::Scores,
        encoding: Encoding::Flat,
        plies,
        provenance: Provenance::new(ValueKind::Scores, "made up"),
        memory: None,
    }
    .to_bytes()
    .unwrap()
}

/// How many slots a ply has.
fn slots(size: Size, depth: u32) -> u64 {
    Plan::new(size, depth).slots().unwrap()
}

fn lookup(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lookup");
    group.throughput(Throughput::Elements(1));
    for (board, depth) in [("7x6", 12), ("9x7", 8)] {
        let book = Book::from_bytes(made_up_book(board.parse().unwrap(), depth)).unwrap();
        for (name, ply) in [("stored", depth), ("derived", depth - 1)] {
            let positions = random_positions(book.size(), ply, LOOKUPS);
            let mut index = 0;
            group.bench_function(format!("{name} {board}"), |bencher| {
                bencher.iter(|| {
                    index = (index + 1) % LOOKUPS;
                    book.look_up(black_box(positions[index])).unwrap()
                });
            });
        }
    }
    group.finish();
}

fn opening(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("opening");
    group.bench_function("open default", |bencher| bencher.iter(Book::embedded));
    let depth = Book::embedded().depth();
    let positions: Vec<Position> =
        (0..=depth).flat_map(|ply| random_positions(Size::STANDARD, ply, 1)).collect();
    // One position in every ply, so that the tables of all plies are made.
    group.bench_function("open default, look up", |bencher| {
        bencher.iter(|| {
            let book = Book::embedded();
            for &position in &positions {
                let _ = black_box(book.look_up(black_box(position)).unwrap());
            }
        });
    });
    let bytes: &'static [u8] = made_up_book(Size::STANDARD, 12).leak();
    group.bench_function("open", |bencher| bencher.iter(|| Book::from_bytes(black_box(bytes))));
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    group.bench_function("open file", |bencher| {
        bencher.iter(|| Book::open(black_box(file.path())));
    });
    let strategy = include_bytes!("../books/strategies/7x6-first-d16.strategy");
    group.bench_function("strategy of 33,367 positions", |bencher| {
        bencher.iter(|| Strategy::from_bytes(black_box(strategy)));
    });
    group.finish();
}

/// Visits all slots of a book, so that the time includes numbering positions.
fn whole_book(criterion: &mut Criterion) {
    let book = Book::from_bytes(include_bytes!("../books/7x6-d8.book")).unwrap();
    let positions = statistics(&book, &()).unwrap().iter().map(|ply| ply.distinct.total()).sum();
    let mut group = criterion.benchmark_group("whole book");
    group.throughput(Throughput::Elements(positions)).sample_size(10);
    group.bench_function("statistics", |bencher| bencher.iter(|| statistics(&book, &())));
    group.finish();
}

criterion_group!(benches, lookup, opening, whole_book);
criterion_main!(benches);
