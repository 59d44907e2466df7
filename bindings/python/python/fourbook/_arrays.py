"""The numbers in arrays of numpy, and arrays without numpy."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.ma import MaskedArray

# A number that no board has, and the number below a mask.
WRONG = MISSING = -128
# Boards in a part.
PART = 1 << 12


def nested(sides: list[int], kind: Any, numbers: bytearray) -> list[Any]:
    """Returns numbers as nested lists with these lengths."""
    return memoryview(numbers).cast(kind, sides).tolist() if numbers else []


def masked(values: list[Any], kind: str, *shape: int) -> MaskedArray[Any, Any]:
    """Returns values of a type of numpy in an array in which None is masked, with this shape for each
    item. Without numpy they stay as they are."""
    try:
        from numpy import array, equal, ma, where
    except ImportError:
        return values  # type: ignore[return-value]
    objects: Any = array(values, object).reshape(len(values), *shape)
    missing = equal(objects, array(None)).astype(bool)
    fill = MISSING if kind == "int8" else ""
    return ma.array(where(missing, fill, objects).astype(kind), mask=missing, fill_value=fill)


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
