"""Runs the manifests without a cluster: runs the commands of their containers, one process for each
index, and compares the merged book with that of one process. The arguments are the program and an empty folder, which stands
for the volume. The book is a small one; everything else is as in the manifests.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from manifests import ROOT, container, option, read, report, require

SMALL_BOOK = {"size": "5x4", "depth": "6"}


def check_consistent(claim: dict, jobs: list[dict]) -> None:
    """Checks that the names and numbers fit together, which no schema can."""
    shards = jobs[0]
    total, completions = container(shards)["command"][3], shards["spec"]["completions"]
    require(total == str(completions), f"completions is {completions}, but the command has {total}")
    for job in jobs:
        pod = job["spec"]["template"]["spec"]
        (volume,) = pod["volumes"]
        wanted, name = volume["persistentVolumeClaim"]["claimName"], claim["metadata"]["name"]
        require(wanted == name, f"the claim is named {name}, not {wanted}")
        (mount,) = container(job)["volumeMounts"]
        require(mount["name"] == volume["name"], "the container mounts another volume")
        for rule in job["spec"]["podFailurePolicy"]["rules"]:
            named = rule.get("onExitCodes", {}).get("containerName")
            require(named in (None, container(job)["name"]), f"there is no container {named}")
    images = {container(job)["image"] for job in jobs}
    require(len(images) == 1, f"the jobs have different images: {', '.join(images)}")


def run(command: list[str], **variables: str) -> None:
    environment = {**os.environ, **variables}
    subprocess.run([*command, "--quiet"], env=environment, check=True)


def run_jobs(program: str, volume: Path, jobs: list[dict]) -> None:
    def args(job: dict) -> list[str]:
        (mount,) = container(job)["volumeMounts"]
        given = [*container(job).get("command", [program]), *container(job)["args"]]
        for name, value in SMALL_BOOK.items():
            given = [re.sub(f"^--{name}=.*", f"--{name}={value}", arg) for arg in given]
        return [arg.replace(mount["mountPath"], str(volume)) for arg in given]

    shards, merge = jobs
    for index in range(shards["spec"]["completions"]):
        # The programs of the image.
        path = f"{ROOT / 'deploy'}:{os.environ['PATH']}"
        run(args(shards), JOB_COMPLETION_INDEX=str(index), PATH=path, FOURBOOK=program)
    run(args(merge))

    alone = volume / "alone.book"
    run([program, "generate", *(f"--{k}={v}" for k, v in SMALL_BOOK.items()), f"--out={alone}"])
    merged = Path(option(args(merge), "out"))
    require(merged.read_bytes() == alone.read_bytes(), "the book is not that of one process")


def check(program: str, volume: Path) -> None:
    jobs = [read("shards.yaml"), read("merge.yaml")]
    check_consistent(read("claim.yaml"), jobs)
    run_jobs(program, volume, jobs)


if __name__ == "__main__":
    program, volume = sys.argv[1:]
    success = "the manifests' commands make the book of one process"
    sys.exit(report(lambda: check(program, Path(volume)), success))
