//! What the command line and the server have in common.

use indicatif::HumanCount;

/// A number and what it counts: `1 thread`, `1,200 positions`.
pub(crate) fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", HumanCount(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        let counted = [0, 1, 2, 1200].map(|number| count(number, "node"));
        assert_eq!(counted, ["0 nodes", "1 node", "2 nodes", "1,200 nodes"]);
    }
}
