//! Benchmarks of solving positions, by class of difficulty.
//!
//! The classes of the usual test sets: *end*, *middle* and *begin* by the number of stones on the
//! board (more than 28, 14 to 28, fewer), *easy* and *medium* by how far the end is under perfect
//! play (fewer than 14 plies, 14 to 28). Every position is solved with empty tables. The time
//! includes clearing their memory, which is most of the cost of the easiest positions.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use fourbook::{Position, Solver};
use std::time::Duration;

/// Enough for a single position; clearing more takes longer than solving.
const TABLE_BYTES: usize = 16 << 20;

/// A class of positions: its name, the number solved in one measurement, and all of them.
const CLASSES: [(&str, usize, &str); 4] = [
    ("end-easy", 64, include_str!("../tests/data/end-easy.txt")),
    ("middle-easy", 32, include_str!("../tests/data/middle-easy.txt")),
    ("middle-medium", 8, include_str!("../tests/data/middle-medium.txt")),
    ("begin-easy", 8, include_str!("../tests/data/begin-easy.txt")),
];

/// Positions spread evenly over a file.
fn positions(text: &str, count: usize) -> Vec<Position> {
    let lines: Vec<&str> = text.lines().collect();
    let moves = lines.iter().step_by(lines.len() / count).take(count);
    moves.map(|line| Position::from_moves(line.split(' ').next().unwrap()).unwrap()).collect()
}

fn fresh_solver() -> Solver {
    Solver::new(TABLE_BYTES).unwrap()
}

fn solving(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solving");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    for (name, count, text) in CLASSES {
        let positions = positions(text, count);
        group.throughput(Throughput::Elements(count as u64));
        let fresh_solvers = || positions.iter().map(|_| fresh_solver()).collect::<Vec<_>>();
        group.bench_function(name, |bencher| {
            bencher.iter_batched_ref(
                fresh_solvers,
                |solvers| {
                    let mut solve = |(solver, &position): (&mut Solver, _)| {
                        i32::from(solver.score(position).unwrap())
                    };
                    solvers.iter_mut().zip(&positions).map(&mut solve).sum::<i32>()
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, solving);
criterion_main!(benches);
