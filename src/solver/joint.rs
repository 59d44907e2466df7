//! One search by several threads.
//!
//! The thread that was asked leads: it goes from window to window. Others help: each
//! searches the same window from the root, over the same tables, and the first one that
//! has decided it ends it for all. So that they do not all do the same, a thread marks the
//! move that it searches, and leaves moves that another has marked for later; when it comes
//! back to them, what the other has proved is in the table. Scores are the same however
//! many threads there are; nodes are not.
//!
//! Source: T. Kerrigan, "Simplified ABDADA" (2017), after J.-C. Weill, "The ABDADA
//! Distributed Minimax Search Algorithm" (1996). Here each thread has its own table for the
//! last plies: with one for all, cores would wait for what others have just written, and
//! search a quarter fewer nodes in the same time.

use super::limits::{Limits, SharedLimits};
use super::node::Node;
use super::table::SearchWord;
use crate::board::Size;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Cells that are empty in the last ply in which moves are marked; after that they are
/// searched too fast to be worth it.
const LAST_MARKED_CELLS: u32 = 26;

/// The first ply in which moves are not marked.
pub(super) fn marked_before(cells: u32) -> u32 {
    cells.saturating_sub(LAST_MARKED_CELLS) + 1
}

/// Marks that a search has room for: many more than threads and plies.
const MARKS: usize = 1 << 10;

/// A search that others may help.
#[derive(Debug)]
pub(super) struct Joint<B: SearchWord> {
    pub(super) size: Size,
    pub(super) node: Node<B>,
    pub(super) ply: u32,
    limits: Limits,
    /// Nodes of all searches that have the limits together.
    spent: Option<Arc<AtomicU64>>,
    /// The window that is searched, a [`Window`].
    window: AtomicU64,
    /// Nodes of all threads, as far as they have told.
    nodes: AtomicU64,
    helpers: AtomicUsize,
    /// Hashes of positions that some thread is searching, each at a place that it says
    /// itself; 0 where there is none. A mark that is overwritten is lost, which costs work,
    /// not truth.
    marks: Box<[AtomicU64]>,
}

/// One window of a search, or its answer, in a word that changes at once.
///
/// The lowest byte is the number that the score is compared with, or the answer; the next
/// says which; the others count windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window(u64);

impl Window {
    /// No more windows come.
    const CLOSED: Window = Window(u64::MAX);
    /// Before the first one.
    const NONE: Window = Window(0).answered(0);

    /// The one after this, which asks whether the score is at least `beta`.
    const fn next(self, beta: i32) -> Window {
        Window(((self.0 >> 16) + 1) << 16 | beta as u8 as u64)
    }

    const fn answered(self, score: i32) -> Window {
        Window(self.0 >> 16 << 16 | 1 << 8 | score as u8 as u64)
    }

    const fn is_answered(self) -> bool {
        self.0 >> 8 & 1 == 1
    }

    /// The number that the score is compared with, or the answer.
    const fn number(self) -> i32 {
        self.0 as i8 as i32
    }
}

impl<B: SearchWord> Joint<B> {
    pub(super) fn new(size: Size, node: Node<B>, ply: u32, limits: SharedLimits<'_>) -> Self {
        Joint {
            size,
            node,
            ply,
            limits: limits.limits.clone(),
            spent: limits.spent.cloned(),
            window: AtomicU64::new(Window::NONE.0),
            nodes: AtomicU64::new(0),
            helpers: AtomicUsize::new(0),
            marks: (0..MARKS).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The limits of all threads together.
    pub(super) fn limits(&self) -> SharedLimits<'_> {
        SharedLimits { limits: &self.limits, spent: self.spent.as_ref() }
    }

    /// Nodes of all threads that took part, as far as they have told.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    fn window(&self) -> Window {
        Window(self.window.load(Ordering::Relaxed))
    }

    /// Tells helpers that no more is to be done.
    fn close(&self) {
        self.window.store(Window::CLOSED.0, Ordering::Relaxed);
    }

    fn mark(&self, hash: u64) -> &AtomicU64 {
        // The table's own bucket is chosen by other bits.
        &self.marks[(hash >> 20) as usize % MARKS]
    }
}

/// A thread's part in a search.
#[derive(Debug)]
pub(super) struct Member<'a, B: SearchWord> {
    joint: Arc<Joint<B>>,
    /// The window that this thread searches.
    window: Window,
    /// Nodes of this thread that the others know of.
    told: u64,
    /// Set when a helper is wanted elsewhere; the leader has none.
    leave: Option<&'a AtomicBool>,
}

impl<'a, B: SearchWord> Member<'a, B> {
    /// The thread that goes from window to window.
    pub(super) fn leader(joint: Arc<Joint<B>>) -> Self {
        Member { joint, window: Window::NONE, told: 0, leave: None }
    }

    /// A thread that helps, until `leave` is set.
    pub(super) fn helper(joint: Arc<Joint<B>>, leave: &'a AtomicBool) -> Self {
        joint.helpers.fetch_add(1, Ordering::Relaxed);
        Member { joint, window: Window::NONE, told: 0, leave: Some(leave) }
    }

    /// The leader begins another window.
    pub(super) fn begin(&mut self, beta: i32) {
        self.window = self.window.next(beta);
        self.joint.window.store(self.window.0, Ordering::Relaxed);
    }

    /// What a helper has found for the leader's window.
    pub(super) fn answer(&self) -> i32 {
        self.joint.window().number()
    }

    /// The helper waits for a window and takes it; `None` if none comes, or it is wanted
    /// elsewhere.
    pub(super) fn take_window(&mut self) -> Option<i32> {
        loop {
            let window = self.joint.window();
            if window == Window::CLOSED || self.is_wanted_elsewhere() {
                return None;
            }
            if !window.is_answered() && window != self.window {
                self.window = window;
                return Some(window.number());
            }
            // The leader looks soon.
            std::thread::yield_now();
        }
    }

    /// The helper has decided its window. If the leader has gone on, that is forgotten.
    pub(super) fn decide(&self, score: i32) {
        let answered = self.window.answered(score);
        let order = Ordering::Relaxed;
        let _ = self.joint.window.compare_exchange(self.window.0, answered.0, order, order);
    }

    /// Whether another thread has decided the window, or the leader has gone on.
    pub(super) fn is_over(&self) -> bool {
        self.joint.window() != self.window
    }

    pub(super) fn is_wanted_elsewhere(&self) -> bool {
        self.leave.is_some_and(|leave| leave.load(Ordering::Relaxed))
    }

    /// Tells the others how many nodes this thread has visited; returns how many they
    /// have.
    pub(super) fn tell_nodes(&mut self, nodes: u64) -> u64 {
        let new = nodes - self.told;
        self.told = nodes;
        self.joint.nodes.fetch_add(new, Ordering::Relaxed) + new - nodes
    }

    /// Whether more than one thread takes part.
    pub(super) fn is_helped(&self) -> bool {
        self.joint.helpers.load(Ordering::Relaxed) != 0
    }

    /// Whether another thread is searching the position with this hash.
    pub(super) fn is_marked(&self, hash: u64) -> bool {
        self.joint.mark(hash).load(Ordering::Relaxed) == hash
    }

    /// Marks a position that this thread searches.
    pub(super) fn mark(&self, hash: u64) {
        self.joint.mark(hash).store(hash, Ordering::Relaxed);
    }

    /// Takes the mark of a position away, unless another has taken its place.
    pub(super) fn unmark(&self, hash: u64) {
        let order = Ordering::Relaxed;
        let _ = self.joint.mark(hash).compare_exchange(hash, 0, order, order);
    }
}

impl<B: SearchWord> Drop for Member<'_, B> {
    fn drop(&mut self) {
        match self.leave {
            Some(_) => drop(self.joint.helpers.fetch_sub(1, Ordering::Relaxed)),
            None => self.joint.close(),
        }
    }
}

/// The searches that threads with nothing to do may help.
#[derive(Debug)]
pub(super) struct OpenSearches<B: SearchWord> {
    list: Mutex<Vec<Arc<Joint<B>>>>,
    /// Told when there is another one, or a helper is wanted elsewhere.
    changed: Condvar,
}

impl<B: SearchWord> Default for OpenSearches<B> {
    fn default() -> Self {
        OpenSearches { list: Mutex::default(), changed: Condvar::new() }
    }
}

impl<B: SearchWord> OpenSearches<B> {
    fn list(&self) -> MutexGuard<'_, Vec<Arc<Joint<B>>>> {
        // No code that can panic runs while the lock is held.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets others help a search while the result is kept.
    pub(super) fn open(&self, joint: Arc<Joint<B>>) -> Opened<'_, B> {
        self.list().push(Arc::clone(&joint));
        self.changed.notify_all();
        Opened { searches: self, joint }
    }

    /// The search with fewest helpers, as soon as there is one; `None` when `leave` is set.
    pub(super) fn next(&self, leave: &AtomicBool) -> Option<Arc<Joint<B>>> {
        let mut list = self.list();
        loop {
            if leave.load(Ordering::Relaxed) {
                return None;
            }
            let open = list.iter().filter(|joint| joint.window() != Window::CLOSED);
            if let Some(joint) = open.min_by_key(|joint| joint.helpers.load(Ordering::Relaxed)) {
                return Some(Arc::clone(joint));
            }
            list = self.changed.wait(list).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Has helpers that wait look at what they were to leave for.
    pub(super) fn wake(&self) {
        // With the lock, nobody is between looking and waiting.
        let list = self.list();
        self.changed.notify_all();
        drop(list);
    }
}

/// Takes a search from the list when dropped.
#[derive(Debug)]
pub(super) struct Opened<'a, B: SearchWord> {
    searches: &'a OpenSearches<B>,
    pub(super) joint: Arc<Joint<B>>,
}

impl<B: SearchWord> Drop for Opened<'_, B> {
    fn drop(&mut self) {
        self.searches.list().retain(|joint| !Arc::ptr_eq(joint, &self.joint));
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::NODES_BETWEEN_CHECKS_TOGETHER;
    use super::super::shared::SharedWord;
    use super::super::{Solver, Stopped, TranspositionTable};
    use super::*;
    use crate::board::Position;
    use std::thread::ScopedJoinHandle;

    #[test]
    fn a_window_and_its_answer_survive_packing() {
        let mut window = Window::NONE;
        for beta in [-63, -1, 0, 1, 63, i32::from(i8::MIN), i32::from(i8::MAX)] {
            let next = window.next(beta);
            assert_eq!((next.number(), next.is_answered()), (beta, false));
            let answered = next.answered(-beta / 2);
            assert_eq!((answered.number(), answered.is_answered()), (-beta / 2, true));
            assert!(next != window && answered != next && answered != Window::CLOSED);
            // Answered or not, the next one is the same.
            assert_eq!(answered.next(5), next.next(5));
            window = next;
        }
    }

    type Word = u64;

    fn joint() -> Arc<Joint<Word>> {
        let position = Position::empty(Size::STANDARD).narrow();
        let node = Node::new(position).unwrap();
        let limits = Limits::default();
        let limits = SharedLimits::of_one(&limits);
        Arc::new(Joint::new(Size::STANDARD, node, 0, limits))
    }

    /// What threads here find for a window.
    fn score_of(beta: i32) -> i32 {
        if beta % 3 == 0 { beta } else { beta - 1 }
    }

    /// Helps all searches until it is to leave; marks and forgets positions meanwhile.
    /// Returns how many windows it has taken.
    fn help(searches: &OpenSearches<Word>, leave: &AtomicBool, number: u64) -> u32 {
        let mut windows = 0;
        while let Some(joint) = searches.next(leave) {
            let mut member = Member::helper(joint, leave);
            while let Some(beta) = member.take_window() {
                windows += 1;
                // Places are few, so that threads take each other's.
                let hash = (beta as u64 & 3) << 20 | number << 60 | 1;
                member.mark(hash);
                member.tell_nodes(u64::from(windows));
                if number.is_multiple_of(2) {
                    std::thread::yield_now();
                }
                member.unmark(hash);
                assert!(!member.is_marked(hash));
                member.decide(score_of(beta));
            }
        }
        windows
    }

    /// Goes from window to window; every third is decided by nobody but helpers.
    fn lead(searches: &OpenSearches<Word>, windows: i32) {
        let joint = joint();
        let mut leader = Member::leader(Arc::clone(&joint));
        let opened = searches.open(Arc::clone(&joint));
        for number in 0..windows {
            let beta = number % 127 - 63;
            leader.begin(beta);
            while number % 3 == 0 && !leader.is_over() {
                std::thread::yield_now();
            }
            if leader.is_over() {
                assert_eq!(leader.answer(), score_of(beta), "window {number}");
            }
        }
        drop((leader, opened));
        assert_eq!(joint.window(), Window::CLOSED);
        assert!(searches.list().iter().all(|other| !Arc::ptr_eq(other, &joint)));
    }

    /// Every answer that a leader sees is for the window that it has begun, and helpers
    /// end when they are told to.
    #[test]
    fn leaders_get_answers_to_their_own_windows() {
        const WINDOWS: i32 = if cfg!(miri) { 60 } else { 3000 };
        let (searches, leave) = (OpenSearches::default(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let (searches, leave) = (&searches, &leave);
            let helpers =
                [1, 2, 3].map(|number| scope.spawn(move || help(searches, leave, number)));
            let run = |_| {
                let leaders = [(); 2].map(|()| scope.spawn(|| lead(searches, WINDOWS)));
                leaders.map(ScopedJoinHandle::join)
            };
            let led = [(); 3].map(run);
            // Even if one has failed, for the test to end.
            leave.store(true, Ordering::Relaxed);
            searches.wake();
            let taken: u32 = helpers.map(|helper| helper.join().unwrap()).iter().sum();
            led.into_iter().flatten().for_each(Result::unwrap);
            assert!(taken >= 6 * WINDOWS as u32 / 3, "{taken}");
        });
        assert!(searches.list().is_empty());
    }

    #[test]
    fn all_threads_know_of_all_nodes() {
        let (joint, leave) = (joint(), AtomicBool::new(false));
        let mut leader = Member::leader(Arc::clone(&joint));
        let mut helper = Member::helper(Arc::clone(&joint), &leave);
        assert_eq!(leader.tell_nodes(10), 0);
        assert_eq!(helper.tell_nodes(5), 10);
        assert_eq!(leader.tell_nodes(11), 5);
        assert_eq!(helper.tell_nodes(5), 11);
        assert_eq!(joint.nodes(), 16);
    }

    #[test]
    fn a_mark_is_taken_away_by_who_has_made_it() {
        let (joint, leave) = (joint(), AtomicBool::new(false));
        let first = Member::helper(Arc::clone(&joint), &leave);
        let second = Member::helper(joint, &leave);
        // Two positions of one place.
        let (one, other) = (1 << 20 | 1, 1 << 20 | 2);
        first.mark(one);
        assert!(second.is_marked(one) && !second.is_marked(other));
        second.mark(other);
        first.unmark(one);
        assert!(first.is_marked(other) && !first.is_marked(one));
        second.unmark(other);
        assert!(!first.is_marked(other));
    }

    /// After a search has been cancelled, each thread visits no more nodes than it does
    /// between two looks.
    #[test]
    #[cfg_attr(miri, ignore = "searches too long for an interpreter")]
    fn a_cancelled_search_ends_soon_in_all_threads() {
        const THREADS: usize = 3;
        let table = TranspositionTable::new(Size::new(8, 8).unwrap(), 1 << 20).unwrap();
        let (table, cancel) = (Arc::new(table), Arc::new(AtomicBool::new(false)));
        let limits = Limits {
            threads: Some(THREADS),
            cancel: Some(Arc::clone(&cancel)),
            ..Limits::default()
        };
        let mut solver = Solver::sharing(Arc::clone(&table)).unwrap();
        std::thread::scope(|scope| {
            let empty = Position::empty(table.size());
            let search = scope.spawn(move || (solver.score(empty, &limits), solver.nodes()));
            let searches = &u128::shared(&table).searches;
            let joint = searches.next(&AtomicBool::new(false)).unwrap();
            while joint.helpers.load(Ordering::Relaxed) < THREADS - 1 {
                std::thread::yield_now();
            }
            cancel.store(true, Ordering::Relaxed);
            let before = joint.nodes();
            let (score, nodes) = search.join().unwrap();
            assert_eq!(score, Err(Stopped::Cancelled));
            assert_eq!(nodes, joint.nodes());
            // Once more as many, as a look may have begun before the flag was set.
            let most = 2 * THREADS as u64 * NODES_BETWEEN_CHECKS_TOGETHER;
            assert!(nodes <= before + most, "{nodes} after {before}");
            assert_eq!(joint.helpers.load(Ordering::Relaxed), 0);
            assert!(searches.list().is_empty());
        });
    }
}
