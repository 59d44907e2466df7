//! Output of subcommands: results on stdout, progress on stderr, files.

mod color;
mod files;
mod progress;
mod stdout;
mod words;

pub(crate) use color::{for_stdout, has_colors, mark_of, paint, stone_of};
pub(crate) use files::{check_new, check_results, write_results};
pub(crate) use progress::{OnStderr, THINKING};
pub(crate) use stdout::{ended, is_closed, stdout};
pub(crate) use words::{describe, in_words};
