//! Levels of play, against exact scores of small boards.

use crate::common::any_position;
use fourbook::board::column_name;
use fourbook::oracle::{Question, Step};
use fourbook::{Book, Level, Limits, Oracle, Outcome, Player, Position, Score, Size};
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::Duration;

/// Remembers the exact scores of positions, and of their mirror images.
struct Scores {
    oracle: Oracle,
    known: HashMap<u128, Score>,
}

impl Scores {
    fn new(size: Size) -> Self {
        let oracle = Oracle::without_book(size).unwrap();
        Scores { oracle, known: HashMap::new() }
    }

    fn of_moves(&mut self, position: Position) -> Vec<Option<Score>> {
        position.children().map(|child| child.map(|child| -self.of(child))).collect()
    }

    fn of(&mut self, position: Position) -> Score {
        let solve = || self.oracle.score(position).unwrap().value;
        *self.known.entry(position.canonical_key()).or_insert_with(solve)
    }
}

/// Plays a game and returns the winner, if there is one.
fn play(players: [Level; 2], seed: u64, scores: &mut Scores) -> Option<Player> {
    let mut position = Position::empty(scores.oracle.size());
    loop {
        let player = players[position.ply() as usize % 2];
        match player.choose(position, &scores.of_moves(position), seed) {
            Some(column) => position = position.play(column),
            None => return position.winner(),
        }
    }
}

/// Wins and losses of the stronger of two levels in games from the empty board, in which
/// they take turns to begin.
fn match_up(weaker: Level, stronger: Level, games: u64, scores: &mut Scores) -> (u64, u64) {
    let mut wins = 0;
    let mut losses = 0;
    for seed in 0..games {
        let mut players = [stronger, weaker];
        let mut colours = Player::BOTH;
        if seed % 2 == 1 {
            players.reverse();
            colours.reverse();
        }
        match play(players, seed, scores) {
            Some(winner) if winner == colours[0] => wins += 1,
            Some(_) => losses += 1,
            None => {}
        }
    }
    (wins, losses)
}

/// In 1,000 games each, the difference is far beyond chance: its standard deviation is at most 32
/// games.
#[test]
fn every_level_beats_the_one_below() {
    let mut scores = Scores::new(Size::new(5, 5).unwrap());
    for pair in Level::ALL.windows(2) {
        let (wins, losses) = match_up(pair[0], pair[1], 1000, &mut scores);
        assert!(wins > losses + 100, "{} against {}: {wins} to {losses}", pair[1], pair[0]);
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let mut scores = Scores::new(Size::new(5, 4).unwrap());
    let mut game = |seed| {
        let mut position = Position::empty(scores.oracle.size());
        let mut columns = Vec::new();
        while let Some(column) = Level::BEGINNER.choose(position, &scores.of_moves(position), seed)
        {
            columns.push(column);
            position = position.play(column);
        }
        columns
    };
    let games: Vec<_> = (0..20).map(&mut game).collect();
    assert_eq!(games, (0..20).map(&mut game).collect::<Vec<_>>());
    assert!((1..20).any(|seed| games[seed] != games[0]), "{games:?}");
}

static SMALL: LazyLock<Oracle> =
    LazyLock::new(|| patient(Oracle::without_book(Size::new(5, 5).unwrap()).unwrap()));

/// An oracle that takes any time for the move of a level.
fn patient(oracle: Oracle) -> Oracle {
    oracle.with_limits(Limits { max_time: Some(Duration::MAX), ..Limits::default() })
}

/// The scores of a position and of all its moves.
fn analyse(position: Position) -> (Score, Vec<Option<Score>>) {
    let analysis = SMALL.analyse(position).unwrap();
    (analysis.score().unwrap(), analysis.move_scores())
}

proptest! {
    #[test]
    fn a_perfect_player_gives_nothing_away(
        position in any_position(SMALL.size()),
        seed: u64,
    ) {
        let (score, moves) = analyse(position);
        let (chosen, stopped) = SMALL.choose_move(position, Level::PERFECT, seed).unwrap();
        prop_assert_eq!(stopped, None);
        prop_assert_eq!(chosen.is_none(), position.is_over());
        prop_assert!(chosen.is_none_or(|column| moves[column] == Some(score)));
    }

    /// Against any play, the outcome never becomes worse.
    #[test]
    fn a_perfect_player_ends_at_least_as_well_as_it_stands(
        start in any_position(SMALL.size()),
        seed: u64,
    ) {
        let player = start.to_move();
        let expected = Outcome::of(analyse(start).0);
        let mut position = start;
        while !position.is_over() {
            let level = if position.to_move() == player { Level::PERFECT } else { Level::BEGINNER };
            let (column, _) = SMALL.choose_move(position, level, seed).unwrap();
            position = position.play(column.unwrap());
        }
        let outcome = match position.winner() {
            Some(winner) if winner == player => Outcome::Win,
            Some(_) => Outcome::Loss,
            None => Outcome::Draw,
        };
        prop_assert!(outcome.sign() >= expected.sign(), "{:?} to {:?}", start, position);
    }

    /// Looking ahead finds the exact scores of the moves after which the game ends soon.
    #[test]
    fn looking_ahead_finds_what_exact_scores_say_within_the_horizon(
        position in any_position(SMALL.size()),
        seed: u64,
        level in prop::sample::select(&Level::ALL[..6]),
    ) {
        let (score, moves) = analyse(position);
        let oracle = Oracle::without_book(position.size()).unwrap();
        let mut query = oracle.query(position, Question::Play { level, seed }).unwrap();
        prop_assert_eq!(query.step(&Limits::default()).unwrap(), Step::Done);
        let known = query.known();
        let plies = level.horizon.unwrap();
        let is_soon = |score: Score| {
            let cells = position.size().cells();
            fourbook::board::plies_to_end(cells, position.ply(), score) <= plies && score != 0
        };
        for (known, &exact) in known.move_scores().iter().zip(&moves) {
            prop_assert!(known.is_none() || *known == exact);
            prop_assert!(known.is_some() || !exact.is_some_and(is_soon));
        }
        let bounds = known.bounds();
        prop_assert!(bounds.min <= score && score <= bounds.max);
        let chosen = level.choose(position, &moves, seed);
        prop_assert_eq!(query.choice(), (chosen, true));
        for level in Level::ALL {
            let (found, _) = SMALL.choose_move(position, level, seed).unwrap();
            prop_assert_eq!(found, level.choose(position, &moves, seed), "{}", level);
            let (decided, is_proved) = level.decide(known, seed);
            let is_best = decided.is_none_or(|column| moves[column] == Some(score));
            prop_assert!(!is_proved || level != Level::PERFECT || is_best);
        }
    }

    /// However early a limit ends the search, there is a move, and the proved bounds hold.
    #[test]
    fn a_player_with_little_time_still_moves(
        position in any_position(SMALL.size()),
        nodes in 0..300_u64,
    ) {
        let (score, moves) = analyse(position);
        let limits = Limits { max_nodes: Some(nodes), ..Limits::default() };
        let oracle = Oracle::without_book(position.size()).unwrap().with_limits(limits);
        let (column, stopped) = oracle.choose_move(position, Level::PERFECT, 1).unwrap();
        prop_assert_eq!(column.is_none(), position.is_over());
        match stopped {
            None => prop_assert!(column.is_none_or(|column| moves[column] == Some(score))),
            Some(stopped) => {
                let bounds = stopped.bounds.unwrap();
                prop_assert!(stopped.nodes <= nodes);
                prop_assert!((bounds.min..=bounds.max).contains(&score));
            }
        }
    }
}

/// The moves that the tests of every language expect: SIZE POSITION LEVEL SEED COLUMN.
#[test]
fn levels_play_the_same_moves_in_every_language() {
    let of_size = |size: &str| {
        let book = (size == "7x6").then(|| Oracle::new(Book::embedded()));
        patient(book.unwrap_or_else(|| Oracle::without_book(size.parse().unwrap())).unwrap())
    };
    let oracles = ["7x6", "9x7"].map(of_size);
    for line in include_str!("../data/levels/moves.txt").lines() {
        let [size, moves, level, seed, column] =
            line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let oracle = oracles.iter().find(|oracle| oracle.size().to_string() == size).unwrap();
        let position = Position::parse(oracle.size(), moves).unwrap();
        let level: Level = level.parse().unwrap();
        let seed = seed.parse().unwrap();
        let (found, _) = oracle.choose_move(position, level, seed).unwrap();
        assert_eq!(found.map(column_name).unwrap().to_string(), column, "{line}");
    }
}
