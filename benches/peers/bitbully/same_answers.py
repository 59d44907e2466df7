"""Whether BitBully gives the same answers from two book files: the arguments are
its own file, another one, their ply and how many random positions to look up.
Prints what differs; exit code 1 if anything does.
"""

import random
import sys

from bitbully.bitbully_core import BoardCore, OpeningBookCore

# How many positions with different values are printed.
SHOWN = 20


def random_board(rng: random.Random, plies: int) -> tuple[str, BoardCore]:
    """A position in which the game goes on and nobody wins at once."""
    while True:
        board, moves = BoardCore(), ""
        while len(moves) < plies and not board.canWin():
            column = int(rng.random() * 7)
            if board.isLegalMove(column):
                board.play(column)
                moves += str(column + 1)
        if len(moves) == plies and not board.canWin():
            return moves, board


def main() -> int:
    own, other, plies, number = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    # BitBully infers the kind of a file from its size. A file with repeated positions has another
    # size, so the kind is given.
    kind = {"is_8ply": plies == 8, "with_distances": "distances" in own}
    books = [OpeningBookCore(path, **kind) for path in (own, other)]
    print(f"{other}: BitBully opens it, {books[1].getBookSize()} entries")
    rng = random.Random(1)
    different = 0
    for _ in range(number):
        moves, board = random_board(rng, plies)
        # Not `isInBook`, which looks up one of the two images only; files differ in the image they
        # have.
        values = [book.getBoardValue(board) for book in books]
        if values[0] != values[1]:
            different += 1
            if different <= SHOWN:
                print(f"{moves}: {values[0]} from its own file, {values[1]} from the other")
    print(f"{number} positions looked up by BitBully in both, {different} different")
    return 1 if different else 0


sys.exit(main())
