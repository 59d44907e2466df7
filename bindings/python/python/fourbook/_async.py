"""Searches for `await`."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import inf
from time import monotonic
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from fourbook._errors import NodeBudgetError
from fourbook._fourbook import Position

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _T = TypeVar("_T")

# Searches of one event loop at a time. Others wait, and a lookup does not.
MOST_SEARCHES = 64
# The most positions that are looked up on the thread of the event loop, and on one that no search
# uses: less than a tenth of a millisecond, and some milliseconds.
MOST_LOOKUPS, MOST_SHORT_LOOKUPS = 64, 4096
# Seconds between two looks at an event while a search waits for a thread.
TICK = 0.05

_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, ThreadPoolExecutor] = WeakKeyDictionary()


class Flag:
    """Set when one call is cancelled, or the event that its caller shares with others is set."""

    def __init__(self, event: threading.Event | None) -> None:
        self.event = event
        self.is_cancelled = False

    def is_set(self) -> bool:
        return self.is_cancelled or (self.event is not None and self.event.is_set())


async def run(search: Callable[..., _T], asked: Any, **arguments: Any) -> _T:
    """Answers without a search if possible, else searches on another thread. Cancelling the task
    stops this search and no other. Time counts from the call."""
    started, loop = monotonic(), asyncio.get_running_loop()
    progress = arguments.pop("progress", None)
    if progress is not None:
        arguments["progress"] = lambda *state: loop.call_soon_threadsafe(progress, *state)
    elif (count := length(asked)) <= MOST_SHORT_LOOKUPS:
        look_up = partial(search, asked, **{**arguments, "max_nodes": 0, "timeout": 0})
        try:
            known = look_up() if count <= MOST_LOOKUPS else await asyncio.to_thread(look_up)
            # The move of a level may need a search.
            if getattr(known, "proved", True):
                return known
        except NodeBudgetError:
            pass
    timeout, event = arguments.pop("timeout", None), arguments.pop("cancel", None)
    end = None if timeout is None else started + min(float(timeout), 1e9)
    flag = Flag(event)

    def call() -> _T:
        left = None if end is None else max(end - monotonic(), 0.0)
        return search(asked, timeout=left, cancel=flag, **arguments)

    pool = _pools.get(loop) or _pools.setdefault(loop, ThreadPoolExecutor(MOST_SEARCHES))
    submitted = pool.submit(call)
    future = asyncio.wrap_future(submitted)
    try:
        while not future.done():
            left = None if end is None else max(end - monotonic(), 0.0)
            if event is not None:
                left = TICK if left is None else min(left, TICK)
            await asyncio.wait([future], timeout=None if submitted.running() else left)
            is_over = flag.is_set() or (end is not None and monotonic() >= end)
            if is_over and submitted.cancel():
                return await asyncio.to_thread(call)
        return future.result()
    except asyncio.CancelledError:
        flag.is_cancelled = True
        future.cancel()
        raise


def length(asked: Any) -> float:
    """Returns the number of positions."""
    if isinstance(asked, (str, Position)):
        return 1
    # Other iterables may give their positions only once.
    is_kept = isinstance(asked, (list, tuple)) or hasattr(asked, "shape")
    return len(asked) if is_kept else inf
