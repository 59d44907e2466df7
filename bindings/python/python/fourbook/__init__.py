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
