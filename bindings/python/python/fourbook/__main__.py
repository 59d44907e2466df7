"""Prints the scores of a position: `python -m fourbook 4453`."""

from __future__ import annotations

import argparse
import json
import sys

from fourbook import Error, Oracle, Position, __version__


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fourbook", description="Print the scores of a Connect Four position."
    )
    parser.add_argument("position", nargs="?", default="", help="moves or a diagram, such as 4453")
    parser.add_argument("--size", help="the board [default: that of a diagram, or 7x6]")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="stop a longer search")
    parser.add_argument("--json", action="store_true", help="print the analysis as JSON")
    parser.add_argument("--version", action="version", version=f"fourbook {__version__}")
    arguments = parser.parse_args()
    try:
        position = Position(arguments.position, size=arguments.size)
        analysis = Oracle(size=position.size).analyse(position, timeout=arguments.timeout)
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if arguments.json:
        print(json.dumps(analysis.to_dict()))
        return 0
    print(position)
    print(*("." if score is None else score for score in analysis.scores))
    best = ", ".join(str(column + 1) for column in analysis.best_moves)
    print(f"{analysis.outcome}, score {analysis.score}, best moves {best or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
