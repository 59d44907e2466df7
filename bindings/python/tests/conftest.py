"""Shared code of the tests. They test the installed package with the data of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fourbook import Oracle

ROOT = Path(os.environ.get("FOURBOOK_REPOSITORY", Path(__file__).resolve().parents[3]))


@pytest.fixture(scope="session")
def repository() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def oracle() -> Oracle:
    """The default oracle, with a smaller table."""
    return Oracle(memory=64 << 20)


def scored(path: Path) -> tuple[list[str], list[int]]:
    """Moves and scores of a file of tests/data."""
    lines = [line.split() for line in path.read_text().splitlines()]
    return [line[0] for line in lines], [int(line[1]) for line in lines]
