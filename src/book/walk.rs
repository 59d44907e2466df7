//! All positions of a book, one after the other.

use super::Progress;
use super::reader::{Answer, BookView};
use crate::board::Position;
use crate::enumerate::{PlyError, Reachable};

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
        let (positions, ranking) = (reachable.deepest(), reachable.deepest().ranking());
        for slot in (0..ranking.slots()).filter(|&slot| positions.is_stored(slot)) {
            let position = ranking.unrank(slot);
            visit(position, view.score_of_game(position))?;
        }
    }
    Ok(())
}

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
