//! Limits of searches, and how to cancel them.

use crate::border;
use crate::status::{Failure, Status, Stopped, call};
use library::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Cancels searches: any thread may set it. Thread-safe.
#[derive(Debug, Default)]
pub struct Cancel(pub(crate) Arc<AtomicBool>);

/// The limits of a search. If all bytes are 0, there is none.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SearchLimits {
    /// The most nodes to visit; 0: any number.
    pub max_nodes: u64,
    /// The most milliseconds to take; 0: any time.
    pub milliseconds: u64,
    /// Ends the search when it is set; may be null.
    pub cancel: *const Cancel,
    /// Receives the results of a search that ends at a limit; may be null.
    pub stopped: *mut Stopped,
}

/// Makes a handle that cancels searches. Free it with `fourbook_cancel_free`.
///
/// # Safety
///
/// `cancel` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_cancel_new(cancel: *mut *mut Cancel) -> Status {
    // SAFETY: `cancel` is null or valid for writes.
    call(|| unsafe { border::give(cancel, "cancel", || Ok(Cancel::default())) })
}

/// Cancels the searches that use the handle, including later ones, until it is reset.
///
/// # Safety
///
/// `cancel` is null or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_cancel_set(cancel: *const Cancel) -> Status {
    // SAFETY: `cancel` is null or a handle that was not freed.
    call(|| unsafe { set(cancel, true) })
}

/// Resets the handle: searches that begin from now on may use it again.
///
/// # Safety
///
/// As `fourbook_cancel_set`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_cancel_reset(cancel: *const Cancel) -> Status {
    // SAFETY: `cancel` is null or a handle that was not freed.
    call(|| unsafe { set(cancel, false) })
}

/// Frees the handle; searches that use it go on. Null is fine.
///
/// # Safety
///
/// `cancel` is null or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_cancel_free(cancel: *mut Cancel) {
    // SAFETY: `cancel` is null or a handle that was not freed.
    unsafe { border::free(cancel) }
}

/// # Safety
///
/// As [`border::read`].
unsafe fn set(cancel: *const Cancel, value: bool) -> Result<(), Failure> {
    // SAFETY: `cancel` is null or valid for reads.
    unsafe { border::read(cancel, "cancel") }?.0.store(value, Ordering::Relaxed);
    Ok(())
}

/// Runs a search within the limits of a caller, and writes its results if it ends at one.
///
/// # Safety
///
/// The pointer is null or valid for reads, and so is the handle in it; the place for results is null
/// or valid for writes.
pub(crate) unsafe fn within<T>(
    limits: *const SearchLimits,
    search: impl FnOnce(Limits) -> Result<T, Failure>,
) -> Result<T, Failure> {
    // SAFETY: `limits` is null or valid for reads.
    let Some(given) = (unsafe { border::read_if_given(limits, "limits") })? else {
        return search(Limits::default());
    };
    if !given.stopped.is_null() {
        border::check(given.stopped, "limits.stopped")?;
    }
    // SAFETY: `given.cancel` is null or valid for reads.
    let cancel = unsafe { border::read_if_given(given.cancel, "limits.cancel") }?;
    let result = search(Limits {
        max_nodes: Some(given.max_nodes).filter(|&most| most > 0),
        max_time: Some(given.milliseconds).filter(|&most| most > 0).map(Duration::from_millis),
        cancel: cancel.map(|cancel| Arc::clone(&cancel.0)),
        progress: None,
    });
    if let Err(Failure { stopped: Some(stopped), .. }) = &result
        && !given.stopped.is_null()
    {
        // SAFETY: `given.stopped` is valid for writes.
        unsafe { border::write(given.stopped, "limits.stopped", *stopped) }?;
    }
    result
}
