"""Results that are named tuples."""

from __future__ import annotations

from typing import Literal, NamedTuple


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
    source: Literal["book", "derived", "solver"] | None
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
