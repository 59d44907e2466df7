"""The numbers in arrays of numpy, and arrays without numpy."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# A number that no board has. In results it is a missing number.
WRONG = MISSING = -128
# By their numbers: -1 is the last.
OUTCOMES = ("draw", "win", "loss")
# Boards in a part.
PART = 1 << 12


def nested(sides: list[int], kind: Any, numbers: bytearray) -> list[Any]:
    """Returns numbers as nested lists with these lengths."""
    return memoryview(numbers).cast(kind, sides).tolist() if numbers else []


def masked(numbers: Any) -> Any:
    """Returns an array with missing numbers masked. In lists they are None."""
    if isinstance(numbers, list):
        return [masked(it) for it in numbers]
    if isinstance(numbers, int):
        return None if numbers == MISSING else numbers
    from numpy.ma import array

    return array(numbers, mask=numbers == MISSING, fill_value=MISSING, copy=False)


def outcomes(numbers: Any) -> Any:
    """Returns the texts of outcomes in a masked array if numbers are missing."""
    if isinstance(numbers, list):
        return [None if it == MISSING else OUTCOMES[it] for it in numbers]
    import numpy

    missing = numbers == MISSING
    texts = numpy.array(OUTCOMES)[numpy.where(missing, 0, numbers)]
    return numpy.ma.array(texts, mask=missing) if missing.any() else texts


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
