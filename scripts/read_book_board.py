"""Boards as numbers, for read_book.py: cells, lines of four, and the slots of flat sections.

A set of cells is one number, with a bit for each cell: column * (height + 1) + row, both from
0. A position is two of them: `own`, the stones of the side to move, and `mask`, all stones.
"""

from functools import lru_cache
from math import comb

COLUMNS = "123456789abcdefg"


class Refused(ValueError):
    """The error of a faulty book."""


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
    """A board size and its rules."""

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
