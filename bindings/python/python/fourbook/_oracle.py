"""`Oracle`. Types are texts: the import of `annotations` would take a quarter of that of the package."""

import os

from fourbook._fourbook import Book, Search, _embedded, _forked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Literal, SupportsIndex, TypeVar

    from typing_extensions import Buffer, Unpack

    from fourbook._fourbook import (
        Analysis,
        Level,
        _ForMany,
        _Limits,
        _Masked,
        _Numbers,
        _Position,
        _Positions,
        _Size,
        _Texts,
    )
    from fourbook._results import Analyses, Choice

    _T = TypeVar("_T")


def bytes_of(strategy: "str | os.PathLike[str] | Buffer") -> bytes:
    """The bytes of a strategy, or of the file of one."""
    if isinstance(strategy, (str, os.PathLike)):
        with open(strategy, "rb") as file:
            return file.read()
    return memoryview(strategy).tobytes()


# Windows has no forks.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)

CHECKED = ("progress", "max_nodes", "timeout", "cancel")


class Oracle(Search):
    """Answers about positions: from a book, or else by search. It keeps its results for later positions.

    A position is a `Position`, a text or an array of numbers as `Position.from_array` reads it.

    `book` is a `Book`, a path or bytes of any type; by default it is the built-in book
    for `size`, if there is one, and `False` is none. `size` is the board, by default that of the book,
    or 7x6.

    `memory` is the most bytes for the solver's table: a quarter of the free memory by default, at
    most 1 GiB, used as it fills. `threads` is the most threads that search at a time, one for each
    processor by default; each further search at the same time has one thread. They start when a
    search takes longer than some milliseconds.

    `strategies` are paths or bytes of strategies, at most one for each player; by default they are those
    that come with fourbook for the board, and none without a book. The level `perfect` of `choose_move`
    follows one of outcomes from the first move on. One of exact scores serves it and `best_move` where
    the book has no answer, and has scores, if it was made with them.

    A search ends with `NodeBudgetError` after `max_nodes` nodes, with `DeadlineError` after
    `timeout` seconds, and with `CancelledError` when `cancel`, a `threading.Event`, is set; Ctrl-C
    stops it. Other threads of Python run meanwhile, and may use the same oracle. Methods that
    end in `_async` are for `await`: cancelling a task stops its own search. They answer from the
    book at once, and run up to 64 searches at a time; `timeout` counts from the call, and `progress`
    is called in the event loop.

    >>> from fourbook import Oracle
    >>> oracle = Oracle()
    >>> oracle.score("4453")
    -2
    >>> oracle.best_move("4453")
    2
    >>> oracle = Oracle(False, size="5x4")
    >>> oracle.score("3"), oracle.nodes > 0
    (0, True)
    """

    def __new__(
        cls,
        book: "Book | str | os.PathLike[str] | Buffer | Literal[False] | None" = None,
        *,
        size: "_Size | None" = None,
        memory: "SupportsIndex | None" = None,
        threads: "SupportsIndex | None" = None,
        strategies: "Iterable[str | os.PathLike[str] | Buffer] | None" = None,
    ) -> "Oracle":
        if isinstance(strategies, (str, bytes)):
            raise TypeError("expected a list of strategies, found one; put it in a list")
        read: list[bytes] | None = [] if book is False else None
        if strategies is not None:
            read = [bytes_of(strategy) for strategy in strategies]
        if book is None:
            book = _embedded(size)
        elif book is not False and not isinstance(book, Book):
            book = Book(book, size=size)
        return Search.__new__(cls, book or None, size, memory, threads, read)

    def __repr__(self) -> str:
        return f"<Oracle {self.size}, {self.book or 'no book'}, threads {self.threads}>"

    def __reduce__(self) -> "tuple[Any, ...]":
        # The table is not kept.
        import copyreg

        arguments, keywords = self._arguments()
        again: Any = getattr(copyreg, "__newobj_ex__")
        state: Any = getattr(self, "__getstate__", lambda: vars(self))()
        return again, (type(self), arguments, keywords), state or None

    def _arguments(self) -> "tuple[tuple[Any, ...], dict[str, Any]]":
        names = ("size", "memory", "threads", "strategies")
        return (self.book or False,), {name: getattr(self, name) for name in names}

    async def _run(self, search: "Callable[..., _T]", asked: "Any", **arguments: "Any") -> "_T":
        # Loaded on first use, since it takes longer than the rest of the package.
        from fourbook._async import run

        checked: Any = {name: it for name, it in arguments.items() if name in CHECKED}
        self._check(**checked)
        return await run(search, asked, **arguments)

    async def score_async(self, position: "_Position", **limits: "Unpack[_Limits]") -> int:
        """Like `score`, for `await`."""
        return await self._run(self.score, position, **limits)

    async def outcome_async(
        self, position: "_Position", **limits: "Unpack[_Limits]"
    ) -> 'Literal["win", "draw", "loss"]':
        """Like `outcome`, for `await`."""
        return await self._run(self.outcome, position, **limits)

    async def analyse_async(self, position: "_Position", **limits: "Unpack[_Limits]") -> "Analysis":
        """Like `analyse`, for `await`.

        >>> import asyncio
        >>> asyncio.run(Oracle().analyse_async("4453", timeout=10)).score
        -2
        """
        return await self._run(self.analyse, position, **limits)

    async def best_move_async(
        self, position: "_Position", **limits: "Unpack[_Limits]"
    ) -> "int | None":
        """Like `best_move`, for `await`."""
        return await self._run(self.best_move, position, **limits)

    async def choose_move_async(
        self,
        position: "_Position",
        *,
        level: "Level | SupportsIndex | str | None" = None,
        seed: "SupportsIndex | None" = None,
        **limits: "Unpack[_Limits]",
    ) -> "Choice":
        """Like `choose_move`, for `await`."""
        return await self._run(self.choose_move, position, level=level, seed=seed, **limits)

    async def explain_async(
        self, position: "_Position", **limits: "Unpack[_Limits]"
    ) -> "dict[str, Any]":
        """Like `explain`, for `await`."""
        return await self._run(self.explain, position, **limits)

    async def scores_async(
        self, positions: "_Positions", **limits: "Unpack[_ForMany]"
    ) -> "_Numbers":
        """Like `scores`, for `await`."""
        return await self._run(self.scores, positions, **limits)

    async def outcomes_async(
        self, positions: "_Positions", **limits: "Unpack[_ForMany]"
    ) -> "_Texts":
        """Like `outcomes`, for `await`."""
        return await self._run(self.outcomes, positions, **limits)

    async def plies_to_end_async(
        self, positions: "_Positions", **limits: "Unpack[_ForMany]"
    ) -> "_Numbers":
        """Like `plies_to_end`, for `await`."""
        return await self._run(self.plies_to_end, positions, **limits)

    async def best_moves_async(
        self, positions: "_Positions", **limits: "Unpack[_ForMany]"
    ) -> "_Masked":
        """Like `best_moves`, for `await`."""
        return await self._run(self.best_moves, positions, **limits)

    async def analyse_many_async(
        self, positions: "_Positions", **limits: "Unpack[_ForMany]"
    ) -> "Analyses":
        """Like `analyse_many`, for `await`."""
        return await self._run(self.analyse_many, positions, **limits)


# For `typing.get_type_hints`, which does not know the names of types that only type checkers load.
for _name in vars(Oracle):
    getattr(getattr(Oracle, _name), "__annotations__", {}).clear()
