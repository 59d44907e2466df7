//! The number of the shard from the variables of an engine.

use super::support::{folder, names, shard_arguments};
use crate::support::program;
use std::path::Path;
use std::process::Output;

fn run(engine: &str, parts: &Path, shards: &[&str], variables: &[(&str, &str)]) -> Output {
    program()
        .args(shard_arguments(engine, parts))
        .args(shards)
        .env_remove("SLURM_ARRAY_TASK_ID")
        .env_remove("JOB_COMPLETION_INDEX")
        .env_remove("AWS_BATCH_JOB_ARRAY_INDEX")
        .envs(variables.iter().copied())
        .output()
        .expect("the program starts")
}

#[test]
fn engines_say_which_shard_is_to_be_solved() {
    for (engine, variable, number) in [
        ("slurm", "SLURM_ARRAY_TASK_ID", "2"),
        ("kubernetes", "JOB_COMPLETION_INDEX", "1"),
        ("aws-batch", "AWS_BATCH_JOB_ARRAY_INDEX", "1"),
    ] {
        let parts = folder();
        let output = run(engine, parts.path(), &["--shards", "4"], &[(variable, number)]);
        assert_eq!(output.status.code(), Some(0), "{engine}: {output:?}");
        assert_eq!(names(parts.path()), ["4x4-d9.2-of-4.part"], "{engine}");
    }
}

#[test]
fn wrong_variables_are_wrong_use() {
    let parts = folder();
    for (engine, shards, variables, expected) in [
        ("slurm", &["--shards", "4"][..], &[][..], "SLURM_ARRAY_TASK_ID, which is not set"),
        ("slurm", &["--shards", "4"], &[("SLURM_ARRAY_TASK_ID", "0")], "from 1 to 4"),
        ("slurm", &[], &[("SLURM_ARRAY_TASK_ID", "1")], "--shards 16"),
        ("kubernetes", &["--shards", "4"], &[("JOB_COMPLETION_INDEX", "4")], "from 0 to 3"),
        ("2/4", &["--encoding", "compact"], &[], "cannot be used with"),
        ("5/4", &[], &[], "'5/4' is not a shard; expected I/N"),
    ] {
        let output = run(engine, parts.path(), shards, variables);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{engine} {shards:?}: {stderr}");
        assert!(stderr.contains(expected), "{engine} {shards:?}: {stderr}");
    }
    assert_eq!(names(parts.path()), [""; 0]);
}
