"""Random positions."""

from __future__ import annotations

from random import Random

from fourbook._errors import ArgumentError
from fourbook._fourbook import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fourbook._fourbook import _Size


def random_position(ply: int, *, size: _Size = "7x6", seed: int | None = None) -> Position:
    """Returns a position with `ply` stones that random moves reach, none of which ends the game
    before. The same `seed` gives the same position.

    >>> from fourbook import random_position
    >>> random_position(8, seed=1) == random_position(8, seed=1)
    True
    """
    for name, number in (("ply", ply), ("seed", seed)):
        if not hasattr(number, "__index__") and (name == "ply" or number is not None):
            raise TypeError(f"expected an int for {name}, found {type(number).__name__}")
    empty = Position(size=size)
    if not 0 <= ply <= empty.width * empty.height:
        cells = empty.width * empty.height
        raise ArgumentError(f"expected ply from 0 to {cells}, found {ply}")
    random = Random(seed)
    position = empty
    while position.ply < ply:
        children = [position.play(column) for column in position.legal_moves()]
        children = [child for child in children if child.winner is None]
        position = random.choice(children) if children else empty
    return position
