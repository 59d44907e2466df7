"""Shared code of the programs that check the manifests of deploy/kubernetes. As a program, writes
the objects of all kustomizations to a folder, each to a file of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import jsonpatch
import yaml

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "deploy/kubernetes"
sys.path.insert(0, str(ROOT / "benches/peers"))
from tools import Failure  # noqa: E402

KUSTOMIZATIONS = [FOLDER / "serve", FOLDER / "serve-from-volume"]


def require(holds: bool, text: str) -> None:
    if not holds:
        raise Failure(text)


def read(name: str) -> dict:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


def report(check: Callable[[], None], success: str) -> int:
    """Runs a check and prints its result; returns the exit code."""
    try:
        check()
    except (Failure, OSError, subprocess.CalledProcessError) as failure:
        print(f"test-kubernetes: error: {failure}", file=sys.stderr)
        return 1
    print(f"test-kubernetes: {success}")
    return 0


def option(args: list[str], name: str) -> str:
    values = [arg.split("=", 1)[1] for arg in args if arg.startswith(f"--{name}=")]
    require(len(values) == 1, f"expected one --{name}=VALUE in {args}")
    return values[0]


def container(workload: dict) -> dict:
    (only,) = workload["spec"]["template"]["spec"]["containers"]
    return only


def kustomized(folder: Path) -> dict[str, dict]:
    """The output of `kubectl kustomize` for a folder: the objects by their kinds. Supports only
    the features used here."""
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text(encoding="utf-8"))
    known = {"apiVersion", "kind", "resources", "patches"}
    require(kustomization.keys() <= known, f"{folder} has more than {', '.join(sorted(known))}")
    objects: dict[str, dict] = {}
    for resource in kustomization["resources"]:
        path = folder / resource
        if path.is_dir():
            objects |= kustomized(path)
        else:
            each = yaml.safe_load_all(path.read_text(encoding="utf-8"))
            objects |= {manifest["kind"]: manifest for manifest in each}
    for patch in kustomization.get("patches", []):
        kind = patch["target"]["kind"]
        require(
            patch["target"]["name"] == objects[kind]["metadata"]["name"],
            f"a patch of {folder} is for a {kind} of another name",
        )
        objects[kind] = jsonpatch.apply_patch(objects[kind], yaml.safe_load(patch["patch"]))
    return objects


def main() -> int:
    (out,) = map(Path, sys.argv[1:])
    for folder in KUSTOMIZATIONS:
        for kind, manifest in kustomized(folder).items():
            text = yaml.safe_dump(manifest, sort_keys=False)
            (out / f"{folder.name}-{kind}.yaml").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
