//! Stacks for deep searches: a caller's thread may have a small one.

use super::StopReason;
use crate::board::Size;
use std::cell::Cell;
use std::io;
use std::thread::{Builder, scope};

/// Room for the deepest search, in bytes; it takes 1.4 MB, and 3.5 MB if it is not optimised. The system
/// provides only what is used.
pub(crate) const STACK_BYTES: usize = 8 << 20;

/// The part of the stack of an unknown thread that a search may take, in bytes. The smallest default
/// stack is that of musl, 128 KiB.
const LITTLE: usize = 88 << 10;

/// The most bytes of the stack that a ply takes, for each byte of the vector of its moves.
const BYTES_EACH: usize = if cfg!(debug_assertions) { 144 } else { 48 };

thread_local! {
    /// Whether this thread has a stack of [`STACK_BYTES`].
    static IS_LARGE: Cell<bool> = const { Cell::new(false) };
}

/// Marks this thread as one with a stack of [`STACK_BYTES`].
pub(crate) fn mark_large_stack() {
    IS_LARGE.set(true);
}

/// Runs `task` on a thread with a stack for the deepest search: this one, or a new one.
///
/// Searches that may be too deep for their caller's stack start such a thread themselves, which
/// takes tens of microseconds. This function starts one for many searches.
///
/// ```
/// use fourbook_solver::{Position, Solver, on_large_stack};
/// let mut solver = Solver::new(16 << 20)?;
/// let position = Position::from_moves("62333261132")?;
/// let score = on_large_stack(|| solver.score(position))??;
/// assert_eq!(score, -4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the system provides no thread.
///
/// # Panics
///
/// If `task` does.
pub fn on_large_stack<T: Send>(task: impl FnOnce() -> T + Send) -> io::Result<T> {
    // A module in an engine has a single thread, and the stack it was linked with.
    if IS_LARGE.get() || cfg!(target_family = "wasm") {
        return Ok(task());
    }
    #[cfg(test)]
    refusals::check()?;
    scope(|scope| {
        let thread = Builder::new().name("search".to_owned()).stack_size(STACK_BYTES);
        let thread = thread.spawn_scoped(scope, || {
            mark_large_stack();
            task()
        })?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Runs the search of a position on a large stack, if it may be too deep for any other.
pub(super) fn for_search<B, T: Send>(
    (size, ply): (Size, u32),
    search: impl FnOnce() -> T + Send,
) -> Result<T, StopReason> {
    let vector = size_of::<B>() * if size.width() <= 8 { 8 } else { 16 };
    let plies = (size.cells() - ply) as usize;
    if plies * vector * BYTES_EACH <= LITTLE && !cfg!(unoptimised) {
        return Ok(search());
    }
    on_large_stack(search).map_err(|_| StopReason::NoThread)
}

/// Threads that tests make the system refuse.
#[cfg(test)]
pub(crate) mod refusals {
    use std::cell::Cell;
    use std::io;
    use std::sync::mpsc::Sender;

    thread_local! {
        /// If it is set, this thread gets no thread, and each time is sent.
        pub(crate) static SENT: Cell<Option<&'static Sender<()>>> = const { Cell::new(None) };
    }

    pub(super) fn check() -> io::Result<()> {
        let Some(sent) = SENT.get() else { return Ok(()) };
        sent.send(()).map_err(io::Error::other)?;
        Err(io::ErrorKind::WouldBlock.into())
    }
}
