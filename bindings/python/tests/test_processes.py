"""Threads, processes and Ctrl-C."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, scored

from fourbook import (
    Book,
    CancelledError,
    DeadlineError,
    Oracle,
    Position,
    __version__,
    _async,
)

MEDIUM = scored(ROOT / "tests" / "data" / "middle-easy.txt")
LARGE = scored(ROOT / "tests" / "data" / "sizes" / "8x8.txt")

# In the processes that are started.
_oracle: Oracle | None = None


def start(oracle: Oracle) -> None:
    global _oracle
    _oracle = oracle


def score(moves: str) -> tuple[int, int]:
    assert _oracle is not None
    return os.getpid(), _oracle.score(moves)


def score_in(oracle: Oracle, position: Position) -> int:
    return oracle.score(position)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_oracles_go_to_other_processes(method: str) -> None:
    oracle = Oracle(memory=16 << 20, threads=2)
    moves, scores = MEDIUM[0][:40], MEDIUM[1][:40]
    # Searches before the fork, so that the child inherits threads and a table.
    assert oracle.score(moves[0]) == scores[0]
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, context, initializer=start, initargs=(oracle,)) as pool:
        answers = list(pool.map(score, moves, timeout=120))
    assert [answer for _, answer in answers] == scores
    assert os.getpid() not in {process for process, _ in answers}
    assert oracle.score(moves[1]) == scores[1]


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_positions_and_oracles_are_arguments(method: str) -> None:
    context = multiprocessing.get_context(method)
    with context.Pool(1) as pool:
        oracle = Oracle(memory=1 << 20)
        assert pool.apply_async(score_in, (oracle, Position("4453"))).get(timeout=60) == -2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_fork_while_others_search_has_an_oracle_that_works() -> None:
    oracle = Oracle(False, size="8x8", memory=16 << 20, threads=2)
    # Arrays are asked for once before: a module that is half imported at a fork stays so there.
    oracle.scores(LARGE[0][:1])
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(lambda: oracle.scores(["", "1"], timeout=2))
        time.sleep(0.05)
        assert not search.done()
        for _ in range(5):
            child = os.fork()
            if child == 0:
                # No code of pytest may run in the child.
                try:
                    signal.alarm(60)
                    right = list(oracle.scores(LARGE[0][:5])) == LARGE[1][:5]
                    right &= oracle.analyse(LARGE[0][0]).score == LARGE[1][0]
                    os._exit(0 if right else 1)
                except BaseException:
                    os._exit(2)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert isinstance(search.exception(), TimeoutError)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_fork_frees_the_table_of_the_parent() -> None:
    run(
        """
        import os
        from fourbook import Oracle
        def size():
            return int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        before = size()
        solver = Oracle(False, memory=64 << 20, threads=1)
        table = size() - before
        assert table >= 64 << 20
        child = os.fork()
        if child == 0:
            inherited = size()
            # Has a table of its own from now on.
            solver.nodes
            os._exit(0 if size() < inherited + table // 2 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        """
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")
@pytest.mark.parametrize(
    "work",
    [
        "Position.stack(endless)",
        "Position.unstack(endless)",
        "Position.legal_masks(endless)",
        "oracle.scores(endless)",
        "oracle.analyse_many(endless)",
        "Position.stack([''] * 2_000_000)",
        "oracle.analyse_many(boards)",
        "book.arrays(11, all=True)",
        "Book(numpy.zeros(200 << 20, 'uint8'))",
    ],
)
def test_an_end_of_memory_is_an_error(work: str) -> None:
    run(
        f"""
        import itertools, os, resource
        import numpy
        import fourbook._errors
        from fourbook import Book, Oracle, Position
        book = Book()
        oracle = Oracle(book, memory=1 << 20, threads=1)
        endless = itertools.repeat(Position("44"))
        boards = numpy.broadcast_to(numpy.zeros((6, 7), "int8"), (2_000_000, 6, 7))
        oracle.analyse_many(["44"]), book.arrays(1)
        pages = int(open("/proc/self/statm").read().split()[0])
        limit = pages * os.sysconf("SC_PAGE_SIZE") + (40 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        try:
            {work}
        except MemoryError:
            pass
        else:
            raise AssertionError("there was memory")
        assert oracle.score("4453") == -2
        """
    )


@pytest.mark.skipif(sys.platform != "linux", reason="waits are counted on Linux")
def test_few_positions_are_looked_up_on_the_calling_thread() -> None:
    import resource

    def waits() -> int:
        return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw

    for oracle in (Oracle(memory=1 << 20), Oracle(size="8x6", memory=1 << 20)):
        games = Position.stack([""] * 64, size=oracle.size)
        oracle.analyse_many(games)
        before = waits()
        for _ in range(100):
            oracle.scores(games), oracle.scores([]), oracle.analyse_many(games)
        assert waits() - before < 100


@pytest.mark.parametrize("read", [Position.stack, Position.unstack])
def test_other_threads_run_while_positions_are_read(
    read: Callable[[Iterator[str]], Any],
) -> None:
    # Taken from the list by no code in Python, until another thread appends the last one.
    texts = ["4453"] * 10_000_000
    count = len(texts)

    def end() -> None:
        while len(texts) == count:
            time.sleep(0.001)
        texts.append("")

    with ThreadPoolExecutor(1) as pool:
        end_appended = pool.submit(end)
        assert len(read(iter(texts.pop, ""))) < count
        end_appended.result()


def test_threads_share_an_oracle() -> None:
    oracle = Oracle(False, memory=16 << 20, threads=1)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(oracle.score, MEDIUM[0])) == MEDIUM[1]


def test_other_threads_run_while_one_searches() -> None:
    solver, ticks = Oracle(False, size="8x8", memory=16 << 20, threads=1), 0
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(lambda: solver.score("", timeout=2))
        while not search.done():
            ticks += 1
            time.sleep(0.01)
        assert isinstance(search.exception(), TimeoutError)
    assert ticks >= 5


def test_no_thread_is_started_by_importing_or_stays_after_a_search() -> None:
    if not Path("/proc/self/task").exists():
        pytest.skip("threads are counted by /proc")
    run(
        """
        import os, time
        threads = lambda: len(os.listdir("/proc/self/task"))
        import fourbook
        assert threads() == 1
        solver = fourbook.Oracle(False, memory=16 << 20, threads=3)
        try:
            solver.score("", timeout=0.3)
        except fourbook.DeadlineError:
            pass
        fourbook.Book().verify(deep=False)
        # The system lists a thread a moment longer than it runs.
        while threads() > 1:
            time.sleep(0.01)
        """
    )


def test_importing_needs_no_numpy() -> None:
    run(
        """
        import sys
        import fourbook
        assert fourbook.Oracle(memory=1 << 20).score("44") == 1
        assert "numpy" not in sys.modules
        """
    )


@pytest.mark.parametrize("stack", [128 << 10, 256 << 10])
def test_a_small_stack_is_enough(stack: int) -> None:
    """A search begins on the calling thread, whatever its stack."""
    run(
        f"""
        import threading
        from fourbook import Oracle, Position
        threading.stack_size({stack})
        failed = []
        def work():
            for size in ("7x6", "8x8", "4x16", "16x7", "4x31", "10x11"):
                oracle = Oracle(False, size=size, memory=1 << 20)
                try:
                    oracle.analyse("", max_nodes=50_000)
                    failed.append(size)
                except Exception as error:
                    if type(error).__name__ != "NodeBudgetError":
                        failed.append(error)
                oracle.choose_move("", level="expert" if size == "7x6" else "advanced")
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert not failed, failed
        """
    )


@pytest.mark.parametrize(
    "work",
    [
        # The larger board would take longer than the test waits.
        "Oracle(False, size='8x8').score('')",
        "Oracle(False, size='8x8').analyse('')",
        "Oracle(False, size='8x8').best_move('')",
        "Oracle(False, size='8x8').scores(['', '1', '2'])",
        "Oracle(False, size='8x8').analyse_many([''])",
        "Oracle(False, size='8x8').choose_move('1', level=8, timeout=600)",
        "Oracle(False).choose_move('1', level=8, timeout=600)",
        "generate('interrupted.book', size='8x8', depth=8)",
        "Book().verify(deep=True)",
        "Book().statistics()",
        "Book().verify(solve=10**6)",
        "sum(1 for _ in Book().positions(12))",
        "Oracle().scores(['4453'] * 5_000_000)",
        "Oracle().scores(Position.stack(['4453']).repeat(5_000_000, 0))",
        "Oracle().analyse_many(['4453'] * 5_000_000)",
        "Oracle(False, size='8x8').outcomes(['', '1', '2'], progress=lambda *_: None)",
        "Book().arrays(12)",
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_ctrl_c_stops_what_takes_long(work: str, tmp_path: Path) -> None:
    program = textwrap.dedent(
        f"""
        import signal
        import numpy  # Python ends with another code if it is interrupted while it imports this.
        from fourbook import *
        # A job that a script starts in the background ignores the signal from its start.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            print("started", flush=True)
            # A fast machine needs less time than the test waits.
            while True:
                {work}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    )
    assert child.stdout is not None and child.stdout.readline() == "started\n"
    time.sleep(0.4)
    child.send_signal(signal.SIGINT)
    try:
        out, _ = child.communicate(timeout=300)
    finally:
        child.kill()
    assert (out, child.returncode) == ("interrupted\n", 0)


def test_an_event_cancels_a_search() -> None:
    cancel = threading.Event()
    solvers = [Oracle(False, size="8x8", memory=16 << 20, threads=1) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        calls: list[Future[Any]] = [
            pool.submit(solvers[0].analyse, "", cancel=cancel),
            pool.submit(solvers[1].scores, ["", "1"], cancel=cancel),
            pool.submit(solvers[2].choose_move, "1", cancel=cancel, timeout=600),
        ]
        wait_until(lambda: all(solver.nodes > 0 for solver in solvers))
        assert not any(call.done() for call in calls)
        cancel.set()
        errors = [call.exception() for call in calls]
    for error in errors:
        assert isinstance(error, CancelledError) and error.nodes > 0
    with pytest.raises(CancelledError):
        solvers[0].score("", cancel=cancel)
    assert Oracle().score("", cancel=cancel) == 1  # nothing is searched


def test_cancelling_a_task_stops_its_search() -> None:
    solver = Oracle(False, size="8x8", memory=16 << 20, threads=1)
    cancel = threading.Event()

    async def start_and_cancel() -> None:
        search = asyncio.create_task(solver.analyse_async("", cancel=cancel))
        while not solver.nodes:
            await asyncio.sleep(0.01)
        assert not search.done()
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search

        nodes = -1
        while nodes != solver.nodes:
            nodes = solver.nodes
            await asyncio.sleep(0.2)

    asyncio.run(start_and_cancel())
    assert not cancel.is_set()


def test_coroutines_answer_as_the_methods_do(oracle: Oracle) -> None:
    async def ask() -> None:
        assert await oracle.score_async("4453") == -2
        assert await oracle.outcome_async("4453") == "loss"
        assert await oracle.analyse_async("4453") == oracle.analyse("4453")
        assert await oracle.best_move_async("4453") == 2
        assert (await oracle.choose_move_async("4453", level="casual", seed=7)).column == 6
        assert list(await oracle.scores_async(["44", "4453"])) == [1, -2]
        assert list((await oracle.analyse_many_async(["44", "4453"])).scores) == [1, -2]
        both = await asyncio.gather(oracle.score_async("44"), oracle.score_async("4453"))
        assert list(both) == [1, -2]
        told: list[tuple[str, int, int]] = []

        def tell(step: str, done: int, total: int) -> None:
            assert asyncio.get_running_loop() is loop
            told.append((step, done, total))

        loop = asyncio.get_running_loop()
        await oracle.outcomes_async(["4453"] * 600, progress=tell)
        assert told[-1] == ("solving positions", 600, 600)
        with pytest.raises(TypeError, match="expected a function for progress"):
            await oracle.scores_async([""], progress=1)  # type: ignore[arg-type]

    asyncio.run(ask())


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted by /proc")
def test_searches_at_the_same_time_share_the_threads() -> None:
    run(
        """
        import os, threading, time
        import fourbook
        solver, cancel = fourbook.Oracle(False, size="8x8", memory=16 << 20, threads=16), threading.Event()
        def search():
            try:
                solver.score("", cancel=cancel)
            except fourbook.CancelledError:
                pass
        callers = [threading.Thread(target=search) for _ in range(8)]
        most = 0
        for caller in callers:
            caller.start()
        while most <= 16 or solver.nodes < 10_000_000:
            most = max(most, len(os.listdir("/proc/self/task")))
        cancel.set()
        for caller in callers:
            caller.join()
        # The main one, 8 callers with a thread each that works for them, 16 and 7 that search.
        assert most <= 1 + 8 + 8 + 16 + 7, most
        """
    )


@pytest.mark.parametrize("program", [["fourbook"], [sys.executable, "-m", "fourbook"]])
def test_the_package_brings_the_program(program: list[str]) -> None:
    def output(*arguments: str, code: int = 0) -> str:
        path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
        run = subprocess.run(
            [*program, *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "PATH": path},
        )
        assert run.returncode == code, run
        return run.stdout + run.stderr

    assert output("lookup", "4453") == "4453 -2\n"
    assert output("--version").splitlines()[0] == f"fourbook {__version__}"
    assert "error: move 2" in output("lookup", "4x", code=1)
    assert "Usage: fourbook show" in output("show", "--depth", code=2)


def wait_until(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.01)


def test_the_first_positions_of_a_book_come_at_once() -> None:
    start = time.process_time()
    next(Book().positions(12))
    first = time.process_time()
    assert len(list(Book().positions(7))) > 10_000
    assert first - start < time.process_time() - first


class Once(Iterator[str]):
    """Texts that can be read once, though their number is known."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)

    def __len__(self) -> int:
        return len(self.texts)

    def __next__(self) -> str:
        if not self.texts:
            raise StopIteration
        return self.texts.pop(0)


def test_coroutines_read_their_positions_once() -> None:
    hard, score = LARGE[0][0], LARGE[1][0]
    solver = Oracle(False, size="8x8", memory=16 << 20, threads=1)
    found = asyncio.run(solver.scores_async(Once(hard, hard)))
    assert list(found) == [score, score]


def run(program: str) -> None:
    """Runs a program in another process, which has to end well."""
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True, timeout=120)


def test_cancelling_a_task_leaves_searches_with_the_same_event_alone() -> None:
    cancel = threading.Event()
    first, second = (Oracle(False, size="8x8", memory=1 << 20, threads=1) for _ in range(2))

    async def cancel_one() -> None:
        ended = asyncio.create_task(first.score_async("", cancel=cancel))
        other = asyncio.create_task(second.score_async("", cancel=cancel))
        while not (first.nodes and second.nodes):
            await asyncio.sleep(0.01)
        ended.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ended
        nodes = second.nodes
        while second.nodes == nodes:
            await asyncio.sleep(0.01)
        assert not cancel.is_set() and not other.done()
        # The event still cancels.
        cancel.set()
        with pytest.raises(CancelledError):
            await other

    asyncio.run(cancel_one())


async def beside_searches(count: int, ask: Callable[[Oracle], Awaitable[None]]) -> None:
    """Asks while searches run or wait that do not end."""
    solver = Oracle(size="8x8", memory=1 << 20, threads=1)
    cancel = threading.Event()
    tasks = [
        asyncio.create_task(solver.score_async("", cancel=cancel)) for _ in range(count)
    ]
    while not solver.nodes:
        await asyncio.sleep(0.01)
    try:
        await ask(solver)
        assert not any(task.done() for task in tasks)
    finally:
        cancel.set()
        await asyncio.gather(*tasks, return_exceptions=True)


def test_lookups_do_not_wait_behind_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = Oracle(memory=1 << 20)

    async def ask(_: Oracle) -> None:
        # Nothing else runs before the answers: they come from the thread of the event loop.
        calls: list[Coroutine[Any, Any, Any]] = [
            oracle.score_async("4453", timeout=60),
            oracle.outcome_async("4453"),
            oracle.analyse_async("4453", cancel=threading.Event()),
            oracle.best_move_async("4453"),
            oracle.choose_move_async("4453"),
            oracle.scores_async(["4453"] * 64),
            oracle.analyse_many_async(Position.stack(["4453"])),
            oracle.outcomes_async(["4453"]),
            oracle.plies_to_end_async(["4453"]),
            oracle.best_moves_async(["4453"]),
            oracle.score_async(Position("4453").to_array()),
        ]
        for call in calls:
            with pytest.raises(StopIteration):
                call.send(None)
        # Many positions do not hold the event loop up.
        many = asyncio.create_task(oracle.analyse_many_async(["4453"] * 4096))
        await asyncio.sleep(0)
        assert not many.done() and len(await many) == 4096
        assert oracle.nodes == 0

    monkeypatch.setattr(_async, "MOST_SEARCHES", 2)
    asyncio.run(beside_searches(12, ask))


def test_easy_searches_do_not_wait_behind_twelve_hard_ones() -> None:
    async def ask(solver: Oracle) -> None:
        assert await solver.score_async(LARGE[0][0]) == LARGE[1][0]
        assert list(await solver.scores_async(LARGE[0][:1])) == LARGE[1][:1]

    asyncio.run(beside_searches(12, ask))


def test_limits_hold_while_a_call_waits_for_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(solver: Oracle) -> None:
        for question in (solver.score_async, solver.analyse_async):
            with pytest.raises(DeadlineError) as late:
                await question("1", timeout=0.05)
            assert late.value.nodes == 0
        cancel = threading.Event()
        waiting = asyncio.create_task(solver.scores_async(["1", "12345678"], cancel=cancel))
        await asyncio.sleep(0.01)
        cancel.set()
        with pytest.raises(CancelledError):
            await waiting
        ended = asyncio.create_task(solver.score_async("1"))
        await asyncio.sleep(0.01)
        ended.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ended
        # Wrong limits are refused before the call waits.
        all_wrong: list[Any] = [{"timeout": "1"}, {"timeout": -1}, {"max_nodes": 1.5}, {"cancel": 1}]
        for wrong in all_wrong:
            with pytest.raises((TypeError, ValueError)):
                await solver.scores_async(["1"], **wrong)

    monkeypatch.setattr(_async, "MOST_SEARCHES", 2)
    asyncio.run(beside_searches(2, ask))


def test_a_timeout_counts_from_the_call() -> None:
    """Reading the positions counts: the time is over before the first search."""
    solver = Oracle(False, size="8x8", memory=1 << 20, threads=1)

    def slow() -> Iterator[str]:
        yield ""
        time.sleep(0.2)
        yield "1"

    with pytest.raises(DeadlineError) as raised:
        solver.scores(slow(), timeout=0.1)
    assert raised.value.nodes == 0


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is read on Linux")
@pytest.mark.parametrize("mebibytes", [800, 1200])
def test_the_default_table_fits_the_address_space(mebibytes: int) -> None:
    run(
        f"""
        import resource
        from fourbook import Oracle
        limit = {mebibytes} << 20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        for made in (Oracle(threads=1), Oracle(False, size="8x8", threads=1)):
            assert 0 < made.memory < limit // 2, made.memory
            try:
                made.score("1", max_nodes=2_000_000)
            except Exception as error:
                assert type(error).__name__ == "NodeBudgetError", error
        """
    )
