//! Amounts of memory on the command line.

use super::progress::OnStderr;
use clap::Args;
use fourbook::generate::Memory;
use fourbook::tools::Resources;
use std::fmt;
use std::str::FromStr;

/// The most memory for a table that grows with the work, unless another is asked for.
pub(super) fn table_bytes(asked_for: Option<ByteSize>) -> usize {
    asked_for.map_or_else(|| Memory::now().table_bytes(), ByteSize::bytes)
}

/// The argument of a subcommand that reads whole plies of a book.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct MemoryArgs {
    /// The most memory to use, such as 512M or 2GiB; K, M, G and T are powers of 1024. Values that
    /// do not fit lie in a temporary file [default: three quarters of the free memory]
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,
}

impl MemoryArgs {
    /// So much memory, and whom to tell.
    pub(super) fn resources<'a>(self, progress: &'a OnStderr) -> Resources<'a> {
        let resources = Resources::new(progress);
        match self.memory {
            Some(memory) => resources.with_memory(memory.bytes() as u64),
            None => resources,
        }
    }
}

/// A number of bytes as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ByteSize(usize);

impl ByteSize {
    /// The number of bytes.
    pub(super) fn bytes(self) -> usize {
        self.0
    }
}

impl fmt::Display for ByteSize {
    /// In the largest unit that divides it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let divides = |power: u32| self.0 != 0 && self.0.is_multiple_of(1024_usize.pow(power));
        let (power, unit) = [(4, "T"), (3, "G"), (2, "M"), (1, "K")]
            .into_iter()
            .find(|&(power, _)| divides(power))
            .unwrap_or((0, ""));
        write!(f, "{}{unit}", self.0 / 1024_usize.pow(power))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of bytes such as 512M, 2G or 2GiB")]
pub(super) struct ByteSizeError;

impl FromStr for ByteSize {
    type Err = ByteSizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let power = match unit.trim_start().to_ascii_lowercase().as_str() {
            "" | "b" => 0,
            "k" | "kib" => 1,
            "m" | "mib" => 2,
            "g" | "gib" => 3,
            "t" | "tib" => 4,
            _ => return Err(ByteSizeError),
        };
        let bytes = number.parse::<usize>().ok().and_then(|n| n.checked_mul(1024_usize.pow(power)));
        bytes.map(ByteSize).ok_or(ByteSizeError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let read = |text: &str| text.parse::<ByteSize>().map(|ByteSize(bytes)| bytes);
        assert_eq!(read("512M"), Ok(512 << 20));
        assert_eq!(read("2GiB"), Ok(2 << 30));
        assert_eq!(read("2 gib"), Ok(2 << 30));
        assert_eq!(read("1000"), Ok(1000));
        for wrong in ["", "G", "-1", "1.5G", "3X", "99999999999999999999", "99999999999T"] {
            assert_eq!(read(wrong), Err(ByteSizeError), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_printed_as_they_are_read() {
        for text in ["0", "1000", "3K", "128M", "1025M", "2G", "7T"] {
            assert_eq!(text.parse::<ByteSize>().unwrap().to_string(), text);
        }
    }
}
