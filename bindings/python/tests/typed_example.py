"""A program of a user, for type checkers: every type is stated and must be right."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from numpy import int8, int64
from numpy.typing import NDArray

from fourbook import (
    Analyses,
    Choice,
    Analysis,
    Book,
    DeadlineError,
    Error,
    Level,
    Move,
    Oracle,
    Position,
    generate,
    random_position,
    svg,
)


def play_out(oracle: Oracle, level: Level, seed: int) -> Iterator[Position]:
    position: Position = Position.from_moves([3, 3], size=oracle.size)
    while not position.over:
        choice: Choice = oracle.choose_move(position, level=level, seed=seed)
        position = position.play(choice.column)
        yield position


def describe(analysis: Analysis) -> str:
    best: list[int] = analysis.best_moves
    moves: list[Move] = analysis.moves
    scores: list[int | None] = analysis.move_scores
    outcome: Literal["win", "draw", "loss"] = analysis.outcome
    player: Literal["X", "O"] | None = analysis.to_move
    return f"{player} {outcome} {best} {len(moves)} {scores[0]} {analysis.score + 1}"


def make(path: Path) -> Book:
    def tell(step: str, done: int, total: int) -> None:
        print(f"{step}: {done} of {total}")

    book: Book = generate(path, size=(4, 4), depth=4, overwrite=True, progress=tell)
    print(book.depth, Position("44", size=book.size) in book)
    return Book(path, size="4x4")


async def ask(oracle: Oracle) -> int:
    analysis: Analysis = await oracle.analyse_async("4453", timeout=10)
    choice: Choice = await oracle.choose_move_async("44", level=3, cancel=threading.Event())
    return analysis.score + choice.column


def main() -> None:
    oracle = Oracle(threads=1)
    final = [*play_out(oracle, Level("casual"), seed=1)][-1]
    print(final, final.winner, hash(final), final.to_text("diagram"))
    print(describe(oracle.analyse("4453")))
    book: Book | None = oracle.book
    if book is not None:
        found: int | None = book.look_up(final)
        pairs: list[tuple[Position, int]] = list(book.positions(1))
        print(found, pairs)
    try:
        Oracle(False, size="8x8").score("", timeout=0.1)
    except DeadlineError as error:
        solved: int | None = error.solved
        print(error, solved, error.results)
    except Error:
        raise
    analyses: Analyses = oracle.analyse_many(["44", Position("4453")])
    scores: NDArray[int8] = analyses.scores
    boards: NDArray[int8] = Position.stack([random_position(8, seed=1)])
    games: list[Position] = Position.unstack(Position.stack(["44"], layout="mover"), layout="mover")
    best: NDArray[int8] = oracle.best_moves(games, timeout=10)
    one: int | None = oracle.best_move(games[0])
    each: list[Analysis] = [*analyses, analyses[-1]]
    ended: list[str | None] = analyses.outcomes.tolist()
    print(one, each, ended, asyncio.run(oracle.scores_async(games, progress=print)))
    score: int = oracle.score(games[0].to_array()) + oracle.score([[0] * 7] * 6)
    print(best, score, Position.from_array([[0] * 7] * 6, layout="mover"), Position.legal_masks(games))
    print(Book().arrays(1, layout="mover")[0].shape)
    print(scores[0], analyses.move_scores.shape, oracle.scores(boards), svg(Position("44")))
    print(oracle.choose_move("44", seed=int64(1)), asyncio.run(ask(oracle)))
    print(Level(int64(3)), Position("44", size=(int64(7), 6)).play(int64(3)))


if __name__ == "__main__":
    main()
