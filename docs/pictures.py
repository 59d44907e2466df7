#!/usr/bin/env python3
"""Draws the diagrams of the guide into src/pictures; run it again after a change."""

from pathlib import Path

FOLDER = Path(__file__).parent / "src" / "pictures"
STYLE = """
text { font: 14px system-ui, sans-serif; fill: #1f2328; }
.small { font-size: 12px; } .bold { font-weight: 600; } .mono { font-family: monospace; }
.faint { fill: #59636e; }
.page { fill: #ffffff; }
.box { fill: #f6f8fa; stroke: #8c959f; }
.blue { fill: #ddf4ff; stroke: #0969da; }
.green { fill: #dafbe1; stroke: #1a7f37; }
.amber { fill: #fff8c5; stroke: #9a6700; }
.dashed { stroke-dasharray: 4 3; }
.line { stroke: #59636e; stroke-width: 1.5; fill: none; }
.head { fill: #59636e; }
.x { fill: #bf8700; } .o { fill: #cf222e; } .letter { fill: #ffffff; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.faint { fill: #9198a1; }
.page { fill: #0d1117; }
.box { fill: #151b23; stroke: #656c76; }
.blue { fill: #0c2d6b; stroke: #4493f8; }
.green { fill: #0f3d1e; stroke: #3fb950; }
.amber { fill: #4b2900; stroke: #d29922; }
.line { stroke: #9198a1; }
.head { fill: #9198a1; }
.x { fill: #9e6a03; } .o { fill: #da3633; }
}"""


class Picture:
    """An SVG file with its own background, for pages in light and dark."""

    def __init__(self, name, width, height, title):
        self.name, self.title, self.parts = name, title, []
        self.size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        self.rect(0, 0, width, height, "page")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {self.size} role="img">'
        arrow = (
            '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            'markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker>'
        )
        body = "\n".join(self.parts)
        text = f"{head}\n<title>{self.title}</title>\n<style>{STYLE}\n</style>\n{arrow}\n{body}\n</svg>\n"
        (FOLDER / f"{self.name}.svg").write_text(text)

    def rect(self, x, y, width, height, style="box", radius=4):
        """Draws a box."""
        radius = 0 if style == "page" else radius
        self.parts.append(
            f'<rect class="{style}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>'
        )

    def text(self, x, y, words, style="", anchor="middle"):
        """Writes words; y is the middle of the line."""
        self.parts.append(
            f'<text class="{style}" x="{x}" y="{y + 5}" text-anchor="{anchor}">{words}</text>'
        )

    def lines(self, x, y, words, style="", anchor="start", step=18):
        """Writes lines below one another."""
        for index, line in enumerate(words):
            self.text(x, y + step * index, line, style, anchor)

    def box(self, x, y, width, height, words, style="box"):
        """Draws a box with centred lines of words; the first line is bold."""
        self.rect(x, y, width, height, style)
        top = y + height / 2 - 9 * (len(words) - 1)
        for index, line in enumerate(words):
            self.text(x + width / 2, top + 18 * index, line, "small" if index else "bold")

    def arrow(self, *points, style="line", head=True):
        """Draws a line from point to point."""
        path = "M" + "L".join(f"{x} {y}" for x, y in points)
        end = ' marker-end="url(#head)"' if head else ""
        self.parts.append(f'<path class="{style}" d="{path}"{end}/>')

    def stone(self, x, y, player, radius=15):
        """Draws a stone with the letter of its player."""
        self.parts.append(f'<circle class="{player.lower()}" cx="{x}" cy="{y}" r="{radius}"/>')
        self.text(x, y, player, "letter bold")

    def board(self, x, y, rows, marks=(), step=36):
        """Draws a board, its top row first; marks are (column, row, words, style) from 1."""
        for index, row in enumerate(rows):
            for column, cell in enumerate(row):
                self.rect(x + step * column, y + step * index, step, step, "box", 0)
                if cell in "XO":
                    self.stone(x + step * (column + 0.5), y + step * (index + 0.5), cell)
        for column, row, words, style in marks:
            left, top = x + step * (column - 1), y + step * (len(rows) - row)
            self.rect(left + 2, top + 2, step - 4, step - 4, style)
            self.text(left + step / 2, top + step / 2, words, "bold")


def scores():
    """The score of each move, and what scores mean."""
    with Picture("scores", 760, 360, "The position after the moves 4453, with the score of each move") as p:
        p.text(168, 24, "4453, X to move: a score for each move", "bold")
        p.board(42, 88, [".......", ".......", ".......", ".......", "...O...", "..OXX.."])
        for column, score in enumerate([-5, -5, -2, -3, -4, -2, -2]):
            p.rect(44 + 36 * column, 50, 32, 28, "green" if score == -2 else "box")
            p.text(60 + 36 * column, 64, f"{score}", "bold" if score == -2 else "")
            p.text(60 + 36 * column, 318, str(column + 1), "small faint")
        p.text(552, 24, "scores on 7x6, for the side to move", "bold")
        for index, (score, words, style) in enumerate([
            ("18", "wins with its 4th stone", "green"),
            ("...", "the later the win, the smaller", "green"),
            ("1", "wins with its 21st and last stone", "green"),
            ("0", "draw: the board fills up", "box"),
            ("-1", "loses to the opponent's last stone", "amber"),
            ("-2", "loses to the stone before that one", "amber"),
            ("...", "the sooner the loss, the smaller", "amber"),
        ]):
            y = 50 + 36 * index
            p.rect(372, y, 52, 28, style)
            p.text(398, y + 14, score, "bold")
            p.text(436, y + 14, words, "", "start")
        p.text(42, 342, "Green: the best moves, which lose as late as possible.", "small", "start")


def key():
    """The bits of a board, and of a key."""
    with Picture("key", 760, 376, "The bits of a 7x6 board, and the key of a position") as p:
        stones = {(3, 0): "O", (4, 0): "X", (4, 1): "O", (5, 0): "X"}
        p.text(168, 24, "bits of the cells, after the moves 4453", "bold")
        p.text(592, 24, "the key: mover + mask + bottom", "bold")
        heights = {3: 1, 4: 2, 5: 1}
        for column in range(1, 8):
            for row in range(7):
                x, y = 28 + 40 * (column - 1), 44 + 40 * (6 - row)
                p.rect(x, y, 40, 40, "box dashed" if row == 6 else "box", 0)
                number = 7 * (column - 1) + row
                if (column, row) in stones:
                    p.stone(x + 20, y + 20, stones[column, row], 16)
                else:
                    p.text(x + 20, y + 20, str(number), "small faint")
                x += 424
                top = heights.get(column, 0)
                bit = int(row == top or stones.get((column, row)) == "X")
                style = "amber" if row == top else "blue" if row < top else "box"
                p.rect(x, y, 40, 40, style, 0)
                p.text(x + 20, y + 20, str(bit), "mono bold" if row <= top else "mono faint")
        p.lines(28, 342, ["Dashed: a guard bit on top of each column, always 0.",
                          "The guard bits keep lines from wrapping around."], "small")
        p.lines(452, 342, ["Blue: stones, 1 for the side to move (X).",
                           "Amber: a 1 on top marks the height."], "small")


def windows():
    """Null windows on the scale of scores."""
    with Picture("windows", 760, 250, "Null windows on the way to the score -2") as p:
        def place(score):
            return 400 + 60 * score
        p.text(380, 22, "null windows on the way to the score of 4453: -2", "bold")
        questions = [(1, "1: at least 1?", "no"), (0, "2: at least 0?", "no"),
                     (-1, "3: at least -1?", "no"), (-2, "4: at least -2?", "yes")]
        low, high = -4, 4
        for index, (beta, words, answer) in enumerate(questions):
            y = 48 + 34 * index
            p.text(20, y + 11, words, "", "start")
            p.rect(place(low) - 24, y, 60 * (high - low) + 48, 22, "box")
            if answer == "no":
                high = beta - 1
            else:
                low = beta
            p.rect(place(low) - 24, y, 60 * (high - low) + 48, 22, "green" if low == high else "blue")
            p.text(736, y + 11, answer, "bold", "end")
        for score in range(-4, 5):
            p.text(place(score), 196, f"{score:+d}" if score else "0", "mono")
        p.text(place(-3), 220, "loss", "small faint")
        p.text(place(0), 220, "draw", "small faint")
        p.text(place(3), 220, "win for the side to move", "small faint")
        p.text(20, 220, "Blue: scores still possible.", "small", "start")


def threats():
    """Two positions that need no search."""
    left = [".......", ".......", ".......", "O...O..", "X.OXXO.", "XOXOXXO"]
    right = ["....O..", "....X..", "....X..", "..O.X..", ".OX.O..", "XXOOX.O"]
    with Picture("threats", 700, 340, "Two positions whose winner is known without a search") as p:
        p.text(172, 24, "A threat of O in an even row", "bold")
        p.text(512, 24, "A threat of X in an odd row", "bold")
        contested = [(1, 4), (2, 2), (5, 4), (7, 2)]
        p.board(46, 44, left, [(4, 4, "O!", "amber"), *((c, r, "?", "blue") for c, r in contested)])
        p.board(386, 44, right, [(4, 3, "X!", "amber"), (1, 2, "?", "blue"), (3, 4, "?", "blue"),
                                 (7, 2, "?", "blue")])
        for row in range(1, 7):
            p.text(30, 278 - 36 * row, str(row), "small faint")
            p.text(370, 278 - 36 * row, str(row), "small faint")
        p.lines(46, 284, ["Moves 66173352145541, X to move.",
                          "O follows up; X must play below O! in the end.",
                          "Amber: threat. Blue: contested cells."], "small")
        p.lines(386, 284, ["Moves 53352257135455, X to move.",
                           "X follows up; O must play below X! in the end.",
                           "Amber: threat. Blue: contested cells."], "small")


def together():
    """Two threads at one node."""
    with Picture("together", 760, 300, "Two threads search the moves of one node") as p:
        p.text(380, 22, "two threads at one node with the moves a, b, c, d (best first)", "bold")
        p.text(20, 80, "leader", "bold", "start")
        p.text(20, 160, "helper", "bold", "start")
        for x, width, y, words, style in [
            (90, 150, 58, "searches a", "blue"),
            (250, 200, 58, "marks and searches b", "blue"),
            (460, 110, 58, "c: in the table", "green"),
            (580, 140, 58, "d: marked, put off", "box dashed"),
            (90, 150, 138, "searches a", "blue"),
            (250, 70, 138, "b: marked", "box dashed"),
            (330, 100, 138, "searches c", "blue"),
            (440, 170, 138, "marks and searches d", "blue"),
            (620, 110, 138, "b: in the table", "green"),
        ]:
            p.rect(x, y, width, 44, style)
            p.text(x + width / 2, y + 22, words, "small")
        p.arrow((90, 210), (740, 210))
        p.text(415, 226, "time", "small faint")
        p.lines(20, 254, ["Both search a, the first move, and part in the nodes below it.",
                          "Dashed: put off, since the other thread has marked it. Green: the other thread's result."],
                "small")


def slots():
    """The slot of a position of 4x4."""
    with Picture("slots", 760, 400, "The slot of the position after 2334 on 4x4") as p:
        p.text(92, 22, "2334 on 4x4", "bold")
        p.board(20, 42, ["....", "....", "..X.", ".XOO"])
        p.arrow((172, 114), (216, 114))
        p.text(194, 98, "mirror", "small")
        p.board(224, 42, ["....", "....", ".X..", "OOX."])
        p.text(296, 204, "right code 1 &lt; left code 7", "small")
        p.arrow((376, 86), (424, 66))
        p.arrow((376, 142), (424, 162))
        p.box(430, 40, 310, 56, ["heights 1 2 1 0", "number 6 of 19 masks: the mask index"], "blue")
        p.box(430, 136, 310, 56, ["stones O, O X, X: the row 0 0 1 1", "binomial(2, 1) + binomial(3, 2) = 2 + 3 = 5"], "amber")
        p.arrow((585, 196), (585, 228))
        p.text(380, 248, "slot = 6 masks x 6 colourings + 5 = 41", "bold")
        for index in range(19):
            x = 20 + 38 * index
            p.rect(x, 276, 38, 30, "blue" if index == 6 else "box", 0)
            p.text(x + 19, 291, str(index), "small bold" if index == 6 else "small faint")
        p.text(20, 264, "masks of ply 4", "small faint", "start")
        p.arrow((248, 308), (20, 332), head=False)
        p.arrow((286, 308), (476, 332), head=False)
        for rank in range(6):
            x = 20 + 76 * rank
            p.rect(x, 334, 76, 30, "amber" if rank == 5 else "box", 0)
            p.text(x + 38, 349, f"slot {36 + rank}", "small bold" if rank == 5 else "small faint")
        p.text(20, 382, "the six colourings of mask 6, from 1 1 0 0 to 0 0 1 1", "small faint", "start")


def book():
    """The parts of a book file."""
    with Picture("book", 760, 312, "The parts of a book") as p:
        p.text(20, 22, "a book of depth 16 on 7x6: the header, then a section for every second ply", "bold", "start")
        x = 20
        for width, words, style in [(96, "header", "amber"), (30, "0", "box"), (30, "2", "box"), (30, "4", "box"),
                                    (30, "...", "box"), (44, "12", "box"), (150, "14", "box"), (310, "16", "box")]:
            p.rect(x, 40, width, 40, style, 0)
            p.text(x + width / 2, 60, words, "small bold")
            x += width
        p.text(20, 96, "board, depth, plies, checksums", "small faint", "start")
        p.text(740, 96, "ply 16 takes 79 % of the bytes, ply 14 another 17 %", "small faint", "end")
        p.text(20, 140, "flat: a code of fixed width for each slot", "bold", "start")
        for index, words in enumerate(["+4", "-2", "absent", "0", "+7", "absent", "-1", "+2", "..."]):
            p.rect(20 + 80 * index, 156, 80, 28, "box dashed" if words == "absent" else "blue", 0)
            p.text(60 + 80 * index, 170, words, "small")
        p.text(20, 222, "compact: no slots; the codes of all entries are equations", "bold", "start")
        for left, width, words, style in [(20, 150, "lengths of the codes", "amber"), (170, 110, "sizes of segments", "amber"),
                                          (280, 100, "segment 0", "green"), (380, 100, "segment 1", "green"),
                                          (480, 100, "segment 2", "green"), (580, 160, "...", "green")]:
            p.rect(left, 238, width, 28, style, 0)
            p.text(left + width / 2, 252, words, "small")
        p.lines(20, 292, ["Neither form stores a key: the place of a value follows from the position."], "small")


def layers():
    """A lookup in a compact section."""
    with Picture("layers", 760, 480, "A lookup in a compact section") as p:
        p.box(20, 30, 150, 50, ["position"], "amber")
        p.arrow((170, 55), (206, 55))
        p.box(210, 30, 240, 50, ["follow forced moves", "does the score follow?"])
        p.arrow((450, 55), (536, 55))
        p.text(490, 42, "yes, 11 %", "small")
        p.box(540, 30, 200, 50, ["the score", "nothing is stored"], "green")
        p.arrow((330, 80), (330, 116))
        p.text(342, 98, "no, 89 %", "small", "start")
        p.box(210, 120, 240, 50, ["network", "orders the possible scores"])
        p.arrow((330, 170), (330, 206))
        p.box(210, 210, 240, 50, ["prefix code of 128", "chosen by how sure the order is"])
        p.arrow((95, 80), (95, 316))
        p.text(103, 200, "hash of the key", "small", "start")
        p.arrow((330, 310), (330, 264))
        p.text(342, 288, "bits, one by one: a rank in the order", "small", "start")
        p.arrow((450, 235), (640, 235), (640, 84))
        p.text(546, 222, "the score of this rank", "small")
        p.text(20, 332, "one of the 147 segments of ply 12, 65,400 bits on average", "small faint", "start")
        p.rect(20, 346, 720, 30, "blue", 0)
        p.text(380, 361, "layer 0: 96.5 % of the solution bits, too full on purpose", "small")
        p.rect(20, 386, 22, 30, "green", 0)
        p.text(52, 401, "layer 1: 2.9 %, the equations that layer 0 had no room for", "small", "start")
        p.rect(20, 426, 4, 30, "amber", 0)
        p.text(34, 441, "layer 2: 0.5 %, the rest, with room to spare", "small", "start")


def cluster():
    """A book made by many machines."""
    with Picture("cluster", 760, 320, "A book made by many machines") as p:
        p.box(20, 120, 120, 70, ["plan", "positions, hours,", "number of shards"], "amber")
        for index, words in enumerate(["shard 1", "shard 2", "...", "shard 64"]):
            y = 30 + 66 * index
            p.arrow((140, 155), (196, y + 23))
            p.box(200, y, 150, 46, [words, "any machine"] if words != "..." else [words])
            p.arrow((350, y + 23), (386, y + 23))
            p.box(390, y, 110, 46, [words.replace("shard", "part")], "blue")
            p.arrow((500, y + 23), (556, 155))
        p.box(560, 120, 80, 70, ["merge", "checks all"], "amber")
        p.arrow((640, 155), (666, 155))
        p.box(670, 120, 74, 70, ["book"], "green")
        p.lines(20, 302, ["No shard needs another one. A stopped shard resumes from its checkpoint."], "small")


def checks():
    """The checks of a book, and what each covers."""
    with Picture("checks", 760, 400, "From the rules to an answer, and the checks of each step") as p:
        steps = [("rules of the game", ["a second program for the board: slow, plain, no bits", "published counts of positions, ply by ply"]),
                 ("solver", ["a plain minimax: all positions of three small boards", "two other solvers: 2,450 positions of 12 boards"]),
                 ("scores of the deepest ply", ["BitBully's databases: 4,278,614 entries", "ply 14 solved, and derived from ply 16"]),
                 ("plies above it", ["verify --deep derives every value again", "both mirror images give one answer"]),
                 ("book file", ["same bytes for any threads, stops and shards", "every bit flipped, every length cut, fuzzed"]),
                 ("answer", ["a second reader, in Python, from the format's page", "the library answers the same as the solver"])]
        for index, (words, checks_) in enumerate(steps):
            y = 16 + 63 * index
            p.box(20, y, 230, 46, [words], "blue")
            if index + 1 < len(steps):
                p.arrow((135, y + 46), (135, y + 60))
            p.arrow((310, y + 23), (256, y + 23))
            p.lines(320, y + 14, checks_, "small")


ALL = (scores, key, windows, threats, together, slots, book, layers, cluster, checks)

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for draw in ALL:
        draw()
