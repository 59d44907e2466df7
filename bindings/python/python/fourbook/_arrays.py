"""Boards and results as arrays: of numpy if it is installed, otherwise of Python."""

from __future__ import annotations

from fourbook._errors import PositionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

CELLS = (-1, 0, 1, 2)
# Boards in a part.
PART = 1 << 12


def shaped(numbers: bytearray, shape: list[int]) -> Any:
    """Returns an int8 array of any length, with this shape for each item."""
    try:
        from numpy import frombuffer
    except ImportError:
        return nested(bytes(numbers), shape)
    return frombuffer(numbers, "int8").reshape(-1, *shape)


def nested(numbers: bytes, shape: list[int]) -> Any:
    from array import array
    from math import prod

    if not shape:
        return array("b", numbers)
    step = prod(shape)
    starts = range(0, len(numbers), step)
    return [nested(numbers[start : start + step], shape[1:]) for start in starts]


def boards(array: Any) -> tuple[int, int, Iterator[bytes]]:
    """Returns width, height and cells of the boards of a numpy array."""
    from numpy import asarray

    array = asarray(array)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"expected boards of numbers, found an array of {array.dtype}")
    _, height, width = array.shape
    return width, height, parts(array)


def parts(array: Any) -> Iterator[bytes]:
    """Yields the cells of some boards at a time, so that Ctrl-C need not wait for all."""
    from numpy import argwhere, isin

    for start in range(0, len(array), PART):
        part = array[start : start + PART]
        wrong = ~isin(part, CELLS)
        if wrong.any():
            index, row, column = (int(place) for place in argwhere(wrong)[0])
            found = part[index, row, column].item()
            raise PositionError(f"positions[{start + index}]: {wrong_cell(found, row, column)}")
        yield part.astype("int8").tobytes()


def board(array: Any) -> tuple[int, int, bytes]:
    """Returns width, height and cells of one board: rows of numbers, the top one first."""
    # Iterating over a table of pandas or polars gives columns.
    array = array.to_numpy() if hasattr(array, "to_numpy") else array
    rows = array.tolist() if hasattr(array, "tolist") else array
    try:
        rows = [list(row) for row in rows]
    except TypeError as error:
        raise TypeError(f"expected rows of numbers, the top one first: {error}") from None
    width = len(rows[0]) if rows else 0
    for row in rows:
        if len(row) != width:
            text = f"expected rows of equal length, found {width} and {len(row)} cells"
            raise PositionError(text)
    cells = bytearray()
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if not hasattr(cell, "__float__"):
                raise TypeError(wrong_cell(cell, number, column))
            if cell not in CELLS:
                raise PositionError(wrong_cell(cell, number, column))
            cells.append(int(cell) % 256)
    return width, len(rows), bytes(cells)


def wrong_cell(found: object, row: int, column: int) -> str:
    return (
        "expected 0 for an empty cell, 1 for a stone of the first player, 2 or -1 for one of the "
        f"second, found {found!r} in row {row + 1} from the top, column {column + 1}"
    )
