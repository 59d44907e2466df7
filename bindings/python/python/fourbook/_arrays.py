"""The numbers in arrays of numpy, and arrays without numpy."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# A number that no board has.
WRONG = -128
# Boards in a part.
PART = 1 << 12


def nested(numbers: bytes, shape: list[int]) -> Any:
    """Returns lists of arrays of any length, with this shape for each item."""
    from array import array
    from math import prod

    if not shape:
        return array("b", numbers)
    step = prod(shape)
    starts = range(0, len(numbers), step)
    return [nested(numbers[start : start + step], shape[1:]) for start in starts]


def boards(array: Any) -> tuple[list[int], Iterator[tuple[bytes, Any]]]:
    """Returns the shape of an array of boards, and their numbers in parts."""
    from numpy import asarray
    from numpy.ma import is_masked

    if is_masked(array):
        raise TypeError("expected boards whose cells all have a number, found masked cells")
    array = asarray(array)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"expected boards of numbers, found an array of {array.dtype}")
    return list(array.shape), parts(array)


def parts(array: Any) -> Iterator[tuple[bytes, Any]]:
    """Yields the numbers of some boards at a time, so that Ctrl-C need not wait for all, each with
    the part of the array."""
    from numpy import errstate, where

    for start in range(0, len(array), PART):
        part = array[start : start + PART]
        with errstate(invalid="ignore"):
            numbers = part.astype("int8")
        changed = numbers != part
        if changed.any():
            numbers = where(changed, WRONG, numbers).astype("int8")
        yield numbers.tobytes(), part
