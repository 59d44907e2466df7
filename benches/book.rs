//! What a book lookup costs, and the numbering of positions under it.
//!
//! Positions come from random games on 7x6. Those of the numbering fit the
//! caches; those looked up are spread over a book of depth 12, of 5 MB, whose
//! values are made up.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use fourbook::board::{Position, Size};
use fourbook::book::{Book, BookContents, Encoding, Provenance, ValueKind};
use fourbook::rank::{Ranking, slots};
use fourbook::scores::{PlyScores, encode};
use std::hint::black_box;
use std::io::Write;

type Standard = Position<7, 6>;

/// The ply of the positions looked at.
const PLY: u32 = 12;

/// How many positions a measured loop goes through.
const POSITIONS: usize = 1024;

/// How many different positions are looked up in turn.
const LOOKUPS: usize = 1 << 16;

/// Positions of `ply` stones that the rules alone do not score, from random games.
fn random_positions(ply: u32, count: usize) -> Vec<Standard> {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut position = Standard::EMPTY;
        while position.ply() < ply && !position.is_won() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let column = (random >> 33) as usize % 7;
            if position.can_play(column) {
                position = position.play(column);
            }
        }
        if position.score_by_rules().is_none() {
            positions.push(position);
        }
    }
    positions
}

fn ranking(criterion: &mut Criterion) {
    let ranking = Ranking::<7, 6>::new(PLY).unwrap();
    let positions = random_positions(PLY, POSITIONS);
    let slots: Vec<u64> = positions.iter().map(|&position| ranking.rank(position)).collect();
    let mut group = criterion.benchmark_group("ranking");
    group.throughput(Throughput::Elements(POSITIONS as u64));
    group.bench_function("rank", |bencher| {
        bencher.iter(|| {
            positions.iter().fold(0, |sum: u64, &p| sum.wrapping_add(ranking.rank(black_box(p))))
        });
    });
    group.bench_function("unrank", |bencher| {
        bencher
            .iter(|| slots.iter().fold(0, |sum: u64, &s| sum ^ ranking.unrank(black_box(s)).key()));
    });
    group.bench_function("new", |bencher| {
        bencher.iter_batched(|| black_box(PLY), Ranking::<7, 6>::new, BatchSize::SmallInput);
    });
    group.finish();
}

/// A book of depth 12 with an entry in every slot.
fn made_up_book() -> Vec<u8> {
    let scores: Vec<(u32, Vec<u8>)> = (0..=PLY)
        .step_by(2)
        .map(|ply| {
            let slots = slots(Size::STANDARD, ply).unwrap();
            let score = |slot: u64| (slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) % 31;
            (ply, (0..slots).map(|slot| encode(score(slot) as i8 - 15)).collect())
        })
        .collect();
    let plies: Vec<PlyScores<'_>> =
        scores.iter().map(|(ply, bytes)| PlyScores { ply: *ply, bytes }).collect();
    let provenance = Provenance::new(ValueKind::Scores, "made up");
    BookContents {
        size: Size::STANDARD,
        kind: ValueKind::Scores,
        encoding: Encoding::Flat,
        plies: &plies,
        provenance,
    }
    .to_bytes()
    .unwrap()
}

fn lookup(criterion: &mut Criterion) {
    let bytes = made_up_book();
    let book = Book::from_bytes(&bytes).unwrap();
    let view = book.view::<7, 6>().unwrap();
    let mut group = criterion.benchmark_group("lookup");
    group.throughput(Throughput::Elements(1));
    for (name, ply) in [("stored", PLY), ("derived", PLY - 1)] {
        let positions = random_positions(ply, LOOKUPS);
        let mut index = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                index = (index + 1) % LOOKUPS;
                view.score(black_box(positions[index]))
            });
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("opening");
    group.bench_function("open", |bencher| bencher.iter(|| Book::from_bytes(black_box(&bytes))));
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&bytes).unwrap();
    group.bench_function("open file", |bencher| {
        bencher.iter(|| Book::open(black_box(file.path())));
    });
    group.bench_function("view", |bencher| bencher.iter(|| black_box(&book).view::<7, 6>()));
    group.finish();
}

criterion_group!(benches, ranking, lookup);
criterion_main!(benches);
