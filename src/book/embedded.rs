//! The books that come with the library.

use super::reader::Book;
use fourbook_solver::board::Size;

/// The bytes of the book of 7x6.
static STANDARD: &[u8] = include_bytes!("../../books/7x6-d12-compact.book");

/// The books of these boards in the folder `books/shelf`.
#[cfg(feature = "shelf")]
macro_rules! shelf {
    ($($width:literal x $height:literal to $depth:literal,)*) => {
        &[$((
            ($width, $height),
            include_bytes!(concat!(
                "../../books/shelf/", $width, "x", $height, "-d", $depth, ".book"
            )),
        )),*]
    };
}

/// Columns and rows of other boards, and the bytes of their books.
#[cfg(feature = "shelf")]
#[rustfmt::skip]
static SHELF: &[((usize, usize), &[u8])] = shelf![
    4 x 4 to 8, 4 x 5 to 8, 4 x 6 to 8, 4 x 7 to 8, 4 x 8 to 8, 4 x 9 to 8, 4 x 10 to 8,
    4 x 11 to 8, 4 x 12 to 10,
    5 x 4 to 8, 5 x 5 to 8, 5 x 6 to 8, 5 x 7 to 8, 5 x 8 to 8, 5 x 9 to 10,
    6 x 4 to 8, 6 x 5 to 8, 6 x 6 to 8, 6 x 7 to 8, 6 x 8 to 10,
    7 x 4 to 8, 7 x 5 to 8, 7 x 7 to 8,
    8 x 4 to 8, 8 x 5 to 8, 8 x 6 to 8,
    9 x 4 to 8,
];
#[cfg(not(feature = "shelf"))]
static SHELF: &[((usize, usize), &[u8])] = &[];

impl Book {
    /// The book of 7x6 that comes with the library: to ply 12, exact scores. It is compact from
    /// ply 9 on, and takes microseconds to open.
    ///
    /// ```
    /// use fourbook::{Book, Position};
    /// let book = Book::embedded();
    /// assert_eq!(book.look_up(Position::from_moves("44")?)?.score(), Some(1));
    /// assert_eq!(book.depth(), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn embedded() -> Book {
        Book::embedded_for(Size::STANDARD).expect("the library has a book of 7x6")
    }

    /// The built-in book for boards of a size, if it has one: on 7x6
    /// [`embedded`](Self::embedded), and with the feature `shelf` books of exact scores to ply 8 or
    /// 10.
    ///
    /// ```
    /// use fourbook::{Book, Position, Size};
    /// let size: Size = "6x5".parse()?;
    /// let book = Book::embedded_for(size).expect("the feature `shelf` has 6x5");
    /// assert_eq!(book.look_up(Position::empty(size))?.score(), Some(0));
    /// assert!(Book::embedded_for(Size::new(16, 7)?).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn embedded_for(size: Size) -> Option<Book> {
        bytes_for(size).map(|bytes| Book::from_bytes(bytes).expect("the library's book is one"))
    }

    /// The boards that [`embedded_for`](Self::embedded_for) has books for, the narrowest first, of
    /// each width the lowest first.
    pub fn embedded_sizes() -> impl Iterator<Item = Size> {
        Size::all().filter(|&size| bytes_for(size).is_some())
    }
}

fn bytes_for(size: Size) -> Option<&'static [u8]> {
    if size == Size::STANDARD {
        return Some(STANDARD);
    }
    let sides = (size.width(), size.height());
    SHELF.iter().find(|(board, _)| *board == sides).map(|&(_, bytes)| bytes)
}
