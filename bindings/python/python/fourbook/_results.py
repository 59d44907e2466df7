"""Results that are tuples."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from fourbook._arrays import masked
from fourbook._fourbook import Analysis, Position

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from fourbook._fourbook import _Masked, _Texts


class Move(NamedTuple):
    """A column of an `Analysis`.

    >>> move = Oracle().analyse("4453").moves[0]
    >>> move.column, move.score, move.outcome, move.plies_to_end
    (2, -2, 'loss', 36)
    """

    column: int
    """The column, from 0."""
    playable: bool
    """Whether a stone can be dropped there."""
    known: bool
    """Whether its score is known, or it cannot be played."""
    score: int | None
    """Its score, for the side that moves; None if it cannot be played."""
    outcome: Literal["win", "draw", "loss"] | None
    """Who wins after it, for the side that moves."""
    plies_to_end: int | None
    """Stones until the game ends, this one counted."""
    source: Literal["book", "strategy", "derived", "solver"] | None
    """Where the score comes from."""


class Choice(NamedTuple):
    """A move that a player of a level chooses.

    >>> Oracle().choose_move("4453", level="casual", seed=7)
    Choice(column=6, proved=True, bounds=None)
    """

    column: int
    """The column, from 0."""
    proved: bool
    """Whether the level plays it for certain; False if a limit ended the search before."""
    bounds: tuple[int, int] | None
    """Where it is not proved, the lowest and the highest possible score of the position."""


class Analyses(tuple[Analysis, ...]):
    """The analyses of many positions, and their values as masked arrays of numpy, in which each
    position has a row. Without numpy, arrays are lists.

    What a position lacks is masked, or without numpy None: `move_scores` where a column cannot be
    played, `best_moves` where the game is over, and after a search that was stopped all that is not
    known. Arithmetic keeps the mask; `filled` replaces masked numbers by another.

    >>> analyses = Oracle().analyse_many(["4453", "111111", "1213141"])
    >>> len(analyses), analyses[0]
    (3, Analysis('4453', score=-2, best_moves=[2, 5, 6]))
    >>> analyses.scores.tolist(), analyses.best_moves.tolist()
    ([-2, 1, -18], [2, 3, None])
    >>> analyses.move_scores[1].tolist()
    [None, -2, 0, 1, -2, 0, -2]
    """

    size: str
    """The board, such as `7x6`."""

    def __new__(cls, analyses: Iterable[Analysis], size: str = "7x6") -> Analyses:
        made = super().__new__(cls, analyses)
        made.size = size
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.size

    @cached_property
    def scores(self) -> _Masked:
        """The score of each position, for the side to move."""
        return masked([each.score for each in self], "int8")

    @cached_property
    def outcomes(self) -> _Texts:
        """Who wins each position, for the side to move: the texts `win`, `draw` and `loss`."""
        return masked([each.outcome for each in self], "str")

    @cached_property
    def plies_to_end(self) -> _Masked:
        """The stones of both sides until each game ends."""
        return masked([each.plies_to_end for each in self], "int8")

    @cached_property
    def move_scores(self) -> _Masked:
        """The score of each column, from 0, of each position."""
        width = Position(size=self.size).width
        return masked([each.move_scores for each in self], "int8", width)

    @cached_property
    def best_moves(self) -> _Masked:
        """A best move of each position, a column from 0, the one nearest to the centre."""
        return masked([next(iter(each.best_moves), None) for each in self], "int8")

    @cached_property
    def legal_masks(self) -> NDArray[bool_]:
        """Which columns can be played, as `Position.legal_masks` has them."""
        return Position.legal_masks([each.position for each in self], size=self.size)
