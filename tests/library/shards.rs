//! Shards are ranges of the depth-first order that leave nothing out.

use crate::truth::FOUR_BY_FOUR;
use fourbook::ValueKind;
use fourbook::book::decode;
use fourbook::generate::{self, GenerateError, Parts, Plan, Shard, Solved};
use fourbook::progress::{Progress, Step};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// How many positions of 4x4 a ply stores.
fn stored(ply: u32) -> u64 {
    FOUR_BY_FOUR.scores(ply).iter().filter(|&&byte| decode(byte).is_some()).count() as u64
}

fn solve(folder: &Path, shard: Shard, depth: u32) -> Solved {
    let size = FOUR_BY_FOUR.size;
    let kind = ValueKind::Scores;
    let out = folder.join(shard.file_name(size, depth, kind));
    let plan = Plan { kind, threads: 1, table_bytes: 1 << 20, out, ..Plan::new(size, depth) };
    generate::solve_shard(&plan, shard, &()).unwrap()
}

#[test]
fn shards_partition_the_order() {
    for (depth, of) in [(0, 1), (0, 3), (5, 1), (5, 2), (5, 16), (6, 5), (3, 50)] {
        let folder = folder();
        let positions = stored(depth);
        let mut next = 0;
        for index in 1..=of {
            let shard = Shard::new(index, of).unwrap();
            let Solved { range, .. } = solve(folder.path(), shard, depth);
            assert_eq!(range.start, next, "shard {shard} of depth {depth}");
            next = range.end;
        }
        assert_eq!(next, positions, "{of} shards of depth {depth}");
    }
}

/// The scores of a part, after its header.
fn scores_of(solved: &Solved) -> Vec<u8> {
    fs::read(&solved.path).unwrap()[94..].to_vec()
}

#[test]
fn a_part_has_the_scores_of_its_range() {
    let folder = folder();
    // One shard has them all.
    let whole = scores_of(&solve(folder.path(), Shard::new(1, 1).unwrap(), 8));
    assert_eq!(whole.len() as u64, stored(8));
    assert!(whole.iter().all(|&byte| decode(byte).is_some()));
    for index in 1..=3 {
        let shard = Shard::new(index, 3).unwrap();
        let solved = solve(folder.path(), shard, 8);
        let range = solved.range.start as usize..solved.range.end as usize;
        assert_eq!(scores_of(&solved), whole[range], "shard {shard}");
        assert!(!solved.was_there && solve(folder.path(), shard, 8).was_there);
    }
}

#[test]
fn parts_are_checked_before_they_are_merged_and_again_meanwhile() {
    let folder = folder();
    for index in 1..=3 {
        let shard = Shard::new(index, 3).unwrap();
        solve(folder.path(), shard, 8);
    }
    let change = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let path = folder.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(path, bytes).unwrap();
    };
    let out = tempfile::tempdir().unwrap();
    let parts = Parts::find(folder.path(), &()).unwrap();
    change("4x4-d8.2-of-3.part", &|bytes| *bytes.last_mut().unwrap() ^= 1);
    let plan = parts.plan(out.path().join("x.book"), 1);
    let merged = generate::merge(&parts, &plan, &());
    let error = merged.unwrap_err().to_string();
    assert!(error.contains("4x4-d8.2-of-3.part' is damaged"), "{error}");
    let refused = |expected: &[&str]| {
        let error = Parts::find(folder.path(), &()).unwrap_err().to_string();
        expected.iter().for_each(|expected| assert!(error.contains(expected), "{error}"));
    };
    refused(&["make no book", "4x4-d8.2-of-3.part' is damaged", "of scores with the checksum"]);
    change("4x4-d8.1-of-3.part", &Vec::clear);
    refused(&["4x4-d8.1-of-3.part' is no part", "expected 3 parts", "missing shards 1-2 of 3"]);
    let error = Parts::find(out.path(), &()).unwrap_err();
    assert!(matches!(&error, GenerateError::NoParts(_)), "{error}");
}

/// Copies a checkpoint to other machines while a run solves positions.
struct Copying {
    from: PathBuf,
    to: PathBuf,
    solved: AtomicU64,
}

impl Copying {
    const EVERY: u64 = 50;
}

impl Progress for Copying {
    fn begin(&self, _: Step, _: u64, _: u64) {}

    fn advance(&self, units: u64) {
        let solved = self.solved.fetch_add(units, Ordering::Relaxed);
        if self.from.exists() && solved.is_multiple_of(Self::EVERY) {
            let to = self.to.join(solved.to_string());
            fs::create_dir_all(&to).unwrap();
            fs::copy(&self.from, to.join(self.from.file_name().unwrap())).unwrap();
        }
    }
}

#[test]
fn a_copy_of_a_checkpoint_in_use_is_resumed_on_another_machine() {
    let here = folder();
    let there = folder();
    let shard = Shard::new(2, 3).unwrap();
    let size = FOUR_BY_FOUR.size;
    let depth = 8;
    let out = here.path().join(shard.file_name(size, depth, ValueKind::Scores));
    let plan = Plan { threads: 4, table_bytes: 1 << 20, out, ..Plan::new(size, depth) };
    let copying = Copying {
        from: plan.checkpoint_file(),
        to: there.path().to_owned(),
        solved: AtomicU64::new(0),
    };
    let whole = generate::solve_shard(&plan, shard, &copying).unwrap();
    let copies = fs::read_dir(there.path()).unwrap().map(|entry| entry.unwrap().path());
    let mut resumed = 0;
    for copy in copies {
        let part = solve(&copy, shard, depth);
        assert_eq!((&part.range, scores_of(&part)), (&whole.range, scores_of(&whole)), "{copy:?}");
        resumed += 1;
    }
    assert!(resumed >= 3, "{resumed} copies of {} positions", whole.range.end - whole.range.start);
}
