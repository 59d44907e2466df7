//! The envelope that books, parts and checkpoints begin with: kind of file, version,
//! length and checksum of its content.
//!
//! Little-endian: 8 bytes of magic, a version (u32), the length of the content
//! (u32), the content, and the CRC-32 of everything before it (u32).
//!
//! The content is encoded by bincode 2 with integers of fixed size, little-endian: fields
//! one after the other without padding, a text or list as its length in 8 bytes and then
//! its contents. This is the only home of bincode; nothing large goes through here, and
//! nothing that is looked up in place.

use bincode::config::{Configuration, Fixint, LittleEndian};
use fourbook_solver::text::{count, grouped};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Magic, version and length before the content.
const PREFIX: usize = 16;

/// The checksum after the content.
const CHECKSUM: usize = 4;

/// More content than in any envelope is damage, not content; no more memory is claimed,
/// whatever lengths the bytes pretend.
const LIMIT: usize = 64 * 1024;

const CONFIG: Configuration<LittleEndian, Fixint> =
    bincode::config::standard().with_little_endian().with_fixed_int_encoding();

/// A kind of envelope.
pub(crate) struct Envelope {
    /// The first bytes.
    pub(crate) magic: [u8; 8],
    /// Changes whenever the content does.
    pub(crate) version: u32,
    /// The most bytes that the content takes, at most 64 KiB.
    pub(crate) most_bytes: usize,
}

/// A problem with an envelope or with its new content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EnvelopeError {
    /// The file is something else.
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
    /// The bytes are cut off, changed, too many, or make no sense.
    #[error("expected {expected}, found {found}")]
    Damaged {
        /// The fact that should hold.
        expected: String,
        /// The fact that does.
        found: String,
    },
}

impl EnvelopeError {
    pub(crate) fn damaged(expected: impl ToString, found: impl ToString) -> Self {
        EnvelopeError::Damaged { expected: expected.to_string(), found: found.to_string() }
    }
}

/// The content of an envelope.
pub(crate) struct Opened<T> {
    /// The content.
    pub(crate) content: T,
    /// Bytes that the envelope takes; the file may go on after them.
    pub(crate) bytes: usize,
    /// The checksum, which identifies the content.
    pub(crate) checksum: u32,
}

impl Envelope {
    /// The bytes of an envelope with this content; equal content has equal bytes. Fails with the
    /// length of the content if it takes more bytes than it may.
    pub(crate) fn seal<T: Serialize>(&self, content: &T) -> Result<Vec<u8>, usize> {
        let content = encode(content);
        if content.len() > self.most_bytes {
            return Err(content.len());
        }
        let mut bytes = Vec::with_capacity(PREFIX + content.len() + CHECKSUM);
        bytes.extend(self.magic);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(content);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// The content of the envelope that these bytes begin with.
    pub(crate) fn open<T: DeserializeOwned>(
        &self,
        bytes: &[u8],
    ) -> Result<Opened<T>, EnvelopeError> {
        let number = |at: usize| {
            let (number, _) = bytes.get(at..)?.split_first_chunk()?;
            Some(u32::from_le_bytes(*number))
        };
        if !bytes.starts_with(&self.magic) {
            return Err(EnvelopeError::Magic);
        }
        let too_short = |expected: usize| {
            move || EnvelopeError::damaged(count(expected, "byte"), grouped(bytes.len()))
        };
        let version = number(8).ok_or_else(too_short(PREFIX + CHECKSUM))?;
        if version != self.version {
            return Err(EnvelopeError::Version { expected: self.version, found: version });
        }
        let length = number(12).ok_or_else(too_short(PREFIX + CHECKSUM))? as usize;
        let most = self.most_bytes;
        if length > most {
            let most = count(most, "byte");
            let expected = format_args!("the length of the header to be at most {most}");
            return Err(EnvelopeError::damaged(expected, grouped(length)));
        }
        let end = PREFIX + length;
        let expected = number(end).ok_or_else(too_short(end + CHECKSUM))?;
        let found = crc32fast::hash(&bytes[..end]);
        if expected != found {
            let expected = format_args!("the checksum of the header to be {expected:08x}");
            return Err(EnvelopeError::damaged(expected, format_args!("{found:08x}")));
        }
        let content = decode(&bytes[PREFIX..end])?;
        Ok(Opened { content, bytes: end + CHECKSUM, checksum: expected })
    }
}

/// The content as its bytes.
pub(crate) fn encode(content: &impl Serialize) -> Vec<u8> {
    let bytes = bincode::serde::encode_to_vec(content, CONFIG);
    bytes.expect("every list has a length")
}

/// The value that all of `bytes` encode.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, EnvelopeError> {
    let other = |found: &str| EnvelopeError::damaged("the fields of a header", found);
    let (value, used) = bincode::serde::decode_from_slice(bytes, CONFIG.with_limit::<LIMIT>())
        .map_err(|_| other("other data"))?;
    match bytes.len() - used {
        0 => Ok(value),
        left => Err(other(&format!("{} more", count(left, "byte")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Note = (u16, String, Vec<i8>);

    const ENVELOPE: Envelope = Envelope { magic: *b"test-123", version: 7, most_bytes: 24 };

    fn note() -> Note {
        (258, "four".to_owned(), vec![-1, 1])
    }

    fn open(envelope: &Envelope, bytes: &[u8]) -> Result<Note, EnvelopeError> {
        envelope.open(bytes).map(|opened| opened.content)
    }

    #[test]
    fn integers_are_little_endian_and_lengths_take_eight_bytes() {
        let bytes = ENVELOPE.seal(&note()).unwrap();
        let content = b"\x02\x01\x04\0\0\0\0\0\0\0four\x02\0\0\0\0\0\0\0\xff\x01";
        assert_eq!(bytes[..PREFIX], *b"test-123\x07\0\0\0\x18\0\0\0");
        assert_eq!(bytes[PREFIX..PREFIX + 24], *content);
        assert_eq!(open(&ENVELOPE, &bytes), Ok(note()));
    }

    #[test]
    fn content_over_the_limit_is_refused() {
        let smaller = Envelope { most_bytes: 23, ..ENVELOPE };
        let too_long =
            EnvelopeError::damaged("the length of the header to be at most 23 bytes", 24);
        assert_eq!(smaller.seal(&note()), Err(24));
        let bytes = ENVELOPE.seal(&note()).unwrap();
        assert_eq!(open(&smaller, &bytes), Err(too_long));
    }

    #[test]
    fn excessive_lengths_and_leftover_bytes_are_refused() {
        let bytes = ENVELOPE.seal(&note()).unwrap();
        let mut content = bytes[PREFIX..bytes.len() - CHECKSUM].to_vec();
        content.push(0);
        let error = |found: &str| Err(EnvelopeError::damaged("the fields of a header", found));
        assert_eq!(decode::<Note>(&content), error("1 byte more"));
        content[8] = 0x7f;
        assert_eq!(decode::<Note>(&content), error("other data"));
    }

    #[test]
    fn any_changed_bit_and_any_cut_is_noticed() {
        let bytes = ENVELOPE.seal(&note()).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(open(&ENVELOPE, &damaged).is_err(), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(open(&ENVELOPE, &bytes[..length]).is_err(), "cut to {length}");
        }
        assert_eq!(open(&ENVELOPE, &[&bytes[..], &[0]].concat()), Ok(note()));
    }
}
