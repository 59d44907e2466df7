//! What a book lookup costs, and the numbering of positions under it.
//!
//! Positions come from random games on 7x6 and fit the caches, so the figures
//! are those of a warm loop.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use fourbook::board::Position;
use fourbook::rank::Ranking;
use std::hint::black_box;

type Standard = Position<7, 6>;

/// The ply of the positions looked at.
const PLY: u32 = 12;

/// How many positions a measured loop goes through.
const POSITIONS: usize = 1024;

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

criterion_group!(benches, ranking);
criterion_main!(benches);
