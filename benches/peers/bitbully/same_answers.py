"""Whether BitBully gives the same answers from two book files: the arguments are
its own file, another one, their ply and how many random positions of ply 12 to look
up; of ply 8 it looks up all. Prints what differs; exit code 1 if anything does.
"""

import random
import sys
from collections.abc import Iterator

from bitbully.bitbully_core import BoardCore, OpeningBookCore

# How many positions with different values are printed.
SHOWN = 20


def all_boards(plies: int) -> Iterator[tuple[str, BoardCore]]:
    """The positions in which the game goes on and nobody wins at once."""
    for board in BoardCore().allPositions(plies, True):
        if not board.hasWin() and not board.canWin():
            yield str(board), board


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
    # BitBully infers the kind of a file from its size.
    books = [OpeningBookCore(path) for path in (own, other)]
    entries, ply = books[1].getBookSize(), books[1].getNPly()
    print(f"{other}: BitBully opens it, {entries} entries of ply {ply}")
    rng = random.Random(1)
    boards = all_boards(plies) if plies == 8 else (random_board(rng, plies) for _ in range(number))
    looked_up = different = 0
    for moves, board in boards:
        looked_up += 1
        # Not `isInBook`, which looks up one of the two images only; files differ in the image they
        # have.
        values = [book.getBoardValue(board) for book in books]
        if values[0] != values[1]:
            different += 1
            if different <= SHOWN:
                print(f"{moves}: {values[0]} from its own file, {values[1]} from the other")
    print(f"{looked_up} positions looked up by BitBully in both, {different} different")
    return 1 if different or not looked_up else 0


sys.exit(main())
