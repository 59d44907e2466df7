"""The positions that programs are compared on: random ones, those of tests/data, and
those of other files."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import ROOT, Failure, shown

DATA = ROOT / "tests" / "data"
WIDTH, HEIGHT = 7, 6
# The greatest absolute score.
MAX_SCORE = WIDTH * HEIGHT // 2


def makes_four(board: Sequence[str], column: int, player: str) -> bool:
    """Whether a stone of `player`, dropped into `column`, completes a line of
    four. A board is its columns, each its stones from the bottom up."""
    row = len(board[column])

    def run(dx: int, dy: int) -> int:
        x, y, length = column + dx, row + dy, 0
        while 0 <= x < len(board) and 0 <= y < len(board[x]) and board[x][y] == player:
            x, y, length = x + dx, y + dy, length + 1
        return length

    return any(run(dx, dy) + run(-dx, -dy) >= 3 for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)))


def random_moves(
    rng: random.Random, plies: int, width: int = WIDTH, height: int = HEIGHT
) -> str | None:
    """Moves drawn evenly among the legal ones; None if the game ends with them
    or the side to move could end it at once. A board has at most 9 columns."""
    board = [""] * width
    moves = ""
    for ply in range(plies + 1):
        player = "XO"[ply % 2]
        legal = [column for column in range(width) if len(board[column]) < height]
        if ply == plies:
            return None if not legal or any(makes_four(board, column, player) for column in legal) else moves
        # Python promises the same sequence from `random()` in all its versions.
        column = legal[int(rng.random() * len(legal))]
        if makes_four(board, column, player):
            return None
        board[column] += player
        moves += str(column + 1)
    raise AssertionError("the loop returns")


def fault_of(moves: str) -> str | None:
    """The reason why these moves do not lead to an ongoing position."""
    board = [""] * WIDTH
    for ply, move in enumerate(moves):
        column, player = int(move) - 1, "XO"[ply % 2]
        if len(board[column]) == HEIGHT:
            return f"column {move} is full before move {ply + 1}"
        if makes_four(board, column, player):
            return f"the game is over with move {ply + 1}, which makes four"
        board[column] += player
    return "the board is full" if len(moves) == WIDTH * HEIGHT else None


@dataclass(frozen=True)
class Position:
    moves: str
    expected: int | None = None


@dataclass(frozen=True)
class Class:
    name: str
    load: Callable[[int], Iterable[Position]]
    # The file of the positions; None for random ones.
    file: Path | None = None


def random_class(plies: int, count: int, width: int = WIDTH, height: int = HEIGHT) -> Class:
    def load(seed: int) -> Iterable[Position]:
        # A random sequence for each class, independent of the other classes chosen.
        rng = random.Random(seed * 100 + plies)
        found = 0
        while found < count:
            moves = random_moves(rng, plies, width, height)
            if moves is not None:
                found += 1
                yield Position(moves)

    return Class(f"random-{plies}", load)


def file_class(file: Path) -> Class:
    """The positions of a file, named like the file without its extension."""

    def load(_: int) -> Iterable[Position]:
        try:
            text = file.read_text(encoding="utf-8-sig", errors="replace")
        except OSError as error:
            raise Failure(
                f"cannot read '{file}': {error.strerror}; expected a file of positions, one a line"
            ) from None
        positions = 0
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                positions += 1
                yield position_of(line.rstrip(), f"{file}, line {number}")
        if not positions:
            raise Failure(f"{file}: expected at least one position, found none")

    return Class(file.stem, load, file)


def position_of(line: str, where: str) -> Position:
    """The position of a line that has moves, moves and a score, or a blank and the
    score of the empty board, as fourbook prints it."""
    form = re.fullmatch(r"([1-7]+)(?:\s+([+-]?\d{1,3}))?|\s([+-]?\d{1,3})", line, re.ASCII)
    if form is None:
        raise Failure(f"{where}: expected 'MOVES' or 'MOVES SCORE', found {shown(line)}")
    moves, score = form[1] or "", form[2] or form[3]
    if fault := fault_of(moves):
        raise Failure(
            f"{where}: expected moves after which the game goes on, found '{moves}': {fault}"
        )
    if score is not None and abs(int(score)) > MAX_SCORE:
        raise Failure(
            f"{where}: expected a score from -{MAX_SCORE} to {MAX_SCORE}, found '{score}'"
        )
    return Position(moves, None if score is None else int(score))


CLASSES = {
    each.name: each
    for each in (
        random_class(12, 1000),
        random_class(8, 30),
        *(
            file_class(DATA / f"{name}.txt")
            for name in (
                "begin-easy",
                "begin-medium",
                "begin-hard",
                "middle-easy",
                "middle-medium",
                "end-easy",
                "quick-wins",
            )
        ),
    )
}
