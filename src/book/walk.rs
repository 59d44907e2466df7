//! All positions of a book, one after the other.

use super::Progress;
use super::reader::{Answer, BookView};
use crate::board::Position;
use crate::enumerate::{PlyError, Reachable, ReachablePly};

/// Calls `visit` with every position that has an entry in a book as deep as
/// this one, if it stored every ply: those that a game can reach and the rules
/// do not score, a position and its mirror image once, from the shallowest ply
/// to `depth`, and with what the book knows of it.
///
/// Always in the same order. Positions are enumerated on the threads of the
/// current rayon pool and visited on the calling one.
///
/// # Errors
///
/// If a ply cannot be enumerated, or `visit` fails.
pub fn walk<D: AsRef<[u8]>, E: From<PlyError>, const W: usize, const H: usize>(
    view: &BookView<D, W, H>,
    depth: u32,
    mut visit: impl FnMut(Position<W, H>, Answer) -> Result<(), E>,
) -> Result<(), E> {
    let mut reachable = Reachable::root();
    for ply in 0..=depth.min(view.book().depth()) {
        explore_to(&mut reachable, ply, |_| (), &())?;
        let visit = |position| visit(position, view.score_of_game(position));
        visit_stored(reachable.deepest(), |_| (), &(), visit)?;
    }
    Ok(())
}

/// Calls `visit` with every stored position of a ply, in the order of the slots;
/// `step` is what this is called to `progress`, in units of slots.
///
/// # Errors
///
/// If `visit` fails.
pub(super) fn visit_stored<S, E, const W: usize, const H: usize>(
    positions: &ReachablePly<W, H>,
    step: impl Fn(u32) -> S,
    progress: &dyn Progress<S>,
    mut visit: impl FnMut(Position<W, H>) -> Result<(), E>,
) -> Result<(), E> {
    let (ranking, slots) = (positions.ranking(), positions.ranking().slots());
    progress.begin(step(ranking.ply()), slots);
    for start in (0..slots).step_by(BLOCK) {
        let block = start..slots.min(start + BLOCK as u64);
        let units = block.end - block.start;
        for slot in block.filter(|&slot| positions.is_stored(slot)) {
            visit(ranking.unrank(slot))?;
        }
        progress.advance(units);
    }
    Ok(())
}

/// Slots between two notes of progress.
const BLOCK: usize = 4096;

/// Explores all plies down to `ply`; `step` is what each is called to `progress`,
/// in units of the slots of the ply before.
///
/// # Errors
///
/// If a ply cannot be enumerated.
pub(super) fn explore_to<S, const W: usize, const H: usize>(
    reachable: &mut Reachable<W, H>,
    ply: u32,
    step: impl Fn(u32) -> S,
    progress: &dyn Progress<S>,
) -> Result<(), PlyError> {
    while reachable.depth() < ply {
        let slots = reachable.deepest().ranking().slots();
        progress.begin(step(reachable.depth() + 1), slots);
        reachable.explore_next()?;
        progress.advance(slots);
    }
    Ok(())
}
