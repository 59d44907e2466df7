//! Standard error: the log, messages and progress. One thread writes it from a bounded queue, so that
//! a reader that is slow or gone, or a full disk, stops nothing else.

use std::collections::VecDeque;
use std::io::{self, Write};
#[cfg(unix)]
use std::os::fd::{AsRawFd, RawFd};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// The bytes in the queue above which texts are dropped.
const CAPACITY: usize = 1 << 20;

/// How long to wait for the reader where the order of outputs or the end of the program needs it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Texts that wait to be written.
struct Queue {
    texts: VecDeque<Vec<u8>>,
    /// The length of the texts and of the one that is being written.
    bytes: usize,
    /// Texts that were dropped or could not be written.
    lost: u64,
    /// Whether the reader exhausted the patience and has not caught up since.
    is_stalled: bool,
}

static QUEUE: Mutex<Queue> =
    Mutex::new(Queue { texts: VecDeque::new(), bytes: 0, lost: 0, is_stalled: false });

/// Signalled when the queue is no longer empty, and when everything is written.
static CHANGED: Condvar = Condvar::new();

/// Standard error as a writer. Each call of `write` queues a text; it neither waits nor fails.
#[derive(Debug)]
pub(crate) struct Stderr;

impl Write for Stderr {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        static WRITER: OnceLock<bool> = OnceLock::new();
        if !WRITER.get_or_init(|| {
            thread::Builder::new().name("stderr".to_owned()).spawn(write_queue).is_ok()
        }) {
            // Without a thread, this is the only way.
            let _ = io::stderr().write_all(text);
            return Ok(text.len());
        }
        let mut queue = queue();
        if queue.bytes > CAPACITY {
            queue.lost += 1;
            return Ok(text.len());
        }
        queue.bytes += text.len();
        queue.texts.push_back(text.to_vec());
        if queue.texts.len() == 1 {
            CHANGED.notify_all();
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
impl AsRawFd for Stderr {
    fn as_raw_fd(&self) -> RawFd {
        io::stderr().as_raw_fd()
    }
}

/// Writes everything on standard error when it is dropped.
pub(crate) struct FlushAtEnd;

impl Drop for FlushAtEnd {
    fn drop(&mut self) {
        flush();
    }
}

/// Waits until everything is written, at most two seconds, and not for a reader that has
/// stalled before.
pub(crate) fn flush() {
    let queue = queue();
    if queue.is_stalled {
        return;
    }
    let waited = CHANGED.wait_timeout_while(queue, PATIENCE, |queue| queue.bytes > 0);
    let (mut queue, time) = waited.unwrap_or_else(PoisonError::into_inner);
    queue.is_stalled = time.timed_out();
}

/// Ends the program.
pub(crate) fn exit(code: u8) -> ! {
    flush();
    std::process::exit(code.into())
}

/// The number of texts that were dropped or could not be written.
#[cfg(feature = "server")]
pub(crate) fn lost() -> u64 {
    queue().lost
}

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes texts as they come, for ever. When writing succeeds again, warns about lost texts.
fn write_queue() {
    let mut reported = 0;
    let mut queue = queue();
    loop {
        let Some(text) = queue.texts.pop_front() else {
            queue = CHANGED.wait(queue).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        drop(queue);
        let is_written = io::stderr().write_all(&text).is_ok();
        queue = self::queue();
        queue.bytes -= text.len();
        queue.lost += u64::from(!is_written);
        if queue.bytes > 0 {
            continue;
        }
        queue.is_stalled = false;
        CHANGED.notify_all();
        let lost = queue.lost - reported;
        if is_written && lost > 0 {
            reported = queue.lost;
            drop(queue);
            tracing::warn!(lost, "stderr was not read or its disk was full; lines are missing");
            queue = self::queue();
        }
    }
}
