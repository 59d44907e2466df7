"""Shards, books and jobs with a store on loopback; deploy/test/test-solve-shard says more. The arguments
are the program and a folder to work in."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import yaml
from proxy import Proxy, Store

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches/peers"))
from server import Server  # noqa: E402
from tools import Failure  # noqa: E402

SCRIPT = ROOT / "deploy/solve-shard"
SIZE, DEPTH, SHARDS = "6x5", 10, 4
BOOK = ["--size", SIZE, "--depth", str(DEPTH)]
SMALL = {"size": "5x4", "depth": "6"}
SMALL_BOOK = [f"--{name}={value}" for name, value in SMALL.items()]
COPY = ".checkpoint.gz"


def require(holds: bool, text: str) -> None:
    if not holds:
        raise Failure(text)


class Test:
    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder = program, folder
        self.store = Store()
        self.proxy = Proxy(self.store)
        self.store.put("/games", b"")
        self.machines = 0

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of a new machine, which shares only the proxy with others."""
        self.machines += 1
        machine = self.folder / f"machine-{self.machines}"
        machine.mkdir()
        return {
            "PATH": f"{ROOT / 'deploy'}:{os.environ['PATH']}",
            "HOME": str(machine),
            "TMPDIR": str(machine),
            "FOURBOOK": self.program,
            "COPY_EVERY": "1",
            "RCLONE_CONFIG_STORE_TYPE": "s3",
            "RCLONE_CONFIG_STORE_PROVIDER": "Other",
            "RCLONE_CONFIG_STORE_ENDPOINT": self.proxy.address,
            "RCLONE_CONFIG_STORE_ACCESS_KEY_ID": "test",
            "RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY": "test",
            **more,
        }

    def start(self, *command: object, **more: str) -> subprocess.Popen:
        """Starts a command on a new machine, in a process group of its own."""
        return subprocess.Popen(
            [str(part) for part in command],
            env=self.environment(**more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *command: object, code: int = 0, **more: str) -> str:
        """Runs a command that must end with this code; returns its output and its errors."""
        return end(self.start(*command, **more), code)

    def shard(self, index: int, prefix: str, *more: str) -> list[object]:
        options = [*BOOK, "--threads", "1", "--memory", "16M", *more]
        return [SCRIPT, f"{index}/{SHARDS}", f"store:games/{prefix}", *options]

    def merged(self, prefix: str) -> bytes:
        """The book of the parts below a prefix, as the README makes it."""
        parts, out = self.folder / f"{prefix}.parts", self.folder / f"{prefix}.book"
        self.run("rclone", "copy", f"store:games/{prefix}", parts, "--include", "*.part")
        self.run(self.program, "merge", parts, "--out", out)
        return out.read_bytes()


def end(process: subprocess.Popen, code: int = 0) -> str:
    out, errors = process.communicate(timeout=300)
    require(
        process.returncode == code,
        f"{' '.join(process.args)}: expected exit code {code}, found {process.returncode}: {errors}",
    )
    return out + errors


def contains(text: str, *expected: str) -> None:
    for each in expected:
        require(each in text, f"expected '{each}' in: {text}")


def part(index: int, prefix: str) -> str:
    return f"/games/{prefix}/{SIZE}-d{DEPTH}.{index}-of-{SHARDS}.part"


def solved(checkpoint: bytes) -> int:
    """How many scores a checkpoint has: in the last record of each block, after two headers."""
    blocks = {}
    for start in range(128, len(checkpoint) - 63, 64):
        record = checkpoint[start : start + 64]
        blocks[record[:8]] = 24 - record[36:60].count(0)
    return sum(blocks.values())


def wait_until(holds, what: str, seconds: float = 120) -> None:
    give_up = time.monotonic() + seconds
    while not holds():
        require(time.monotonic() < give_up, f"{what} did not happen in {seconds} s")
        time.sleep(0.05)


def child(process: subprocess.Popen) -> int | None:
    """The `generate` that a script has started."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process.pid and b"\0generate\0" in (folder / "cmdline").read_bytes():
                return int(folder.name)
        except OSError:
            pass  # It has ended.
    return None


def solved_on(test: Test, machine: int) -> int:
    """How many scores the checkpoint on a machine has."""
    folder = test.folder / f"machine-{machine}"
    return sum(solved(path.read_bytes()) for path in folder.glob("tmp.*/*.checkpoint"))


def hold(test: Test, process: subprocess.Popen) -> None:
    """Stops the program on the newest machine once it has scores, so that no machine is too fast."""
    wait_until(lambda: solved_on(test, test.machines) > 50, "a score")
    os.kill(child(process), signal.SIGSTOP)


def shards_with_kills(test: Test, whole: bytes) -> None:
    """Four at once, each stopped in the middle and resumed on a new machine: one loses its machine,
    one its program, one its script, and one is asked to end. The store fails now and then."""
    test.proxy.faults = 6

    def begin(index: int) -> subprocess.Popen:
        # The last copies its checkpoint only when it is asked to end.
        return test.start(*test.shard(index, "parts"), COPY_EVERY="3600" if index == 4 else "1")

    def copied(index: int) -> int:
        copy = test.store.get(part(index, "parts") + COPY)
        return 0 if copy is None else solved(gzip.decompress(copy))

    first = test.machines
    running = {}
    for index in range(1, SHARDS + 1):
        running[index] = begin(index)
        # The last has to end by itself.
        if index != 4:
            hold(test, running[index])
    left, orphans = set(running), []

    def stop_in_the_middle() -> bool:
        for index in sorted(left):
            process = running[index]
            require(process.poll() is None, f"shard {index} was solved too soon")
            if (solved_on(test, first + index) if index == 4 else copied(index)) <= 50:
                continue
            left.remove(index)
            if index == 1:
                os.killpg(process.pid, signal.SIGKILL)
            elif index == 2:
                os.kill(child(process), signal.SIGKILL)
            elif index == 3:
                orphans.append(child(process))
                process.kill()
                os.kill(orphans[0], signal.SIGCONT)
            else:
                process.terminate()
        return not left

    wait_until(stop_in_the_middle, "a score of every shard")
    # Where the script lives on, it copies once more.
    end(running[1], -signal.SIGKILL)
    end(running[2], 128 + signal.SIGKILL)
    contains(end(running[4], 130), "interrupted")
    counts = {index: copied(index) for index in running}
    require(min(counts.values()) > 50, f"a copy was not written: {counts}")

    running = {index: begin(index) for index in running}
    for index, process in running.items():
        text = end(process)
        found = re.search(r"([\d,]+) of them found in the checkpoint", text)
        require(found is not None, f"shard {index} did not resume: {text}")
        number = int(found[1].replace(",", ""))
        require(number >= counts[index], f"{number} scores found, {counts[index]} were copied")
    # The program without its script did no harm.
    for pid in orphans:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    shutil.rmtree(test.folder / f"machine-{first + 3}")
    for index in running:
        require(test.store.get(part(index, "parts")) is not None, f"part {index} is not there")
        for copy in (COPY, COPY + ".old"):
            there = test.store.get(part(index, "parts") + copy)
            require(there is None, f"the checkpoint of shard {index} was left")
    test.proxy.faults = 0
    missing = [kind for kind, times in test.proxy.happened.items() if times == 0]
    require(not missing, f"not tested: {', '.join(missing)}")
    require(test.merged("parts") == whole, "the merged book is not that of one run")


def damaged_copies(test: Test) -> None:
    """A copy that is cut or changed is not used, but the one before it; one of another book is
    refused."""
    name = part(2, "copies") + COPY
    process = test.start(*test.shard(2, "copies"))
    hold(test, process)
    wait_until(lambda: solved(gzip.decompress(test.store.get(name) or b"")) > 50, "a copy")
    os.killpg(process.pid, signal.SIGKILL)
    end(process, -signal.SIGKILL)
    good = test.store.get(name)
    expected = gzip.decompress(good)

    chosen = random.Random(1)
    copies = [good[: chosen.randrange(len(good))] for _ in range(50)]
    for _ in range(200):
        changed = bytearray(good)
        changed[chosen.randrange(len(good))] ^= 1 << chosen.randrange(8)
        copies.append(bytes(changed))
    refused = 0
    for copy in copies:
        read = subprocess.run(["gzip", "-dc"], input=copy, capture_output=True)
        if read.returncode:
            refused += 1
            continue
        # Of the first ten bytes, some say nothing about the content.
        require(read.stdout == expected, "a changed copy was read")
    require(refused > 200, f"only {refused} of {len(copies)} damaged copies were refused")

    test.store.put(name, good[: len(good) // 2])
    test.store.put(name + ".old", good)
    text = test.run(*test.shard(2, "copies"))
    contains(text, "is damaged and not used", "found in the checkpoint")
    require(scores(test, "copies") == scores(test, "parts"), "the part has other scores")

    # Without a whole copy, the shard is solved from the start.
    damaged = "/games/small/5x4-d6.1-of-2.part" + COPY
    test.store.put(damaged, good[:99])
    test.store.put(damaged + ".old", b"")
    small = [SCRIPT, "1/2", "store:games/small", *SMALL_BOOK]
    contains(test.run(*small), "is damaged and not used", "solved in")

    other = [each if each != str(DEPTH) else "8" for each in test.shard(2, "foreign")]
    name = part(2, "foreign").replace(f"-d{DEPTH}", "-d8")
    test.store.put(name + COPY, good)
    text = test.run(*other, code=1)
    contains(text, "it is for something else", f"depth {DEPTH}", "depth 8")


def scores(test: Test, prefix: str) -> bytes:
    found = test.store.get(part(2, prefix))
    return found[-int.from_bytes(found[50:58], "little") :]


def parts_that_are_there(test: Test) -> None:
    """A good part is kept, a damaged one is made again, other files are refused."""
    before, written = test.store.get(part(2, "parts")), len(test.proxy.written)
    contains(test.run(*test.shard(2, "parts")), "solved already", "nothing to do")
    require(test.store.get(part(2, "parts")) == before, "a good part was made again")
    require(len(test.proxy.written) == written, "a good part was uploaded again")
    damaged = before[:-9] + bytes([before[-9] ^ 1]) + before[-8:]
    test.store.put(part(2, "damaged"), damaged)
    contains(test.run(*test.shard(2, "damaged")), "is damaged")
    require(scores(test, "damaged") == scores(test, "parts"), "a damaged part was kept")
    test.store.put(part(2, "notes"), b"my own notes")
    contains(test.run(*test.shard(2, "notes"), code=1), "is no part that this program can read")
    require(test.store.get(part(2, "notes")) == b"my own notes", "foreign notes were replaced")


# Runs the tasks of a job one after the other, as Slurm runs them on its nodes.
SBATCH = r"""#!/usr/bin/env python3
import os, subprocess, sys

at = next(i for i, each in enumerate(sys.argv) if i and not each.startswith("--"))
options = dict(each[2:].partition("=")[::2] for each in sys.argv[1:at])
first, _, last = options.get("array", "1").partition("-")
with open(options["output"].replace("%a", "all"), "a") as log:
    for task in range(int(first), int(last or first) + 1):
        subprocess.run(
            sys.argv[at:], check=True, stdout=log, stderr=log,
            env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task), "SLURM_CPUS_PER_TASK": "1"},
        )
print(7)
"""


def jobs(test: Test, whole: bytes) -> None:
    """The jobs for Kubernetes, AWS Batch and Slurm make the book of one run."""
    text = (ROOT / "deploy/kubernetes/shards-to-bucket.yaml").read_text(encoding="utf-8")
    manifest = yaml.safe_load(text)
    pod = manifest["spec"]["template"]["spec"]
    (container,), (volume,) = pod["containers"], pod["volumes"]
    (mount,) = container["volumeMounts"]
    require(mount["name"] == volume["name"] and "emptyDir" in volume, "it mounts another volume")
    require(mount["mountPath"] == "/tmp", "it works elsewhere than on its volume")
    command = [*container["command"], *container["args"]]
    require(str(manifest["spec"]["completions"]) in command, "the command has other completions")
    changes = {"64": "4", "store:BUCKET/7x6-d12": "store:games/kubernetes"}
    changes |= {"--size=7x6": SMALL_BOOK[0], "--depth=12": SMALL_BOOK[1]}
    require(changes.keys() <= set(command), f"expected {list(changes)} in {command}")
    for index in range(4):
        pods = [changes.get(each, each) for each in command]
        test.run(*pods, JOB_COMPLETION_INDEX=str(index))
    require(test.merged("kubernetes") == whole, "the book of Kubernetes is not that of one run")

    text = (ROOT / "deploy/aws-batch/job-definition.json").read_text(encoding="utf-8")
    definition = json.loads(text)
    parameters = {**SMALL, "shards": "4", "destination": "store:games/batch"}
    require(parameters.keys() == definition["parameters"].keys(), "there are other parameters")
    values = {f"Ref::{name}": value for name, value in parameters.items()}
    for index in range(4):
        command = [values.get(each, each) for each in definition["containerProperties"]["command"]]
        test.run(*command, AWS_BATCH_JOB_ARRAY_INDEX=str(index))
    require(test.merged("batch") == whole, "the book of AWS Batch is not that of one run")

    programs = test.folder / "bin"
    programs.mkdir()
    scontrol = "#!/bin/sh\necho 'MaxArraySize = 1001'\n"
    for name, content in (("sbatch", SBATCH), ("scontrol", scontrol)):
        (programs / name).write_text(content)
        (programs / name).chmod(0o755)
    out = test.folder / "slurm.book"
    command = [ROOT / "deploy/slurm/submit", *SMALL_BOOK, "--shards=3", "--parts=store:games/slurm"]
    command += [f"--out={out}", "--threads=1", "--memory=64", f"--program={test.program}"]
    text = test.run(*command, PATH=f"{programs}:{os.environ['PATH']}")
    contains(text, "3 of 3 shards (1-3)", f"{out}.logs/shard-*.log")
    require(out.read_bytes() == whole, "the book of Slurm is not that of one run")


def served(test: Test) -> None:
    """A server with --watch sees a book that rclone renews, and keeps the old one if that is bad.
    Answers during the transfer are those of one of the books."""
    books = {depth: (ROOT / f"books/7x6-d{depth}.book").read_bytes() for depth in (8, 12)}
    address, local = "/games/books/served.book", test.folder / "served.book"

    def renew(book: bytes) -> None:
        test.store.put(address, book)
        test.run("rclone", "copyto", "store:games/books/served.book", f"{local}.new")
        Path(f"{local}.new").replace(local)

    renew(books[8])
    command = [test.program, "serve", "--book", local, "--watch", "--bind", "127.0.0.1:0"]
    log = test.folder / "serve.log"
    with Server([*command, "--threads", "1"], log) as server:

        def get(path: str) -> dict:
            with urllib.request.urlopen(server.address + path, timeout=30) as answer:
                return json.loads(answer.read())

        require(get("/v1/book")["depth"] == 8, "it serves another book")
        score = get("/v1/position?moves=4453")["score"]

        def has(depth: int) -> bool:
            require(get("/v1/position?moves=4453")["score"] == score, "another score")
            return get("/v1/book")["depth"] == depth

        renew(books[12])
        wait_until(lambda: has(12), "the new book")
        renew(b"no book")
        wait_until(lambda: "stay in use" in log.read_text(), "an error")
        require(has(12), "the old book did not stay in use")
        renew(books[8])
        wait_until(lambda: has(8), "the newest book")
        require(server.stop() == 0, "it did not end well")


def errors(test: Test) -> None:
    """Each error says what was expected, and has its exit code."""
    contains(test.run(SCRIPT, "1/2", code=2), "expected I/N DESTINATION")
    contains(test.run(SCRIPT, "2", "store:x", code=2), "expected a shard such as 2/64, found '2'")
    contains(test.run(SCRIPT, "3/2", "store:games/x", code=2), "with I from 1 to N")
    contains(test.run(SCRIPT, "1/2", "nowhere:x", code=1), "nowhere", "cannot read 'nowhere:x'")
    contains(test.run(SCRIPT, "1/2", "store:games/x", "--depth", "99", code=2), "expected 0 to")
    text = test.run("/bin/bash", SCRIPT, "1/2", "store:games/x", code=1, PATH="/nowhere")
    contains(text, "rclone is missing")


def timed(name: str, what, *arguments: object) -> None:
    started = time.monotonic()
    what(*arguments)
    print(f"test-solve-shard: {name}: {time.monotonic() - started:.1f} s", flush=True)


def main() -> int:
    program, folder = sys.argv[1], Path(sys.argv[2])
    test = Test(os.path.realpath(program), folder)
    try:
        whole, small = folder / "whole.book", folder / "small.book"
        timed("errors", errors, test)
        test.run(test.program, "generate", *SMALL_BOOK, "--out", small)
        timed("jobs", jobs, test, small.read_bytes())
        test.run(test.program, "generate", *BOOK, "--out", whole)
        timed("shards with kills", shards_with_kills, test, whole.read_bytes())
        timed("damaged copies", damaged_copies, test)
        timed("parts that are there", parts_that_are_there, test)
        timed("server", served, test)
        left = [str(path) for path in folder.glob("machine-*/tmp.*/*.part")]
        require(not left, f"a script that ended has left {left}")
    except (Failure, subprocess.SubprocessError) as failure:
        print(f"test-solve-shard: error: {failure}", file=sys.stderr)
        return 1
    finally:
        test.proxy.stop()
        test.store.stop()
    print("test-solve-shard: parts, checkpoints and books go through a store that fails now and then")
    return 0


if __name__ == "__main__":
    sys.exit(main())
