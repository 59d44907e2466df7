//! Playing: `/v1/game` reviews a game, `/v1/line` is the principal variation, `/v1/move` the move
//! that a level chooses.

use crate::http::daemon::State;
use crate::http::problem::{Problem, Result};
use crate::http::request::{LIMITS, POSITION, Parameters, Query};
use crate::http::response::not_kept;
use axum::http::HeaderMap;
use fourbook::Level;
use fourbook::board::{column_name, notation::GameRecord};
use fourbook::level::random_seed;
use fourbook::oracle::{Explanation, Game, PositionReport};
use serde_json::json;
use std::time::Instant;

pub(super) async fn game(daemon: State, headers: HeaderMap, query: Query) -> Result {
    let query = Parameters::query(query, &[&["moves", "size"], LIMITS], "/v1/game?moves=4453")?;
    let loaded = query.board(&daemon)?;
    let game = Game::parse(loaded.size(), query.required("moves")?.trim())?;
    let request = query.request(&daemon, loaded, game.end())?;
    let validators = request.validators("game");
    if validators.match_request(&headers) {
        return Ok(validators.not_modified());
    }
    Ok(validators.json(&request.review(&game).await?))
}

pub(super) async fn line(daemon: State, headers: HeaderMap, query: Query) -> Result {
    let query = Parameters::query(query, &[POSITION, LIMITS], "/v1/line?moves=4453")?;
    let (request, text) = query.position(&daemon)?;
    let validators = request.validators("line");
    if validators.match_request(&headers) {
        return Ok(validators.not_modified());
    }
    let (score, line) = request.line().await?;
    Ok(validators.json(&json!({
        "position": text,
        "size": request.loaded.size().to_string(),
        "score": score,
        "line": line.iter().map(|&column| column_name(column)).collect::<String>(),
        "explanation": Explanation::new(request.position, &line),
    })))
}

pub(super) async fn choose(daemon: State, headers: HeaderMap, query: Query) -> Result {
    let example = "/v1/move?moves=4453&level=casual&seed=7";
    let query = Parameters::query(query, &[POSITION, &["level", "seed"], LIMITS], example)?;
    let level: Level = query.named("level")?.unwrap_or_default();
    let range = "a whole number from 0 to 18446744073709551615";
    let given_seed = query.value("seed", range, |_| true)?;
    let seed = given_seed.unwrap_or_else(random_seed);
    let (mut request, text) = query.position(&daemon)?;
    if LIMITS.iter().all(|limit| query.text(limit).is_none()) {
        request.deadline = request.deadline.min(Instant::now() + Level::USUAL_TIME);
    }
    let validators = request.validators(&format!("move-{level}-{seed}"));
    if given_seed.is_some() && validators.match_request(&headers) {
        return Ok(validators.not_modified());
    }
    let (column, bounds, is_whole) = request.choose(level, seed).await?;
    let report = |column| {
        let after = request.position.play(column);
        // Other forms of moves, or a link to them, cannot be continued as they are.
        let record = query.text("moves").map(|it| GameRecord::parse_moves(after.size(), it));
        let text = match record {
            Some(Ok(record)) => {
                record.made().iter().copied().chain([column]).map(column_name).collect()
            }
            _ => format!("key:{}", after.key()),
        };
        Ok::<_, Problem>(PositionReport::new(text, request.loaded.oracle.known(after)?, None))
    };
    let after = column.map(report).transpose()?;
    let mut reply = json!({
        "position": text,
        "size": request.loaded.size().to_string(),
        "level": level.name,
        // So that a client can ask for the same move again.
        "seed": seed,
        "column": column.map(column_name),
        "proved": bounds.is_none(),
        // With its scores from the book and the rules.
        "after": after,
    });
    if let Some(bounds) = bounds {
        reply["bounds"] = json!(bounds);
        reply["known"] = bounds.for_player(request.position.to_move()).into();
    }
    // Without a seed, each game is a new one; with more time, the move may be another.
    let is_kept = given_seed.is_some() && is_whole;
    Ok(if is_kept { validators.json(&reply) } else { not_kept(&reply) })
}
