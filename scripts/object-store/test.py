"""Shards, merges, lookups and the server with a store on loopback; scripts/test-object-store
says more. The arguments are the program and a folder to work in."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import zlib
from pathlib import Path

import yaml
from proxy import Proxy, Store

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/peers"))
from server import Server  # noqa: E402
from tools import Failure  # noqa: E402

SIZE, DEPTH, SHARDS = "5x6", 11, 4
BOOK = ["--size", SIZE, "--depth", str(DEPTH)]
SMALL = {"size": "5x4", "depth": "6"}
SOLVING = [*BOOK, "--threads", "1", "--memory", "16M"]
SMALL_BOOK = [f"--{name}={value}" for name, value in SMALL.items()]


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

    def environment(self, machine: str = "machine", **more: str) -> dict[str, str]:
        """The environment of a program on a machine with its own cache, which can reach only the
        proxy."""
        return {
            "HOME": str(self.folder / machine),
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": self.proxy.address,
            "AWS_ALLOW_HTTP": "true",
            **more,
        }

    def start(self, *arguments: str, machine: str = "machine", **more: str) -> subprocess.Popen:
        environment = self.environment(machine, **more)
        command = [self.program, *arguments]
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def run(self, *arguments: str, code: int = 0, machine: str = "machine", **more: str) -> str:
        """Runs a program that must end with this code; returns its output and its errors."""
        return end(self.start(*arguments, machine=machine, **more), code)

    def shard(self, index: int, prefix: str, *more: str, of: int = SHARDS) -> list[str]:
        shard, out = f"{index}/{of}", f"s3://games/{prefix}"
        return ["generate", *SOLVING, "--shard", shard, "--out", out, *more]

    def new_machine(self) -> str:
        self.machines += 1
        return f"machine-{self.machines}"


def end(process: subprocess.Popen, code: int = 0) -> str:
    out, errors = process.communicate(timeout=180)
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


def solved(checkpoint: bytes | None) -> int:
    """How many scores a checkpoint in the store has."""
    if checkpoint is None:
        return 0
    scores = checkpoint[16 + int.from_bytes(checkpoint[12:16], "little") + 4 :]
    return len(scores) - scores.count(0)


def wait_until(holds, what: str, seconds: float = 60) -> None:
    give_up = time.monotonic() + seconds
    while not holds():
        require(time.monotonic() < give_up, f"{what} did not happen in {seconds} s")
        time.sleep(0.02)


def shards_with_kills(test: Test) -> None:
    """Four at once, each killed in the middle and resumed: two on machines of their own
    that have nothing but the store; a third is asked to end, as spot machines are."""
    test.proxy.faults = 6
    machines = {index: test.new_machine() for index in range(1, SHARDS + 1)}
    # This run uploads its checkpoint only when it is asked to end.
    every = {4: "3600"}

    def begin(index: int) -> subprocess.Popen:
        arguments = test.shard(index, "parts", "--checkpoint-every", every.get(index, "0.2"))
        return test.start(*arguments, machine=machines[index])

    running = {index: begin(index) for index in machines}

    def checkpoint(index: int) -> int:
        return solved(test.store.get(part(index, "parts") + ".checkpoint"))

    def scores_here(index: int) -> int:
        name = part(index, "parts").removeprefix("/games/parts/") + ".checkpoint/scores"
        path = test.folder / machines[index] / ".cache/fourbook/parts/s3/games/parts" / name
        return 0 if not path.exists() else solved(bytes(20) + path.read_bytes())

    left = set(machines)

    def stop_in_the_middle() -> bool:
        for index in sorted(left):
            if (scores_here(index) if index == 4 else checkpoint(index)) > 50:
                running[index].send_signal(signal.SIGTERM if index == 4 else signal.SIGKILL)
                left.remove(index)
            else:
                require(running[index].poll() is None, f"shard {index} was solved too soon")
        return not left

    wait_until(stop_in_the_middle, "a score of every shard")
    for index in (1, 2, 3):
        running[index].communicate()
    text = end(running[4], code=130)
    contains(text, "interrupted", "start it again with: fourbook generate", "--out s3://games/parts")
    require(checkpoint(4) > 50, "the checkpoint was not put when the run was asked to end")

    # The first resumes; the others are on other machines, without any
    # files.
    for index in (2, 3, 4):
        shutil.rmtree(test.folder / machines[index])
        machines[index] = test.new_machine()
    running = {index: begin(index) for index in machines}
    for index, process in running.items():
        text = end(process)
        contains(text, "of them found in the checkpoint", f"shard {index}/{SHARDS}", "solved in")
    for index in machines:
        require(test.store.get(part(index, "parts")) is not None, f"part {index} is not there")
        left = test.store.get(part(index, "parts") + ".checkpoint")
        require(left is None, f"the checkpoint of shard {index} was left")
    test.proxy.faults = 0
    missing = [kind for kind, times in test.proxy.happened.items() if times == 0]
    require(not missing, f"not tested: {', '.join(missing)}")


def merged(test: Test, whole: bytes) -> None:
    """Byte by byte the book of one run, though the store fails now and then."""
    out = test.folder / "merged.book"
    test.proxy.faults = 3
    before = len(test.proxy.requests)
    test.run("merge", "s3://games/parts", "--out", str(out))
    test.proxy.faults = 0
    require(out.read_bytes() == whole, "the merged book is not that of one run")
    ways = {request.method for request in test.proxy.requests[before:]}
    require(ways == {"GET"}, f"merging did more than read: {ways}")


def first_answers_cut(test: Test, book: bytes) -> None:
    """The first answer to every request is cut short, answers about missing objects too."""
    out = test.folder / "cut.book"
    before = len(test.proxy.requests)
    test.proxy.cuts_first = True
    for index in (1, 2):
        shard = ["generate", *SMALL_BOOK, "--shard", f"{index}/2", "--out", "s3://games/cut"]
        test.run(*shard, machine=test.new_machine())
    test.run("merge", "s3://games/cut", "--out", str(out))
    test.proxy.cuts_first = False
    require(out.read_bytes() == book, "the merged book is not that of one run")
    ways = {(request.method, request.status) for request in test.proxy.requests[before:]}
    expected = {("GET", 200), ("GET", 206), ("GET", 404), ("PUT", 200), ("POST", 200)}
    require(expected <= ways, f"not tested: {expected - ways}")


def parts_that_are_there(test: Test) -> None:
    """A good part is kept, a damaged one is made again, other files are refused."""
    before = test.store.get(part(1, "parts"))
    machine = test.new_machine()
    text = test.run(*test.shard(1, "parts"), machine=machine)
    contains(text, "solved already", "nothing to do")
    require(test.store.get(part(1, "parts")) == before, "a good part was made again")
    require(not (test.folder / machine).exists(), "nothing was to do, but there are files")

    for index in (1, 2, 3, 4):
        test.store.put(part(index, "damaged"), test.store.get(part(index, "parts")))
    damaged = before[:-9] + bytes([before[-9] ^ 1]) + before[-8:]
    test.store.put(part(1, "damaged"), damaged)
    test.store.ask("DELETE", part(3, "damaged"))
    out = str(test.folder / "no.book")
    text = test.run("merge", "s3://games/damaged", "--out", out, code=1)
    contains(
        text,
        f"'s3://games/damaged/{SIZE}-d{DEPTH}.1-of-4.part' is damaged: expected",
        "shards 1,3 of 4 are missing in 's3://games/damaged'",
        f"fourbook generate --size {SIZE} --depth {DEPTH} --shard 1/4 --out s3://games/damaged",
    )
    test.run(*test.shard(1, "damaged"))
    mended = test.store.get(part(1, "damaged"))
    scores = int.from_bytes(before[50:58], "little")
    require(mended[-scores:] == before[-scores:], "the damaged part was not made again")

    test.store.put(part(1, "notes"), b"my own notes")
    text = test.run(*test.shard(1, "notes"), code=1)
    contains(text, "is no part that this program can read", "s3://games/notes/")
    require(test.store.get(part(1, "notes")) == b"my own notes", "foreign notes were replaced")


def put_at_once(test: Test) -> None:
    """Two machines that have solved the same shard upload it at the same time."""
    name = part(1, "twice")
    test.proxy.held = (name, threading.Barrier(2))
    arguments = test.shard(1, "twice")
    both = [test.start(*arguments, machine=test.new_machine()) for _ in range(2)]
    texts = sorted(end(process) for process in both)
    test.proxy.held = None
    late = [text for text in texts if "another run has put it meanwhile" in text]
    require(len(late) == 1, f"not one of two came late: {texts}")
    twice, once = test.store.get(name), test.store.get(part(1, "parts"))
    scores = int.from_bytes(once[50:58], "little")
    require(twice[-scores:] == once[-scores:], "what two have put is no good part")


def long_part(test: Test) -> None:
    """A part that is read in several ranges: it claims ten million positions, first with the right
    checksum, then with a wrong one."""
    header = test.store.get(part(1, "parts"))
    start = 16 + int.from_bytes(header[12:16], "little") + 4
    scores = bytes(64 + at % 3 for at in range(30_000)) * 350
    content = bytearray(header[: start - 4])
    content[50:58] = len(scores).to_bytes(8, "little")
    content[86:90] = zlib.crc32(scores).to_bytes(4, "little")
    content += zlib.crc32(content).to_bytes(4, "little")
    out = str(test.folder / "no.book")
    for byte, expected in ((None, "shards 2-4 of 4 are missing"), (9_999_999, "is damaged")):
        changed = bytearray(scores)
        if byte:
            changed[byte] ^= 1
        test.store.put(part(1, "long"), bytes(content) + bytes(changed))
        before = len(test.proxy.requests)
        text = test.run("merge", "s3://games/long", "--out", out, code=1)
        contains(text, expected)
        read = [request for request in test.proxy.requests[before:] if ".part" in request.path]
        require(len(read) == 3, f"expected three ranges, found {read}")
        most = max(request.sent for request in read)
        require(most == 4 << 20, f"expected ranges of 4 MiB, found one of {most} bytes")


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
    """The manifest and the script for Slurm make the book of one run."""

    def check(prefix: str, book: Path) -> None:
        if not book.exists():
            test.run("merge", f"s3://games/{prefix}", "--out", str(book))
        require(book.read_bytes() == whole, f"{book.name} is not that of one run")

    text = (ROOT / "scripts/kubernetes/shards-to-bucket.yaml").read_text(encoding="utf-8")
    manifest = yaml.safe_load(text)
    pod = manifest["spec"]["template"]["spec"]
    (container,), (volume,) = pod["containers"], pod["volumes"]
    (mount,), (variable,) = container["volumeMounts"], container["env"]
    require(mount["name"] == volume["name"] and "emptyDir" in volume, "it mounts another volume")
    cache = (variable["name"], variable["value"])
    require(cache == ("FOURBOOK_CACHE", mount["mountPath"]), f"it works in {cache}")
    args = container["args"]
    require(f"--shards={manifest['spec']['completions']}" in args, "--shards is not completions")
    changes = {**SMALL, "shards": "4", "out": "s3://games/kubernetes"}
    require("--out=s3://BUCKET/7x6-d12" in args, "--out is no bucket")
    for name, value in changes.items():
        args = [f"--{name}={value}" if arg.startswith(f"--{name}=") else arg for arg in args]
    for index in range(4):
        folder = str(test.folder / f"pod-{index}")
        more = {"FOURBOOK_CACHE": folder, "JOB_COMPLETION_INDEX": str(index)}
        test.run(*args, machine="no-home", **more)
    require(not (test.folder / "no-home").exists(), "a pod wrote elsewhere than on its volume")
    check("kubernetes", test.folder / "kubernetes.book")

    programs = test.folder / "bin"
    programs.mkdir()
    scontrol = "#!/bin/sh\necho 'MaxArraySize = 1001'\n"
    for name, content in (("sbatch", SBATCH), ("scontrol", scontrol)):
        (programs / name).write_text(content)
        (programs / name).chmod(0o755)
    out = test.folder / "slurm.book"
    command = [ROOT / "scripts/slurm/submit", *SMALL_BOOK, "--shards=3", "--parts=s3://games/slurm"]
    command += [f"--out={out}", "--threads=1", "--memory=64", f"--program={test.program}"]
    path = f"{programs}:{os.environ['PATH']}"
    environment = test.environment(test.new_machine(), PATH=path)
    submitted = subprocess.run(command, env=environment, capture_output=True, text=True)
    require(submitted.returncode == 0, f"slurm/submit: {submitted.stderr}")
    contains(submitted.stdout, "3 of 3 shards (1-3)", f"{out}.logs/shard-*.log")
    check("slurm", out)


def lookups(test: Test) -> None:
    """A book is fetched once, and again when it has changed."""
    book = (ROOT / "books/7x6-d14.book").read_bytes()
    position = "44444122211111"
    expected = subprocess.run(
        [test.program, "lookup", "--book", str(ROOT / "books/7x6-d14.book"), position],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    test.store.put("/games/books/7x6.book", book)
    address = "s3://games/books/7x6.book"

    def look(code: int = 0) -> tuple[str, int]:
        before = len(test.proxy.requests)
        text = test.run("lookup", "--book", address, position, code=code)
        return text, sum(request.sent for request in test.proxy.requests[before:])

    test.proxy.faults = 3
    text, sent = look()
    test.proxy.faults = 0
    require(text == expected, f"expected {expected}, found {text}")
    require(sent >= len(book), "the book was not fetched")
    text, sent = look()
    require((text, sent) == (expected, 0), f"the book was fetched again: {sent} bytes, {text}")
    # A damaged copy in the cache is not used.
    cached = test.folder / "machine/.cache/fourbook/books/s3/games/books/7x6.book"
    require(cached.read_bytes() == book, "the cache has another book")
    with open(cached, "r+b") as file:
        file.truncate(1_000_000)
    text, sent = look()
    require(text == expected and sent >= len(book), "a book that was cut short was used")
    # A damaged file does not replace a good one.
    damaged = bytearray(book)
    damaged[5_000_000] ^= 1
    test.store.put("/games/books/7x6.book", bytes(damaged))
    text, _ = look(code=1)
    contains(text, f"'{address}' cannot be used as a book", "checksum")
    require(cached.read_bytes() == book, "a damaged book took the place of a good one")
    test.store.put("/games/books/7x6.book", (ROOT / "books/7x6-d8.book").read_bytes())
    text, _ = look()
    require(text == expected, f"expected {expected}, found {text}")
    require(cached.stat().st_size < 1_000_000, "the new book was not fetched")
    left = sorted(path.name for path in cached.parent.iterdir())
    expected_files = ["7x6.book", "7x6.book.lock", "7x6.book.version"]
    require(left == expected_files, f"the cache has {left}")


def served(test: Test) -> None:
    """A server loads a new version on a signal, and by itself with --watch."""
    books = {depth: (ROOT / f"books/7x6-d{depth}.book").read_bytes() for depth in (8, 12)}
    test.store.put("/games/books/served.book", books[8])
    command = [test.program, "serve", "--book", "s3://games/books/served.book", "--watch"]
    command += ["--bind", "127.0.0.1:0", "--threads", "1"]
    log = test.folder / "serve.log"
    with Server(command, log, env=test.environment()) as server:

        def depth() -> int:
            with urllib.request.urlopen(server.address + "/v1/book", timeout=30) as answer:
                return json.loads(answer.read())["depth"]

        require(depth() == 8, "it serves another book")
        test.store.put("/games/books/served.book", books[12])
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: depth() == 12, "a new book after SIGHUP", 10)
        test.store.put("/games/books/served.book", b"no book")
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: "cannot be used as a book" in log.read_text(), "an error", 10)
        require(depth() == 12, "the old book did not stay in use")
        test.store.put("/games/books/served.book", books[8])
        wait_until(lambda: depth() == 8, "a new book without a signal", 40)
        require(server.stop() == 0, "it did not end well")


def errors(test: Test) -> None:
    """Each error says what was expected, what came, and what to do next."""
    out = str(test.folder / "no.book")

    def merge(address: str, code: int = 1, **more: str) -> str:
        return test.run("merge", address, "--out", out, code=code, **more)

    cases = [
        ("s3://forbidden/parts", "no access: expected credentials that may list it, the store says"
         " AccessDenied: Access Denied; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
        ("s3://nobody/parts", "there is no bucket 'nobody', the store says NoSuchBucket"),
        ("s3://elsewhere/parts", "is in another region, eu-west-3"),
        ("s3://elsewhere/parts", "set AWS_REGION=eu-west-3"),
        ("s3://moved/parts", "set AWS_REGION to its region"),
        ("s3://games/nothing", "there are no parts in 's3://games/nothing'"),
    ]
    for address, expected in cases:
        contains(merge(address), address, expected)
    contains(merge("ftp://games/parts", code=2), "no store that this program knows (ftp)")
    contains(merge("s3://", code=2), "names no bucket", "expected s3://BUCKET/PATH")
    lookup = ["lookup", "44", "--book"]
    contains(test.run(*lookup, "s3://games/no.book", code=1), "there is no such object")
    contains(test.run(*lookup, "s3://nobody/no.book", code=1), "there is no bucket 'nobody'")
    contains(test.run(*lookup, "s3://forbidden/no.book", code=1), "no access")
    contains(test.run(*lookup, "s3://games", code=1), "is a bucket, not a book")
    contains(
        test.run(*lookup, "s3://games/no.book", code=1, AWS_ALLOW_HTTP="false"),
        "expected an address with https in AWS_ENDPOINT_URL", "set AWS_ALLOW_HTTP=true",
    )
    for bucket, expected in (("nobody", "no bucket"), ("forbidden", "no access")):
        arguments = test.shard(1, "x")
        arguments[arguments.index("--out") + 1] = f"s3://{bucket}/x"
        contains(test.run(*arguments, code=1), f"s3://{bucket}/x", expected)
    book = ["generate", *BOOK, "--out", "s3://games/whole.book"]
    contains(test.run(*book, code=2), "--shard", "a whole book is made in a file")
    every = ["generate", *BOOK, "--shard", "1/2", "--checkpoint-every", "9", "--out"]
    contains(test.run(*every, str(test.folder / "x"), code=2), "--checkpoint-every is for")


def silent_stores(test: Test) -> None:
    """No store, and no credentials: these take as long as requests are retried."""
    out = str(test.folder / "no.book")
    closed = "http://127.0.0.1:1"
    none = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}
    none = {**test.environment(), "AWS_METADATA_ENDPOINT": closed, "AWS_EC2_METADATA_DISABLED": ""}
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_EC2_METADATA_DISABLED"):
        none.pop(name)
    command = [test.program, "merge", "s3://games/parts", "--out", out]
    without = subprocess.Popen(
        command, env=none, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    silent = test.start(*command[1:], AWS_ENDPOINT_URL=closed)
    contains(end(silent, code=1), "the store does not answer", "AWS_ENDPOINT_URL")
    contains(end(without, code=1), "no credentials were found", "set AWS_ACCESS_KEY_ID")


def timed(name: str, what, *arguments: object) -> None:
    started = time.monotonic()
    what(*arguments)
    print(f"test-object-store: {name}: {time.monotonic() - started:.1f} s", flush=True)


def main() -> int:
    program, folder = sys.argv[1], Path(sys.argv[2])
    test = Test(os.path.realpath(program), folder)
    failures: list[BaseException] = []

    def beside(what) -> None:
        try:
            what(test)
        except BaseException as failure:  # noqa: BLE001 - told by the main thread
            failures.append(failure)

    try:
        whole, small = folder / "whole.book", folder / "small.book"
        waiting = threading.Thread(target=beside, args=(silent_stores,))
        waiting.start()
        timed("errors", errors, test)
        timed("shards with kills", shards_with_kills, test)
        test.run("generate", *BOOK, "--out", str(whole))
        test.run("generate", *SMALL_BOOK, "--out", str(small))
        timed("merge", merged, test, whole.read_bytes())
        timed("first answers cut", first_answers_cut, test, small.read_bytes())
        timed("parts that are there", parts_that_are_there, test)
        timed("put at once", put_at_once, test)
        timed("a long part", long_part, test)
        timed("jobs", jobs, test, small.read_bytes())
        timed("lookups", lookups, test)
        timed("server", served, test)
        waiting.join()
        for failure in failures:
            raise failure
    except (Failure, subprocess.SubprocessError) as failure:
        print(f"test-object-store: error: {failure}", file=sys.stderr)
        return 1
    finally:
        test.proxy.stop()
        test.store.stop()
    print("test-object-store: parts and books go through a store, also one that fails")
    return 0


if __name__ == "__main__":
    sys.exit(main())
