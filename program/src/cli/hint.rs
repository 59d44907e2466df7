//! What to do about an error, in terms of the command line: the library knows
//! nothing of options.

use fourbook::book::BookError;
use fourbook::files::quoted;
use fourbook::generate::{GenerateError, PartIdentity};
use fourbook::solver::TableError;
use fourbook::tools::ToolError;
use fourbook::tools::exchange::ExchangeError;
#[cfg(feature = "server")]
use fourbook_server::LoadError;
use std::error::Error;

const DEPTH: &str = "choose the depth with --depth";
const FORMAT: &str = "choose the format with --format";
const MEMORY: &str = "choose the size of the transposition table with --memory";
const MORE_MEMORY: &str = "choose how much memory may be used with --memory";
const OUT: &str = "choose the file with --out";
const SIZE: &str = "choose the board with --size";
const THREADS: &str = "choose the number of threads with --threads";

/// What to do about an error, if options or subcommands help.
pub(crate) fn for_error(error: &anyhow::Error) -> Option<String> {
    error
        .chain()
        .find_map(|cause| for_missing_shards(cause).or_else(|| text(cause).map(str::to_owned)))
}

fn text(cause: &(dyn Error + 'static)) -> Option<&'static str> {
    if let Some(error) = cause.downcast_ref() {
        return for_generating(error);
    }
    if let Some(error) = cause.downcast_ref() {
        return for_exchange(error);
    }
    if let Some(error) = cause.downcast_ref() {
        return for_tool(error);
    }
    if let Some(error) = cause.downcast_ref() {
        return for_book(error);
    }
    #[cfg(feature = "server")]
    if let Some(error) = cause.downcast_ref() {
        return match error {
            LoadError::Book(error) => for_book(error),
            LoadError::Memory(_) => Some(MEMORY),
            LoadError::Threads(_) => Some(THREADS),
            _ => None,
        };
    }
    cause.is::<TableError>().then_some(MEMORY)
}

fn for_generating(error: &GenerateError) -> Option<&'static str> {
    use GenerateError as E;
    match error {
        E::Depth { .. } | E::Ply(_) => Some(DEPTH),
        E::NoThreads | E::Threads { .. } => Some(THREADS),
        E::OutputAndCheckpoint { .. } => Some("'fourbook verify' checks the book"),
        E::NoFileName(_)
        | E::OutputExists(_)
        | E::Folder { .. }
        | E::Locked(_)
        | E::DiskFull { .. }
        | E::Checkpoint { .. } => Some(OUT),
        E::Disk { .. } => Some("choose the file with --out, and the depth with --depth"),
        E::Memory { .. } => Some(
            "choose the size of the transposition table with --memory, the number of threads \
             with --threads, and the depth with --depth",
        ),
        E::Table(_) => Some(MEMORY),
        E::NoParts(_) => Some("'fourbook generate --shard' writes them"),
        _ => None,
    }
}

fn for_tool(error: &ToolError) -> Option<&'static str> {
    match error {
        ToolError::Memory { .. } | ToolError::File { .. } => Some(MORE_MEMORY),
        ToolError::DepthTooDeep { .. } => Some(DEPTH),
        ToolError::Table(_) => Some(MEMORY),
        _ => None,
    }
}

fn for_book(error: &BookError) -> Option<&'static str> {
    match error {
        BookError::NoBook { found, .. } if !found.is_empty() => Some(SIZE),
        _ => None,
    }
}

fn for_exchange(error: &ExchangeError) -> Option<&'static str> {
    use ExchangeError as E;
    match error {
        E::FileDepth { .. } | E::Missing { .. } | E::Memory { .. } => Some(DEPTH),
        E::BookDepth { .. } => Some("'fourbook pack --depth' makes a shallower book"),
        E::FileSize { .. } => Some(SIZE),
        E::CsvHeader { .. }
        | E::NoRows
        | E::Rows { .. }
        | E::Csv(_)
        | E::PonsLength { .. }
        | E::PonsBoardSize { .. }
        | E::PonsHeader { .. }
        | E::PonsAmbiguous { .. }
        | E::PonsValue { .. }
        | E::BitbullyEmpty { .. }
        | E::BitbullyLength { .. }
        | E::BitbullyOrder { .. }
        | E::BitbullyValue { .. }
        | E::BitbullyCode { .. } => Some(FORMAT),
        E::Book(error) => for_tool(error),
        _ => None,
    }
}

/// The command that solves the first of the shards that are missing.
fn for_missing_shards(cause: &(dyn Error + 'static)) -> Option<String> {
    let Some(GenerateError::Parts { problems, .. }) = cause.downcast_ref() else { return None };
    problems.iter().find_map(|problem| {
        let GenerateError::MissingParts { folder, book, missing } = problem else { return None };
        let PartIdentity { width, height, depth, kind, of, .. } = **book;
        let (shard, wdl, folder) = (missing.first()?, super::args::wdl_option(kind), quoted(folder));
        Some(format!(
            "solve each like the first: fourbook generate --size {width}x{height} --depth {depth}{wdl} --shard {shard}/{of} --out {folder}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn hint(error: impl Error + Send + Sync + 'static) -> Option<String> {
        for_error(&anyhow::Error::from(error).context("cannot do what was asked for"))
    }

    #[test]
    fn options_are_named_that_help() {
        let exists = || GenerateError::OutputExists(PathBuf::from("a.book"));
        assert_eq!(hint(exists()).as_deref(), Some(OUT));
        assert_eq!(hint(exists()).as_deref(), Some(OUT));
        assert_eq!(hint(ToolError::DepthTooDeep { depth: 9, deepest: 8 }).as_deref(), Some(DEPTH));
        let read = || ToolError::Memory { ply: 16, needed: 1 << 30, available: 1 << 20 };
        assert_eq!(hint(read()).as_deref(), Some(MORE_MEMORY));
        assert_eq!(hint(ExchangeError::from(read())).as_deref(), Some(MORE_MEMORY));
        assert_eq!(hint(std::io::Error::other("broken")), None);
    }

    #[test]
    fn missing_shards_are_solved_by_a_command() {
        let book = PartIdentity {
            width: 5,
            height: 4,
            depth: 9,
            kind: fourbook::ValueKind::WinDrawLoss,
            index: 1,
            of: 4,
            positions: 40,
            first: 0,
            count: 10,
        };
        let folder = PathBuf::from("my parts");
        let missing = GenerateError::MissingParts {
            folder: folder.clone(),
            book: Box::new(book),
            missing: vec![2, 4],
        };
        let error = GenerateError::Parts { folder, problems: vec![missing] };
        let command = "fourbook generate --size 5x4 --depth 9 --wdl --shard 2/4 --out 'my parts'";
        assert_eq!(hint(error), Some(format!("solve each like the first: {command}")));
    }
}
