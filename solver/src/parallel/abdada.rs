//! One search by several threads: simplified ABDADA.
//!
//! The leader is the thread that was asked; it goes from window to window. Helpers search the
//! leader's window from the root, over the same tables, and the first thread to decide it ends
//! it for all. So that they search different moves, a thread marks the move it searches and
//! defers moves that another has marked; when it comes back to them, the table has the result.
//! Scores are the same for any number of threads; nodes are not.
//!
//! Source: T. Kerrigan, "Simplified ABDADA" (2017), after J.-C. Weill, "The ABDADA
//! Distributed Minimax Search Algorithm" (1996). Here each thread has its own table for the
//! last plies, as cores would wait for what others have just written.

use crate::board::Position;
use crate::limits::Budget;
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering, yield_now};
use crate::table::Tables;
use std::array;
use std::sync::Arc;

/// Cells that are empty in the last ply in which moves are marked; after that they are
/// searched too fast to be worth it.
const LAST_MARKED_CELLS: u32 = 26;

/// The first ply in which moves are not marked.
pub(crate) fn marked_before(cells: u32) -> u32 {
    cells.saturating_sub(LAST_MARKED_CELLS) + 1
}

/// Marks that a search has room for: many more than threads and plies.
const MARKS: usize = 1 << 10;

/// A search that several threads share.
#[derive(Debug)]
pub(crate) struct SharedSearch {
    pub(crate) tables: Arc<Tables>,
    pub(crate) position: Position,
    pub(crate) budget: Arc<Budget>,
    /// The [`Window`] under search.
    window: AtomicU64,
    helpers: AtomicUsize,
    /// Hashes of the positions under search, each in the place that it determines; 0 for none.
    /// An overwritten mark costs work, not correctness.
    marks: [AtomicU64; MARKS],
}

/// One window of a search, or its answer, in a word that changes at once.
///
/// The lowest byte is the number that the score is compared with, or the answer. The next byte is
/// the kind of the lowest one. The other bytes count windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window(u64);

impl Window {
    /// No more windows come.
    const CLOSED: Window = Window(u64::MAX);
    /// Before the first one.
    const NONE: Window = Window(0).answered(0);

    /// The window after this one, which asks whether the score is at least `beta`.
    const fn next(self, beta: i32) -> Window {
        Window(((self.0 >> 16) + 1) << 16 | beta as u8 as u64)
    }

    const fn answered(self, score: i32) -> Window {
        Window(self.0 >> 16 << 16 | 1 << 8 | score as u8 as u64)
    }

    const fn is_answered(self) -> bool {
        self.0 >> 8 & 1 == 1
    }

    /// The lower bound that the window asks about, or the answer.
    const fn number(self) -> i32 {
        self.0 as i8 as i32
    }
}

impl SharedSearch {
    pub(crate) fn new(tables: Arc<Tables>, position: Position, budget: Arc<Budget>) -> Self {
        SharedSearch {
            tables,
            position,
            budget,
            window: AtomicU64::new(Window::NONE.0),
            helpers: AtomicUsize::new(0),
            marks: array::from_fn(|_| AtomicU64::new(0)),
        }
    }

    /// Whether more windows may come.
    pub(crate) fn is_open(&self) -> bool {
        self.window() != Window::CLOSED
    }

    /// The number of helpers.
    pub(crate) fn helpers(&self) -> usize {
        self.helpers.load(Ordering::Relaxed)
    }

    fn window(&self) -> Window {
        Window(self.window.load(Ordering::Relaxed))
    }

    fn mark(&self, hash: u64) -> &AtomicU64 {
        // Uses other bits than the index of the table's bucket does.
        &self.marks[(hash >> 20) as usize % MARKS]
    }
}

/// One thread's part in a search.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    search: Arc<SharedSearch>,
    /// The window that this thread searches.
    window: Window,
    /// Set when a helper is wanted elsewhere; the leader has none.
    leave: Option<&'a AtomicBool>,
}

impl<'a> Member<'a> {
    /// The thread that goes from window to window.
    pub(crate) fn leader(search: Arc<SharedSearch>) -> Self {
        Member { search, window: Window::NONE, leave: None }
    }

    /// A helper, until `leave` is set.
    pub(crate) fn helper(search: Arc<SharedSearch>, leave: &'a AtomicBool) -> Self {
        search.helpers.fetch_add(1, Ordering::Relaxed);
        Member { search, window: Window::NONE, leave: Some(leave) }
    }

    /// The leader begins another window.
    pub(crate) fn begin(&mut self, beta: i32) {
        self.window = self.window.next(beta);
        // Not a store, so that an answer to the last window comes before this or not at all.
        self.search.window.swap(self.window.0, Ordering::Relaxed);
    }

    /// The helper's answer to the leader's window.
    pub(crate) fn answer(&self) -> i32 {
        self.search.window().number()
    }

    /// Waits for the leader's next window; `None` when there is none, or the helper is to leave.
    pub(crate) fn take_window(&mut self) -> Option<i32> {
        while self.search.is_open() {
            if self.leave.is_some_and(|leave| leave.load(Ordering::Relaxed)) {
                return None;
            }
            if let Some(beta) = self.new_window() {
                return Some(beta);
            }
            // The leader soon sees the answer.
            yield_now();
        }
        None
    }

    /// The leader's window, if it is open and this helper has not searched it.
    pub(crate) fn new_window(&mut self) -> Option<i32> {
        let window = self.search.window();
        if window.is_answered() || window == self.window {
            return None;
        }
        self.window = window;
        Some(window.number())
    }

    /// Answers the helper's window, unless the leader has moved on.
    pub(crate) fn decide(&self, score: i32) {
        let answered = self.window.answered(score);
        let order = Ordering::Relaxed;
        let _ = self.search.window.compare_exchange(self.window.0, answered.0, order, order);
    }

    /// Whether another thread has decided the window, or the leader has moved on.
    pub(crate) fn is_over(&self) -> bool {
        self.search.window() != self.window
    }

    /// Whether more than one thread takes part.
    pub(crate) fn is_helped(&self) -> bool {
        self.search.helpers() != 0
    }

    /// Whether another thread is searching the position with this hash.
    pub(crate) fn is_marked(&self, hash: u64) -> bool {
        self.search.mark(hash).load(Ordering::Relaxed) == hash
    }

    /// Marks a position as under search by this thread.
    pub(crate) fn mark(&self, hash: u64) {
        self.search.mark(hash).store(hash, Ordering::Relaxed);
    }

    /// Removes the mark of a position, unless another has overwritten it.
    pub(crate) fn unmark(&self, hash: u64) {
        let mark = self.search.mark(hash);
        // Two steps are cheaper than one atomic step; a mark lost between them costs only work.
        if mark.load(Ordering::Relaxed) == hash {
            mark.store(0, Ordering::Relaxed);
        }
    }
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        match self.leave {
            Some(_) => drop(self.search.helpers.fetch_sub(1, Ordering::Relaxed)),
            None => drop(self.search.window.swap(Window::CLOSED.0, Ordering::Relaxed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::searches::{Searches, Work};
    use super::*;
    use crate::Limits;
    use crate::board::Size;
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
            // The next window is the same, whether this one is answered or not.
            assert_eq!(answered.next(5), next.next(5));
            window = next;
        }
    }

    fn search() -> Arc<SharedSearch> {
        let tables = Arc::new(Tables::new(0).unwrap());
        let budget = Budget::new(&Limits::default());
        Arc::new(SharedSearch::new(tables, Position::empty(Size::STANDARD), budget))
    }

    /// The answer of all threads here to a window.
    fn score_of(beta: i32) -> i32 {
        if beta % 3 == 0 { beta } else { beta - 1 }
    }

    /// Marks and unmarks positions while it answers windows of one search after the other.
    fn help(searches: &Searches, leave: &AtomicBool, windows_taken: &AtomicUsize) {
        while let Some(search) = searches.next(leave, |_| true) {
            let Work::Search(search) = search else { continue };
            let mut member = Member::helper(search, leave);
            while let Some(beta) = member.take_window() {
                let number = windows_taken.fetch_add(1, Ordering::Relaxed) as u64;
                // Few places, so that threads overwrite each other's marks.
                let hash = (beta as u64 & 3) << 20 | (number + 1) << 32 | 1;
                member.mark(hash);
                if number.is_multiple_of(2) {
                    yield_now();
                }
                member.unmark(hash);
                assert!(!member.is_marked(hash));
                member.decide(score_of(beta));
            }
        }
    }

    /// Goes from window to window; only helpers decide every third.
    fn lead(searches: &Searches, windows: i32) {
        let search = search();
        let mut leader = Member::leader(Arc::clone(&search));
        let listed = searches.open(Work::Search(Arc::clone(&search)));
        for number in 0..windows {
            let beta = number % 127 - 63;
            leader.begin(beta);
            while number % 3 == 0 && !leader.is_over() {
                yield_now();
            }
            if leader.is_over() {
                assert_eq!(leader.answer(), score_of(beta), "window {number}");
            }
        }
        drop((leader, listed));
        assert!(!search.is_open());
    }

    /// Every answer that a leader sees is for its own window, and helpers leave on
    /// request.
    #[test]
    #[ignore = "takes long to solve; `.ci/run slow` runs it"]
    fn leaders_get_answers_to_their_own_windows() {
        const WINDOWS: i32 = if cfg!(miri) { 60 } else { 3000 };
        let searches = Searches::default();
        let leave = AtomicBool::new(false);
        let taken = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let searches = &searches;
            let leave = &leave;
            let taken = &taken;
            let helpers = [(); 3].map(|()| scope.spawn(|| help(searches, leave, taken)));
            let led = [(); 3].map(|_| {
                let leaders = [(); 2].map(|()| scope.spawn(|| lead(searches, WINDOWS)));
                leaders.map(ScopedJoinHandle::join)
            });
            // Set even if a leader has failed, so that the test ends.
            leave.store(true, Ordering::Relaxed);
            searches.wake();
            helpers.into_iter().for_each(|helper| helper.join().unwrap());
            led.into_iter().flatten().for_each(Result::unwrap);
        });
        let taken = taken.load(Ordering::Relaxed);
        assert!(taken >= 6 * WINDOWS as usize / 3, "{taken}");
    }

    #[test]
    fn a_thread_removes_only_its_own_mark() {
        let search = search();
        let leave = AtomicBool::new(false);
        let first = Member::helper(Arc::clone(&search), &leave);
        let second = Member::helper(search, &leave);
        // Two positions with the same place.
        let (one, other) = (1 << 20 | 1, 1 << 20 | 2);
        first.mark(one);
        assert!(second.is_marked(one) && !second.is_marked(other));
        second.mark(other);
        first.unmark(one);
        assert!(first.is_marked(other) && !first.is_marked(one));
        second.unmark(other);
        assert!(!first.is_marked(other));
    }
}
