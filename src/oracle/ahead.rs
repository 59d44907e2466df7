//! Looks a number of stones ahead in a game, without its exact score.

use fourbook_solver::board::{Board, Position, Score, Word, winning_score};
use fourbook_solver::{Budget, StopReason, with_word};

/// A search that looks this many stones ahead takes microseconds, and never asks for its limits.
pub(super) const INSTANT: u32 = 4;

/// Returns the score of a position, looking `plies` stones ahead: the exact score if perfect play ends
/// the game within them, else 0. Counts the positions that it looks at in `nodes`, but knows no limit
/// on them. Twelve stones ahead can take seconds on the largest boards.
pub(super) fn score_within(
    position: Position,
    plies: u32,
    budget: &Budget,
    nodes: &mut u64,
) -> Result<Score, StopReason> {
    with_word!(position.size(), B => {
        let position = Board::<B>::of(position);
        if position.is_won() {
            Ok(-winning_score(position.size().cells(), position.ply()))
        } else {
            search(position, plies, Score::MIN + 1, Score::MAX, budget, nodes)
        }
    })
}

/// The score of an ongoing game if it lies between `alpha` and `beta`; else a bound of it
/// that is at most `alpha` or at least `beta`.
fn search<B: Word>(
    position: Board<B>,
    plies: u32,
    mut alpha: Score,
    beta: Score,
    budget: &Budget,
    nodes: &mut u64,
) -> Result<Score, StopReason> {
    *nodes += 1;
    let cells = position.size().cells();
    let ply = position.ply();
    let winning_in = |stones| winning_score(cells, ply + stones);
    let plies = plies.min(cells - ply);
    if plies == 0 {
        return Ok(0);
    }
    if position.can_win_at_once() {
        return Ok(winning_in(1));
    }
    if plies == 1 {
        return Ok(0);
    }
    let moves = position.non_losing_moves();
    if moves.is_empty() {
        return Ok(-winning_in(2));
    }
    if plies == 2 {
        return Ok(0);
    }
    // The soonest ends that there can be now.
    let most = winning_in(3);
    let mut best = if plies == 3 { 0 } else { -winning_in(4) };
    if most <= alpha {
        return Ok(most);
    }
    for column in position.size().centre_first() {
        if best >= beta.min(most) {
            break;
        }
        if plies > INSTANT {
            budget.interrupted().map_or(Ok(()), Err)?;
        }
        let cell = moves & position.geometry().column(column);
        if !cell.is_empty() {
            alpha = alpha.max(best);
            let score = search(position.play_cell(cell), plies - 1, -beta, -alpha, budget, nodes)?;
            best = best.max(-score);
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbook_solver::Limits;
    use fourbook_solver::splitmix::SplitMix;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// The score within `plies` stones, move by move.
    fn plain(position: Position, plies: u32) -> Score {
        if position.is_won() {
            return -winning_score(position.size().cells(), position.ply());
        }
        if plies == 0 {
            return 0;
        }
        let scores = position.children().flatten().map(|child| -plain(child, plies - 1));
        scores.max().unwrap_or(0)
    }

    /// A search to the end of the game would not finish.
    #[test]
    fn a_search_that_is_cancelled_ends_soon_and_finds_nothing() {
        let position = Position::empty("16x7".parse().unwrap());
        let cancel = Arc::new(AtomicBool::new(false));
        let budget =
            Budget::new(&Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::default() });
        std::thread::scope(|scope| {
            let search = scope.spawn(|| score_within(position, 112, &budget, &mut 0));
            std::thread::sleep(std::time::Duration::from_millis(5));
            cancel.store(true, Ordering::Relaxed);
            assert_eq!(search.join().unwrap(), Err(StopReason::Cancelled));
        });
        assert!(score_within(position, INSTANT, &budget, &mut 0).is_ok());
        assert!(score_within(position, INSTANT + 1, &budget, &mut 0).is_err());
    }

    #[test]
    fn a_search_finds_what_moves_lead_to_on_boards_of_both_words() {
        let mut random = SplitMix(1);
        let budget = Budget::new(&Limits::default());
        for size in ["4x4", "7x6", "16x7"] {
            let mut position = Position::empty(size.parse().unwrap());
            let mut met = [false; 3];
            for _ in 0..300 {
                let children: Vec<_> = position.children().flatten().collect();
                position = match children.len() {
                    0 => Position::empty(position.size()),
                    number => children[random.below(number)],
                };
                let plies = random.draw() as u32 % 5;
                let expected: Vec<_> =
                    position.children().flatten().map(|it| plain(it, plies)).collect();
                let found = position.children().flatten();
                let found = found.map(|it| score_within(it, plies, &budget, &mut 0).unwrap());
                assert_eq!(found.collect::<Vec<_>>(), expected, "{position:?} {plies}");
                for score in expected {
                    met[(score.signum() + 1) as usize] = true;
                }
            }
            assert_eq!(met, [true; 3], "{size}");
        }
    }
}
