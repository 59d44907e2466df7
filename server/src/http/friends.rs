//! Games of two people, kept in memory.

use super::problem::{Problem, Result};
use fourbook::board::{column_name, notation};
use fourbook::text::count;
use fourbook::{Player, Size};
use parking_lot::Mutex;
use prometheus_client::metrics::gauge::Gauge;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};

/// How long a game is kept after its last change.
const KEPT: Duration = Duration::from_secs(24 * 3600);

/// The games of a server.
pub(super) struct Games {
    kept: Mutex<HashMap<String, watch::Sender<Game>>>,
    /// The most games, a tenth of them from one address.
    most: usize,
    /// The requests that may wait for a change.
    pub(super) waiting: Semaphore,
    count: Gauge,
}

/// A game from the empty board.
#[derive(Clone, Debug)]
pub(super) struct Game {
    id: String,
    size: Size,
    moves: String,
    /// The secrets of X and O, if they have joined.
    players: [Option<String>; 2],
    /// The address that created the game.
    creator: Option<IpAddr>,
    /// When the server may forget it.
    ends: Instant,
}

impl Games {
    pub(super) fn new(most: usize, waiting: usize, count: Gauge) -> Self {
        Games {
            kept: Mutex::default(),
            most,
            waiting: Semaphore::new(waiting.min(Semaphore::MAX_PERMITS)),
            count,
        }
    }

    /// Creates a game that goes on from `moves`, and returns its name. The player with `token` has
    /// this `side`.
    pub(super) fn create(
        &self,
        size: Size,
        moves: &str,
        side: Player,
        token: &str,
        creator: Option<IpAddr>,
    ) -> Result<String> {
        let moves = canonical(size, moves)?;
        let mut kept = self.kept.lock();
        kept.retain(|_, game| game.borrow().ends > Instant::now());
        let alike =
            kept.values().filter(|game| creator.is_some() && game.borrow().creator == creator);
        if kept.len() >= self.most || alike.count() >= self.most.div_ceil(10) {
            return Err(Problem::too_many_games(format!(
                "this server keeps at most {}, a tenth of them for one address; try again later",
                count(self.most as u64, "game")
            )));
        }
        // Nobody can guess it.
        let id = format!("{:016x}", RandomState::new().hash_one(0));
        let mut players = [None, None];
        players[side as usize] = Some(token.to_owned());
        let game =
            Game { id: id.clone(), size, moves, players, creator, ends: Instant::now() + KEPT };
        kept.insert(id.clone(), watch::Sender::new(game));
        self.count.set(kept.len() as i64);
        Ok(id)
    }

    /// Calls a function with a game.
    fn with<T>(&self, id: &str, act: impl FnOnce(&watch::Sender<Game>) -> T) -> Result<T> {
        let kept = self.kept.lock();
        let game = kept.get(id).filter(|game| game.borrow().ends > Instant::now());
        game.map(act).ok_or_else(Problem::game_not_kept)
    }

    /// Returns the game, and its changes. They end when the game is removed.
    pub(super) fn follow(&self, id: &str) -> Result<watch::Receiver<Game>> {
        self.with(id, watch::Sender::subscribe)
    }

    /// Joins a game if a player is missing, and plays a move if `moves` has one more. Returns the
    /// report of the game, with the caller's side.
    pub(super) fn play(&self, id: &str, token: &str, moves: Option<&str>) -> Result<Value> {
        self.with(id, |sender| {
            let mut next = sender.borrow().clone();
            let is_changed = next.play(token, moves)?;
            let mut report = next.report();
            report["side"] = json!(next.side_of(token).map(|side| Player::BOTH[side]));
            sender.send_if_modified(|game| {
                *game = next;
                is_changed
            });
            Ok(report)
        })?
    }

    /// Removes all games, which ends every wait.
    pub(super) fn clear(&self) {
        self.kept.lock().clear();
    }
}

/// The moves, one character each.
fn canonical(size: Size, moves: &str) -> Result<String> {
    Ok(notation::columns(size, moves)?.into_iter().map(column_name).collect())
}

impl Game {
    fn side_of(&self, token: &str) -> Option<usize> {
        self.players.iter().position(|player| player.as_deref() == Some(token))
    }

    /// Joins and plays; returns whether the game has changed.
    fn play(&mut self, token: &str, moves: Option<&str>) -> Result<bool> {
        let before = self.version();
        if self.side_of(token).is_none()
            && let Some(free) = self.players.iter_mut().find(|player| player.is_none())
        {
            *free = Some(token.to_owned());
        }
        if let Some(moves) = moves {
            let Some(side) = self.side_of(token) else {
                let text = "two others play this game; watch it with /v1/friend/wait";
                return Err(Problem::not_a_player(text));
            };
            let moves = canonical(self.size, moves)?;
            let is_next = self.moves.len() % 2 == side
                && moves.len() == self.moves.len() + 1
                && moves.starts_with(&self.moves);
            if !is_next && moves != self.moves {
                return Err(Problem::out_of_turn(format!(
                    "expected the moves of the game, '{}', and one more of the player to move, {}; \
                     found '{moves}' from {}",
                    self.moves,
                    Player::BOTH[self.moves.len() % 2],
                    Player::BOTH[side]
                )));
            }
            self.moves = moves;
        }
        let is_changed = self.version() != before;
        if is_changed {
            self.ends = Instant::now() + KEPT;
        }
        Ok(is_changed)
    }

    /// The number of changes: players and moves.
    pub(super) fn version(&self) -> usize {
        self.players.iter().flatten().count() + self.moves.len()
    }

    /// The state of the game, as clients see it.
    pub(super) fn report(&self) -> Value {
        json!({
            "game": self.id,
            "size": self.size.to_string(),
            "moves": self.moves,
            "joined": self.players.iter().all(Option::is_some),
            "version": self.version(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_ends_some_time_after_its_last_move_and_makes_room() {
        let games = Games::new(1, 1, Gauge::default());
        let create = || games.create(Size::STANDARD, "", Player::X, "a secret", None);
        let id = create().unwrap();
        let end = || games.with(&id, |game| game.send_modify(|game| game.ends = Instant::now()));
        end().unwrap();
        assert!(games.follow(&id).is_err());
        let id = create().unwrap();
        assert!(create().is_err());
        let changes = games.follow(&id).unwrap();
        games.play(&id, "a secret", Some("4")).unwrap();
        assert!(changes.borrow().ends > Instant::now() + KEPT / 2);
    }
}
