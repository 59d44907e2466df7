//! Oracles: answers from a book, if there is one, and the solver.

use crate::analysis::{Analysis, UNKNOWN, game_over};
use crate::board::{self, Position, size_if_given};
use crate::book::{self, Book};
use crate::border;
use crate::limits::{self, SearchLimits};
use crate::status::{Failure, Status, call};
use library::oracle::{OracleError, Question, Step};
use library::solver::SearchProgress;
use library::{Level, Limits, Oracle as Inner, Position as Inside, Strategy};
use std::ffi::c_char;
use std::sync::Arc;
use std::time::Instant;

/// Answers for positions from a book with the solver as fallback, or from the solver alone.
/// Thread-safe: all threads of a program can share one, and its table with it.
#[derive(Debug)]
pub struct Oracle(pub(crate) Inner);

/// How to make an oracle. All bytes 0 are the defaults.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct OracleOptions {
    /// Columns of the board; if `width` and `height` are 0, the board is that of the book.
    pub width: u32,
    /// Rows of the board.
    pub height: u32,
    /// The most bytes for the solver's table, which are used as it fills; 0: a quarter of the free
    /// memory, at most 1 GiB, or without the feature `generate` 64 MiB.
    pub memory: usize,
    /// The most threads that search at a time, and only while a search takes longer than about
    /// a millisecond; 0: one for each processor.
    pub threads: u32,
    /// Other than 0: solve everything, without any book; `book` has to be null.
    pub no_book: u8,
}

/// An oracle over a book. If `book` is null, it uses the built-in book for the
/// board, if there is one. Unless `no_book` is set, it also uses the strategies that come with the
/// library. `options` may be null. Free it with `fourbook_oracle_free`; the book may be freed earlier.
///
/// # Safety
///
/// `book` is null or a handle that was not freed; `options` is null or valid for reads;
/// `oracle` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_new(
    book: *const Book,
    options: *const OracleOptions,
    oracle: *mut *mut Oracle,
) -> Status {
    call(|| {
        // SAFETY: `options` is null or valid for reads.
        let options = unsafe { border::read_if_given(options, "options") }?;
        let options = options.copied().unwrap_or_default();
        let OracleOptions { width, height, memory, threads, no_book } = options;
        let asked = size_if_given(width, height)?;
        // SAFETY: `book` is null or valid for reads.
        let book = match unsafe { border::read_if_given(book, "book") }? {
            Some(_) if no_book != 0 => {
                let text = "expected null for 'book' with 'no_book', found a book";
                return Err(Failure::argument(text));
            }
            Some(Book(book)) => Some(Arc::clone(book)),
            None if no_book != 0 => None,
            None => book::embedded(asked.unwrap_or_default()).map(Arc::new),
        };
        let size = asked.or(book.as_ref().map(|book| book.size())).unwrap_or_default();
        book.as_ref().map_or(Ok(()), |book| book.check_size(size))?;
        let make = || {
            let table_bytes = if memory == 0 { default_table_bytes() } else { memory };
            let inner = Inner::with_memory(book, size, table_bytes)?;
            let strategies = if no_book == 0 { Strategy::embedded_for(size) } else { Vec::new() };
            let inner = inner.with_strategies(strategies)?;
            Ok(Oracle(inner.with_threads(threads as usize)))
        };
        // SAFETY: `oracle` is null or valid for writes.
        unsafe { border::give(oracle, "oracle", make) }
    })
}

/// The most bytes for a table by default.
fn default_table_bytes() -> usize {
    #[cfg(feature = "generate")]
    return library::Memory::now().table_bytes();
    #[cfg(not(feature = "generate"))]
    library::solver::TranspositionTable::DEFAULT_BYTES
}

/// Takes the moves of a player from the file of a strategy, in place of the strategy that comes with
/// the library, if there is one. The level `perfect` follows one of outcomes from the first move on. One
/// of exact scores serves it and `fourbook_oracle_best_move` where the book has no answer, and has
/// scores, if it was made with them. No other call may be using the oracle.
///
/// # Safety
///
/// `oracle` is null or a handle that was not freed, which no other call uses; `path` is null or ends
/// with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_add_strategy(
    oracle: *mut Oracle,
    path: *const c_char,
) -> Status {
    call(|| {
        // SAFETY: `oracle` is null or valid, and no other call uses it.
        let Oracle(inner) = unsafe { border::read_mut(oracle, "oracle") }?;
        // SAFETY: `path` is null or a path that ends with a zero byte.
        let strategy = Strategy::open(unsafe { border::path(path, "path") }?)?;
        let mut strategies = inner.strategies().to_vec();
        strategies.retain(|other| other.player() != strategy.player());
        strategies.push(strategy);
        *inner = inner.with_strategies(strategies)?;
        Ok(())
    })
}

/// Frees an oracle. Null is fine. No call may be using it.
///
/// # Safety
///
/// `oracle` is null or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_free(oracle: *mut Oracle) {
    // SAFETY: `oracle` is null or a handle that was not freed.
    unsafe { border::free(oracle) }
}

/// Asks an oracle about a position within limits, and writes its answer.
///
/// # Safety
///
/// All pointers are null or valid, as the calling functions require.
unsafe fn ask<T>(
    oracle: *const Oracle,
    position: *const Position,
    limits: *const SearchLimits,
    (answer, name): (*mut T, &str),
    ask: impl FnOnce(&Inner, Inside) -> Result<T, Failure>,
) -> Status {
    call(|| {
        // SAFETY: `oracle` is null or valid for reads.
        let (oracle, board) = unsafe { (border::read(oracle, "oracle")?, board::board(position)?) };
        board.check_size(oracle.0.size())?;
        border::check(answer, name)?;
        let search = |limits| ask(&oracle.0.with_limits(limits), board);
        // SAFETY: `limits` is null or valid for reads, as are its handle and its place for results.
        let found = unsafe { limits::within(limits, search) }?;
        // SAFETY: `answer` is null or valid for writes.
        unsafe { border::write(answer, name, found) }
    })
}

/// The score of a position, for the side to move: 0 is a draw, a positive score a win, a negative
/// one a loss; the further it is from 0, the sooner the game ends. `limits` may be null.
///
/// # Safety
///
/// `oracle` is null or a handle that was not freed; `position` and `limits` are null or valid
/// for reads, `score` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_score(
    oracle: *const Oracle,
    position: *const Position,
    limits: *const SearchLimits,
    score: *mut i8,
) -> Status {
    // SAFETY: the caller's pointers are what `ask` expects.
    unsafe {
        ask(oracle, position, limits, (score, "score"), |oracle, board| {
            Ok(oracle.score(board)?.value)
        })
    }
}

/// Who wins, for the side to move: 1 for a win, 0 for a draw, -1 for a loss. Cheaper than the score
/// if a search is needed. `limits` may be null.
///
/// # Safety
///
/// As `fourbook_oracle_score`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_outcome(
    oracle: *const Oracle,
    position: *const Position,
    limits: *const SearchLimits,
    outcome: *mut i8,
) -> Status {
    // SAFETY: the caller's pointers are what `ask` expects.
    unsafe {
        ask(oracle, position, limits, (outcome, "outcome"), |oracle, board| {
            Ok(oracle.outcome(board)?.value.sign())
        })
    }
}

/// The scores of a position and of all its moves. `limits` may be null. If the search ends at a limit,
/// `analysis` has the scores and bounds that it found, and FOURBOOK_UNKNOWN for others.
///
/// # Safety
///
/// As `fourbook_oracle_score`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_analyse(
    oracle: *const Oracle,
    position: *const Position,
    limits: *const SearchLimits,
    analysis: *mut Analysis,
) -> Status {
    // SAFETY: the caller's pointers are what `ask` expects, and `analysis` is null or valid for writes.
    unsafe {
        ask(oracle, position, limits, (analysis, "analysis"), |oracle, board| {
            let mut query = oracle.query(board, Question::Moves)?;
            let step = query.step(oracle.limits())?;
            let known = Analysis::known(query.known());
            if let Step::More(stopped) = step {
                border::write(analysis, "analysis", known)?;
                return Err(stopped.into());
            }
            Ok(known)
        })
    }
}

/// A best move, a column from 0. Of several, it is one that the book knows, else that of a strategy of
/// exact scores, else the one nearest to the centre. `limits` may be null.
///
/// # Safety
///
/// As `fourbook_oracle_score`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_best_move(
    oracle: *const Oracle,
    position: *const Position,
    limits: *const SearchLimits,
    column: *mut u32,
) -> Status {
    // SAFETY: the caller's pointers are what `ask` expects.
    unsafe {
        ask(oracle, position, limits, (column, "column"), |oracle, board| {
            Ok(oracle.best_move(board)?.value.ok_or_else(game_over)? as u32)
        })
    }
}

/// The move that a player of a level chooses, a column from 0. `level` is a name or a number from
/// `1`, a beginner, to `8`, a perfect player; null means `8`. The same `seed` in the same position
/// gives the same move. If a limit ends the search, `column` has the best move known, and the call
/// returns FOURBOOK_STATUS_NODE_BUDGET or FOURBOOK_STATUS_DEADLINE: the move is not proved, and
/// `stopped` of the limits has the bounds of the score. `limits` may be null; without a limit on nodes
/// or time, a move takes at most 3 seconds.
///
/// # Safety
///
/// As `fourbook_oracle_score`; `level` is null or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_choose_move(
    oracle: *const Oracle,
    position: *const Position,
    level: *const c_char,
    seed: u64,
    limits: *const SearchLimits,
    column: *mut u32,
) -> Status {
    // SAFETY: the caller's pointers are what `ask` expects; `level` is null or a text that ends with a
    // zero byte, and `column` null or valid for writes.
    unsafe {
        ask(oracle, position, limits, (column, "column"), |oracle, board| {
            let level: Level = border::text_or(level, "level", "perfect")?.parse()?;
            let (found, stopped) = oracle.choose_move(board, level, seed)?;
            let found = found.ok_or_else(game_over)? as u32;
            border::write(column, "column", found)?;
            stopped.map_or(Ok(found), |stopped| Err(stopped.into()))
        })
    }
}

/// Writes why perfect play from a position ends as it does, as JSON with a zero byte after it, into
/// `capacity` bytes at `text`, and its length with that byte into `bytes`. If `text` is null, only
/// the length is written; FOURBOOK_MAX_EXPLANATION bytes are enough on every board. `limits` may be null.
/// The members have the names of the server's `Explanation`; the member `text` has the whole explanation
/// in a few sentences.
///
/// # Safety
///
/// As `fourbook_oracle_score`; `text` is null or valid for writes of `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_explain(
    oracle: *const Oracle,
    position: *const Position,
    limits: *const SearchLimits,
    text: *mut c_char,
    capacity: usize,
    bytes: *mut usize,
) -> Status {
    // SAFETY: the caller's pointers are what `ask` expects; `text` is null or has `capacity` bytes.
    unsafe {
        ask(oracle, position, limits, (bytes, "bytes"), |oracle, board| {
            let explanation = oracle.explain(board)?.value;
            let written =
                serde_json::to_string(&explanation).expect("an explanation is plain data");
            let length = written.len() + 1;
            border::write_text(written, text, capacity, bytes)?;
            Ok(length)
        })
    }
}

/// Positions that are converted at a time, so that many need little memory.
const TOGETHER: usize = 1 << 16;

/// Asks an oracle about many positions within limits, and writes its answers. `find` searches; after
/// an error, it has results for the first positions only. `answer` turns a result, or the lack of one,
/// into an answer, and `is_known` recognises complete answers.
///
/// # Safety
///
/// All pointers are null or valid, as the calling functions require.
unsafe fn ask_many<F, T: Copy>(
    oracle: *const Oracle,
    (positions, number): (*const Position, usize),
    limits: *const SearchLimits,
    (answers, name): (*mut T, &str),
    find: impl Fn(&Inner, &[Inside], &mut Vec<F>) -> Result<(), OracleError>,
    answer: impl Fn(Option<F>) -> T,
    is_known: impl Fn(&T) -> bool,
) -> Status {
    call(|| {
        // SAFETY: `oracle` is null or valid for reads.
        let Oracle(oracle) = unsafe { border::read(oracle, "oracle") }?;
        // SAFETY: `positions` is null or valid for reads of `number` values.
        let positions = unsafe { border::list(positions, number, "positions") }?;
        border::check_list(answers, number, name)?;
        for position in positions {
            position.board()?.check_size(oracle.size())?;
        }
        let mut boards = border::room(TOGETHER.min(number))?;
        let mut written = border::room(TOGETHER.min(number))?;
        let search = |limits: Limits| {
            let started = Instant::now();
            let progress = Arc::new(SearchProgress::default());
            let mut found = Vec::new();
            let mut first = 0;
            let mut solved = 0;
            let mut ended = Ok(());
            for part in positions.chunks(TOGETHER) {
                boards.clear();
                written.clear();
                if ended.is_ok() {
                    for position in part {
                        boards.push(position.board()?);
                    }
                    let left = Limits {
                        max_nodes: limits.max_nodes.map(|it| it.saturating_sub(progress.nodes())),
                        max_time: limits.max_time.map(|it| it.saturating_sub(started.elapsed())),
                        progress: Some(Arc::clone(&progress)),
                        ..limits.clone()
                    };
                    ended = find(&oracle.with_limits(left), &boards, &mut found);
                }
                let mut results = found.drain(..);
                written.extend(part.iter().map(|_| answer(results.next())));
                solved += written.iter().filter(|answer| is_known(answer)).count();
                // SAFETY: by this function's contract; there are as many answers as positions.
                unsafe { border::write_list(answers, first, &written) };
                first += part.len();
            }
            ended.map_err(|error| {
                let mut failure = Failure::from(error);
                if let Some(stopped) = &mut failure.stopped {
                    (stopped.nodes, stopped.solved) = (progress.nodes(), solved);
                }
                failure
            })
        };
        // SAFETY: `limits` is null or valid for reads, as are its handle and its place for results.
        unsafe { limits::within(limits, search) }
    })
}

/// Writes the scores of `number` positions to `scores`, searching on all threads of the oracle.
/// Limits hold for all positions together; `limits` may be null. After an error of the work itself,
/// such as a limit, `scores` has the scores that were found, and FOURBOOK_UNKNOWN for others.
///
/// # Safety
///
/// `oracle` is null or a handle that was not freed; `positions` is null or valid for reads and
/// `scores` for writes of `number` values; `limits` is null or valid for reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_scores(
    oracle: *const Oracle,
    positions: *const Position,
    number: usize,
    limits: *const SearchLimits,
    scores: *mut i8,
) -> Status {
    // SAFETY: the caller's pointers are what `ask_many` expects.
    unsafe {
        ask_many(
            oracle,
            (positions, number),
            limits,
            (scores, "scores"),
            Inner::scores_into,
            |score| score.flatten().unwrap_or(UNKNOWN),
            |&score| score != UNKNOWN,
        )
    }
}

/// Writes the scores of `number` positions and of all their moves to `analyses`, searching on all
/// threads of the oracle. Limits hold for all positions together; `limits` may be null. After an error
/// of the work itself, such as a limit, `analyses` has the scores that were found, and FOURBOOK_UNKNOWN
/// for others.
///
/// # Safety
///
/// As `fourbook_oracle_scores`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_analyse_many(
    oracle: *const Oracle,
    positions: *const Position,
    number: usize,
    limits: *const SearchLimits,
    analyses: *mut Analysis,
) -> Status {
    // SAFETY: the caller's pointers are what `ask_many` expects.
    unsafe {
        ask_many(
            oracle,
            (positions, number),
            limits,
            (analyses, "analyses"),
            Inner::analyse_into,
            |known| known.as_ref().map_or(Analysis::UNKNOWN, Analysis::known),
            |analysis| analysis.complete,
        )
    }
}

/// Writes the number of nodes that the oracle's searches have visited to `nodes`.
///
/// # Safety
///
/// `oracle` is null or a handle that was not freed; `nodes` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbook_oracle_nodes(oracle: *const Oracle, nodes: *mut u64) -> Status {
    call(|| {
        // SAFETY: `oracle` is null or valid for reads.
        let visited = unsafe { border::read(oracle, "oracle") }?.0.nodes();
        // SAFETY: `nodes` is null or valid for writes.
        unsafe { border::write(nodes, "nodes", visited) }
    })
}
