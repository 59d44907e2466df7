"""Random positions."""

from __future__ import annotations

from operator import index
from random import Random
from typing import SupportsIndex

from fourbook._errors import ArgumentError
from fourbook._fourbook import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fourbook._fourbook import _Size


def random_position(
    ply: SupportsIndex, *, size: _Size = "7x6", seed: SupportsIndex | None = None
) -> Position:
    """Returns a position with `ply` stones that random moves reach, none of which ends the game
    before. The same `seed` gives the same position.

    >>> from fourbook import random_position
    >>> random_position(8, seed=1) == random_position(8, seed=1)
    True
    """
    ply, seed = integer("ply", ply), None if seed is None else integer("seed", seed)
    empty = Position(size=size)
    if not 0 <= ply <= empty.width * empty.height:
        cells = empty.width * empty.height
        raise ArgumentError(f"expected ply from 0 to {cells}, found {ply}")
    # `Random` drops the sign of a number, but not of a text.
    random = Random(seed if seed is None or seed >= 0 else str(seed))
    position = empty
    while position.ply < ply:
        children = [position.play(column) for column in position.legal_moves()]
        children = [child for child in children if child.winner is None]
        position = random.choice(children) if children else empty
    return position


def integer(name: str, number: object) -> int:
    if isinstance(number, bool) or not isinstance(number, SupportsIndex):
        raise TypeError(f"expected an int for {name}, found {type(number).__name__}")
    return index(number)
