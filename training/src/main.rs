//! Fits the model of context function 1, with which compact books of 7x6 are
//! written, to the scores in a book: see `books/FORMAT.md`.
//!
//! ```text
//! cargo run --release -p fourbook-training -- fit 7x6-d12.book model.bin [EPOCHS]
//! cargo run --release -p fourbook-training -- measure 7x6-d12.book model.bin
//! ```
//!
//! A network with few units is fitted to predict the score of every position that
//! the book has or that follows from it; its weights are rounded to whole numbers;
//! and a tree of thresholds over its sums is grown that tells the scores apart. One
//! thread; the same book and number of epochs (6 if not said) give the same file on
//! one kind of machine, as the fitting uses floating-point numbers.
//!
//! A new file is a new model: a book written with it needs a context function of
//! its own, with a new number.

mod features;
mod model;
mod network;

use fourbook::tools::walk;
use fourbook::{Book, Position, Score, Size};
use model::Model;
use network::{Network, Random, SCORES, SUMS};
use std::error::Error;
use std::ops::ControlFlow;

/// Hidden units of the network.
const UNITS: usize = 64;

/// A position to fit to, and its score for the side to move.
struct Example {
    position: Position,
    score: Score,
}

impl Example {
    /// The number of the score from the first player's view.
    fn score_class(&self) -> usize {
        let first_moves = self.position.ply().is_multiple_of(2);
        let score = if first_moves { self.score } else { -self.score };
        (i32::from(score) + 21) as usize
    }
}

/// All positions that a book would store if it stored every ply.
fn examples(path: &str) -> Result<Vec<Example>, Box<dyn Error>> {
    let book = Book::open(path)?;
    book.check_size(Size::STANDARD)?;
    let mut examples = Vec::new();
    let mut complete = true;
    walk(&book, book.depth(), &mut |position, lookup| match lookup.score() {
        Some(score) => {
            examples.push(Example { position: position.canonical(), score });
            ControlFlow::Continue(())
        }
        None => {
            complete = false;
            ControlFlow::Break(())
        }
    })?;
    if complete { Ok(examples) } else { Err("expected a book of exact scores; verify it".into()) }
}

/// Fits a network to the positions, in a new random order every epoch.
fn fit(examples: &[Example], epochs: usize) -> Network {
    let mut random = Random(88_172_645_463_325_252);
    let mut network = Network::new(&mut random);
    let mut order: Vec<u32> = (0..examples.len() as u32).collect();
    let total = (examples.len() * epochs) as f32;
    for epoch in 0..epochs {
        for last in (1..order.len()).rev() {
            order.swap(last, (random.next() % (last as u64 + 1)) as usize);
        }
        let mut bits = 0.0;
        for (step, &index) in order.iter().enumerate() {
            let done = (epoch * order.len() + step) as f32 / total;
            let rate = 0.02 * (1.0 - done).powf(0.7) + 0.0003;
            let example = &examples[index as usize];
            bits += network.fit(example, &features::of(example.position), rate);
            if step % 500_000 == 499_999 {
                eprintln!("epoch {epoch}: {step} of {}", order.len());
            }
        }
        eprintln!("epoch {epoch}: {:.4} bits a position", bits / order.len() as f64);
    }
    network
}

/// Rounds the network and grows the tree, from the plies of the deepest one's parity.
fn finish(network: &Network, examples: &[Example]) -> Model {
    let mut model = Model::rounded(network);
    let deepest = examples.iter().map(|example| example.position.ply()).max().unwrap_or(0);
    let stored = examples.iter().filter(|e| (deepest - e.position.ply()).is_multiple_of(2));
    let positions: Vec<([i32; SUMS], usize)> = stored
        .map(|example| (model.sums(&features::of(example.position)), example.score_class()))
        .collect();
    model.grow(&positions);
    model
}

/// Prints how many bits a score takes, by Shannon, once its context is known.
fn report(model: &Model, examples: &[Example]) {
    let deepest = examples.iter().map(|example| example.position.ply()).max().unwrap_or(0);
    for ply in (0..=deepest).rev().step_by(2) {
        let mut counts = vec![[0_u32; SCORES]; model::CONTEXTS];
        let mut positions = 0;
        for example in examples.iter().filter(|example| example.position.ply() == ply) {
            let context = model.context(&model.sums(&features::of(example.position)));
            counts[context][example.score_class()] += 1;
            positions += 1;
        }
        let bits = counts.iter().map(model::bits).sum::<f64>() / f64::from(positions);
        println!("ply {ply}: {positions} positions, {bits:.4} bits each");
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (book, file, epochs) = match arguments[..] {
        ["measure", book, model] => (book, model, None),
        ["fit", book, out] => (book, out, Some(6)),
        ["fit", book, out, epochs] => (book, out, Some(epochs.parse()?)),
        _ => return Err("expected 'fit BOOK OUT [EPOCHS]' or 'measure BOOK MODEL'".into()),
    };
    let examples = examples(book)?;
    let model = match epochs {
        Some(epochs) => finish(&fit(&examples, epochs), &examples),
        None => Model::from_bytes(&std::fs::read(file)?).ok_or("expected a model")?,
    };
    report(&model, &examples);
    if epochs.is_some() {
        std::fs::write(file, model.to_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &[u8] = include_bytes!("../../books/context-1.bin");

    #[test]
    fn the_shipped_model_gives_the_contexts_that_the_format_says() {
        let model = Model::from_bytes(SHIPPED).unwrap();
        assert!(model.to_bytes() == SHIPPED);
        let document = include_str!("../../books/FORMAT.md");
        let (_, table) = document.split_once("| Moves | Context |\n|---|---|\n").unwrap();
        let rows = table.lines().take_while(|line| line.starts_with('|'));
        let mut compared = 0;
        for row in rows {
            let fields: Vec<&str> = row.split(['|', '`', ' ']).filter(|s| !s.is_empty()).collect();
            let position = Position::from_moves(fields[0]).unwrap().canonical();
            let context = model.context(&model.sums(&features::of(position)));
            assert_eq!(context.to_string(), fields[1], "{row}");
            compared += 1;
        }
        assert!(compared >= 5);
    }

    #[test]
    fn fitting_to_a_book_lowers_the_bits_of_a_score() {
        let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../books/7x6-d8.book");
        let mut examples = examples(book).unwrap();
        // The shallow plies only: the test is to be quick.
        examples.retain(|example| example.position.ply() <= 6);
        let bits = |model: &Model| {
            let mut counts = vec![[0_u32; SCORES]; model::CONTEXTS];
            for example in &examples {
                let sums = model.sums(&features::of(example.position));
                counts[model.context(&sums)][example.score_class()] += 1;
            }
            counts.iter().map(model::bits).sum::<f64>() / examples.len() as f64
        };
        let mut all = [0_u32; SCORES];
        examples.iter().for_each(|example| all[example.score_class()] += 1);
        let before = model::bits(&all) / examples.len() as f64;
        let model = finish(&fit(&examples, 2), &examples);
        assert_eq!(model.to_bytes().len(), SHIPPED.len());
        let after = bits(&model);
        assert!(after < before - 1.0, "{before} {after}");
    }
}
