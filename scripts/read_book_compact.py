"""Compact sections of a book, for read_book.py.

A section has a code for each context of positions, and for each position with an entry the bits
of its code, found by the hash of the position. A bit is read when it is asked for.
"""

from functools import lru_cache
from struct import unpack

from read_book_board import Refused

ALL = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mix(x):
    """Stirs 64 bits."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & ALL
    x = (x ^ x >> 27) * 0x94D049BB133111EB & ALL
    return x ^ x >> 31


def fold(a, b):
    """The exclusive or of the upper and the lower half of a product."""
    product = a * b
    return product >> 64 ^ product & ALL


def part(h, n):
    """Chooses one of n numbers by a hash."""
    return h * n >> 64


def hash_of(key, salt, board):
    """The hash of a canonical key."""
    hashed = mix(key & ALL ^ salt * STEP & ALL)
    return mix(hashed ^ key >> 64) if board.width * board.rise > 64 else hashed


def threshold_bytes(size):
    """How many bytes the thresholds of a layer with this many bits take."""
    return (size - 127 + 2047) // 2048 if size else 0


def shard_bytes(sizes):
    """How many bytes a shard with layers of these sizes takes."""
    thresholds = threshold_bytes(sizes[0]) + threshold_bytes(sizes[1])
    return thresholds + sum((size + 7) // 8 for size in sizes)


class CompactSection:
    """A compact section. `data` are its bytes, and `top` is the greatest value of the book's kind."""

    def __init__(self, data, bias, top, board, load_function):
        if len(data) < 11:
            raise Refused("it ends before its tables do")
        self.data, self.board = data, board
        model, self.shards, self.coarseness, self.symbols, self.salt = unpack("<IIBBB", data[:11])
        self.function = load_function(model)
        contexts = self.function.contexts >> self.coarseness
        if not contexts or not self.symbols or not self.shards:
            raise Refused("it has no context, no symbol or no shard")
        if self.symbols > top + bias + 1:
            raise Refused("its symbols go beyond the values of the board")
        self.values = range(-bias, self.symbols - bias)
        self.shard_table = 11 + contexts * ((self.symbols + 1) // 2)
        if self.shard_table + 12 * self.shards > len(data):
            raise Refused("it ends before its tables do")
        for context in range(contexts):
            self.check_code(context)
        self.starts = self.find_shards()

    def check_code(self, context):
        """Refuses code lengths under which some bits form no code."""
        lengths = self.lengths(context, self.symbols + self.symbols % 2)
        if self.symbols % 2 and lengths.pop():
            raise Refused("it has a code length that no symbol has")
        lengths = [length for length in lengths if length]
        if len(lengths) > 1 and sum(1 << 15 - length for length in lengths) != 1 << 15:
            raise Refused(f"its code of context {context} is not complete")

    def lengths(self, context, number):
        """The first code lengths of a context."""
        size = (self.symbols + 1) // 2
        packed = int.from_bytes(self.data[11 + size * context : 11 + size * (context + 1)], "little")
        return [packed >> 4 * symbol & 15 for symbol in range(number)]

    def find_shards(self):
        """Where each shard begins."""
        starts, at = [], self.shard_table + 12 * self.shards
        for shard in range(self.shards):
            sizes = self.sizes(shard)
            if any(0 < size < 128 for size in sizes):
                raise Refused(f"shard {shard} has a layer of less than 128 bits")
            starts.append(at)
            at += shard_bytes(sizes)
        if (at + 16 + 63) // 64 * 64 != len(self.data):
            raise Refused("it has another length than its tables and shards give")
        return starts

    def sizes(self, shard):
        """How many bits each layer of a shard has."""
        at = self.shard_table + 12 * shard
        return unpack("<3I", self.data[at : at + 12])

    def value(self, own, mask):
        """The value of a position that has an entry."""
        key, own, mask = self.board.canonical(own, mask)
        context, values = self.function(own, mask, self.values)
        return values[0] if context is None else values[self.symbol(context >> self.coarseness, key)]

    def symbol(self, context, key):
        """The symbol that the shards have for a key, or Refused if they are damaged."""
        codes = self.codes(context)
        if not codes:
            raise Refused("a context has no symbol")
        code = 1
        if code not in codes:
            hashed = hash_of(key, self.salt, self.board)
            layers = self.layers(part(hashed, self.shards))
        bit = 0
        while code not in codes:
            bit += 1
            code = code << 1 | self.bit(layers, mix(hashed + bit * STEP & ALL))
        return codes[code]

    @lru_cache(maxsize=None)
    def codes(self, context):
        """The symbols of a context by their codes, with a 1 in front."""
        lengths = self.lengths(context, self.symbols)
        used = [symbol for symbol in range(self.symbols) if lengths[symbol]]
        if len(used) == 1:
            return {1: used[0]}
        codes, code, length = {}, 0, 0
        for symbol in sorted(used, key=lengths.__getitem__):
            code <<= lengths[symbol] - length
            length = lengths[symbol]
            codes[1 << length | code] = symbol
            code += 1
        return codes

    @lru_cache(maxsize=4096)
    def layers(self, shard):
        """The layers of a shard: bits, number to mix in, where its thresholds and its bits are."""
        sizes = self.sizes(shard)
        layers, at = [], self.starts[shard]
        for size, stir, has_thresholds in zip(sizes, (None, 1, 2), (True, True, False)):
            if size:
                thresholds = at if has_thresholds else None
                at += threshold_bytes(size) if has_thresholds else 0
                layers.append((size, stir and stir * STEP & ALL, thresholds, at))
                at += (size + 7) // 8
        return layers

    def bit(self, layers, mixed):
        """The bit of a hash, from the first layer that has it."""
        for size, stir, thresholds, at in layers:
            h = mixed if stir is None else mix(mixed ^ stir)
            start = part(h, size - 127)
            if thresholds is not None:
                block, place = divmod(start, 512)
                number = self.data[thresholds + block // 4] >> block % 4 * 2 & 3
                if place < (0, 48, 112, 512)[number]:
                    continue
            upper = fold(h ^ 0x2D358DCCAA6C78A5, 0x8BB84B93962EACC9)
            lower = fold(h ^ 0x4B33A62ED433D4A3, 0x4D5A2DA51DE1AA47) | 1
            first = at + start // 8
            stored = int.from_bytes(self.data[first : first + 17], "little") >> start % 8
            return bin(stored & (upper << 64 | lower)).count("1") & 1
        return 0
