//! Links to a position: of connect4.gamesolver.org (`?pos=4453`), of fourbook's page and server.

use super::{GameRecord, Notation, listed, numbers, printed};
use crate::board::{Position, PositionError, Size};
use crate::text::{hexadecimal, listed as names, number, shortened};

/// The parameters that name a position, and their notations.
const NAMES: [(&str, Notation); 4] = [
    ("pos", Notation::Moves),
    ("moves", Notation::Moves),
    ("diagram", Notation::Diagram),
    ("key", Notation::Key),
];

/// Parameters of which a link has one at most.
const ALTERNATIVES: [&[&str]; 4] = [&["pos", "moves"], &["diagram", "key"], &["size"], &["ply"]];

const NO_POSITION: &str =
    "the link names no position; expected moves=, diagram=, key= or pos= in it";

/// The query of a link.
pub(super) struct Link(Vec<(String, String)>);

impl Link {
    /// The query of a text that is a link.
    pub(super) fn new(text: &str) -> Option<Link> {
        let (start, query) = text.split_once('?').unwrap_or((text, ""));
        let is_address =
            ["http://", "https://"].iter().any(|it| numbers::strip_prefix(text, it).is_some());
        let query = query.split_once('#').map_or(query, |(query, _)| query);
        // A link in a web page has the entity.
        let query = query.replace("&amp;", "&");
        let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
        let parameters = parameters.map(|parameter| {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            (name.to_owned(), decoded(value))
        });
        let link = Link(parameters.collect());
        let is_known = link.value("size").is_some()
            || NAMES.iter().any(|(name, _)| link.value(name).is_some());
        let is_link = is_address || is_known && !start.contains(char::is_whitespace);
        is_link.then_some(link)
    }

    fn value(&self, name: &str) -> Option<&str> {
        Some(&self.0.iter().find(|(it, _)| it == name)?.1)
    }

    /// The notation of the position; a diagram may have moves after it. The size alone names the
    /// empty board, but another parameter may name a position in a way unknown here.
    pub(super) fn notation(&self) -> Option<Notation> {
        let named = NAMES.iter().rev().find(|(name, _)| self.value(name).is_some());
        let is_empty = self.value("size").is_some()
            && self.0.iter().all(|(name, _)| matches!(&**name, "size" | "ply"));
        named.map(|&(_, notation)| notation).or(is_empty.then_some(Notation::Moves))
    }

    /// The size of the board, 7x6 by default.
    pub(super) fn size(&self) -> Result<Size, PositionError> {
        let size = self.value("size").map_or(Ok(Size::STANDARD), str::parse);
        size.map_err(|error| PositionError::Text(format!("the size of the link: {error}")))
    }

    /// Whether the link names a position in another way than by moves.
    pub(super) fn has_start(&self) -> bool {
        self.notation().is_some_and(|notation| notation != Notation::Moves)
    }

    /// The position and the moves of the link.
    pub(super) fn record(&self, expected: Size) -> Result<GameRecord, PositionError> {
        self.check(expected)?;
        let text = self.value("pos").or(self.value("moves")).unwrap_or_default();
        let start = match self.notation() {
            Some(Notation::Moves) => Position::empty(expected),
            Some(notation) => {
                notation.parse(expected, self.value(notation.name()).unwrap_or_default())?
            }
            None => return Err(PositionError::Text(NO_POSITION.to_owned())),
        };
        let moves = match self.has_start() {
            false => listed(expected, text)?,
            true => start.play_moves(text).map(|_| printed(expected, text))?,
        };
        Ok(GameRecord { start, ply: self.ply(moves.len())?, moves })
    }

    /// The number of moves to play: all, or the `ply` of the link.
    fn ply(&self, moves: usize) -> Result<usize, PositionError> {
        let Some(text) = self.value("ply") else { return Ok(moves) };
        number(text).filter(|&ply| ply <= moves).ok_or_else(|| {
            let found = shortened(text);
            let text = format!("the ply of the link: expected 0 to {moves} moves, found '{found}'");
            PositionError::Text(text)
        })
    }

    fn check(&self, expected: Size) -> Result<(), PositionError> {
        for alternatives in ALTERNATIVES {
            let found = self.0.iter().filter(|(name, _)| alternatives.contains(&&**name)).count();
            if found > 1 {
                let expected = names(alternatives, "or");
                let text = format!("expected {expected} once in the link, found {found} of them");
                return Err(PositionError::Text(text));
            }
        }
        let size = self.size()?;
        if size == expected {
            return Ok(());
        }
        let problem =
            format!("expected a position of a {expected} board, found a link to one of {size}");
        Err(PositionError::Text(problem))
    }
}

/// A value without its percent signs.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|hex| str::from_utf8(hex).ok());
        (rest, _) = match (first, hex.and_then(hexadecimal)) {
            (b'%', Some(byte)) => (&after[2..], bytes.push(byte as u8)),
            (b'+', _) => (after, bytes.push(b' ')),
            _ => (after, bytes.push(*first)),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
