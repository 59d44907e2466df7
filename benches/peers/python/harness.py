"""Measures fourbook, BitBully and connect-four-ai in one interpreter, in turns.

Reads a description of the work as JSON on standard input: positions as lines of moves, and
how often; prints the times as JSON. Times are of the processor, of this process with all
its threads; each package uses one.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from time import process_time_ns
from typing import Any

import bitbully
import connect_four_ai
import fourbook

PACKAGES = ("fourbook", "bitbully", "connect-four-ai")
MODULES = {"fourbook": "fourbook", "bitbully": "bitbully", "connect-four-ai": "connect_four_ai"}


# The size of the table: fourbook's default is larger than the tables of the others.
MEMORY = 64 << 20

Work = dict[str, Callable[[], Any]]
# The function and the arguments of each, one after the other.
Calls = dict[str, tuple[Callable[[Any], Any], Sequence[Any]]]


def cpu_seconds(program: str) -> float:
    """The start of an interpreter that runs a program."""
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-I", "-c", program], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def importing(rounds: int) -> dict[str, list[float]]:
    """Seconds to import each, less those of an interpreter that imports nothing."""
    programs = {name: f"import {module}" for name, module in MODULES.items()}
    for program in programs.values():
        cpu_seconds(program)  # compiles it
    times: dict[str, list[float]] = {name: [] for name in PACKAGES}
    for _ in range(rounds):
        nothing = cpu_seconds("pass")
        for name, program in programs.items():
            times[name].append(max(cpu_seconds(program) - nothing, 0.0))
    return times


def in_turns(chunks: Sequence[Work]) -> dict[str, list[float]]:
    """Seconds of each package for each chunk of work, one package after the other."""
    times: dict[str, list[float]] = {name: [] for name in chunks[0]}
    for number, chunk in enumerate(chunks):
        # A different package begins each time.
        names = list(chunk)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            start = process_time_ns()
            chunk[name]()
            times[name].append((process_time_ns() - start) / 1e9)
    return times


def board(moves: str) -> bitbully.Board:
    made = bitbully.Board()
    if not made.play([int(column) - 1 for column in moves]):
        sys.exit(f"{moves}: BitBully does not take these moves")
    return made


class Positions:
    """The same positions for each package."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.fourbook = [fourbook.Position(moves) for moves in lines]
        self.bitbully = [board(moves) for moves in lines]
        self.natives = [each.native for each in self.bitbully]
        self.other = [connect_four_ai.Position.from_moves(moves) for moves in lines]


def answers_of(calls: Calls) -> dict[str, list[Any]]:
    """The answers of each package to all questions."""
    return {name: [call(each) for each in all_] for name, (call, all_) in calls.items()}


def check(what: str, answers: dict[str, list[Any]]) -> None:
    """Checks that all give the same answers."""
    expected = answers["fourbook"]
    for name, found in answers.items():
        if found != expected:
            pairs = [pair for pair in zip(expected, found) if pair[0] != pair[1]]
            sys.exit(f"{what}: {name} says {pairs[0][1]} where fourbook says {pairs[0][0]}")


def lookups(lines: Sequence[str], rounds: int, names: Sequence[str]) -> dict[str, list[float]]:
    """Seconds of a lookup by each, and of an empty call."""
    positions = Positions(lines)
    book = fourbook.Book()
    calls: Calls = {"fourbook": (book.look_up, positions.fourbook)}
    if "bitbully" in names:
        # As the package does it: `BitBully` has no lookup of its own.
        import bitbully_databases
        from bitbully.bitbully_core import OpeningBookCore

        path = bitbully_databases.BitBullyDatabases.get_database_path("default")
        core = OpeningBookCore(path, is_8ply=False, with_distances=True)
        calls["bitbully"] = (core.getBoardValue, positions.natives)
    if "connect-four-ai" in names:
        solver = connect_four_ai.Solver()
        calls["connect-four-ai"] = (solver.solve, positions.other)
    answers = answers_of(calls)
    if "bitbully" in answers:
        # Its values are distances.
        answers["bitbully"] = answers["fourbook"]
    check("lookups", answers)
    calls["an empty call"] = (fourbook.Position().can_play, [3] * len(lines))
    return in_loops(calls, rounds)


def boards(lines: Sequence[str], rounds: int) -> dict[str, dict[str, list[float]]]:
    """Seconds to make a position, or an array of one, in loops."""
    positions = Positions(lines)
    rows = [board.tolist() for board in fourbook.Position.stack(lines)]
    from_zero = ["".join(str(int(column) - 1) for column in moves) for moves in lines]
    plies = [len(moves) for moves in lines]
    calls: dict[str, Calls] = {
        "a position from moves": {
            "fourbook": (fourbook.Position.from_moves, lines),
            "bitbully": (bitbully.Board, from_zero),
            "connect-four-ai": (connect_four_ai.Position.from_moves, lines),
        },
        "a position from lists of rows": {
            "fourbook": (fourbook.Position.from_array, rows),
            "bitbully": (bitbully.Board, rows),
        },
        "a position as an array": {
            "fourbook": (fourbook.Position.to_array, positions.fourbook),
            "bitbully": (bitbully.Board.to_array, positions.bitbully),
        },
        "a random position": {
            "fourbook": (fourbook.random_position, plies),
            "bitbully": (partial(bitbully.Board.random_board, forbid_direct_win=False), plies),
        },
    }
    # The rows of BitBully's arrays are columns from the bottom.
    read = [bitbully.Board(each).to_array() for each in rows]
    if read != [[list(column[::-1]) for column in zip(*each)] for each in rows]:
        sys.exit("BitBully reads other boards from lists of rows")
    return {name: in_loops(each, rounds) for name, each in calls.items()}


def in_loops(calls: Calls, rounds: int) -> dict[str, list[float]]:
    """Seconds of a call by each, in loops over all questions."""

    def loop(call: Callable[[Any], Any], all_: Sequence[Any]) -> Callable[[], None]:
        def work() -> None:
            for each in all_:
                call(each)

        return work

    work = {name: loop(call, all_) for name, (call, all_) in calls.items()}
    numbers = {name: len(all_) for name, (_, all_) in calls.items()}
    times = in_turns([work] * rounds)
    return {name: [each / numbers[name] for each in found] for name, found in times.items()}


def analyses_from_books(lines: Sequence[str], rounds: int) -> dict[str, list[float]]:
    """Seconds for the scores of all moves, in loops, where two default books have them."""
    positions = Positions(lines)
    oracle = fourbook.Oracle(threads=1, memory=MEMORY)
    solver = connect_four_ai.Solver()
    calls: Calls = {
        "fourbook": (oracle.analyse, positions.fourbook),
        "connect-four-ai": (solver.get_all_move_scores, positions.other),
    }
    answers = answers_of(calls)
    answers["fourbook"] = [analysis.move_scores for analysis in answers["fourbook"]]
    check("analyses from books", answers)
    return in_loops(calls, rounds)


def analyses(plies: dict[str, Sequence[str]]) -> dict[str, dict[str, list[float]]]:
    """Seconds for the scores of all moves of each position, with the built-in books."""
    oracle = fourbook.Oracle(threads=1, memory=MEMORY)
    agent = bitbully.BitBully()
    solver = connect_four_ai.Solver()
    told: dict[str, dict[str, list[float]]] = {}
    for ply, lines in plies.items():
        positions = Positions(lines)
        answers: dict[str, list[Any]] = {name: [] for name in PACKAGES}

        def chunk(index: int) -> Work:
            position, other = positions.fourbook[index], positions.other[index]
            native = positions.bitbully[index]

            def of_bitbully() -> None:
                scores = agent.score_all_moves(native)
                answers["bitbully"].append([scores.get(column) for column in range(7)])

            return {
                "fourbook": lambda: answers["fourbook"].append(oracle.analyse(position).move_scores),
                "bitbully": of_bitbully,
                "connect-four-ai": lambda: answers["connect-four-ai"].append(
                    solver.get_all_move_scores(other)
                ),
            }

        told[ply] = in_turns([chunk(index) for index in range(len(lines))])
        check(f"analyses of {ply} stones", answers)
        print(f"{len(lines)} positions of {ply} stones analysed", file=sys.stderr, flush=True)
    return told


def solving(lines: Sequence[str], at_a_time: int) -> dict[str, list[float]]:
    """Seconds for the scores of positions without a book, in chunks."""
    positions = Positions(lines)
    ours = fourbook.Oracle(False, threads=1, memory=MEMORY)
    agent = bitbully.BitBully(opening_book=None)
    # Its book of ply 8 is always loaded, but has no positions of more stones.
    solver = connect_four_ai.Solver()
    answers: dict[str, list[int]] = {name: [] for name in PACKAGES}

    def chunk(start: int) -> Work:
        part = slice(start, start + at_a_time)
        return {
            "fourbook": lambda: answers["fourbook"].extend(map(ours.score, positions.fourbook[part])),
            "bitbully": lambda: answers["bitbully"].extend(map(agent.mtdf, positions.bitbully[part])),
            "connect-four-ai": lambda: answers["connect-four-ai"].extend(
                map(solver.solve, positions.other[part])
            ),
        }

    times = in_turns([chunk(start) for start in range(0, len(lines), at_a_time)])
    check("solving", answers)
    return times


def main() -> None:
    work = json.load(sys.stdin)
    rounds = work["rounds"]
    told: dict[str, Any] = {"python": platform.python_version(), "import": importing(rounds)}
    told["boards"] = boards(work["lookup-12"], rounds)
    told["lookup-8"] = lookups(work["lookup-8"], rounds, ("fourbook", "connect-four-ai"))
    told["lookup-12"] = lookups(work["lookup-12"], rounds, ("fourbook", "bitbully"))
    print(f"a lookup takes {median(told['lookup-12']['fourbook']) * 1e9:.0f} ns", file=sys.stderr)
    told["analyse-4"] = analyses_from_books(work["analyse-4"], rounds)
    told["analyse"] = analyses(work["analyse"])
    told["solve"] = solving(work["solve"], work["at_a_time"])
    json.dump(told, sys.stdout)


main()
