//! `fourbook lookup`: perfect play for positions, from a book or the solver.

mod game;
mod words;

use crate::cli::args::{
    BookArgs, ByteSize, EXIT_CODES, LimitArgs, Line, Options, PositionArgs, ThreadArgs, table_bytes,
};
use crate::cli::output::{self, OnStderr};
use crate::cli::status::{Status, say};
use clap::Args;
use fourbook::board::column_name;
use fourbook::oracle::{Game, OracleError, PositionReport};
use fourbook::progress::Progress;
use fourbook::solver::{Crew, Worker};
use fourbook::{Limits, Oracle, Position, Score, ValueKind};
use game::print_review;
use rayon::ThreadPool;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// What it does, in a few words.
pub(crate) const SUMMARY: &str = "Say who wins and how soon";

const ABOUT: &str = "\
Say who wins and how soon, one line for each position

On a terminal it is said in words: who wins, with which stone, and which columns are best. Where \
the output is read by another program, or with --plain, a line is POSITION SCORE. The score is for the side to move: 0 is a draw, a positive score a win, a negative one a loss. A \
win with the side's last stone scores 1, with the stone before it 2, and so on: on 7x6 a winner who \
has placed S stones scores 22 - S. A game that is over has the score of its end.

Positions whose scores are in the book are answered at once, all others are solved. A line that is \
no position, or is not solved within the limits, gives an error on stderr, an empty line on stdout \
(with --json, an object with 'error'), and exit code 1 at the end. The book is not checked for damage: 'fourbook verify' does \
that.";

const EXAMPLES: &str = "\
Examples:
  fourbook lookup 4453                          one position
  fourbook lookup --analyze 4453                one score a column; -1000 if it cannot be played
  fourbook lookup --json 4453 | jq .best_moves  everything that is known
  fourbook lookup --pv 4453                     how perfect play goes on
  fourbook lookup --game 44535261               what each move was worth
  fourbook lookup < positions.txt               lines of a file, answered in order
  fourbook lookup --book my.book 4453           from a book of your own
  fourbook lookup --plain 4453                  POSITION SCORE, also on a terminal
  fourbook lookup --deadline 2 < positions.txt  give positions up that take longer
  FOURBOOK_BOOK=books fourbook lookup 4453      from the deepest book of a folder
  fourbook --size 6x5 lookup 3344               a board of another size";

/// What Pascal Pons' solver prints for a column that cannot be played.
const FULL_COLUMN: i32 = -1000;

/// The most lines that are worked on at a time.
const BATCH: usize = 4096;

/// Nodes of a line that is easy: it is answered before a thread has started.
const EASY_NODES: u64 = 1 << 13;

/// Time after which threads are started for the lines that are left.
const EASY_TIME: Duration = Duration::from_millis(2);

/// Time without a reply after which progress is shown, and between two updates of it.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);

/// The arguments of `fourbook lookup`.
#[derive(Debug, Args)]
#[command(
    about = SUMMARY,
    long_about = ABOUT,
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(crate) struct LookupArgs {
    #[command(flatten)]
    positions: PositionArgs,

    #[command(flatten)]
    book: BookArgs,

    /// Print the score of each column instead, the first one first
    #[arg(short, long, visible_alias = "analyse")]
    analyze: bool,

    /// Print 1, 0 or -1 for win, draw or loss instead of the score; faster where it must be solved
    #[arg(short, long, conflicts_with_all = ["analyze", "json"])]
    wdl: bool,

    /// Print a JSON object for each position, or for each game
    #[arg(long, conflicts_with = "analyze")]
    json: bool,

    /// Go through games: what each move was worth, and how perfect play goes on from the end
    #[arg(short, long, conflicts_with_all = ["analyze", "wdl", "pv"])]
    game: bool,

    /// Print the moves of perfect play to the end of the game after the score
    #[arg(long, conflicts_with_all = ["analyze", "wdl", "json"])]
    pv: bool,

    /// Say it in words: who wins, when, and with which move [default on a terminal]
    #[arg(long, conflicts_with_all = ["analyze", "game", "json", "pv", "wdl"])]
    words: bool,

    /// Print POSITION SCORE [default where the output is no terminal]
    #[arg(long, conflicts_with_all = ["analyze", "game", "json", "pv", "wdl", "words"])]
    plain: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    threads: ThreadArgs,

    /// The most memory for the transposition table, which grows with the work, such as 512M or
    /// 2GiB [default: a quarter of the free memory, at most 1G]
    #[arg(short, long, value_name = "SIZE")]
    memory: Option<ByteSize>,
}

/// Runs the subcommand.
pub(crate) fn run(args: &LookupArgs, options: &Options) -> anyhow::Result<Status> {
    let book = args.book.open(options)?;
    let size = match &book {
        Some(book) => {
            tracing::info!("using a book for {} to ply {}", book.size(), book.depth());
            book.size()
        }
        None => {
            tracing::info!("using no book: every position is solved");
            options.size()
        }
    };
    if !args.wdl && book.as_ref().is_some_and(|book| book.kind() == ValueKind::WinDrawLoss) {
        tracing::warn!("the book has no scores, so all are solved; with --wdl it answers");
    }
    let table_bytes = table_bytes(args.memory);
    let oracle = match book {
        Some(book) => Oracle::new(book, table_bytes)?,
        None => Oracle::without_book(size, table_bytes)?,
    };
    args.answer_all(&oracle, options)
}

/// What is printed for a line, or what is wrong with it.
type Reply = anyhow::Result<String>;

impl LookupArgs {
    /// Whether people read the answers.
    fn in_words(&self) -> bool {
        let other_form =
            self.plain || self.analyze || self.json || self.wdl || self.game || self.pv;
        self.words || !other_form && io::stdout().is_terminal()
    }

    /// Answers every line and prints the answers in the order of the lines.
    fn answer_all(&self, oracle: &Oracle, options: &Options) -> anyhow::Result<Status> {
        let mut advice = self.book.advice(options);
        let in_words = self.in_words();
        let mut desk = Desk { args: self, oracle, in_words, cancel: Arc::default(), pool: None };
        let mut status = Status::Fine;
        let mut out = BufWriter::new(output::stdout());
        let printed = self.positions.for_each_batch(BATCH, &mut |lines| {
            let mut print = |line: &Line, reply: Reply| {
                let text = reply.unwrap_or_else(|error| {
                    let error = format!("{error:#}");
                    line.report(&error);
                    status = Status::Failed;
                    self.bad_line(line, &error)
                });
                // People do not count lines.
                if in_words && text.is_empty() { Ok(()) } else { Ok(writeln!(out, "{text}")?) }
            };
            let cancel = Arc::clone(&desk.cancel);
            let mut replies = Replies {
                lines,
                print: &mut print,
                cancel: &cancel,
                waiting: BTreeMap::new(),
                printed: 0,
                quiet: options.quiet,
                progress: None,
            };
            desk.answer_easy(&mut replies)?;
            if replies.printed < lines.len() {
                desk.answer_others(replies)?;
            }
            out.flush()?;
            if oracle.nodes() > 0 {
                advice.take().into_iter().for_each(|advice| say(&format!("hint: {advice}")));
            }
            Ok(())
        });
        output::ended(printed, status)
    }
}

/// Where lines are answered.
struct Desk<'a> {
    args: &'a LookupArgs,
    oracle: &'a Oracle,
    in_words: bool,
    cancel: Arc<AtomicBool>,
    /// Started for the first line that is not easy.
    pool: Option<ThreadPool>,
}

impl Desk<'_> {
    fn answer(&self, line: &Line, limits: Limits) -> Reply {
        let limits = Limits { cancel: Some(Arc::clone(&self.cancel)), ..limits };
        let answered = if self.args.game {
            self.args.review(&Game::parse(self.oracle.size(), &line.text)?, self.oracle, &limits)
        } else {
            let position = self.args.positions.parse(self.oracle.size(), line)?;
            let answer =
                if self.in_words { LookupArgs::answer_in_words } else { LookupArgs::answer };
            answer(self.args, &line.text, position, self.oracle, &limits)
        };
        answered.map_err(|error| self.args.limits.explain(error))
    }

    /// Answers lines one after the other, until one is not easy, or it has taken so long
    /// that threads are worth their start.
    fn answer_easy(&self, replies: &mut Replies<'_>) -> anyhow::Result<()> {
        let start = Instant::now();
        for (number, line) in replies.lines.iter().enumerate() {
            if start.elapsed() >= EASY_TIME {
                break;
            }
            let limits = self.args.limits.begin();
            let is_enough = limits.max_nodes.is_some_and(|most| most <= EASY_NODES);
            let max_nodes = if is_enough { limits.max_nodes } else { Some(EASY_NODES) };
            let before = self.oracle.nodes();
            let reply = self.answer(line, Limits { max_nodes, ..limits });
            if !is_enough && self.oracle.nodes() - before >= EASY_NODES {
                // Stopped, or not known whether.
                break;
            }
            replies.take(number, reply)?;
        }
        Ok(())
    }

    /// Answers the lines that are left on several threads.
    fn answer_others(&mut self, mut replies: Replies<'_>) -> anyhow::Result<()> {
        let pool = match self.pool.take() {
            Some(pool) => pool,
            None => self.args.threads.start()?,
        };
        let (threads, first) = (pool.current_num_threads(), replies.printed);
        let lines = &replies.lines[first..];
        // With fewer lines than threads, the moves of each are solved side by side.
        let has_moves = self.args.analyze || self.args.json || self.in_words;
        let by_moves = has_moves && lines.len() < threads;
        let number = if by_moves { lines.len() } else { threads };
        let crew = Crew::new(self.oracle.table());
        // Who is alone has nobody to help. Without memory for a worker, the others do
        // without its help.
        let worker = |_| if threads > 1 { crew.worker().ok() } else { None };
        let workers = (0..number).map(worker).collect();
        let answer = |line: usize| {
            let threads = Some(share(threads, number, line));
            self.answer(&lines[line], Limits { threads, ..self.args.limits.begin() })
        };
        in_order(&pool, workers, lines.len(), &answer, &mut replies)?;
        self.pool = Some(pool);
        Ok(())
    }
}

/// How many of the threads a task may use, by its number, if so many tasks are under way.
fn share(threads: usize, tasks: usize, number: usize) -> usize {
    threads / tasks + usize::from(number < threads % tasks)
}

/// Answers lines, by their numbers, on as many threads of `pool` as there are workers, and
/// takes the replies as they come. Threads without a line help the others.
fn in_order(
    pool: &ThreadPool,
    workers: Vec<Option<Worker<'_>>>,
    lines: usize,
    answer: &(dyn Fn(usize) -> Reply + Sync),
    replies: &mut Replies<'_>,
) -> anyhow::Result<()> {
    let (sender, received) = mpsc::channel();
    let (next, first) = (&AtomicUsize::new(0), replies.printed);
    pool.in_place_scope(|scope| {
        for worker in workers {
            let sender = sender.clone();
            scope.spawn(move |_| {
                loop {
                    let line = next.fetch_add(1, Ordering::Relaxed);
                    if line >= lines {
                        break;
                    }
                    // Nobody listens after printing has failed.
                    let _ = sender.send((first + line, answer(line)));
                }
                if let Some(worker) = worker {
                    worker.help_others();
                }
            });
        }
        // The channel is closed when all threads have ended.
        drop(sender);
        loop {
            match received.recv_timeout(PROGRESS_AFTER) {
                Ok((number, reply)) => replies.take(number, reply)?,
                Err(RecvTimeoutError::Timeout) => replies.tell_progress(),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    })
}

/// Replies to lines: each is printed as soon as those to the lines before are.
struct Replies<'a> {
    lines: &'a [Line],
    print: &'a mut dyn FnMut(&Line, Reply) -> anyhow::Result<()>,
    /// Is set when printing fails.
    cancel: &'a AtomicBool,
    /// Those that wait for one before them.
    waiting: BTreeMap<usize, Reply>,
    printed: usize,
    quiet: bool,
    /// Is there when it has taken long.
    progress: Option<OnStderr>,
}

impl Replies<'_> {
    fn take(&mut self, number: usize, reply: Reply) -> anyhow::Result<()> {
        if number > self.printed {
            self.waiting.insert(number, reply);
            return Ok(());
        }
        let mut next = Some(reply);
        while let Some(reply) = next {
            let print = || (self.print)(&self.lines[self.printed], reply);
            let printed = match &self.progress {
                Some(progress) => progress.suspend(print),
                None => print(),
            };
            printed.inspect_err(|_| self.cancel.store(true, Ordering::Relaxed))?;
            self.printed += 1;
            if let Some(progress) = &self.progress {
                progress.advance(1);
            }
            next = self.waiting.remove(&self.printed);
        }
        Ok(())
    }

    fn tell_progress(&mut self) {
        let begin = || {
            let progress = OnStderr::new(self.quiet);
            progress.start("solving", self.lines.len() as u64);
            progress.advance(self.printed as u64);
            progress
        };
        self.progress.get_or_insert_with(begin).tick();
    }
}

impl LookupArgs {
    /// What is printed in place of an answer.
    fn bad_line(&self, line: &Line, error: &str) -> String {
        match self.json {
            true => json!({ "position": line.text, "error": error }).to_string(),
            false => String::new(),
        }
    }

    /// What each move of a game was worth.
    fn review(&self, game: &Game, oracle: &Oracle, limits: &Limits) -> Result<String, OracleError> {
        let review = oracle.review(game, limits)?;
        Ok(match self.json {
            true => serde_json::to_string(&review).expect("a review has only text for keys"),
            false => print_review(&review),
        })
    }

    fn answer(
        &self,
        text: &str,
        position: Position,
        oracle: &Oracle,
        limits: &Limits,
    ) -> Result<String, OracleError> {
        if self.json || self.analyze {
            let mut knowledge = oracle.known(position);
            oracle.complete(&mut knowledge, limits, &mut |_| ())?;
            if self.json {
                let report = PositionReport::new(text, &knowledge);
                return Ok(serde_json::to_string(&report).expect("a report has only text for keys"));
            }
            let score = |score: Option<Score>| score.map_or(FULL_COLUMN, i32::from).to_string();
            let scores: Vec<String> = knowledge.move_scores().into_iter().map(score).collect();
            return Ok(format!("{text} {}", scores.join(" ")));
        }
        if self.pv {
            let score = oracle.score(position, limits)?.value;
            let line = oracle.principal_variation(position, limits)?.value;
            let line: String = line.into_iter().map(column_name).collect();
            return Ok(format!("{text} {score} {line}").trim_end().to_owned());
        }
        let score = if self.wdl {
            oracle.outcome(position, limits)?.value.sign()
        } else {
            oracle.score(position, limits)?.value
        };
        Ok([text, " ", &score.to_string()].concat())
    }

    fn answer_in_words(
        &self,
        text: &str,
        position: Position,
        oracle: &Oracle,
        limits: &Limits,
    ) -> Result<String, OracleError> {
        let mut knowledge = oracle.known(position);
        let score = match knowledge.score() {
            Some(known) => known.score,
            None => {
                let answer = oracle.score(position, limits)?;
                knowledge.learn_score(answer);
                answer.value
            }
        };
        let max_nodes = limits.max_nodes.map(|most| most.saturating_sub(knowledge.nodes()));
        let rest = Limits { max_nodes, ..limits.clone() };
        match oracle.complete(&mut knowledge, &rest, &mut |_| ()) {
            // The score is worth telling alone.
            Ok(()) | Err(OracleError::Stopped(_)) => {}
            Err(error) => return Err(error),
        }
        let text = match text.trim() {
            "" => "the empty board".to_owned(),
            text => text.replace('\n', "/"),
        };
        let moves = knowledge.move_scores();
        Ok(format!("{text}: {}", words::describe(position, score, &moves)))
    }
}
