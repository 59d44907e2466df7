//! The number of the shard to solve: from the command line, or from the variables of a batch
//! engine.

use crate::cli::error::{Error, Result};
use fourbook::generate::Shard;
use fourbook::{NameError, count, grouped, listed, shortened};
use std::str::FromStr;

/// Where the number of the shard comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardSource {
    /// The command line.
    Given(Shard),
    /// The variables of an engine.
    Engine(&'static Engine),
}

/// A batch engine, which numbers the tasks of a job.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Engine {
    name: &'static str,
    /// The variable with the number of the task.
    index: &'static str,
    /// The number of the first task.
    first: u32,
    /// How to make the engine set the variable.
    remedy: &'static str,
}

const ENGINES: [Engine; 3] = [
    Engine {
        name: "slurm",
        index: "SLURM_ARRAY_TASK_ID",
        first: 1,
        remedy: "submit an array numbered from 1, such as 'sbatch --array=1-N'",
    },
    Engine {
        name: "kubernetes",
        index: "JOB_COMPLETION_INDEX",
        first: 0,
        remedy: "run a job with 'completionMode: Indexed' and 'completions: N'",
    },
    Engine {
        name: "aws-batch",
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        first: 0,
        remedy: "submit an array job of size N",
    },
];

impl FromStr for ShardSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match ENGINES.iter().find(|engine| engine.name == text) {
            Some(engine) => Ok(ShardSource::Engine(engine)),
            None => text.parse().map(ShardSource::Given).map_err(|error: NameError| {
                let engines = listed(ENGINES.map(|engine| engine.name), "or");
                format!("{error}; or an engine: {engines}")
            }),
        }
    }
}

impl ShardSource {
    /// The shard, where `shards` is the value of `--shards`.
    pub(crate) fn shard(
        self,
        shards: Option<u32>,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Shard> {
        let Engine { name, index, first, remedy } = match (self, shards) {
            (ShardSource::Engine(engine), _) => engine,
            (ShardSource::Given(shard), Some(shards)) if shards != shard.of() => {
                return Err(Error::usage(format!(
                    "--shard {shard} is of {}, but --shards says {shards}; leave --shards out",
                    count(shard.of(), "shard")
                )));
            }
            (ShardSource::Given(shard), _) => return Ok(shard),
        };
        let of = shards.ok_or_else(|| {
            Error::usage(format!(
                "--shard {name} requires --shards, the number of shards, which is missing; add for example --shards 16"
            ))
        })?;
        let last = grouped(first + (of - 1));
        let expected = format!("expected a number from {first} to {last}");
        let text = environment(index).ok_or_else(|| {
            Error::usage(format!(
                "--shard {name} takes the number of the shard from {index}, which is not set; {expected}; {remedy}"
            ))
        })?;
        let number = text.trim().parse::<u32>().ok().and_then(|it| it.checked_sub(*first));
        let shard = number.and_then(|it| Shard::new(it.saturating_add(1), of).ok());
        shard.ok_or_else(|| {
            let (shards, text) = (count(of, "shard"), shortened(&text));
            Error::usage(format!("{index}: {expected} for {shards}, found '{text}'; {remedy}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shard, as text, or the error; the variables are those named.
    fn shard(
        source: &str,
        shards: Option<u32>,
        variables: &[(&str, &str)],
    ) -> Result<String, String> {
        let environment = |name: &str| {
            let variable = variables.iter().find(|(variable, _)| *variable == name);
            variable.map(|(_, value)| (*value).to_owned())
        };
        let source: ShardSource = source.parse()?;
        let shard = source.shard(shards, environment).map_err(|error| error.to_string())?;
        Ok(shard.to_string())
    }

    fn refused(source: &str, shards: Option<u32>, variables: &[(&str, &str)], parts: &[&str]) {
        let error = shard(source, shards, variables).unwrap_err();
        for part in parts {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_shard_is_given() {
        assert_eq!(shard("2/4", None, &[]), Ok("2/4".to_owned()));
        assert_eq!(shard("2/4", Some(4), &[]), Ok("2/4".to_owned()));
        refused("2/4", Some(5), &[], &["2/4 is of 4", "--shards says 5"]);
        refused("cron", None, &[], &["'cron'", "such as 2/4", "slurm"]);
    }

    #[test]
    fn engines_number_tasks_in_their_way() {
        let third = Ok("3/4".to_owned());
        // When a single task is submitted again, Slurm counts it as one of one.
        let slurm = [("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_COUNT", "1")];
        assert_eq!(shard("slurm", Some(4), &slurm), third);
        assert_eq!(shard("kubernetes", Some(4), &[("JOB_COMPLETION_INDEX", "2")]), third);
        assert_eq!(shard("aws-batch", Some(4), &[("AWS_BATCH_JOB_ARRAY_INDEX", "2")]), third);
    }

    #[test]
    fn a_missing_or_wrong_variable_is_named_with_what_was_expected() {
        refused("slurm", Some(4), &[], &["SLURM_ARRAY_TASK_ID, which is not set", "1 to 4"]);
        refused("slurm", None, &[("SLURM_ARRAY_TASK_ID", "1")], &["--shards", "missing"]);
        for wrong in ["0", "5", "-1", "many", "", "4294967296"] {
            let parts = [&format!("found '{wrong}'")[..], "from 1 to 4", "--array=1-N"];
            refused("slurm", Some(4), &[("SLURM_ARRAY_TASK_ID", wrong)], &parts);
        }
        let parts = ["JOB_COMPLETION_INDEX: expected", "from 0 to 3", "found '4'", "Indexed"];
        refused("kubernetes", Some(4), &[("JOB_COMPLETION_INDEX", "4")], &parts);
    }
}
