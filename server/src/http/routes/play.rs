//! Playing: `/v1/review` reviews a game, `/v1/line` is perfect play to the end, `/v1/move` the move
//! that a level chooses.

use crate::http::daemon::State;
use crate::http::problem::Result;
use crate::http::request::{LIMITS, POSITION, Parameters, Query};
use crate::http::response::not_kept;
use axum::http::HeaderMap;
use fourbook::Level;
use fourbook::board::{column_name, notation::GameRecord};
use fourbook::level::random_seed;
use fourbook::oracle::{Explanation, Game, PositionReport, Question};
use serde_json::json;
use std::time::Instant;

pub(super) async fn review(daemon: State, headers: HeaderMap, query: Query) -> Result {
    let query = Parameters::query(query, &[&["moves", "size"], LIMITS], "/v1/review?moves=4453")?;
    let loaded = query.board(&daemon)?;
    let game = Game::parse(loaded.size(), query.required("moves")?.trim())?;
    let request = query.request(&daemon, loaded, game.end())?;
    let validators = request.validators("review");
    if validators.match_request(&headers) {
        return Ok(validators.not_modified());
    }
    let query = request.ask_whole(Question::Review(game)).await?;
    Ok(validators.json(&query.review()))
}

pub(super) async fn line(daemon: State, headers: HeaderMap, query: Query) -> Result {
    let query = Parameters::query(query, &[POSITION, LIMITS], "/v1/line?moves=4453")?;
    let (request, text) = query.position(&daemon)?;
    let validators = request.validators("line");
    if validators.match_request(&headers) {
        return Ok(validators.not_modified());
    }
    let query = request.ask_whole(Question::Line).await?;
    let known = query.known();
    Ok(validators.json(&json!({
        "position": text,
        "size": request.loaded.size().to_string(),
        "score": known.score(),
        "line": known.line().iter().map(|&column| column_name(column)).collect::<String>(),
        "explanation": Explanation::new(request.position, known.line()),
    })))
}

pub(super) async fn choose(daemon: State, headers: HeaderMap, query: Query) -> Result {
    let example = "/v1/move?moves=4453&level=casual&seed=7";
    let parameters = Parameters::query(query, &[POSITION, &["level", "seed"], LIMITS], example)?;
    let level: Level = parameters.named("level")?.unwrap_or_default();
    let range = "a whole number from 0 to 18446744073709551615";
    let given_seed = parameters.value("seed", range, |_| true)?;
    let seed = given_seed.unwrap_or_else(random_seed);
    let (mut request, text) = parameters.position(&daemon)?;
    if LIMITS.iter().all(|limit| parameters.text(limit).is_none()) {
        request.deadline = request.deadline.min(Instant::now() + Level::USUAL_TIME);
    }
    let validators = request.validators(&format!("move-{level}-{seed}"));
    if given_seed.is_some() && validators.match_request(&headers) {
        return Ok(validators.not_modified());
    }
    let (query, problem) = request.ask(Question::Play { level, seed }).await?;
    let (column, is_proved) = query.choice();
    let mut after = None;
    if let Some(column) = column {
        let position = request.position.play(column);
        // Other forms of moves, or a link to them, cannot be continued as they are.
        let moves = parameters.text("moves");
        let record = moves.map(|moves| GameRecord::parse_moves(position.size(), moves));
        let text = match record {
            Some(Ok(record)) => {
                record.made().iter().copied().chain([column]).map(column_name).collect()
            }
            _ => format!("key:{}", position.key()),
        };
        after = Some(PositionReport::new(text, request.loaded.oracle.known(position)?, None));
    }
    let mut reply = json!({
        "position": text,
        "size": request.loaded.size().to_string(),
        "level": level.name,
        // So that a client can ask for the same move again.
        "seed": seed,
        "column": column.map(column_name),
        "proved": is_proved,
        // With its scores from the book and the rules.
        "after": after,
    });
    if !is_proved {
        let mut bounds = query.known().bounds();
        if let Some(found) = problem.as_ref().and_then(|problem| problem.bounds) {
            bounds = bounds.and(found);
        }
        reply["bounds"] = json!(bounds);
        reply["known"] = bounds.for_player(request.position.to_move()).into();
    }
    // Without a seed, each game is a new one; with more time, the move may be another.
    let is_kept = given_seed.is_some() && problem.is_none();
    Ok(if is_kept { validators.json(&reply) } else { not_kept(&reply) })
}
