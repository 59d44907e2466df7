//! Shards are ranges of the depth-first order that leave nothing out.

use crate::truth::FOUR_BY_FOUR;
use fourbook::ValueKind;
use fourbook::book::decode;
use fourbook::generate::{
    self, GenerateError, PartIdentity, PartStore, Parts, Plan, Shard, Solved, find_part,
};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::{Arc, Mutex};
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
    let plan = Plan { kind, threads: 1, table_bytes: 1 << 20, out, ..Plan::new(size, depth) };
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
                solve(folder.path(), shard, depth).part.identity;
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
        bytes[bytes.len() - solved.part.identity.count as usize..].to_vec()
    };
    // One shard has them all.
    let whole = scores_of(&solve(folder.path(), Shard::new(1, 1).unwrap(), 8));
    assert_eq!(whole.len() as u64, stored(8));
    assert!(whole.iter().all(|&byte| decode(byte).is_some()));
    for shard in Shard::all(3).unwrap() {
        let solved = solve(folder.path(), shard, 8);
        let range = solved.part.identity.range();
        let range = range.start as usize..range.end as usize;
        assert_eq!(scores_of(&solved), whole[range], "shard {shard}");
        assert!(!solved.was_there && solve(folder.path(), shard, 8).was_there);
    }
}

/// A store in memory.
#[derive(Debug)]
struct Memory(Mutex<BTreeMap<OsString, Vec<u8>>>);

impl Memory {
    /// With the files of a folder.
    fn of(folder: &Path) -> Arc<Self> {
        let read = |entry: io::Result<fs::DirEntry>| {
            let entry = entry.unwrap();
            (entry.file_name(), fs::read(entry.path()).unwrap())
        };
        Arc::new(Memory(Mutex::new(fs::read_dir(folder).unwrap().map(read).collect())))
    }

    fn change(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        change(self.0.lock().unwrap().get_mut(OsStr::new(name)).unwrap());
    }
}

impl PartStore for Memory {
    fn path(&self) -> &Path {
        Path::new("memory://parts")
    }

    fn names(&self) -> io::Result<Vec<OsString>> {
        Ok(self.0.lock().unwrap().keys().rev().cloned().collect())
    }

    fn open(&self, name: &OsStr) -> io::Result<Box<dyn Read>> {
        let bytes = self.0.lock().unwrap().get(name).cloned();
        Ok(Box::new(Cursor::new(bytes.ok_or(io::ErrorKind::NotFound)?)))
    }
}

#[test]
fn parts_of_any_store_are_merged() {
    let folder = folder();
    for shard in Shard::all(3).unwrap() {
        solve(folder.path(), shard, 8);
    }
    let out = tempfile::tempdir().unwrap();
    let merge = |parts: &Parts, name: &str| {
        let plan = parts.plan(out.path().join(name), 1);
        let merged = generate::scores(&plan, Some(parts), &(), &Default::default())?;
        let plies = merged.plies().iter().map(|ply| ply.bytes.to_vec()).collect::<Vec<_>>();
        merged.write(&()).unwrap();
        Ok::<_, GenerateError>(plies)
    };
    let expected = merge(&Parts::find(folder.path()).unwrap(), "folder").unwrap();
    let store = Memory::of(folder.path());
    let parts = Parts::find_in(store.clone(), &()).unwrap();
    assert_eq!(merge(&parts, "store").unwrap(), expected);

    // Any change meanwhile is noticed.
    store.change("4x4-d8.2-of-3.part", |bytes| *bytes.last_mut().unwrap() ^= 1);
    let error = merge(&parts, "scores").unwrap_err().to_string();
    let named = "'memory://parts/4x4-d8.2-of-3.part' is damaged";
    assert!(error.starts_with(named), "{error}");
    let refused = |expected: &[&str]| {
        let error = Parts::find_in(store.clone(), &()).unwrap_err().to_string();
        assert!(error.starts_with("the parts in 'memory://parts' make no book"), "{error}");
        expected.iter().for_each(|expected| assert!(error.contains(expected), "{error}"));
    };
    refused(&[named, "of scores with the checksum"]);
    store.change("4x4-d8.1-of-3.part", Vec::clear);
    refused(&[named, "'memory://parts/4x4-d8.1-of-3.part' is no part", "shards 1-2 of 3"]);
    let other = Memory::of(tempfile::tempdir().unwrap().path());
    let error = Parts::find_in(other, &()).unwrap_err();
    assert!(matches!(&error, GenerateError::NoParts(at) if at == Path::new("memory://parts")));
}

#[test]
fn a_part_is_found_in_a_store_whole_damaged_or_not_at_all() {
    let folder = folder();
    let shard = Shard::new(1, 2).unwrap();
    let solved = solve(folder.path(), shard, 6);
    let (size, kind) = (FOUR_BY_FOUR.size, ValueKind::Scores);
    let plan = Plan { kind, ..Plan::new(size, 6) };
    let store = Memory::of(folder.path());
    let find = |shard: Shard| {
        let name = shard.file_name(size, plan.depth, kind);
        find_part(&*store, name.as_ref(), &plan, shard)
    };
    assert!(find(shard).unwrap() == Some(solved.part));
    assert!(find(Shard::new(2, 2).unwrap()).unwrap().is_none());
    store.change("4x4-d6.1-of-2.part", |bytes| bytes.truncate(bytes.len() - 1));
    assert!(find(shard).unwrap().is_none());
    store.change("4x4-d6.1-of-2.part", |bytes| *bytes = b"my own notes".to_vec());
    let error = find(shard).unwrap_err();
    assert!(matches!(error, GenerateError::Part { .. }), "{error}");
}
