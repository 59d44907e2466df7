"""Shared code of the scripts that compare fourbook with other programs."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HARNESSES = ROOT / "benches" / "peers"
WORK = ROOT / "target" / "peers"


class Failure(Exception):
    """An error for the user."""


def say(message: str) -> None:
    print(f"{Path(sys.argv[0]).name}: {message}", file=sys.stderr, flush=True)


def run_tool(command: Sequence[str], purpose: str, **options) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, check=True, **options)
    except FileNotFoundError:
        raise Failure(f"cannot {purpose}: '{command[0]}' is not installed") from None
    except subprocess.CalledProcessError as error:
        raise Failure(f"cannot {purpose}: exit code {error.returncode}, see above") from None


def cargo_build(
    name: str,
    package: Path,
    target_dir: Path | None = None,
    arguments: Sequence[str] = (),
    profile: str = "release",
) -> str:
    """Builds a package with these arguments for cargo; returns the path of its program."""
    say(f"building {name}")
    command = ["cargo", "build", "--profile", profile, "--locked"]
    command += ["--message-format", "json-render-diagnostics", *arguments]
    if target_dir is not None:
        command += ["--target-dir", str(target_dir)]
    built = run_tool(command, f"build {name}", cwd=package, stdout=subprocess.PIPE, text=True)
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and message["executable"]:
            return message["executable"]
    raise Failure(f"cannot build {name}: cargo names no program")


def output_of(command: Sequence[str]) -> str:
    """The output of a command; empty if it fails."""
    try:
        done = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def bitbully_python() -> tuple[Path, str]:
    """Installs BitBully and its databases into a venv; returns the venv's Python
    and BitBully's version."""
    if sys.version_info < (3, 10):
        raise Failure(
            f"BitBully needs Python 3.10 or later and this is {platform.python_version()}"
        )
    requirements = HARNESSES / "bitbully" / "requirements.txt"
    wanted = f"{requirements.read_text()}python {sys.version}\n"
    venv = WORK / "bitbully"
    python = venv / "bin" / "python"
    # Written last, so an installation that was interrupted starts again.
    stamp = venv / "installed"
    if not stamp.is_file() or stamp.read_text() != wanted:
        say("installing BitBully")
        run_tool(
            [sys.executable, "-m", "venv", "--clear", str(venv)],
            "make a venv for BitBully (Debian has it in the package python3-venv)",
            stdout=sys.stderr,
        )
        command = [str(python), "-m", "pip", "install", "--disable-pip-version-check"]
        command += ["--no-deps", "--only-binary", ":all:", "--requirement", str(requirements)]
        run_tool(command, "install BitBully", stdout=sys.stderr)
        stamp.write_text(wanted)
    match = re.search(r"^bitbully==(\S+)$", wanted, re.MULTILINE)
    if match is None:
        raise Failure(f"{requirements.name} does not pin bitbully")
    return python, match[1]


# Reports


def duration(seconds: float) -> str:
    if seconds < 1:
        return f"{significant(seconds * 1000)} ms"
    return f"{significant(seconds)} s"


def shown(text: str) -> str:
    """Quotes foreign text, on one line and shortened."""
    quoted = repr(text)
    return quoted if len(quoted) <= 80 else f"{quoted[:76]}...{quoted[-1]}"


def significant(number: float) -> str:
    """Three significant digits, but all digits before the point."""
    decimals = 2 if number < 9.995 else 1 if number < 99.95 else 0
    return f"{number:,.{decimals}f}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table that is readable as it stands."""
    cells = [list(header), *map(list, rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = [
        "| "
        + " | ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths))
        )
        + " |"
        for row in cells
    ]
    rule = "|" + "|".join("-" * (w + 1) + (":" if i else "-") for i, w in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def write_beside(path: Path, text: str) -> None:
    """Writes a file that appears only when it is complete."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(path.name + ".new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise Failure(f"cannot write '{path}': {error.strerror}") from None


def cpu_model() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    match = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    model = match[1] if match else output_of(["sysctl", "-n", "machdep.cpu.brand_string"])
    return model or f"unknown {platform.machine()} processor"


def cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine() -> str:
    """The machine and the date of the measurement."""
    date = datetime.datetime.now(datetime.timezone.utc).date()
    rustc = " ".join(output_of(["rustc", "--version"]).split()[:2])
    facts = [
        f"{cpu_model()}, {cores()} logical processors",
        f"{platform.system()} {platform.machine()}",
        rustc or "rustc unknown",
        f"Python {platform.python_version()}",
        str(date),
    ]
    return "; ".join(facts)


# The command line


def at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


at_least_one.__name__ = "number"
