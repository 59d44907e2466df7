//! A bounded pool of threads for long work that many may wait for.
//!
//! Work has a key: who asks for work that is already queued or running waits for
//! that. Work that nobody waits for any more is dropped from the queue, or told to
//! stop by its flag. Threads that nothing waits for help those at work. The threads are
//! apart from those of the async runtime, with stacks as the solver needs them and a lower
//! priority.

use super::metrics::Metrics;
use fourbook::solver::STACK_BYTES;
use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use thread_priority::ThreadPriority;
#[cfg(target_os = "linux")]
use thread_priority::{NormalThreadSchedulePolicy, ThreadSchedulePolicy};
use tokio::sync::watch;

/// How much lower the priority of the pool's threads is, as `nice` counts, where
/// there is nothing lower.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Something to be done; it stops soon after the flag is set, and may tell what it has on
/// the way.
type Task<V> = Box<dyn FnOnce(Arc<AtomicBool>, &dyn Fn(V)) -> V + Send>;

/// How far some work is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Progress<V> {
    /// Nothing is known yet.
    Nothing,
    /// What it has told last.
    Part(V),
    /// It has ended.
    End(Result<V, Refused>),
}

impl<V> Progress<V> {
    fn is_end(&self) -> bool {
        matches!(self, Progress::End(_))
    }
}

/// What threads do that have no work of their own.
pub(super) trait Pastime: Debug + Send + Sync + 'static {
    /// Helps those that have some, whenever it can, until threads are wanted; returns
    /// whether it could.
    fn help(&self) -> bool;

    /// Takes note of whether threads are wanted for work of their own: those that help
    /// leave then, and nobody begins to.
    fn want(&self, wanted: bool);
}

/// Why work comes to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    /// As much is waiting as may.
    #[error("the queue for the solver is full")]
    QueueFull,
    /// The pool is being closed.
    #[error("the server is stopping")]
    Stopping,
    /// The work panicked.
    #[error("the solver failed")]
    Failed,
}

/// Threads that do work by key.
#[derive(Debug)]
pub(super) struct Pool<K, V> {
    shared: Arc<Shared<K, V>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Shared<K, V> {
    state: Mutex<State<K, V>>,
    /// Told when there is work, or no more will come.
    changed: Condvar,
    /// Told that threads are wanted where there is work, or no more will come; only while
    /// the state is locked.
    pastime: Box<dyn Pastime>,
    /// The most work that may wait for a thread.
    capacity: usize,
    metrics: Arc<Metrics>,
}

#[derive(Debug)]
struct State<K, V> {
    /// What can be joined: queued or running, and not cancelled.
    jobs: HashMap<K, Arc<Job<K, V>>>,
    queue: VecDeque<Queued<K, V>>,
    stopping: bool,
}

struct Queued<K, V> {
    job: Arc<Job<K, V>>,
    task: Task<V>,
}

impl<K: Debug, V> Debug for Queued<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Queued").field(&self.job.key).finish()
    }
}

#[derive(Debug)]
struct Job<K, V> {
    key: K,
    cancel: Arc<AtomicBool>,
    /// Number of tickets; changed only while the state is locked.
    waiting: AtomicUsize,
    progress: watch::Sender<Progress<V>>,
}

impl<K, V> Shared<K, V> {
    fn lock(&self) -> MutexGuard<'_, State<K, V>> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a change to the state.
    fn note(&self, state: &State<K, V>) {
        self.pastime.want(state.stopping || !state.queue.is_empty());
        self.metrics.queued.set(state.queue.len() as i64);
    }
}

impl<K, V> Pool<K, V>
where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// A pool of `threads` threads, with at most `capacity` pieces of work waiting.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub(super) fn new(
        threads: usize,
        capacity: usize,
        pastime: impl Pastime,
        metrics: Arc<Metrics>,
    ) -> io::Result<Self> {
        let state = State { jobs: HashMap::new(), queue: VecDeque::new(), stopping: false };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
            pastime: Box::new(pastime),
            capacity,
            metrics,
        });
        let pool = Pool { shared, threads: Mutex::new(Vec::new()) };
        for number in 0..threads {
            let shared = Arc::clone(&pool.shared);
            let builder =
                thread::Builder::new().name(format!("solver-{number}")).stack_size(STACK_BYTES);
            let thread = builder.spawn(move || work(&shared))?;
            pool.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        }
        Ok(pool)
    }

    /// Has work done, or joins the same work if it is under way. It is cancelled when
    /// every ticket to it is dropped.
    ///
    /// # Errors
    ///
    /// If the queue is full or the pool is closed.
    pub(super) fn submit(
        &self,
        key: K,
        task: impl FnOnce(Arc<AtomicBool>, &dyn Fn(V)) -> V + Send + 'static,
    ) -> Result<Ticket<K, V>, Refused> {
        let mut state = self.shared.lock();
        if state.stopping {
            return Err(Refused::Stopping);
        }
        if let Some(job) = state.jobs.get(&key) {
            self.shared.metrics.coalesced.inc();
            return Ok(Ticket::new(&self.shared, job));
        }
        if state.queue.len() >= self.shared.capacity {
            self.shared.metrics.refused.inc();
            return Err(Refused::QueueFull);
        }
        let (progress, _) = watch::channel(Progress::Nothing);
        let job = Arc::new(Job {
            key: key.clone(),
            cancel: Arc::default(),
            waiting: AtomicUsize::new(0),
            progress,
        });
        let ticket = Ticket::new(&self.shared, &job);
        state.jobs.insert(key, Arc::clone(&job));
        state.queue.push_back(Queued { job, task: Box::new(task) });
        self.shared.note(&state);
        drop(state);
        self.shared.changed.notify_one();
        Ok(ticket)
    }

    /// Takes no more work, cancels what there is and waits for the threads.
    pub(super) fn stop(&self) {
        {
            let mut state = self.shared.lock();
            state.stopping = true;
            for job in state.jobs.values() {
                job.cancel.store(true, Ordering::Relaxed);
            }
            for queued in state.queue.drain(..) {
                queued.job.progress.send_replace(Progress::End(Err(Refused::Stopping)));
            }
            self.shared.note(&state);
        }
        self.shared.changed.notify_all();
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // Tasks that panic are caught, so a thread ends well.
            let _ = thread.join();
        }
    }
}

/// Lets the threads that answer from the book go first; a system that refuses serves
/// all the same.
#[cfg(target_os = "linux")]
fn lower_priority() {
    let thread = Some(rustix::thread::gettid());
    if let Ok(niceness) = rustix::process::getpriority_process(thread) {
        let _ = rustix::process::setpriority_process(thread, niceness + NICENESS);
    }
    // A nice thread still ends its time slice, of milliseconds, before another may
    // run; an idle one makes way at once.
    let _ = thread_priority::set_thread_priority_and_policy(
        thread_priority::thread_native_id(),
        ThreadPriority::Min,
        ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle),
    );
}

/// Lets the threads that answer from the book go first; a system that refuses serves
/// all the same.
#[cfg(not(target_os = "linux"))]
fn lower_priority() {
    let _ = thread_priority::set_current_thread_priority(ThreadPriority::Min);
}

/// A thread of the pool: does what is queued until the pool is closed.
fn work<K: Clone + Eq + Hash, V: Clone>(shared: &Shared<K, V>) {
    lower_priority();
    while let Some(Queued { job, task }) = next(shared) {
        shared.metrics.busy.inc();
        let cancel = Arc::clone(&job.cancel);
        let tell = |part| drop(job.progress.send_replace(Progress::Part(part)));
        let result =
            catch_unwind(AssertUnwindSafe(|| task(cancel, &tell))).map_err(|_| Refused::Failed);
        shared.metrics.busy.dec();
        shared.lock().forget(&job);
        job.progress.send_replace(Progress::End(result));
    }
}

/// The next work, as soon as there is any; `None` when the pool is closed. Helps until then.
fn next<K, V>(shared: &Shared<K, V>) -> Option<Queued<K, V>> {
    let mut state = shared.lock();
    let mut can_help = true;
    loop {
        if state.stopping {
            return None;
        }
        if let Some(queued) = state.queue.pop_front() {
            shared.note(&state);
            return Some(queued);
        }
        if can_help {
            drop(state);
            let help = AssertUnwindSafe(|| shared.pastime.help());
            can_help = catch_unwind(help).unwrap_or(false);
            state = shared.lock();
        } else {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<K: Eq + Hash, V> State<K, V> {
    /// Lets nobody join a job any more, unless another has taken its place.
    fn forget(&mut self, job: &Arc<Job<K, V>>) {
        if self.jobs.get(&job.key).is_some_and(|other| Arc::ptr_eq(other, job)) {
            self.jobs.remove(&job.key);
        }
    }
}

/// A claim to the result of some work; the last one that is dropped cancels it.
#[derive(Debug)]
pub(super) struct Ticket<K: Eq + Hash, V> {
    shared: Arc<Shared<K, V>>,
    job: Arc<Job<K, V>>,
    progress: watch::Receiver<Progress<V>>,
}

impl<K: Eq + Hash, V> Ticket<K, V> {
    /// A ticket; the state is locked, so that the last other one is not dropped meanwhile.
    fn new(shared: &Arc<Shared<K, V>>, job: &Arc<Job<K, V>>) -> Self {
        let (shared, job) = (Arc::clone(shared), Arc::clone(job));
        job.waiting.fetch_add(1, Ordering::Relaxed);
        let progress = job.progress.subscribe();
        Ticket { shared, job, progress }
    }
}

impl<K: Eq + Hash, V: Clone> Ticket<K, V> {
    /// Waits for the result.
    ///
    /// # Errors
    ///
    /// If the work panicked or the pool was closed first.
    pub(super) async fn result(&mut self) -> Result<V, Refused> {
        match self.progress.wait_for(Progress::is_end).await.as_deref() {
            Ok(Progress::End(result)) => result.clone(),
            _ => Err(Refused::Failed),
        }
    }

    /// Waits until there is more than last time; what has come in between is left out.
    pub(super) async fn more(&mut self) -> Progress<V> {
        match self.progress.changed().await {
            Ok(()) => self.progress.borrow_and_update().clone(),
            Err(_) => Progress::End(Err(Refused::Failed)),
        }
    }
}

impl<K: Eq + Hash, V> Drop for Ticket<K, V> {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        let last = self.job.waiting.fetch_sub(1, Ordering::Relaxed) == 1;
        if !last || self.job.progress.borrow().is_end() {
            return;
        }
        self.job.cancel.store(true, Ordering::Relaxed);
        self.shared.metrics.cancelled.inc();
        state.forget(&self.job);
        state.queue.retain(|queued| !Arc::ptr_eq(&queued.job, &self.job));
        self.shared.note(&state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Counts the threads that help.
    #[derive(Debug, Default)]
    struct Helpers {
        helping: Mutex<usize>,
        changed: Condvar,
        wanted: AtomicBool,
        calls: AtomicUsize,
        /// Nobody can help.
        disabled: bool,
    }

    impl Helpers {
        fn wait_for(&self, number: usize) {
            let helping = self.helping.lock().unwrap();
            drop(self.changed.wait_while(helping, |helping| *helping != number).unwrap());
        }
    }

    impl Pastime for Arc<Helpers> {
        fn help(&self) -> bool {
            self.calls.fetch_add(1, Ordering::Relaxed);
            if self.disabled {
                return false;
            }
            let mut helping = self.helping.lock().unwrap();
            *helping += 1;
            self.changed.notify_all();
            let is_free = |_: &mut usize| !self.wanted.load(Ordering::Relaxed);
            let mut helping = self.changed.wait_while(helping, is_free).unwrap();
            *helping -= 1;
            self.changed.notify_all();
            true
        }

        fn want(&self, wanted: bool) {
            let _helping = self.helping.lock().unwrap();
            self.wanted.store(wanted, Ordering::Relaxed);
            self.changed.notify_all();
        }
    }

    type Numbers = Pool<u32, u32>;

    fn pool(threads: usize, disabled: bool) -> (Numbers, Arc<Helpers>) {
        let helpers = Arc::new(Helpers { disabled, ..Helpers::default() });
        let pool = Pool::new(threads, 10_000, Arc::clone(&helpers), Arc::new(Metrics::new()));
        (pool.unwrap(), helpers)
    }

    /// Work under `key` that comes to its end when the sender is dropped.
    fn submit_long(pool: &Numbers, key: u32) -> (Ticket<u32, u32>, mpsc::Sender<()>) {
        let (end, ended) = mpsc::channel();
        let task = move |_: Arc<AtomicBool>, _: &dyn Fn(u32)| {
            let _ = ended.recv();
            key
        };
        (pool.submit(key, task).unwrap(), end)
    }

    fn busy(pool: &Numbers) -> i64 {
        pool.shared.metrics.busy.get()
    }

    #[tokio::test]
    async fn threads_help_until_there_is_work_and_again_after_it() {
        let (pool, helpers) = pool(2, false);
        helpers.wait_for(2);
        let (mut first, end_first) = submit_long(&pool, 1);
        helpers.wait_for(1);
        let (mut second, end_second) = submit_long(&pool, 2);
        helpers.wait_for(0);
        drop(end_first);
        assert_eq!(first.result().await, Ok(1));
        helpers.wait_for(1);
        // The thread has said that it is no longer at work before it helps.
        assert_eq!(busy(&pool), 1);
        drop(end_second);
        assert_eq!(second.result().await, Ok(2));
        helpers.wait_for(2);
        assert_eq!(busy(&pool), 0);
    }

    #[tokio::test]
    async fn no_work_is_forgotten_and_nobody_helps_while_some_waits() {
        for disabled in [false, true] {
            let (pool, helpers) = pool(3, disabled);
            for round in 0..300 {
                let keys = 4 * round..4 * round + round % 4;
                let tickets: Vec<_> =
                    keys.clone().map(|key| pool.submit(key, move |_, _| key).unwrap()).collect();
                for (key, mut ticket) in keys.zip(tickets) {
                    assert_eq!(ticket.result().await, Ok(key));
                }
            }
            if !disabled {
                helpers.wait_for(3);
            }
            pool.stop();
        }
    }

    #[test]
    fn threads_help_on_when_work_is_withdrawn_before_it_has_begun() {
        let (pool, helpers) = pool(1, false);
        helpers.wait_for(1);
        let (_first, end_first) = submit_long(&pool, 1);
        helpers.wait_for(0);
        drop(submit_long(&pool, 2));
        drop(end_first);
        helpers.wait_for(1);
        assert!(!helpers.wanted.load(Ordering::Relaxed));
    }

    #[tokio::test]
    async fn threads_that_cannot_help_wait() {
        let (pool, helpers) = pool(1, true);
        for key in 0..10 {
            let (mut ticket, end) = submit_long(&pool, key);
            drop(end);
            assert_eq!(ticket.result().await, Ok(key));
        }
        pool.stop();
        // Once before each piece of work, and after the last one.
        assert!(helpers.calls.load(Ordering::Relaxed) <= 11);
    }

    #[test]
    fn a_pool_that_stops_ends_all_help() {
        let (pool, helpers) = pool(3, false);
        helpers.wait_for(3);
        pool.stop();
        helpers.wait_for(0);
        assert_eq!(pool.submit(1, |_, _| 1).unwrap_err(), Refused::Stopping);
    }
}
