//! How a call ended.

use library::book::BookError;
use library::generate::{GenerateError, PlyError};
use library::oracle::OracleError;
use library::solver::TableError;
use library::tools::ToolError;
use library::{NameError, PositionError, SizeError, StopReason, Stopped, with_causes};
use std::cell::RefCell;
use std::error::Error;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call ended. All but `FOURBOOK_STATUS_OK` leave what a call was to write as it was, if the
/// function does not say otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// All is well.
    Ok = 0,
    /// A pointer is null, or a number or text is none of those expected.
    BadArgument = 1,
    /// The position or the move is invalid, or the game is over.
    BadPosition = 2,
    /// The book is damaged or of another version, or has no scores.
    BadBook = 3,
    /// The book does not have the position.
    NotInBook = 4,
    /// A file or folder could not be read or written.
    Io = 5,
    /// The search took more nodes than it may.
    NodeBudget = 6,
    /// The search took longer than it may.
    Deadline = 7,
    /// The search was cancelled, or a callback has asked to stop.
    Cancelled = 8,
    /// There is no memory, or there are no threads.
    NoMemory = 9,
    /// The library has a fault: please report the text.
    Internal = 10,
    /// The board size is invalid, or not that of the book or oracle.
    BadSize = 11,
    /// The buffer is too small; the length that it needs has been written.
    BufferTooSmall = 12,
}

thread_local! {
    /// The last error of this thread.
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// A call that did not end well, and why.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) text: String,
}

impl Failure {
    pub(crate) fn new(status: Status, text: impl Into<String>) -> Self {
        Failure { status, text: text.into() }
    }

    fn of(status: Status, error: &dyn Error) -> Self {
        Failure { status, text: with_causes(error) }
    }

    /// An argument is not as expected.
    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Failure::new(Status::BadArgument, text)
    }
}

/// Runs a call, and keeps the text of its error.
pub(crate) fn call(task: impl FnOnce() -> Result<(), Failure>) -> Status {
    // After a panic the call fails, and nothing that it has changed is used again.
    let result = catch_unwind(AssertUnwindSafe(task)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no reason was given");
        Err(Failure::new(Status::Internal, format!("fourbook has a fault: {text}")))
    });
    match result {
        Ok(()) => Status::Ok,
        Err(Failure { status, text }) => {
            let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
            LAST_ERROR.with_borrow_mut(|last| *last = text);
            status
        }
    }
}

/// What went wrong in the last call on this thread that did not end with `FOURBOOK_STATUS_OK`: what
/// was expected, what came and what to do; empty if none has. It stays until the next such
/// call on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn fourbook_last_error() -> *const c_char {
    LAST_ERROR.with_borrow(|last| last.as_ptr())
}

/// The version of the library, such as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn fourbook_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Errors that have one status, whatever they are.
macro_rules! statuses {
    ($($error:ty => $status:ident),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure::of(Status::$status, &error)
            }
        })*
    };
}

statuses! {
    PositionError => BadPosition,
    NameError => BadArgument,
    SizeError => BadSize,
    TableError => NoMemory,
    std::io::Error => Io,
}

impl From<BookError> for Failure {
    fn from(error: BookError) -> Self {
        use BookError as E;
        let status = match &error {
            E::Open { .. }
            | E::Folder { .. }
            | E::Contents { .. }
            | E::Write(_)
            | E::WriteFile { .. } => Status::Io,
            E::WrongSize { .. } => Status::BadSize,
            _ => Status::BadBook,
        };
        Failure::of(status, &error)
    }
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        let status = match stopped.reason {
            StopReason::NodeBudget => Status::NodeBudget,
            StopReason::Deadline => Status::Deadline,
            _ => Status::Cancelled,
        };
        Failure::of(status, &stopped)
    }
}

impl From<PlyError> for Failure {
    fn from(error: PlyError) -> Self {
        let status = match &error {
            PlyError::Numbering { .. } => Status::BadArgument,
            _ => Status::NoMemory,
        };
        Failure::of(status, &error)
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        use ToolError as E;
        let status = match error {
            E::Book(book) => return book.into(),
            E::Ply(ply) => return ply.into(),
            E::Stopped(stopped) => return stopped.into(),
            E::File { .. } => Status::Io,
            E::PlyTooDeep { .. } | E::DepthTooDeep { .. } => Status::BadArgument,
            E::NoScores => Status::BadBook,
            _ => Status::NoMemory,
        };
        Failure::of(status, &error)
    }
}

impl From<OracleError> for Failure {
    fn from(error: OracleError) -> Self {
        match error {
            OracleError::Stopped(stopped) => stopped.into(),
            OracleError::Memory(memory) => memory.into(),
            OracleError::Book(book) => book.into(),
            other => Failure::of(Status::Internal, &other),
        }
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        use GenerateError as E;
        let status = match error {
            E::Ply(ply) => return ply.into(),
            E::Depth { .. } | E::NoThreads | E::NoFileName(_) => Status::BadArgument,
            E::Memory { .. } | E::Table(_) | E::Threads { .. } => Status::NoMemory,
            E::Interrupted { .. } | E::Cancelled => Status::Cancelled,
            _ => Status::Io,
        };
        Failure::of(status, &error)
    }
}
