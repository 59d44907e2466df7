#!/usr/bin/env python3
"""Answers from a flat fourbook book, without fourbook.

Written from books/FORMAT.md alone, with the standard library only; to check other
readers with, or to start one in another language from.

'read_book.py 7x6-d8.book 4453 44' prints each position, given so or on standard input as
columns from 1, and its value for the side to move, or '?'. Exit codes: 0 all answered,
1 not all, 2 wrong use.
"""

import struct
import sys
import zlib
from functools import cache, reduce
from math import comb
from pathlib import Path


class Book:
    def __init__(self, path):
        self.data = Path(path).read_bytes()
        if len(self.data) < 64 or self.data[:12] != b"\x894BOOK\r\n\1\0\0\0":
            raise ValueError("expected a fourbook book of format version 1")
        end = 16 + struct.unpack_from("<I", self.data, 12)[0]
        if end > 65552 or self.data[end : end + 4] != struct.pack("<I", zlib.crc32(self.data[:end])):
            raise ValueError("the header is damaged")
        self.width, self.height, self.depth, self.kind = struct.unpack_from("4B", self.data, 16)
        at = 20
        for _ in range(4):  # program, version, arguments, values
            at += 8 + struct.unpack_from("<Q", self.data, at)[0]
        self.sections = {}
        for number in range(struct.unpack_from("<Q", self.data, at)[0]):
            entry = struct.unpack_from("<BBBbIQQQQ", self.data, at + 8 + 40 * number)
            ply, encoding, bits, bias, crc, offset, size, _slots, _entries = entry
            if encoding != 0:
                raise ValueError("expected flat sections; 'fourbook pack --encoding flat' makes them")
            if zlib.crc32(self.data[offset : offset + size]) != crc:
                raise ValueError(f"the section of ply {ply} is damaged")
            self.sections[ply] = offset, bits, bias

    def value(self, columns):
        """The value of a tuple of columns of players (0 or 1, from the bottom), or None."""
        ply = sum(map(len, columns))
        if (value := self.by_rules(columns, ply)) is not None:
            return value
        if ply in self.sections:
            return self.stored(columns, ply)
        if ply > self.depth:
            return None
        values = [self.value(child) for child in self.children(columns, ply).values()]
        return None if None in values else max(-value for value in values)

    def by_rules(self, columns, ply):
        def score(stones):  # of a win with the last of so many stones
            return 1 if self.kind else (self.width * self.height + 2 - stones) // 2

        if self.has_four(columns, (ply + 1) % 2):
            return -score(ply)
        if ply == self.width * self.height:
            return 0
        if any(self.has_four(child, ply % 2) for child in self.children(columns, ply).values()):
            return score(ply + 1)
        return None

    def children(self, columns, ply):
        free = (c for c, column in enumerate(columns) if len(column) < self.height)
        return {str(c + 1): columns[:c] + (columns[c] + (ply % 2,),) + columns[c + 1 :] for c in free}

    def play(self, moves):
        columns = ((),) * self.width
        for ply, move in enumerate(moves):
            children = self.children(columns, ply)
            if move not in children or self.has_four(columns, 1 - ply % 2):
                return None
            columns = children[move]
        return columns

    def has_four(self, columns, player):
        own = {(c, r) for c in range(self.width) for r, p in enumerate(columns[c]) if p == player}
        lines = ((0, 1), (1, 0), (1, 1), (1, -1))
        return any(all((c + i * x, r + i * y) in own for i in range(4)) for c, r in own for x, y in lines)

    def stored(self, columns, ply):
        offset, bits, bias = self.sections[ply]
        bit = self.slot(columns, ply) * bits
        start = offset + bit // 8
        code = int.from_bytes(self.data[start : start + 8], "little") >> bit % 8 & (1 << bits) - 1
        return None if code == (1 << bits) - 1 else code - bias

    def slot(self, columns, ply):
        mirrored = columns[::-1]
        left, middle, right = self.codes(columns)
        if right > left:
            columns, mirrored, left, right = mirrored, columns, right, left
        rank = colour_rank(columns, ply)
        if left == right:
            rank = min(rank, colour_rank(mirrored, ply))
        return self.mask_indices(ply)[right, middle, left] * comb(ply, ply // 2) + rank

    def codes(self, columns):
        def code(columns):  # the edge first
            return reduce(lambda code, column: code * (self.height + 1) + len(column), columns, 0)

        half = self.width // 2
        middle = len(columns[half]) if self.width % 2 else 0
        return code(columns[:half]), middle, code(columns[::-1][:half])

    @cache
    def mask_indices(self, ply):
        base, half = self.height + 1, self.width // 2
        sums = [sum(code // base**i % base for i in range(half)) for code in range(base**half)]
        triples = (
            (right, middle, left)
            for right in range(len(sums))
            for middle in range(base if self.width % 2 else 1)
            for left in range(right, len(sums))
            if sums[right] + middle + sums[left] == ply
        )
        return {triple: number for number, triple in enumerate(triples)}


def colour_rank(columns, ply):
    stones = enumerate(player for column in columns for player in column)
    places = enumerate((place for place, player in stones if player == ply % 2), 1)
    return sum(comb(place, i) for i, place in places)


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(len(sys.argv) < 2 and 2)
    try:
        book = Book(sys.argv[1])
    except (OSError, ValueError) as error:
        sys.exit(f"read_book: {sys.argv[1]}: {error}")
    missing = 0
    for moves in sys.argv[2:] or (line.strip() for line in sys.stdin):
        columns = book.play(moves)
        if columns is None:
            print(f"read_book: '{moves}' are no moves of a game", file=sys.stderr)
        value = columns and book.value(columns)
        missing |= value is None
        print(moves, "?" if value is None else value)
    sys.exit(missing)


if __name__ == "__main__":
    main()
