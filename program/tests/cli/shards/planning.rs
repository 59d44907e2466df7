//! The output of `fourbook plan`.

use super::support::folder;
use crate::support::{fourbook, text};
use fourbook::{Position, Size};
use std::collections::BTreeSet;

fn plan(more: &[&str]) -> (serde_json::Value, String) {
    let fixed = ["plan", "--quiet", "--json", "--memory", "16M", "--threads", "2"];
    let run = fourbook(&[&fixed, more].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    (serde_json::from_str(&run.stdout).expect("a JSON object"), run.stderr)
}

/// How many positions of a ply the rules do not score, mirror images counted once.
fn to_solve(size: Size, ply: u32) -> u64 {
    let canonical = |position: Position| position.min(position.mirrored());
    let mut level = BTreeSet::from([Position::empty(size)]);
    for _ in 0..ply {
        level = level.iter().flat_map(|position| position.children()).flatten().collect();
        level = level.into_iter().map(canonical).collect();
    }
    let open = |position: &&Position| position.score_by_rules().is_none();
    level.iter().filter(open).count() as u64
}

#[test]
fn a_plan_says_what_a_book_and_its_shards_take() {
    let (plan, _) = plan(&["--size", "5x4", "--depth", "9", "--shards", "4", "--sample", "1"]);
    let stored = to_solve(Size::new(5, 4).unwrap(), 9);
    assert_eq!((plan["positions"].as_u64(), plan["counted"].as_bool()), (Some(stored), Some(true)));
    assert_eq!(plan["shard_positions"].as_u64(), Some(stored.div_ceil(4)));
    assert!(plan["sample_positions"].as_u64().unwrap() > 0);
    assert!(plan["nodes"].as_f64().unwrap() > 0.0 && plan["core_hours"].as_f64().unwrap() > 0.0);
    let [most, expected] =
        ["memory_bytes", "expected_memory_bytes"].map(|name| plan[name].as_u64().unwrap());
    assert!(most > 16 << 20 && expected < most, "{most} {expected}");
    assert!(plan["shard_memory_bytes"].as_u64() <= plan["memory_bytes"].as_u64());
    assert!(plan["part_bytes"].as_u64().unwrap() >= stored / 4);
}

#[test]
fn without_a_sample_the_work_is_not_estimated() {
    let (plan, stderr) = plan(&["--size", "5x4", "--depth", "6", "--sample", "0"]);
    assert!(plan["positions"].as_u64().unwrap() > 0);
    assert!(plan.get("core_hours").is_none() && plan.get("sample_positions").is_none());
    assert_eq!(stderr, "");
}

#[test]
fn a_plan_for_people_has_a_line_for_everything() {
    let run = fourbook(&["plan", "-q", "--size", "4x4", "--depth", "5", "--sample", "1"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for name in
        ["book", "positions", "sample", "work", "time", "memory", "disk", "shards", "a shard"]
    {
        assert!(run.stdout.lines().any(|line| line.starts_with(name)), "{}", run.stdout);
    }
}

/// No position of these plies is solved within the sample's time.
#[test]
fn boards_that_cannot_be_solved_have_a_lower_bound() {
    for (size, depth) in [("8x8", "8"), ("16x7", "6"), ("4x31", "8")] {
        let (plan, stderr) = plan(&["--size", size, "--depth", depth, "--sample", "1"]);
        assert!(plan["positions"].as_u64().unwrap() > 1000, "{plan}");
        assert!(plan["work_error"].is_null() && stderr.is_empty(), "{plan} {stderr}");
    }
    let run = fourbook(&["plan", "-q", "--size", "8x8", "--sample", "1"]);
    let work = run.stdout.lines().find(|line| line.starts_with("work ")).expect("the work");
    assert!(work.starts_with("work       at least ") && work.contains("--sample"), "{work}");
}

#[test]
fn an_estimate_says_how_wrong_it_may_be() {
    let run = fourbook(&["plan", "-q", "--size", "4x4", "--depth", "3", "--sample", "100"]);
    let work = run.stdout.lines().find(|line| line.starts_with("work ")).expect("the work");
    assert!(work.contains(" nodes, to a factor of "), "{work}");
}

#[test]
fn a_book_that_cannot_be_is_refused() {
    let folder = folder();
    let parts = folder.path().join("parts");
    let shard = ["generate", "--size", "4x4", "--depth", "16", "--shard", "1/2", "--out"];
    let run = fourbook(&[&shard[..], &[text(&parts)]].concat());
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(!parts.exists(), "nothing is left behind");
    let run = fourbook(&["plan", "--size", "4x4", "--depth", "16"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("depth 16 is too deep for 4x4"), "{}", run.stderr);
    for wrong in [&["--shards", "0"][..], &["--sample", "-1"], &["--sample", "86401"]] {
        let run = fourbook(&[&["plan", "--size", "4x4", "--depth", "3"], wrong].concat());
        assert_eq!(run.code, 2, "{wrong:?}: {}", run.stderr);
    }
}
