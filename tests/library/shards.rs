//! Shards are ranges of the depth-first order that leave nothing out.

use crate::truth::FOUR_BY_FOUR;
use fourbook::ValueKind;
use fourbook::book::decode;
use fourbook::generate::{self, PartIdentity, Plan, Shard, Solved};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// How many positions of 4x4 a ply stores.
fn stored(ply: u32) -> u64 {
    FOUR_BY_FOUR.scores(ply).iter().filter(|&&byte| decode(byte).is_some()).count() as u64
}

fn solve(folder: &Path, shard: Shard, depth: u32) -> Solved {
    let (size, kind) = (FOUR_BY_FOUR.size, ValueKind::Scores);
    let out = folder.join(shard.file_name(size, depth, kind));
    let plan = Plan { size, depth, kind, threads: 1, table_bytes: 1 << 20, out };
    generate::solve_shard(&plan, shard, &(), &Default::default()).unwrap()
}

#[test]
fn shards_partition_the_order() {
    for (depth, of) in [(0, 1), (0, 3), (5, 1), (5, 2), (5, 16), (6, 5), (3, 50)] {
        let folder = folder();
        let positions = stored(depth);
        let mut next = 0;
        for shard in Shard::all(of).unwrap() {
            let PartIdentity { first, count, positions: all, .. } =
                solve(folder.path(), shard, depth).identity;
            assert_eq!((first, all), (next, positions), "shard {shard} of depth {depth}");
            next += count;
        }
        assert_eq!(next, positions, "{of} shards of depth {depth}");
    }
}

#[test]
fn a_part_has_the_scores_of_its_range() {
    let folder = folder();
    let scores_of = |solved: &Solved| {
        let bytes = fs::read(&solved.path).unwrap();
        bytes[bytes.len() - solved.identity.count as usize..].to_vec()
    };
    // One shard has them all.
    let whole = scores_of(&solve(folder.path(), Shard::new(1, 1).unwrap(), 8));
    assert_eq!(whole.len() as u64, stored(8));
    assert!(whole.iter().all(|&byte| decode(byte).is_some()));
    for shard in Shard::all(3).unwrap() {
        let solved = solve(folder.path(), shard, 8);
        let range = solved.identity.range();
        let range = range.start as usize..range.end as usize;
        assert_eq!(scores_of(&solved), whole[range], "shard {shard}");
        assert!(!solved.was_there && solve(folder.path(), shard, 8).was_there);
    }
}
