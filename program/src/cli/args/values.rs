//! The values of options: numbers, times, sizes of memory, and the names of notations,
//! encodings and formats. Every parser says in the same words what it expects; clap adds what
//! it found.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use fourbook::board::notation::Notation;
use fourbook::book::Encoding;
use fourbook::tools::exchange::Format;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// Depths of books: no board has more cells.
pub(crate) const DEPTHS: RangeInclusive<u32> = 0..=124;

/// The argument parser for a whole number from this range.
pub(crate) fn whole<T>(range: RangeInclusive<T>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text: &str| {
        // The standard parser would take a plus sign as well.
        let digits = Some(text).filter(|text| !text.starts_with('+'));
        let number = digits.and_then(|text| text.parse::<T>().ok());
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("expected a whole number from {least} to {most}")
        })
    }
}

/// Parses a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, &'static str> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = time.filter(|time| !time.is_zero() && *time <= Duration::from_secs(86_400));
    time.ok_or("expected a number of seconds above 0, at most 86400 (a day)")
}

/// Parses a number of bytes as people write it.
pub(crate) fn byte_size(text: &str) -> Result<usize, &'static str> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let power = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => Some(0),
        "k" | "kib" => Some(1),
        "m" | "mib" => Some(2),
        "g" | "gib" => Some(3),
        "t" | "tib" => Some(4),
        _ => None,
    };
    let unit = power.map(|power| 1024_usize.pow(power));
    let bytes = unit.and_then(|unit| number.parse::<usize>().ok()?.checked_mul(unit));
    bytes.ok_or("expected a number of bytes such as 512M, 2G or 2GiB")
}

/// The argument parser for the name of a notation; lists them in the help.
pub(crate) fn notation_parser() -> impl TypedValueParser<Value = Notation> {
    PossibleValuesParser::new(Notation::ALL.map(Notation::name))
        .try_map(|name| name.parse::<Notation>())
}

/// The argument parser for the name of an encoding; lists them in the help.
pub(crate) fn encoding_parser() -> impl TypedValueParser<Value = Encoding> {
    PossibleValuesParser::new(Encoding::ALL.map(Encoding::name))
        .try_map(|name| name.parse::<Encoding>())
}

/// The formats, for the end of a help text.
pub(crate) const FORMATS: &str = "\
Formats:
  csv                    text: a position and its value a line
  pons                   the hash table of Pascal Pons' solver, 7x6.book; exact scores
  bitbully-8             BitBully's book_8ply.dat: win, draw or loss at ply 8
  bitbully-12            BitBully's book_12ply.dat: win, draw or loss at ply 12
  bitbully-12-distances  BitBully's book_12ply_distances.dat: exact scores at ply 12";

/// The argument parser for the name of a format; lists them in the help.
pub(crate) fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name)).try_map(|name| name.parse::<Format>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, Command};

    fn read<T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static>(
        range: RangeInclusive<T>,
        text: &str,
    ) -> Result<T, String> {
        let argument = Arg::new("n").long("number").value_parser(whole(range));
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
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("86400"), Ok(Duration::from_secs(86_400)));
        for text in ["", "x", "0", "-1", "1e-30", "86401", "inf", "NaN"] {
            let error = seconds(text).unwrap_err();
            assert!(error.contains("above 0, at most 86400"), "{text}: {error}");
        }
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let read = |text: &str| byte_size(text).ok();
        assert_eq!(read("512M"), Some(512 << 20));
        assert_eq!(read("2GiB"), Some(2 << 30));
        assert_eq!(read("2 gib"), Some(2 << 30));
        assert_eq!(read("1000"), Some(1000));
        for wrong in ["", "G", "-1", "1.5G", "3X", "99999999999999999999", "99999999999T"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
