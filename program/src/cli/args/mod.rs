//! Arguments that several subcommands have, and how their values are read.

mod book;
mod options;
mod oracle;
mod plan_args;
mod positions;
mod resources;
mod values;

pub(crate) use book::BookArgs;
#[cfg(feature = "server")]
pub(crate) use book::{Books, ServedBookArgs};
pub(crate) use options::{EXIT_CODES, Options};
pub(crate) use oracle::OracleArgs;
pub(crate) use plan_args::BookPlanArgs;
pub(crate) use positions::{Line, PositionArgs};
pub(crate) use resources::{LimitArgs, ThreadArgs, ToolArgs, table_bytes};
pub(crate) use values::{
    ByteSize, DEPTHS, FORMATS, Seconds, encoding_parser, format_of, format_parser, notation_parser,
    whole,
};
