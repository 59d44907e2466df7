//! Work that takes long. Another thread does it; the calling thread waits without the interpreter's
//! lock, checks for Ctrl-C, and reports progress. No thread outlives the call, so a fork loses
//! none.

use fourbook::progress::{Progress, Step};
use fourbook::tools::with_threads;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the calling thread looks for Ctrl-C, and reports progress.
const TICK: Duration = Duration::from_millis(50);

/// How many positions are read or written between two looks at the clock or at a flag.
pub(crate) const PAUSE: usize = 1 << 10;

/// The time between two calls of [`pause`]: longer than the five milliseconds after which a waiting thread
/// asks for the interpreter's lock, and gets it at the next pause. After a shorter time a pause only wakes
/// the thread, which finds the lock in use and waits for another five milliseconds.
const TURN: Duration = Duration::from_millis(10);

/// The turns of other threads of Python while positions are read or written one by one.
pub(crate) struct Turns {
    positions: usize,
    last: Instant,
}

impl Turns {
    pub(crate) fn new() -> Self {
        Turns { positions: 0, last: Instant::now() }
    }

    /// Counts a position, and lets other threads run if it is time.
    ///
    /// # Errors
    ///
    /// If a signal handler raises an exception.
    pub(crate) fn count(&mut self, py: Python<'_>) -> PyResult<()> {
        self.positions += 1;
        if self.positions.is_multiple_of(PAUSE) && self.last.elapsed() >= TURN {
            pause(py)?;
            self.last = Instant::now();
        }
        Ok(())
    }
}

/// Lets other threads of Python run.
///
/// # Errors
///
/// If a signal handler raises an exception.
pub(crate) fn pause(py: Python<'_>) -> PyResult<()> {
    py.detach(|| ());
    py.check_signals()
}

/// Does work on another thread and waits for it. Calls `tick` every [`TICK`] with the interpreter's
/// lock. If a signal handler or `tick` raises an exception, sets the flag, and raises the exception
/// when the work has ended. `tick` may set the flag as well.
///
/// # Errors
///
/// If there was such an exception, or no thread could be started.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send,
    mut tick: impl FnMut(Python<'_>, &AtomicBool) -> PyResult<()> + Send,
) -> PyResult<T> {
    let cancel = Arc::new(AtomicBool::new(false));
    py.detach(|| {
        thread::scope(|scope| {
            let (done, is_done) = sync_channel::<()>(0);
            let cancelled = &cancel;
            let work = move || {
                // Dropped at the end, also by a panic.
                let _done = done;
                work(cancelled)
            };
            let worker = thread::Builder::new().name("fourbook".to_owned());
            let worker = worker.spawn_scoped(scope, work).map_err(|error| {
                PyRuntimeError::new_err(format!("cannot start a thread: {error}"))
            })?;
            let mut failed = None;
            let mut look = |py: Python<'_>| py.check_signals().and_then(|()| tick(py, &cancel));
            while is_done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if failed.is_none()
                    && let Err(error) = Python::attach(&mut look)
                {
                    cancel.store(true, Ordering::Relaxed);
                    failed = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            failed.map_or(Ok(result), Err)
        })
    })
}

/// Does work that cannot be cancelled by a flag but reports to a [`Meter`], on `threads` threads,
/// which end with it.
///
/// # Errors
///
/// As [`wait`], of the callback too, or if the threads could not be started.
pub(crate) fn wait_with_threads<T: Send>(
    py: Python<'_>,
    threads: usize,
    callback: Option<Py<PyAny>>,
    work: impl FnOnce(&Meter, &Arc<AtomicBool>) -> T + Send,
) -> PyResult<T> {
    let meter = Meter::new(callback);
    let work = |cancel: &Arc<AtomicBool>| {
        let _ = meter.unwind.set(Arc::clone(cancel));
        match catch_unwind(AssertUnwindSafe(|| with_threads(threads, || work(&meter, cancel)))) {
            Ok(Ok(done)) => Ok(Some(done)),
            Ok(Err(error)) => {
                Err(PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}")))
            }
            Err(reason) if reason.is::<Unwound>() => Ok(None),
            Err(panic) => resume_unwind(panic),
        }
    };
    let done = wait(py, work, |py, _| meter.tell(py))??;
    meter.tell(py)?;
    // Without an exception nothing was cancelled.
    done.ok_or_else(|| PyRuntimeError::new_err("the work was cancelled"))
}

/// Passes the progress that the threads of some work report to a callback of Python.
#[derive(Debug)]
pub(crate) struct Meter {
    callback: Option<Py<PyAny>>,
    states: Mutex<States>,
    /// Ends the work when it is set, by unwinding from the next progress report. For work that only
    /// reads, and has no other way to be cancelled.
    unwind: OnceLock<Arc<AtomicBool>>,
}

/// A step, its units done and its units in total.
type State = (Step, u64, u64);

#[derive(Debug, Default)]
struct States {
    /// The current state, after the last ones of steps that have ended since the last call.
    recent: Vec<State>,
    /// The last state of the last call.
    told: Option<State>,
}

/// The panic that ends cancelled work.
struct Unwound;

impl Meter {
    pub(crate) fn new(callback: Option<Py<PyAny>>) -> Self {
        Meter { callback, states: Mutex::default(), unwind: OnceLock::new() }
    }

    fn change(&self, change: impl FnOnce(&mut Vec<State>)) {
        change(&mut self.states.lock().unwrap_or_else(PoisonError::into_inner).recent);
        if self.unwind.get().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            resume_unwind(Box::new(Unwound));
        }
    }

    /// Calls the callback with the last state of each step, and with the current one.
    ///
    /// # Errors
    ///
    /// If the callback raises one.
    pub(crate) fn tell(&self, py: Python<'_>) -> PyResult<()> {
        let Some(callback) = &self.callback else { return Ok(()) };
        let states = {
            let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
            let States { recent, told } = &mut *states;
            let Some(&last) = recent.last() else { return Ok(()) };
            let mut states = std::mem::replace(recent, vec![last]);
            states.retain(|state| Some(state) != told.as_ref());
            *told = Some(last);
            states
        };
        for (step, done, total) in states {
            callback.call1(py, (step.to_string(), done, total))?;
        }
        Ok(())
    }
}

impl Progress for Meter {
    fn begin(&self, step: Step, done: u64, total: u64) {
        self.change(|recent| recent.push((step, done, total)));
    }

    fn advance(&self, units: u64) {
        self.change(|recent| {
            if let Some((_, done, _)) = recent.last_mut() {
                *done += units;
            }
        });
    }
}
