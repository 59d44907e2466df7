"""Books: opening, looking up, iterating, verifying, making."""

from __future__ import annotations

import copy
import json
import mmap
import os
import pickle
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

from fourbook import (
    ArgumentError,
    Book,
    BookError,
    FileError,
    GenerateError,
    MissingFileError,
    Oracle,
    Position,
    SizeError,
    generate,
)


# The changes to a book that are tried.
BITS, STRETCHES = 200, 50


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("books") / "small.book"
    generate(path, size="5x4", depth=6)
    return path


def test_the_book_that_comes_with_it() -> None:
    for book in (Book(), Book(bytes(Book()))):
        assert (book.size, book.depth, book.kind, book.encoding) == ("7x6", 12, "scores", "compact")
        assert book.look_up("") == 1 and book.look_up(Position("4453")) == -2
        assert book.look_up("44444433333312") is None
        assert book.look_up("1213141") == -18  # the rules say it
        assert book.path is None
        assert "4453" in book and "44444433333312" not in book
    with pytest.raises(SizeError):
        Book().look_up(Position(size="8x8"))


def test_books_are_opened_and_described(repository: Path) -> None:
    path = repository / "books" / "7x6-d8.book"
    book = Book(path)
    info = book.info()
    assert info["file"] == book.path == str(path)
    assert info["bytes"] == path.stat().st_size == len(bytes(book))
    assert (info["width"], info["height"], info["depth"]) == (7, 6, 8)
    assert info["identity"] == book.identity and len(book.identity) == 8
    assert [section["ply"] for section in info["sections"]] == [0, 2, 4, 6, 8]
    assert Book(str(path), size="7x6").identity == Book(path).identity
    assert "7x6-d8.book" in repr(book)
    deepest = Book(repository / "books", size="7x6")
    assert deepest.depth >= 12 and deepest.path is not None


def test_what_is_no_book_is_refused(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="cannot open '.*none.book': ") as missing:
        Book(tmp_path / "none.book")
    assert isinstance(missing.value, FileNotFoundError) and isinstance(missing.value, FileError)
    assert missing.value.errno == 2 and str(missing.value.filename).endswith("none.book")
    empty = tmp_path / "empty.book"
    empty.write_bytes(b"")
    with pytest.raises(BookError, match="cannot use '.*': .*empty file"):
        Book(empty)
    with pytest.raises(BookError, match="expected a fourbook book, which begins with"):
        Book(b"something else")
    with pytest.raises(SizeError, match="expected a book for 8x8 boards"):
        Book(repository / "books" / "7x6-d8.book", size="8x8")
    empty.unlink()
    with pytest.raises(BookError, match="found none"):
        Book(tmp_path)


def test_a_ply_is_gone_through() -> None:
    book = Book()
    ply = {position: value for position, value in book.positions(4)}
    # All positions that a game reaches and the rules do not score, mirror images once.
    assert len(ply) == len({position.canonical() for position in ply})
    expected = set()
    def visit(position: Position) -> None:
        if position.ply == 4:
            expected.add(position.canonical())
            return
        for column in position.legal_moves():
            visit(position.play(column))
    visit(Position())
    assert {position.canonical() for position in ply} == expected
    assert all(book.look_up(position) == value for position, value in ply.items())
    assert [value for _, value in book.positions(0)] == [1]
    assert sum(1 for _ in book.positions(9)) > 200_000
    positions = book.positions(12)
    assert iter(positions) is positions and next(positions)[0].ply == 12
    del positions  # and nobody waits for the other four million
    with pytest.raises(ValueError, match="expected ply from 0 to 12, found 13"):
        book.positions(13)


def test_a_book_is_verified(repository: Path) -> None:
    book = Book(repository / "examples" / "4x4-d6.book")
    told: list[tuple[str, int, int]] = []
    report = book.verify(solve=20, progress=lambda *state: told.append(state))
    assert report["passed"] and report["deep"] and report["solve"] == 20
    assert told and told[-1][1] == told[-1][2]
    assert {check["step"] for check in report["checks"]} >= {"section", "entries", "solve"}
    assert not book.verify()["deep"]
    data = bytearray(bytes(book))
    data[-40] ^= 1
    damaged = Book(bytes(data)).verify()
    assert not damaged["passed"]
    failed, *_ = [check for check in damaged["checks"] if check["failed"]]
    assert failed["failures"][0]["expected"].startswith("the checksum ")


def test_positions_are_counted(repository: Path) -> None:
    counts = Book(repository / "books" / "7x6-d8.book").statistics(threads=1)
    totals = [sum(ply["distinct"].values()) for ply in counts]
    # J. Tromp's, in the On-Line Encyclopedia of Integer Sequences: A212693.
    assert totals == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


def test_books_are_pickled(repository: Path, small: Path) -> None:
    for book in (Book(), Book(small), Book(small.read_bytes())):
        again = pickle.loads(pickle.dumps(book))
        assert (again.identity, again.path) == (book.identity, book.path)
        assert again == book and hash(again) == hash(book)
    assert Book() != Book(small) and Book() != "book"
    assert len(pickle.dumps(Book())) < 500 and len(pickle.dumps(Book(small))) < 500
    oracle = pickle.loads(pickle.dumps(Oracle(small, memory=1 << 20, threads=1)))
    assert (oracle.size, oracle.threads, oracle.book.depth) == ("5x4", 1, 6)
    assert pickle.loads(pickle.dumps(Oracle(False))).book is None


def test_a_book_is_made(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    path = tmp_path / "made.book"
    book = generate(path, size="4x4", depth=8, progress=lambda *state: told.append(state))
    # Every step reports its total at the end, so bars end at 100 %.
    last = {step: (done, total) for step, done, total in told}
    assert len(last) > 10 and all(done == total for done, total in last.values())
    assert told[-1][1] == told[-1][2]
    assert json.loads((tmp_path / "made.book.json").read_text())["depth"] == 8
    assert not (tmp_path / "made.book.checkpoint").exists()
    assert book.path == str(path)
    assert book.verify(deep=True)["passed"] and (book.depth, book.encoding) == (8, "flat")
    other = tmp_path / "other.book"
    generate(other, size="4x4", depth=8, kind="outcomes", encoding="compact", threads=1)
    outcomes = Book(other)
    assert (outcomes.kind, outcomes.encoding) == ("outcomes", "compact")
    for position, value in book.positions(7):
        sign = (value > 0) - (value < 0)
        assert outcomes.look_up(position) == sign
    assert Oracle(other, memory=1 << 20).outcome("1213") == Oracle(path).outcome("1213")
    # Such a book has no scores, so positions are solved.
    assert Oracle(other, memory=1 << 20).score("1213") == Oracle(path).score("1213")
    assert outcomes.look_up("121314") in (-1, 0, 1)


def test_a_book_that_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot write into the folder") as missing:
        generate(tmp_path / "none" / "x.book", size="4x4", depth=2)
    assert str(missing.value.filename) == str(tmp_path / "none")
    with pytest.raises(ArgumentError, match="expected depth from 0 to 15, found 17"):
        generate(tmp_path / "x.book", size="4x4", depth=17)
    with pytest.raises(ValueError, match="'wdl' is not a kind; expected scores or outcomes"):
        generate(tmp_path / "x.book", kind="wdl")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is not a book encoding; expected flat or compact"):
        generate(tmp_path / "x.book", encoding="small")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"progress": 5}, "expected a function for progress, found int"),
        ({"overwrite": "no"}, "expected a bool, found str"),
        ({"out": 5}, "expected the path of a file for out, found int"),
    ],
)
def test_arguments_of_wrong_types_are_named(
    tmp_path: Path, arguments: dict[str, Any], expected: str
) -> None:
    path = tmp_path / "small.book"
    with pytest.raises(TypeError, match=expected):
        generate(**{"out": path, "size": "4x4", "depth": 2, **arguments})
    assert not path.exists()
    if "progress" in arguments:
        for work in (Book().verify, Book().statistics):
            with pytest.raises(TypeError, match=expected):
                work(**arguments)
    with pytest.raises(TypeError, match="expected a bool, found str"):
        Book().verify(deep="no")  # type: ignore[arg-type]


def test_an_existing_book_is_replaced_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "x.book"
    assert generate(path, size="4x4", depth=2).depth == 2
    with pytest.raises(GenerateError, match="exists already"):
        generate(path, size="4x4", depth=4)
    assert generate(path, size="4x4", depth=4, overwrite=True).depth == Book(path).depth == 4
    assert json.loads((tmp_path / "x.book.json").read_text())["depth"] == 4
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x.book", "x.book.json"]


def test_what_a_callback_raises_ends_the_work_and_the_next_call_resumes(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(step: str, done: int, total: int) -> None:
        if "solving" in step and done:
            raise Enough(step)

    path = tmp_path / "resumed.book"
    with pytest.raises(Enough):
        generate(path, size="5x6", depth=8, progress=stop, threads=1)
    assert not path.exists() and (tmp_path / "resumed.book.checkpoint").exists()
    book = generate(path, size=(5, 6), depth=8)
    assert book.verify(deep=True)["passed"] and book.depth == 8
    with pytest.raises(Enough):
        Book().verify(deep=True, progress=lambda *_: (_ for _ in ()).throw(Enough()))


def random_game(random: Random, stones: int) -> str:
    """The moves of a random game of at most `stones` stones."""
    position = Position()
    for _ in range(random.randrange(stones + 1)):
        if position.over:
            break
        position = position.play(random.choice(position.legal_moves()))
    return position.to_text("moves")


def answers(path: Path, moves: list[str], expected: list[int | None]) -> int:
    """Asks a book for positions; answers must be right or errors. Returns the number of errors."""
    try:
        book = Book(path)
    except BookError:
        return len(moves)
    errors = 0
    for text, value in zip(moves, expected, strict=True):
        try:
            assert book.look_up(text) == value, text
        except BookError as error:
            assert str(path) in str(error)
            errors += 1
    return errors


def test_no_change_to_a_book_makes_a_wrong_answer(tmp_path: Path) -> None:
    original, random, path = bytes(Book()), Random(31), tmp_path / "changed.book"
    moves = [random_game(random, 13) for _ in range(300)]
    expected = [Book().look_up(text) for text in moves]
    path.write_bytes(original)
    errors = 0
    with path.open("r+b", buffering=0) as file:
        # Single bits, then stretches.
        for length in [1] * BITS + [random.randrange(2, 65) for _ in range(STRETCHES)]:
            at = random.randrange(len(original) - length + 1)
            before = original[at : at + length]
            bit = bytes([before[0] ^ 1 << random.randrange(8)])
            file.seek(at)
            file.write(bit if length == 1 else random.randbytes(length))
            errors += answers(path, moves, expected)
            file.seek(at)
            file.write(before)
    assert errors > 0 and answers(path, moves, expected) == 0
    print(f"{BITS + STRETCHES} changes, {errors} errors")


@pytest.mark.parametrize("change", ["truncated", "shorter", "longer", "same length", "renamed", "deleted"])
def test_a_file_that_changes_while_it_is_open_gives_right_answers_or_errors(
    tmp_path: Path, repository: Path, change: str
) -> None:
    path, original = tmp_path / "open.book", (repository / "books" / "7x6-d12.book").read_bytes()
    random = Random(7)
    moves = [random_game(random, 12) for _ in range(300)]
    expected = [Book().look_up(text) for text in moves]
    path.write_bytes(original)
    book = Book(path)
    errors = 0
    for number, (text, value) in enumerate(zip(moves, expected, strict=True)):
        if number == 20:
            shallow = (repository / "books" / "7x6-d8.book").read_bytes()
            contents = {
                "truncated": original[:9999],
                "shorter": shallow,
                "longer": original[:999] + bytes(len(original)),
                "same length": original[: len(original) // 2] + bytes(len(original) // 2),
            }
            if change == "deleted":
                path.unlink()
            elif change == "renamed":
                (tmp_path / "new").write_bytes(shallow)
                (tmp_path / "new").replace(path)
            else:
                path.write_bytes(contents[change])
        try:
            assert book.look_up(text) == value, text
        except BookError as error:
            assert number >= 20 and str(path) in str(error)
            errors += 1
    assert (errors == 0) == (change in ("renamed", "deleted"))


CONFORMANCE = Path(__file__).resolve().parents[3] / "books" / "conformance"


def conformance() -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The books with what is expected of them: name, verdict, positions and values."""
    books: list[tuple[str, str, list[tuple[str, str]]]] = []
    for line in (CONFORMANCE / "expected.txt").read_text().splitlines()[1:]:
        first, *rest = line.split()
        if first == "book":
            books.append((rest[0], rest[1], []))
        else:
            books[-1][2].append((first.replace("-", ""), rest[0]))
    return books


@pytest.mark.parametrize(("name", "verdict", "answers"), conformance())
def test_the_conformance_set_is_read_as_expected(
    name: str, verdict: str, answers: list[tuple[str, str]]
) -> None:
    path = CONFORMANCE / name
    for source in (path, path.read_bytes()):
        if verdict == "refused":
            with pytest.raises(BookError):
                Book(source)
            continue
        try:
            book = Book(source)
        except BookError:
            assert verdict == "damaged"
            continue
        for moves, value in answers:
            try:
                found = book.look_up(Position.from_moves(moves, size=book.size))
            except BookError as error:
                assert verdict == "damaged" and "block" in str(error)
                continue
            assert found == (None if value == "unknown" else int(value)), moves
        is_right = verdict == "valid" and "padding" not in name and "entries" not in name
        assert book.verify()["passed"] == is_right


def test_all_positions_of_a_ply_include_wins_at_once(tmp_path: Path) -> None:
    made = [
        generate(tmp_path / kind, size="5x4", depth=8, kind=kind, threads=1)
        for kind in ("scores", "outcomes")
    ]
    expected = {Position(size="5x4")}
    for ply in range(9):
        scores, outcomes = (list(book.positions(ply, all=True)) for book in made)
        # Every game that goes on, mirror images once.
        assert {position.canonical() for position, _ in scores} == expected
        assert len(scores) == len(expected)
        assert all(made[0].look_up(position) == score for position, score in scores)
        sign = [(position, (score > 0) - (score < 0)) for position, score in scores]
        assert outcomes == sign
        others = {position for position, _ in made[0].positions(ply)}
        wins = [position for position, _ in scores if position not in others]
        assert all(
            any(position.play(column).winner for column in position.legal_moves())
            for position in wins
        )
        assert (len(wins) > 0) == (ply >= 6)
        expected = {
            child.canonical()
            for position in expected
            for column in position.legal_moves()
            if not (child := position.play(column)).over
        }
    with pytest.raises(TypeError, match="expected a bool, found int"):
        made[0].positions(1, all=1)  # type: ignore[arg-type]


def test_books_are_made_of_all_bytes(small: Path) -> None:
    data = small.read_bytes()
    changing, other = bytearray(data), Book(data)
    array, map = numpy.frombuffer(data, "uint8"), mapped(small)
    sources: list[Any] = [changing, memoryview(data), array, map]
    for source in sources:
        book = Book(source)
        assert book.identity == other.identity and bytes(book) == data
        assert Oracle(source, memory=1 << 20).size == "5x4"
    book = Book(changing)
    changing[:] = bytes(len(data))
    assert bytes(book) == data


def mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def test_a_pickled_book_is_the_same_book(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "moved.book"
    path.write_bytes(small.read_bytes())
    book = Book("moved.book")
    pickled = pickle.dumps(book)
    monkeypatch.chdir(small.parent)
    assert pickle.loads(pickled).identity == pickle.loads(pickle.dumps(book)).identity
    # Another book in its place would answer otherwise.
    generate(path, size="4x4", depth=2, overwrite=True)
    with pytest.raises(BookError, match="the file has changed"):
        pickle.loads(pickled)
    path.unlink()
    with pytest.raises(MissingFileError) as missing:
        pickle.loads(pickled)
    assert str(pickle.loads(pickle.dumps(missing.value))) == str(missing.value)
    # Copies need no file.
    assert copy.copy(book) is copy.deepcopy(book) is book
    oracle = Oracle(Book(small), memory=1 << 20)
    assert copy.copy(oracle).book is copy.deepcopy(oracle).book is oracle.book


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse the name")
def test_a_path_is_kept_byte_by_byte(small: Path, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.book")
    path.write_bytes(small.read_bytes())
    book = Book(path)
    assert book.path == book.info()["file"] == str(path)
    assert pickle.loads(pickle.dumps(book)).path == str(path)


def test_plies_of_numpy_are_plies() -> None:
    assert len(list(Book().positions(numpy.int64(2)))) == 25
