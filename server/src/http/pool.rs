//! The solver's jobs and threads.
//!
//! Requests with equal keys share a job. A job without waiting requests is cancelled.
//!
//! A job begins with short slices of limited nodes, on threads that run nothing else; the job with
//! the least work comes first. A job that is not finished then is long, and waits for one of the
//! threads for long jobs. So easy positions never wait for hard ones. The transposition table keeps
//! the results of earlier slices.
//!
//! Threads without a long job help the searches under way. No thread is the async runtime's, which
//! has a higher priority.

use super::metrics::Metrics;
use super::problem::{Problem, Result};
use fourbook::oracle::{Knowledge, OracleError};
use fourbook::solver::{Helper, SearchProgress, Searches};
use fourbook::{Limits, Position, StopReason, Stopped};
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use thread_priority::ThreadPriority;
use tokio::sync::watch;

/// The question that a job answers about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    Score,
    AllScores,
    Line,
    /// The scores of moves after which the game ends within this many stones.
    Ahead(u32),
}

/// Requests with equal keys share a job. Where mirror images have equal answers, the canonical
/// position stands for both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The identity of the book, if there is one.
    pub(super) book: Option<u32>,
    pub(super) position: Position,
    pub(super) question: Question,
    pub(super) max_nodes: Option<u64>,
}

/// The result of a job, or part of it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) knowledge: Arc<Knowledge>,
    /// The principal variation, if the question was [`Question::Line`].
    pub(super) line: Arc<[usize]>,
}

/// Works on a job within limits that cancel it and show its progress; may report partial results.
/// After a slice that ended at its node limit, it is called again.
type Run = dyn FnMut(Limits, &dyn Fn(Found)) -> Result<Found, OracleError> + Send;

/// The progress of a job.
#[derive(Clone, Debug)]
pub(super) enum Progress {
    Part(Found),
    End(Result<Found>),
}

/// The nodes of the slices that each job begins with: 3 to 10 milliseconds of work.
const SLICES: [u64; 8] = [1 << 15, 1 << 16, 1 << 17, 1 << 17, 1 << 17, 1 << 17, 1 << 17, 1 << 17];

/// A node limit within which no job becomes long: less than the slices together.
pub(super) const EASY_NODES: u64 = 1 << 17;

/// The stage of long jobs, after the slices.
const LONG: usize = SLICES.len();

/// The most cells of boards on which looking ahead takes milliseconds.
const QUICK_CELLS: u32 = 48;

/// Threads that run jobs by key.
pub(super) struct Pool {
    state: Mutex<State>,
    /// Signalled for each job that begins a slice, and when the pool stops.
    changed: Condvar,
    /// The most long jobs at a time.
    places: usize,
    /// The most long jobs that may wait.
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
    /// Waiting jobs by stage, in order of arrival there.
    queue: [VecDeque<Arc<Job>>; LONG + 1],
    /// Long jobs that run.
    long: usize,
    threads: Vec<JoinHandle<()>>,
    stopping: bool,
}

struct Job {
    key: Key,
    run: Mutex<Box<Run>>,
    cancel: Arc<AtomicBool>,
    search: Arc<SearchProgress>,
    /// Changed only while the state is locked.
    tickets: AtomicUsize,
    /// `None` before the first part.
    progress: watch::Sender<Option<Progress>>,
}

impl Pool {
    /// A pool with `places` threads for long jobs and as many for slices. At most `capacity` long
    /// jobs wait. Idle threads help `searches`.
    pub(super) fn new(
        places: usize,
        capacity: usize,
        searches: Arc<Searches>,
        metrics: Arc<Metrics>,
    ) -> io::Result<Arc<Self>> {
        let pool = Arc::new(Pool {
            state: Mutex::default(),
            changed: Condvar::new(),
            places,
            capacity,
            searches,
            leave: AtomicBool::new(false),
            metrics,
        });
        for number in 0..places {
            for (name, stages) in [("solver-slices", 0..LONG), ("solver", LONG..LONG + 1)] {
                let shared = Arc::clone(&pool);
                let thread = thread::Builder::new().name(format!("{name}-{number}"));
                let thread = thread.spawn(move || shared.work(stages));
                let thread = thread.inspect_err(|_| pool.stop())?;
                pool.state.lock().threads.push(thread);
            }
        }
        Ok(pool)
    }

    /// Submits a job, or subscribes to the one under way with the same key. The job is cancelled
    /// when every ticket to it is dropped.
    pub(super) fn submit(
        self: &Arc<Self>,
        key: Key,
        run: impl FnMut(Limits, &dyn Fn(Found)) -> Result<Found, OracleError> + Send + 'static,
    ) -> Result<Ticket> {
        let mut state = self.state.lock();
        if state.stopping {
            return Err(Problem::no_more_jobs());
        }
        if let Some(job) = state.jobs.get(&key) {
            self.metrics.coalesced.inc();
            return Ok(Ticket::new(self, job));
        }
        // Looking ahead has no node limit.
        let cells = key.position.size().cells();
        let is_long = matches!(key.question, Question::Ahead(_)) && cells > QUICK_CELLS;
        let job = Arc::new(Job {
            key: key.clone(),
            run: Mutex::new(Box::new(run)),
            cancel: Arc::default(),
            search: Arc::default(),
            tickets: AtomicUsize::new(0),
            progress: watch::Sender::new(None),
        });
        self.queue(&mut state, if is_long { LONG } else { 0 }, &job)?;
        let ticket = Ticket::new(self, &job);
        state.jobs.insert(key, job);
        Ok(ticket)
    }

    /// Rejects new jobs and cancels all others.
    pub(super) fn cancel(&self) {
        let mut state = self.state.lock();
        state.stopping = true;
        state.jobs.values().for_each(|job| job.cancel.store(true, Ordering::Relaxed));
        for job in state.queue.iter_mut().flat_map(std::mem::take) {
            job.progress.send_replace(Some(Progress::End(Err(Problem::no_more_jobs()))));
        }
        self.settle(&state);
        self.changed.notify_all();
    }

    /// Rejects new jobs, cancels all others and waits for the threads.
    pub(super) fn stop(&self) {
        self.cancel();
        let threads = std::mem::take(&mut self.state.lock().threads);
        for thread in threads {
            // Jobs that panic are caught, so a thread ends well.
            let _ = thread.join();
        }
    }

    /// Puts a job into the queue, unless it is cancelled or too many long ones wait.
    fn queue(&self, state: &mut State, stage: usize, job: &Arc<Job>) -> Result<()> {
        if job.cancel.load(Ordering::Relaxed) {
            return Err(Problem::no_more_jobs());
        }
        let waiting = state.queue[LONG].len();
        if stage == LONG && state.long >= self.places && waiting >= self.capacity {
            self.metrics.refused.inc();
            return Err(Problem::queue_full());
        }
        state.queue[stage].push_back(Arc::clone(job));
        self.changed.notify_one();
        self.settle(state);
        Ok(())
    }

    /// Makes helpers leave if a long job waits.
    fn settle(&self, state: &State) {
        let waiting = state.queue[LONG].len();
        self.metrics.queued.set(waiting as i64);
        let leave = state.stopping || waiting > 0;
        if !self.leave.swap(leave, Ordering::Relaxed) && leave {
            self.searches.wake();
        }
    }

    /// Runs jobs of some stages until the pool stops. A thread without a long job helps searches.
    fn work(&self, stages: Range<usize>) {
        lower_priority();
        let mut helper = Helper::default();
        let mut state = self.state.lock();
        loop {
            let first = stages.clone().find_map(|it| Some((it, state.queue[it].pop_front()?)));
            match first {
                Some((stage, job)) => {
                    let long = usize::from(stage == LONG);
                    state.long += long;
                    self.settle(&state);
                    self.run(&mut state, &job, stage);
                    state.long -= long;
                }
                None if state.stopping => return,
                None if stages.contains(&LONG) => MutexGuard::unlocked(&mut state, || {
                    helper.help_until(&self.searches, &self.leave);
                }),
                None => self.changed.wait(&mut state),
            }
        }
    }

    /// Runs a job to its end, or to the end of a slice. Meanwhile the state is unlocked.
    fn run(&self, state: &mut MutexGuard<'_, State>, job: &Arc<Job>, stage: usize) {
        self.metrics.busy.inc();
        let before = job.search.nodes();
        let left = job.key.max_nodes.map(|most| most.saturating_sub(before));
        let slice =
            SLICES.get(stage).copied().filter(|&slice| left.is_none_or(|left| slice < left));
        let limits = Limits {
            max_nodes: slice.or(left),
            cancel: Some(Arc::clone(&job.cancel)),
            progress: Some(Arc::clone(&job.search)),
            ..Limits::default()
        };
        let report = |part| drop(job.progress.send_replace(Some(Progress::Part(part))));
        let work = AssertUnwindSafe(|| job.run.lock()(limits, &report));
        let result = MutexGuard::unlocked(state, || catch_unwind(work));
        self.metrics.busy.dec();
        self.metrics.nodes.inc_by(job.search.nodes() - before);
        let result = match result {
            Ok(Err(OracleError::Stopped(stopped))) => {
                let is_slice = slice.is_some() && stopped.reason == StopReason::NodeBudget;
                let end = Stopped { nodes: job.search.nodes(), ..stopped };
                match is_slice.then(|| self.queue(state, stage + 1, job)) {
                    Some(Ok(())) => return,
                    Some(Err(problem)) => Err(problem),
                    None => Err(OracleError::Stopped(end).into()),
                }
            }
            Ok(result) => result.map_err(Problem::from),
            Err(_) => Err(Problem::internal("the solver failed")),
        };
        state.forget(job);
        job.progress.send_replace(Some(Progress::End(result)));
    }
}

/// Lets this thread give way to threads that answer from the book. If the system refuses, serving
/// works all the same.
fn lower_priority() {
    // Of 0 to 99; on Linux, 25 is a `nice` value of 9. Slices and long jobs have the same: else easy
    // positions asked one after another would stop the long jobs.
    let level = 25.try_into().map(ThreadPriority::Crossplatform);
    let _ = level.map(thread_priority::set_current_thread_priority);
}

impl State {
    /// Removes a job from the list that requests can join, unless another job has taken its place.
    fn forget(&mut self, job: &Arc<Job>) {
        if self.jobs.get(&job.key).is_some_and(|other| Arc::ptr_eq(other, job)) {
            self.jobs.remove(&job.key);
        }
    }
}

/// A claim to the result of a job. Dropping the last one cancels the job.
pub(super) struct Ticket {
    pool: Arc<Pool>,
    job: Arc<Job>,
    progress: watch::Receiver<Option<Progress>>,
}

impl Ticket {
    /// Makes a ticket. The state is locked, so that the last other ticket is not dropped meanwhile.
    fn new(pool: &Arc<Pool>, job: &Arc<Job>) -> Self {
        let (pool, job) = (Arc::clone(pool), Arc::clone(job));
        job.tickets.fetch_add(1, Ordering::Relaxed);
        let progress = job.progress.subscribe();
        Ticket { pool, job, progress }
    }

    /// Whether the job waits for a thread.
    pub(super) fn is_queued(&self) -> bool {
        self.pool.state.lock().queue.iter().flatten().any(|job| Arc::ptr_eq(job, &self.job))
    }

    /// How far the searches of the job are.
    pub(super) fn search(&self) -> &SearchProgress {
        &self.job.search
    }

    /// Waits for news and returns the latest.
    pub(super) async fn more(&mut self) -> Progress {
        self.progress.changed().await.expect("the ticket keeps the job, and the job the sender");
        self.progress.borrow_and_update().clone().expect("there is progress after a change")
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.pool.state.lock();
        let last = self.job.tickets.fetch_sub(1, Ordering::Relaxed) == 1;
        if !last || matches!(*self.job.progress.borrow(), Some(Progress::End(_))) {
            return;
        }
        self.job.cancel.store(true, Ordering::Relaxed);
        self.pool.metrics.cancelled.inc();
        state.forget(&self.job);
        for jobs in &mut state.queue {
            jobs.retain(|job| !Arc::ptr_eq(job, &self.job));
        }
        self.pool.settle(&state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook::{Oracle, Size};
    use std::sync::mpsc;

    fn pool(threads: usize, capacity: usize) -> Arc<Pool> {
        Pool::new(threads, capacity, Arc::default(), Arc::new(Metrics::new())).unwrap()
    }

    fn key(number: usize) -> Key {
        let position = Position::empty(Size::STANDARD);
        Key { book: None, position, question: Question::Ahead(number as u32), max_nodes: None }
    }

    fn found(number: usize) -> Result<Found, OracleError> {
        let knowledge = Knowledge::of(None, Position::empty(Size::STANDARD)).unwrap();
        Ok(Found { knowledge: Arc::new(knowledge), line: [number].into() })
    }

    async fn result(ticket: &mut Ticket) -> Result<usize> {
        loop {
            if let Progress::End(result) = ticket.more().await {
                return Ok(result?.line[0]);
            }
        }
    }

    /// The end of a slice.
    fn unfinished(limits: &Limits) -> Result<Found, OracleError> {
        let nodes = limits.max_nodes.expect("a slice has a limit");
        let (reason, bounds, to_move) = (StopReason::NodeBudget, None, None);
        Err(Stopped { reason, bounds, to_move, nodes }.into())
    }

    /// A long job that ends when the sender is dropped; waits until its last part has started.
    fn start_long(pool: &Arc<Pool>, number: usize) -> (Ticket, mpsc::Sender<()>) {
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
    fn queue_long(pool: &Arc<Pool>, number: usize) -> Ticket {
        let job = move |limits: Limits, _: &dyn Fn(Found)| match limits.max_nodes {
            Some(_) => unfinished(&limits),
            None => found(number),
        };
        let waiting = || pool.state.lock().queue[LONG].len();
        let before = waiting();
        let ticket = pool.submit(key(number), job).unwrap();
        while waiting() == before {
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
        let oracle = Oracle::without_book(Size::STANDARD).unwrap();
        let limit = SLICES[0] + 1000;
        let job = move |limits, _: &dyn Fn(Found)| {
            oracle.with_limits(limits).score(Position::empty(Size::STANDARD))?;
            found(1)
        };
        let mut ticket = pool.submit(Key { max_nodes: Some(limit), ..key(1) }, job).unwrap();
        let problem = result(&mut ticket).await.unwrap_err();
        assert!(problem.is_unsolved(), "{problem:?}");
        assert_eq!(ticket.search().nodes(), limit);
    }

    #[tokio::test]
    async fn a_pool_that_stops_ends_what_is_queued() {
        let pool = pool(1, 10);
        let (mut first, end) = start_long(&pool, 1);
        let mut queued = queue_long(&pool, 2);
        let stop = thread::scope(|scope| {
            let stop = scope.spawn(|| pool.stop());
            while !pool.state.lock().stopping {
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
        assert_eq!(result(&mut failing).await, Err(Problem::internal("the solver failed")));
        let mut good = pool.submit(key(2), |_, _| found(2)).unwrap();
        assert_eq!(result(&mut good).await, Ok(2));
    }
}
