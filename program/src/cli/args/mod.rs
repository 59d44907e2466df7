//! Arguments that several subcommands have, and how their values are read.

mod book;
mod options;
mod positions;
mod resources;
mod values;

pub(crate) use book::{BookArgs, OracleArgs};
pub(crate) use options::{EXIT_CODES, Options, is_built_in, is_strategy};
pub(crate) use positions::{Batch, Batches, Line, PositionArgs, read_line};
pub(crate) use resources::{BookPlanArgs, LimitArgs, ThreadArgs, ToolArgs, not_solved};
pub(crate) use values::{
    Depth, FORMATS, READ_FORMAT, bytes_of, depth, encoding_parser, format_of, format_parser,
    is_stream, named_path, notation_parser, seconds, seconds_from_0, whole, whole_or_all,
};
#[cfg(feature = "server")]
pub(crate) use values::{byte_size, variable};
