//! The only home of bincode: small values to bytes and back, under a limit.
//!
//! The encoding is bincode 2's with integers of fixed size, little-endian:
//! fields one after the other without padding, a text or list as its length in
//! 8 bytes and then its contents. `books/FORMAT.md` describes it for books.
//!
//! Nothing large goes through here, and nothing that is looked up in place.

use bincode::config::{Configuration, Fixint, LittleEndian};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a value could not be encoded or decoded.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// The value takes more bytes than allowed.
    #[error("{bytes} bytes are more than the limit of {limit}")]
    TooLong {
        /// Bytes it takes.
        bytes: usize,
        /// The most there may be.
        limit: usize,
    },
    /// The value cannot be encoded.
    #[error("the value cannot be encoded: {0}")]
    Encode(String),
    /// The bytes are not those of such a value.
    #[error("the bytes cannot be decoded: {0}")]
    Decode(String),
    /// Bytes are left over.
    #[error("{0} bytes are left over at the end")]
    LeftOver(usize),
}

const CONFIG: Configuration<LittleEndian, Fixint> =
    bincode::config::standard().with_little_endian().with_fixed_int_encoding();

/// The bytes of a value, at most `LIMIT`; equal values have equal bytes.
///
/// # Errors
///
/// If there are more, or the type is one bincode does not know how to encode.
pub(crate) fn encode<T: Serialize, const LIMIT: usize>(value: &T) -> Result<Vec<u8>, CodecError> {
    let bytes = bincode::serde::encode_to_vec(value, CONFIG)
        .map_err(|error| CodecError::Encode(error.to_string()))?;
    if bytes.len() > LIMIT {
        return Err(CodecError::TooLong { bytes: bytes.len(), limit: LIMIT });
    }
    Ok(bytes)
}

/// The value that all of `bytes` encode. Memory is claimed for at most
/// `LIMIT` bytes, whatever lengths the bytes pretend.
///
/// # Errors
///
/// If there are more than `LIMIT` bytes, or they are not exactly one value.
pub(crate) fn decode<T: DeserializeOwned, const LIMIT: usize>(
    bytes: &[u8],
) -> Result<T, CodecError> {
    if bytes.len() > LIMIT {
        return Err(CodecError::TooLong { bytes: bytes.len(), limit: LIMIT });
    }
    let (value, used) = bincode::serde::decode_from_slice(bytes, CONFIG.with_limit::<LIMIT>())
        .map_err(|error| CodecError::Decode(error.to_string()))?;
    match bytes.len() - used {
        0 => Ok(value),
        left_over => Err(CodecError::LeftOver(left_over)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Value = (u16, String, Vec<i8>);

    fn value() -> Value {
        (258, "four".to_owned(), vec![-1, 1])
    }

    #[test]
    fn integers_are_little_endian_and_lengths_take_eight_bytes() {
        let bytes = encode::<Value, 64>(&value()).unwrap();
        let expected = b"\x02\x01\x04\0\0\0\0\0\0\0four\x02\0\0\0\0\0\0\0\xff\x01";
        assert_eq!(bytes, expected);
        assert_eq!(decode::<Value, 64>(&bytes).unwrap(), value());
    }

    #[test]
    fn more_bytes_than_the_limit_are_refused() {
        assert!(matches!(encode::<Value, 23>(&value()), Err(CodecError::TooLong { .. })));
        let bytes = encode::<Value, 24>(&value()).unwrap();
        assert!(matches!(decode::<Value, 23>(&bytes), Err(CodecError::TooLong { .. })));
    }

    #[test]
    fn a_length_that_pretends_too_much_is_refused() {
        let mut bytes = encode::<Value, 64>(&value()).unwrap();
        bytes[8] = 0x7f;
        assert!(matches!(decode::<Value, 64>(&bytes), Err(CodecError::Decode(_))));
    }

    #[test]
    fn bytes_left_over_are_refused() {
        let mut bytes = encode::<Value, 64>(&value()).unwrap();
        bytes.push(0);
        assert!(matches!(decode::<Value, 64>(&bytes), Err(CodecError::LeftOver(1))));
    }
}
