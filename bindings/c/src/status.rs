//! How a call ended.

use crate::analysis::UNKNOWN;
use library::{Classify, ErrorKind, StopReason, with_causes};
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call ended. With any status but `FOURBOOK_STATUS_OK`, the call has written nothing, unless
/// its description says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// All is well.
    Ok = 0,
    /// A pointer is null, or a number or text is not an expected one.
    BadArgument = 1,
    /// The position or the move is invalid, or the game is over.
    BadPosition = 2,
    /// The book is damaged or of another version, or has no scores.
    BadBook = 3,
    /// The book does not have the position.
    NotInBook = 4,
    /// A file or folder could not be read or written.
    Io = 5,
    /// The search reached its node limit.
    NodeBudget = 6,
    /// The search reached its time limit.
    Deadline = 7,
    /// The search was cancelled, or a callback has asked to stop.
    Cancelled = 8,
    /// There is no memory, or there are no threads.
    NoMemory = 9,
    /// The library has a fault: please report the text.
    Internal = 10,
    /// The board size is invalid, or not that of the book or oracle.
    BadSize = 11,
    /// The buffer is too small; the required length has been written.
    BufferTooSmall = 12,
}

/// The results of a call that ended at a limit: FOURBOOK_STATUS_NODE_BUDGET,
/// FOURBOOK_STATUS_DEADLINE or, if its search was cancelled, FOURBOOK_STATUS_CANCELLED.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Stopped {
    /// Nodes that the call visited.
    pub nodes: u64,
    /// Positions with a complete answer; 0 if the call was about a single one.
    pub solved: usize,
    /// The least proved score of the position; FOURBOOK_UNKNOWN if the call was about several
    /// positions.
    pub min: i8,
    /// The greatest proved score.
    pub max: i8,
    /// Zero.
    pub reserved: [u8; 6],
}

thread_local! {
    /// The text of this thread's last error.
    static LAST: RefCell<CString> = RefCell::default();
}

/// An error of a call: its status and its text, and its results if it ended at a limit.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) text: String,
    pub(crate) stopped: Option<Stopped>,
}

impl Failure {
    pub(crate) fn new(status: Status, text: impl Into<String>) -> Self {
        Failure { status, text: text.into(), stopped: None }
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
        Err(Failure { status, text, .. }) => {
            let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
            // A thread that is ending keeps no text.
            let _ = LAST.try_with(|last| last.replace(text));
            status
        }
    }
}

/// The text of the last error on this thread: what was expected, what came and what to do; empty if
/// there was none. It stays until the next error on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn fourbook_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The version of the library, such as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn fourbook_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

impl<E: Classify> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut results = None;
        let status = match error.kind() {
            ErrorKind::Argument => Status::BadArgument,
            ErrorKind::Position => Status::BadPosition,
            ErrorKind::Size => Status::BadSize,
            ErrorKind::Book => Status::BadBook,
            ErrorKind::File(..) | ErrorKind::Output => Status::Io,
            ErrorKind::Memory | ErrorKind::TooLarge => Status::NoMemory,
            ErrorKind::Cancelled => Status::Cancelled,
            ErrorKind::Stopped(stopped) => {
                let (min, max) =
                    stopped.bounds.map_or((UNKNOWN, UNKNOWN), |bounds| (bounds.min, bounds.max));
                results =
                    Some(Stopped { nodes: stopped.nodes, solved: 0, min, max, reserved: [0; 6] });
                match stopped.reason {
                    StopReason::NodeBudget => Status::NodeBudget,
                    StopReason::Deadline => Status::Deadline,
                    _ => Status::Cancelled,
                }
            }
        };
        Failure { status, text: with_causes(&error), stopped: results }
    }
}
