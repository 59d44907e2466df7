//! What is done with arbitrary bytes: nothing of it may panic.
//!
//! The fuzz targets call these functions, and so does the test `fuzz_seeds` of
//! the package, with the seeds and with random changes to them. To add one takes
//! a function here, its line in [`TARGETS`], a target of the same name in
//! `fuzz_targets` (with its `[[bin]]`) and a folder of seeds.

#[cfg(all(unix, feature = "server", not(miri)))]
mod server;

use fourbook::board::notation::{Notation, parse_position};
use fourbook::board::{OnSize, Position, Size};
use fourbook::book::exchange::import::{ImportOptions, import};
use fourbook::book::exchange::{ForeignBook, Format};
use fourbook::book::verify::{Options, verify};
use fourbook::book::{Answer, Book, Encoding};

/// What is done with the bytes of an input.
pub type Target = fn(&[u8]);

/// All functions, by the names of their targets and of the folders of their seeds.
pub const TARGETS: &[(&str, Target)] = &[
    ("book", book),
    ("exchange", exchange),
    ("notation", notation),
    #[cfg(all(unix, feature = "server", not(miri)))]
    ("request", request),
];

/// Reads the bytes as a book file and looks positions up in it; once more with
/// the header's checksum made right, without which hardly any change gets far.
pub fn book(bytes: &[u8]) {
    use_book(bytes);
    if let Some(repaired) = with_right_checksum(bytes) {
        use_book(&repaired);
    }
}

fn with_right_checksum(bytes: &[u8]) -> Option<Vec<u8>> {
    let length: [u8; 4] = bytes.get(12..16)?.try_into().ok()?;
    let end = 16_usize.checked_add(u32::from_le_bytes(length) as usize)?;
    let checksum = crc32fast::hash(bytes.get(..end)?).to_le_bytes();
    let mut repaired = bytes.to_vec();
    repaired.get_mut(end..end + checksum.len())?.copy_from_slice(&checksum);
    Some(repaired)
}

fn use_book(bytes: &[u8]) {
    match Book::from_bytes(bytes) {
        Ok(book) => book.size().dispatch(UseBook(&book)),
        Err(error) => drop(error.to_string()),
    }
}

struct UseBook<'a>(&'a Book<&'a [u8]>);

impl OnSize for UseBook<'_> {
    type Output = ();

    fn on_size<const W: usize, const H: usize>(self) {
        let book = self.0;
        let view = book.view::<W, H>().expect("the size is the book's");
        for game in 0..16 {
            for position in random_game::<W, H>(game, book.depth() + 1) {
                let answer = view.score(position);
                // A compact book may have anything for a position that no game
                // reaches, but these are all from games.
                assert_eq!(answer, view.score_of_game(position));
                if position.ply() > book.depth() {
                    assert!(matches!(answer, Answer::TooDeep | Answer::Rules(_)));
                }
                if let Ok(swapped) = Position::from_bitboards(position.opponent(), position.mask())
                {
                    let _ = view.score(swapped);
                }
            }
        }
        // An interpreter has no time for this, nor a fuzzer for the deeper ones.
        if !cfg!(miri) && book.sections().iter().all(|section| section.slots < 1 << 12) {
            let report = verify(book, &Options::default(), &()).expect("there is memory for it");
            assert!(!report.checks.is_empty());
        }
    }
}

/// The positions of a game of random moves, at most `plies` of them.
fn random_game<const W: usize, const H: usize>(
    seed: u64,
    plies: u32,
) -> impl Iterator<Item = Position<W, H>> {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = move |position: &Position<W, H>| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let start = (random >> 33) as usize;
        let column = (0..W).map(|i| (start + i) % W).find(|&column| position.can_play(column))?;
        (!position.is_over()).then(|| position.play(column))
    };
    std::iter::successors(Some(Position::EMPTY), next).take(plies as usize + 1)
}

/// Reads the bytes as a position in every notation and on every board; what is
/// read is printed and read again.
pub fn notation(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = (text.parse::<Size>(), text.parse::<Notation>());
    for size in Size::ALL {
        size.dispatch(UseText(text));
    }
}

struct UseText<'a>(&'a str);

impl OnSize for UseText<'_> {
    type Output = ();

    fn on_size<const W: usize, const H: usize>(self) {
        if let Err(error) = parse_position::<W, H>(self.0) {
            drop(error.to_string());
        }
        for notation in Notation::ALL {
            let Ok(position) = notation.parse::<W, H>(self.0) else { continue };
            for other in Notation::ALL {
                match other.print(position) {
                    Ok(text) => assert_eq!(other.parse(&text).ok(), Some(position), "{text}"),
                    Err(_) => assert_eq!(other, Notation::Moves, "{position:?}"),
                }
            }
        }
    }
}

/// Reads the bytes after the first two as a book of another program: the first byte
/// chooses the format, the second the board. What can be read is imported, if
/// there are few positions to import.
pub fn exchange(bytes: &[u8]) {
    let [format, size, bytes @ ..] = bytes else { return };
    let format = Format::ALL[usize::from(*format) % Format::ALL.len()];
    let size = Size::ALL.get(usize::from(*size)).copied();
    let file = match ForeignBook::open(bytes, format, size) {
        Ok(file) => file,
        Err(error) => return drop(error.to_string()),
    };
    assert_eq!(file.format(), format);
    assert!(size.is_none_or(|size| size == file.size()));
    let options = ImportOptions { depth: None, encoding: Encoding::Flat };
    // Miri cannot ask how much memory there is.
    if !cfg!(miri) && file.depth() <= 4 {
        match import(&file, options, &()) {
            Ok(book) => assert_eq!(book.plies().last().map(|ply| ply.ply), Some(file.depth())),
            Err(error) => drop(error.to_string()),
        }
    }
}

/// Sends a request to the daemon's routes. The first byte chooses the method; the path
/// and the query are the bytes to the first line feed, the body those after it.
#[cfg(all(unix, feature = "server", not(miri)))]
pub fn request(bytes: &[u8]) {
    let [method, bytes @ ..] = bytes else { return };
    let (target, body) = match bytes.iter().position(|&byte| byte == b'\n') {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[][..]),
    };
    server::send(*method == b'P', target, body);
}
