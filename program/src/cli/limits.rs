//! How long a position may be searched, on the command line.

use super::numbers::{Seconds, whole};
use anyhow::anyhow;
use clap::Args;
use fourbook::oracle::OracleError;
use fourbook::{Limits, Stopped};
use std::time::Instant;

/// The arguments of a subcommand that gives positions up which take too long.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct LimitArgs {
    /// Give a position up that is not solved within so many seconds: an error instead of an answer
    #[arg(long, value_name = "SECONDS")]
    deadline: Option<Seconds>,

    /// Give a position up that takes more nodes; with 0, only the book answers
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    max_nodes: Option<u64>,
}

impl LimitArgs {
    /// The limits of a search that begins now.
    pub(super) fn begin(self) -> Limits {
        let deadline = self.deadline.map(|Seconds(time)| Instant::now() + time);
        Limits { deadline, max_nodes: self.max_nodes, ..Limits::default() }
    }

    /// The error in terms of these arguments.
    pub(super) fn explain(self, error: OracleError) -> anyhow::Error {
        let what_else = "or name a deeper book with --book";
        match (error, self) {
            (OracleError::Stopped(Stopped::Deadline), LimitArgs { deadline: Some(time), .. }) => {
                let unit = if time.to_string() == "1" { "second" } else { "seconds" };
                anyhow!("not solved within {time} {unit}; allow more with --deadline, {what_else}")
            }
            (OracleError::Stopped(Stopped::NodeBudget), LimitArgs { max_nodes: Some(0), .. }) => {
                anyhow!("not in the book; allow nodes to solve it with --max-nodes, {what_else}")
            }
            (
                OracleError::Stopped(Stopped::NodeBudget),
                LimitArgs { max_nodes: Some(most), .. },
            ) => {
                let nodes = crate::common::count(most, "node");
                anyhow!("not solved within {nodes}; allow more with --max-nodes, {what_else}")
            }
            (error, _) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_enough_is_named_with_its_option() {
        let limits = |deadline: Option<&str>, max_nodes| LimitArgs {
            deadline: deadline.map(|text| text.parse().unwrap()),
            max_nodes,
        };
        let text = |limits: LimitArgs, stopped: Stopped| limits.explain(stopped.into()).to_string();
        for (limits, stopped, begin) in [
            (
                limits(Some("1"), None),
                Stopped::Deadline,
                "not solved within 1 second; allow more with --deadline,",
            ),
            (limits(Some("0.5"), None), Stopped::Deadline, "not solved within 0.5 seconds; "),
            (
                limits(None, Some(1)),
                Stopped::NodeBudget,
                "not solved within 1 node; allow more with --max-nodes,",
            ),
            (limits(None, Some(5000)), Stopped::NodeBudget, "not solved within 5,000 nodes; "),
            (limits(None, Some(0)), Stopped::NodeBudget, "not in the book; "),
        ] {
            let text = text(limits, stopped);
            assert!(text.starts_with(begin) && text.ends_with(" --book"), "{text}");
        }
    }
}
