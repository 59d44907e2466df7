"""Compact sections of a book, for read_book.py.

A section has a code for each context of positions, and for each position with an entry the bits
of its code, found by the hash of the position. A bit is read when it is asked for.

A model is called with the canonical image of a position and the values that the section has a
symbol for. It returns the number of the context and the values in the order of the symbols. If the
model finds the value itself, it returns no context and only this value.
"""

import zlib
from functools import lru_cache
from operator import mul
from pathlib import Path
from struct import Struct, unpack, unpack_from

from read_book import bits, count

ALL = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
MODEL = 0x33E167A5  # the checksum of the constants
BOOKS = Path(__file__).resolve().parent.parent / "books"


def mix(x):
    """Stirs 64 bits."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & ALL
    x = (x ^ x >> 27) * 0x94D049BB133111EB & ALL
    return x ^ x >> 31


def fold(a, b):
    """The exclusive or of the upper and the lower half of a product."""
    product = a * b
    return product >> 64 ^ product & ALL


def scale(h, n):
    """Chooses one of n numbers by a hash."""
    return h * n >> 64


def hash_of(key, salt, board):
    """The hash of a canonical key."""
    hashed = mix(key & ALL ^ salt * STEP & ALL)
    return mix(hashed ^ key >> 64) if board.width * board.rise > 64 else hashed


def threshold_bytes(size):
    """How many bytes the thresholds of a layer with this many bits take."""
    return (size - 127 + 2047) // 2048 if size else 0


def segment_bytes(sizes):
    """How many bytes a segment with layers of these sizes takes."""
    thresholds = threshold_bytes(sizes[0]) + threshold_bytes(sizes[1])
    return thresholds + sum((size + 7) // 8 for size in sizes)


class CompactSection:
    """A compact section. `data` are its bytes, and `top` is the greatest value of the book's kind."""

    def __init__(self, data, bias, top, board, load_function):
        if len(data) < 11:
            raise ValueError("it ends before its tables do")
        self.data, self.board = data, board
        model, self.segments, self.coarseness, self.symbols, self.salt = unpack("<IIBBB", data[:11])
        self.function = load_function(model)
        contexts = self.function.contexts >> self.coarseness
        if not contexts or not self.symbols or not self.segments:
            raise ValueError("it has no context, no symbol or no segment")
        if self.symbols > top + bias + 1:
            raise ValueError("its symbols go beyond the values of the board")
        self.values = range(-bias, self.symbols - bias)
        self.segment_table = 11 + contexts * ((self.symbols + 1) // 2)
        if self.segment_table + 12 * self.segments > len(data):
            raise ValueError("it ends before its tables do")
        for context in range(contexts):
            self.check_code(context)
        self.starts = self.find_segments()

    def check_code(self, context):
        """Refuses code lengths under which some bits form no code."""
        lengths = self.lengths(context, self.symbols + self.symbols % 2)
        if self.symbols % 2 and lengths.pop():
            raise ValueError("it has a code length that no symbol has")
        lengths = [length for length in lengths if length]
        if len(lengths) > 1 and sum(1 << 15 - length for length in lengths) != 1 << 15:
            raise ValueError(f"its code of context {context} is not complete")

    def lengths(self, context, number):
        """The first code lengths of a context."""
        size = (self.symbols + 1) // 2
        packed = int.from_bytes(self.data[11 + size * context : 11 + size * (context + 1)], "little")
        return [packed >> 4 * symbol & 15 for symbol in range(number)]

    def find_segments(self):
        """Where each segment begins."""
        starts, at = [], self.segment_table + 12 * self.segments
        for segment in range(self.segments):
            sizes = self.sizes(segment)
            if any(0 < size < 128 for size in sizes):
                raise ValueError(f"segment {segment} has a layer of less than 128 bits")
            starts.append(at)
            at += segment_bytes(sizes)
        if (at + 16 + 63) // 64 * 64 != len(self.data):
            raise ValueError("it has another length than its tables and segments give")
        return starts

    def sizes(self, segment):
        """How many bits each layer of a segment has."""
        at = self.segment_table + 12 * segment
        return unpack("<3I", self.data[at : at + 12])

    def value(self, own, mask):
        """The value of a position that has an entry."""
        key, own, mask = self.board.canonical(own, mask)
        context, values = self.function(own, mask, self.values)
        return values[0] if context is None else values[self.symbol(context >> self.coarseness, key)]

    def symbol(self, context, key):
        """The symbol that the segments have for a key, or ValueError if they are damaged."""
        codes = self.codes(context)
        if not codes:
            raise ValueError("a context has no symbol")
        code = 1
        if code not in codes:
            hashed = hash_of(key, self.salt, self.board)
            layers = self.layers(scale(hashed, self.segments))
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
    def layers(self, segment):
        """The layers of a segment: bits, number to mix in, where its thresholds and its bits are."""
        sizes = self.sizes(segment)
        layers, at = [], self.starts[segment]
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
            start = scale(h, size - 127)
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


def load(model, board, kind, book):
    """The model with this number."""
    if model == 0:
        return No()
    if model != MODEL or (board.width, board.height, kind) != (7, 6, 0):
        raise ValueError(f"the model {model:08x} is unknown, or for other books")
    return Order(board, read_constants("context.bin", book))


def read_constants(name, book):
    """The file of this name that is beside the book, or else in the folder of books."""
    for path in (Path(book).resolve().parent / name, BOOKS / name):
        if path.exists():
            constants = path.read_bytes()
            if zlib.crc32(constants) != MODEL:
                raise ValueError(f"{path} has another checksum than {MODEL:08x}")
            return constants
    raise ValueError(f"{name} is needed, and neither beside the book nor in {BOOKS}")


class No:
    """No model: one context for all positions."""

    contexts = 1

    def __call__(self, _own, _mask, values):
        return 0, values


class Features:
    """The features of a position of 7x6 for the network.

    The weights of a feature are one large number with 32 bits for each of the 64 units, so that
    one addition adds all of them. The lower 16 bits are the sum modulo 2**16.
    """

    lanes = Struct("<64I")
    lower_halves = Struct("<" + "h2x" * 64)

    def __init__(self, board, constants, number):
        self.board = board
        weights = unpack_from(f"<{64 * number}H", constants)
        rows = (weights[at : at + 64] for at in range(0, len(weights), 64))
        self.weights = [int.from_bytes(self.lanes.pack(*row), "little") for row in rows]

    def lines(self, stones):
        """The lines, with the features of their patterns by the two players' numbers of stones.

        `stones` maps each number of stones in a line that is a feature to the number of its first
        feature.
        """
        rise, lines = self.board.rise, []
        for slanted, step in ((0, rise), (1, rise + 1), (1, rise - 1)):
            for start in bits(self.board.cells):
                line = sum(1 << start + step * place for place in range(4))
                if line & self.board.cells == line:
                    lines.append((line, *self.patterns(line, start + 28 * slanted, stones)))
        return lines

    def patterns(self, line, add, stones):
        """The features of a line's patterns, for either player."""
        patterns = {}, {}
        cells = [1 << cell for cell in bits(line)]
        for chosen in range(1, 16):
            pattern = sum(cell for place, cell in enumerate(cells) if chosen >> place & 1)
            if (feature := stones.get(count(chosen))) is not None:
                patterns[0][pattern] = feature + add
                patterns[1][pattern] = feature + add + 56
        return patterns

    def common(self, first, second, lines):
        """The features of columns, threats and lines."""
        mask = first | second
        key = first + mask + self.board.bottom
        features = [128 * column + (key >> 7 * column & 127) for column in range(7)]
        features += [896 + cell for cell in bits(self.board.threats(first, mask))]
        features += [945 + cell for cell in bits(self.board.threats(second, mask))]
        for line, of_first, of_second in lines:
            ours, theirs = first & line, second & line
            if ours and not theirs and ours in of_first:
                features.append(of_first[ours])
            elif theirs and not ours and theirs in of_second:
                features.append(of_second[theirs])
        return features

    def units(self, features):
        """The 64 units, from 0 to 256."""
        total = sum(self.weights[feature] for feature in features)
        return [min(256, max(0, unit)) for unit in self.lower_halves.unpack(total.to_bytes(256, "little"))]


def descend(nodes, sums):
    """The leaf of a tree of which each node compares one sum with a threshold."""
    node, inner = 0, len(nodes) // 2
    while node < inner:
        threshold, number = nodes[2 * node : 2 * node + 2]
        node = 2 * node + (1 if sums[number] < threshold else 2)
    return node - inner


class Order:
    """The model for scores of 7x6: forced moves give many scores, a network orders the others."""

    contexts = 128
    nears = 16, 32, 64, 128

    def __init__(self, board, constants):
        self.board = board
        self.features = Features(board, constants, 1419)
        self.lines = self.features.lines({2: 994, 1: 1106})
        deep = unpack_from("<1024h", constants, 181632)
        self.deep_rows = [deep[at : at + 64] for at in range(0, 1024, 64)]
        self.deep_constants = unpack_from("<16i", constants, 183680)
        scores = unpack_from("<768h", constants, 183744)
        self.score_columns = [scores[score::48] for score in range(43)]
        self.score_constants = unpack_from("<43h", constants, 185280)
        self.nodes = unpack_from("<254h", constants, 185376)

    def __call__(self, own, mask, values):
        """The value that forced moves give, or the context and the values, the likeliest first."""
        ply = count(mask)
        stone, own, mask = self.play_forced(own, mask)
        if stone is not None:
            score = (44 - stone) // 2
            return None, [score if (stone - ply) % 2 else -score]
        sign = -1 if ply % 2 else 1
        keys = [-32768] * 48
        numbers = [21 + sign * value for value in values]
        self.set_keys(keys, numbers, self.deep_units(self.feature_numbers(own, mask)))
        numbers.sort(key=keys.__getitem__, reverse=True)
        return descend(self.nodes, self.sums(keys)), [sign * (number - 21) for number in numbers]

    def safe_moves(self, own, mask):
        """The cells after whose move the opponent does not win at once."""
        playable, dangers = self.board.playable(mask), self.board.threats(own ^ mask, mask)
        must = playable & dangers
        if must & must - 1:
            return 0
        return (must or playable) & ~(dangers >> 1)

    def traps(self, own, mask, safe):
        """Whether a safe move leaves the opponent without one, on a board that is not full."""
        after = (mask | 1 << cell for cell in bits(safe))
        return any(new != self.board.cells and not self.safe_moves(own ^ mask, new) for new in after)

    def answer_to(self, own, mask, cell):
        """The threats that the opponent has to play on after a move, or 0."""
        cell = 1 << cell
        return self.board.threats(own | cell, mask | cell) & self.board.playable(mask | cell)

    def play_forced(self, own, mask):
        """Plays forced moves. Returns the stone that wins, if one is found, and the position."""
        forced = 0
        while True:
            safe, stones = self.safe_moves(own, mask), count(mask)
            if not safe and mask != self.board.cells:
                return stones + 2, own, mask
            if not safe or safe & safe - 1 or forced == 8:
                break
            own, mask, forced = own ^ mask, mask | safe, forced + 1
        if self.traps(own, mask, safe):
            return stones + 3, own, mask
        for cell in bits(safe):
            if answer := self.answer_to(own, mask, cell):
                later = own | 1 << cell, mask | 1 << cell | answer
                if self.traps(*later, self.safe_moves(*later)):
                    return stones + 5, own, mask
        return None, own, mask

    def feature_numbers(self, own, mask):
        """The features of the position after the forced moves."""
        stones = count(mask)
        first = own ^ mask if stones % 2 else own
        safe = self.safe_moves(own, mask)
        features = self.features.common(first, first ^ mask, self.lines)
        features.append(1218 + sum(1 << cell // 7 for cell in bits(safe)))
        features += [1346 + cell for cell in bits(safe) if self.answer_to(own, mask, cell)]
        features.append(1395 + (stones if stones <= 22 else 22 + stones % 2))
        return features

    def deep_units(self, features):
        """The 16 deep units, from 0 to 32767."""
        units = self.features.units(features)
        sums = (add + sum(map(mul, row, units)) for row, add in zip(self.deep_rows, self.deep_constants))
        return [min(32767, max(0, value >> 6)) for value in sums]

    def set_keys(self, keys, numbers, deep):
        """Sets the keys of these score numbers: the greater, the likelier the score."""
        for number in numbers:
            total = self.score_constants[number]
            for unit, weight in zip(deep, self.score_columns[number]):
                total += unit * weight >> 16
            total = (total + 32768) % 65536 - 32768
            keys[number] = 64 * min(511, max(-512, total >> 4)) + 63 - number

    def sums(self, keys):
        """The sums that the tree compares: how many scores are near the likeliest, and how near."""
        behind = [-(key >> 6) for key in keys]
        least = min(behind)
        behind = [value - least for value in behind if value - least < 128]
        return [sum(near - value for value in behind if value < near) for near in self.nears]
