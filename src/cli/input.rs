//! Positions from the arguments or from lines of standard input.

use super::{Status, UsageError, report};
use clap::Args;
use fourbook::board::Position;
use fourbook::board::notation::{Notation, parse_position};
use std::fmt;
use std::io::{self, BufRead, IsTerminal};

/// The arguments of a subcommand that reads positions.
#[derive(Debug, Args)]
pub(super) struct PositionArgs {
    /// Positions in any notation; `-`, or none with stdin not a terminal: the lines of stdin
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,

    /// Read every position in this notation [default: the one it looks like]
    #[arg(long, value_name = "NOTATION", value_parser = super::notation_parser())]
    from: Option<Notation>,
}

/// Where a text comes from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// The only argument.
    OnlyArgument,
    /// One of several arguments; its number, from 1.
    Argument(usize),
    /// A line of standard input; its number, from 1.
    Line(usize),
}

/// What an error message about the text begins with.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::OnlyArgument => Ok(()),
            Origin::Argument(number) => write!(f, "position {number}: "),
            Origin::Line(number) => write!(f, "line {number}: "),
        }
    }
}

/// The position that was read is good, but what was asked of it cannot be
/// done; [`PositionArgs::for_each`] reports it and goes on.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct BadInput(pub(super) String);

impl PositionArgs {
    /// Calls `task` with every position and the text it was read from.
    ///
    /// A text that is no position is reported with its line number and left
    /// out, and so is one for which `task` returns [`BadInput`]; the status
    /// says whether there was one.
    ///
    /// # Errors
    ///
    /// If there is nothing to read, reading fails, or `task` returns any other error.
    pub(super) fn for_each<const W: usize, const H: usize>(
        &self,
        mut task: impl FnMut(Position<W, H>, &str) -> anyhow::Result<()>,
    ) -> anyhow::Result<Status> {
        let mut status = Status::Fine;
        self.for_each_text(|text, origin| {
            let outcome = match self.from {
                Some(notation) => notation.parse(text),
                None => parse_position(text),
            };
            let problem = match outcome {
                Ok(position) => match task(position, text) {
                    Ok(()) => return Ok(()),
                    Err(error) => error.downcast::<BadInput>()?.to_string(),
                },
                Err(error) => error.to_string(),
            };
            report(&format!("{origin}{problem}"));
            status = Status::Failed;
            Ok(())
        })?;
        Ok(status)
    }

    fn for_each_text(
        &self,
        mut task: impl FnMut(&str, Origin) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if self.positions.is_empty() {
            if io::stdin().is_terminal() {
                let message = "no position given; name one, or '-' to read them from stdin";
                return Err(UsageError(message.to_owned()).into());
            }
            return for_each_line(task);
        }
        for (index, text) in self.positions.iter().enumerate() {
            match text.as_str() {
                "-" => for_each_line(&mut task)?,
                text if self.positions.len() == 1 => task(text, Origin::OnlyArgument)?,
                text => task(text, Origin::Argument(index + 1))?,
            }
        }
        Ok(())
    }
}

/// Calls `task` with every line of standard input as soon as it is there.
fn for_each_line(mut task: impl FnMut(&str, Origin) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut stdin = io::stdin().lock();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if stdin.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        // What is no UTF-8 is no notation either, and is reported as such.
        let text = String::from_utf8_lossy(&line);
        task(text.trim_end_matches(['\r', '\n']), Origin::Line(number))?;
    }
    Ok(())
}
