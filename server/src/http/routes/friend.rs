//! Games of two people: `/v1/friend` creates, joins and plays, `/v1/friend/wait` returns the next
//! change.

use crate::http::daemon::State;
use crate::http::problem::{Problem, Result};
use crate::http::request::{JSON, Parameters, Query, body_of, given, members};
use crate::http::response::not_kept;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use fourbook::Player;
use fourbook::text::count;
use std::time::Duration;
use tokio::time::timeout;

/// The longest wait for a change. Proxies wait longer for an answer.
const WAIT: Duration = Duration::from_secs(25);

const EXAMPLE: &str = r#"{"token": "a secret of the player", "size": "7x6"}"#;

pub(super) async fn play(
    axum::extract::State(daemon): State,
    Query { address, .. }: Query,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result {
    let body = given(members(&body_of(&headers, &[JSON], body)?.0, EXAMPLE)?);
    let names = &["token", "game", "moves", "size", "side"];
    let body = Parameters::new(body, address, &[names], Problem::bad_body, EXAMPLE)?;
    let token = body.required("token")?;
    if !(8..=64).contains(&token.len()) {
        let found = count(token.len() as u64, "byte");
        return Err(
            body.invalid(&format!("token: expected a text of 8 to 64 bytes, found {found}"))
        );
    }
    let games = &daemon.games;
    let report = match body.text("game") {
        Some(game) => games.play(game, token, body.text("moves"))?,
        None => {
            let size = body.board(&daemon)?.size();
            let is_side = |side: &String| ["X", "O"].contains(&side.as_str());
            let side = body.value("side", "X or O", is_side)?;
            let side = if side.as_deref() == Some("O") { Player::O } else { Player::X };
            let moves = body.text("moves").unwrap_or_default();
            games.play(&games.create(size, moves, side, token, address)?, token, None)?
        }
    };
    Ok(not_kept(&report))
}

pub(super) async fn wait(daemon: State, query: Query) -> Result {
    let example = "/v1/friend/wait?game=0123456789abcdef&version=3";
    let query = Parameters::query(query, &[&["game", "version"]], example)?;
    let known = query.value("version", "the version of an earlier answer", |_: &usize| true)?;
    let mut game = daemon.games.follow(query.required("game")?)?;
    let longest = WAIT.min(daemon.options.deadline);
    // Without a place, the answer comes at once.
    if let Some(known) = known
        && let Ok(_place) = daemon.games.waiting.try_acquire()
        && let Ok(Err(_)) = timeout(longest, game.wait_for(|game| game.version() != known)).await
    {
        return Err(Problem::game_not_kept());
    }
    let report = game.borrow().report();
    Ok(not_kept(&report))
}
