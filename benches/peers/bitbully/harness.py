"""Solves the positions on stdin, one line of moves each, with BitBully's C++
core without an opening book: prints `POSITION SCORE` for each, and at the end
`# solved in SECONDS s`, the time spent in its solver alone.
"""

import sys
from time import perf_counter

from bitbully.bitbully_core import BitBullyCore, BoardCore

# How often a program that watches the output sees it grow.
FLUSH_EVERY_SECONDS = 1.0


def main() -> None:
    # One solver for all positions, so that its table stays warm.
    solver = BitBullyCore()
    if solver.isBookLoaded():
        sys.exit("BitBully has loaded a book although none was asked for")
    solving = 0.0
    flushed = perf_counter()
    for moves in sys.stdin.read().splitlines():
        board = BoardCore()
        if not board.setBoard([int(column) - 1 for column in moves]):
            sys.exit(f"{moves}: BitBully does not take these moves")
        start = perf_counter()
        score = solver.mtdf(board, 0)
        end = perf_counter()
        solving += end - start
        print(moves, score)
        if end - flushed >= FLUSH_EVERY_SECONDS:
            sys.stdout.flush()
            flushed = end
    print(f"# solved in {solving:.6f} s")


main()
