//! Strategies: made on boards of which all values are known, and followed against every opponent.

use crate::common::root;
use crate::python_reader::run_script;
use crate::truth::reachable;
use fourbook::generate::{GenerateError, Plan};
use fourbook::progress::{Progress, Step};
use fourbook::strategy::{self, StrategyPlan, StrategyReport};
use fourbook::{
    Book, Level, Limits, Oracle, Outcome, Player, Position, Score, Size, Source, Strategy,
    ValueKind,
};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub(crate) fn plan(
    folder: &Path,
    size: &str,
    player: Player,
    depth: u32,
    kind: ValueKind,
) -> StrategyPlan {
    let size: Size = size.parse().unwrap();
    let out = folder.join("x.strategy");
    let work = Plan {
        kind,
        threads: 2,
        table_bytes: 1 << 20,
        out,
        replace: true,
        ..Plan::new(size, depth)
    };
    StrategyPlan { work, player, has_values: false }
}

pub(crate) fn make(plan: &StrategyPlan) -> (StrategyReport, Strategy) {
    let report = strategy::make(plan, None, None, &()).unwrap();
    (report, Strategy::open(&plan.work.out).unwrap())
}

/// The number of positions that a strategy has.
fn count(strategy: &Strategy) -> u64 {
    strategy.info().plies.iter().map(|ply| ply.positions).sum()
}

fn value(oracle: &Oracle, position: Position, kind: ValueKind) -> Score {
    kind.of(oracle.score(position).unwrap().value)
}

/// Plays all games in which the player follows the strategy, each position once. Every move is a
/// best one. Returns the number of positions that the strategy has.
fn follow(strategy: &Strategy, oracle: &Oracle) -> u64 {
    let mut seen = HashSet::new();
    let mut stack = vec![Position::empty(strategy.size())];
    let mut found = 0;
    while let Some(position) = stack.pop() {
        if position.is_over()
            || position.ply() > strategy.depth()
            || !seen.insert(position.canonical())
        {
            continue;
        }
        if position.to_move() != strategy.player() {
            stack.extend(position.children().flatten());
            continue;
        }
        if position.can_win_at_once() {
            assert_eq!(strategy.best_move(position), None);
            continue;
        }
        let column = strategy.best_move(position).expect("every reply has an answer");
        let mirrored = strategy.best_move(position.mirrored());
        let is_symmetric = position == position.mirrored();
        assert!(is_symmetric || mirrored == Some(strategy.size().width() - 1 - column));
        let child = position.play(column);
        let kind = strategy.kind();
        let before = value(oracle, position, kind);
        assert_eq!(-value(oracle, child, kind), before, "{position:?}");
        let expected = strategy.has_values().then_some(before);
        assert_eq!(strategy.look_up(position), expected);
        found += 1;
        stack.push(child);
    }
    found
}

#[test]
fn every_reply_is_answered_with_a_best_move() {
    let folder = tempfile::tempdir().unwrap();
    for (size, depth) in [("4x4", 15), ("5x4", 9), ("4x5", 12), ("6x4", 6)] {
        let oracle = Oracle::without_book(size.parse().unwrap()).unwrap();
        for player in Player::BOTH {
            for kind in [ValueKind::Scores, ValueKind::WinDrawLoss] {
                for has_values in [false, true] {
                    let plan = plan(folder.path(), size, player, depth, kind);
                    let plan = StrategyPlan { has_values, ..plan };
                    let (report, strategy) = make(&plan);
                    assert_eq!(strategy.kind(), kind);
                    let found = follow(&strategy, &oracle);
                    assert_eq!(report.strategy, strategy.info());
                    assert_eq!(found, count(&strategy));
                    let empty = value(&oracle, Position::empty(strategy.size()), kind);
                    let expected = if player == Player::X { empty } else { -empty };
                    assert_eq!(strategy.value(), expected);
                    let all = strategy::verify(&strategy, u64::MAX, 1, &oracle, &()).unwrap();
                    assert_eq!(all.proved, Some(expected));
                    assert!(all.passed(&strategy) && all.solved > 0);
                    let some = strategy::verify(&strategy, 3, 1, &oracle, &()).unwrap();
                    assert!(some.passed(&strategy) && some.proved.is_none_or(|_| all.solved <= 3));
                    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
                }
            }
        }
    }
}

#[test]
fn an_oracle_answers_from_strategies() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), "5x4", Player::X, 4, ValueKind::Scores);
    let (_, strategy) = make(&StrategyPlan { has_values: true, ..plan.clone() });
    let limits = Limits { max_nodes: Some(0), ..Limits::default() };
    let solver = Oracle::without_book(strategy.size()).unwrap().with_limits(limits);
    let empty = Position::empty(strategy.size());
    assert!(solver.score(empty).is_err() && solver.best_move(empty).is_err());
    let column = strategy.best_move(empty);
    let oracle = solver.with_strategies([strategy]).unwrap();
    let score = oracle.score(empty).unwrap();
    assert_eq!((score.value, score.source, score.nodes), (0, Source::Strategy, 0));
    let best = oracle.best_move(empty).unwrap();
    assert_eq!((best.value, best.source), (column, Source::Strategy));
    let known = oracle.known(empty).unwrap();
    assert_eq!((known.score(), known.source()), (Some(0), Some(Source::Strategy)));
    assert_eq!(oracle.choose_move(empty, Level::PERFECT, 1).unwrap(), (column, None));
    assert_eq!(oracle.known(empty).unwrap().best_moves(), Vec::from_iter(column));
    // The opponent's moves are not in it.
    assert!(oracle.best_move(empty.play(2)).is_err());
    // Outcomes are enough for the perfect level only.
    let work = Plan { kind: ValueKind::WinDrawLoss, ..plan.work.clone() };
    let (_, strategy) = make(&StrategyPlan { work, ..plan });
    let oracle = solver.with_strategies([strategy.clone()]).unwrap();
    assert!(oracle.score(empty).is_err() && oracle.best_move(empty).is_err());
    let column = strategy.best_move(empty);
    assert_eq!(oracle.choose_move(empty, Level::PERFECT, 1).unwrap(), (column, None));
    let refused = |oracle: &Oracle, strategies: Vec<Strategy>| {
        oracle.with_strategies(strategies).unwrap_err().to_string()
    };
    // The book is first where it has an answer.
    let other = Oracle::new(Book::embedded()).unwrap();
    let both = other.with_strategies(Strategy::embedded_for(Size::STANDARD)).unwrap();
    assert_eq!(both.best_move(Position::default()).unwrap().source, Source::Book);
    let text = refused(&other, vec![strategy.clone()]);
    assert!(
        text.contains("strategies for 7x6 boards, one for each player, found another: 5x4 for X"),
        "{text}"
    );
    let text = refused(&solver, vec![strategy.clone(), strategy]);
    assert!(text.contains("found another: 5x4 for X"), "{text}");
}

/// Each strategy bounds the score of the empty board from one side.
#[test]
fn strategies_prove_what_the_empty_board_is_worth() {
    let limits = Limits { max_nodes: Some(0), ..Limits::default() };
    let oracle = |size: &str| {
        let size = size.parse().unwrap();
        let solver = Oracle::without_book(size).unwrap().with_limits(limits.clone());
        (Position::empty(size), solver.with_strategies(Strategy::embedded_for(size)).unwrap())
    };
    let (empty, first_wins) = oracle("8x7");
    let outcome = first_wins.outcome(empty).unwrap();
    assert_eq!((outcome.value, outcome.source, outcome.nodes), (Outcome::Win, Source::Strategy, 0));
    assert!(first_wins.score(empty).is_err());
    for (moves, expected) in [("44", Outcome::Win), ("4", Outcome::Loss)] {
        let position = Position::parse(empty.size(), moves).unwrap();
        let outcome = first_wins.outcome(position).unwrap();
        assert_eq!((outcome.value, outcome.nodes), (expected, 0), "{moves}");
    }
    let (empty, nobody_wins) = oracle("7x7");
    let score = nobody_wins.score(empty).unwrap();
    assert_eq!((score.value, score.source, score.nodes), (0, Source::Strategy, 0));
}

#[test]
fn bounds_that_a_strategy_proves_hold_in_every_position() {
    let folder = tempfile::tempdir().unwrap();
    for size in ["5x4", "6x4"] {
        let solver = Oracle::without_book(size.parse().unwrap()).unwrap();
        for (player, kind) in [
            (Player::X, ValueKind::Scores),
            (Player::O, ValueKind::Scores),
            (Player::X, ValueKind::WinDrawLoss),
            (Player::O, ValueKind::WinDrawLoss),
        ] {
            let (_, strategy) = make(&plan(folder.path(), size, player, 6, kind));
            let is_lost = strategy.value() < 0;
            let oracle = solver.with_strategies([strategy]).unwrap();
            let mut bounded = 0;
            for position in reachable(solver.size(), 5).into_iter().flatten() {
                let bounds = oracle.known(position).unwrap().bounds();
                bounded += u32::from(bounds != solver.known(position).unwrap().bounds());
                let score = solver.score(position).unwrap().value;
                assert!((bounds.min..=bounds.max).contains(&score), "{position}, {bounds:?}");
            }
            assert!(is_lost || bounded > 20, "{size} {player:?} {kind:?} {bounded}");
        }
    }
}

/// The plies and canonical keys of the positions that a strategy has.
fn positions(strategy: &Strategy) -> BTreeSet<(u32, u128)> {
    let mut found = BTreeSet::new();
    let mut stack = vec![Position::empty(strategy.size())];
    while let Some(position) = stack.pop() {
        if position.to_move() != strategy.player() {
            stack.extend(position.children().flatten());
        } else if let Some(column) = strategy.best_move(position)
            && found.insert((position.ply(), position.canonical_key()))
        {
            stack.push(position.play(column));
        }
    }
    found
}

/// The files of `books/conformance/strategies`: of each its name, its bytes, and a line for each position
/// if it is right. `FOURBOOK_WRITE=1 cargo test --test library strategy` writes them.
fn conformance_set() -> Vec<(String, Vec<u8>, Option<String>)> {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (player, kind) in [(Player::X, ValueKind::Scores), (Player::O, ValueKind::WinDrawLoss)] {
        for has_values in [true, false] {
            let plan = plan(folder.path(), "6x4", player, 7, kind);
            let (_, strategy) = make(&StrategyPlan { has_values, ..plan.clone() });
            let mut lines = String::new();
            for (_, key) in positions(&strategy) {
                let position = Position::from_key(strategy.size(), key).unwrap();
                lines += &format!("{key} {}", strategy.best_move(position).unwrap());
                if let Some(value) = strategy.look_up(position) {
                    lines += &format!(" {value}");
                }
                lines += "\n";
            }
            let player = if player == Player::X { "first-scores" } else { "second-outcomes" };
            let values = if has_values { "-values" } else { "" };
            let name = format!("valid-6x4-{player}{values}");
            files.push((name, std::fs::read(&plan.work.out).unwrap(), Some(lines)));
        }
    }
    let good = files[0].1.clone();
    for (name, at) in [("magic", 0), ("version", 8), ("header", 20), ("moves", good.len() - 1)] {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        files.push((format!("refused-{name}"), bytes, None));
    }
    files.push(("refused-cut".to_owned(), good[..good.len() - 1].to_vec(), None));
    files.push(("refused-too-long".to_owned(), [&good[..], &[1]].concat(), None));
    files
}

#[test]
fn the_conformance_set_is_current_and_readers_agree_with_it() {
    let folder = root().join("books/conformance/strategies");
    for (name, bytes, lines) in conformance_set() {
        let path = folder.join(format!("{name}.strategy"));
        let list = folder.join(format!("{name}.moves"));
        if std::env::var_os("FOURBOOK_WRITE").is_some() {
            std::fs::write(&path, &bytes).unwrap();
            if let Some(lines) = &lines {
                std::fs::write(&list, lines).unwrap();
            }
        }
        assert!(std::fs::read(&path).unwrap() == bytes, "{name}");
        assert_eq!(std::fs::read_to_string(&list).ok(), lines, "{name}");
        assert_eq!(Strategy::from_bytes(&bytes).is_ok(), lines.is_some(), "{name}");
        // This reader was written from `docs/src/format.md` alone.
        if let Some((text, code)) = run_script("read_strategy.py", &path, "") {
            assert_eq!(code, i32::from(lines.is_none()), "{name}: {text}");
            assert!(lines.is_none_or(|lines| lines == text), "{name}");
        }
    }
}

/// The bytes of the example in `docs/src/format.md`.
#[test]
fn the_bytes_are_those_of_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let (_, strategy) = make(&plan(folder.path(), "4x4", Player::X, 4, ValueKind::Scores));
    let bytes = std::fs::read(folder.path().join("x.strategy")).unwrap();
    let lines = bytes.chunks(16).map(|line| {
        let halves = line.chunks(8).map(|half| {
            half.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
        });
        halves.collect::<Vec<_>>().join("  ")
    });
    let example = lines.collect::<Vec<_>>().join("\n");
    let format = std::fs::read_to_string(root().join("docs/src/format.md")).unwrap();
    assert!(format.contains(&example), "{example}");
    let column = |moves| strategy.best_move(Position::parse(strategy.size(), moves).unwrap());
    assert_eq!(["", "22", "111"].map(column), [Some(1), Some(3), None]);
}

/// The files of `books/strategies` are what their reports say, and keep the value of the empty board.
/// Those in the library are among them.
#[test]
fn shipped_strategies_agree_with_their_reports() {
    let mut shipped = Vec::new();
    for entry in std::fs::read_dir(root().join("books/strategies")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            continue;
        }
        let strategy = Strategy::open(&path).unwrap();
        let report = std::fs::read_to_string(format!("{}.json", path.display())).unwrap();
        let report: StrategyReport = serde_json::from_str(&report).unwrap();
        assert_eq!(report.strategy, strategy.info());
        assert_eq!(report.bytes, std::fs::metadata(&path).unwrap().len());
        let start = Position::empty(strategy.size());
        // Without a book, the board is 8x7: the first player wins.
        let value = match Book::embedded_for(strategy.size()) {
            Some(book) => strategy.kind().of(book.look_up(start).unwrap().score().unwrap()),
            None => 1,
        };
        let expected = if strategy.player() == Player::X { value } else { -value };
        assert_eq!(strategy.value(), expected, "{}", path.display());
        shipped.push(strategy.info());
    }
    let embedded = Size::all().flat_map(Strategy::embedded_for);
    let missing: Vec<_> = embedded.filter(|it| !shipped.contains(&it.info())).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(shipped.len() > 40);
}

/// The first player has no move at an odd ply.
#[test]
fn a_file_is_named_after_its_last_moves() {
    let named =
        |depth, player| plan(Path::new("."), "7x6", player, depth, ValueKind::Scores).default_out();
    assert_eq!(named(9, Player::X), Path::new("7x6-first-d8.strategy"));
    assert_eq!(named(9, Player::O), Path::new("7x6-second-d9.strategy"));
}

/// Any changed bit and any cut is noticed when the file is opened.
#[test]
fn damage_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), "5x4", Player::X, 6, ValueKind::Scores);
    make(&plan);
    let good = std::fs::read(&plan.work.out).unwrap();
    for bit in 0..good.len() * 8 {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(Strategy::from_bytes(&bytes).is_err(), "bit {bit}");
    }
    for length in 0..good.len() {
        assert!(Strategy::from_bytes(&good[..length]).is_err(), "cut to {length}");
    }
    let error = Strategy::open(root().join("books/7x6-d8.book")).unwrap_err();
    let error = fourbook::with_causes(&error);
    assert!(error.contains("expected a strategy"), "{error}");
}

/// A deeper strategy keeps the moves of a shallower one.
#[test]
fn a_strategy_is_extended() {
    let folder = tempfile::tempdir().unwrap();
    let shallow = plan(folder.path(), "5x4", Player::O, 5, ValueKind::WinDrawLoss);
    let (_, base) = make(&shallow);
    let mut deep = shallow.clone();
    deep.work.depth = 9;
    let extend = |plan: &StrategyPlan| strategy::make(plan, None, Some(&base), &());
    let report = extend(&deep).unwrap();
    let extended = Strategy::open(&deep.work.out).unwrap();
    let oracle = Oracle::without_book(base.size()).unwrap();
    follow(&extended, &oracle);
    assert_eq!((report.strategy.depth, extended.value()), (9, base.value()));
    assert_eq!(base.info().plies[..], extended.info().plies[..3]);
    let other = StrategyPlan { player: Player::X, ..deep };
    let error = extend(&other).unwrap_err().to_string();
    assert!(error.contains("expected a strategy of 5x4 for X"), "{error}");
}

/// Cancels a run when some positions are solved.
struct CancelAfter {
    positions: u64,
    solved: AtomicU64,
    cancel: Arc<AtomicBool>,
}

impl Progress for CancelAfter {
    fn begin(&self, _: Step, _: u64, _: u64) {}

    fn advance(&self, units: u64) {
        let solved = self.solved.fetch_add(units, Ordering::Relaxed) + units;
        self.cancel.store(solved >= self.positions, Ordering::Relaxed);
    }

    fn cancel(&self) -> Option<&Arc<AtomicBool>> {
        Some(&self.cancel)
    }
}

/// Interrupts a run after some positions. Returns its checkpoint.
fn interrupt(plan: &StrategyPlan, positions: u64) -> PathBuf {
    let progress = CancelAfter { positions, solved: AtomicU64::new(0), cancel: Arc::default() };
    let stopped = strategy::make(plan, None, None, &progress);
    assert!(matches!(stopped, Err(GenerateError::Interrupted { .. })), "{stopped:?}");
    plan.work.checkpoint_file()
}

/// The checkpoint has the work of all runs.
#[test]
fn a_run_that_is_resumed_reports_the_work_of_all() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), "5x4", Player::X, 8, ValueKind::Scores);
    let whole = make(&plan).0.solving;
    assert_eq!(whole.runs, 1);
    for positions in [20, 20] {
        interrupt(&plan, positions);
    }
    let resumed = make(&plan).0.solving;
    assert_eq!((resumed.runs, resumed.positions), (3, whole.positions));
    // The table of the first run is lost.
    assert!(resumed.nodes > whole.nodes / 2, "{resumed:?}, {whole:?}");
}

/// A run that was interrupted, or whose checkpoint was damaged, makes the same strategy.
#[test]
fn no_damaged_byte_of_a_checkpoint_makes_another_strategy() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), "5x4", Player::X, 4, ValueKind::Scores);
    let (report, _) = make(&plan);
    let good = std::fs::read(&plan.work.out).unwrap();
    let checkpoint = interrupt(&plan, 6);
    let begun = std::fs::read(&checkpoint).unwrap();
    let positions = begun.len() / 64 - 2;
    assert!(positions >= 6 && positions < report.solving.positions as usize);
    for at in 0..begun.len() {
        let mut damaged = begun.clone();
        damaged[at] ^= 1 << (at % 8);
        // The header takes 26 bytes.
        for bytes in [&damaged[..], &begun[..at.max(26)]] {
            std::fs::write(&checkpoint, bytes).unwrap();
            make(&plan);
            assert!(std::fs::read(&plan.work.out).unwrap() == good, "byte {at}");
        }
    }
}

/// Another file in the place of a checkpoint is left as it is, however short.
#[test]
fn the_checkpoint_of_another_board_or_kind_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |player, kind| plan(folder.path(), "5x4", player, 4, kind);
    let exact = plan(Player::X, ValueKind::Scores);
    let checkpoint = interrupt(&exact, 20);
    let begun = std::fs::read(&checkpoint).unwrap();
    let outcomes = plan(Player::X, ValueKind::WinDrawLoss);
    let found = "expected values of 5x4 boards (win, draw or loss), found values of 5x4 boards \
                 (exact scores)";
    for (plan, content, expected) in [
        (&outcomes, &begun[..], found),
        (&exact, b"x", "it does not begin as such a file does"),
        (&exact, &begun[..25], "expected 26 bytes, found 25"),
    ] {
        std::fs::write(&checkpoint, content).unwrap();
        let refused = strategy::make(plan, None, None, &());
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
        assert!(refused.ends_with("remove it to start anew, or write to another file to keep it"));
        assert!(std::fs::read(&checkpoint).unwrap() == content);
    }
    // It serves both players.
    std::fs::write(&checkpoint, &begun).unwrap();
    let report = make(&plan(Player::O, ValueKind::Scores)).0;
    assert_eq!(report.solving.runs, 2);
}
