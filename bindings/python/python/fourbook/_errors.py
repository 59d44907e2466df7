"""The exceptions of fourbook.

The library writes their texts. All of them are an `Error`, and some are an exception of Python
as well.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "ArgumentError",
    "BookError",
    "CancelledError",
    "DeadlineError",
    "Error",
    "FileError",
    "GenerateError",
    "MissingFileError",
    "NodeBudgetError",
    "OutOfMemoryError",
    "PositionError",
    "SizeError",
    "Stopped",
]


class Error(Exception):
    """Any error of fourbook."""


class ArgumentError(Error, ValueError):
    """An argument outside its range, or an unknown name."""


class PositionError(Error, ValueError):
    """A text, an array or a key that is no position, or a move that cannot be played."""


class SizeError(Error, ValueError):
    """An invalid board size, or a position or book for another size."""


class BookError(Error, ValueError):
    """Bytes that are no book, or a book that does not answer."""


class FileError(Error, OSError):
    """A file or folder that cannot be read or written."""

    def __str__(self) -> str:
        # The library's text has the name of the file and the system's error.
        return self.strerror or super().__str__()


class MissingFileError(FileError, FileNotFoundError):
    """A file or folder that is not there."""


class GenerateError(Error, RuntimeError):
    """A book that cannot be made as asked."""


class OutOfMemoryError(Error, MemoryError):
    """There is no memory for the solver's table, or for many positions and their results."""


class Stopped(Error):
    """A search reached a limit before it had an answer.

    `bounds` are the lowest and the highest score that are still possible, or None after a call
    about several positions. `nodes` counts the nodes that the search visited.

    `results` are the scores found before the limit. After `analyse` and `best_move`, they are an
    incomplete `Analysis`, where None stands for unknown values. After questions about many
    positions, they have the form of the result, in which unknown values are masked, or None without
    numpy, and `solved` is the number of positions that are solved. The `KeyboardInterrupt` of Ctrl-C
    and the errors of a `progress` function have both attributes as well.
    """

    results: Any = None
    solved: int | None = None

    def __init__(self, text: str, bounds: tuple[int, int] | None = None, nodes: int = 0) -> None:
        super().__init__(text)
        self.bounds = bounds
        self.nodes = nodes


class NodeBudgetError(Stopped):
    """A search used up `max_nodes`."""


class CancelledError(Stopped):
    """The caller set `cancel` during a search."""


class DeadlineError(Stopped, TimeoutError):
    """A search used up `timeout`."""
