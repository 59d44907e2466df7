"""Connect Four as an environment of Gymnasium: the opponent plays at a level of fourbook.

`python environment.py` plays ten games with random moves.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy
from numpy.typing import NDArray

from fourbook import Level, Oracle, Position

Board = NDArray[numpy.int8]


class ConnectFour(gymnasium.Env[Board, numpy.int64]):
    """A board of the agent's stones (1) and the opponent's (-1); actions are columns.

    The reward is 1 for a win, -1 for a loss or a move to a full column, and 0 otherwise. The
    agent starts every second game, at random.
    """

    def __init__(self, level: Level | str = "casual") -> None:
        self.oracle = Oracle(memory=16 << 20, threads=1)
        self.level = level
        self.position = Position()
        self.is_first = True
        self.observation_space = gymnasium.spaces.Box(-1, 1, (6, 7), numpy.int8)
        self.action_space = gymnasium.spaces.Discrete(7)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Board, dict[str, Any]]:
        super().reset(seed=seed)
        self.position = Position()
        self.is_first = bool(self.np_random.integers(2))
        if not self.is_first:
            self._reply()
        return self._observation(), self._info()

    def step(self, action: numpy.int64) -> tuple[Board, float, bool, bool, dict[str, Any]]:
        if not self.position.can_play(action):
            return self._observation(), -1.0, True, False, self._info()
        self.position = self.position.play(action)
        if not self.position.over:
            self._reply()
        reward = 0.0
        if self.position.winner:
            reward = 1.0 if (self.position.winner == "X") == self.is_first else -1.0
        return self._observation(), reward, self.position.over, False, self._info()

    def _reply(self) -> None:
        seed = self.np_random.integers(2**32)
        column = self.oracle.choose_move(self.position, level=self.level, seed=seed)
        self.position = self.position.play(column)

    def _observation(self) -> Board:
        stones = self.position.to_array()
        own, other = (1, 2) if self.is_first else (2, 1)
        board: Board = (stones == own).astype(numpy.int8) - (stones == other).astype(numpy.int8)
        return board

    def _info(self) -> dict[str, Any]:
        return {"legal_moves": self.position.legal_moves()}


def main() -> None:
    environment = ConnectFour()
    rewards = []
    for seed in range(10):
        _, info = environment.reset(seed=seed)
        environment.action_space.seed(seed)
        over, reward = False, 0.0
        while not over:
            action = numpy.int64(environment.np_random.choice(info["legal_moves"]))
            _, reward, over, _, info = environment.step(action)
        rewards.append(reward)
    print(f"random moves against {environment.level}: {sum(rewards):+.0f} in 10 games")


if __name__ == "__main__":
    main()
