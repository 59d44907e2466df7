"""All positions of tests/data have their scores."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from conftest import ROOT, scored

from fourbook import Oracle, Position

DATA = ROOT / "tests" / "data"
FILES = sorted(path.name for path in DATA.glob("*.txt"))
SIZES = sorted(path.stem for path in (DATA / "sizes").glob("*.txt"))

# Without a book these take long, so only one position in 10 or 4 is solved.
SAMPLES = {"begin-hard.txt": 10, "begin-medium.txt": 4}


def test_the_data_is_there() -> None:
    assert len(FILES) == 7 and len(SIZES) == 11


@pytest.mark.parametrize("name", FILES)
def test_every_position_with_the_book(oracle: Oracle, name: str) -> None:
    moves, scores = scored(DATA / name)
    assert list(oracle.scores(moves)) == scores


@pytest.mark.parametrize("name", FILES)
def test_positions_without_a_book(name: str) -> None:
    moves, scores = scored(DATA / name)
    every = SAMPLES.get(name, 1)
    solver = Oracle(False, memory=256 << 20)
    assert list(solver.scores(moves[::every])) == scores[::every]
    assert solver.nodes > 0


@pytest.mark.parametrize("size", SIZES)
def test_other_boards(size: str) -> None:
    moves, scores = scored(DATA / "sizes" / f"{size}.txt")
    solver = Oracle(False, size=size, memory=64 << 20)
    assert list(solver.scores(moves)) == scores
    # One by one, as objects and as texts.
    assert [solver.score(Position(each, size=size)) for each in moves[:3]] == scores[:3]
    assert [solver.score(each) for each in moves[:3]] == scores[:3]


def outcomes(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("size", ["4x4", "5x4", "4x5", "4x6", "4x7"])
def test_empty_boards(size: str) -> None:
    width, height = size.split("x")
    rows = outcomes(DATA / "outcomes.csv")
    [row] = [row for row in rows if (row["width"], row["height"]) == (width, height)]
    analysis = Oracle(size=size, memory=64 << 20).analyse("")
    assert analysis.score == int(row["score"])
    assert analysis.plies_to_end == int(row["last_stone"])
