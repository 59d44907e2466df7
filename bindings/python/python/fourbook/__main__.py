"""The program `fourbook`, also as `python -m fourbook`."""

from __future__ import annotations

import signal
import sys

from fourbook._fourbook import run_program


def main() -> int:
    # Ctrl-C ends the program at once, like other programs; Python would only set a flag.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(["fourbook", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
