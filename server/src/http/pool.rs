//! The solver's jobs and threads.
//!
//! A job answers a query. Requests with equal keys share a job. A job without waiting requests is
//! cancelled.
//!
//! Jobs run in slices, a step of the query each, whose nodes grow with the work that a job has done.
//! The next slice is for the address that has used the least, and among its jobs for the
//! one that has used the least. A job of several addresses counts for the one with the least use.
//!
//! After its first slices, a job is long. Long jobs have threads of their own, so easy positions
//! never wait for hard ones. Threads without a long job help the searches under way. No thread is
//! the async runtime's, which has a higher priority.

use super::metrics::Metrics;
use super::options::ServerOptions;
use super::problem::{Problem, Result};
use fourbook::oracle::{OracleError, Query, Question, Step};
use fourbook::solver::{Helper, SearchProgress, Searches};
use fourbook::{Limits, Position, StopReason, Stopped};
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use thread_priority::ThreadPriority;
use tokio::sync::watch;

/// The client that a request comes from; clients without an address are one.
pub(super) type Address = Option<IpAddr>;

/// Requests with equal keys share a job. Where mirror images have equal answers, the canonical
/// position stands for both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The identity of the board's book and strategies.
    pub(super) identity: Arc<str>,
    pub(super) position: Position,
    pub(super) question: Question,
    pub(super) max_nodes: Option<u64>,
}

/// The steps of a job: of a query, and in tests of other things.
pub(super) trait Steps: Clone + Send + Sync + 'static {
    fn step(&mut self, limits: &Limits) -> Result<Step, OracleError>;
}

impl Steps for Query {
    fn step(&mut self, limits: &Limits) -> Result<Step, OracleError> {
        Query::step(self, limits)
    }
}

/// The progress of a job.
#[derive(Clone, Debug)]
pub(super) struct Progress<Q = Query> {
    /// The query after its last step.
    pub(super) query: Arc<Q>,
    /// How the job has ended; a limit is a problem.
    pub(super) end: Option<Result<()>>,
}

/// The nodes of a first slice: a few milliseconds of work.
const FIRST_SLICE: u64 = 1 << 15;

/// The most nodes of a slice, a fraction of a second, up to [`GROWTH`] times as many nodes of a job.
/// Longer slices would save five percent.
const USUAL_SLICE: u64 = 1 << 20;

/// Of very long jobs, a slice has one part in this many, so that it always gets further than the
/// last one.
const GROWTH: u64 = 32;

/// The nodes after which a job is long.
const SHORT_NODES: u64 = 1 << 20;

/// A node limit within which no job becomes long.
pub(super) const EASY_NODES: u64 = 1 << 17;

/// Threads that run jobs by key.
pub(super) struct Pool<Q = Query> {
    state: Mutex<State<Q>>,
    /// Signalled for each short job that waits, and when the pool stops.
    changed: Condvar,
    /// The most long jobs that wait or run.
    capacity: usize,
    searches: Arc<Searches>,
    /// Makes helpers leave their searches.
    leave: AtomicBool,
    metrics: Arc<Metrics>,
}

struct State<Q> {
    /// Jobs that a request can join: waiting or running, and not cancelled.
    jobs: HashMap<Key, Entry<Q>>,
    shares: HashMap<Address, Share>,
    /// How often a job has begun to wait.
    arrivals: u64,
    threads: Vec<JoinHandle<()>>,
    stopping: bool,
}

/// The turns of a job.
struct Entry<Q> {
    job: Arc<Job<Q>>,
    /// The address of each ticket.
    addresses: Vec<Address>,
    /// The nodes of its past slices.
    work: u64,
    /// The same, counted from the least of its address when it came.
    used: u64,
    is_long: bool,
    /// The number of its arrival in the queue; `None` while it runs.
    waiting: Option<u64>,
}

/// The use that an address makes of the threads.
struct Share {
    /// The nodes of its slices, counted from the least of all addresses when it came.
    used: u64,
    tickets: usize,
}

struct Job<Q> {
    key: Key,
    query: Mutex<Q>,
    cancel: Arc<AtomicBool>,
    search: Arc<SearchProgress>,
    progress: watch::Sender<Progress<Q>>,
}

impl<Q> Job<Q> {
    /// Adds the findings of the job to the problem that ends it.
    fn explain(&self, problem: Problem) -> Problem {
        let to_move = Some(self.key.position.to_move());
        problem.with_findings(self.search.bounds(), to_move, self.search.nodes())
    }

    /// Ends the job after its last step, if there was one. Readers see both at once: else they would
    /// take a complete answer for a part, and get it again.
    fn end(&self, last: Option<Arc<Q>>, result: Result<()>) {
        self.progress.send_modify(|progress| {
            if let Some(last) = last {
                progress.query = last;
            }
            progress.end = Some(result);
        });
    }
}

impl<Q: Steps> Pool<Q> {
    /// A pool with `places` threads for long jobs and as many for short ones. At most `capacity`
    /// long jobs wait. Idle threads help `searches`.
    pub(super) fn new(
        options: &ServerOptions,
        searches: Arc<Searches>,
        metrics: Arc<Metrics>,
    ) -> io::Result<Arc<Self>> {
        let &ServerOptions { threads: places, queue: capacity, .. } = options;
        let pool = Arc::new(Pool {
            state: Mutex::new(State {
                jobs: HashMap::new(),
                shares: HashMap::new(),
                arrivals: 0,
                threads: Vec::new(),
                stopping: false,
            }),
            changed: Condvar::new(),
            capacity: capacity.saturating_add(places),
            searches,
            leave: AtomicBool::new(false),
            metrics,
        });
        for number in 0..places {
            for (name, is_long) in [("solver-slices", false), ("solver", true)] {
                let shared = Arc::clone(&pool);
                let thread = thread::Builder::new().name(format!("{name}-{number}"));
                let thread = thread.spawn(move || shared.work(is_long));
                let thread = thread.inspect_err(|_| pool.stop())?;
                pool.state.lock().threads.push(thread);
            }
        }
        Ok(pool)
    }

    /// Submits a job of an address, or subscribes to the one under way with the same key. The job is
    /// cancelled when every ticket to it is dropped.
    pub(super) fn submit(
        self: &Arc<Self>,
        address: Address,
        key: Key,
        query: Q,
    ) -> Result<Ticket<Q>> {
        let mut state = self.state.lock();
        if state.stopping {
            return Err(Problem::no_more_jobs());
        }
        state.begin_use(address);
        if let Some(entry) = state.jobs.get_mut(&key) {
            self.metrics.coalesced.inc();
            entry.addresses.push(address);
            return Ok(Ticket::new(self, address, &entry.job));
        }
        let job = Arc::new(Job {
            key: key.clone(),
            progress: watch::Sender::new(Progress { query: Arc::new(query.clone()), end: None }),
            query: Mutex::new(query),
            cancel: Arc::default(),
            search: Arc::default(),
        });
        let ticket = Ticket::new(self, address, &job);
        let others = state.jobs.values().filter(|entry| entry.addresses.contains(&address));
        let used = others.map(|entry| entry.used).min().unwrap_or(0);
        let addresses = vec![address];
        let entry = Entry { job, addresses, work: 0, used, is_long: false, waiting: None };
        state.jobs.insert(key.clone(), entry);
        if let Err(problem) = self.queue(&mut state, &key) {
            state.jobs.remove(&key);
            drop(state);
            return Err(problem);
        }
        Ok(ticket)
    }

    /// Rejects new jobs and cancels all others.
    pub(super) fn cancel(&self) {
        let mut state = self.state.lock();
        state.stopping = true;
        state.jobs.retain(|_, Entry { job, waiting, .. }| {
            job.cancel.store(true, Ordering::Relaxed);
            if waiting.is_some() {
                job.end(None, Err(job.explain(Problem::no_more_jobs())));
            }
            waiting.is_none()
        });
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

    /// Makes a job wait for its next turn, unless the pool stops, or the job is now long and too
    /// many others are.
    fn queue(&self, state: &mut State<Q>, key: &Key) -> Result<()> {
        if state.stopping {
            return Err(Problem::no_more_jobs());
        }
        let Entry { is_long, work, .. } = state.jobs[key];
        if !is_long && work >= SHORT_NODES {
            self.make_room(state, key)?;
        }
        state.arrivals += 1;
        let arrival = state.arrivals;
        let entry = state.jobs.get_mut(key).expect("the job is in the list");
        entry.is_long |= work >= SHORT_NODES;
        entry.waiting = Some(arrival);
        self.changed.notify_one();
        self.settle(state);
        Ok(())
    }

    /// Makes room for another long job. If there is none, the address with the most long jobs loses
    /// the one with the least work, so that no address fills the queue for others.
    fn make_room(&self, state: &mut State<Q>, key: &Key) -> Result<()> {
        let long = || state.jobs.values().filter(|entry| entry.is_long);
        if long().count() < self.capacity {
            return Ok(());
        }
        let owner = state.owner(&state.jobs[key]);
        let jobs_of = |address| long().filter(|entry| state.owner(entry) == address).count();
        let waiting = long().filter(|entry| entry.waiting.is_some());
        let last = waiting.max_by_key(|entry| {
            (jobs_of(state.owner(entry)), std::cmp::Reverse(entry.work), entry.waiting)
        });
        let last = last.filter(|entry| jobs_of(state.owner(entry)) > jobs_of(owner) + 1);
        let Some(job) = last.map(|entry| Arc::clone(&entry.job)) else {
            self.metrics.refused("queue");
            return Err(Problem::queue_full());
        };
        self.metrics.refused("share");
        state.jobs.remove(&job.key);
        job.end(None, Err(job.explain(Problem::queue_full())));
        Ok(())
    }

    /// Makes helpers leave if a long job waits.
    fn settle(&self, state: &State<Q>) {
        let waiting =
            state.jobs.values().filter(|entry| entry.is_long && entry.waiting.is_some()).count();
        self.metrics.queued.set(waiting as i64);
        let leave = state.stopping || waiting > 0;
        if !self.leave.swap(leave, Ordering::Relaxed) && leave {
            self.searches.wake();
        }
    }

    /// Runs slices of long or of short jobs until the pool stops. A thread without a long job helps
    /// searches.
    fn work(&self, is_long: bool) {
        lower_priority();
        let mut helper = Helper::default();
        let mut state = self.state.lock();
        loop {
            match state.next(is_long) {
                Some((job, address, nodes)) => {
                    self.settle(&state);
                    self.run(&mut state, &job, address, nodes);
                }
                None if state.stopping => return,
                None if is_long => MutexGuard::unlocked(&mut state, || {
                    helper.help_until(&self.searches, &self.leave);
                }),
                None => self.changed.wait(&mut state),
            }
        }
    }

    /// Runs a job to its end, or to the end of a slice of some nodes, for which an address pays.
    /// Meanwhile the state is unlocked.
    fn run(
        &self,
        state: &mut MutexGuard<'_, State<Q>>,
        job: &Arc<Job<Q>>,
        address: Address,
        slice: u64,
    ) {
        self.metrics.busy.inc();
        let before = job.search.nodes();
        let left = job.key.max_nodes.map_or(u64::MAX, |most| most.saturating_sub(before));
        let limits = Limits {
            max_nodes: Some(left.min(slice)),
            cancel: Some(Arc::clone(&job.cancel)),
            progress: Some(Arc::clone(&job.search)),
            ..Limits::default()
        };
        let work = AssertUnwindSafe(|| {
            let mut query = job.query.lock();
            let step = query.step(&limits);
            (step, Arc::new(query.clone()))
        });
        let result = MutexGuard::unlocked(state, || catch_unwind(work));
        self.metrics.busy.dec();
        let nodes = job.search.nodes() - before;
        self.metrics.nodes.inc_by(nodes);
        let is_slice = matches!(&result, Ok((Ok(Step::More(stopped)), _))
            if stopped.reason == StopReason::NodeBudget && left > slice);
        // A look ahead may have taken more.
        let used = if is_slice { nodes.max(slice) } else { nodes };
        if let Some(share) = state.shares.get_mut(&address) {
            share.used += used;
        }
        let Ok((step, latest)) = result else {
            return state.end(job, None, Err(Problem::internal("the solver failed")));
        };
        if is_slice {
            job.progress.send_modify(|progress| progress.query = latest);
            if let Some(entry) = state.entry(job) {
                entry.work += used;
                entry.used += used;
                if let Err(problem) = self.queue(state, &job.key) {
                    state.end(job, None, Err(job.explain(problem)));
                }
            }
            return;
        }
        let result = match step {
            Ok(Step::Done) => Ok(()),
            Ok(Step::More(stopped)) => {
                let nodes = job.search.nodes();
                Err(OracleError::from(Stopped { nodes, ..stopped }).into())
            }
            Err(error) => Err(error.into()),
        };
        state.end(job, Some(latest), result);
    }
}

/// The priority of the solver's threads, a value of `nice` of 9: they give way to answers from the book. Levels from 0 to 99 stand for the values from 19 to -20.
const PRIORITY: u8 = 24;

/// Lowers the priority of this thread. If the system refuses, serving works all the same.
fn lower_priority() {
    // Short and long jobs have the same: else easy positions asked one after another would stop the
    // long jobs.
    let priority = PRIORITY.try_into().map(ThreadPriority::Crossplatform);
    let _ = priority.map(thread_priority::set_current_thread_priority);
}

impl<Q> State<Q> {
    /// Counts a ticket of an address. An address that comes, or comes back, has used as much as the
    /// one that has used the least: it has no claim to the time when it was away.
    fn begin_use(&mut self, address: Address) {
        let present = self.shares.values().filter(|share| share.tickets > 0);
        let least = present.map(|share| share.used).min();
        self.shares
            .retain(|_, share| share.tickets > 0 || least.is_some_and(|least| share.used > least));
        let new = Share { used: least.unwrap_or(0), tickets: 0 };
        self.shares.entry(address).or_insert(new).tickets += 1;
    }

    /// What an address has used.
    fn used(&self, address: &Address) -> u64 {
        self.shares.get(address).map_or(0, |share| share.used)
    }

    /// The address that a job counts for: the one with the least use among its waiters.
    fn owner(&self, entry: &Entry<Q>) -> Address {
        let addresses = entry.addresses.iter().copied();
        addresses.min_by_key(|address| self.used(address)).expect("a job has a ticket")
    }

    /// Takes the next long or short job from the queue. Returns the address that pays for its slice, and
    /// the nodes of it.
    fn next(&mut self, is_long: bool) -> Option<(Arc<Job<Q>>, Address, u64)> {
        let waiting = self.jobs.values().filter(|entry| entry.waiting.is_some());
        let next = waiting
            .filter(|entry| entry.is_long == is_long)
            .min_by_key(|entry| (self.used(&self.owner(entry)), entry.used, entry.waiting))?;
        let address = self.owner(next);
        let job = Arc::clone(&next.job);
        let entry = self.entry(&job)?;
        entry.waiting = None;
        let most = USUAL_SLICE.max(entry.work / GROWTH);
        Some((job, address, (entry.work / 2).clamp(FIRST_SLICE, most)))
    }

    /// The turns of a job that is under way and not cancelled. Another one may have its key.
    fn entry(&mut self, job: &Arc<Job<Q>>) -> Option<&mut Entry<Q>> {
        self.jobs.get_mut(&job.key).filter(|entry| Arc::ptr_eq(&entry.job, job))
    }

    fn end(&mut self, job: &Arc<Job<Q>>, last: Option<Arc<Q>>, result: Result<()>) {
        if self.entry(job).is_some() {
            self.jobs.remove(&job.key);
        }
        job.end(last, result);
    }
}

/// A claim to the result of a job. Dropping the last one cancels the job.
pub(super) struct Ticket<Q: Steps = Query> {
    pool: Arc<Pool<Q>>,
    address: Address,
    job: Arc<Job<Q>>,
    progress: watch::Receiver<Progress<Q>>,
    /// Whether its client waits no longer because of the deadline.
    is_late: bool,
}

impl<Q: Steps> Ticket<Q> {
    fn new(pool: &Arc<Pool<Q>>, address: Address, job: &Arc<Job<Q>>) -> Self {
        let progress = job.progress.subscribe();
        Ticket { pool: Arc::clone(pool), address, job: Arc::clone(job), progress, is_late: false }
    }

    /// The end of a client's wait at its deadline, with the findings.
    pub(super) fn at_deadline(&mut self) -> Progress<Q> {
        self.is_late = true;
        let problem = self.job.explain(Problem::deadline(self.is_queued()));
        Progress { end: Some(Err(problem)), ..self.progress.borrow().clone() }
    }

    /// Whether the job waits for a turn.
    fn is_queued(&self) -> bool {
        let mut state = self.pool.state.lock();
        state.entry(&self.job).is_some_and(|entry| entry.waiting.is_some())
    }

    /// Waits for news and returns the latest.
    pub(super) async fn more(&mut self) -> Progress<Q> {
        self.progress.changed().await.expect("the ticket keeps the job, and the job the sender");
        self.progress.borrow_and_update().clone()
    }
}

impl<Q: Steps> Drop for Ticket<Q> {
    fn drop(&mut self) {
        let mut guard = self.pool.state.lock();
        let state = &mut *guard;
        if let Some(share) = state.shares.get_mut(&self.address) {
            share.tickets -= 1;
        }
        let Some(entry) = state.entry(&self.job) else { return };
        let own = entry.addresses.iter().position(|&address| address == self.address);
        own.map(|own| entry.addresses.swap_remove(own));
        if entry.addresses.is_empty() {
            self.job.cancel.store(true, Ordering::Relaxed);
            if !self.is_late {
                self.pool.metrics.cancelled.inc();
            }
            state.jobs.remove(&self.job.key);
            self.pool.settle(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook::{Oracle, Size};
    use std::sync::mpsc;

    fn pool<Q: Steps>(threads: usize, capacity: usize) -> Arc<Pool<Q>> {
        let options = ServerOptions { threads, queue: capacity, ..ServerOptions::default() };
        Pool::new(&options, Arc::default(), Arc::new(Metrics::new())).unwrap()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_priority_is_the_value_of_nice_that_is_meant() {
        use thread_priority::{NormalThreadSchedulePolicy, ThreadSchedulePolicy};
        let policy = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Other);
        let priority = ThreadPriority::Crossplatform(PRIORITY.try_into().unwrap());
        assert_eq!(priority.to_posix(policy), Ok(9));
    }

    fn key(number: usize) -> Key {
        let position = Position::empty(Size::STANDARD);
        Key {
            identity: number.to_string().into(),
            position,
            question: Question::Score,
            max_nodes: None,
        }
    }

    /// A job that ends with a slice that begins after some nodes, and calls a function at each of its
    /// turns as a long job, with the nodes.
    #[derive(Clone)]
    struct Fake {
        number: usize,
        nodes: u64,
        done: u64,
        on_turn: Arc<dyn Fn(u64) + Send + Sync>,
    }

    impl Steps for Fake {
        fn step(&mut self, limits: &Limits) -> Result<Step, OracleError> {
            let slice = limits.max_nodes.expect("a slice has a limit");
            if self.done >= SHORT_NODES {
                (self.on_turn)(slice);
            }
            if self.done >= self.nodes {
                return Ok(Step::Done);
            }
            self.done += slice;
            let reason = StopReason::NodeBudget;
            Ok(Step::More(Stopped { reason, bounds: None, to_move: None, nodes: self.done }))
        }
    }

    async fn result(ticket: &mut Ticket<Fake>) -> Result<usize> {
        loop {
            if let Progress { query, end: Some(end) } = ticket.more().await {
                return end.map(|()| query.number);
            }
        }
    }

    /// The nodes of a job that ends with its first turn as a long one.
    const ONE_TURN: u64 = SHORT_NODES;

    fn address(last: u8) -> Address {
        Some([127, 0, 0, last].into())
    }

    fn submit(
        pool: &Arc<Pool<Fake>>,
        from: Address,
        number: usize,
        nodes: u64,
        on_turn: impl Fn(u64) + Send + Sync + 'static,
    ) -> Ticket<Fake> {
        let on_turn = Arc::new(on_turn);
        pool.submit(from, key(number), Fake { number, nodes, done: 0, on_turn }).unwrap()
    }

    /// A long job that ends when the sender is dropped; waits until it runs on a thread for long
    /// jobs.
    fn start_long(
        pool: &Arc<Pool<Fake>>,
        from: Address,
        number: usize,
    ) -> (Ticket<Fake>, mpsc::Sender<()>) {
        let (started, has_started) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let ended = Mutex::new(ended);
        let ticket = submit(pool, from, number, ONE_TURN, move |_| {
            started.send(()).unwrap();
            let _: Result<(), _> = ended.lock().recv();
        });
        has_started.recv().unwrap();
        (ticket, end)
    }

    /// The long jobs that wait.
    fn waiting(pool: &Pool<Fake>) -> usize {
        pool.metrics.queued.get() as usize
    }

    /// A job of an address that is long and waits.
    fn queue_long(pool: &Arc<Pool<Fake>>, from: Address, number: usize) -> Ticket<Fake> {
        let before = waiting(pool);
        let ticket = submit(pool, from, number, ONE_TURN, |_| ());
        while waiting(pool) == before {
            thread::yield_now();
        }
        ticket
    }

    #[tokio::test]
    async fn every_job_has_its_result() {
        let pool = pool(3, 10_000);
        for round in 0..300 {
            let numbers = 4 * round..4 * round + round % 4;
            let tickets: Vec<_> =
                numbers.clone().map(|number| submit(&pool, None, number, 0, |_| ())).collect();
            for (number, mut ticket) in numbers.zip(tickets) {
                assert_eq!(result(&mut ticket).await, Ok(number));
            }
        }
        pool.stop();
        let late = Fake { number: 1, nodes: 0, done: 0, on_turn: Arc::new(|_| ()) };
        assert_eq!(pool.submit(None, key(1), late).err(), Some(Problem::no_more_jobs()));
    }

    #[tokio::test]
    async fn a_job_that_is_withdrawn_makes_room_and_never_runs() {
        let pool = pool(1, 1);
        let (mut first, end) = start_long(&pool, None, 1);
        let withdrawn = queue_long(&pool, None, 2);
        assert_eq!((first.is_queued(), withdrawn.is_queued()), (false, true));
        let mut refused = submit(&pool, None, 3, ONE_TURN, |_| ());
        assert_eq!(result(&mut refused).await, Err(Problem::queue_full()));
        drop(withdrawn);
        let mut third = queue_long(&pool, None, 3);
        drop(end);
        assert_eq!((result(&mut first).await, result(&mut third).await), (Ok(1), Ok(3)));
    }

    /// Long jobs fill their places and the queue; short ones pass them.
    #[tokio::test]
    async fn a_short_job_never_waits_for_long_ones() {
        let pool = pool(1, 1);
        let (mut first, end) = start_long(&pool, None, 1);
        let mut second = queue_long(&pool, None, 2);
        for number in 3..100 {
            let nodes = SHORT_NODES / 2 * number as u64 / 100;
            assert_eq!(result(&mut submit(&pool, None, number, nodes, |_| ())).await, Ok(number));
        }
        assert!(second.is_queued());
        drop(end);
        assert_eq!((result(&mut first).await, result(&mut second).await), (Ok(1), Ok(2)));
    }

    /// The first turns of long jobs: the address and the number of the job, and the nodes. All jobs
    /// are in the queue before one has a turn.
    fn turns(jobs: &[(u8, u64)], most: usize) -> Vec<(u8, usize, u64)> {
        let pool = pool(1, jobs.len());
        let (_first, end) = start_long(&pool, address(1), jobs.len());
        let (turns, taken) = mpsc::channel();
        let mut tickets = Vec::new();
        for (number, &(last, nodes)) in jobs.iter().enumerate() {
            let turns = turns.clone();
            let before = waiting(&pool);
            tickets.push(submit(&pool, address(last), number, nodes, move |nodes| {
                let _: Result<(), _> = turns.send((last, number, nodes));
            }));
            while waiting(&pool) == before {
                thread::yield_now();
            }
        }
        drop(end);
        taken.iter().take(most).collect()
    }

    #[test]
    fn a_long_job_has_half_of_the_work_beside_many_of_another_address() {
        let mut jobs = vec![(1, u64::MAX); 20];
        jobs.push((2, u64::MAX));
        let order = turns(&jobs, 16);
        let nodes_of = |address| -> u64 {
            order.iter().filter(|turn| turn.0 == address).map(|turn| turn.2).sum()
        };
        assert!(nodes_of(1).abs_diff(nodes_of(2)) <= 2 * USUAL_SLICE, "{order:?}");
        // The many share the other half.
        let of_first: Vec<_> = order.iter().filter(|turn| turn.0 == 1).map(|turn| turn.1).collect();
        assert_eq!(of_first, Vec::from_iter(0..of_first.len()), "{order:?}");
    }

    #[test]
    fn the_jobs_of_an_address_have_equal_shares() {
        let order = turns(&[(1, u64::MAX); 3], 12);
        for number in 0..3 {
            let turns = order.iter().filter(|turn| turn.1 == number).count();
            assert!((3..=5).contains(&turns), "{order:?}");
        }
    }

    #[tokio::test]
    async fn an_address_cannot_fill_the_queue_for_another() {
        let pool = pool(1, 3);
        let (_first, end) = start_long(&pool, address(1), 0);
        let mut many = [1, 2, 3].map(|number| queue_long(&pool, address(1), number));
        // Its next one finds no room.
        let mut next = submit(&pool, address(1), 4, ONE_TURN, |_| ());
        assert_eq!(result(&mut next).await, Err(Problem::queue_full()));
        assert_eq!(waiting(&pool), 3);
        let mut other = submit(&pool, address(2), 5, ONE_TURN, |_| ());
        assert_eq!(result(&mut many[2]).await, Err(Problem::queue_full()));
        drop(end);
        assert_eq!(result(&mut other).await, Ok(5));
        assert_eq!((result(&mut many[0]).await, result(&mut many[1]).await), (Ok(1), Ok(2)));
        let text = pool.metrics.text(0);
        for reason in ["queue", "share"] {
            let line = format!("fourbook_solver_refused_total{{reason=\"{reason}\"}} 1\n");
            assert!(text.contains(&line), "{text}");
        }
    }

    /// Two addresses ask for the same, and one has used more.
    #[test]
    fn a_job_of_several_addresses_counts_for_the_one_with_the_least_use() {
        let pool = pool(1, 10);
        let (_first, end) = start_long(&pool, address(2), 0);
        let (sender, order) = mpsc::channel();
        let mut tickets = Vec::new();
        for number in 1..=3 {
            let sender = sender.clone();
            tickets.push(submit(&pool, address(1), number, ONE_TURN, move |_| {
                sender.send(number).unwrap_or_default()
            }));
            while waiting(&pool) < number {
                thread::yield_now();
            }
        }
        tickets.push(submit(&pool, address(3), 3, 0, |_| ()));
        drop(end);
        assert_eq!(order.recv(), Ok(3));
    }

    #[tokio::test]
    async fn a_node_limit_counts_all_slices() {
        let pool = pool(1, 1);
        let oracle = Oracle::without_book(Size::STANDARD).unwrap();
        let limit = FIRST_SLICE + 1000;
        let key = Key { max_nodes: Some(limit), ..key(1) };
        let query = oracle.query(key.position, Question::Score).unwrap();
        let mut ticket = pool.submit(None, key, query).unwrap();
        let end = loop {
            if let Some(end) = ticket.more().await.end {
                break end;
            }
        };
        let problem = end.unwrap_err();
        assert!(problem.is_unsolved(), "{problem:?}");
        assert_eq!(ticket.job.search.nodes(), limit);
    }

    #[tokio::test]
    async fn a_pool_that_stops_ends_what_is_queued() {
        let pool = pool(1, 10);
        let (mut first, end) = start_long(&pool, None, 1);
        let mut queued = queue_long(&pool, None, 2);
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
        let fail = |_| panic!("this job fails");
        let mut failing = submit(&pool, None, 1, SHORT_NODES, fail);
        assert_eq!(result(&mut failing).await, Err(Problem::internal("the solver failed")));
        let mut good = submit(&pool, None, 2, 0, |_| ());
        assert_eq!(result(&mut good).await, Ok(2));
    }
}
