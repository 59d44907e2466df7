//! Amounts of memory on the command line.

use std::str::FromStr;

/// A number of bytes as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ByteSize(usize);

impl ByteSize {
    /// The number of bytes.
    pub(super) fn bytes(self) -> usize {
        self.0
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
}
