"""Times lookups in a book of BitBully's: takes the book's file and how many rounds
to do as arguments, and positions of ply 12 as lines of moves on standard input.
Prints the bytes of the file, the number of its entries, the nanoseconds of a lookup
from Python (the median of the rounds, each through all positions, after one to warm
up), those of a call of the same object that does next to nothing, and the scores.
"""

import statistics
import sys
from pathlib import Path
from time import perf_counter_ns

from bitbully.bitbully_core import BoardCore, OpeningBookCore


def main() -> None:
    path, rounds = sys.argv[1], int(sys.argv[2])
    book = OpeningBookCore(path, is_8ply=False, with_distances=True)
    lines = sys.stdin.read().splitlines()
    boards = []
    for moves in lines:
        board = BoardCore()
        if not board.setBoard([int(column) - 1 for column in moves]):
            sys.exit(f"{moves}: BitBully does not take these moves")
        boards.append(board)

    def lookup_round() -> float:
        look_up = book.getBoardValue
        start = perf_counter_ns()
        for board in boards:
            look_up(board)
        return (perf_counter_ns() - start) / len(boards)

    def empty_round() -> float:
        call = book.getNPly
        start = perf_counter_ns()
        for _ in boards:
            call()
        return (perf_counter_ns() - start) / len(boards)

    lookup_round()
    times = [(lookup_round(), empty_round()) for _ in range(rounds)]
    print("bytes", Path(path).stat().st_size)
    print("entries", book.getBookSize())
    print(f"nanoseconds {statistics.median(lookup for lookup, _ in times):.2f}")
    print(f"overhead {statistics.median(empty for _, empty in times):.2f}")
    for moves, board in zip(lines, boards):
        print("score", moves, book.getBoardValue(board))


main()
