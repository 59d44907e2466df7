//! Making books.

use crate::board::size_if_given;
use crate::border;
use crate::limits::Cancel;
use crate::status::{Failure, Status, call};
use library::ValueKind;
use library::book::Encoding;
use library::generate::{self as making, Plan};
use library::progress::{Progress, Step};
use std::ffi::{CString, c_char, c_void};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The shortest time between two calls of a progress callback.
const TELL: Duration = Duration::from_millis(200);

/// A progress callback: the name of the step, the units done, and the units in total, 0 if
/// unknown. It returns 0 to go on, any other number to cancel, which sets the call's `cancel`, if
/// there is one: reset it before the next call. Threads of the library call it, one
/// at a time. It must not throw an exception or leave by `longjmp`.
pub type Tell = Option<
    unsafe extern "C-unwind" fn(
        step: *const c_char,
        done: u64,
        total: u64,
        user: *mut c_void,
    ) -> i32,
>;

/// How to make a book. All bytes 0 are the defaults.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct GenerateOptions {
    /// Columns of the board; 0 with `height` 0: 7x6.
    pub width: u32,
    /// Rows of the board.
    pub height: u32,
    /// The most stones of a position in the book; 0 is the default of `fourbook generate`, 8 on
    /// 7x6.
    pub depth: u32,
    /// The most threads; 0: one for each processor.
    pub threads: u32,
    /// Bytes for the solver's table; 0: a quarter of the free memory, at most 1 GiB.
    pub memory: usize,
    /// Other than 0: values are outcomes, without the distance.
    pub outcomes: u8,
    /// Other than 0: the book is compact instead of flat.
    pub compact: u8,
}

/// Makes a book: the scores of all positions down to a ply, in the file `out`. Solved positions are
/// kept beside it: after a cancelled call (FOURBOOK_STATUS_CANCELLED) or a crash, the same call
/// resumes. A report on the run is written to `OUT.json`. `options`, the callback and `cancel` may
/// be null.
///
/// # Safety
///
/// `out` is null or ends with a zero byte; `options` is null or valid for reads; `cancel` is null or
/// a handle that was not freed. The callback may be called from any thread with `user` and a text
/// that is valid during the call, and does not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_generate(
    out: *const c_char,
    options: *const GenerateOptions,
    tell: Tell,
    user: *mut c_void,
    cancel: *const Cancel,
) -> Status {
    call(|| {
        // SAFETY: `out` is null or a path that ends with a zero byte.
        let out = unsafe { border::path(out, "out") }?;
        // SAFETY: `options` is null or valid for reads.
        let options = unsafe { border::read_if_given(options, "options") }?;
        let options = options.copied().unwrap_or_default();
        // SAFETY: `cancel` is null or valid for reads.
        let cancel = unsafe { border::read_if_given(cancel, "cancel") }?;
        let cancel = cancel.map_or_else(Arc::default, |Cancel(flag)| Arc::clone(flag));
        let plan = options.plan(out)?;
        let teller = Teller { tell, user, cancel, state: Mutex::default() };
        making::run(&plan, &teller)?;
        Ok(())
    })
}

impl GenerateOptions {
    fn plan(self, out: &Path) -> Result<Plan, Failure> {
        let size = size_if_given(self.width, self.height)?.unwrap_or_default();
        let depth = if self.depth == 0 { Plan::default_depth(size) } else { self.depth };
        let defaults = Plan::new(size, depth);
        Ok(Plan {
            kind: if self.outcomes != 0 { ValueKind::WinDrawLoss } else { ValueKind::Scores },
            encoding: if self.compact != 0 { Encoding::Compact } else { Encoding::Flat },
            threads: self.threads as usize,
            table_bytes: if self.memory == 0 { defaults.table_bytes } else { self.memory },
            out: out.into(),
            ..defaults
        })
    }
}

/// Reports progress to a callback of C.
struct Teller {
    tell: Tell,
    /// The caller's pointer, which only the callback uses.
    user: *mut c_void,
    cancel: Arc<AtomicBool>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    step: CString,
    done: u64,
    total: u64,
    told: Option<Instant>,
}

// SAFETY: the callback is called by one thread at a time, under the lock of the state, and its
// contract is that it may be called from any.
unsafe impl Sync for Teller {}

impl Teller {
    fn change(&self, now: bool, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        let is_due =
            now || state.done == state.total || state.told.is_none_or(|it| it.elapsed() >= TELL);
        let Some(tell) = self.tell.filter(|_| is_due) else { return };
        state.told = Some(Instant::now());
        // SAFETY: the text lives during the call, and the contract of the caller allows the call
        // with `user`.
        let answer = unsafe { tell(state.step.as_ptr(), state.done, state.total, self.user) };
        if answer != 0 {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
}

impl Progress for Teller {
    fn begin(&self, step: Step, done: u64, total: u64) {
        let step = CString::new(step.to_string()).unwrap_or_default();
        self.change(true, |state| (state.step, state.done, state.total) = (step, done, total));
    }

    fn advance(&self, units: u64) {
        self.change(false, |state| state.done += units);
    }

    fn cancel(&self) -> Option<&Arc<AtomicBool>> {
        Some(&self.cancel)
    }
}
