//! Hill climbing over whole numbers: changes a few at a time, and keeps what makes the cost
//! lower.

use super::weights::{Group, Numbers};
use std::collections::HashSet;

/// Numbers with a cost; lower is better.
pub(crate) trait Measured {
    /// The cost: the logarithm of a quantity, so that differences are ratios.
    fn cost(&self) -> f64;
}

/// How to climb.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Climber<'a> {
    /// Numbers that change together.
    pub(crate) groups: &'a [Group],
    /// The least gain for which a change is kept.
    pub(crate) threshold: f64,
    /// Changes to try at most.
    pub(crate) most_evaluations: u64,
    /// The largest absolute value of a number.
    pub(crate) largest: i32,
}

/// A change that was tried.
#[derive(Debug)]
pub(crate) struct Trial<'a, M> {
    /// Number of changes tried.
    pub(crate) evaluation: u64,
    /// The changed group.
    pub(crate) group: &'a Group,
    /// The numbers before.
    pub(crate) before: &'a [i32],
    /// The numbers with the change.
    pub(crate) after: &'a [i32],
    /// The result with the numbers before.
    pub(crate) old: &'a M,
    /// The result with the numbers after.
    pub(crate) new: &'a M,
    /// Whether the change is kept.
    pub(crate) is_kept: bool,
}

/// Numbers below this are changed in the same steps as this, and 0 too.
const SMALL: i32 = 32;
/// The first step is a number divided by this; others are halves of it, and so on.
const FIRST_DIVISOR: i32 = 2;
/// The last step is a number divided by this.
const LAST_DIVISOR: i32 = 32;

impl Climber<'_> {
    /// Climbs from `start` until no step helps; returns the best numbers and their cost.
    ///
    /// `objective` measures numbers, `report` receives every change that was tried.
    pub(crate) fn climb<M: Measured, E>(
        &self,
        start: Numbers,
        mut objective: impl FnMut(&[i32]) -> Result<M, E>,
        report: impl FnMut(&Trial<'_, M>) -> Result<(), E>,
    ) -> Result<(Numbers, M), E> {
        let best = objective(&start)?;
        let seen = HashSet::from([start.clone()]);
        let mut place =
            Place { climber: self, objective, report, seen, numbers: start, best, evaluation: 0 };
        let mut divisors = vec![FIRST_DIVISOR; self.groups.len()];
        while divisors.iter().any(|&divisor| divisor <= LAST_DIVISOR) {
            for (group, divisor) in self.groups.iter().zip(&mut divisors) {
                if *divisor <= LAST_DIVISOR && !place.improve(group, *divisor)? {
                    *divisor *= 2;
                }
            }
        }
        Ok((place.numbers, place.best))
    }
}

/// The state of the climber.
struct Place<'a, M, O, R> {
    climber: &'a Climber<'a>,
    objective: O,
    report: R,
    /// All numbers that were tried. None of them can be better than the current best.
    seen: HashSet<Numbers>,
    numbers: Numbers,
    best: M,
    evaluation: u64,
}

impl<M, E, O, R> Place<'_, M, O, R>
where
    M: Measured,
    O: FnMut(&[i32]) -> Result<M, E>,
    R: FnMut(&Trial<'_, M>) -> Result<(), E>,
{
    /// Takes steps in one direction as long as they help, or else in the other; returns whether any
    /// helped.
    fn improve(&mut self, group: &Group, divisor: i32) -> Result<bool, E> {
        let sizes = group.places.iter().map(|&place| self.numbers[place].abs());
        let mean = sizes.sum::<i32>() / group.places.len() as i32;
        let step = mean.max(SMALL) / divisor;
        for step in [step, -step] {
            let mut steps = 0;
            while self.takes(group, step)? {
                steps += 1;
            }
            if steps > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes a step if it helps; returns whether it did.
    fn takes(&mut self, group: &Group, step: i32) -> Result<bool, E> {
        let mut numbers = self.numbers.clone();
        group.places.iter().for_each(|&place| numbers[place] += step);
        let climber = self.climber;
        let is_allowed = group.places.iter().all(|&place| numbers[place].abs() <= climber.largest);
        let is_last = self.evaluation == climber.most_evaluations;
        if !is_allowed || is_last || !self.seen.insert(numbers.clone()) {
            return Ok(false);
        }
        let new = (self.objective)(&numbers)?;
        self.evaluation += 1;
        let is_kept = new.cost() < self.best.cost() - climber.threshold;
        (self.report)(&Trial {
            evaluation: self.evaluation,
            group,
            before: &self.numbers,
            after: &numbers,
            old: &self.best,
            new: &new,
            is_kept,
        })?;
        if is_kept {
            (self.numbers, self.best) = (numbers, new);
        }
        Ok(is_kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    impl Measured for f64 {
        fn cost(&self) -> f64 {
            *self
        }
    }

    fn group(places: &[usize]) -> Group {
        Group { name: format!("{places:?}"), places: places.to_vec() }
    }

    /// Climbs over three numbers; returns the best ones, and how many changes were tried and kept.
    fn climb(
        most_evaluations: u64,
        threshold: f64,
        objective: impl Fn(&[i32]) -> f64,
    ) -> (Numbers, u64, u64) {
        let groups = [group(&[0, 1]), group(&[0]), group(&[1]), group(&[2])];
        let climber = Climber { groups: &groups, threshold, most_evaluations, largest: 500 };
        let mut tried = 0;
        let mut kept = 0;
        let start = vec![256, 0, -16];
        let (best, cost) = climber
            .climb(
                start,
                |numbers| Ok::<_, Infallible>(objective(numbers)),
                |trial| {
                    tried += 1;
                    kept += u64::from(trial.is_kept);
                    assert_eq!(trial.evaluation, tried);
                    assert_eq!(trial.is_kept, *trial.new < *trial.old - threshold);
                    assert_ne!(trial.before, trial.after);
                    Ok(())
                },
            )
            .unwrap();
        assert_eq!(cost, objective(&best));
        (best, tried, kept)
    }

    #[test]
    fn the_optimum_is_found() {
        let optimum = [90, -40, 7];
        let objective = |numbers: &[i32]| {
            let squares = numbers.iter().zip(&optimum).map(|(a, b)| f64::from(a - b).powi(2));
            (1.0 + squares.sum::<f64>()).ln()
        };
        let (best, tried, kept) = climb(u64::MAX, 0.001, objective);
        let near = best.iter().zip(&optimum).all(|(a, b)| (a - b).abs() <= 2);
        assert!(near && kept > 5 && tried < 200, "{best:?} {tried} {kept}");
    }

    #[test]
    fn numbers_that_have_to_change_together_do() {
        let objective = |numbers: &[i32]| {
            let apart = f64::from(numbers[0] - numbers[1] - 256).abs() * 10.0;
            (1.0 + apart + f64::from(numbers[1] - 100).abs()).ln()
        };
        let (best, ..) = climb(u64::MAX, 0.001, objective);
        assert!((best[1] - 100).abs() <= 4 && best[0] == best[1] + 256, "{best:?}");
    }

    #[test]
    fn small_gains_are_not_kept() {
        let objective = |numbers: &[i32]| f64::from(numbers[2]) * 1e-5;
        let (best, _, kept) = climb(u64::MAX, 0.001, objective);
        assert_eq!((best, kept), (vec![256, 0, -16], 0));
    }

    #[test]
    fn it_ends_at_the_largest_number_and_after_the_most_evaluations() {
        let objective = |numbers: &[i32]| f64::from(numbers[2]);
        assert!(climb(u64::MAX, 0.001, objective).0[2] < -480);
        let (_, tried, _) = climb(5, 0.001, objective);
        assert_eq!(tried, 5);
    }

    #[test]
    fn an_error_ends_it() {
        let groups = [group(&[0])];
        let climber =
            Climber { groups: &groups, threshold: 0.0, most_evaluations: 9, largest: 9999 };
        let fails = |numbers: &[i32]| if numbers[0] == 1 { Ok(1.0) } else { Err("no") };
        assert_eq!(climber.climb(vec![1], fails, |_| Ok(())).unwrap_err(), "no");
        assert_eq!(climber.climb(vec![2], fails, |_| Ok(())).unwrap_err(), "no");
    }
}
