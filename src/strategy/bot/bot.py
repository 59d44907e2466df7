"""A bot for Connect Four on @size@ boards, in one file without dependencies (Python 3.10 or later).

best_move("44") is the column of the best move after two moves in column 4. Columns count from 1; in a
game, the tenth is a or A, the next one b or B. Blanks count for nothing. What is no game, or a game that
is over, is a ValueError.

The bot has perfect moves of @contents@.
@kept@
It searches all other positions. A call that reaches TIME_LIMIT ends with the best move known so far,
which keeps a win or draw as soon as the search has found one; all other moves are proved.

As a program, it reads a game a line from standard input and prints the best move of each:

    echo 44 | python3 bot.py

agent(observation, configuration) plays ConnectX, with columns from 0. Kaggle's contest has boards of
7x6, which a bot of 7x6 plays as it is.

Made by fourbook @version@. Licence: MIT or Apache-2.0.
"""

import sys
from base64 import b64decode
from time import perf_counter

WIDTH = @width@
HEIGHT = @height@
CELLS = WIDTH * HEIGHT

# Seconds that a call may take.
TIME_LIMIT = 1.6

# 1 if the moves keep win or draw only, 0 if they win as soon and lose as late as possible.
OUTCOMES_ONLY = @outcomes@

# The moves of both players as base64, the stones before the last moves, and whether there are values
# between the moves.
FIRST = """
@first@
""", @first_depth@, @first_values@
SECOND = """
@second@
""", @second_depth@, @second_values@

COLUMN_NAMES = "123456789abcdefg"
BLANKS = " \t\r\n"

# ---- Boards -------------------------------------------------------------------------------------

# A set of cells is a number. Each cell is a bit: column * RISE + row, both from 0, the lowest row first.
# The bit above each column is free, so that lines do not go on in the next column. A position is two
# sets: `own`, the stones of the side to move, and `all`, all stones.
#
# Numbers may be long. So many boards can stand side by side in one number, each in a lane of LANE bits,
# and one operation works on all of them. Lanes are wide enough that boards shifted by lines of four do
# not reach the next one.

RISE = HEIGHT + 1
BOTTOM = sum(1 << RISE * column for column in range(WIDTH))
BOARD = BOTTOM * ((1 << HEIGHT) - 1)
COLUMNS = [((1 << HEIGHT) - 1) << RISE * column for column in range(WIDTH)]
FROM_CENTRE = sorted(range(WIDTH), key=lambda column: (abs(2 * column - WIDTH + 1), column))

LANE = 128
LANE_BYTES = LANE // 8


def completing(stones):
    """The cells that complete four of these stones, on one board or on many side by side; some of the
    cells are not empty, or not on the board."""
    found = stones << 1 & stones << 2 & stones << 3
    for step in (RISE - 1, RISE, RISE + 1):
        before = stones << step
        after = stones >> step
        before_both = before & before << step
        after_both = after & after >> step
        found |= before_both & (before << 2 * step | after) | after_both & (after >> 2 * step | before)
    return found


def safe_moves(possible, opponent_threats):
    """The possible moves after which the opponent, who has these threats, cannot win at once."""
    forced = possible & opponent_threats
    if forced:
        possible = 0 if forced & (forced - 1) else forced
    return possible & ~(opponent_threats >> 1)


def mirrored(boards, ones):
    """The mirror images of keys, side by side; `ones` has the lowest bit of each lane."""
    column = ones * ((2 << HEIGHT) - 1)
    mirror = 0
    for number in range(WIDTH):
        mirror |= (boards >> RISE * number & column) << RISE * (WIDTH - 1 - number)
    return mirror


def canonical_key(own, stones):
    """The smaller key of a position and its mirror image. In each column of a key, the highest bit is its
    height, and those below are stones of the side to move."""
    key = own + stones + BOTTOM
    return min(key, mirrored(key, 1))


def ones_for(count):
    """The lowest bit of each of `count` lanes."""
    return int.from_bytes((b"\1" + bytes(LANE_BYTES - 1)) * count, "little")


def packed(boards):
    """Boards side by side in one number."""
    return int.from_bytes(b"".join(board.to_bytes(LANE_BYTES, "little") for board in boards), "little")


def unpacked(boards, count):
    """The boards that stand side by side in a number."""
    return memoryview(boards.to_bytes(LANE_BYTES * count, "little")).cast("Q")[::2].tolist()


def positions_of(keys, ones):
    """The positions with keys that stand side by side: the stones of the side to move, and all."""
    board = ones * BOARD
    filled = keys
    for _ in range(HEIGHT):
        filled |= filled >> 1 & board
    stones = filled >> 1 & board
    return keys & stones, stones


# ---- The strategies -----------------------------------------------------------------------------


class Strategy:
    """The moves of one player. They are decoded ply by ply, as each ply follows from the one before."""

    def __init__(self, text, depth, has_values, first):
        self.depth = depth
        self.has_values = has_values
        data = "".join(text.split())
        # Zeros follow the last byte.
        self.data = b64decode(data + "=" * (-len(data) % 4)) + bytes(8)
        self.place = 4
        self.range = 2**32 - 1
        self.code = int.from_bytes(self.data[:4], "big")
        self.counts = [[1, 1] for _ in range(512)]
        self.moves = {}  # the column of each key
        self.ply = first  # the next ply to decode
        # Its positions, and the least value that each can have.
        least = -1 if OUTCOMES_ONLY else -((CELLS - 5) // 2)
        self.next = {BOTTOM: least} if first == 0 else replies({BOTTOM: least})

    def next_bit(self, context):
        """Decodes a bit, as a range coder. Each context learns how likely its bits are."""
        counts = self.counts[context]
        zero = self.range // (counts[0] + counts[1]) * counts[0]
        if self.code >= zero:
            bit = 1
            self.code -= zero
            self.range -= zero
        else:
            bit = 0
            self.range = zero
        counts[bit] += 2
        if counts[0] + counts[1] > 64:
            counts[0] = (counts[0] + 1) // 2
            counts[1] = (counts[1] + 1) // 2
        while self.range < 2**24:
            byte = self.data[self.place] if self.place < len(self.data) else 0
            self.range <<= 8
            self.code = self.code << 8 | byte
            self.place += 1
        return bit

    def find(self, own, stones):
        """The column that the player plays; None if the strategy does not have the position."""
        ply = stones.bit_count()
        if ply > self.depth:
            return None
        while self.ply <= ply:
            self.decode_ply()
        key = canonical_key(own, stones)
        column = self.moves.get(key)
        is_mirrored = key != own + stones + BOTTOM
        return WIDTH - 1 - column if column is not None and is_mirrored else column

    def decode_ply(self):
        """Decodes the moves of a ply, and finds the positions of the player's next one. A move is more
        likely if the ply has chosen the position after it before, or if it makes a threat."""
        keys = sorted(self.next)
        afters = {}  # the positions after the moves, with the values of the positions before
        for key, choices in zip(keys, list_choices(keys)):
            is_chosen = [after in afters for after in choices]
            later = len(choices)
            for number, (after, (column, threatens)) in enumerate(choices.items()):
                later -= 1
                if later == 0:
                    break
                is_later_chosen = True in is_chosen[-later:]
                context = 8 * later + 4 * is_chosen[number] + 2 * is_later_chosen + threatens
                if self.next_bit(context):
                    break
            self.moves[key] = column
            value = self.next[key]
            if self.has_values:
                value = self.decode_value(value)
            afters[after] = max(value, afters.get(after, value))
        self.ply += 2
        self.next = replies(afters) if self.ply <= self.depth else {}

    def decode_value(self, least):
        """Decodes the value of a position: a bit for each value from the least on, 1 for the right one."""
        most = max((CELLS - self.ply - 1) // 2, 0)
        if OUTCOMES_ONLY:
            most = min(most, 1)
        context = 128 if least < 0 else 256 if least == 0 else 384
        value = least
        while value < most and not self.next_bit(context + value - least):
            value += 1
        return value


def list_choices(keys):
    """For each position, the moves after which the opponent cannot win at once, from the centre
    outwards, one of two that lead to mirror images; if there are none, the first legal one: by the
    canonical key after it, the column, and whether it makes a threat."""
    count = len(keys)
    ones = ones_for(count)
    board = ones * BOARD
    bottom = ones * BOTTOM
    own, stones = positions_of(packed(keys), ones)
    other = own ^ stones
    possible = stones + bottom & board
    empty = board ^ stones
    before = completing(own) & empty
    other_threats = unpacked(completing(other) & empty, count)
    legal = unpacked(possible, count)
    moves = [safe_moves(*pair) for pair in zip(legal, other_threats)]
    all_choices = [{} for _ in keys]
    for column in FROM_CENTRE:
        cells = possible & ones * COLUMNS[column]
        after = stones | cells
        new_threats = unpacked(completing(own | cells) & (board ^ after) & ~before, count)
        after_keys = other + after + bottom
        after_keys, mirror_keys = unpacked(after_keys, count), unpacked(mirrored(after_keys, ones), count)
        for number, choices in enumerate(all_choices):
            is_safe = moves[number] & COLUMNS[column]
            is_only = not moves[number] and not choices and legal[number] & COLUMNS[column]
            if is_safe or is_only:
                key = min(after_keys[number], mirror_keys[number])
                choices.setdefault(key, (column, new_threats[number] != 0))
    return all_choices


def replies(afters):
    """The positions after the opponent's replies in which the player has to choose: the game goes on, and
    the player cannot win at once. Each has the greatest value of the positions that it follows from."""
    values = list(afters.values())
    count = len(values)
    ones = ones_for(count)
    board = ones * BOARD
    bottom = ones * BOTTOM
    own, stones = positions_of(packed(afters), ones)
    other = own ^ stones
    possible = stones + bottom & board & ~completing(own)
    answers = completing(other)
    found = {}
    for column in range(WIDTH):
        cells = possible & ones * COLUMNS[column]
        after = stones | cells
        wins = unpacked(answers & (board ^ after) & after + bottom, count)
        after_keys = other + after + bottom
        mirror_keys = mirrored(after_keys, ones)
        boards = zip(*(unpacked(some, count) for some in (cells, after, after_keys, mirror_keys)))
        for value, win, (cell, full, key, mirror) in zip(values, wins, boards):
            if cell and not win and full != BOARD:
                key = min(key, mirror)
                found[key] = max(value, found.get(key, value))
    return found


# ---- The search ---------------------------------------------------------------------------------

# Scores are for the side to move: 0 for a draw, positive for a win, negative for a loss. A win with the
# side's last stone scores 1, with the stone before it 2, and so on. The search knows positions in which
# the side to move has safe moves, so neither side can win with its next stone.

# All moves stand side by side, in narrower lanes, from the centre outwards.
NARROW = RISE * WIDTH + 3 * (RISE + 1)
SHIFTS = [NARROW * number for number in range(WIDTH)]
NARROW_ONES = sum(1 << shift for shift in SHIFTS)
NARROW_BOARD = BOARD * NARROW_ONES
NARROW_COLUMNS = sum(COLUMNS[column] << shift for column, shift in zip(FROM_CENTRE, SHIFTS))

# The bounds of scores that searches have found, by key, and how many are kept for the next call.
TABLE = {}
MOST_KEPT = 1_000_000
UNKNOWN = (-CELLS, CELLS)


class TimeIsUp(Exception):
    """The time of a call is up."""


class Clock:
    """Ends searches when time is up."""

    deadline = 0.0
    nodes = 0


def most_of(ply):
    """The best score: a win with the next stone but one."""
    return (CELLS - ply - 1) // 2


def least_of(ply):
    """The worst score: the opponent wins with the next stone but one."""
    return -((CELLS - ply - 2) // 2)


def list_moves(own, stones, moves):
    """The moves of a position, the most promising first: with the most threats, nearest to the centre.
    A move is its number of threats, the order from the outside, all stones after it, and the safe
    replies."""
    cells = moves * NARROW_ONES & NARROW_COLUMNS
    after = stones * NARROW_ONES | cells
    threats = completing(own * NARROW_ONES | cells) & (NARROW_BOARD ^ after)
    found = []
    for number, shift in enumerate(SHIFTS):
        cell = cells >> shift & BOARD
        if cell:
            its_threats = threats >> shift & BOARD
            its_stones = stones | cell
            its_replies = safe_moves(its_stones + BOTTOM & BOARD, its_threats)
            found.append((its_threats.bit_count(), -number, its_stones, its_replies))
    found.sort(reverse=True)
    return found


def search(own, stones, moves, ply, beta):
    """Whether the score of a position is at least `beta`: returns at least `beta`, a lower bound of the
    score, or less, an upper bound."""
    most = most_of(ply)
    best = least_of(ply)
    if most < beta:
        return most
    if best >= beta:
        return best
    Clock.nodes += 1
    if Clock.nodes % 128 == 0 and perf_counter() > Clock.deadline:
        raise TimeIsUp
    key = own + stones + BOTTOM
    low, high = TABLE.get(key, UNKNOWN)
    if low >= beta:
        return low
    if high < beta:
        return high
    other = own ^ stones
    children = list_moves(own, stones, moves)
    for _, _, after, safe in children:
        if not safe:
            # The opponent cannot prevent the win.
            return most
        if len(children) > 1:
            score = -TABLE.get(other + after + BOTTOM, UNKNOWN)[1]
            if score >= beta:
                return score
    for _, _, after, safe in children:
        best = max(best, -search(other, after, safe, ply + 1, 1 - beta))
        if best >= beta:
            break
    TABLE[key] = (best, high) if best >= beta else (low, best)
    return best


class Root:
    """The moves of a position to be searched, the best known first, and the bounds of its score."""

    def __init__(self, own, stones, moves):
        self.own = own
        self.stones = stones
        self.ply = stones.bit_count()
        self.moves = list_moves(own, stones, moves)
        self.low = least_of(self.ply)
        self.high = most_of(self.ply)

    def find_move(self, beta):
        """Searches for a move that scores `beta` or more."""
        if beta <= self.low or beta > self.high:
            return
        best = self.low
        for move in self.moves:
            _, _, after, safe = move
            score = most_of(self.ply)
            if safe:
                score = -search(self.own ^ self.stones, after, safe, self.ply + 1, 1 - beta)
            best = max(best, score)
            if score >= beta:
                self.low = score
                self.moves.remove(move)
                self.moves.insert(0, move)
                return
        self.high = best

    def search(self):
        """Finds the best move. Results that come soon are cheap to find, so they come first. The next
        question is whether the game is won, drawn or lost, and then how soon."""
        most = self.high
        least = self.low
        stones = 0
        while self.low < self.high:
            if stones == 4:
                self.find_move(1)
                self.find_move(0)
                if OUTCOMES_ONLY:
                    break
            self.find_move(most - stones)
            self.find_move(least + stones + 1)
            stones += 1


def column_of(cells):
    """The column of the lowest cell."""
    return ((cells & -cells).bit_length() - 1) // RISE


def search_move(own, stones):
    """The column of the best move."""
    empty = BOARD ^ stones
    legal = stones + BOTTOM & BOARD
    wins = completing(own) & legal
    if wins:
        return column_of(wins)
    other_threats = completing(own ^ stones) & empty
    moves = safe_moves(legal, other_threats)
    if not moves:
        # Lost at once: block at least one threat.
        return column_of(legal & other_threats or legal)
    root = Root(own, stones, moves)
    if len(TABLE) > MOST_KEPT:
        TABLE.clear()
    try:
        if len(root.moves) > 1:
            root.search()
    except TimeIsUp:
        pass
    return column_of(root.moves[0][2] ^ stones)


# ---- The bot ------------------------------------------------------------------------------------

STRATEGIES = {}


def choose(own, stones):
    """The column, from 0, of the best move in a position."""
    Clock.deadline = perf_counter() + TIME_LIMIT
    player = stones.bit_count() % 2
    if player not in STRATEGIES:
        STRATEGIES[player] = Strategy(*(SECOND if player else FIRST), player)
    column = STRATEGIES[player].find(own, stones)
    return search_move(own, stones) if column is None else column


def best_move(moves):
    """The column, from 1, of the best move after a game."""
    no_game = ValueError(f"expected a game that goes on, such as '44', found {moves!r}")
    if not isinstance(moves, str):
        raise no_game
    own = stones = 0
    for name in moves.lower():
        if name in BLANKS:
            continue
        column = COLUMN_NAMES.find(name)
        cell = stones + BOTTOM & COLUMNS[column] if 0 <= column < WIDTH else 0
        if not cell or completing(own) & cell:
            raise no_game
        own ^= stones
        stones |= cell
    if stones == BOARD:
        raise no_game
    return choose(own, stones) + 1


def main():
    """The program: answers the lines of standard input."""
    status = 0
    for line in sys.stdin:
        try:
            print(COLUMN_NAMES[best_move(line.rstrip("\n")) - 1], flush=True)
        except ValueError as error:
            print(flush=True)
            print(f"bot: {error}", file=sys.stderr)
            status = 1
    sys.exit(status)


def part_of(source, name):
    """A value by its name, as Kaggle passes it: in a dictionary, or as an attribute."""
    return source[name] if isinstance(source, dict) else getattr(source, name)


# Kaggle takes the last function of the file.
def agent(observation, configuration):
    """The column, from 0, of the best move in Kaggle's ConnectX."""
    size = part_of(configuration, "columns"), part_of(configuration, "rows")
    if size != (WIDTH, HEIGHT):
        raise ValueError(f"expected a board of {WIDTH}x{HEIGHT}, found {size[0]}x{size[1]}")
    mark = part_of(observation, "mark")
    own = stones = 0
    # Row by row, the highest one first.
    for place, stone in enumerate(part_of(observation, "board")):
        row, column = divmod(place, WIDTH)
        cell = 1 << RISE * column + HEIGHT - 1 - row
        stones |= cell if stone else 0
        own |= cell if stone == mark else 0
    return choose(own, stones)


if __name__ == "__main__":
    main()
