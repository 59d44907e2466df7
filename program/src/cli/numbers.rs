//! Numbers on the command line. What was expected is said in the same words everywhere;
//! the parser of arguments adds what came.

use clap::builder::TypedValueParser;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// Depths of books: no board has more cells.
pub(super) const DEPTHS: RangeInclusive<u64> = 0..=124;

/// The argument parser for a whole number from this range.
pub(super) fn whole<T>(range: RangeInclusive<u64>) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u64> + Clone + Send + Sync + 'static,
{
    move |text: &str| {
        // The standard parser would take a plus sign as well.
        let digits = Some(text).filter(|text| !text.starts_with('+'));
        let number = digits.and_then(|text| text.parse().ok());
        let number = number.filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("expected a whole number from {least} to {most}")
        })
    }
}

/// A time as it is given on the command line: above 0, at most a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seconds(pub(super) Duration);

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        time.filter(|time| !time.is_zero() && *time <= Duration::from_secs(86_400))
            .map(Seconds)
            .ok_or_else(|| "expected a number of seconds above 0, at most 86400 (a day)".to_owned())
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, Command};

    fn read<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
        range: RangeInclusive<u64>,
        text: &str,
    ) -> Result<T, String> {
        let argument = Arg::new("n").long("number").value_parser(whole::<T>(range));
        let matches = Command::new("test")
            .arg(argument.allow_hyphen_values(true))
            .try_get_matches_from(["test", "--number", text]);
        let mut matches = matches.map_err(|error| error.to_string())?;
        Ok(matches.remove_one("n").expect("a number"))
    }

    #[test]
    fn numbers_of_the_range_are_read() {
        assert_eq!(read::<u16>(1..=65_535, "65535"), Ok(65_535));
        assert_eq!(read::<u64>(0..=u64::MAX, "18446744073709551615"), Ok(u64::MAX));
        assert_eq!(read::<u32>(0..=8, "0"), Ok(0));
    }

    #[test]
    fn anything_else_is_answered_with_the_range() {
        for text in ["", "x", "-1", "+1", "1.5", "0x10", "9", "1e3", "99999999999999999999"] {
            let error = read::<u32>(0..=8, text).unwrap_err();
            assert!(error.contains(&format!("'{text}'")), "{error}");
            assert!(error.contains("expected a whole number from 0 to 8\n"), "{error}");
        }
    }

    #[test]
    fn times_are_above_0_and_at_most_a_day() {
        let time = |text: &str| text.parse::<Seconds>().map(|Seconds(time)| time);
        assert_eq!(time("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(time("86400"), Ok(Duration::from_secs(86_400)));
        for text in ["", "x", "0", "-1", "1e-30", "86401", "inf", "NaN"] {
            let error = time(text).unwrap_err();
            assert!(error.contains("above 0, at most 86400"), "{text}: {error}");
        }
    }
}
