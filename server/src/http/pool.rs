//! A bounded pool of solver threads for jobs that many requests may wait for.
//!
//! Jobs have keys: a request for a job that is queued or running waits for that one. A job
//! that nobody waits for any more is cancelled. Idle threads help the searches under way. The
//! threads are apart from those of the async runtime, with stacks as the solver needs them and
//! a lower priority.

use super::metrics::Metrics;
use fourbook::solver::{STACK_BYTES, Searches, TaskQueue};
use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use thread_priority::ThreadPriority;
#[cfg(target_os = "linux")]
use thread_priority::{NormalThreadSchedulePolicy, ThreadSchedulePolicy};
use tokio::sync::watch;

/// How much lower the priority of the pool's threads is, as `nice` counts, on systems without
/// an idle priority.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Runs a job until it ends or the flag is set; may report partial results.
type Run<V> = Box<dyn FnOnce(Arc<AtomicBool>, &dyn Fn(V)) -> V + Send>;

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Progress<V> {
    /// It has reported nothing.
    Nothing,
    /// Its last report.
    Part(V),
    /// It has ended.
    End(Result<V, Refused>),
}

impl<V> Progress<V> {
    fn is_end(&self) -> bool {
        matches!(self, Progress::End(_))
    }
}

/// Why a job has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    /// Too many jobs are waiting.
    #[error("the queue for the solver is full")]
    QueueFull,
    /// The pool is being closed.
    #[error("the server is stopping")]
    Stopping,
    /// The job panicked.
    #[error("the solver failed")]
    Failed,
}

/// A pool of threads that run jobs by key.
#[derive(Debug)]
pub(super) struct Pool<K, V> {
    shared: Arc<Shared<K, V>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Shared<K, V> {
    tasks: TaskQueue<'static>,
    state: Mutex<State<K, V>>,
    /// The most jobs that may wait for a thread.
    capacity: usize,
    metrics: Arc<Metrics>,
}

#[derive(Debug)]
struct State<K, V> {
    /// Jobs that a request can join: queued or running, and not cancelled.
    jobs: HashMap<K, Arc<Job<K, V>>>,
    queue: VecDeque<Queued<K, V>>,
    /// Tasks that are to take a job from the queue: at least as many as there are jobs in it.
    tasks: usize,
    stopping: bool,
}

struct Queued<K, V> {
    job: Arc<Job<K, V>>,
    run: Run<V>,
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
    /// Changed only while the state is locked.
    tickets: AtomicUsize,
    progress: watch::Sender<Progress<V>>,
}

impl<K, V> Shared<K, V> {
    fn lock(&self) -> MutexGuard<'_, State<K, V>> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, V> Pool<K, V>
where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// A pool of `threads` threads, with at most `capacity` jobs waiting, whose idle threads
    /// help `searches`.
    ///
    /// # Errors
    ///
    /// If the system cannot start a thread.
    pub(super) fn new(
        threads: usize,
        capacity: usize,
        searches: Arc<Searches>,
        metrics: Arc<Metrics>,
    ) -> io::Result<Self> {
        let state =
            State { jobs: HashMap::new(), queue: VecDeque::new(), tasks: 0, stopping: false };
        let tasks = TaskQueue::new(searches);
        let shared = Arc::new(Shared { tasks, state: Mutex::new(state), capacity, metrics });
        let pool = Pool { shared, threads: Mutex::new(Vec::new()) };
        for number in 0..threads {
            let shared = Arc::clone(&pool.shared);
            let thread = thread::Builder::new().name(format!("solver-{number}"));
            let thread = thread.stack_size(STACK_BYTES).spawn(move || {
                lower_priority();
                shared.tasks.work();
            })?;
            pool.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        }
        Ok(pool)
    }

    /// Submits a job, or subscribes to the one under way with the same key. `run` gets a flag
    /// that cancels it and a callback for partial results. The job is cancelled when every
    /// ticket to it is dropped.
    ///
    /// # Errors
    ///
    /// If the queue is full or the pool is closed.
    pub(super) fn submit(
        &self,
        key: K,
        run: impl FnOnce(Arc<AtomicBool>, &dyn Fn(V)) -> V + Send + 'static,
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
        let job = Arc::new(Job {
            key: key.clone(),
            cancel: Arc::default(),
            tickets: AtomicUsize::new(0),
            progress: watch::channel(Progress::Nothing).0,
        });
        let ticket = Ticket::new(&self.shared, &job);
        state.jobs.insert(key, Arc::clone(&job));
        state.queue.push_back(Queued { job, run: Box::new(run) });
        self.shared.metrics.queued.set(state.queue.len() as i64);
        // Jobs that were withdrawn have left their tasks behind.
        if state.tasks < state.queue.len() {
            state.tasks += 1;
            let shared = Arc::downgrade(&self.shared);
            self.shared.tasks.push(move || {
                if let Some(shared) = shared.upgrade() {
                    shared.run_next();
                }
            });
        }
        Ok(ticket)
    }

    /// Takes no more jobs, cancels all and waits for the threads.
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
            self.shared.metrics.queued.set(0);
        }
        self.shared.tasks.close();
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // Jobs that panic are caught, so a thread ends well.
            let _ = thread.join();
        }
    }
}

impl<K: Eq + Hash, V: Clone> Shared<K, V> {
    /// Runs the next job in the queue, if there is one.
    fn run_next(&self) {
        let next = {
            let mut state = self.lock();
            state.tasks -= 1;
            let next = state.queue.pop_front();
            self.metrics.queued.set(state.queue.len() as i64);
            next
        };
        let Some(Queued { job, run }) = next else { return };
        self.metrics.busy.inc();
        let report = |part| drop(job.progress.send_replace(Progress::Part(part)));
        let result = AssertUnwindSafe(|| run(Arc::clone(&job.cancel), &report));
        let result = catch_unwind(result).map_err(|_| Refused::Failed);
        self.metrics.busy.dec();
        self.lock().forget(&job);
        job.progress.send_replace(Progress::End(result));
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

impl<K: Eq + Hash, V> State<K, V> {
    /// Lets no request join a job any more, unless another has taken its place.
    fn forget(&mut self, job: &Arc<Job<K, V>>) {
        if self.jobs.get(&job.key).is_some_and(|other| Arc::ptr_eq(other, job)) {
            self.jobs.remove(&job.key);
        }
    }
}

/// A claim to the result of a job. Dropping the last one cancels the job.
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
        job.tickets.fetch_add(1, Ordering::Relaxed);
        let progress = job.progress.subscribe();
        Ticket { shared, job, progress }
    }
}

impl<K: Eq + Hash, V: Clone> Ticket<K, V> {
    /// Waits for the result.
    ///
    /// # Errors
    ///
    /// If the job panicked or the pool was closed first.
    pub(super) async fn result(&mut self) -> Result<V, Refused> {
        match self.progress.wait_for(Progress::is_end).await.as_deref() {
            Ok(Progress::End(result)) => result.clone(),
            _ => Err(Refused::Failed),
        }
    }

    /// Waits for news and returns the latest.
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
        let last = self.job.tickets.fetch_sub(1, Ordering::Relaxed) == 1;
        if !last || self.job.progress.borrow().is_end() {
            return;
        }
        self.job.cancel.store(true, Ordering::Relaxed);
        self.shared.metrics.cancelled.inc();
        state.forget(&self.job);
        state.queue.retain(|queued| !Arc::ptr_eq(&queued.job, &self.job));
        self.shared.metrics.queued.set(state.queue.len() as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    type Numbers = Pool<u32, u32>;

    fn pool(threads: usize, capacity: usize) -> Numbers {
        Pool::new(threads, capacity, Arc::default(), Arc::new(Metrics::new())).unwrap()
    }

    /// A job that ends when the sender is dropped; waits until it has started.
    fn start_long(pool: &Numbers, key: u32) -> (Ticket<u32, u32>, mpsc::Sender<()>) {
        let (started, has_started) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let job = move |_: Arc<AtomicBool>, _: &dyn Fn(u32)| {
            started.send(()).unwrap();
            let _: Result<(), _> = ended.recv();
            key
        };
        let ticket = pool.submit(key, job).unwrap();
        has_started.recv().unwrap();
        (ticket, end)
    }

    #[tokio::test]
    async fn every_job_has_its_result() {
        let pool = pool(3, 10_000);
        for round in 0..300 {
            let keys = 4 * round..4 * round + round % 4;
            let tickets: Vec<_> =
                keys.clone().map(|key| pool.submit(key, move |_, _| key).unwrap()).collect();
            for (key, mut ticket) in keys.zip(tickets) {
                assert_eq!(ticket.result().await, Ok(key));
            }
        }
        pool.stop();
        assert_eq!(pool.submit(1, |_, _| 1).unwrap_err(), Refused::Stopping);
    }

    #[tokio::test]
    async fn a_job_that_is_withdrawn_makes_room_and_never_runs() {
        let pool = pool(1, 1);
        let (mut first, end) = start_long(&pool, 1);
        let withdrawn = pool.submit(2, |_, _| panic!("it was withdrawn")).unwrap();
        assert_eq!(pool.submit(3, |_, _| 3).unwrap_err(), Refused::QueueFull);
        drop(withdrawn);
        let mut third = pool.submit(3, |_, _| 3).unwrap();
        drop(end);
        assert_eq!((first.result().await, third.result().await), (Ok(1), Ok(3)));
    }

    #[tokio::test]
    async fn a_pool_that_stops_ends_what_is_queued() {
        let pool = pool(1, 10);
        let (mut first, end) = start_long(&pool, 1);
        let mut queued = pool.submit(2, |_, _| 2).unwrap();
        let stop = thread::scope(|scope| {
            let stop = scope.spawn(|| pool.stop());
            while !pool.shared.lock().stopping {
                thread::yield_now();
            }
            drop(end);
            stop.join()
        });
        stop.unwrap();
        assert_eq!((first.result().await, queued.result().await), (Ok(1), Err(Refused::Stopping)));
    }

    #[tokio::test]
    async fn a_job_that_panics_fails_alone() {
        let pool = pool(1, 10);
        let mut failing = pool.submit(1, |_, _| panic!("this job fails")).unwrap();
        assert_eq!(failing.result().await, Err(Refused::Failed));
        assert_eq!(pool.submit(2, |_, _| 2).unwrap().result().await, Ok(2));
    }
}
