"""Oracles and solvers: scores, analyses, moves, many positions at once, limits."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import random
import signal
import threading
import typing
import weakref
from pathlib import Path
from typing import Any

import numpy
import pytest

import fourbook
from fourbook import (
    ArgumentError,
    Book,
    CancelledError,
    BookError,
    DeadlineError,
    Level,
    NodeBudgetError,
    Oracle,
    Position,
    PositionError,
    SizeError,
)


def random_positions(number: int, plies: int, seed: int = 1) -> list[Position]:
    generator = random.Random(seed)
    found: list[Position] = []
    while len(found) < number:
        position = Position()
        while position.ply < plies and not position.over:
            position = position.play(generator.choice(position.legal_moves()))
        if not position.over:
            found.append(position)
    return found


def test_an_analysis_has_the_names_of_the_report(oracle: Oracle) -> None:
    analysis = oracle.analyse("4453")
    report = analysis.to_dict()
    assert report["position"] == "4453"
    for name in ("size", "ply", "to_move", "over", "score", "outcome", "plies_to_end"):
        assert getattr(analysis, name) == report[name], name
    assert (analysis.source, analysis.complete) == (report["source"], report["complete"])
    assert str(analysis.key) == report["key"]
    # A column is a number from 0, or a text, its name.
    assert [str(column + 1) for column in analysis.best_moves] == report["best_moves"]
    assert report["best_moves"] == ["3", "6", "7"]
    assert len(analysis.moves) == len(report["moves"]) == 7
    for move, told in zip(analysis.moves, report["moves"]):
        assert str(move.column + 1) == told["column"]
        for name in ("playable", "known", "score", "outcome", "plies_to_end", "source"):
            assert getattr(move, name) == told[name], name
        assert analysis.move_scores[move.column] == move.score
    assert "nodes" not in report and analysis.nodes is None and analysis.time_ms is None
    assert "winning_line" not in report and analysis.winning_line is None
    public = {name for name in dir(analysis) if not name.startswith("_")}
    optional = {"winning_line", "nodes", "time_ms"}
    assert public - {"move_scores", "to_dict"} == set(report) | optional


def test_an_analysis_that_was_searched_says_so() -> None:
    analysis = Oracle(False, memory=16 << 20).analyse("5622736721521")
    assert (analysis.score, analysis.source, analysis.complete) == (-8, "solver", True)
    assert analysis.nodes is not None and analysis.nodes > 1000
    assert analysis.time_ms is not None
    over = Oracle(False, memory=1 << 20).analyse("1213141")
    assert over.over and over.best_moves == [] and over.winning_line is not None
    assert over.to_dict()["winning_line"][0] == {"column": "1", "row": "1"}
    assert over.outcome == "loss" and over.to_move is None


def test_nodes_of_an_analysis_are_those_of_its_searches() -> None:
    # One search ends on the calling thread, the other continues on more threads.
    for game in ("226744515337", "22674451533711243"):
        solver = Oracle(False, memory=16 << 20, threads=1)
        assert solver.analyse(game).nodes == solver.nodes


def test_the_book_and_the_solver_agree(oracle: Oracle) -> None:
    solver = Oracle(False, memory=64 << 20)
    for position in random_positions(20, 12):
        analysis, solved = oracle.analyse(position), solver.analyse(position)
        assert analysis.move_scores == solved.move_scores
        assert analysis.best_moves == solved.best_moves
        assert oracle.score(position) == analysis.score == solver.score(position)
        assert oracle.outcome(position) == analysis.outcome == solver.outcome(position)


def test_a_position_may_be_a_text_or_set_up(oracle: Oracle) -> None:
    position = Position("4453")
    assert oracle.score("4453") == oracle.score(position) == -2
    assert oracle.score(position.diagram) == oracle.score(Position.from_key(position.key)) == -2
    # No game leads to this position, so it is not in the book, and is solved.
    rows = [[0] * 7 for _ in range(6)]
    rows[5], rows[4] = [2, 2, 1, 1, 2, 1, 1], [1, 1, 2, 2, 1, 2, 2]
    tangled = Position.from_array(rows)
    assert oracle.analyse(tangled).source == "solver"
    with pytest.raises(TypeError, match="expected a Position, or a position as a text or an array, found int"):
        oracle.score(4)  # type: ignore[arg-type]
    with pytest.raises(SizeError, match="expected a position of 7x6 boards, found one of 8x8"):
        oracle.score(Position(size="8x8"))


def test_the_end_of_perfect_play_is_explained(oracle: Oracle) -> None:
    explanation = oracle.explain("44335")
    assert explanation["reason"] == "double-threat"
    assert explanation["threats"] == [{"column": "2", "row": "1"}, {"column": "6", "row": "1"}]
    assert explanation["text"].startswith("X wins with stone 7")
    assert oracle.explain("1212121")["reason"] is None


def test_the_best_move_is_nearest_to_the_centre_or_chosen_by_chance(oracle: Oracle) -> None:
    for position in random_positions(30, 9):
        best = oracle.analyse(position).best_moves
        assert oracle.best_move(position) == best[0]
        moves = {oracle.choose_move(position, seed=seed).column for seed in range(60)}
        assert moves == set(best)
    assert oracle.best_move("1213141") is None
    with pytest.raises(PositionError, match="found one that is over"):
        oracle.choose_move("1213141")


def test_levels_play_the_same_moves_in_every_language(oracle: Oracle, repository: Path) -> None:
    oracles = {"7x6": oracle, "9x7": Oracle(size="9x7", memory=16 << 20)}
    lines = (repository / "tests/data/levels/moves.txt").read_text().splitlines()
    for line in lines:
        size, moves, level, seed, column = line.split()
        move = oracles[size].choose_move(moves, level=level, seed=int(seed), timeout=float("inf"))
        assert move == (int(column) - 1, True, None), line
    assert len(lines) == 90


def test_levels_play_as_on_the_command_line(oracle: Oracle) -> None:
    # The example in the library's documentation.
    columns = [oracle.choose_move("4453", seed=seed).column for seed in (1, 2, 3, 4)]
    assert columns == [5, 2, 2, 2]
    for level in Level.all():
        named = [oracle.choose_move("4453", level=each, seed=5) for each in (level, level.name)]
        assert named == [oracle.choose_move("4453", level=level.number, seed=5)] * 2
        assert Position("4453").can_play(oracle.choose_move("4453", level=level).column)
    weak = {oracle.choose_move("121212", level="beginner", seed=seed) for seed in range(100)}
    assert len(weak) > 1
    # No exact scores are needed, so it plays on any board.
    assert Oracle(size="10x10", memory=1 << 20).choose_move("", level="advanced", max_nodes=10**8).proved
    with pytest.raises(ArgumentError, match="'9' is not a level; expected a number from 1 to 8"):
        oracle.choose_move("", level=9)
    with pytest.raises(PositionError):
        oracle.choose_move("1213141", level=1)


def test_levels_are_values() -> None:
    levels = Level.all()
    assert levels == sorted(levels) and len(set(levels)) == 8
    assert Level("PERFECT") == Level(8) == Level(Level("8")) == levels[-1]
    assert (str(levels[0]), repr(levels[0])) == ("beginner", "Level('beginner')")
    assert pickle.loads(pickle.dumps(levels)) == levels
    assert levels[-1].horizon is None and levels[0] < levels[1]
    for wrong in (0, -1, 10**30, "grandmaster"):
        with pytest.raises(ArgumentError):
            Level(wrong)
    for odd in (3.5, None, True):
        with pytest.raises(TypeError, match="for level, found"):
            Level(odd)  # type: ignore[arg-type]


def test_many_positions_at_once(oracle: Oracle) -> None:
    positions = random_positions(300, 14) + random_positions(300, 6)
    scores = oracle.scores(positions)
    assert scores.dtype == numpy.int8 and scores.shape == (600,)
    analyses = oracle.analyse_many(iter(positions))
    own, moves = analyses.scores, analyses.move_scores
    assert moves.dtype == numpy.int8 and moves.shape == (600, 7)
    assert (own == scores).all() and (moves.max(axis=1) == scores).all()
    assert list(analyses)[::50] == [oracle.analyse(position) for position in positions[::50]]
    scores[0] = 100  # an array of one's own
    boards = numpy.stack([position.to_array() for position in positions])
    assert boards.shape == (600, 6, 7)
    assert (oracle.scores(boards) == own).all()
    signed = numpy.where(boards == 2, -1, boards).astype(numpy.float64)
    assert (oracle.scores(signed) == own).all()


def test_wrong_arrays_of_boards_are_named(oracle: Oracle) -> None:
    assert oracle.scores([]).shape == (0,)
    assert oracle.analyse_many([]).move_scores.shape == (0, 7)
    assert oracle.scores(numpy.zeros((0, 6, 7))).shape == (0,)
    with pytest.raises(PositionError, match="of shape \\(positions, rows, columns\\)"):
        oracle.scores(numpy.zeros((6, 7)))
    with pytest.raises(SizeError, match="expected a position of 7x6 boards, found one of 8x8"):
        oracle.scores(numpy.zeros((1, 8, 8)))
    with pytest.raises(PositionError, match="found 256"):
        oracle.scores(numpy.full((1, 6, 7), 256))
    with pytest.raises(PositionError, match="found -2"):
        oracle.scores(numpy.full((1, 6, 7), -2))
    with pytest.raises(PositionError):
        oracle.scores(["44", "4x"])
    with pytest.raises(TypeError):
        oracle.scores(7)  # type: ignore[arg-type]


def test_a_search_ends_at_its_limits() -> None:
    solver = Oracle(False, memory=16 << 20)
    # Fewer and more nodes than the calling thread searches itself.
    for max_nodes in (1000, 200_000):
        before = solver.nodes
        with pytest.raises(NodeBudgetError, match="the node budget was used up"):
            solver.score("", max_nodes=max_nodes)
        assert solver.nodes - before <= max_nodes + 10_000
    for timeout in (0.0, 0.05):
        with pytest.raises(DeadlineError, match="the deadline passed") as raised:
            solver.analyse("", timeout=timeout)
        assert isinstance(raised.value, TimeoutError)
        assert isinstance(raised.value, fourbook.Stopped)
    with pytest.raises(NodeBudgetError) as many:
        solver.scores(["", "1"], max_nodes=1000)
    assert many.value.bounds is None
    for never in (float("inf"), 1e300, 10**400, 3600, None):
        assert solver.score("5622736721521", max_nodes=10**9, timeout=never) == -8


def test_a_search_that_was_stopped_says_what_it_proved() -> None:
    # Fewer and more nodes than the calling thread searches itself.
    for max_nodes in (20_000, 100_000):
        with pytest.raises(NodeBudgetError) as raised:
            Oracle(False, memory=16 << 20, threads=1).score("4", max_nodes=max_nodes)
        error = raised.value
        assert error.bounds is not None and error.nodes == max_nodes
        least, most = error.bounds
        assert -20 <= least <= -1 <= most <= 20 and (least, most) != (-20, 20)
        text = f"proved with {max_nodes:,} nodes"
        assert text in str(error).replace("\u202f", ","), error
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.bounds, again.nodes) == (str(error), error.bounds, error.nodes)
    with pytest.raises(DeadlineError) as late:
        Oracle(False, memory=16 << 20).score("4", timeout=0)
    assert (late.value.nodes, late.value.errno) == (0, None)


def test_where_a_limit_ends_the_search_the_best_move_known_is_played() -> None:
    oracle = Oracle(size="9x8", memory=1 << 20)
    for level in ("master", "perfect"):
        # The side to move has to prevent three in a row with both ends open.
        for moves, expected in (("", 4), ("415", 5)):
            for max_nodes in (0, 1000, 100_000):
                move = oracle.choose_move(moves, level=level, max_nodes=max_nodes)
                assert (move.column, move.proved) == (expected, False)
                assert move.bounds is not None and move.bounds[0] < 0 < move.bounds[1]
        assert oracle.choose_move("4455", level=level, max_nodes=0).proved, "none wins sooner"
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CancelledError):
        oracle.choose_move("5", level="perfect", max_nodes=100_000, cancel=cancel)


def test_oracles_take_books_of_all_kinds(repository: Path, tmp_path: Path) -> None:
    assert Oracle().book is not None and Oracle(False).book is None
    assert Oracle(size="8x8").book is None
    path = repository / "books" / "7x6-d8.book"
    for book in (Book(path), path, str(path), path.read_bytes()):
        oracle = Oracle(book, memory=1 << 20)
        assert oracle.book is not None and oracle.book.depth == 8
        assert oracle.score("4453") == -2 and oracle.nodes == 0
    small = Oracle(repository / "examples", memory=1 << 20)
    assert (small.size, small.score("")) == ("4x4", 0)
    with pytest.raises(SizeError, match="expected a book for 8x8 boards, found one for 7x6"):
        Oracle(path, size="8x8")
    with pytest.raises(BookError, match="expected a book for 9x9 boards in the folder"):
        Oracle(repository / "examples", size="9x9")
    with pytest.raises(ValueError, match="expected threads from 0 to 1024, found 2000"):
        Oracle(threads=2000)
    with pytest.raises(TypeError, match="expected the path of a file or folder, or bytes, found int"):
        Oracle(3)  # type: ignore[arg-type]


def test_the_perfect_level_follows_strategies(repository: Path) -> None:
    assert Oracle(size="8x7").choose_move("", max_nodes=0).proved
    for without in (Oracle(False, size="8x7"), Oracle(size="8x7", strategies=[])):
        assert not without.choose_move("", max_nodes=0).proved
    path = repository / "books" / "strategies" / "7x6-first-d16.strategy"
    for given in (path, str(path), path.read_bytes()):
        made = Oracle(False, strategies=[given])
        for oracle in (made, pickle.loads(pickle.dumps(made))):
            assert oracle.choose_move("", max_nodes=0).proved
            # It keeps exact scores.
            assert oracle.best_move("", max_nodes=0) == 3
    with pytest.raises(ArgumentError, match="for 8x7 boards.*found another: 7x6 for X"):
        Oracle(size="8x7", strategies=[path])
    with pytest.raises(ArgumentError, match="found another: 7x6 for X"):
        Oracle(strategies=[path, path])
    with pytest.raises(BookError, match="expected a strategy"):
        Oracle(strategies=[b""])
    wrong: Any
    for wrong in ("x", [3]):
        with pytest.raises(TypeError):
            Oracle(strategies=wrong)


def test_they_tell_what_they_are(oracle: Oracle) -> None:
    assert repr(Oracle(False, threads=3)) == "<Oracle 7x6, no book, threads 3>"
    assert "embedded" in repr(oracle) and oracle.size == "7x6"


def test_other_boards_have_books_as_well() -> None:
    oracle = Oracle(size="6x5")
    assert repr(oracle.book) == "<Book 6x5, depth 8, scores, compact, embedded>"
    assert (oracle.score(""), oracle.nodes) == (0, 0)
    again = pickle.loads(pickle.dumps(Book(size="6x5")))
    assert again.identity == Book(size="6x5").identity
    assert Oracle(size="16x7").book is None
    with pytest.raises(BookError, match="^no book for 16x7 comes with fourbook"):
        Book(size="16x7")


def test_a_notebook_shows_scores_below_the_columns(oracle: Oracle) -> None:
    svg = oracle.analyse("4453")._repr_svg_()
    assert svg.startswith("<svg") and svg.count(">-2</text>") == 3 and ">-5</text>" in svg


def test_reports_are_as_the_server_describes_them(oracle: Oracle, repository: Path) -> None:
    described = json.loads((repository / "server/openapi.json").read_text())
    schema = described["components"]["schemas"]["Position"]
    for game in ("4453", "1213141", "22674451533711243"):
        report = oracle.analyse(game).to_dict()
        assert set(schema["required"]) <= set(report) <= set(schema["properties"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"max_nodes": -1}, "expected max_nodes from 0 to 18446744073709551615, found -1"),
        ({"max_nodes": 10**30}, "expected max_nodes from 0 to .*, found 1000"),
        ({"max_nodes": 10**9999}, "expected max_nodes from 0 to .*, found a huge number"),
        ({"timeout": -1}, "expected timeout of 0 seconds or more, found -1"),
        ({"timeout": float("nan")}, "expected timeout of 0 seconds or more, found nan"),
        ({"timeout": -(10**400)}, "expected timeout of 0 seconds or more, found -1000"),
        ({"seed": -1}, "expected seed from 0 to"),
    ],
)
def test_arguments_out_of_range_are_named(
    oracle: Oracle, arguments: dict[str, Any], expected: str
) -> None:
    with pytest.raises(ArgumentError, match=expected) as raised:
        oracle.choose_move("", **arguments)
    assert isinstance(raised.value, fourbook.Error) and isinstance(raised.value, ValueError)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"max_nodes": 1.5}, "expected an int for max_nodes, found float"),
        ({"max_nodes": True}, "expected an int for max_nodes, found bool"),
        ({"timeout": True}, "expected a number of seconds for timeout, found bool"),
        ({"timeout": "1"}, "expected a number of seconds for timeout, found str"),
        ({"cancel": True}, "expected a threading.Event for cancel, found bool"),
        ({"max_node": 1}, "unexpected keyword argument 'max_node'"),
    ],
)
def test_arguments_of_wrong_types_are_named(
    oracle: Oracle, arguments: dict[str, Any], expected: str
) -> None:
    for search in (oracle.score, oracle.outcome, oracle.analyse, oracle.best_move):
        with pytest.raises(TypeError, match=expected):
            search("", **arguments)
    for search_many in (oracle.scores, oracle.outcomes, oracle.best_moves, oracle.analyse_many):
        with pytest.raises(TypeError, match=expected):
            search_many([""], **arguments)


def test_a_seed_is_checked_where_it_is_not_used(oracle: Oracle) -> None:
    with pytest.raises(TypeError, match="expected an int for seed, found str"):
        oracle.choose_move("", level=1, seed="7")  # type: ignore[arg-type]


@pytest.mark.parametrize("arguments", [{"threads": 10**6}, {"threads": -1}, {"memory": -1}])
def test_threads_and_memory_are_bounded(arguments: dict[str, Any]) -> None:
    [name] = arguments
    with pytest.raises(ArgumentError, match=f"expected {name} from"):
        Oracle(**arguments)


@pytest.mark.parametrize("one", ["4453", b"4453", Position("4453"), 7, None])
def test_one_position_is_not_many(oracle: Oracle, one: Any) -> None:
    for search in (oracle.scores, oracle.analyse_many, Position.stack):
        with pytest.raises(TypeError, match="expected an iterable of positions for positions"):
            search(one)


def test_an_error_of_many_positions_has_the_index(oracle: Oracle) -> None:
    for wrong, error in (("4x", PositionError), (Position(size="8x8"), SizeError), (7, TypeError)):
        with pytest.raises(error, match=r"^positions\[2\]: "):
            oracle.scores(["44", "", wrong])  # type: ignore[list-item]
    boards = Position.stack(["44", "", "4"]).astype(float)
    boards[1, 0, 3] = numpy.nan
    with pytest.raises(PositionError, match=r"^positions\[1\]: .* found nan in row 1"):
        oracle.scores(boards)
    boards[1, 0, 3] = 1
    with pytest.raises(PositionError, match=r"^positions\[1\]: .*no stone below it"):
        oracle.scores(boards)
    with pytest.raises(TypeError, match="found an array of <U1"):
        oracle.scores(numpy.full((1, 6, 7), "1"))


@pytest.mark.parametrize("missing", [None, float("nan"), numpy.ma.masked])
def test_a_missing_cell_is_no_position(oracle: Oracle, missing: Any) -> None:
    for ask in (oracle.scores, oracle.analyse_many, Position.stack, Position.legal_masks):
        with pytest.raises((TypeError, PositionError), match=r"^positions\[1\]: "):
            ask(["", missing])
    for one in (Position, oracle.score, Book().look_up):
        with pytest.raises((TypeError, PositionError)):
            one(missing)


def test_series_are_positions(oracle: Oracle) -> None:
    class Series(list[str]):
        """Like the series of pandas and polars: a shape of one number."""

        shape = (2,)

    for series in (Series(["44", "4453"]), numpy.array(["44", "4453"]), ("44", "4453")):
        assert list(oracle.scores(series)) == [1, -2]
    objects = numpy.array([Position("44"), Position("4453")])
    assert list(oracle.scores(objects)) == [1, -2]


def test_analyses_are_values(oracle: Oracle) -> None:
    for game in ("4453", "1213141", "22674451533711243"):
        analysis = oracle.analyse(game)
        copies = [copy.copy(analysis), copy.deepcopy(analysis)]
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            copies.append(pickle.loads(pickle.dumps(analysis, protocol)))
        for each in copies:
            assert each == analysis and hash(each) == hash(analysis)
            assert each.to_dict() == analysis.to_dict() and each.moves == analysis.moves
        assert pickle.loads(pickle.dumps(analysis.moves)) == analysis.moves
        assert analysis == oracle.analyse(Position(game))
    assert oracle.analyse("44") != oracle.analyse("45") and oracle.analyse("44") != "44"
    assert len({oracle.analyse("44"), oracle.analyse("44")}) == 1


def test_oracles_are_pickled_under_every_protocol() -> None:
    class Mine(Oracle):
        pass

    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        made = Oracle(False, size=(5, 4), memory=1 << 20, threads=2)
        again = pickle.loads(pickle.dumps(made, protocol))
        assert type(again) is type(made) and again.book is None
        for name in ("size", "memory", "threads"):
            assert getattr(again, name) == getattr(made, name)
        assert pickle.loads(pickle.dumps(Level(3), protocol)) == Level(3)
        assert pickle.loads(pickle.dumps(Book(), protocol)).identity == Book().identity
    mine = Mine(memory=1 << 20)
    mine.name = "mine"  # type: ignore[attr-defined]
    assert copy.copy(mine).name == "mine"  # type: ignore[attr-defined]


def test_a_picture_says_who_moves_and_marks_the_best_moves(oracle: Oracle) -> None:
    analysis = oracle.analyse("4453")
    assert ">X to move</text>" in fourbook.svg(analysis)
    assert fourbook.svg(analysis).count("stroke-dasharray") == len(analysis.best_moves) == 3
    assert "stroke-dasharray" not in fourbook.svg(analysis, mark_best=False)
    assert fourbook.svg(Position("4453")) == Position("4453")._repr_svg_()
    with pytest.raises(TypeError, match="expected a Position or an Analysis, found str"):
        fourbook.svg("4453")  # type: ignore[arg-type]


def test_numbers_of_numpy_are_numbers(oracle: Oracle) -> None:
    for kind in (numpy.int8, numpy.uint16, numpy.int32, numpy.int64, numpy.uint64):
        three = kind(3)
        assert Level(three) == Level(3)
        assert oracle.choose_move("4453", level=three, seed=kind(7)).column == 6
        assert oracle.choose_move("4453", seed=kind(1)).column == 5
        assert oracle.score("4453", max_nodes=three, timeout=numpy.float32(9)) == -2
        made = Oracle(size=(kind(5), kind(4)), memory=numpy.int64(1 << 20), threads=three)
        assert (made.size, made.memory, made.threads) == ("5x4", 1 << 20, 3)


def test_a_batch_that_stops_keeps_what_it_found() -> None:
    hard, easy = "4", "5622736721521"
    for threads in (1, 3):
        solver = Oracle(False, memory=16 << 20, threads=threads)
        # Its table answers then, before the other threads have spent the nodes of all.
        assert solver.score(easy) == -8
        with pytest.raises(NodeBudgetError, match="; solved 2 of 3 positions$") as stopped:
            solver.scores([easy, "121212", hard], max_nodes=2_000_000)
        error = stopped.value
        assert error.results.dtype == numpy.int8
        assert (error.results.tolist(), error.solved) == ([-8, 18, None], 2)
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.results.tolist(), again.solved) == (str(error), [-8, 18, None], 2)
        # Positions are solved before their moves.
        with pytest.raises(NodeBudgetError) as stopped:
            solver.analyse_many([easy, "111111", "1212121", hard], max_nodes=2_000_000)
        analyses = stopped.value.results
        assert len(analyses) == 4 and analyses[3].score is None and not analyses[3].complete
        assert analyses.scores[0] == -8 and analyses.outcomes.tolist()[3] is None
        assert analyses.scores.mask.tolist()[3] and analyses.move_scores.mask[3].all()
        assert analyses.move_scores.mask[1][0] and analyses.move_scores.mask[2].all()
        assert stopped.value.solved == 1
    with pytest.raises(DeadlineError) as late:
        Oracle(memory=1 << 20).scores(["44", "44444433333312"], timeout=0)
    assert (late.value.results.tolist(), late.value.solved) == ([1, None], 1)


def test_an_interrupted_batch_keeps_what_it_found(oracle: Oracle) -> None:
    def interrupt(step: str, done: int, total: int) -> None:
        if done:
            signal.raise_signal(signal.SIGINT)

    for ask in (oracle.scores, oracle.outcomes, oracle.best_moves, oracle.analyse_many):
        with pytest.raises(KeyboardInterrupt) as raised:
            ask(["44"] * 5000, progress=interrupt)
        error: Any = raised.value
        assert error.solved > 0 and len(error.results) == 5000


def test_an_analysis_that_stops_keeps_what_it_found() -> None:
    def fresh() -> Oracle:
        return Oracle(False, memory=16 << 20, threads=1)

    # Fewer and more nodes than the calling thread searches itself.
    for game in ("7422341735647741166133573473242", "22674451533711243"):
        whole = fresh().analyse(game)
        assert whole.nodes is not None
        with pytest.raises(NodeBudgetError) as stopped:
            fresh().analyse(game, max_nodes=whole.nodes - 1)
        found = stopped.value.results
        assert isinstance(found, fourbook.Analysis) and not found.complete
        assert found.nodes == stopped.value.nodes == whole.nodes - 1
        known = [(found.score, whole.score), *zip(found.move_scores, whole.move_scores)]
        assert all(one is None or one == other for one, other in known)
        # The first game has many moves that are known before the last one.
        assert len(game) < 20 or any(one is not None for one, _ in known[1:])
        assert pickle.loads(pickle.dumps(stopped.value)).results == found
    with pytest.raises(NodeBudgetError) as none:
        Oracle(False, memory=1 << 20).score("4", max_nodes=1000)
    assert none.value.results is None and none.value.solved is None


def test_other_types_may_be_equal(oracle: Oracle) -> None:
    from unittest.mock import ANY

    for each in (Position("44"), oracle.analyse("44"), Level(3)):
        assert each == ANY and ANY == each and each != 5


def test_objects_have_weak_references(oracle: Oracle) -> None:
    made: list[Any] = [oracle, Book(), Position(), oracle.analyse("")]
    for each in made:
        assert weakref.ref(each)() is each


def test_types_are_evaluated() -> None:
    from fourbook import environments

    public = [getattr(fourbook, name) for name in fourbook.__all__]
    classes = [each for each in public if isinstance(each, type)]
    ours = [environments.ConnectFour, environments.ConnectFourAEC, environments.action_mask]
    members = [getattr(each, name) for each in [*classes, *ours] for name in vars(each)]
    for each in [*classes, *ours[2:], *filter(inspect.isroutine, members)]:
        if callable(each):
            typing.get_type_hints(each)


def test_subclasses_keep_their_state() -> None:
    all_made: list[Any] = [Slotted(size="5x4", memory=1 << 20), Choosy(size="5x4", memory=1 << 20)]
    for made in all_made:
        made.name, made.lock = "mine", threading.Lock() if isinstance(made, Choosy) else None
        for again in (copy.copy(made), pickle.loads(pickle.dumps(made))):
            assert (type(again), again.name, again.size) == (type(made), "mine", "5x4")


class Slotted(Oracle):
    __slots__ = ("lock", "name")


class Choosy(Oracle):
    def __getstate__(self) -> Any:
        return {"name": vars(self)["name"]}


def test_a_level_on_a_large_board_ends_at_the_timeout() -> None:
    oracle = Oracle(False, size="16x7", memory=1 << 20)
    assert not oracle.choose_move("", level="expert", timeout=0).proved


def test_no_search_visits_a_node_more_than_allowed() -> None:
    for threads in (1, 3):
        # Fewer and more nodes than the calling thread searches itself.
        for max_nodes in (1, 1000, 50_000, 50_001, 200_000):
            solver = Oracle(False, memory=16 << 20, threads=threads)
            before = solver.nodes
            solver.choose_move("", max_nodes=max_nodes)
            assert solver.nodes - before <= max_nodes
            for ask in (solver.score, solver.analyse, solver.best_move):
                before = solver.nodes
                with pytest.raises(NodeBudgetError) as stopped:
                    ask("", max_nodes=max_nodes)
                assert solver.nodes - before == stopped.value.nodes <= max_nodes
                assert threads > 1 or stopped.value.nodes == max_nodes
            for many in (solver.scores, solver.analyse_many):
                before = solver.nodes
                with pytest.raises(NodeBudgetError) as stopped:
                    many(["", "1"], max_nodes=max_nodes)
                assert solver.nodes - before == stopped.value.nodes <= max_nodes
