//! The moves that levels of play choose.

use super::Daemon;
use super::answer::{Terms, Wait, Wanted};
use super::boards::Loaded;
use super::problem::Problem;
use super::question::Question;
use super::search;
use fourbook::{Level, Score};
use std::num::NonZeroU64;
use std::sync::Arc;

impl Daemon {
    /// The column (from 0) that a level plays with a seed, as
    /// [`Level::find_move`] has it; `None` if the game is over.
    ///
    /// # Errors
    ///
    /// If that takes a search which cannot be done now or in time.
    pub(super) async fn choose(
        &self,
        loaded: &Arc<Loaded>,
        question: Question,
        level: Level,
        seed: u64,
        max_nodes: Option<NonZeroU64>,
    ) -> Result<Option<usize>, Problem> {
        let terms = self.terms(Wanted::All, Wait::ForAll, max_nodes).all_or_nothing();
        let scores = match level.horizon() {
            Some(plies) if level.is_quick() => {
                self.scores_within(loaded, question, plies, terms).await?
            }
            _ => {
                let answered = self.answer(loaded, question, terms).await;
                answered.map_err(Problem::of_strong_level)?.knowledge.move_scores()
            }
        };
        Ok(level.choose(question.position, &scores, seed))
    }

    /// The scores of all moves, which are exact at least for those after which the game ends
    /// within so many stones.
    async fn scores_within(
        &self,
        loaded: &Arc<Loaded>,
        question: Question,
        plies: u32,
        terms: Terms,
    ) -> Result<Vec<Option<Score>>, Problem> {
        let known = self.known(loaded, question, terms);
        if known.is_complete() {
            return Ok(known.move_scores());
        }
        let ticket = self.look_ahead(loaded, question, plies)?;
        let found = search::wait(ticket, terms).await;
        found
            .map(|found| question.moves_of_canonical(&found.into_move_scores()))
            .inspect_err(|problem| self.note_unsolved(problem))
    }
}
