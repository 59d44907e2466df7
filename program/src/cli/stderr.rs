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

/// The most bytes of short texts that are written together; a pipe takes as many in one piece.
const PIECE: usize = 4096;

/// The longest time in which short texts gather after a write.
const PAUSE: Duration = Duration::from_millis(10);

/// How long to wait for the reader where the order of outputs or the end of the program needs it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Texts that wait to be written.
struct Queue {
    pieces: VecDeque<Vec<u8>>,
    /// The length of the pieces, with the present one.
    bytes: usize,
    /// Lines that were dropped or could not be written.
    lost: u64,
    /// Whether the program waits for the end of writing.
    is_awaited: bool,
    /// Whether the reader exhausted the patience and has not caught up since.
    is_stalled: bool,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue {
    pieces: VecDeque::new(),
    bytes: 0,
    lost: 0,
    is_awaited: false,
    is_stalled: false,
});

/// Signalled when the queue is no longer empty, when `is_awaited` begins, and when everything is written.
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
        match queue.pieces.back_mut() {
            Some(piece) if piece.len() + text.len() <= PIECE => piece.extend(text),
            _ => queue.pieces.push_back(text.to_vec()),
        }
        if queue.bytes == text.len() {
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
    let mut queue = queue();
    if queue.bytes == 0 || queue.is_stalled {
        return;
    }
    queue.is_awaited = true;
    CHANGED.notify_all();
    let waited = CHANGED.wait_timeout_while(queue, PATIENCE, |queue| queue.bytes > 0);
    let (mut queue, time) = waited.unwrap_or_else(PoisonError::into_inner);
    queue.is_awaited = false;
    queue.is_stalled = time.timed_out();
}

/// Ends the program.
pub(crate) fn exit(code: u8) -> ! {
    flush();
    std::process::exit(code.into())
}

/// The number of lines that were dropped or could not be written.
#[cfg(feature = "server")]
pub(crate) fn lost() -> u64 {
    queue().lost
}

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes pieces for ever, and short ones after a pause. When writing succeeds again, warns about lost
/// lines.
fn write_queue() {
    let mut reported = 0;
    let mut queue = queue();
    loop {
        let Some(piece) = queue.pieces.pop_front() else {
            queue = CHANGED.wait(queue).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        drop(queue);
        let is_written = io::stderr().write_all(&piece).is_ok();
        queue = self::queue();
        queue.bytes -= piece.len();
        if !is_written {
            queue.lost += piece.iter().filter(|&&byte| byte == b'\n').count() as u64;
        }
        if queue.bytes == 0 {
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
        let paused = CHANGED
            .wait_timeout_while(queue, PAUSE, |queue| queue.pieces.len() < 2 && !queue.is_awaited);
        queue = paused.unwrap_or_else(PoisonError::into_inner).0;
    }
}
