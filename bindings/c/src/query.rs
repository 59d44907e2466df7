//! Questions that are answered in steps.

use crate::analysis::Analysis;
use crate::board::{self, Position};
use crate::border;
use crate::limits::{self, SearchLimits};
use crate::oracle::Oracle;
use crate::status::{Status, call};
use library::oracle::{self as asking, Question};
use std::ffi::c_char;

/// A question about a position, and its answer as known now. Between the steps to the answer, a
/// program can show what is known, do other things, or give up.
#[derive(Debug)]
pub struct Query(asking::Query);

/// Begins to answer a question about a position: `score`, `outcome`, `moves` (the scores of all
/// moves), `best-move`, `best-moves` or `line` (the moves of perfect play). The scores that the rules,
/// the book and the strategies know are there at once, moves after a step. Free it with
/// `fourbook_query_free`; the oracle may be freed earlier.
///
/// # Safety
///
/// `oracle` is null or a handle that was not freed; `position` is null or valid for reads; `question`
/// is null or ends with a zero byte; `query` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_query_new(
    oracle: *const Oracle,
    position: *const Position,
    question: *const c_char,
    query: *mut *mut Query,
) -> Status {
    call(|| {
        // SAFETY: `oracle` is null or valid for reads.
        let (oracle, board) = unsafe { (border::read(oracle, "oracle")?, board::board(position)?) };
        // SAFETY: `question` is null or a text that ends with a zero byte.
        let question: Question = unsafe { border::text(question, "question") }?.parse()?;
        // SAFETY: `query` is null or valid for writes.
        unsafe { border::give(query, "query", || Ok(Query(oracle.0.query(board, question)?))) }
    })
}

/// Works on. FOURBOOK_STATUS_OK if the answer is complete. FOURBOOK_STATUS_NODE_BUDGET,
/// FOURBOOK_STATUS_DEADLINE or FOURBOOK_STATUS_CANCELLED if a limit of this step ended it: the next step
/// goes on. A step should have at least some thousand nodes, or some milliseconds. `limits` may be
/// null. No other call may be using the query.
///
/// # Safety
///
/// `query` is null or a handle that was not freed, which no other call uses; `limits` is null or valid
/// for reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_query_step(
    query: *mut Query,
    limits: *const SearchLimits,
) -> Status {
    call(|| {
        // SAFETY: `query` is null or valid, and no other call uses it.
        let Query(query) = unsafe { border::read_mut(query, "query") }?;
        // SAFETY: `limits` is null or valid for reads, as are its handle and its place for results.
        unsafe {
            limits::within(limits, |limits| match query.step(&limits)? {
                asking::Step::Done => Ok(()),
                asking::Step::More(stopped) => Err(stopped.into()),
            })
        }
    })
}

/// Writes the known results: scores and bounds, and FOURBOOK_UNKNOWN for other scores.
///
/// # Safety
///
/// `query` is null or a handle that was not freed; `analysis` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_query_analysis(
    query: *const Query,
    analysis: *mut Analysis,
) -> Status {
    call(|| {
        // SAFETY: `query` is null or valid for reads.
        let known = Analysis::known(unsafe { border::read(query, "query") }?.0.known());
        // SAFETY: `analysis` is null or valid for writes.
        unsafe { border::write(analysis, "analysis", known) }
    })
}

/// Writes the known moves of perfect play at `columns`, columns from 0, and their
/// number into `length`. If `columns` is null, only the number is written; FOURBOOK_MAX_MOVES are enough
/// on every board. If they are more than `capacity`, FOURBOOK_STATUS_BUFFER_TOO_SMALL is returned, and
/// nothing is written at `columns`. The answer to `best-move` has one move, that to `line` all to the
/// end of the game.
///
/// # Safety
///
/// `query` is null or a handle that was not freed; `columns` is null or valid for writes of `capacity`
/// bytes; `length` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_query_line(
    query: *const Query,
    columns: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> Status {
    call(|| {
        // SAFETY: `query` is null or valid for reads.
        let line = unsafe { border::read(query, "query") }?.0.known().line();
        let line: Vec<u8> = line.iter().map(|&column| column as u8).collect();
        let buffer = (columns, capacity, "columns at 'columns'");
        // SAFETY: by this function's contract.
        unsafe { border::write_counted(&line, buffer, (length, "length")) }
    })
}

/// Frees a query. Null is fine.
///
/// # Safety
///
/// `query` is null or a handle that was not freed, which no call is using.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_query_free(query: *mut Query) {
    // SAFETY: `query` is null or a handle that was not freed.
    unsafe { border::free(query) }
}
