"""The environments pass the checks of Gymnasium and PettingZoo."""

from __future__ import annotations

import doctest
import runpy
import warnings
from typing import Any

import gymnasium
import numpy
import pytest
from conftest import ROOT
from gymnasium.utils.env_checker import check_env

from fourbook import Level, Oracle, Position, PositionError, SizeError, environments
from fourbook.environments import ConnectFour, ConnectFourAEC

with warnings.catch_warnings():
    # PettingZoo's own tests import its environments in a way that it deprecates.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.classic import connect_four_v3  # type: ignore[import-untyped]
    from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped]


@pytest.mark.parametrize("size", ["7x6", "5x4"])
@pytest.mark.parametrize("first", [None, True, False])
def test_gymnasium_accepts_the_environment(size: str, first: bool | None) -> None:
    options: dict[str, Any] = {"opponent": 1, "size": size, "first": first, "render_mode": "ansi"}
    environment = gymnasium.make("fourbook/ConnectFour-v0", **options).unwrapped
    assert isinstance(environment, ConnectFour)
    check_env(environment)


# The first board is empty, and a mask is beside it: so in PettingZoo's own environments of games.
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("size", ["7x6", "5x4"])
def test_pettingzoo_accepts_the_environment(size: str) -> None:
    api_test(ConnectFourAEC(size=size, render_mode="ansi"), num_cycles=200)
    seed_test(lambda: ConnectFourAEC(size=size), num_cycles=50)


@pytest.mark.parametrize("first", [True, False])
def test_perfect_play_wins_or_loses_against_a_perfect_opponent(
    oracle: Oracle, first: bool
) -> None:
    environment = ConnectFour("perfect", first=first, oracle=oracle)
    observation, _ = environment.reset(seed=1)
    over, reward = False, 0.0
    while not over:
        own = Position.from_array(observation, layout="mover")
        assert own == environment.position
        observation, reward, over, _, _ = environment.step(oracle.best_moves([own])[0])
    assert reward == (1 if first else -1)
    # The agent's own view: it has as many stones as the game says.
    stones = environment.position.ply
    assert (observation == 1).sum() == (stones + first) // 2


def test_the_oracle_is_for_the_board(oracle: Oracle) -> None:
    assert ConnectFour(oracle=Oracle(size="5x4")).position.size == "5x4"
    with pytest.raises(SizeError, match="expected an oracle for 5x4, found one for 7x6"):
        ConnectFour(size="5x4", oracle=oracle)


def test_an_impossible_move_loses() -> None:
    environment = ConnectFour("beginner", size="4x4", first=True)
    _, info = environment.reset(seed=3)
    while info["action_mask"][0]:
        _, _, over, _, info = environment.step(0)
        assert not over
    assert environment.step(0)[1:3] == (-1.0, True)
    two = ConnectFourAEC(size="4x4")
    two.reset()
    for _ in range(4):
        two.step(0)
    assert two.last()[0]["action_mask"].tolist() == [0, 1, 1, 1]
    with pytest.raises(PositionError, match="full column"):
        two.step(0)


def test_an_action_is_one_column() -> None:
    one, two = ConnectFour("beginner"), ConnectFourAEC()
    one.reset(seed=1)
    two.reset()
    actions: list[Any] = ["33", "3", 3.0, None]
    for action in actions:
        with pytest.raises(TypeError):
            one.step(action)
    for action in actions[:3]:
        with pytest.raises(TypeError):
            two.step(action)
    assert two.position.ply == 0


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_environments_run_side_by_side(mode: str) -> None:
    many = gymnasium.make_vec("fourbook/ConnectFour-v0", num_envs=2, vectorization_mode=mode, opponent=1)
    _, info = many.reset(seed=3)
    for _ in range(60):
        actions = numpy.array([mask.argmax() for mask in info["action_mask"]])
        observations, _, _, _, info = many.step(actions)
        assert observations.shape == (2, 6, 7) and info["action_mask"].shape == (2, 7)
    many.close()


def test_observations_are_those_of_pettingzoos_own_environment() -> None:
    theirs, ours = connect_four_v3.env(), ConnectFourAEC()
    random = numpy.random.default_rng(1)
    for _ in range(10):
        theirs.reset()
        ours.reset()
        for agent in theirs.agent_iter():
            (expected, *rest), (found, *ours_rest) = theirs.last(), ours.last()
            assert agent == ours.agent_selection and rest[:3] == ours_rest[:3]
            assert (expected["observation"] == found["observation"]).all()
            assert (expected["action_mask"] == found["action_mask"]).all()
            other = ours.possible_agents[ours.possible_agents.index(agent) - 1]
            assert not ours.observe(other)["action_mask"].any()
            open_columns = numpy.flatnonzero(found["action_mask"])
            action = None if rest[1] else int(random.choice(open_columns))
            theirs.step(action)
            ours.step(action)


def test_levels_are_opponents() -> None:
    for level in ("novice", 2, Level(2)):
        assert ConnectFour(level).opponent == Level("novice")
    with pytest.raises(ValueError, match="level"):
        ConnectFour("grandmaster")
    games: list[Any] = []
    for _ in range(2):
        environment = ConnectFour("advanced")
        observation, info = environment.reset(seed=7)
        for _ in range(4):
            observation, _, _, _, info = environment.step(int(info["action_mask"].argmax()))
        games.append(observation)
    assert (games[0] == games[1]).all()


def test_the_examples_of_the_documentation() -> None:
    assert doctest.testmod(environments).attempted >= 8
    assert doctest.testmod(environments).failed == 0


def test_the_example_plays(capsys: pytest.CaptureFixture[str]) -> None:
    example = ROOT / "bindings" / "python" / "examples" / "environment.py"
    runpy.run_path(str(example), run_name="__main__")
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("random moves against casual: -")
    assert second == "expert against novice: 5 wins in 5 games"
