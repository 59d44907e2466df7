//! Work that takes long. Another thread does it; the calling thread waits without the interpreter's
//! lock, checks for Ctrl-C, and reports progress. No thread outlives the call, so a fork loses
//! none.

use fourbook::progress::{Progress, Step};
use fourbook::tools::with_threads;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the calling thread looks for Ctrl-C, and reports progress.
const TICK: Duration = Duration::from_millis(50);

/// How many positions are read or written between two looks at the clock or at a flag.
pub(crate) const PAUSE: usize = 1 << 10;

/// The time between two turns: longer than the five milliseconds after which a waiting thread
/// asks for the interpreter's lock, and gets it at the next turn. After a shorter time a turn only wakes
/// the thread, which finds the lock in use and waits for another five milliseconds.
const TURN: Duration = Duration::from_millis(10);

/// The turns of other threads of Python while positions are read or written one by one.
pub(crate) struct Turns {
    positions: usize,
    last: Option<Instant>,
}

impl Turns {
    pub(crate) fn new() -> Self {
        Turns { positions: 0, last: None }
    }

    /// Counts a position, and lets other threads run if it is time.
    ///
    /// # Errors
    ///
    /// If a signal handler raises an exception.
    pub(crate) fn count(&mut self, py: Python<'_>) -> PyResult<()> {
        self.positions += 1;
        if self.positions.is_multiple_of(PAUSE)
            && self.last.get_or_insert_with(Instant::now).elapsed() >= TURN
        {
            py.detach(|| ());
            py.check_signals()?;
            self.last = None;
        }
        Ok(())
    }
}

/// Does work on another thread and waits for it. Calls `tick` every [`TICK`] with the interpreter's
/// lock. If a signal handler or `tick` raises an exception, sets the flag `cancel`, and raises the
/// exception when the work has ended.
///
/// # Errors
///
/// If there was such an exception, or no thread could be started.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    cancel: &AtomicBool,
    work: impl FnOnce() -> T + Send,
    tick: impl Fn(Python<'_>) -> PyResult<()> + Sync,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (done, is_done) = sync_channel::<()>(0);
            let work = move || {
                // Dropped at the end, also by a panic.
                let _done = done;
                work()
            };
            let worker = thread::Builder::new().name("fourbook".to_owned());
            let worker = worker.spawn_scoped(scope, work).map_err(|error| {
                PyRuntimeError::new_err(format!("cannot start a thread: {error}"))
            })?;
            let mut failed = None;
            while is_done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if failed.is_none()
                    && let Err(error) =
                        Python::attach(|py| py.check_signals().and_then(|()| tick(py)))
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

/// Passes the progress that the threads of some work report to a callback of Python.
#[derive(Debug)]
pub(crate) struct Meter {
    pub(crate) callback: Option<Py<PyAny>>,
    states: Mutex<States>,
    pub(crate) cancel: Arc<AtomicBool>,
}

/// The name of a step, its units done and its units in total.
type State = (String, u64, u64);

#[derive(Debug, Default)]
struct States {
    /// The current state, after the last ones of steps that have ended since the last call.
    recent: Vec<State>,
    /// The last state of the last call.
    told: Option<State>,
}

impl Meter {
    pub(crate) fn new(callback: Option<Py<PyAny>>) -> Self {
        Meter { callback, states: Mutex::default(), cancel: Arc::default() }
    }

    /// Begins a step of this name.
    pub(crate) fn start(&self, step: &str, done: u64, total: u64) {
        if self.callback.is_none() {
            return;
        }
        self.states().recent.push((step.to_owned(), done, total));
    }

    /// Does work that reports to a meter, and is cancelled by it, on `threads` threads, which end with
    /// it.
    ///
    /// # Errors
    ///
    /// As [`wait`], of the callback too, or if the threads could not be started.
    pub(crate) fn wait<T: Send>(
        py: Python<'_>,
        threads: usize,
        callback: Option<Py<PyAny>>,
        work: impl FnOnce(&Meter) -> T + Send,
    ) -> PyResult<T> {
        let meter = Meter::new(callback);
        let work = || with_threads(threads, || work(&meter));
        let done = wait(py, &meter.cancel, work, |py| meter.tell(py))?.map_err(|error| {
            PyRuntimeError::new_err(format!("cannot start {threads} threads: {error}"))
        })?;
        meter.tell(py)?;
        Ok(done)
    }

    fn states(&self) -> MutexGuard<'_, States> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls the callback with the last state of each step, and with the current one.
    ///
    /// # Errors
    ///
    /// If the callback raises one.
    pub(crate) fn tell(&self, py: Python<'_>) -> PyResult<()> {
        let Some(callback) = &self.callback else { return Ok(()) };
        let states = {
            let mut states = self.states();
            let States { recent, told } = &mut *states;
            let Some(last) = recent.last().cloned() else { return Ok(()) };
            let mut states = std::mem::replace(recent, vec![last.clone()]);
            states.retain(|state| Some(state) != told.as_ref());
            *told = Some(last);
            states
        };
        for state in states {
            callback.call1(py, state)?;
        }
        Ok(())
    }
}

impl Progress for Meter {
    fn begin(&self, step: Step, done: u64, total: u64) {
        self.start(&step.to_string(), done, total);
    }

    fn advance(&self, units: u64) {
        if let Some((_, done, _)) = self.states().recent.last_mut() {
            *done += units;
        }
    }

    fn cancel(&self) -> Option<&Arc<AtomicBool>> {
        Some(&self.cancel)
    }
}
