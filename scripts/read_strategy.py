#!/usr/bin/env python3
"""Answers from a fourbook strategy without fourbook.

Written from docs/src/format.md alone, with the standard library only. 'read_strategy.py FILE 44 4453'
prints each position and the column that the strategy's player plays, or '?' if the strategy does not
have it; without positions, the key and the column (from 0) of all that it has, and the values if it
has any.
Exit codes: 0 all answered, 1 not all or a file that is refused, 2 wrong arguments.
"""

import sys
import zlib
from struct import unpack_from

from read_book import COLUMNS, Board, count


class Strategy:
    """The moves of a strategy: the column and the value of each key."""

    def __init__(self, data):
        if data[:16] != b"\x894PLAY\r\n\1\0\0\0\x18\0\0\0" or len(data) < 44:
            raise ValueError("expected a strategy of version 1")
        if zlib.crc32(data[:40]) != unpack_from("<I", data, 40)[0]:
            raise ValueError("the header is damaged")
        width, height, player, kind, depth, has_values, _, positions, checksum = unpack_from("<BBIIIBbII", data, 16)
        if zlib.crc32(data[44:]) != checksum:
            raise ValueError("the moves are damaged")
        self.board, self.kind, self.has_values = Board(width, height), kind, has_values
        self.data, self.at, self.counts, self.range, self.code = data, 44, {}, 2**32 - 1, 0
        for _ in range(4):
            self.shift()
        least = -1 if kind else -((width * height - 5) // 2)
        met = [(self.board.bottom, 0, 0)] if player == 0 else self.replies(0, 0)
        met, self.moves = dict.fromkeys(met, least), {}
        for _ in range(player, depth + 1, 2):
            met = self.read_ply(met)
        if len(self.moves) != positions:
            raise ValueError("the moves lead to another number of positions")

    def shift(self):
        """Takes the next byte; zeros follow the last one."""
        byte = self.data[self.at] if self.at < len(self.data) else 0
        self.code, self.at = (self.code << 8 | byte) % 2**32, self.at + 1

    def bit(self, context):
        """The next bit, whose chances are learnt in each context."""
        counts = self.counts.setdefault(context, [1, 1])
        zero = self.range // sum(counts) * counts[0]
        bit = self.code >= zero
        self.code, self.range = (self.code - zero, self.range - zero) if bit else (self.code, zero)
        counts[bit] += 2
        if sum(counts) > 64:
            counts[:] = [(number + 1) // 2 for number in counts]
        while self.range < 2**24:
            self.shift()
            self.range <<= 8
        return bit

    def read_ply(self, met):
        """Reads the moves of a ply. Returns the positions of the player's next ply, with the least
        value that each can have."""
        chosen, following = set(), {}
        for (key, own, mask), least in sorted(met.items()):
            choices = self.choices(own, mask)
            while len(choices) > 1:
                (_, after, threatens), later = choices[0], choices[1:]
                flags = after in chosen, any(after in chosen for _, after, _ in later), threatens
                if self.bit((len(later), *flags)):
                    break
                choices = later
            column, after, _ = choices[0]
            chosen.add(after)
            value = least
            if self.has_values:
                most = max((self.board.width * self.board.height - count(mask) - 1) // 2, 0)
                most = min(most, 1) if self.kind else most
                while value < most and not self.bit(((least > 0) - (least < 0), value - least)):
                    value += 1
            self.moves[key] = column, value
            for board in self.replies(*after[1:]):
                following[board] = max(value, following.get(board, value))
        return following

    def choices(self, own, mask):
        """The moves to choose from: column, canonical position after it, whether it makes a threat."""
        playable, threats = self.board.playable(mask), self.board.threats(own ^ mask, mask)
        forced = playable & threats
        safe = 0 if count(forced) > 1 else (forced or playable) & ~(threats >> 1)
        choices = {}
        for column in sorted(range(self.board.width), key=lambda c: (abs(2 * c - self.board.width + 1), c)):
            cell = (safe or playable) & self.board.columns[column]
            if cell:
                new = self.board.threats(own | cell, mask | cell) & ~self.board.threats(own, mask)
                choices.setdefault(self.board.canonical(own ^ mask, mask | cell), (column, new != 0))
        choices = [(column, after, new) for after, (column, new) in choices.items()]
        return choices if safe else choices[:1]

    def replies(self, own, mask):
        """The canonical positions after the opponent's moves in which the player has to choose."""
        for own, mask in self.board.children(own, mask):
            is_over = self.board.has_four(own ^ mask) or mask == self.board.cells
            if not is_over and not self.board.threats(own, mask) & self.board.playable(mask):
                yield self.board.canonical(own, mask)

    def best_move(self, moves):
        """The column, from 0, that the player plays after these moves; None if it has none."""
        position = self.board.play(moves)
        key = self.board.canonical(*position)[0] if position else None
        column = self.moves.get(key, (None,))[0]
        is_image = column is not None and (key != sum(position) + self.board.bottom)
        return self.board.width - 1 - column if is_image else column


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    try:
        with open(sys.argv[1], "rb") as file:
            strategy = Strategy(file.read())
    except (OSError, ValueError) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
    columns = [strategy.best_move(moves) for moves in sys.argv[2:]]
    for moves, column in zip(sys.argv[2:], columns):
        print(moves, "?" if column is None else COLUMNS[column])
    if not columns:
        for key, (column, value) in strategy.moves.items():
            print(key, column, *([value] if strategy.has_values else []))
    sys.exit(None in columns)
