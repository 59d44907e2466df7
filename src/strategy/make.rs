//! Making strategies.

use super::coder::Encoder;
use super::moves::{Choice, Entry, Met, choices, replies};
use super::solved::Solved;
use super::{
    ENVELOPE, Header, MOST_POSITIONS, Strategy, StrategyInfo, code_plies, first_ply, side,
};
use crate::book::{Book, BookError};
use crate::files;
use crate::generate::{Effort, GenerateError, Plan, file_suffix};
use crate::progress::Progress;
use fourbook_solver::board::{Board, Player, Score, Word};
use fourbook_solver::text::count;
use fourbook_solver::{ValueKind, with_word};
use serde::{Deserialize, Serialize};
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::path::PathBuf;

/// The most empty cells of positions whose moves are all solved, so that the best of equal moves can
/// be chosen. With more, the first best move is taken.
const CELLS_TO_SOLVE_ALL: u32 = 42;

/// A strategy to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyPlan {
    /// The board, the ply of the last moves, the kind of the values, and the file. The strategy of
    /// exact scores wins as soon and loses as late as it can.
    pub work: Plan,
    /// The player whose moves it has.
    pub player: Player,
    /// Whether to keep the values of the positions beside the moves.
    pub has_values: bool,
}

/// How a strategy was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrategyReport {
    /// The contents of the file.
    #[serde(flatten)]
    pub strategy: StrategyInfo,
    /// The bytes of the file.
    pub bytes: u64,
    /// The work of all runs together.
    pub solving: Effort,
}

/// Makes a strategy, or resumes an interrupted run: values that were solved are in the checkpoint,
/// which serves every strategy of the board and kind. `book` answers what it has. The moves of `base`,
/// a strategy of the same player, are kept.
///
/// Setting the flag of `progress` stops it.
///
/// # Errors
///
/// If the file or the checkpoint cannot be used, `base` is another kind of strategy, the system lacks
/// memory or threads, or the run was cancelled.
pub fn make(
    plan: &StrategyPlan,
    book: Option<&Book>,
    base: Option<&Strategy>,
    progress: &dyn Progress,
) -> Result<StrategyReport, GenerateError> {
    plan.check(base)?;
    let solved = Solved::open(&plan.work, book, progress)?;
    let maker = Maker { plan, solved };
    with_word!(plan.work.size, B => maker.run::<B>(base))
}

impl StrategyPlan {
    /// A file name made from the board, the player, the ply of the last moves and the kind, such as
    /// `7x6-first-d8.strategy`.
    pub fn default_out(&self) -> PathBuf {
        let Plan { size, kind, .. } = self.work;
        let depth = self.header().depth;
        let side = side(self.player);
        format!("{size}-{side}-d{depth}{}.strategy", file_suffix(kind)).into()
    }

    /// Checks whether the file can be written, and whether `base` is a shallower strategy of this
    /// plan.
    fn check(&self, base: Option<&Strategy>) -> Result<(), GenerateError> {
        let Plan { size, depth, .. } = self.work;
        self.work.check_output()?;
        let player = self.player;
        let first = first_ply(player);
        if !(first..size.cells()).contains(&depth) {
            let last = size.cells() - 1;
            let expected = format!("a depth from {first} to {last} for {player} on {size}");
            return Err(GenerateError::Depth { expected, found: depth.to_string() });
        }
        let Some(base) = base else { return Ok(()) };
        let Header { depth, value, positions, checksum, .. } = base.header;
        let header = self.header();
        if base.header == (Header { depth, value, positions, checksum, ..header }) {
            return Ok(());
        }
        let expected = format!("{size} for {player}, {}", header.kept());
        Err(GenerateError::Base { expected, found: base.to_string() })
    }

    fn header(&self) -> Header {
        let Plan { size, depth, kind, .. } = self.work;
        let first = first_ply(self.player);
        Header {
            width: size.width() as u8,
            height: size.height() as u8,
            player: self.player,
            kind,
            depth: first + depth.saturating_sub(first) / 2 * 2,
            has_values: self.has_values,
            value: 0,
            positions: 0,
            checksum: 0,
        }
    }
}

struct Maker<'a> {
    plan: &'a StrategyPlan,
    solved: Solved<'a>,
}

impl Maker<'_> {
    fn run<B: Word>(self, base: Option<&Strategy>) -> Result<StrategyReport, GenerateError> {
        let plan = self.plan;
        let size = plan.work.size;
        let wanted = plan.header();
        let mut header = Header { value: base.map_or(0, |base| base.header.value), ..wanted };
        let mut bits = Encoder::new();
        code_plies(&mut bits, size, &wanted, |ply, met: &[Met<B>]| {
            header.positions += met.len() as u32;
            if header.positions > MOST_POSITIONS {
                let expected = format!("at most {}", count(MOST_POSITIONS, "position"));
                return Err(GenerateError::Depth { expected, found: format!("more at ply {ply}") });
            }
            if let Some(ply) = base.and_then(|base| base.plies().get(ply as usize / 2)) {
                return Ok(ply.entries.clone());
            }
            let entries = self.choose(ply, met)?;
            if ply == first_ply(plan.player) {
                header.value = entries.iter().map(|entry| entry.value).min().unwrap_or_default();
            }
            Ok(entries)
        })?;
        let moves = bits.finish();
        header.checksum = crc32fast::hash(&moves);
        let envelope = ENVELOPE.seal(&header).expect("a header fits its envelope");
        let bytes = [envelope, moves].concat();
        let solving = self.solved.effort();
        let strategy = Strategy::from_bytes(&bytes)?.info();
        let report = StrategyReport { strategy, bytes: bytes.len() as u64, solving };
        self.write(&bytes, &report)?;
        self.solved.remove()?;
        Ok(report)
    }

    fn write(&self, bytes: &[u8], report: &StrategyReport) -> Result<(), GenerateError> {
        let Plan { out, replace, .. } = &self.plan.work;
        let report_file = self.plan.work.report_file();
        let report =
            serde_json::to_string_pretty(report).expect("a report has names for its fields");
        files::write_whole(out, *replace, |file| file.write_all(bytes))
            .map_err(BookError::io("write", out))?;
        let written = files::replace(&report_file, |file| writeln!(file, "{report}"));
        Ok(written.map_err(BookError::io("write", &report_file))?)
    }

    /// Chooses a best move in each position of a ply.
    fn choose<B: Word>(&self, ply: u32, met: &[Met<B>]) -> Result<Vec<Entry>, GenerateError> {
        let mut positions: Vec<Open<B>> = met.iter().map(|met| Open::new(met.board)).collect();
        let mut shared = HashMap::new();
        for choice in positions.iter().flat_map(|position| &position.choices) {
            *shared.entry(choice.after).or_insert(0) += 1;
        }
        for position in &mut positions {
            // Those that most positions share first.
            position.choices.sort_by_key(|choice| -shared[&choice.after]);
        }
        let solves_all = self.plan.work.size.cells() - ply <= CELLS_TO_SOLVE_ALL;
        let mut solved = 0;
        loop {
            let mut questions = Vec::new();
            for position in &mut positions {
                position.learn(self.plan, &self.solved)?;
                if position.is_open(self.plan) {
                    questions.extend(position.questions(
                        self.plan.work.kind,
                        &self.solved,
                        solves_all,
                    )?);
                }
            }
            if questions.is_empty() {
                break;
            }
            questions.sort_unstable_by_key(|board| board.key());
            questions.dedup();
            let questions: Vec<_> = questions.into_iter().map(Board::widen).collect();
            solved = self.solved.solve(ply, solved, &questions)?;
        }
        Ok(cover(&positions))
    }
}

/// A position, and the values known of its moves.
struct Open<B: Word> {
    board: Board<B>,
    choices: Vec<Choice<B>>,
    /// The values of the moves, for the player.
    values: Vec<Option<Score>>,
    /// The value of the position.
    value: Option<Score>,
}

impl<B: Word> Open<B> {
    fn new(board: Board<B>) -> Self {
        let choices = choices(board);
        Open { board, values: vec![None; choices.len()], choices, value: None }
    }

    /// Takes the solved values, and the values that follow from them.
    fn learn(&mut self, plan: &StrategyPlan, solved: &Solved<'_>) -> Result<(), GenerateError> {
        for (choice, value) in self.choices.iter().zip(&mut self.values) {
            if value.is_none() {
                *value = solved.value_by_moves(choice.after)?.map(|value| -value);
            }
        }
        if self.value.is_none() {
            self.value = solved.value(self.board.widen())?;
        }
        let Plan { size, kind, .. } = plan.work;
        let most = *kind.possible_values(size, self.board.ply()).end();
        let best = self.best();
        if self.values.iter().all(Option::is_some) || best == Some(most) {
            self.value = best;
        }
        let mut unknown = self.values.iter_mut().filter(|value| value.is_none());
        if let (Some(only), None) = (unknown.next(), unknown.next())
            && best < self.value
        {
            // Some move reaches the value.
            *only = self.value;
        }
        Ok(())
    }

    /// The best value of the moves that are known.
    fn best(&self) -> Option<Score> {
        self.values.iter().flatten().max().copied()
    }

    /// Whether no best move is known, or the value is missing. A forced move needs no value.
    fn is_open(&self, plan: &StrategyPlan) -> bool {
        let is_forced = self.choices.len() == 1 && !plan.has_values;
        !is_forced && (self.value.is_none() || self.best() < self.value)
    }

    /// The positions to solve next.
    fn questions(
        &self,
        kind: ValueKind,
        solved: &Solved<'_>,
        solves_all: bool,
    ) -> Result<Vec<Board<B>>, BookError> {
        let pairs = self.choices.iter().zip(&self.values);
        let mut unknown =
            pairs.filter(|(_, value)| value.is_none()).map(|(choice, _)| choice.after);
        if solves_all {
            let count = match kind {
                ValueKind::Scores => self.choices.len(),
                // The first one often keeps the outcome.
                ValueKind::WinDrawLoss => 1,
            };
            return Ok(unknown.take(count).collect());
        }
        if self.value.is_none() && self.best().is_some() {
            return Ok(vec![self.board]);
        }
        // The replies to one move: each takes less time, so an interruption costs less.
        let mut questions = Vec::new();
        for board in unknown.next().into_iter().flat_map(replies) {
            if solved.value(board.widen())?.is_none() {
                questions.push(board);
            }
        }
        Ok(questions)
    }
}

/// Chooses a best move in each position, so that few positions follow: again and again, the one after
/// which most positions are left without a move, and of equal ones that with the fewest new replies.
fn cover<B: Word>(positions: &[Open<B>]) -> Vec<Entry> {
    let mut sharing: HashMap<Board<B>, Vec<usize>> = HashMap::new();
    for (number, position) in positions.iter().enumerate() {
        for (choice, value) in position.choices.iter().zip(&position.values) {
            if *value == position.value {
                sharing.entry(choice.after).or_default().push(number);
            }
        }
    }
    let mut chosen: Vec<Option<Board<B>>> = vec![None; positions.len()];
    let mut met: HashSet<Board<B>> = HashSet::new();
    let worth = |after: Board<B>, chosen: &[Option<Board<B>>], met: &HashSet<Board<B>>| {
        let open = sharing[&after].iter().filter(|&&number| chosen[number].is_none()).count();
        let new = replies(after).filter(|board| !met.contains(board)).count();
        (open, std::cmp::Reverse(new), after)
    };
    let mut heap: BinaryHeap<_> =
        sharing.keys().map(|&after| worth(after, &chosen, &met)).collect();
    while let Some(before) = heap.pop() {
        let after = before.2;
        let now = worth(after, &chosen, &met);
        if now.0 == 0 {
            continue;
        }
        if now < before {
            heap.push(now);
            continue;
        }
        for &number in &sharing[&after] {
            chosen[number].get_or_insert(after);
        }
        met.extend(replies(after));
    }
    positions
        .iter()
        .zip(chosen)
        .map(|(position, chosen): (&Open<B>, Option<Board<B>>)| {
            let choice = position.choices.iter().find(|choice| Some(choice.after) == chosen);
            let column = choice.expect("a best move is chosen").column as u8;
            Entry { column, value: position.value.unwrap_or_default() }
        })
        .collect()
}
