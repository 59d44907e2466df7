//! The solver threads, and the queue of jobs that they take from.
//!
//! Requests with equal keys share a job. A job without waiting requests is cancelled.
//!
//! Jobs are scheduled by the work done for them. Each begins with short slices of limited nodes,
//! and the job with the least work comes first. A job that is not finished then is long, and waits
//! for one of a fixed number of places. As slices have places of their own, easy positions never
//! wait for hard ones. The transposition table keeps the results of earlier slices.
//!
//! Idle threads help the searches under way. The threads are not the async runtime's: they have a
//! lower priority.

use super::books::BookKey;
use super::metrics::Metrics;
use super::problem::Problem;
use fourbook::oracle::{Knowledge, OracleError};
use fourbook::solver::SearchProgress;
use fourbook::solver::{Helper, Searches};
use fourbook::{Level, Limits, StopReason};
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use thread_priority::ThreadPriority;
#[cfg(target_os = "linux")]
use thread_priority::{NormalThreadSchedulePolicy, ThreadSchedulePolicy};
use tokio::sync::watch;

/// The question that a job answers. A position is named by its number. Where mirror images have
/// equal answers, the smaller number names both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    Score(u128),
    AllScores(u128),
    Line(u128),
    /// The move of a level that needs no exact scores, with a seed.
    Move(u128, Level, u64),
}

/// Book, question and node limit: requests with equal keys share a job.
pub(super) type Key = (BookKey, Question, Option<u64>);

/// The result of a job, or part of it.
#[derive(Clone, Debug)]
pub(super) enum Found {
    Knowledge(Arc<Knowledge>),
    /// Moves one after the other.
    Columns(Arc<[usize]>),
}

/// Works on a job within limits that cancel it and show its progress; may report partial results.
/// After a slice that ended at its node limit, it is called again.
type Run = Box<dyn FnMut(Limits, &dyn Fn(Found)) -> Result<Found, OracleError> + Send>;

/// The progress of a job.
#[derive(Clone, Debug)]
pub(super) enum Progress {
    Begun,
    /// A partial result.
    Part(Found),
    End(Result<Found, Problem>),
}

/// The nodes of the slices that each job begins with: 5 to 40 milliseconds of work.
const SLICES: [u64; 4] = [1 << 16, 1 << 17, 1 << 18, 1 << 19];

/// The stage of long jobs, after the slices.
const LONG: usize = SLICES.len();

/// The most cells of boards on which the moves of levels are quick to find.
const QUICK_CELLS: u32 = 48;

/// A pool of threads that run jobs by key.
pub(super) struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    state: Mutex<State>,
    /// Signalled when there may be work for a waiting thread.
    changed: Condvar,
    /// The most slices at a time, and the most long jobs.
    places: usize,
    /// The most long jobs that may wait for a place.
    capacity: usize,
    searches: Arc<Searches>,
    /// Makes helpers leave their searches.
    leave: AtomicBool,
    metrics: Arc<Metrics>,
}

#[derive(Default)]
struct State {
    /// Jobs that a request can join: queued or running, and not cancelled.
    jobs: HashMap<Key, Arc<Job>>,
    /// By stage, and in order of arrival there.
    queue: BTreeMap<(usize, u64), Queued>,
    arrivals: u64,
    /// Threads by their work.
    slices: usize,
    long: usize,
    helpers: usize,
    stopping: bool,
}

/// A job in the queue.
struct Queued {
    job: Arc<Job>,
    run: Run,
    /// Nodes of its slices.
    spent: u64,
}

#[derive(Debug)]
struct Job {
    key: Key,
    cancel: Arc<AtomicBool>,
    search: Arc<SearchProgress>,
    /// Changed only while the state is locked.
    tickets: AtomicUsize,
    progress: watch::Sender<Progress>,
}

/// The next work of a thread.
enum Work {
    Job(usize, Queued),
    Help,
    End,
}

impl Pool {
    /// A pool for `places` long jobs at a time, and as many slices of others. At most `capacity`
    /// long jobs wait. Idle threads help `searches`.
    pub(super) fn new(
        places: usize,
        capacity: usize,
        searches: Arc<Searches>,
        metrics: Arc<Metrics>,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            places,
            capacity,
            searches,
            leave: AtomicBool::new(false),
            metrics,
        });
        let pool = Pool { shared, threads: Mutex::new(Vec::new()) };
        for number in 0..2 * places {
            let shared = Arc::clone(&pool.shared);
            let thread = thread::Builder::new().name(format!("solver-{number}"));
            let thread = thread.spawn(move || {
                lower_priority();
                shared.work();
            })?;
            pool.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        }
        Ok(pool)
    }

    /// Submits a job, or subscribes to the one under way with the same key. The job is cancelled
    /// when every ticket to it is dropped.
    pub(super) fn submit(
        &self,
        key: Key,
        run: impl FnMut(Limits, &dyn Fn(Found)) -> Result<Found, OracleError> + Send + 'static,
    ) -> Result<Ticket, Problem> {
        let shared = &self.shared;
        let mut state = shared.lock();
        if state.stopping {
            return Err(Problem::no_more_jobs());
        }
        if let Some(job) = state.jobs.get(&key) {
            shared.metrics.coalesced.inc();
            return Ok(Ticket::new(shared, job));
        }
        // Levels look ahead without a node limit.
        let is_long = matches!(key.1, Question::Move(..)) && key.0.0.cells() > QUICK_CELLS;
        let job = Arc::new(Job {
            key: key.clone(),
            cancel: Arc::default(),
            search: Arc::default(),
            tickets: AtomicUsize::new(0),
            progress: watch::channel(Progress::Begun).0,
        });
        let queued = Queued { job: Arc::clone(&job), run: Box::new(run), spent: 0 };
        shared.queue(&mut state, if is_long { LONG } else { 0 }, queued)?;
        let ticket = Ticket::new(shared, &job);
        state.jobs.insert(key, job);
        shared.settle(&state);
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
            for Queued { job, .. } in std::mem::take(&mut state.queue).into_values() {
                job.progress.send_replace(Progress::End(Err(Problem::no_more_jobs())));
            }
            self.shared.settle(&state);
            self.shared.changed.notify_all();
        }
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

    /// Puts a job into the queue, unless too many long ones wait.
    fn queue(&self, state: &mut State, stage: usize, queued: Queued) -> Result<(), Problem> {
        let is_full = state.long >= self.places && state.waiting() >= self.capacity;
        if stage == LONG && is_full {
            self.metrics.refused.inc();
            return Err(Problem::queue_full());
        }
        state.arrivals += 1;
        state.queue.insert((stage, state.arrivals), queued);
        Ok(())
    }

    /// Wakes the threads that a changed state concerns. As many threads as there are places search
    /// at a time, unless slices need more: helpers leave first.
    fn settle(&self, state: &State) {
        let busy = state.slices + state.long;
        self.metrics.queued.set(state.waiting() as i64);
        self.metrics.busy.set(busy as i64);
        // A thread that takes work wakes the next one.
        self.changed.notify_one();
        let leave = state.stopping || busy + state.helpers > self.places;
        if !self.leave.swap(leave, Ordering::Relaxed) && leave {
            self.searches.wake();
        }
    }

    /// Works until the pool stops.
    fn work(&self) {
        let mut helper = Helper::default();
        let mut state = self.lock();
        loop {
            state = match self.next(state) {
                Work::Job(stage, queued) => self.run(stage, queued),
                Work::Help => {
                    helper.help_until(&self.searches, &self.leave);
                    let mut state = self.lock();
                    state.helpers -= 1;
                    state
                }
                Work::End => return,
            }
        }
    }

    /// Waits for work. The `state` may have changed.
    fn next(&self, mut state: MutexGuard<'_, State>) -> Work {
        let mut has_waited = false;
        loop {
            let work = state.take_work(self.places);
            if work.is_some() || !has_waited {
                self.settle(&state);
            }
            if let Some(work) = work {
                return work;
            }
            has_waited = true;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Runs a job to its end, or to the end of a slice. Returns the changed state.
    fn run(&self, stage: usize, mut queued: Queued) -> MutexGuard<'_, State> {
        let job = Arc::clone(&queued.job);
        let left = job.key.2.map(|most| most.saturating_sub(queued.spent));
        let slice =
            SLICES.get(stage).copied().filter(|&slice| left.is_none_or(|left| slice < left));
        let limits = Limits {
            max_nodes: slice.or(left),
            cancel: Some(Arc::clone(&job.cancel)),
            progress: Some(Arc::clone(&job.search)),
            ..Limits::default()
        };
        let report = |part| drop(job.progress.send_replace(Progress::Part(part)));
        let result = catch_unwind(AssertUnwindSafe(|| (queued.run)(limits, &report)));
        let mut goes_on = false;
        let mut result = match result {
            Ok(Err(OracleError::Stopped(mut stopped))) => {
                goes_on = slice.is_some() && stopped.reason == StopReason::NodeBudget;
                queued.spent += stopped.nodes;
                stopped.nodes = queued.spent;
                Err(OracleError::Stopped(stopped).into())
            }
            Ok(result) => result.map_err(Problem::from),
            Err(_) => Err(failed()),
        };
        let mut state = self.lock();
        *(if stage < LONG { &mut state.slices } else { &mut state.long }) -= 1;
        if goes_on && job.cancel.load(Ordering::Relaxed) {
            (goes_on, result) = (false, Err(Problem::no_more_jobs()));
        }
        if goes_on && let Err(problem) = self.queue(&mut state, stage + 1, queued) {
            (goes_on, result) = (false, Err(problem));
        }
        if !goes_on {
            state.forget(&job);
            job.progress.send_replace(Progress::End(result));
        }
        state
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
    /// Long jobs that wait for a place.
    fn waiting(&self) -> usize {
        self.queue.range((LONG, 0)..).count()
    }

    /// Takes the job with the least work done that has a place, or else a place to help.
    fn take_work(&mut self, places: usize) -> Option<Work> {
        let mut queue = self.queue.keys().copied();
        let short = queue.next().filter(|&(stage, _)| stage < LONG && self.slices < places);
        let long = || self.queue.range((LONG, 0)..).next().map(|(&place, _)| place);
        if let Some(place) = short.or_else(|| long().filter(|_| self.long < places)) {
            *(if place.0 < LONG { &mut self.slices } else { &mut self.long }) += 1;
            return self.queue.remove(&place).map(|queued| Work::Job(place.0, queued));
        }
        if self.stopping {
            return Some(Work::End);
        }
        (self.slices + self.long + self.helpers < places).then(|| {
            self.helpers += 1;
            Work::Help
        })
    }

    /// Removes a job from the list that requests can join, unless another job has taken its place.
    fn forget(&mut self, job: &Arc<Job>) {
        if self.jobs.get(&job.key).is_some_and(|other| Arc::ptr_eq(other, job)) {
            self.jobs.remove(&job.key);
        }
    }
}

/// A claim to the result of a job. Dropping the last one cancels the job.
pub(super) struct Ticket {
    shared: Arc<Shared>,
    job: Arc<Job>,
    progress: watch::Receiver<Progress>,
}

impl Ticket {
    /// Makes a ticket. The state is locked, so that the last other ticket is not dropped meanwhile.
    fn new(shared: &Arc<Shared>, job: &Arc<Job>) -> Self {
        let (shared, job) = (Arc::clone(shared), Arc::clone(job));
        job.tickets.fetch_add(1, Ordering::Relaxed);
        let progress = job.progress.subscribe();
        Ticket { shared, job, progress }
    }

    /// Whether the job waits for a thread.
    pub(super) fn is_queued(&self) -> bool {
        self.shared.lock().queue.values().any(|queued| Arc::ptr_eq(&queued.job, &self.job))
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
        state.queue.retain(|_, queued| !Arc::ptr_eq(&queued.job, &self.job));
        self.shared.settle(&state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook::{Size, Stopped};
    use std::sync::mpsc;

    fn pool(threads: usize, capacity: usize) -> Pool {
        Pool::new(threads, capacity, Arc::default(), Arc::new(Metrics::new())).unwrap()
    }

    fn key(number: usize) -> Key {
        ((Size::STANDARD, None), Question::Line(number as u128), None)
    }

    fn found(number: usize) -> Result<Found, OracleError> {
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

    /// The end of a slice.
    fn unfinished(limits: &Limits) -> Result<Found, OracleError> {
        let nodes = limits.max_nodes.expect("a slice has a limit");
        Err(Stopped { reason: StopReason::NodeBudget, bounds: None, nodes }.into())
    }

    /// A long job that ends when the sender is dropped; waits until its last part has started.
    fn start_long(pool: &Pool, number: usize) -> (Ticket, mpsc::Sender<()>) {
        let (started, has_started) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let job = move |limits: Limits, _: &dyn Fn(Found)| {
            if limits.max_nodes.is_some() {
                return unfinished(&limits);
            }
            started.send(()).unwrap();
            let _: Result<(), _> = ended.recv();
            found(number)
        };
        let ticket = pool.submit(key(number), job).unwrap();
        has_started.recv().unwrap();
        (ticket, end)
    }

    /// A long job that has to wait.
    fn queue_long(pool: &Pool, number: usize) -> Ticket {
        let job = move |limits: Limits, _: &dyn Fn(Found)| match limits.max_nodes {
            Some(_) => unfinished(&limits),
            None => found(number),
        };
        let waiting = pool.shared.lock().waiting();
        let ticket = pool.submit(key(number), job).unwrap();
        while pool.shared.lock().waiting() == waiting {
            thread::yield_now();
        }
        ticket
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
        let withdrawn = queue_long(&pool, 2);
        assert_eq!((first.is_queued(), withdrawn.is_queued()), (false, true));
        let mut refused = pool.submit(key(3), |limits, _| unfinished(&limits)).unwrap();
        assert_eq!(result(&mut refused).await, Err(Problem::queue_full()));
        drop(withdrawn);
        let mut third = queue_long(&pool, 3);
        drop(end);
        assert_eq!((result(&mut first).await, result(&mut third).await), (Ok(1), Ok(3)));
    }

    /// Long jobs fill their places and the queue; short ones pass them.
    #[tokio::test]
    async fn a_short_job_never_waits_for_long_ones() {
        let pool = pool(1, 1);
        let (mut first, end) = start_long(&pool, 1);
        let mut second = queue_long(&pool, 2);
        for number in 3..100 {
            let mut slices = 0;
            let job = move |limits: Limits, _: &dyn Fn(Found)| {
                assert_eq!(limits.max_nodes, Some(SLICES[slices]));
                slices += 1;
                if slices > number % LONG { found(number) } else { unfinished(&limits) }
            };
            assert_eq!(result(&mut pool.submit(key(number), job).unwrap()).await, Ok(number));
        }
        assert!(second.is_queued());
        drop(end);
        assert_eq!((result(&mut first).await, result(&mut second).await), (Ok(1), Ok(2)));
    }

    #[tokio::test]
    async fn a_node_limit_counts_all_slices() {
        let pool = pool(1, 1);
        let limit = SLICES[0] + 1000;
        let job = |limits: Limits, _: &dyn Fn(Found)| unfinished(&limits);
        let mut ticket = pool.submit((key(1).0, key(1).1, Some(limit)), job).unwrap();
        let expected = OracleError::Stopped(Stopped {
            reason: StopReason::NodeBudget,
            bounds: None,
            nodes: limit,
        });
        assert_eq!(result(&mut ticket).await, Err(expected.into()));
    }

    #[tokio::test]
    async fn a_pool_that_stops_ends_what_is_queued() {
        let pool = pool(1, 10);
        let (mut first, end) = start_long(&pool, 1);
        let mut queued = queue_long(&pool, 2);
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
