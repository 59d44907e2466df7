"""Perfect play in Connect Four: scores of positions from a book, or by solving.

>>> import fourbook
>>> oracle = fourbook.Oracle()
>>> oracle.score("44")
1
>>> oracle.analyse("4453").best_moves
[2, 5, 6]

A score is for the side to move: 0 is a draw, a positive score a win, a negative one a loss,
and the larger, the sooner the end. A column is a number from 0, or a text, its name: from 1 on.
"""

from fourbook._fourbook import (
    Analysis,
    Book,
    BookPositions,
    Level,
    Position,
    __version__,
    generate,
    random_position,
)
from fourbook._oracle import Oracle

# Type checkers treat this as true; importing `typing` would take longer than everything else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from fourbook._errors import (
        ArgumentError,
        BookError,
        CancelledError,
        DeadlineError,
        Error,
        FileError,
        GenerateError,
        MissingFileError,
        NodeBudgetError,
        OutOfMemoryError,
        PositionError,
        SizeError,
        Stopped,
    )
    from fourbook._results import Analyses, Choice, Move
    from fourbook._svg import svg

__all__ = [
    "Analyses",
    "Analysis",
    "ArgumentError",
    "Book",
    "BookError",
    "BookPositions",
    "CancelledError",
    "Choice",
    "DeadlineError",
    "Error",
    "FileError",
    "GenerateError",
    "Level",
    "MissingFileError",
    "Move",
    "NodeBudgetError",
    "Oracle",
    "OutOfMemoryError",
    "Position",
    "PositionError",
    "SizeError",
    "Stopped",
    "__version__",
    "generate",
    "random_position",
    "svg",
]

_LAZY = {
    "Analyses": "_results",
    "Choice": "_results",
    "Move": "_results",
    "svg": "_svg",
}

# Hidden from type checkers, which would accept any name otherwise.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        # Loads exceptions and rarely used functions on first use; otherwise the import would take
        # twice as long.
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        module = import_module(f"fourbook.{_LAZY.get(name, '_errors')}")
        return globals().setdefault(name, getattr(module, name))

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
