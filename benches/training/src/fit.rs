//! Fits the model with which compact books of 7x6 are written to the scores in a book: see
//! `docs/src/format.md`.
//!
//! A network is fitted to predict the scores of positions in the book, or derived from
//! it; plies that take the most room count most. Its weights are rounded to
//! whole numbers. Then a tree of thresholds is grown that rates how sure the network is. Two
//! threads; the same book and number of steps give the same file on one kind of machine, as
//! the fitting uses floating-point numbers.
//!
//! The shipped model was fitted by a first version of this code, in about 24,000 such steps
//! and 24 minutes on two busy cores. It saw all positions of plies 8, 9, 10, 12 and 14, a third
//! of ply 16, and half, a quarter and a twelfth of plies 11, 13 and 15. Up to 100,000 positions
//! of each ply were held out to measure with.
//!
//! A new file is a new model: its checksum is its number in books.

use crate::model::{self, Model, TreeExample};
use crate::network::{Adam, Gradient, Network};
use fourbook::book::context_model::{CONTEXTS, SCORES, Tactics, tactics};
use fourbook::solver::splitmix::SplitMix;
use fourbook::tools::BookReader;
use fourbook::{Book, Player, Position, Size, ValueKind};
use std::error::Error;
use std::ops::Range;
use std::path::Path;

/// Positions in a step.
const BATCH: usize = 8192;
const THREADS: usize = 2;
/// The share of a ply among the positions of a step, in thousandths, from the deepest of the book
/// on; the plies between the stored ones are for books of odd depths.
const SHARES: [usize; 8] = [330, 25, 250, 15, 310, 10, 50, 10];
/// The most positions of a ply to fit to.
const MOST: usize = 36_000_000;

const SEED: u64 = 1;

/// A position to fit to.
#[derive(Clone, Copy)]
struct Example {
    key: u64,
    /// The number of the score from the first player's view.
    score: u8,
}

/// The number of a position's score.
fn score_number(position: Position, score: fourbook::Score) -> usize {
    let for_first = if position.to_move() == Player::X { score } else { -score };
    (i32::from(for_first) + 21) as usize
}

impl Example {
    /// The features of the position; `None` if forced moves give its score away.
    ///
    /// # Panics
    ///
    /// If they give another score than the book has: the book is wrong.
    fn features(self) -> Option<Vec<u16>> {
        let position = Position::from_key(Size::STANDARD, self.key.into());
        let position = position.expect("keys are of positions").canonical();
        match tactics(position) {
            Tactics::Known(score) => {
                assert_eq!(score_number(position, score), usize::from(self.score), "{position:?}");
                None
            }
            Tactics::Quiet(quiet) => Some(quiet.features()),
        }
    }
}

/// A sample of the positions of every ply that need a value, in no order.
fn examples(path: &Path) -> Result<Vec<Vec<Example>>, Box<dyn Error>> {
    let book = Book::open(path)?;
    book.check_size(Size::STANDARD)?;
    if book.kind() != ValueKind::Scores {
        return Err("expected a book of exact scores".into());
    }
    let mut plies: Vec<Vec<Example>> = vec![Vec::new(); book.depth() as usize + 1];
    let mut random = SplitMix(SEED);
    let mut seen = vec![0_usize; plies.len()];
    let mut reader = BookReader::new(&book, book.depth(), &())?;
    for ply in 0..=book.depth() as usize {
        for (position, score) in reader.read(ply as u32)?.iter() {
            let score = score_number(position, score) as u8;
            let example = Example { key: position.canonical_key() as u64, score };
            seen[ply] += 1;
            // Source: J. Vitter, "Random Sampling with a Reservoir" (1985).
            let place = random.below(seen[ply]);
            if plies[ply].len() < MOST {
                plies[ply].push(example);
            } else if place < MOST {
                plies[ply][place] = example;
            }
        }
    }
    for ply in &mut plies {
        for last in (1..ply.len()).rev() {
            ply.swap(last, random.below(last + 1));
        }
    }
    Ok(plies)
}

/// Fits a network to the positions in `steps` steps.
fn fit(plies: &[Vec<Example>], steps: usize) -> Network {
    let mut network = Network::new(&mut SplitMix(SEED));
    let mut adam = Adam::new();
    let mut gradients: Vec<Gradient> = (0..THREADS).map(|_| Gradient::new()).collect();
    let mut sources: Vec<_> =
        plies.iter().rev().zip(SHARES).map(|(ply, share)| (ply.iter().cycle(), share)).collect();
    let mut bits = 0.0;
    let mut positions = 0;
    for step in 0..steps {
        let batch: Vec<Example> = sources
            .iter_mut()
            .flat_map(|(ply, share)| ply.by_ref().take(BATCH * *share / 1000).copied())
            .collect();
        std::thread::scope(|scope| {
            let parts = batch.chunks(batch.len().div_ceil(THREADS));
            for (part, gradient) in parts.zip(&mut gradients) {
                let network = &network;
                scope.spawn(move || {
                    for example in part {
                        if let Some(features) = example.features() {
                            network.learn(&features, example.score.into(), gradient);
                        }
                    }
                });
            }
        });
        bits += gradients.iter().map(|gradient| gradient.bits).sum::<f64>();
        positions += gradients.iter().map(|gradient| gradient.positions).sum::<usize>();
        let done = step as f32 / steps as f32;
        let rate = 0.005 * (0.5 + 0.5 * (std::f32::consts::PI * done).cos()).max(0.002);
        adam.step(
            &mut network,
            &mut gradients,
            rate * (120.0 * (step + 1) as f32 / steps as f32).min(1.0),
        );
        if step % 500 == 499 {
            eprintln!(
                "step {}: {:.4} bits for a score that is not seen",
                step + 1,
                bits / positions as f64
            );
            (bits, positions) = (0.0, 0);
        }
    }
    network
}

/// Which scores occur in a ply.
fn range(ply: &[Example]) -> Range<usize> {
    let scores = ply.iter().map(|example| usize::from(example.score));
    scores.clone().min().unwrap_or(0)..scores.max().map_or(0, |greatest| greatest + 1)
}

/// Rounds the network and grows the tree, from a million positions of each stored ply.
fn finish(network: &Network, plies: &[Vec<Example>]) -> Model {
    let mut model = Model::rounded(network);
    let mut positions = Vec::new();
    for (table, (ply, share)) in plies.iter().rev().zip(SHARES).step_by(2).enumerate() {
        let scores = range(ply);
        let sample = &ply[..ply.len().min(1_000_000)];
        for example in sample {
            if let Some(features) = example.features() {
                let keys = model.keys(&features, scores.clone());
                let place = model::place(&keys, example.score.into());
                let weight = share as f32 / sample.len() as f32;
                positions.push(TreeExample {
                    sums: model::sums(&keys),
                    place,
                    weight,
                    table: table as u8,
                });
            }
        }
    }
    model.grow(&positions);
    model
}

/// How many bits a score of the ply takes, by Shannon, once its context is known.
fn bits(model: &Model, ply: &[Example]) -> f32 {
    let mut counts = vec![[0.0; SCORES]; CONTEXTS];
    let scores = range(ply);
    for example in ply {
        if let Some(features) = example.features() {
            let keys = model.keys(&features, scores.clone());
            let place = model::place(&keys, example.score.into());
            counts[model.context(&model::sums(&keys))][usize::from(place)] += 1.0;
        }
    }
    counts.iter().map(model::bits).sum::<f32>() / ply.len() as f32
}

/// Fits a model to a book, writes it to a file and prints how good it is.
pub(crate) fn run(book: &Path, file: &Path, steps: usize) -> Result<(), Box<dyn Error>> {
    let plies = examples(book)?;
    let model = finish(&fit(&plies, steps), &plies);
    print_bits(&model, &plies);
    Ok(std::fs::write(file, model.to_bytes())?)
}

/// Prints how many bits a score of a book takes with the model in a file.
pub(crate) fn measure(book: &Path, file: &Path) -> Result<(), Box<dyn Error>> {
    let model = Model::from_bytes(&std::fs::read(file)?).ok_or("expected a model")?;
    print_bits(&model, &examples(book)?);
    Ok(())
}

fn print_bits(model: &Model, plies: &[Vec<Example>]) {
    for (ply, examples) in plies.iter().enumerate().rev().step_by(2) {
        let bits = bits(model, examples);
        println!("ply {ply}: {} positions, {bits:.4} bits each", examples.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &[u8] = include_bytes!("../../../books/context.bin");

    #[test]
    fn the_shipped_model_gives_the_contexts_that_the_format_says() {
        let model = Model::from_bytes(SHIPPED).unwrap();
        assert!(model.to_bytes() == SHIPPED);
        let document = include_str!("../../../docs/src/format.md");
        let (_, table) = document.split_once("| Moves | Value seen |").unwrap();
        let mut compared = 0;
        for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
            let fields: Vec<&str> =
                row.trim_matches('|').split('|').map(|s| s.trim_matches([' ', '`'])).collect();
            let position = Position::from_moves(fields[0]).unwrap().canonical();
            if let Tactics::Quiet(quiet) = tactics(position) {
                let keys = model.keys(&quiet.features(), 3..40);
                assert_eq!(model.context(&model::sums(&keys)).to_string(), fields[6], "{row}");
                compared += 1;
            }
        }
        assert!(compared >= 3);
    }

    #[test]
    fn fitting_to_a_book_lowers_the_bits_of_a_score() {
        let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../books/7x6-d8.book");
        let mut plies = examples(Path::new(book)).unwrap();
        // The shallow plies only, to keep the test quick.
        plies.truncate(7);
        let mut counts = [0.0; SCORES];
        plies[6].iter().for_each(|example| counts[usize::from(example.score)] += 1.0);
        let before = model::bits(&counts) / plies[6].len() as f32;
        let model = finish(&fit(&plies, 150), &plies);
        assert_eq!(model.to_bytes().len(), SHIPPED.len());
        let after = bits(&model, &plies[6]);
        assert!(after < before - 1.0, "{before} {after}");
    }
}
