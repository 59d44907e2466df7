#!/usr/bin/env python3
"""Answers from a fourbook book, flat or compact, without fourbook.

Written from books/FORMAT.md alone, with the standard library only; to check other
readers with, or to start one in another language from.

'read_book.py 7x6-d8.book 4453 44' prints each position, given so or on standard input as
columns from 1, and its value for the side to move, or '?'. The tenth to sixteenth column are
'a' to 'g'. Exit codes: 0 all answered, 1 not all, 2 wrong use. A book that has to be refused,
or is found to be damaged on the way, is named with the reason; the exit code is 1.

Compact books of 7x6 need a file of constants, context-1.bin or context-2.bin. It is taken from
the folder of the book, or if it is not there, from the folder 'books' beside the folder of this
script. It is read when the book is opened, and its checksum is checked.

When a book is opened, its header, the checksums of all sections, and the tables of all compact
sections are checked. So the whole file is read once, but not kept. Values are then decoded one
by one, when they are asked for. A compact section has any value for a position that no game
reaches, but positions are given as moves here, so a game reaches each. That the bits after the
last value are 0 is not checked.
"""

import mmap
import sys
import zlib
from functools import lru_cache
from pathlib import Path
from struct import unpack_from

import read_book_context
from read_book_board import Board, Refused, Slots, count
from read_book_compact import CompactSection

FIELDS = "<BBBbIQQQQ"  # ply, encoding, bits, bias, crc, offset, bytes, slots, entries


def padded(length):
    """The next multiple of 64."""
    return (length + 63) // 64 * 64


def contents(path):
    """The bytes of a file, which stay on the disk until they are looked at if it is no pipe."""
    with open(path, "rb") as file:
        if Path(path).is_file() and Path(path).stat().st_size:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return memoryview(file.read())


class FlatSection:
    """A flat section. `data` are its bytes."""

    def __init__(self, data, ply, width_of_code, bias, board):
        self.data, self.ply, self.width, self.bias, self.board = data, ply, width_of_code, bias, board
        self.slots = None

    def value(self, own, mask):
        """The value of a position, or None if it is absent."""
        self.slots = self.slots or Slots(self.board, self.ply)
        bit = self.slots.slot(own, mask) * self.width
        eight = int.from_bytes(self.data[bit // 8 : bit // 8 + 8], "little")
        absent = (1 << self.width) - 1
        code = eight >> bit % 8 & absent
        return None if code == absent else code - self.bias


class Book:
    """A book that has been checked as far as FORMAT.md asks a reader to, and the checksums too."""

    def __init__(self, path):
        self.path, self.data = path, contents(path)
        end, at = self.check_frame()
        self.read_board()
        if len(self.data) < padded(end + 4) or any(self.data[end + 4 : padded(end + 4)]):
            raise Refused("there is something between the header and the first section")
        self.functions, self.sections = {}, {}
        headers = [unpack_from(FIELDS, self.data, start) for start in range(at, end, 40)]
        self.check_plies([fields[0] for fields in headers])
        offset = padded(end + 4)
        for fields in headers:
            self.check_section(offset, *fields)
            offset += fields[6]
        if offset != len(self.data):
            raise Refused("the file does not end with its last section")
        for fields in headers:
            self.open_section(*fields)

    def check_frame(self):
        """Checks the header's checksum and fields. Returns its end, and where its sections stand."""
        data = self.data
        if len(data) < 64 or data[:8] != b"\x894BOOK\r\n":
            raise Refused("expected a fourbook book")
        self.version = unpack_from("<I", data, 8)[0]
        if self.version not in (1, 2):
            raise Refused(f"expected a fourbook book of format version 1 or 2, found {self.version}")
        length = unpack_from("<I", data, 12)[0]
        end = 16 + length
        if length > 65536:
            raise Refused(f"a header of {length} bytes is too long")
        if end + 4 > len(data) or zlib.crc32(data[:end]) != unpack_from("<I", data, end)[0]:
            raise Refused("the header is damaged")
        at = 20
        for text in ("program", "version", "arguments", "values"):
            size = unpack_from("<Q", data, at)[0] if at + 8 <= end else end
            if at + 8 + size > end:
                raise Refused("the header ends before its fields do")
            at += 8 + size
            try:
                str(data[at - size : at], "utf-8")
            except UnicodeDecodeError:
                raise Refused(f"the header's {text} is no UTF-8") from None
        number = unpack_from("<Q", data, at)[0] if at + 8 <= end else 0
        if at + 8 + 40 * number != end:
            raise Refused("the header ends before its fields do or goes on after them")
        return end, at + 8

    def read_board(self):
        """Checks the board, which the header begins with."""
        width, height, self.depth, self.kind = unpack_from("4B", self.data, 16)
        if not 4 <= width <= 16 or height < 4 or width * (height + 1) > 128:
            raise Refused(f"a board of {width}x{height} is none of a book")
        if self.kind not in (0, 1):
            raise Refused(f"values of kind {self.kind} are unknown")
        self.board, self.cells = Board(width, height), width * height
        self.top = 1 if self.kind else (self.cells - 5) // 2
        if self.depth > self.cells:
            raise Refused(f"a depth of {self.depth} is more than the board has cells")

    def check_plies(self, plies):
        """Checks that the sections have the plies that they are to have."""
        every_second = range(self.depth % 2, self.depth + 1, 2)
        needed = set(every_second) <= set(plies) and plies == sorted(set(plies)) and plies[-1] == self.depth
        if not needed or self.version == 1 and plies != list(every_second):
            raise Refused(f"a book of depth {self.depth} does not have the plies {plies}")

    def check_section(self, end, ply, encoding, bits, bias, _crc, offset, size, slots, entries):
        """Checks what the header says of a section, with `end` that of the one before."""

        def refuse_if(wrong, reason):
            """Refuses the book if something is wrong."""
            if wrong:
                raise Refused(f"the section of ply {ply}: {reason}")

        refuse_if(encoding not in (0, 1), f"encoding {encoding} is unknown")
        refuse_if(slots != self.board.slots(ply) or slots > 1 << 48, "not the number of slots of the ply")
        refuse_if(entries > slots, "more entries than slots")
        refuse_if(not 1 <= bits <= (7 if self.cells > 68 else 6), f"codes of {bits} bits")
        refuse_if(abs(bias) > self.top, f"a bias of {bias}")
        refuse_if(offset != end, "it does not begin where what stands before ends")
        flat = encoding == 0
        refuse_if(flat and size != padded((slots * bits + 7) // 8 + 7), "not the length of its slots")
        refuse_if(not flat and (size == 0 or size % 64), "a length that is no multiple of 64")

    def open_section(self, ply, encoding, bits, bias, crc, offset, size, _slots, _entries):
        """Checks what stands in a section, as far as a reader has to, and its checksum."""
        data = self.data[offset : offset + size]
        if zlib.crc32(data) != crc:
            raise Refused(f"the section of ply {ply} is damaged")
        if encoding == 0:
            self.sections[ply] = FlatSection(data, ply, bits, bias, self.board)
            return
        try:
            section = CompactSection(data, bias, self.top, self.board, self.function)
        except Refused as error:
            raise Refused(f"the section of ply {ply}: {error}") from None
        self.sections[ply] = section

    def function(self, number):
        """The context function of this number, made once for all sections."""
        if number not in self.functions:
            self.functions[number] = read_book_context.load(number, self.board, self.kind, self.path)
        return self.functions[number]

    def play(self, moves):
        """The position after these moves, or None if they are no moves of a game."""
        return self.board.play(moves)

    @lru_cache(maxsize=1 << 17)
    def value(self, position):
        """The value of a position that a game reaches, or None if the book does not know it."""
        own, mask = position
        ply = count(mask)
        value = self.by_rules(own, mask, ply)
        if value is not None or ply > self.depth:
            return value
        if ply in self.sections:
            return self.stored(own, mask, ply)
        values = [self.value(child) for child in self.board.children(own, mask)]
        return None if None in values else max(-value for value in values)

    def by_rules(self, own, mask, ply):
        """The value of a position that is over or can be won at once, or None."""

        def score(stones):
            """The value of a win with the last of so many stones."""
            return 1 if self.kind else (self.cells + 2 - stones) // 2

        if self.board.has_four(own ^ mask):
            return -score(ply)
        if ply == self.cells:
            return 0
        if self.board.threats(own, mask) & self.board.playable(mask):
            return score(ply + 1)
        return None

    def stored(self, own, mask, ply):
        """The value that a section has for a position."""
        try:
            return self.sections[ply].value(own, mask)
        except Refused as error:
            raise Refused(f"the section of ply {ply} is damaged: {error}") from None


def answer(book, positions):
    """Prints the positions and their values. Returns whether some are missing."""
    missing = False
    for moves in positions:
        position = book.play(moves)
        if position is None:
            print(f"read_book: '{moves}' are no moves of a game", file=sys.stderr)
        value = position and book.value(position)
        missing |= value is None
        print(moves, "?" if value is None else value)
    return missing


def main():
    """Answers what the command line asks."""
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(len(sys.argv) < 2 and 2)
    try:
        book = Book(sys.argv[1])
        missing = answer(book, sys.argv[2:] or (line.strip() for line in sys.stdin))
    except (OSError, Refused) as error:
        sys.exit(f"read_book: {sys.argv[1]}: {error}")
    sys.exit(missing)


if __name__ == "__main__":
    main()
