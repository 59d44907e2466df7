import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from threading import Event
from typing import (
    Any,
    Final,
    Literal,
    Protocol,
    SupportsFloat,
    SupportsIndex,
    TypeAlias,
    TypedDict,
    final,
)

from numpy import bool_, dtype, int8, str_
from numpy.ma import MaskedArray
from numpy.typing import NDArray
from typing_extensions import Buffer, Self, Unpack, disjoint_base

from fourbook._results import Analyses, Choice, Move

__all__ = [
    "Analysis",
    "Book",
    "BookPositions",
    "Level",
    "Position",
    "Search",
    "__version__",
    "_embedded",
    "_forked",
    "_reopen",
    "generate",
    "random_position",
    "run_program",
]

# An array of numpy, a tensor, or a series of pandas or polars.
class _Array(Protocol):
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __iter__(self) -> Iterator[Any]: ...

# When a search stops; None is no limit.
class _Limits(TypedDict, total=False):
    max_nodes: SupportsIndex | None
    timeout: SupportsFloat | None
    cancel: Event | None

# The same for many positions.
class _ForMany(_Limits, total=False):
    progress: _Progress | None

_Size: TypeAlias = str | tuple[SupportsIndex, SupportsIndex]
_Player: TypeAlias = Literal["X", "O"]
_Outcome: TypeAlias = Literal["win", "draw", "loss"]
_Source: TypeAlias = Literal["book", "strategy", "derived", "solver"]
_Path: TypeAlias = str | os.PathLike[str]
# The step, its units done and its units in total.
_Progress: TypeAlias = Callable[[str, int, int], object]
# One board; nested lists have one to three levels.
_Board: TypeAlias = (
    _Array | Sequence[float] | Sequence[Sequence[float]] | Sequence[Sequence[Sequence[float]]]
)
_Layout: TypeAlias = Literal["rows", "mover"]
# Without numpy, arrays are lists.
_Numbers: TypeAlias = NDArray[int8]
_Masked: TypeAlias = MaskedArray[Any, dtype[int8]]
_Texts: TypeAlias = MaskedArray[Any, dtype[str_]]
_Position: TypeAlias = Position | str | _Board
_Positions: TypeAlias = Iterable[_Position] | _Array

__version__: Final[str]

@final
class Position:
    """A position on a board of some size. It never changes.

    A text is read in any notation of fourbook: moves (columns from 1), a diagram, bitboards,
    `rows:` or `key:`. A column is a number from 0, or a text, its name in the notation: from 1 on.
    `size` is a text such as `7x6` or a pair such as `(7, 6)`; by default it is the size of a diagram,
    or 7x6. Without a text, or with an empty one, it is the empty board.

    >>> from fourbook import Position
    >>> position = Position("4453")
    >>> position
    Position('4453')
    >>> print(position)
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . O . . .
    . . O X X . .
    1 2 3 4 5 6 7
    >>> position.play(3).play(3) == Position("445344")
    True
    >>> Position("11", size="4x4").legal_moves()
    [0, 1, 2, 3]
    """
    def __new__(
        cls, position: _Position = "", *, size: _Size | None = None
    ) -> Position: ...
    @staticmethod
    def from_moves(
        moves: str | Iterable[SupportsIndex | str], *, size: _Size | None = None
    ) -> Position:
        """The position after moves from the empty board: a text, or columns as `play` takes them.

        >>> Position.from_moves("44") == Position.from_moves([3, 3]) == Position.from_moves(["4", "4"])
        True
        """
    @staticmethod
    def from_array(
        array: _Board, *, layout: _Layout = "rows", size: _Size | None = None
    ) -> Position:
        """The position of one board of numbers, as an array of any package or as nested lists. `layout`
        says how they are a board:

        - `rows`: rows, the top one first; 0 is empty, 1 a stone of the first player, 2 or -1 one of
          the second;
        - `mover`: as `rows`, but 1 is the side to move and -1 the other side.

        Numbers that are no position in the layout are an error that names the cell. `size` is the
        board, by default that of the shape.

        >>> rows = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 0], [0, 1, 1, 0]]
        >>> Position.from_array(rows)
        Position('223', size='4x4')
        """
    @staticmethod
    def from_key(key: SupportsIndex, *, size: _Size | None = None) -> Position:
        """The position with this `key`.

        >>> Position.from_key(4433222074497) == Position("4453")
        True
        """
    @property
    def size(self) -> str:
        """The board, such as `7x6`: columns and rows."""
    @property
    def width(self) -> int:
        """Number of columns."""
    @property
    def height(self) -> int:
        """Number of rows."""
    @property
    def ply(self) -> int:
        """Number of stones."""
    @property
    def to_move(self) -> _Player | None:
        """The player who moves next, `X` or `O`; None if the game is over."""
    @property
    def over(self) -> bool:
        """Whether the game is over."""
    @property
    def winner(self) -> _Player | None:
        """The winner, `X` or `O`, or None."""
    @property
    def winning_line(self) -> list[tuple[int, int]] | None:
        """The cells of all lines of four, each a column and a row from 0, if the game is won.

        >>> Position("1213141").winning_line
        [(0, 0), (0, 1), (0, 2), (0, 3)]
        """
    @property
    def key(self) -> int:
        """A number that no other position of boards of this size has."""
    @property
    def canonical_key(self) -> int:
        """The smaller of the keys of the position and its mirror image: the same for both."""
    @property
    def moves(self) -> str | None:
        """The moves of some game that leads here; None if no game does. A position does not
        remember its game.
        """
    @property
    def diagram(self) -> str:
        """The rows, the top one first, in one line.

        >>> Position("4453").diagram
        '......./......./......./......./...O.../..OXX..'
        """
    def to_text(
        self, notation: Literal["moves", "diagram", "bitboards", "rows", "key"]
    ) -> str:
        """The position in a notation of fourbook: `moves`, `diagram`, `bitboards`, `rows` or
        `key`.

        >>> Position("4453").to_text("bitboards")
        '[270532608, 4210688, 4]'
        """
    def to_array(self, *, layout: _Layout = "rows") -> _Numbers:
        """The board as an array in a `layout` of `from_array`: an array of numpy of type int8, or
        without numpy lists of arrays.

        >>> Position("44", size="4x4").to_array(layout="mover").tolist()[-2:]
        [[0, 0, 0, -1], [0, 0, 0, 1]]
        """
    @staticmethod
    def stack(
        positions: _Positions, *, layout: _Layout = "rows", size: _Size | None = None
    ) -> _Numbers:
        """The boards of many positions as one array in a `layout` of `from_array`, of shape (positions,
        rows, columns) by default, as `Oracle.scores` takes it: an array of numpy, or without numpy
        lists of arrays. All boards have one size, by default that of the first position.

        >>> len(Position.stack(["44", "4453"]))
        2
        """
    @staticmethod
    def unstack(
        boards: _Positions, *, layout: _Layout = "rows", size: _Size | None = None
    ) -> list[Position]:
        """The positions of many boards in a `layout` of `from_array`: an array with one more axis, the
        first, or an iterable of boards. A position that is none is an error with its index. `size`
        is the board, by default that of the first one.

        >>> boards = Position.stack(["44", "4453"], layout="mover")
        >>> Position.unstack(boards, layout="mover")
        [Position('44'), Position('4453')]
        """
    @staticmethod
    def legal_masks(positions: _Positions, *, size: _Size | None = None) -> NDArray[bool_]:
        """Which columns of many positions can be played: an array of numpy of type bool and shape
        (positions, columns), or without numpy arrays of 0 and 1. `positions` are as in
        `Oracle.scores`, `size` as in `stack`.

        >>> [bool(column) for column in Position.legal_masks(["111111"])[0]]
        [False, True, True, True, True, True, True]
        """
    def non_losing_moves(self) -> list[int]:
        """The columns, from 0, after which the opponent cannot win with the next stone.

        >>> Position("121212").non_losing_moves()
        [0, 1]
        """
    def legal_moves(self) -> list[int]:
        """The columns, from 0, that can be played; none if the game is over."""
    def can_play(self, column: SupportsIndex | str) -> bool:
        """Whether a column can be played: a number from 0, or its name.

        >>> Position("444444").can_play(3), Position("444444").can_play("5")
        (False, True)
        """
    def play(self, moves: SupportsIndex | str) -> Position:
        """The position after a move, a column as a number from 0 or by its name, a text; or after all
        moves of a text.

        >>> Position().play(3) == Position().play("4")
        True
        >>> Position().play(3).play("453") == Position("4453")
        True
        """
    def threats(self, player: _Player) -> list[tuple[int, int]]:
        """The empty cells that complete four stones of a player, `X` or `O`: columns and rows
        from 0.

        >>> Position("121212").threats("X")
        [(0, 3)]
        """
    def mirrored(self) -> Position:
        """The mirror image: the first column becomes the last. Scores are the same."""
    def canonical(self) -> Position:
        """This position or its mirror image, whichever has the smaller key."""
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Level:
    """How well a player plays: one of eight levels, by number or by name.

    A level sees as many stones ahead as its `horizon` (None is to the end of the game), and
    in `chance` of 100 positions it plays any move. The same seed in the same position gives
    the same move, on every machine and in every language.

    >>> from fourbook import Level
    >>> [level.name for level in Level.all()]
    ['beginner', 'novice', 'casual', 'intermediate', 'advanced', 'expert', 'master', 'perfect']
    >>> Level("casual").number, Level(3).horizon, Level(3).chance
    (3, 4, 20)
    """
    def __new__(cls, level: Level | SupportsIndex | str) -> Level: ...
    @staticmethod
    def all() -> list[Level]:
        """All levels, the weakest first."""
    @property
    def number(self) -> int:
        """From 1 for a beginner to 8 for a perfect player."""
    @property
    def name(self) -> str:
        """Its name."""
    @property
    def horizon(self) -> int | None:
        """How many stones it sees ahead, its own next one counted; None for the whole game."""
    @property
    def chance(self) -> int:
        """In how many of 100 positions it plays any move."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __lt__(self, other: Level, /) -> bool: ...
    def __le__(self, other: Level, /) -> bool: ...
    def __gt__(self, other: Level, /) -> bool: ...
    def __ge__(self, other: Level, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Analysis:
    """The scores of a position and of all its moves, with the names that the server and
    `fourbook lookup --json` use. Columns are numbers from 0; the report of `to_dict` has their
    names, such as `"3"`.

    A score is for the side to move: 0 is a draw, a positive score a win, a negative one a
    loss, and the larger, the sooner the end.

    >>> from fourbook import Oracle
    >>> analysis = Oracle().analyse("4453")
    >>> analysis
    Analysis('4453', score=-2, best_moves=[2, 5, 6])
    >>> analysis.move_scores
    [-5, -5, -2, -3, -4, -2, -2]
    >>> analysis.outcome, analysis.plies_to_end, analysis.source
    ('loss', 36, 'book')
    >>> analysis.moves[0].column, analysis.moves[0].score
    (2, -2)

    Analyses are equal if they have the same position, score and scores of moves.
    """
    def __new__(
        cls,
        position: Position,
        text: str | None,
        json: str,
        took: timedelta | None,
    ) -> Analysis: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def position(self) -> Position:
        """The position."""
    @property
    def size(self) -> str:
        """The board, such as `7x6`."""
    @property
    def key(self) -> int:
        """The position's key."""
    @property
    def ply(self) -> int:
        """Number of stones."""
    @property
    def to_move(self) -> _Player | None:
        """The player who moves next, `X` or `O`; None if the game is over."""
    @property
    def over(self) -> bool:
        """Whether the game is over."""
    @property
    def winning_line(self) -> list[tuple[int, int]] | None:
        """The cells of all lines of four, each a column and a row from 0, if the game is won."""
    @property
    def score(self) -> int:
        """Score of the position, for the side to move."""
    @property
    def outcome(self) -> _Outcome:
        """Who wins, for the side to move: `win`, `draw` or `loss`."""
    @property
    def plies_to_end(self) -> int:
        """Stones of both sides until the game ends; 0 if it is over."""
    @property
    def best_moves(self) -> list[int]:
        """The columns, from 0, that reach the score, those nearest to the centre first."""
    @property
    def moves(self) -> list[Move]:
        """All columns: the best first, columns that cannot be played last."""
    @property
    def move_scores(self) -> list[int | None]:
        """The score of each column, from 0, for the side to move; None if it cannot be played."""
    @property
    def source(self) -> _Source:
        """Where the score, or else the outcome, comes from: `book`, `strategy`, `derived` or `solver`."""
    @property
    def complete(self) -> bool:
        """Whether the scores of the position and of all its moves are known."""
    @property
    def nodes(self) -> int | None:
        """Nodes visited; None if nothing was searched."""
    @property
    def time_ms(self) -> int | None:
        """Milliseconds that the search took; None if nothing was searched."""
    def to_dict(self) -> dict[str, Any]:
        """The report as a dictionary, as the server and the command line print it: with the names of
        columns and rows.
        """
    def _repr_svg_(self) -> str: ...

@final
class Book:
    """A book: the values of all positions to some ply, ready to look up.

    `Book()` is the built-in book: 7x6 to ply 12, and for most other boards of up to
    49 cells `Book(size="6x5")` to ply 8. `Book(path)` opens a file or the deepest book of a folder,
    for boards of `size` if it is given. `Book(bytes)` copies one from memory. If a file changes
    while it is open, lookups answer as before or raise an error.

    >>> from fourbook import Book, Position
    >>> book = Book()
    >>> book
    <Book 7x6, depth 12, scores, compact, embedded>
    >>> book.look_up(Position("44"))
    1
    >>> book.look_up("4444443333331") is None  # deeper than the book
    True
    """
    def __new__(
        cls, source: _Path | Buffer | None = None, *, size: _Size | None = None
    ) -> Book: ...
    def __contains__(self, position: _Position, /) -> bool: ...
    @property
    def size(self) -> str:
        """The board it is for, such as `7x6`."""
    @property
    def depth(self) -> int:
        """The most stones of a position that it answers for."""
    @property
    def kind(self) -> Literal["scores", "outcomes"]:
        """The kind of its values: `scores`, or `outcomes`, which are win, draw or loss."""
    @property
    def encoding(self) -> Literal["flat", "compact"]:
        """Its encoding: `flat` or `compact`."""
    @property
    def identity(self) -> str:
        """A checksum in hexadecimal that differs between books with different contents. Books are equal
        if their contents are.
        """
    @property
    def path(self) -> str | None:
        """The file; None if it is in memory."""
    def look_up(self, position: _Position) -> int | None:
        """The value of a position for the side to move: its score or, in a book of outcomes,
        1, 0 or -1. None if the book does not have it.
        """
    def info(self) -> dict[str, Any]:
        """The header, with the names of `fourbook info --json`.

        >>> info = Book().info()
        >>> info["depth"], [section["ply"] for section in info["sections"]]
        (12, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12])
        """
    def positions(self, ply: SupportsIndex, *, all: bool = False) -> BookPositions:
        """The positions of a ply with their values, stored in the book or derived from it; a position
        and its mirror image count once.

        **Positions in which the side to move wins with its next stone are left out**, since books
        do not store them: data made of the others alone has no such wins. With `all`, they are
        included, and so is every position that a game reaches and in which it goes on. Positions of
        games that are over never are.

        >>> [(str(position.moves), value) for position, value in Book().positions(1)]
        [('3', 0), ('2', 1), ('1', 2), ('4', -1)]
        >>> [len(list(Book().positions(6, all=each))) for each in (False, True)]
        [7638, 8231]
        """
    def arrays(
        self,
        ply: SupportsIndex,
        *,
        layout: _Layout = "rows",
        all: bool = False,
        progress: _Progress | None = None,
    ) -> tuple[_Numbers, _Numbers]:
        """The boards and values of the positions that `positions` yields, in its order, as two arrays of
        numpy of type int8, or without numpy lists of arrays. The boards are in a `layout` of
        `Position.from_array`. `progress` is called with a step, the units done and the units in total.

        >>> boards, values = Book().arrays(1, layout="mover")
        >>> boards.shape, values.tolist()
        ((4, 6, 7), [0, 1, 2, -1])
        """
    def verify(
        self,
        *,
        deep: bool = False,
        solve: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: _Progress | None = None,
    ) -> dict[str, Any]:
        """Checks the book: every byte, with `deep` every entry and every value. `solve` is a number of
        random positions to solve again. The result has the names of `fourbook
        verify --report`; `passed` says whether all is well. `progress` is called with a
        step, the units done and the units in total.

        >>> Book().verify()["passed"]
        True
        """
    def statistics(
        self, *, threads: SupportsIndex | None = None, progress: _Progress | None = None
    ) -> list[dict[str, Any]]:
        """How the positions of every ply end under perfect play: a list, by ply.

        >>> from fourbook import generate
        >>> generate("small.book", size="4x4", depth=2).statistics()[1]["distinct"]["draws"]
        4
        """
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Book: ...
    def __deepcopy__(self, _memo: Any, /) -> Book: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class BookPositions(Iterator[tuple[Position, int]]):
    """The positions of a ply of a book, one after the other, with their values."""
    def __iter__(self) -> BookPositions: ...
    def __next__(self) -> tuple[Position, int]: ...

@disjoint_base
class Search:
    """The base of `Oracle`. Every search takes `max_nodes`, `timeout` in seconds,
    and `cancel`, a `threading.Event` that stops it when it is set.
    """
    def __new__(
        cls,
        book: Book | None,
        size: _Size | None,
        memory: SupportsIndex | None,
        threads: SupportsIndex | None,
        strategies: Sequence[bytes] | None,
    ) -> Self: ...
    def _check(self, **arguments: Unpack[_ForMany]) -> None: ...
    @property
    def book(self) -> Book | None:
        """The book; None if there is none."""
    @property
    def memory(self) -> int:
        """The most bytes for the solver's table."""
    @property
    def size(self) -> str:
        """The board, such as `7x6`."""
    @property
    def threads(self) -> int:
        """The most threads that search at a time, and one for each further search."""
    @property
    def strategies(self) -> list[bytes] | None:
        """The bytes of strategies; None if they come with fourbook."""
    @property
    def nodes(self) -> int:
        """Number of nodes visited, by searches under way as well."""
    def score(
        self,
        position: _Position,
        *,
        max_nodes: SupportsIndex | None = None,
        timeout: SupportsFloat | None = None,
        cancel: Event | None = None,
    ) -> int:
        """The score of a position, for the side to move: 0 is a draw, a positive score a win, a
        negative one a loss, and the larger, the sooner the end.

        >>> Oracle().score("44")
        1
        """
    def outcome(
        self,
        position: _Position,
        *,
        max_nodes: SupportsIndex | None = None,
        timeout: SupportsFloat | None = None,
        cancel: Event | None = None,
    ) -> _Outcome:
        """Who wins, for the side to move: `win`, `draw` or `loss`. Cheaper than the score if a
        search is needed.

        >>> Oracle().outcome("4453")
        'loss'
        """
    def analyse(
        self,
        position: _Position,
        *,
        max_nodes: SupportsIndex | None = None,
        timeout: SupportsFloat | None = None,
        cancel: Event | None = None,
    ) -> Analysis:
        """The scores of a position and of all its moves.

        >>> Oracle().analyse("4453").move_scores
        [-5, -5, -2, -3, -4, -2, -2]
        """
    def best_move(
        self,
        position: _Position,
        *,
        max_nodes: SupportsIndex | None = None,
        timeout: SupportsFloat | None = None,
        cancel: Event | None = None,
    ) -> int | None:
        """A best move, a column from 0; None if the game is over. It is the one nearest to the centre, or
        that of a strategy of exact scores where the book has no answer. To choose one of several by
        chance, call `choose_move`.

        >>> Oracle().best_move("4453")
        2
        """
    def choose_move(
        self,
        position: _Position,
        *,
        level: Level | SupportsIndex | str | None = None,
        seed: SupportsIndex | None = None,
        max_nodes: SupportsIndex | None = None,
        timeout: SupportsFloat | None = None,
        cancel: Event | None = None,
    ) -> Choice:
        """The move that a player of a level chooses: `level` is a `Level`, its number or its name.
        The same `seed` in the same position gives the same move.

        If a limit ends the search, the result is the best move known, with `proved` False and
        `bounds` of the position's score. Without `max_nodes` and `timeout`, it takes at most 3
        seconds.

        >>> Oracle().choose_move("4453", level="casual", seed=7).column
        6
        """
    def explain(
        self,
        position: _Position,
        *,
        max_nodes: SupportsIndex | None = None,
        timeout: SupportsFloat | None = None,
        cancel: Event | None = None,
    ) -> dict[str, Any]:
        """Why perfect play from a position ends as it does: the four, since when it was a
        threat, and why the loser could not prevent it. The names are those of the server's
        JSON; `text` has the whole explanation in a few sentences.

        >>> explanation = Oracle().explain("44335")
        >>> explanation["winner"], explanation["reason"]
        ('X', 'double-threat')
        """
    def scores(
        self,
        positions: _Positions,
        *,
        progress: _Progress | None = None,
        max_nodes: SupportsIndex | None = None,
        timeout: SupportsFloat | None = None,
        cancel: Event | None = None,
    ) -> _Numbers:
        """The scores of many positions, on all threads: an array of numpy of type int8, or
        without numpy a list. `positions` is an iterable of positions, texts and boards,
        such as a list or a series of pandas or polars, or an array of numpy of boards as
        `Position.stack` makes them; `Position.unstack` reads those of layout `mover`.
        `progress` is called with a step, the positions done and the positions in total.
        Limits hold for all positions together. When one is reached, `Stopped.results` has the scores
        found in a masked array, or without numpy None for the others; so does the `KeyboardInterrupt`
        of Ctrl-C.

        >>> [int(score) for score in Oracle().scores(["44", "4453", ""])]
        [1, -2, 1]
        """
    def outcomes(
        self,
        positions: _Positions,
        *,
        progress: _Progress | None = None,
        max_nodes: SupportsIndex | None = None,
        timeout: SupportsFloat | None = None,
        cancel: Event | None = None,
    ) -> _Texts:
        """Who wins many positions, for the side to move: a masked array of the texts `win`, `draw` and
        `loss`, or without numpy a list. Cheaper than the scores if searches are needed. Everything else is as
        in `scores`.

        >>> [str(outcome) for outcome in Oracle().outcomes(["44", "4453", "3"])]
        ['win', 'loss', 'draw']
        """
    def plies_to_end(
        self,
        positions: _Positions,
        *,
        progress: _Progress | None = None,
        max_nodes: SupportsIndex | None = None,
        timeout: SupportsFloat | None = None,
        cancel: Event | None = None,
    ) -> _Numbers:
        """The stones of both sides until the games of many positions end, in an array like that of
        `scores`: 0 if a game is over.

        >>> [int(plies) for plies in Oracle().plies_to_end(["4453", "121212"])]
        [36, 1]
        """
    def best_moves(
        self,
        positions: _Positions,
        *,
        progress: _Progress | None = None,
        max_nodes: SupportsIndex | None = None,
        timeout: SupportsFloat | None = None,
        cancel: Event | None = None,
    ) -> _Masked:
        """A best move of many positions, a column from 0, in a masked array of numpy; masked where the
        game is over. Without numpy it is a list, with None there. Of several, it is the one nearest to
        the centre; everything else is as in `scores`.

        >>> Oracle().best_moves(["44", "4453", "1213141"]).tolist()
        [3, 2, None]
        """
    def analyse_many(
        self,
        positions: _Positions,
        *,
        progress: _Progress | None = None,
        max_nodes: SupportsIndex | None = None,
        timeout: SupportsFloat | None = None,
        cancel: Event | None = None,
    ) -> Analyses:
        """The scores of many positions and of all their moves, on all threads: a tuple of analyses, with
        arrays of their values. `positions`, `progress` and limits are as in `scores`.

        >>> analyses = Oracle().analyse_many(["4453", "111111"])
        >>> analyses.move_scores.tolist()[1]
        [None, -2, 0, 1, -2, 0, -2]
        >>> analyses[0].best_moves
        [2, 5, 6]
        """

def generate(
    out: _Path | None = None,
    *,
    size: _Size | None = None,
    depth: SupportsIndex | None = None,
    kind: Literal["scores", "outcomes"] = "scores",
    encoding: Literal["flat", "compact"] = "flat",
    memory: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    overwrite: bool = False,
    progress: _Progress | None = None,
) -> Book:
    """Makes a book: the scores of all positions down to a ply, in a file.

    `out` is the file; without it, it is named after size and depth, such as `7x6-d8.book`.
    `kind` is `scores`, or `outcomes` for win, draw or loss; `encoding` is `flat` or `compact`.
    `progress` is called on the calling thread with a step, its units done and its units in total;
    every step ends with all of them. With `overwrite`, the new book
    replaces an existing file when it is complete.

    A checkpoint beside the file keeps solved positions: after Ctrl-C, or an exception of `progress`,
    the same call resumes. A report on the run is written to `FILE.json`.

    >>> import tempfile, pathlib
    >>> from fourbook import generate
    >>> book = generate(pathlib.Path(tempfile.mkdtemp()) / "small.book", size="4x4", depth=4)
    >>> book.depth, book.look_up("")
    (4, 0)
    """

def random_position(
    ply: SupportsIndex, *, size: _Size = "7x6", seed: SupportsIndex | None = None
) -> Position:
    """Returns a position with `ply` stones that random moves reach, none of which wins. The same
    `seed` gives the same position.

    >>> from fourbook import random_position
    >>> random_position(8, seed=1) == random_position(8, seed=1)
    True
    """

def _embedded(size: _Size | None = None) -> Book | None: ...
def _forked() -> None: ...
def _reopen(path: _Path, identity: str) -> Book: ...
def run_program(arguments: list[str]) -> int:
    """Runs the program `fourbook` with these arguments, its name the first, and returns its exit
    code.
    """
