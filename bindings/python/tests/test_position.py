"""Positions: all ways to make one, and their properties."""

from __future__ import annotations

import copy
import functools
import itertools
import pickle
from typing import Any

import numpy
import pytest
from conftest import ROOT

import fourbook
from fourbook import Position, PositionError, SizeError, random_position

GAMES = ["", "4453", "226744515337", "1213141", "444441221515"]


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_read_from_all_that_it_is_written_as(game: str) -> None:
    position = Position(game)
    for notation in ("moves", "diagram", "bitboards", "rows", "key"):
        text = position.to_text(notation)
        assert Position(text) == position
    assert Position.from_moves(game) == position
    assert Position.from_moves([int(column) - 1 for column in game]) == position
    assert Position(position.diagram) == position
    assert Position.from_key(position.key) == position
    assert Position.from_array(position.to_array()) == position
    assert Position.from_array([list(map(int, row)) for row in position.to_array()]) == position
    assert eval(repr(position), {"Position": Position}) == position


def cases() -> list[tuple[str, str, str]]:
    """The file of cases: board, moves or `!` and a part of the error, text."""
    file = ROOT / "tests/data/notations.tsv"
    lines = file.read_text(encoding="utf-8").split("\n")
    fields = [line.split("\t", 2) for line in lines if line and not line.startswith("#")]
    escapes = (("\\n", "\n"), ("\\t", "\t"))
    return [
        (size, expected, functools.reduce(lambda it, escape: it.replace(*escape), escapes, text))
        for size, expected, text in fields
    ]


def test_texts_of_every_kind_are_read_as_the_file_of_cases_says() -> None:
    assert len(cases()) > 100
    for size, expected, text in cases():
        if expected.startswith("!"):
            with pytest.raises(PositionError) as caught:
                Position(text, size=size)
            assert expected[1:] in str(caught.value), text
        else:
            moves = Position.from_moves(expected.strip("-"), size=size)
            assert Position(text, size=size) == moves, text


def test_moves_on_a_wide_board_are_read_as_they_are_printed() -> None:
    position = Position.from_moves("ga", size="16x7")
    assert eval(repr(position), {"Position": Position}) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert position.moves is not None
    assert Position(position.moves, size=position.size) == position
    with pytest.raises(PositionError, match="is ambiguous"):
        Position("g a", size="16x7")


def test_a_link_names_its_board() -> None:
    assert Position("https://example.org/?size=8x7&moves=44").size == "8x7"


def test_the_text_is_a_board() -> None:
    lines = str(Position("445")).splitlines()
    assert lines[-1] == "1 2 3 4 5 6 7"
    assert lines[-2] == ". . . X X . ."
    assert lines[-3] == ". . . O . . ."
    assert len(lines) == 7
    wide = str(Position("16, 10", size="16x7")).splitlines()
    assert wide[-1] == "1 2 3 4 5 6 7 8 9 a b c d e f g"
    assert wide[-2].split()[15] == "X" and wide[-2].split()[9] == "O"


def test_a_line_of_four_ends_the_game() -> None:
    won = Position("1213141")
    assert won.over and won.winner == "X" and won.to_move is None
    assert won.winning_line == [(0, 0), (0, 1), (0, 2), (0, 3)]
    assert won.legal_moves() == []
    for column in range(7):
        assert not won.can_play(column)
        for move in (column, str(column + 1)):
            with pytest.raises(PositionError, match="comes after the end of the game"):
                won.play(move)
    open_ = Position("121314")
    assert (open_.over, open_.winner, open_.winning_line) == (False, None, None)
    assert open_.threats("X") == [(0, 3)] and open_.threats("O") == [(4, 0)]


def test_columns_are_numbers_from_0_or_names() -> None:
    position = Position()
    wide = Position(size="16x7")
    for column, name in enumerate("123456789abcdefg"):
        assert wide.play(column) == wide.play(name) == Position.from_moves([name], size="16x7")
        assert wide.can_play(name) and Position("444444").can_play(name) == (name in "123567")
    assert position.play(0) == position.play("1") == Position("1")
    assert position.play(6) == position.play("7")
    for column in (-1, 7, 10**30):
        with pytest.raises(PositionError, match="expected a column from 0 to 6"):
            position.play(column)
        assert not position.can_play(column)
    with pytest.raises(PositionError, match="expected a column from 0 to 6, found 7"):
        position.play(7)
    full = Position("444444")
    assert not full.can_play(3) and full.legal_moves() == [0, 1, 2, 4, 5, 6]
    with pytest.raises(PositionError, match="move 7 \\('4'\\) goes to a full column"):
        full.play(3)
    with pytest.raises(PositionError, match="move 7 \\('4'\\) goes to a full column"):
        Position.from_moves([3] * 7)
    assert not position.can_play(-1) and not position.can_play(7)


def test_positions_are_values() -> None:
    one, other = Position("12"), Position("21")
    assert one != other and one != "12" and hash(one) != hash(other)
    assert one.mirrored() == Position("76") and one.mirrored().mirrored() == one
    assert one.canonical() == one.mirrored().canonical()
    assert one.canonical_key == one.mirrored().canonical_key
    assert len({Position("1234"), Position("3214"), Position("1234")}) == 1
    assert Position() != Position(size="7x5")
    with pytest.raises(AttributeError):
        one.ply = 3  # type: ignore[misc]


@pytest.mark.parametrize("size", ["7x6", "4x4", "10x10", "16x7", "4x31"])
def test_positions_are_pickled_and_copied(size: str) -> None:
    position = Position("1122334", size=size)
    # No game leads here: O is below X in both columns.
    width, height = position.width, position.height
    rows = [[0] * width for _ in range(height)]
    rows[-1][:2], rows[-2][:2] = [2, 2], [1, 1]
    for each in (position, Position.from_array(rows)):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(each, protocol)) == each
        assert copy.copy(each) == copy.deepcopy(each) == each
    assert Position.from_array(rows).moves is None


def test_boards_of_numbers() -> None:
    rows = [[0] * 7 for _ in range(6)]
    rows[5][3], rows[4][3] = 1, -1
    assert Position.from_array(rows) == Position("44")
    rows[4][3] = 2
    assert Position.from_array(rows) == Position("44")
    rows[4][3] = 3
    with pytest.raises(PositionError, match="found 3"):
        Position.from_array(rows)
    rows[4][3], rows[3][3] = 0, 2
    with pytest.raises(PositionError, match="no stone below it"):
        Position.from_array(rows)
    with pytest.raises(PositionError, match="equal length"):
        Position.from_array([[0] * 4, [0] * 4, [0] * 4, [0] * 5])
    with pytest.raises(SizeError, match="'3x3'"):
        Position.from_array([[0] * 3] * 3)
    with pytest.raises(TypeError):
        Position.from_array([["a"] * 4] * 4)  # type: ignore[arg-type]


def test_mistakes_are_named_in_the_librarys_words() -> None:
    for text, part in [
        ("4x", "move 2 \\('x'\\) is not a column"),
        ("hello", "looks like no notation of a position"),
        ("key:5", "has the key 5; if its bottom row is missing, write key:4432676798598: the key has no bit"),
        ("[1, 1, 2]", "both players have a stone in column 1, row 1"),
    ]:
        with pytest.raises(PositionError, match=part) as raised:
            Position(text)
        assert isinstance(raised.value, fourbook.Error) and isinstance(raised.value, ValueError)
    with pytest.raises(SizeError, match="'3x3' is not a board size"):
        Position(size="3x3")
    with pytest.raises(ValueError, match="'Y' is not a player; expected X or O"):
        Position().threats("Y")  # type: ignore[arg-type]


def test_a_notebook_shows_a_picture() -> None:
    import xml.etree.ElementTree as tree

    svg = tree.fromstring(Position("1213141")._repr_svg_())
    circles = [each for each in svg.iter() if each.tag.endswith("circle")]
    assert len(circles) == 42
    assert sum(each.get("stroke") is not None for each in circles) == 4
    texts = [each.text for each in svg.iter() if each.tag.endswith("text")]
    assert texts == [*"1234567", "X has won"]
    assert len({each.get("fill") for each in circles}) == 3


def test_cells_are_exact_integers() -> None:
    rows: list[list[Any]] = [[0.0] * 7 for _ in range(6)]
    rows[5][3], rows[4][3] = 1.0, numpy.float32(2)
    for board in (rows, numpy.array(rows), numpy.array(rows, dtype=numpy.uint8)):
        assert Position.from_array(board) == Position("44")
    for wrong in (float("nan"), float("inf"), 0.5, 256, -2):
        rows[0][0] = wrong
        for board in (rows, numpy.array(rows)):
            with pytest.raises(PositionError, match="found .* in row 1 from the top, column 1"):
                Position.from_array(board)
    with pytest.raises(TypeError):
        Position.from_array([["1"] * 4] * 4)  # type: ignore[arg-type]


def test_a_size_is_a_text_or_a_pair_and_a_diagram_has_its_own() -> None:
    small = Position("223", size=(4, 4))
    assert small == Position("223", size="4x4") == Position(small) == Position(small.diagram)
    assert Position(str(small)) == small
    with pytest.raises(SizeError, match="expected a position of 7x6 boards, found one of 4x4"):
        Position(small, size="7x6")
    for wrong in ((-1, 6), (10**40, 6), "0x0", (3, 3)):
        with pytest.raises(SizeError, match="is not a board size"):
            Position(size=wrong)
    for odd in (7, (7, "6"), (7, 6, 1), 7.5, (7.0, 6), (True, 6)):
        with pytest.raises(TypeError, match="expected size as a text like '7x6'"):
            Position(size=odd)  # type: ignore[arg-type]


def test_many_positions_make_one_array() -> None:
    games = ["44", "4453", ""]
    boards = Position.stack(games)
    assert boards.shape == (3, 6, 7) and boards.dtype == numpy.int8
    assert [Position.from_array(board) for board in boards] == [Position(game) for game in games]
    assert Position.stack([], size="4x4").shape == (0, 4, 4)


def test_an_array_has_the_size_of_its_positions() -> None:
    small = Position("223", size="4x4")
    all_items: list[Any] = [[small, small], (small, "1"), [small.diagram, f"key:{small.key}"]]
    for items in all_items:
        assert Position.stack(items).shape == (2, 4, 4)
    assert (Position.stack(Position.stack([small])) == Position.stack([small])).all()
    assert Position.stack([]).shape == (0, 6, 7)
    all_mixed: list[Any] = [[small, Position()], ["", small]]
    for mixed in all_mixed:
        with pytest.raises(SizeError, match=r"^positions\[1\]: expected a position of"):
            Position.stack(mixed)
    with pytest.raises(SizeError, match="expected a position of 7x6 boards, found one of 4x4"):
        Position.stack([small], size="7x6")
    with pytest.raises(SizeError):
        Position.stack(Position.stack([small]), size="7x6")


def test_moves_that_do_not_lose_at_once() -> None:
    assert Position("121212").non_losing_moves() == [0, 1]
    assert Position("445").non_losing_moves() == [0, 1, 2, 3, 4, 5, 6]
    for seed in range(50):
        position = random_position(20, seed=seed)
        children = {column: position.play(column) for column in position.legal_moves()}
        safe = [
            column
            for column, child in children.items()
            if child.over or not any(child.play(reply).winner for reply in child.legal_moves())
        ]
        assert position.non_losing_moves() == safe


def test_random_positions() -> None:
    for ply in (0, 1, 30):
        position = random_position(ply, size=(8, 7), seed=5)
        assert (position.ply, position.over, position.size) == (ply, False, "8x7")
        assert position == random_position(ply, size="8x7", seed=5)
    assert len({random_position(10) for _ in range(20)}) > 1
    seeds = [*range(40), 2**64 - 1]
    assert len({random_position(20, seed=seed) for seed in seeds}) == len(seeds)
    for wrong_seed in (-1, 2**64):
        with pytest.raises(fourbook.ArgumentError, match="expected seed from 0 to"):
            random_position(5, seed=wrong_seed)
    for position in (random_position(ply, seed=ply) for ply in range(43)):
        assert position.winner is None and Position.from_moves(position.moves or "") == position
    for kind in (numpy.int8, numpy.uint64):
        assert random_position(kind(5), seed=kind(3)) == random_position(5, seed=3)
    with pytest.raises(TypeError, match="expected an int for seed, found bool"):
        random_position(5, seed=True)
    assert random_position(16, size="4x4", seed=1).over
    for wrong in (-1, 43):
        with pytest.raises(fourbook.ArgumentError, match=f"expected ply from 0 to 42, found {wrong}"):
            random_position(wrong)


def test_a_table_has_rows() -> None:
    class Table:
        """Like tables of pandas and polars: iterating gives columns."""

        def __init__(self, array: Any) -> None:
            self.array = array

        def __iter__(self) -> Any:
            return iter(self.array.T)

        def to_numpy(self) -> Any:
            return self.array

    position = Position("1233", size="6x6")
    assert Position.from_array(Table(position.to_array())) == position  # type: ignore[arg-type]


def test_only_an_empty_text_is_the_empty_board() -> None:
    assert Position() == Position("") == Position(position="") == Position.from_moves("").play("")
    for blank in (" ", "\n"):
        with pytest.raises(PositionError):
            Position.from_moves(blank)
        with pytest.raises(PositionError):
            Position().play(blank)
    endless: list[Any] = [itertools.repeat(0), itertools.repeat([]), itertools.repeat([0] * 7)]
    for each in endless:
        with pytest.raises(PositionError, match="found more numbers than any board has"):
            Position.from_array(each)


def test_arguments_of_positions_are_named() -> None:
    for wrong in (10**400, -(10**400)):
        with pytest.raises(PositionError, match=r"expected a column from 0 to 6, found .*\.\.\.$") as raised:
            Position().play(wrong)
        assert len(str(raised.value)) < 100
    with pytest.raises(PositionError):
        Position("\ud800")
    with pytest.raises(TypeError, match="expected moves as a text, or columns from 0, found NoneType"):
        Position.from_moves(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected an int for ply, found float"):
        random_position(3.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected an int for seed, found list"):
        random_position(3, seed=[])  # type: ignore[arg-type]
    with pytest.raises(fourbook.Error, match="'fen' is not a notation; expected moves, .* or key"):
        Position().to_text("fen")  # type: ignore[arg-type]
    for key in (-1, 2**128):
        with pytest.raises(fourbook.Error, match="expected key"):
            Position.from_key(key)
    calls: list[Any] = [Position().play, Position().can_play, Position.from_key, random_position]
    for call in calls:
        with pytest.raises(TypeError, match="found float"):
            call(3.0)
        with pytest.raises(TypeError, match="found bool"):
            call(True)


def test_columns_of_numpy_are_columns() -> None:
    columns = numpy.array([3, 3, 4], dtype=numpy.int8)
    assert Position.from_moves(columns) == Position("445")
    position = Position(size=(numpy.int64(8), numpy.uint8(8)))
    for kind in (numpy.int8, numpy.uint64):
        assert position.play(kind(7)) == position.play(7) and position.can_play(kind(7))
        assert not position.can_play(kind(8))
        assert Position.from_key(numpy.uint64(Position("44").key)) == Position("44")


def test_an_error_of_a_number_is_its_own() -> None:
    class Odd:
        def __index__(self) -> int:
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        Position().play(Odd())
