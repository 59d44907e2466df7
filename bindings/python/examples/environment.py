"""Random moves against a level of fourbook, in Gymnasium; then two levels, in PettingZoo.

Requires `pip install 'fourbook[environments]'`.
"""

from __future__ import annotations

from fourbook import Oracle
from fourbook.environments import ConnectFour, ConnectFourAEC


def against_a_level(games: int) -> float:
    environment = ConnectFour(opponent="casual")
    total = 0.0
    for seed in range(games):
        _, info = environment.reset(seed=seed)
        environment.action_space.seed(seed)
        over = False
        while not over:
            action = environment.action_space.sample(info["action_mask"])
            _, reward, over, _, info = environment.step(action)
            total += reward
    return total


def between_levels(first: str, second: str, games: int) -> int:
    environment, oracle = ConnectFourAEC(), Oracle(threads=1)
    levels, wins = {"player_0": first, "player_1": second}, 0
    for seed in range(games):
        environment.reset()
        for agent in environment.agent_iter():
            if environment.position.over:
                break
            level = levels[agent]
            choice = oracle.choose_move(environment.position, level=level, seed=seed)
            environment.step(choice.column)
        wins += environment.position.winner == "X"
    return wins


def main() -> None:
    print(f"random moves against casual: {against_a_level(10):+.0f} in 10 games")
    print(f"expert against novice: {between_levels('expert', 'novice', 5)} wins in 5 games")


if __name__ == "__main__":
    main()
