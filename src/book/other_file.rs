//! Files that people name in place of a book or a list of positions, by their first bytes.

use super::header::MAGIC;
use fourbook_solver::text::shortened;

/// How files begin, in any case and after white space; their kind; and advice.
const KINDS: [(&[&[u8]], &str, &str); 11] = [
    (&[b"\x1f\x8b", b"\x1f\x9d"], "a file packed by gzip", "unpack it first: gunzip < FILE > NEW"),
    (
        &[b"PK\x03\x04", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"],
        "a file packed by zip, bzip2, xz or zstd",
        "unpack it first",
    ),
    (
        &[b"<!doctype", b"<html", b"<?xml"],
        "a web page",
        "fetch the file itself, not the page about it",
    ),
    (
        &[b"404: not", b"404 not", b"404 page"],
        "the answer 404 of a server",
        "check the address, and fetch the file again",
    ),
    (&[b"version https://git-lfs"], "a pointer of Git LFS", "fetch the file itself: git lfs pull"),
    (&[b"\xff\xfe", b"\xfe\xff"], "text in UTF-16", "save it as UTF-8"),
    (
        &[b"{", b"[{"],
        "JSON",
        "write its scores as comma-separated values after a line 'position,score', and import them",
    ),
    (
        &[&MAGIC],
        "a book of fourbook",
        "open it as a book, or make a strategy with 'fourbook strategy'",
    ),
    (
        &[b"\x894PLAY"],
        "a strategy of fourbook",
        "name its file after --strategy, or as that of info, verify or export",
    ),
    (
        &[b"\x894PART", b"\x894SAVE"],
        "a part or a checkpoint of a book",
        "merge all parts to a book, or resume the checkpoint",
    ),
    (
        &[b"\x894SOLV"],
        "a checkpoint of 'fourbook strategy'",
        "start the same command again, which resumes it",
    ),
];

/// The kind of a file with these first bytes, and advice, if it is neither a book nor text
/// nor another program's book.
///
/// ```
/// let (kind, advice) = fourbook::book::other_file(b"\x1f\x8b\x08").unwrap();
/// assert_eq!((kind, advice), ("a file packed by gzip", "unpack it first: gunzip < FILE > NEW"));
/// assert_eq!(fourbook::book::other_file(b"4453\n"), None);
/// ```
pub fn other_file(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let kind = KINDS.iter().find(|(beginnings, ..)| {
        beginnings.iter().any(|beginning| {
            bytes.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
        })
    });
    kind.map(|&(_, kind, advice)| (kind, advice))
}

/// How a file begins whose kind is unknown.
pub(crate) fn described(bytes: &[u8]) -> String {
    let first_line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    match str::from_utf8(first_line.trim_ascii_end()) {
        _ if bytes.is_empty() => "an empty file".to_owned(),
        Ok(text) if !text.contains(char::is_control) => {
            format!("text that begins with '{}'", shortened(text))
        }
        _ => format!("the first bytes {:02x?}", &bytes[..bytes.len().min(MAGIC.len())]),
    }
}
