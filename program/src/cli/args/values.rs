//! The values of options: numbers, times, sizes of memory, and the names of notations,
//! encodings and formats. Every parser says in the same words what it expects; clap adds what
//! it found.

use super::Options;
use crate::cli::error::{Context, Result};
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use fourbook::Memory;
use fourbook::board::notation::Notation;
use fourbook::book::Encoding;
use fourbook::text::grouped;
use fourbook::tools::exchange::Format;
use indicatif::HumanBytes;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Depths of books: no board has more cells.
const DEPTHS: RangeInclusive<u32> = 0..=124;

/// The longest time that an option takes: a day.
const LONGEST: Duration = Duration::from_secs(86_400);

/// Parses a number that is not negative, such as 12, 1.5 or 1e6, and multiplies it by `unit`.
/// Returns the whole part, and whether nothing is left over. `None` for other texts and for
/// numbers that are too large.
fn scaled(text: &str, unit: u128) -> Option<(u128, bool)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = digits.parse::<u128>().ok()?.checked_mul(unit)?;
    let power = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let factor = 10_u128.checked_pow(power.unsigned_abs())?;
    match power {
        0.. => Some((number.checked_mul(factor)?, true)),
        _ => Some((number / factor, number.is_multiple_of(factor))),
    }
}

/// Parses a number with a unit, such as `1.5 GiB`, as a multiple of the least unit, rounded down.
/// `value` returns the value of a unit in small letters.
fn with_unit(text: &str, value: impl FnOnce(&str) -> Option<u128>) -> Option<u128> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = value(&text[number.len()..].to_ascii_lowercase())?;
    scaled(number.trim_end(), unit).map(|(number, _)| number)
}

/// Parses a whole number from this range.
fn number_in<T: TryFrom<u128> + PartialOrd>(text: &str, range: &RangeInclusive<T>) -> Option<T> {
    let (number, is_whole) = scaled(text, 1)?;
    let number = T::try_from(number).ok()?;
    (is_whole && range.contains(&number)).then_some(number)
}

/// The argument parser for a whole number from this range.
pub(crate) fn whole<T>(range: RangeInclusive<T>) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u128> + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text: &str| {
        number_in(text, &range).ok_or_else(|| {
            let least = grouped(range.start());
            let most = grouped(range.end());
            format!("expected a whole number from {least} to {most}")
        })
    }
}

/// Parses a whole number, or `all`, which is the largest one.
pub(crate) fn whole_or_all(text: &str) -> Result<u64, &'static str> {
    let number = if text == "all" { Some(u64::MAX) } else { number_in(text, &(0..=u64::MAX)) };
    number.ok_or("expected a whole number from 0 on, or all")
}

/// The depth of a book in plies; `None` is the deepest that there can be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth(pub(crate) Option<u32>);

/// Parses a depth.
pub(crate) fn depth(text: &str) -> Result<Depth, String> {
    match text {
        "max" => Ok(Depth(None)),
        _ => number_in(text, &DEPTHS).map(|plies| Depth(Some(plies))).ok_or_else(|| {
            format!("expected max or a whole number from {} to {}", DEPTHS.start(), DEPTHS.end())
        }),
    }
}

/// Parses a time above 0, in seconds or with its unit.
pub(crate) fn seconds(text: &str) -> Result<Duration, &'static str> {
    let time = seconds_from_0(text).ok().filter(|time| !time.is_zero());
    time.ok_or("expected a time above 0, such as 10 (seconds), 1.5s, 500ms or 5min, at most a day")
}

/// Parses a time, which may be 0.
pub(crate) fn seconds_from_0(text: &str) -> Result<Duration, &'static str> {
    let nanoseconds = with_unit(text, |unit| match unit {
        "" | "s" => Some(1_000_000_000),
        "ms" => Some(1_000_000),
        "m" | "min" => Some(60_000_000_000),
        "h" => Some(3_600_000_000_000),
        _ => None,
    });
    let time = nanoseconds.and_then(|it| u64::try_from(it).ok()).map(Duration::from_nanos);
    let time = time.filter(|time| *time <= LONGEST);
    time.ok_or("expected a time, such as 0, 10 (seconds), 1.5s, 500ms or 5min, at most a day")
}

/// Parses a number of bytes as people write it.
pub(crate) fn byte_size(text: &str) -> Result<usize, &'static str> {
    let bytes = with_unit(text, |unit| {
        let base: u128 = if unit.ends_with('b') && !unit.ends_with("ib") { 1000 } else { 1024 };
        let letter = unit.trim_end_matches("ib").trim_end_matches('b');
        let power = ["", "k", "m", "g", "t"].iter().position(|&it| it == letter)?;
        Some(base.pow(power as u32))
    });
    bytes
        .and_then(|bytes| usize::try_from(bytes).ok())
        .ok_or("expected a number of bytes such as 512M, 1.5G or 2GiB")
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

/// The name of an environment variable, unless it is empty, which is as good as not set.
pub(crate) fn variable(name: &'static str) -> Option<&'static str> {
    std::env::var_os(name).is_none_or(|value| !value.is_empty()).then_some(name)
}

/// The argument parser for a file or folder that has to have a name: `-` is a stream.
pub(crate) fn named_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if is_stream(&path) {
            Err("expected a file or folder, not a stream; './-' is the file of this name")
        } else {
            Ok(path)
        }
    })
}

/// Whether a path is standard input or output.
pub(crate) fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// The bytes of a file or a pipe; `-` is standard input. They may take half of the free memory; the
/// tables made from them take memory, too.
pub(crate) fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let most = Memory::now().available / 2;
    let (input, length): (Box<dyn Read>, u64) = if is_stream(path) {
        (Box::new(io::stdin()), 0)
    } else {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        (Box::new(file), length)
    };
    let mut bytes = Vec::new();
    if length <= most {
        input.take(most + 1).read_to_end(&mut bytes)?;
    }
    let found = length.max(bytes.len() as u64);
    if found > most {
        let most = HumanBytes(most);
        let found = HumanBytes(found);
        let text =
            format!("expected at most half of the free memory, {most}, found {found} or more");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

/// The format of a file, by its name if that is given, or else by the content.
pub(crate) fn format_of(
    path: &Path,
    named: Option<Format>,
    bytes: &[u8],
    options: &Options,
) -> Result<Format> {
    if let Some(format) = named {
        return Ok(format);
    }
    let context = || format!("cannot use '{}'", path.display());
    let format = Format::recognise(bytes).with_context(context)?;
    options.note(format_args!("recognised the format {format}"));
    Ok(format)
}

/// The formats that are written, for the end of a help text.
pub(crate) const FORMATS: &str = "\
Formats:
  csv                    text: a position and its value a line
  pons                   the hash table of Pascal Pons' solver, 7x6.book; exact scores
  bitbully-8             BitBully's book_8ply.dat: win, draw or loss at ply 8
  bitbully-12            BitBully's book_12ply.dat: win, draw or loss at ply 12
  bitbully-12-distances  BitBully's book_12ply_distances.dat: exact scores at ply 12";

/// The format that is only read, after the others.
pub(crate) const READ_FORMAT: &str = "  \
  uci                    UCI's connect-4.data: win, draw or loss at ply 8, no forced moves";

/// The argument parser for the name of a format that is `possible`; lists them in the help.
pub(crate) fn format_parser(
    possible: impl Fn(&Format) -> bool,
) -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.into_iter().filter(possible).map(Format::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, Command};

    fn read<T: TryFrom<u128> + PartialOrd + Display + Clone + Send + Sync + 'static>(
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
        for (text, number) in [("1e6", 1_000_000), ("1.5E3", 1500), ("2e+2", 200), ("300e-2", 3)] {
            assert_eq!(read::<u64>(0..=u64::MAX, text), Ok(number));
        }
    }

    #[test]
    fn anything_else_is_answered_with_the_range() {
        for text in
            ["", "x", "-1", "+1", "1.5", "0x10", "9", "1e3", "99999999999999999999", "e1", "."]
        {
            let error = read::<u32>(0..=8, text).unwrap_err();
            assert!(error.contains(&format!("'{text}'")), "{error}");
            assert!(error.contains("expected a whole number from 0 to 8\n"), "{error}");
        }
        let huge = ["1e20", "1e99", "1e-99", "1e9999999999", &"9".repeat(99)];
        let error = huge.map(|text| read::<u16>(1..=u16::MAX, text).unwrap_err());
        assert!(error.iter().all(|it| it.contains("from 1 to 65,535\n")), "{error:?}");
    }

    #[test]
    fn times_are_at_most_a_day() {
        for (text, milliseconds) in [
            ("0.5", 500),
            (".5s", 500),
            ("10s", 10_000),
            ("10 s", 10_000),
            ("500ms", 500),
            ("1.5min", 90_000),
            ("2M", 120_000),
            ("1h", 3_600_000),
            ("86400", 86_400_000),
        ] {
            assert_eq!(seconds(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "x", "0", "-1", "1e-30", "86401", "25h", "inf", "NaN", "s", "1 d", "1e300"]
        {
            let error = seconds(text).unwrap_err();
            assert!(error.contains("expected a time above 0"), "{text}: {error}");
        }
        assert_eq!(seconds_from_0("0"), Ok(Duration::ZERO));
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let read = |text: &str| byte_size(text).ok();
        assert_eq!(read("512M"), Some(512 << 20));
        assert_eq!(read("2GiB"), Some(2 << 30));
        assert_eq!(read("2 gib"), Some(2 << 30));
        assert_eq!(read("1.5G"), Some(3 << 29));
        assert_eq!(read("2GB"), Some(2_000_000_000));
        assert_eq!([read("1000"), read("1e3"), read("1000B")], [Some(1000); 3]);
        for wrong in ["", "G", "-1", "3X", "99999999999999999999", "99999999999T", "1,5G", "0x1M"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
