#!/usr/bin/env python3
"""Answers from a fourbook book, flat or compact, without fourbook.

Written from docs/src/format.md alone, with the standard library only; to check other
readers with, or to start one in another language from. Flat books need this file alone,
compact ones also read_book_compact.py.

'read_book.py 7x6-d8.book 4453 44' prints each position and its value for the side to move, or '?'.
Positions are arguments or lines of standard input, as columns from 1. The tenth to sixteenth
column are 'a' to 'g'.
Exit codes: 0 all answered, 1 not all, 2 wrong arguments. If a book is refused or found
damaged, the script prints its name and the reason, with exit code 1.

Compact books of scores on 7x6 need the file of constants context.bin. It is taken from the folder
of the book, or if it is not there, from the folder 'books' beside the folder of this script. It is
read when the book is opened, and its checksum is checked.

When a book is opened, its header and the tables of all compact sections are checked. Each block of
4096 bytes is read when a value in it is first asked for, and its checksum is checked. Values are
decoded one by one. A compact section has any value for a position that no game reaches, but
positions are given as moves here, so a game reaches each. The padding after the last value is not
checked.
"""

import os
import stat
import sys
import zlib
from functools import lru_cache
from math import comb
from struct import unpack_from

COLUMNS = "123456789abcdefg"
FIELDS = "<BBbQQ"  # ply, bits, bias, bytes, entries
ENTRY = 19
BLOCK = 4096


def padded(length):
    """The next multiple of 64."""
    return (length + 63) // 64 * 64


def bits(cells):
    """The places of the bits that are set, the lowest first."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def count(cells):
    """How many bits are set. (Python 3.9 has no int.bit_count.)"""
    return bin(cells).count("1")


class Board:
    """A board size and its rules.

    A set of cells is one number, with a bit for each cell: column * (height + 1) + row, both from
    0. A position is two of them: `own`, the stones of the side to move, and `mask`, all stones.
    """

    def __init__(self, width, height):
        self.width, self.height, self.rise = width, height, height + 1
        self.bottom = sum(1 << self.rise * column for column in range(width))
        self.cells = self.bottom * ((1 << height) - 1)
        self.columns = [((1 << height) - 1) << self.rise * column for column in range(width)]

    def playable(self, mask):
        """The lowest empty cell of each column that is not full."""
        return mask + self.bottom & self.cells

    def has_four(self, own):
        """Whether these stones have four in a line."""
        for step in (1, self.rise - 1, self.rise, self.rise + 1):
            pairs = own & own >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    def threats(self, own, mask):
        """The empty cells that would complete four in a line, playable or not."""
        found = own << 1 & own << 2 & own << 3
        for step in (self.rise - 1, self.rise, self.rise + 1):
            before, after = own << step, own >> step
            found |= before & own << 2 * step & (own << 3 * step | after)
            found |= after & own >> 2 * step & (own >> 3 * step | before)
        return found & self.cells & ~mask

    def children(self, own, mask):
        """The positions after each move."""
        playable = self.playable(mask)
        return [(own ^ mask, mask | playable & column) for column in self.columns if playable & column]

    def play(self, moves):
        """The position after these moves, or None if they are no moves of a game."""
        own = mask = 0
        for move in moves:
            column = COLUMNS.find(move, 0, self.width)
            cell = column >= 0 and self.playable(mask) & self.columns[column]
            if not cell or self.has_four(own ^ mask):
                return None
            own, mask = own ^ mask, mask | cell
        return own, mask

    def mirror(self, cells):
        """The mirror image of cells, or of a key."""
        mirrored, one = 0, (1 << self.rise) - 1
        for _ in range(self.width):
            mirrored = mirrored << self.rise | cells & one
            cells >>= self.rise
        return mirrored

    def canonical(self, own, mask):
        """The smaller key of the position and its mirror image, and which of them has it."""
        key = own + mask + self.bottom
        mirrored = self.mirror(key)
        if key <= mirrored:
            return key, own, mask
        return mirrored, self.mirror(own), self.mirror(mask)

    def slots(self, ply):
        """How many slots a ply has."""
        half = self.width // 2
        middles = range(self.height + 1 if self.width % 2 else 1)
        halves = [(ply - middle) // 2 for middle in middles if middle <= ply and (ply - middle) % 2 == 0]
        symmetric = sum(self.ways(half, stones) for stones in halves)
        return (self.ways(self.width, ply) + symmetric) // 2 * comb(ply, ply // 2)

    @lru_cache(maxsize=None)
    def ways(self, columns, stones):
        """The number of ways to choose the heights of this many columns."""
        if columns == 0:
            return int(stones == 0)
        return sum(self.ways(columns - 1, stones - top) for top in range(min(self.height, stones) + 1))


class Slots:
    """The slot numbers of one ply."""

    def __init__(self, board, ply):
        self.board, self.half = board, board.width // 2
        self.rows = comb(ply, ply // 2)
        codes = self.codes_up_to(ply)
        of_sum = [0] * (ply + 1)
        for _, stones in codes:
            of_sum[stones] += 1
        passed = [0] * (ply + 1)  # how many codes of each sum are less than `right`
        self.number = {}  # of a left code, among those of the same sum
        self.before = {}  # to add to it, by right code and middle
        total = 0
        for right, stones in codes:
            for middle in range(board.height + 1 if board.width % 2 else 1):
                rest = ply - stones - middle
                if rest >= 0:
                    self.before[right, middle] = total - passed[rest]
                    total += of_sum[rest] - passed[rest]
            self.number[right] = passed[stones]
            passed[stones] += 1

    def codes_up_to(self, ply):
        """All codes of half a board with at most so many stones, in order, with their stones."""
        codes = [(0, 0)]
        for _ in range(self.half):
            codes = [
                (code * self.board.rise + top, stones + top)
                for code, stones in codes
                for top in range(min(self.board.height, ply - stones) + 1)
            ]
        return codes

    def slot(self, own, mask):
        """The slot of a position."""
        left, middle, right = self.codes(mask)
        images = [own, mask], [self.board.mirror(own), self.board.mirror(mask)]
        if right > left:
            left, right = right, left
            images = images[::-1]
        rank = self.colour_rank(*images[0])
        if left == right:
            rank = min(rank, self.colour_rank(*images[1]))
        return (self.before[right, middle] + self.number[left]) * self.rows + rank

    def codes(self, mask):
        """The left code, the middle and the right code of a position's heights."""
        heights = [count(mask & column) for column in self.board.columns]
        middle = heights[self.half] if self.board.width % 2 else 0
        left = right = 0
        for column in range(self.half):
            left = left * self.board.rise + heights[column]
            right = right * self.board.rise + heights[-1 - column]
        return left, middle, right

    def colour_rank(self, own, mask):
        """The number of a colouring among those of the same heights."""
        row = place = 0
        for column, cells in enumerate(self.board.columns):
            row |= (own & cells) >> self.board.rise * column << place
            place += count(mask & cells)
        return sum(comb(one, number) for number, one in enumerate(bits(row), 1))


class Blocks:
    """The sections of a book, in blocks that are read and checked when they are first needed."""

    def __init__(self, file, start, checksums):
        self.file, self.start, self.checksums, self.read = file, start, checksums, {}

    def block(self, number):
        """A block whose checksum is right."""
        if number not in self.read:
            self.file.seek(self.start + number * BLOCK)
            data = self.file.read(BLOCK)
            if zlib.crc32(data) != self.checksums[number]:
                raise ValueError(f"block {number} is damaged")
            self.read[number] = data
        return self.read[number]


class Part:
    """The bytes of a section, to be used like `bytes`."""

    def __init__(self, blocks, start, length):
        self.blocks, self.start, self.length = blocks, start, length

    def __len__(self):
        return self.length

    def __getitem__(self, which):
        if not isinstance(which, slice):
            return self[which : which + 1][0]
        begin, end, _ = which.indices(self.length)
        begin, end = self.start + begin, self.start + max(begin, end)
        if begin == end:
            return b""
        first = begin // BLOCK
        data = b"".join(self.blocks.block(number) for number in range(first, (end - 1) // BLOCK + 1))
        return data[begin - first * BLOCK : end - first * BLOCK]


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
    """A book with all checks that the format asks of a reader."""

    def __init__(self, path):
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise ValueError("expected a regular file")
        self.path, self.file = path, open(path, "rb")
        length = self.file.seek(0, 2)
        self.head = self.bytes_at(0, 16)
        end, at = self.check_header()
        self.read_board()
        fields = [unpack_from(FIELDS, self.head, start) for start in range(at, end - 4, ENTRY)]
        self.check_plies([ply for ply, *_ in fields])
        for section in fields:
            self.check_section(*section)
        total = sum(size for _, _, _, size, _ in fields)
        blocks = (total + BLOCK - 1) // BLOCK
        start = padded(end + 4 + 4 * blocks)
        if start + total != length:
            raise ValueError("the file does not end with its last section")
        table = self.bytes_at(end + 4, 4 * blocks)
        if zlib.crc32(table) != unpack_from("<I", self.head, end - 4)[0]:
            raise ValueError("the checksums of the blocks are damaged")
        if any(self.bytes_at(end + 4 + 4 * blocks, start - end - 4 - 4 * blocks)):
            raise ValueError("there is something between the checksums and the first section")
        blocks = Blocks(self.file, start, unpack_from(f"<{blocks}I", table))
        self.functions, self.sections, offset = {}, {}, 0
        for ply, bits, bias, size, _entries in fields:
            self.open_section(Part(blocks, offset, size), ply, bits, bias)
            offset += size

    def bytes_at(self, start, length):
        """Reads bytes of the file, fewer at its end."""
        self.file.seek(start)
        return self.file.read(length)

    def check_header(self):
        """Checks the header's checksum and fields. Returns its end, and where its sections stand."""
        if len(self.head) < 16 or self.head[:8] != b"\x894BOOK\r\n":
            raise ValueError("expected a fourbook book")
        version, length = unpack_from("<II", self.head, 8)
        if version != 1:
            raise ValueError(f"expected a fourbook book of format version 1, found {version}")
        if length > 65536:
            raise ValueError(f"a header of {length} bytes is too long")
        end = 16 + length
        self.head = data = self.bytes_at(0, end + 4)
        if len(data) < end + 4 or zlib.crc32(data[:end]) != unpack_from("<I", data, end)[0]:
            raise ValueError("the header is damaged")
        at = 19
        for text in ("program", "version", "arguments", "values"):
            size = unpack_from("<Q", data, at)[0] if at + 8 <= end else end
            if at + 8 + size > end:
                raise ValueError("the header ends before its fields do")
            at += 8 + size
            try:
                str(data[at - size : at], "utf-8")
            except UnicodeDecodeError:
                raise ValueError(f"the header's {text} is no UTF-8") from None
        number = unpack_from("<Q", data, at)[0] if at + 8 <= end else 0
        if at + 8 + ENTRY * number + 4 != end:
            raise ValueError("the header ends before its fields do or goes on after them")
        return end, at + 8

    def read_board(self):
        """Checks the board, which the header begins with."""
        width, height, self.kind = unpack_from("3B", self.head, 16)
        if not 4 <= width <= 16 or height < 4 or width * (height + 1) > 128:
            raise ValueError(f"a board of {width}x{height} is none of a book")
        if self.kind not in (0, 1):
            raise ValueError(f"values of kind {self.kind} are unknown")
        self.board, self.cells = Board(width, height), width * height
        self.top = 1 if self.kind else (self.cells - 5) // 2

    def check_plies(self, plies):
        """Checks that one of any two neighbouring plies is stored, up to the deepest."""
        self.depth = max(plies, default=-1)
        gaps = any(ply not in plies and ply + 1 not in plies for ply in range(self.depth + 1))
        if not plies or plies != sorted(set(plies)) or gaps or self.depth > self.cells:
            raise ValueError(f"a book for boards of {self.cells} cells does not have the plies {plies}")

    def check_section(self, ply, bits, bias, size, entries):
        """Checks the header's entry of a section."""

        def refuse_if(wrong, reason):
            """Refuses the book unless a condition holds."""
            if wrong:
                raise ValueError(f"the section of ply {ply}: {reason}")

        slots = self.board.slots(ply)
        refuse_if(slots > 1 << 48, "a ply with too many slots")
        refuse_if(entries > slots, "more entries than slots")
        refuse_if(bits > (7 if self.cells > 68 else 6), f"codes of {bits} bits")
        refuse_if(abs(bias) > self.top, f"a bias of {bias}")
        refuse_if(bits and size != padded((slots * bits + 7) // 8 + 7), "not the length of its slots")
        refuse_if(not bits and (size == 0 or size % 64), "a length that is no multiple of 64")

    def open_section(self, data, ply, bits, bias):
        """Makes the checks of a section's contents that a reader must make."""
        if bits:
            self.sections[ply] = FlatSection(data, ply, bits, bias, self.board)
            return
        try:
            from read_book_compact import CompactSection
        except ModuleNotFoundError:
            raise ValueError("it is compact: put read_book_compact.py beside this script") from None

        try:
            section = CompactSection(data, bias, self.top, self.board, self.function)
        except ValueError as error:
            raise ValueError(f"the section of ply {ply}: {error}") from None
        self.sections[ply] = section

    def function(self, model):
        """The model with this number, made once for all sections."""
        from read_book_compact import load

        if model not in self.functions:
            self.functions[model] = load(model, self.board, self.kind, self.path)
        return self.functions[model]

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
        if None in values:
            raise ValueError(f"the section of ply {ply + 1} lacks a value")
        return max(-value for value in values)

    def by_rules(self, own, mask, ply):
        """The value of a position that is over or can be won at once, or None."""

        def score(stones):
            """The value of a win with the last of `stones` stones."""
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
            value = self.sections[ply].value(own, mask)
        except ValueError as error:
            raise ValueError(f"the section of ply {ply} is damaged: {error}") from None
        if value is None or abs(value) > self.top:
            raise ValueError(f"the section of ply {ply} lacks a value")
        return value


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
    """Runs the command line."""
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(len(sys.argv) < 2 and 2)
    try:
        book = Book(sys.argv[1])
        missing = answer(book, sys.argv[2:] or (line.strip() for line in sys.stdin))
    except (OSError, ValueError) as error:
        sys.exit(f"read_book: {sys.argv[1]}: {error}")
    sys.exit(missing)


if __name__ == "__main__":
    main()
