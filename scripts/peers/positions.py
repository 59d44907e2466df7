"""The positions that programs are compared on: random ones, and those of tests/data."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tools import ROOT, Failure

DATA = ROOT / "tests" / "data"
WIDTH, HEIGHT = 7, 6


def makes_four(board: Sequence[str], column: int, player: str) -> bool:
    """Whether a stone of `player`, dropped into `column`, completes a line of
    four. A board is its columns, each its stones from the bottom up."""
    row = len(board[column])

    def run(dx: int, dy: int) -> int:
        x, y, length = column + dx, row + dy, 0
        while 0 <= x < WIDTH and 0 <= y < len(board[x]) and board[x][y] == player:
            x, y, length = x + dx, y + dy, length + 1
        return length

    return any(run(dx, dy) + run(-dx, -dy) >= 3 for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)))


def random_moves(rng: random.Random, plies: int) -> str | None:
    """Moves drawn evenly among the legal ones; None if the game ends with them
    or the side to move could end it at once."""
    board = [""] * WIDTH
    moves = ""
    for ply in range(plies + 1):
        player = "XO"[ply % 2]
        legal = [column for column in range(WIDTH) if len(board[column]) < HEIGHT]
        if ply == plies:
            return None if any(makes_four(board, column, player) for column in legal) else moves
        # Python promises the same sequence from `random()` in all its versions.
        column = legal[int(rng.random() * len(legal))]
        if makes_four(board, column, player):
            return None
        board[column] += player
        moves += str(column + 1)
    raise AssertionError("the loop returns")


@dataclass(frozen=True)
class Position:
    moves: str
    expected: int | None = None


@dataclass(frozen=True)
class Class:
    name: str
    load: Callable[[int], Iterable[Position]]


def random_class(plies: int, count: int) -> Class:
    def load(seed: int) -> Iterable[Position]:
        # A sequence of its own for each class, whichever others are chosen.
        rng = random.Random(seed * 100 + plies)
        found = 0
        while found < count:
            moves = random_moves(rng, plies)
            if moves is not None:
                found += 1
                yield Position(moves)

    return Class(f"random-{plies}", load)


def data_class(name: str) -> Class:
    def load(_: int) -> Iterable[Position]:
        path = DATA / f"{name}.txt"
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.fullmatch(r"([1-7]+) (-?\d+)", line)
            if match is None:
                raise Failure(f"{path.name}, line {number}: expected 'MOVES SCORE', got '{line}'")
            yield Position(match[1], int(match[2]))

    return Class(name, load)


CLASSES = {
    each.name: each
    for each in (
        random_class(12, 1000),
        random_class(8, 30),
        *map(
            data_class,
            (
                "begin-easy",
                "begin-medium",
                "begin-hard",
                "middle-easy",
                "middle-medium",
                "end-easy",
            ),
        ),
    )
}
