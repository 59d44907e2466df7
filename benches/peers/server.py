"""Servers that run on this machine for as long as a script asks them."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from tools import Failure


class Server:
    """A program that answers HTTP and prints its address, such as `fourbook serve`."""

    def __init__(self, command: Sequence[object], log: Path, **options) -> None:
        """Starts a command and waits for its address. All that it prints goes to the file
        `log`; the options are those of `subprocess.Popen`."""
        arguments = [str(part) for part in command]
        with log.open("w") as output:
            try:
                self.process = subprocess.Popen(arguments, stdout=output, stderr=output, **options)
            except OSError as error:
                raise Failure(f"cannot start '{arguments[0]}': {error.strerror}") from None
        try:
            found = self._wait_for_address(arguments[0], log)
        except BaseException:
            self.stop()
            raise
        self.address = found.group()
        self.host, self.port = found[1], int(found[2])

    def _wait_for_address(self, name: str, log: Path) -> re.Match:
        while not (found := re.search(r"http://([0-9.]+):([0-9]+)", log.read_text())):
            if self.process.poll() is not None:
                said = log.read_text().strip() or "without a word"
                raise Failure(f"'{name}' ended and serves nothing: {said}")
            time.sleep(0.05)
        return found

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> int:
        """Ends the server, as service managers do; returns its exit code."""
        self.process.terminate()
        return self.process.wait()
