//! Small files that say what they are and whether they are whole.
//!
//! Little-endian: 8 bytes of magic, a version (u32), the length of the content
//! (u32), the content, and the CRC-32 of everything before it (u32).

use crate::header_codec;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// More content than this is damage, not content.
const MAX_CONTENT: usize = 4096;

/// Magic, version and length before the content.
const PREFIX: usize = 16;

/// What a sealed file holds.
pub(super) trait Sealed: Serialize + DeserializeOwned {
    /// The first bytes of the file.
    const MAGIC: [u8; 8];
    /// Changes whenever the content does.
    const VERSION: u32;
}

/// What is wrong with a sealed file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// It is something else.
    #[error("it does not begin as such a file does")]
    Magic,
    /// It is of another version of the program.
    #[error("expected version {expected} of the file's format, found version {found}")]
    Version {
        /// The version that can be read.
        expected: u32,
        /// The file's version.
        found: u32,
    },
    /// It is cut off, or has bytes too many.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// The length that it states.
        expected: usize,
        /// The length that it has.
        found: usize,
    },
    /// Its bytes have changed.
    #[error("expected the checksum {expected:08x}, found {found:08x}")]
    Checksum {
        /// The checksum that it states.
        expected: u32,
        /// The checksum of its bytes.
        found: u32,
    },
    /// Its content makes no sense.
    #[error("its content cannot be read: {0}")]
    Content(String),
}

/// The bytes of a file with this content.
pub(super) fn seal<T: Sealed>(content: &T) -> Vec<u8> {
    let content = header_codec::encode::<_, MAX_CONTENT>(content)
        .expect("what is sealed is small and has a length known beforehand");
    let mut bytes = Vec::with_capacity(PREFIX + content.len() + 4);
    bytes.extend(T::MAGIC);
    bytes.extend(T::VERSION.to_le_bytes());
    bytes.extend((content.len() as u32).to_le_bytes());
    bytes.extend(content);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// The content of a file with these bytes.
pub(super) fn unseal<T: Sealed>(bytes: &[u8]) -> Result<T, SealError> {
    let (content, expected) = unseal_start(bytes)?;
    if bytes.len() != expected {
        return Err(SealError::Length { expected, found: bytes.len() });
    }
    Ok(content)
}

/// The content sealed at the start of a file that goes on after it, and how
/// many bytes that takes.
pub(super) fn unseal_start<T: Sealed>(bytes: &[u8]) -> Result<(T, usize), SealError> {
    let number = |at: usize| {
        let end = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes(end.try_into().expect("4 bytes")))
    };
    if !bytes.starts_with(&T::MAGIC) {
        return Err(SealError::Magic);
    }
    let too_short = SealError::Length { expected: PREFIX + 4, found: bytes.len() };
    let (Some(version), Some(length)) = (number(8), number(12)) else {
        return Err(too_short);
    };
    if version != T::VERSION {
        return Err(SealError::Version { expected: T::VERSION, found: version });
    }
    let end = PREFIX + (length as usize).min(MAX_CONTENT);
    let expected =
        number(end).ok_or(SealError::Length { expected: end + 4, found: bytes.len() })?;
    let found = crc32fast::hash(&bytes[..end]);
    if expected != found {
        return Err(SealError::Checksum { expected, found });
    }
    let content = header_codec::decode::<_, MAX_CONTENT>(&bytes[PREFIX..end])
        .map_err(|error| SealError::Content(error.to_string()))?;
    Ok((content, end + 4))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Note {
        number: u64,
        text: String,
    }

    impl Sealed for Note {
        const MAGIC: [u8; 8] = *b"test-123";
        const VERSION: u32 = 7;
    }

    fn note() -> Note {
        Note { number: 1 << 40, text: "four".to_owned() }
    }

    #[test]
    fn what_is_sealed_comes_back() {
        assert_eq!(unseal(&seal(&note())), Ok(note()));
    }

    #[test]
    fn any_changed_bit_and_any_cut_is_noticed() {
        let bytes = seal(&note());
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(unseal::<Note>(&damaged).is_err(), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(unseal::<Note>(&bytes[..length]).is_err(), "cut to {length}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(matches!(unseal::<Note>(&longer), Err(SealError::Length { .. })));
    }
}
