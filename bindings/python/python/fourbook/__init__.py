"""Perfect play in Connect Four: scores of positions from a book, or by solving.

>>> import fourbook
>>> oracle = fourbook.Oracle()
>>> oracle.score("44")
1
>>> oracle.analyse("4453").best_moves
[2, 5, 6]

A score is for the side to move: 0 is a draw, a positive score a win, a negative one a loss,
and the larger, the sooner the end. Columns are numbers from 0, but from 1 in every text.
"""

from fourbook._fourbook import (
    UNPLAYABLE,
    Analysis,
    Book,
    BookPositions,
    Level,
    Move,
    Oracle,
    Position,
    Solver,
    __version__,
    generate,
)

# What checkers of types set; the import of `typing` would take longer than all else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from fourbook._errors import (
        BookError,
        DeadlineError,
        Error,
        FileError,
        GenerateError,
        LevelError,
        MissingFileError,
        NodeBudgetError,
        OutOfMemoryError,
        PositionError,
        SizeError,
        Stopped,
    )

__all__ = [
    "UNPLAYABLE",
    "Analysis",
    "Book",
    "BookError",
    "BookPositions",
    "DeadlineError",
    "Error",
    "FileError",
    "GenerateError",
    "Level",
    "LevelError",
    "MissingFileError",
    "Move",
    "NodeBudgetError",
    "Oracle",
    "OutOfMemoryError",
    "Position",
    "PositionError",
    "SizeError",
    "Solver",
    "Stopped",
    "__version__",
    "generate",
]

# Checkers are not to think that there may be any name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        # The exceptions, when one is first wanted: with them, the import takes half as long again.
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from fourbook import _errors

        globals().update({error: getattr(_errors, error) for error in _errors.__all__})
        return globals()[name]

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
