//! A bounded pool of solver threads for jobs that many requests may wait for.
//!
//! Jobs have keys: a request for a job that is queued or running waits for that one. A job
//! without waiting requests is cancelled. Idle threads help the searches under way. The
//! threads are not the async runtime's: they have larger stacks, as the solver needs, and
//! a lower priority.

use super::books::BookKey;
use super::metrics::Metrics;
use super::problem::Problem;
use fourbook::oracle::Knowledge;
use fourbook::solver::{SearchProgress, Searches, TaskQueue};
use fourbook::{Level, Limits};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use thread_priority::ThreadPriority;
#[cfg(target_os = "linux")]
use thread_priority::{NormalThreadSchedulePolicy, ThreadSchedulePolicy};
use tokio::sync::watch;

/// A job of the pool; requests for equal jobs share one. A position is named by its key. Where
/// mirror images have equal answers, the smaller key names both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Job {
    Score(u128),
    AllScores(u128),
    Line(u128),
    /// The move of a level that needs no exact scores, with a seed.
    Move(u128, Level, u64),
}

/// Book, job and node limit.
pub(super) type JobKey = (BookKey, Job, Option<u64>);

/// The result of a job, or part of it.
#[derive(Clone, Debug)]
pub(super) enum Found {
    Knowledge(Arc<Knowledge>),
    /// Moves one after the other.
    Columns(Arc<[usize]>),
}

pub(super) type JobResult = Result<Found, Problem>;

/// Runs a job within limits that cancel it and show its progress; may report partial results.
type Run = Box<dyn FnOnce(Limits, &dyn Fn(Found)) -> JobResult + Send>;

/// The progress of a job.
#[derive(Clone, Debug)]
pub(super) enum Progress {
    /// It waits for a thread.
    Queued,
    /// A thread runs it; its last report.
    Running(Option<Found>),
    /// It has ended.
    End(JobResult),
}

/// A pool of threads that run jobs by key.
pub(super) struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    tasks: TaskQueue<'static>,
    state: Mutex<State>,
    /// The most jobs that may wait for a thread.
    capacity: usize,
    metrics: Arc<Metrics>,
}

#[derive(Default)]
struct State {
    /// Jobs that a request can join: queued or running, and not cancelled.
    jobs: HashMap<JobKey, Arc<Task>>,
    queue: VecDeque<(Arc<Task>, Run)>,
    /// Tasks that will take a job from the queue: at least one for each job in it.
    tasks: usize,
    stopping: bool,
}

#[derive(Debug)]
struct Task {
    key: JobKey,
    cancel: Arc<AtomicBool>,
    search: Arc<SearchProgress>,
    /// Changed only while the state is locked.
    tickets: AtomicUsize,
    progress: watch::Sender<Progress>,
}

impl Pool {
    /// A pool of `threads` threads, with at most `capacity` jobs waiting, whose idle threads
    /// help `searches`.
    pub(super) fn new(
        threads: usize,
        capacity: usize,
        searches: Arc<Searches>,
        metrics: Arc<Metrics>,
    ) -> io::Result<Self> {
        let tasks = TaskQueue::new(searches);
        let shared = Arc::new(Shared { tasks, state: Mutex::default(), capacity, metrics });
        let pool = Pool { shared, threads: Mutex::new(Vec::new()) };
        for number in 0..threads {
            let shared = Arc::clone(&pool.shared);
            let thread = thread::Builder::new().name(format!("solver-{number}"));
            let thread = thread.spawn(move || {
                lower_priority();
                shared.tasks.work();
            })?;
            pool.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        }
        Ok(pool)
    }

    /// Submits a job, or subscribes to the one under way with the same key. `run` gets limits
    /// that cancel it and show its progress, and a callback for partial results. The job is
    /// cancelled when every ticket to it is dropped.
    pub(super) fn submit(
        &self,
        key: JobKey,
        run: impl FnOnce(Limits, &dyn Fn(Found)) -> JobResult + Send + 'static,
    ) -> Result<Ticket, Problem> {
        let mut state = self.shared.lock();
        if state.stopping {
            return Err(Problem::no_more_jobs());
        }
        if let Some(job) = state.jobs.get(&key) {
            self.shared.metrics.coalesced.inc();
            return Ok(Ticket::new(&self.shared, job));
        }
        if state.queue.len() >= self.shared.capacity {
            self.shared.metrics.refused.inc();
            return Err(Problem::queue_full());
        }
        let job = Arc::new(Task {
            key: key.clone(),
            cancel: Arc::default(),
            search: Arc::default(),
            tickets: AtomicUsize::new(0),
            progress: watch::channel(Progress::Queued).0,
        });
        let ticket = Ticket::new(&self.shared, &job);
        state.jobs.insert(key, Arc::clone(&job));
        state.queue.push_back((job, Box::new(run)));
        self.shared.metrics.queued.set(state.queue.len() as i64);
        // Cancelled jobs have left tasks without a job.
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

    /// Rejects new jobs, cancels all jobs and waits for the threads.
    pub(super) fn stop(&self) {
        {
            let mut state = self.shared.lock();
            state.stopping = true;
            for job in state.jobs.values() {
                job.cancel.store(true, Ordering::Relaxed);
            }
            for (job, _) in state.queue.drain(..) {
                job.progress.send_replace(Progress::End(Err(Problem::no_more_jobs())));
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

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the next job in the queue, if there is one.
    fn run_next(&self) {
        let next = {
            let mut state = self.lock();
            state.tasks -= 1;
            let next = state.queue.pop_front();
            self.metrics.queued.set(state.queue.len() as i64);
            next
        };
        let Some((job, run)) = next else { return };
        self.metrics.busy.inc();
        let report = |part| drop(job.progress.send_replace(Progress::Running(part)));
        report(None);
        let limits = Limits {
            cancel: Some(Arc::clone(&job.cancel)),
            progress: Some(Arc::clone(&job.search)),
            ..Limits::default()
        };
        let result = AssertUnwindSafe(|| run(limits, &|part| report(Some(part))));
        let result = catch_unwind(result).unwrap_or_else(|_| Err(failed()));
        self.metrics.busy.dec();
        self.lock().forget(&job);
        job.progress.send_replace(Progress::End(result));
    }
}

/// The job panicked.
fn failed() -> Problem {
    Problem::internal("the solver failed")
}

/// Gives way to the threads that answer from the book. A refusal by the system does no harm.
#[cfg(target_os = "linux")]
fn lower_priority() {
    // Not a `nice` value, with which a thread keeps running until its time slice of milliseconds
    // ends. A thread with idle priority yields at once.
    let _ = thread_priority::set_thread_priority_and_policy(
        thread_priority::thread_native_id(),
        ThreadPriority::Min,
        ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle),
    );
}

/// Lowers the priority below the threads that answer from the book. If the system refuses, serving
/// works all the same.
#[cfg(not(target_os = "linux"))]
fn lower_priority() {
    let _ = thread_priority::set_current_thread_priority(ThreadPriority::Min);
}

impl State {
    /// Removes a job from the list that requests can join, unless another job has taken its place.
    fn forget(&mut self, job: &Arc<Task>) {
        if self.jobs.get(&job.key).is_some_and(|other| Arc::ptr_eq(other, job)) {
            self.jobs.remove(&job.key);
        }
    }
}

/// A claim to the result of a job. Dropping the last one cancels the job.
pub(super) struct Ticket {
    shared: Arc<Shared>,
    job: Arc<Task>,
    progress: watch::Receiver<Progress>,
}

impl Ticket {
    /// Makes a ticket. The state is locked, so that the last other ticket is not dropped meanwhile.
    fn new(shared: &Arc<Shared>, job: &Arc<Task>) -> Self {
        let (shared, job) = (Arc::clone(shared), Arc::clone(job));
        job.tickets.fetch_add(1, Ordering::Relaxed);
        let progress = job.progress.subscribe();
        Ticket { shared, job, progress }
    }

    /// Whether the job waits for a thread.
    pub(super) fn is_queued(&self) -> bool {
        matches!(*self.progress.borrow(), Progress::Queued)
    }

    /// How far the searches of the job are.
    pub(super) fn search(&self) -> &SearchProgress {
        &self.job.search
    }

    /// Waits for news and returns the latest.
    pub(super) async fn more(&mut self) -> Progress {
        match self.progress.changed().await {
            Ok(()) => self.progress.borrow_and_update().clone(),
            Err(_) => Progress::End(Err(failed())),
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        let last = self.job.tickets.fetch_sub(1, Ordering::Relaxed) == 1;
        if !last || matches!(*self.job.progress.borrow(), Progress::End(_)) {
            return;
        }
        self.job.cancel.store(true, Ordering::Relaxed);
        self.shared.metrics.cancelled.inc();
        state.forget(&self.job);
        state.queue.retain(|(job, _)| !Arc::ptr_eq(job, &self.job));
        self.shared.metrics.queued.set(state.queue.len() as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook::Size;
    use std::sync::mpsc;

    fn pool(threads: usize, capacity: usize) -> Pool {
        Pool::new(threads, capacity, Arc::default(), Arc::new(Metrics::new())).unwrap()
    }

    fn key(number: usize) -> JobKey {
        ((Size::STANDARD, None), Job::Line(number as u128), None)
    }

    fn found(number: usize) -> JobResult {
        Ok(Found::Columns([number].into()))
    }

    async fn result(ticket: &mut Ticket) -> Result<usize, Problem> {
        loop {
            match ticket.more().await {
                Progress::End(result) => match result? {
                    Found::Columns(line) => return Ok(line[0]),
                    other => panic!("{other:?}"),
                },
                _ => continue,
            }
        }
    }

    /// A job that ends when the sender is dropped; waits until it has started.
    fn start_long(pool: &Pool, number: usize) -> (Ticket, mpsc::Sender<()>) {
        let (started, has_started) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let job = move |_: Limits, _: &dyn Fn(Found)| {
            started.send(()).unwrap();
            let _: Result<(), _> = ended.recv();
            found(number)
        };
        let ticket = pool.submit(key(number), job).unwrap();
        has_started.recv().unwrap();
        (ticket, end)
    }

    #[tokio::test]
    async fn every_job_has_its_result() {
        let pool = pool(3, 10_000);
        for round in 0..300 {
            let numbers = 4 * round..4 * round + round % 4;
            let submit = |number| pool.submit(key(number), move |_, _| found(number)).unwrap();
            let tickets: Vec<_> = numbers.clone().map(submit).collect();
            for (number, mut ticket) in numbers.zip(tickets) {
                assert_eq!(result(&mut ticket).await, Ok(number));
            }
        }
        pool.stop();
        assert_eq!(pool.submit(key(1), |_, _| found(1)).err(), Some(Problem::no_more_jobs()));
    }

    #[tokio::test]
    async fn a_job_that_is_withdrawn_makes_room_and_never_runs() {
        let pool = pool(1, 1);
        let (mut first, end) = start_long(&pool, 1);
        let withdrawn = pool.submit(key(2), |_, _| panic!("it was withdrawn")).unwrap();
        assert_eq!((first.is_queued(), withdrawn.is_queued()), (false, true));
        assert_eq!(pool.submit(key(3), |_, _| found(3)).err(), Some(Problem::queue_full()));
        drop(withdrawn);
        let mut third = pool.submit(key(3), |_, _| found(3)).unwrap();
        drop(end);
        assert_eq!((result(&mut first).await, result(&mut third).await), (Ok(1), Ok(3)));
    }

    #[tokio::test]
    async fn a_pool_that_stops_ends_what_is_queued() {
        let pool = pool(1, 10);
        let (mut first, end) = start_long(&pool, 1);
        let mut queued = pool.submit(key(2), |_, _| found(2)).unwrap();
        let stop = thread::scope(|scope| {
            let stop = scope.spawn(|| pool.stop());
            while !pool.shared.lock().stopping {
                thread::yield_now();
            }
            drop(end);
            stop.join()
        });
        stop.unwrap();
        let results = (result(&mut first).await, result(&mut queued).await);
        assert_eq!(results, (Ok(1), Err(Problem::no_more_jobs())));
    }

    #[tokio::test]
    async fn a_job_that_panics_fails_alone() {
        let pool = pool(1, 10);
        let mut failing = pool.submit(key(1), |_, _| panic!("this job fails")).unwrap();
        assert_eq!(result(&mut failing).await, Err(failed()));
        let mut good = pool.submit(key(2), |_, _| found(2)).unwrap();
        assert_eq!(result(&mut good).await, Ok(2));
    }
}
