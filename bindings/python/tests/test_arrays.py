"""Boards as arrays: layouts, batches, and the arrays of a book."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import numpy
import pytest
from numpy.typing import NDArray

import fourbook
from fourbook import (
    Book,
    NodeBudgetError,
    Oracle,
    Position,
    PositionError,
    SizeError,
    random_position,
)

Array = NDArray[Any]
Layout = Literal["rows", "mover"]
LAYOUTS: tuple[Layout, ...] = ("rows", "mover")
SIZES = ("7x6", "4x4", "5x4", "8x8", "16x7", "4x31")


def as_environments_do(position: Position) -> dict[Layout, Array]:
    """The arrays of a position, made from its diagram as the environments make theirs."""
    text = numpy.array([list(row) for row in position.diagram.split("/")])
    first, second = text == "X", text == "O"
    own, other = (first, second) if position.ply % 2 == 0 else (second, first)
    return {
        "rows": first + 2 * second,
        "mover": own.astype(int) - other.astype(int),
    }


def positions(size: str, number: int) -> list[Position]:
    empty = Position(size=size)
    cells = empty.width * empty.height
    return [random_position(7 * seed % cells, size=size, seed=seed) for seed in range(number)]


@pytest.mark.parametrize("size", SIZES)
def test_every_layout_is_written_and_read(size: str) -> None:
    for position in positions(size, 40):
        for layout, expected in as_environments_do(position).items():
            array = position.to_array(layout=layout)
            assert array.dtype == numpy.int8 and array.shape == expected.shape
            assert (array == expected).all(), (position, layout)
            floats, rows = expected.astype(numpy.float32), expected.tolist()
            for each in (array, expected, floats, rows):
                again = Position.from_array(each, layout=layout, size=size)
                assert again == position, layout
            assert Position.from_array(array, layout=layout) == position


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_batches_are_written_and_read(size: str, layout: Layout) -> None:
    many = positions(size, 60)
    boards = Position.stack(many, layout=layout)
    assert boards.shape == (60, *many[0].to_array(layout=layout).shape)
    backwards: Array = boards[::-1].astype(numpy.float64)
    for each in (boards, list(boards), boards.tolist(), (board for board in boards)):
        assert Position.unstack(each, layout=layout, size=size) == many
    assert Position.unstack(backwards, layout=layout, size=size) == many[::-1]
    assert Position.unstack(boards[:0], layout=layout, size=size) == []


def test_a_batch_longer_than_its_parts_keeps_its_order() -> None:
    many = positions("7x6", 42) * 110
    assert Position.unstack(Position.stack(many, layout="mover"), layout="mover") == many
    boards = Position.stack(many)
    boards[4500, 5, 0] = 7
    expected = r"^positions\[4500\]: expected 0 .* found 7 in row 6 from the top, column 1$"
    with pytest.raises(PositionError, match=expected):
        Position.unstack(boards)


def test_a_view_of_the_other_side_is_refused() -> None:
    position = Position("445")
    arrays = as_environments_do(position)
    expected = "has 1 stone and the second 2; .*; layout 'mover' shows the board to the side"
    with pytest.raises(PositionError, match=expected):
        Position.from_array(-arrays["mover"], layout="mover")
    with pytest.raises(PositionError, match="; layout 'mover' reads 1 as the side to move"):
        Position.from_array(arrays["mover"])
    # After a win the winner's own view is no position, either.
    won = as_environments_do(Position("12121212"[:7]))
    with pytest.raises(PositionError):
        Position.from_array(-won["mover"], layout="mover")


def test_no_array_is_read_in_a_wrong_layout() -> None:
    """A layout either gives the position or refuses."""
    for position in positions("7x6", 42):
        for layout, array in as_environments_do(position).items():
            for other in LAYOUTS:
                try:
                    found = Position.from_array(array, layout=other)
                except PositionError:
                    continue
                assert found == position, (layout, other)


@pytest.mark.parametrize(
    ("layout", "cell", "number", "expected"),
    [
        ("rows", (0, 2), 3, "0 for an empty cell, .* found 3 in row 1 from the top, column 3"),
        ("mover", (5, 0), 2, "-1 for one of the other side, found 2 in row 6 from the top, column 1"),
        ("rows", (2, 2), -3, "found -3 in row 3 from the top, column 3"),
        ("mover", (5, 3), 0.5, "found 0.5 in row 6 from the top, column 4"),
        ("rows", (0, 0), 1, "column 1 .*, row 6 .* has no stone below it"),
    ],
)
def test_a_wrong_cell_is_named(
    layout: Layout, cell: tuple[int, ...], number: float, expected: str
) -> None:
    array = Position("44").to_array(layout=layout).astype(float)
    array[cell] = number
    with pytest.raises(PositionError, match=expected.replace("found 3 in", r"found 3(\.0)? in")):
        Position.from_array(array.astype(type(number)), layout=layout)
    with pytest.raises(PositionError, match=r"^positions\[1\]: "):
        Position.unstack([Position().to_array(layout=layout), array], layout=layout)
    with pytest.raises(PositionError, match=r"^positions\[1\]: "):
        both = numpy.stack([Position().to_array(layout=layout).astype(float), array])
        Position.unstack(both, layout=layout)


def test_a_wrong_shape_says_what_helps() -> None:
    shapes: list[tuple[tuple[int, ...], str]] = [
        ((5, 6, 7), "found shape \\(5, 6, 7\\); Position.unstack reads many boards"),
        ((4,), "; Position.from_moves reads columns"),
        ((), "found shape \\(\\)$"),
    ]
    for shape, expected in shapes:
        with pytest.raises(PositionError, match=expected):
            Position.from_array(numpy.zeros(shape))
    with pytest.raises(PositionError, match="found shape \\(6, 7\\); this is one board"):
        Position.unstack(numpy.zeros((6, 7)))
    with pytest.raises(SizeError, match="expected a position of 7x6 boards, found one of 8x8"):
        Position.from_array(numpy.zeros((8, 8)), size="7x6")
    with pytest.raises(SizeError, match="'2x7'|'7x2'|'2x6'"):
        Position.from_array(numpy.zeros((7, 2)))
    with pytest.raises(fourbook.ArgumentError, match="'gym' is not a layout; expected rows or mover"):
        Position.from_array([], layout="gym")  # type: ignore[arg-type]


def test_a_masked_cell_is_no_number() -> None:
    boards = numpy.ma.array(Position.stack(["44", "4453"]))
    assert len(Position.unstack(boards)) == 2
    boards[0, 5, 3] = numpy.ma.masked
    with pytest.raises(TypeError, match="found masked cells"):
        Position.unstack(boards)


def test_lists_that_are_no_array_are_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    wrong: list[tuple[Any, str]] = [
        ([0, [0]], "beside a row|equal length"),
        ([[0, 0], [0]], "equal length, found 2 and 1 cells"),
        ([[[0]], [0]], "beside a row"),
        (endless, "at most three axes"),
        ([[10**400] * 4] * 4, "found 10+\\.\\.\\. in row 1"),
    ]
    for each, expected in wrong:
        with pytest.raises(PositionError, match=expected):
            Position.from_array(each)
    with pytest.raises(TypeError, match="found 'X' in row 1 from the top, column 2"):
        Position.from_array([[0, "X", 0, 0]] * 4)  # type: ignore[arg-type]


def test_an_array_is_a_position_of_every_question(oracle: Oracle) -> None:
    position = Position("4453")
    for array in (position.to_array(), position.to_array().tolist()):
        assert Position(array) == position
        assert oracle.score(array) == -2 and oracle.outcome(array) == "loss"
        assert oracle.analyse(array) == oracle.analyse(position)
        assert oracle.best_move(array) == 2
        assert Book().look_up(array) == -2 and array in Book()
        assert oracle.scores([array, "44", Position()]).tolist() == [-2, 1, 1]
        assert Position.stack([array]).tolist() == [position.to_array().tolist()]
    small = Position("223", size="4x4")
    assert Position(small.to_array()) == small
    with pytest.raises(SizeError, match="expected a position of 7x6 boards, found one of 4x4"):
        oracle.score(small.to_array())
    with pytest.raises(PositionError, match="Position.from_moves reads columns"):
        oracle.score([3, 3])


def test_columns_of_pyarrow_are_positions(oracle: Oracle) -> None:
    class Column:
        """Like an array of pyarrow, whose items are objects of its own."""

        def __init__(self, items: list[Any]) -> None:
            self.items = items

        def __iter__(self) -> Any:
            return iter([object()] * len(self.items))

        def to_pylist(self) -> list[Any]:
            return self.items

    games: Any = Column(["44", "4453"])
    assert oracle.scores(games).tolist() == [1, -2]
    boards: Any = Column(Position.stack(["44", "4453"]).tolist())
    assert Position.unstack(boards) == [Position("44"), Position("4453")]


def test_batches_answer_what_single_questions_do(oracle: Oracle) -> None:
    many = [random_position(ply, seed=ply) for ply in (0, 1, 5, 8, 11, 20, 30, 41, 42)]
    many += [Position("1213141"), Position("111111")]
    scores = oracle.scores(many)
    assert scores.tolist() == [oracle.score(position) for position in many]
    assert oracle.outcomes(many).tolist() == [oracle.outcome(position) for position in many]
    analyses = [oracle.analyse(position) for position in many]
    assert oracle.plies_to_end(many).tolist() == [it.plies_to_end for it in analyses]
    assert oracle.best_moves(many).tolist() == [oracle.best_move(position) for position in many]
    masks = Position.legal_masks(many)
    assert masks.dtype == bool and masks.shape == (len(many), 7)
    for position, mask in zip(many, masks, strict=True):
        assert numpy.flatnonzero(mask).tolist() == position.legal_moves()
    assert Position.legal_masks([], size="4x4").shape == (0, 4)


def test_many_analyses_are_a_sequence_of_single_ones(oracle: Oracle) -> None:
    many = [random_position(ply, seed=ply) for ply in (0, 8, 11, 30)]
    many += [Position("1213141"), Position("111111")]
    analyses = oracle.analyse_many(many)
    singles = [oracle.analyse(position) for position in many]
    assert len(analyses) == len(many) and list(analyses) == singles
    assert analyses[-1] == analyses[numpy.int64(5)] == singles[5]
    for index in (6, -7):
        with pytest.raises(IndexError):
            analyses[index]
    assert analyses.scores.tolist() == [each.score for each in singles]
    assert analyses.outcomes.tolist() == [each.outcome for each in singles]
    assert analyses.plies_to_end.tolist() == [each.plies_to_end for each in singles]
    assert analyses.move_scores.tolist() == [each.move_scores for each in singles]
    assert analyses.best_moves.tolist() == [oracle.best_move(each) for each in many]
    assert (analyses.legal_masks == Position.legal_masks(many)).all()
    assert oracle.analyse_many([]).move_scores.shape == (0, 7)
    small = Oracle(size="5x4").analyse_many(["33", "333"])
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(small, protocol))
        assert again == small and (again.move_scores == small.move_scores).all()
        assert again.legal_masks.shape == (2, 5) and again.size == "5x4"


def test_missing_numbers_stay_missing_in_arithmetic(oracle: Oracle) -> None:
    analyses = oracle.analyse_many(["111111", "1213141"])
    moves = analyses.move_scores
    lost = moves - analyses.scores[:, None]
    for array in (moves, -moves, lost, numpy.sign(moves), moves * 2, moves.astype(float)):
        assert (numpy.ma.getmaskarray(array) == ~analyses.legal_masks).all()
    assert lost.max() == 0 and moves.filled().min() == moves.fill_value == -128
    best = analyses.best_moves
    assert best.tolist() == [3, None] and oracle.best_moves(["111111", "1213141"]).tolist() == [3, None]
    # Whoever drops the mask has no column.
    with pytest.raises(IndexError):
        numpy.zeros((2, 7))[[0, 1], numpy.asarray(best)]


def test_outcomes_need_fewer_nodes_than_scores() -> None:
    many = [random_position(20, seed=seed) for seed in range(20)]
    by_score, by_outcome = (Oracle(False, memory=16 << 20, threads=1) for _ in range(2))
    texts = numpy.array(["draw", "win", "loss"])[numpy.sign(by_score.scores(many))]
    assert (texts == by_outcome.outcomes(many)).all()
    assert by_outcome.nodes < by_score.nodes


def test_batches_tell_their_progress(oracle: Oracle) -> None:
    many = Position.stack([random_position(8, seed=seed) for seed in range(600)])
    for ask in (oracle.scores, oracle.outcomes, oracle.plies_to_end, oracle.best_moves):
        told: list[tuple[str, int, int]] = []
        answers = ask(many, progress=lambda *state, told=told: told.append(state))
        assert (answers == ask(many)).all()
        assert told[-1] == ("solving positions", 600, 600)
        assert [done for _, done, _ in told] == sorted({done for _, done, _ in told})
    told = []
    analyses = oracle.analyse_many(many, progress=lambda *state: told.append(state))
    assert analyses == oracle.analyse_many(many) and told[-1][1] == 600

    def fail(step: str, done: int, total: int) -> None:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        oracle.scores(many, progress=fail)
    with pytest.raises(TypeError, match="expected a function for progress, found int"):
        oracle.scores(many, progress=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("with_progress", [False, True])
def test_limits_hold_for_all_parts_of_a_batch(with_progress: bool) -> None:
    many = [random_position(22, seed=seed) for seed in range(700)]
    progress = (lambda *_: None) if with_progress else None
    solver = Oracle(False, memory=16 << 20, threads=1)
    expected = solver.scores(many)
    nodes = solver.nodes
    fresh = Oracle(False, memory=16 << 20, threads=1)
    with pytest.raises(NodeBudgetError) as raised:
        fresh.scores(many, max_nodes=nodes * 3 // 4, progress=progress)
    error = raised.value
    assert error.nodes == fresh.nodes == nodes * 3 // 4
    assert error.solved is not None and 256 < error.solved < 700
    assert error.results.count() == error.solved and (error.results == expected).all()
    assert (fresh.scores(many, max_nodes=nodes * 2, progress=progress) == expected).all()


@pytest.mark.parametrize("all", [False, True])
def test_the_arrays_of_a_book_are_its_positions(all: bool, tmp_path: Path) -> None:
    book = Book()
    for ply in (0, 5, 7):
        pairs = list(book.positions(ply, all=all))
        for layout in LAYOUTS:
            boards, values = book.arrays(ply, layout=layout, all=all)
            assert Position.unstack(boards, layout=layout) == [position for position, _ in pairs]
            assert values.tolist() == [value for _, value in pairs]
    numpy.savez_compressed(tmp_path / "labels.npz", boards=boards, values=values)
    loaded = numpy.load(tmp_path / "labels.npz")
    assert (loaded["boards"] == boards).all() and (loaded["values"] == values).all()
    told: list[str] = []
    book.arrays(6, progress=lambda step, done, total: told.append(step))
    assert any("ply 6" in step for step in told)
    with pytest.raises(fourbook.ArgumentError, match="expected ply from 0 to 12, found 13"):
        book.arrays(13)


def test_without_numpy_arrays_are_lists() -> None:
    program = f"""
import sys
sys.modules["numpy"] = None
from fourbook import Book, NodeBudgetError, Oracle, Position
position = Position("4453")
for layout in {LAYOUTS}:
    assert Position.from_array(position.to_array(layout=layout), layout=layout) == position
    boards = Position.stack([position, Position()], layout=layout)
    assert Position.unstack(boards, layout=layout) == [position, Position()]
assert Position.legal_masks(["111111"]) == [[False, True, True, True, True, True, True]]
boards, values = Book().arrays(1)
assert len(boards) == 4 and values == [0, 1, 2, -1]
assert position.to_array()[-1] == [0, 0, 2, 1, 1, 0, 0] and Position.stack([]) == []
oracle, games = Oracle(memory=1 << 20), ["44", "111111"]
analyses = oracle.analyse_many(games)
assert analyses.scores == oracle.scores(games) == [1, 1]
assert analyses.outcomes == oracle.outcomes(games) == ["win", "win"]
assert analyses.move_scores[1] == [None, -2, 0, 1, -2, 0, -2]
assert oracle.best_moves(["44", "1213141"]) == [3, None]
try:
    oracle.outcomes(["44", "44444433333312"], max_nodes=10)
except NodeBudgetError as error:
    assert error.results == ["win", None]
"""
    subprocess.run([sys.executable, "-c", program], check=True)
