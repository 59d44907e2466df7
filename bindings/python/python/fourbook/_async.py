"""Searches for `await`."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
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
# The most positions that are looked up on the thread of the event loop: less than a millisecond.
MOST_LOOKUPS = 1000
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
    started = monotonic()
    if is_short(asked):
        try:
            known = search(asked, **{**arguments, "max_nodes": 0, "timeout": 0})
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

    loop = asyncio.get_running_loop()
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


def is_short(asked: Any) -> bool:
    if isinstance(asked, (str, Position)):
        return True
    # Other iterables may give their positions only once.
    is_kept = isinstance(asked, (list, tuple)) or hasattr(asked, "shape")
    return is_kept and len(asked) <= MOST_LOOKUPS
