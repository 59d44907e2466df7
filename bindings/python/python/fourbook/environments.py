"""Connect Four as an environment of Gymnasium and of PettingZoo.

Requires both packages: `pip install 'fourbook[environments]'`.

>>> from fourbook.environments import ConnectFour
>>> environment = ConnectFour(opponent="perfect", first=True)
>>> observation, info = environment.reset(seed=1)
>>> _, reward, over, _, _ = environment.step(3)
>>> environment.position.ply, reward, over
(2, 0.0, False)
"""

from __future__ import annotations

from operator import index
from typing import Any, Literal

from gymnasium import Env, register
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy import int8, int64, stack
from numpy.typing import NDArray

from fourbook import Level, Oracle, Position, SizeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    class _AECEnv:
        """The parts that are used of a class that has no types."""

        _cumulative_rewards: dict[str, int]

        def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]: ...
        def last(
            self, observe: bool = True
        ) -> tuple[Observation, int, bool, bool, dict[str, Any]]: ...
        def _was_dead_step(self, action: int | None) -> None: ...
        def _accumulate_rewards(self) -> None: ...
else:
    from pettingzoo import AECEnv as _AECEnv

Size = str | tuple[int, int]
Board = NDArray[int8]
Observation = dict[str, Board]


class ConnectFour(Env[Board, int64]):
    """Connect Four against an opponent, for Gymnasium: also
    `gymnasium.make("fourbook/ConnectFour-v0", opponent="casual")`.

    An observation is a board in the layout `mover`: 1 is a stone of the agent, -1 one of the
    opponent. Actions are columns from 0; `info["action_mask"]` says which can be played. The reward
    is 1 for a win, -1 for a loss or an impossible move, and 0 otherwise.

    `opponent` is a level, by name or number. `first` says whether the agent moves first; by default,
    it does in every second game at random. `oracle` chooses the opponent's moves; by default, it is
    a new one with one thread.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}
    position: Position
    """The position, in which the agent is to move unless the game is over."""
    opponent: Level
    """The level of the opponent."""
    oracle: Oracle
    """The oracle that chooses the opponent's moves."""
    first: bool | None
    """Whether the agent moves first; None for every second game at random."""
    agent: Literal["X", "O"]
    """The agent's stones in this game."""
    observation_space: Space[Board]
    action_space: Space[int64]
    render_mode: str | None

    def __init__(
        self,
        opponent: Level | str | int = "casual",
        *,
        size: Size | None = None,
        first: bool | None = None,
        oracle: Oracle | None = None,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        self.opponent = Level(opponent)
        self.oracle = oracle or Oracle(size=size or "7x6", memory=16 << 20, threads=1)
        self.position = Position(size=self.oracle.size)
        if size is not None and Position(size=size).size != self.oracle.size:
            raise SizeError(f"expected an oracle for {size}, found one for {self.oracle.size}")
        self.first = first
        self.render_mode = render_mode
        self.agent = "X"
        shape = (self.position.height, self.position.width)
        self.observation_space = Box(-1, 1, shape, int8)
        self.action_space = Discrete(self.position.width)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Board, dict[str, Any]]:
        super().reset(seed=seed)
        self.position = Position(size=self.oracle.size)
        is_first = bool(self.np_random.integers(2)) if self.first is None else self.first
        self.agent = "X" if is_first else "O"
        if not is_first:
            self._reply()
        return self._observation(), self._info()

    def step(self, action: int64 | int) -> tuple[Board, float, bool, bool, dict[str, Any]]:
        action = index(action)
        if not self.position.can_play(action):
            return self._observation(), -1.0, True, False, self._info()
        self.position = self.position.play(action)
        if not self.position.over:
            self._reply()
        winner = self.position.winner
        reward = 0.0 if winner is None else 1.0 if winner == self.agent else -1.0
        return self._observation(), reward, self.position.over, False, self._info()

    def render(self) -> Any:
        return str(self.position) if self.render_mode else None

    def _reply(self) -> None:
        seed = self.np_random.integers(2**32)
        choice = self.oracle.choose_move(self.position, level=self.opponent, seed=seed)
        self.position = self.position.play(choice.column)

    def _observation(self) -> Board:
        # After an odd number of stones, the second player is to move.
        to_move = "XO"[self.position.ply % 2]
        board = self.position.to_array(layout="mover")
        return board if to_move == self.agent else -board

    def _info(self) -> dict[str, Any]:
        return {"action_mask": action_mask(self.position)}


register("fourbook/ConnectFour-v0", entry_point="fourbook.environments:ConnectFour")


class ConnectFourAEC(_AECEnv):
    """Connect Four for two agents, `player_0` and `player_1`, for PettingZoo.

    Observations and rewards are those of PettingZoo's `connect_four_v3`: `observation` has the shape
    (rows, columns, 2), the agent's own stones first, and `action_mask` says which columns
    can be played. Actions are columns from 0; an impossible one raises `PositionError`.

    `position` is the position, so a level plays with
    `oracle.choose_move(environment.position, level="casual").column`.

    >>> from fourbook import Oracle
    >>> environment, oracle = ConnectFourAEC(), Oracle()
    >>> environment.reset()
    >>> for agent in environment.agent_iter(max_iter=8):
    ...     environment.step(oracle.choose_move(environment.position, level="expert").column)
    >>> environment.position.ply
    8
    """

    metadata: dict[str, Any] = {
        "render_modes": ["ansi"],
        "name": "fourbook_connect_four",
        "is_parallelizable": False,
    }
    position: Position
    """The position."""
    possible_agents: list[str]
    agents: list[str]
    agent_selection: str
    observation_spaces: dict[str, Dict]
    action_spaces: dict[str, Discrete]
    rewards: dict[str, int]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]
    render_mode: str | None

    def __init__(
        self, *, size: Size = "7x6", render_mode: Literal["ansi"] | None = None
    ) -> None:
        super().__init__()
        self.position = Position(size=size)
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        height, width = self.position.height, self.position.width
        observation = Box(0, 1, (height, width, 2), int8)
        mask = Box(0, 1, (width,), int8)
        self.observation_spaces = {
            agent: Dict({"observation": observation, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(width) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.position = Position(size=self.position.size)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        position, number = self.position, self.possible_agents.index(agent)
        board = position.to_array(layout="mover")
        if position.ply % 2 != number:
            board = -board
        observation = stack([board == 1, board == -1], axis=2).astype(int8)
        # As there, the columns that are not full, after the end of the game, too.
        is_open = (board[0] == 0) & (agent == self.agent_selection)
        return {"observation": observation, "action_mask": is_open.astype(int8)}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if action is None or self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.position = self.position.play(index(action))
        other = self.possible_agents[self.position.ply % 2]
        if self.position.winner:
            self.rewards = {agent: 1, other: -1}
        self.terminations = dict.fromkeys(self.agents, self.position.over)
        self.agent_selection = other
        self._accumulate_rewards()

    def render(self) -> str | None:
        return str(self.position) if self.render_mode else None

    def close(self) -> None:
        """Does nothing: nothing is open. PettingZoo requires it beside `render`."""


def action_mask(position: Position) -> Board:
    """Returns 1 for each column that can be played, and 0 for the others."""
    mask: Board = Position.legal_masks([position])[0].astype(int8)
    return mask
