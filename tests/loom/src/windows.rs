//! A leader that goes from window to window, and helpers that answer them.

use crate::abdada::{Member, SharedSearch};
use crate::board::Position;
use crate::limits::Budget;
use crate::sync::{AtomicBool, yield_now};
use crate::table::Tables;
use loom::thread;
use std::sync::Arc;

const WINDOWS: [i32; 2] = [1, 2];

/// The answer to a window.
fn score_of(beta: i32) -> i32 {
    beta + 10
}

/// Answers the windows that it finds.
fn help(search: Arc<SharedSearch>, leave: Arc<AtomicBool>) {
    let mut member = Member::helper(search, &leave);
    for _ in 0..WINDOWS.len() {
        if let Some(beta) = member.new_window() {
            member.decide(score_of(beta));
        }
    }
}

/// Each answer that a leader sees is for its own window, also if helpers are late.
pub(crate) fn run() {
    crate::in_every_order(|| {
        let search = SharedSearch::new(Arc::new(Tables), Position, Arc::new(Budget));
        let search = Arc::new(search);
        let mut leader = Member::leader(Arc::clone(&search));
        let helpers = [(); 2].map(|()| {
            let search = Arc::clone(&search);
            let leave = Arc::new(AtomicBool::new(false));
            thread::spawn(|| help(search, leave))
        });
        for beta in WINDOWS {
            leader.begin(beta);
            yield_now();
            if leader.is_over() {
                assert_eq!(leader.answer(), score_of(beta));
            }
        }
        drop(leader);
        for helper in helpers {
            helper.join().unwrap();
        }
        assert!(!search.is_open());
        assert_eq!(search.helpers(), 0);
    });
}
