"""Checks the manifests of serve/ and serve-from-volume/: names and numbers must fit together and
fit the server. Then runs them without a cluster.
The arguments are the program and the folder that stands for the volume, to which run.py
has written the jobs' book.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import yaml
from manifests import KUSTOMIZATIONS, container, kustomized, option, read, report, require
from server import Server
from tools import ROOT

PROBES = {"startupProbe": "/healthz", "readinessProbe": "/readyz", "livenessProbe": "/healthz"}


def check_names(objects: dict[str, dict], jobs: list[dict]) -> None:
    """Checks that the objects select each other, and not the pods of the jobs."""
    deployment = objects["Deployment"]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    selectors = {
        "Deployment": deployment["spec"]["selector"]["matchLabels"],
        "Service": objects["Service"]["spec"]["selector"],
        "PodDisruptionBudget": objects["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
    }
    for kind, selector in selectors.items():
        require(selector.items() <= labels.items(), f"the {kind} selects other pods")
        for job in jobs:
            others = job["spec"]["template"]["metadata"]["labels"]
            require(not selector.items() <= others.items(), f"the {kind} selects pods of a job")
    target = objects["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    name = deployment["metadata"]["name"]
    expected = {"apiVersion": deployment["apiVersion"], "kind": "Deployment", "name": name}
    require(target == expected, f"the autoscaler is for {target}")
    require("replicas" not in deployment["spec"], "the number of replicas is the autoscaler's")


def check_ports(objects: dict[str, dict]) -> None:
    only = container(objects["Deployment"])
    (port,) = only["ports"]
    host, _, bound = option(only["args"], "bind").rpartition(":")
    require(host in ("0.0.0.0", "[::]"), f"only the pod itself can reach {host}")
    require(str(port["containerPort"]) == bound, f"the server listens on port {bound}")
    (service,) = objects["Service"]["spec"]["ports"]
    require(service["targetPort"] == port["name"], "the service leads to no port of the pod")
    for probe in PROBES:
        asked = only[probe]["httpGet"]["port"]
        require(asked == port["name"], f"the {probe} asks port {asked}")


def check_probes(deployment: dict, description: dict) -> None:
    for probe, path in PROBES.items():
        asked = container(deployment)[probe]["httpGet"]["path"]
        require(asked == path, f"the {probe} asks {asked}, not {path}")
        require("get" in description["paths"].get(path, {}), f"openapi.json has no {path}")


def check_end(deployment: dict) -> None:
    """Checks that requests under way may end before the pod is killed."""
    pod, only = deployment["spec"]["template"]["spec"], container(deployment)
    pause = only["lifecycle"]["preStop"]["sleep"]["seconds"]
    grace = float(option(only["args"], "grace"))
    end = pod["terminationGracePeriodSeconds"]
    require(end > pause + grace, "it is killed before --grace ends")
    longest = float(option(only["args"], "deadline")) + 20
    require(grace >= longest, "--grace is shorter than a request may be")


def check_disruptions(objects: dict[str, dict]) -> None:
    least = objects["HorizontalPodAutoscaler"]["spec"]["minReplicas"]
    away = objects["PodDisruptionBudget"]["spec"]["maxUnavailable"]
    require(0 < away < least, f"of {least} pods, {away} may be away")
    rolling = objects["Deployment"]["spec"]["strategy"]["rollingUpdate"]
    require(rolling["maxUnavailable"] == 0 < rolling["maxSurge"], "an update takes pods away first")


def check_confined(deployment: dict, jobs: list[dict]) -> None:
    """Checks that the server is the image's program, runs as its user, and can change nothing."""
    pod, only = deployment["spec"]["template"]["spec"], container(deployment)
    image = {container(job)["image"] for job in jobs}
    require({only["image"]} == image, "the jobs have another image")
    user = f"{pod['securityContext']['runAsUser']}:{pod['securityContext']['runAsGroup']}"
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    require(f"USER {user}" in lines, f"the user of the image is not {user}")
    require(f"EXPOSE {only['ports'][0]['containerPort']}" in lines, "the image has another port")
    require(pod["securityContext"]["runAsNonRoot"] is True, "the server may be root")
    expected = {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    require(only["securityContext"] == expected, "the server may do more than it needs")
    for mount in only.get("volumeMounts", []):
        require(mount.get("readOnly") is True, f"{mount['mountPath']} can be written to")
    memory = {only["resources"][each]["memory"] for each in ("requests", "limits")}
    require(len(memory) == 1, "the memory is not what was asked for")
    threads = option(only["args"], "threads")
    require(only["resources"]["requests"]["cpu"] == threads, "--threads is not what was asked for")


def check_volume(deployment: dict, claim: dict, merge: dict) -> None:
    """Checks that the book is the one that the job writes."""
    only = container(deployment)
    (volume,) = deployment["spec"]["template"]["spec"]["volumes"]
    claimed = volume["persistentVolumeClaim"]["claimName"]
    require(claimed == claim["metadata"]["name"], f"there is no claim {claimed}")
    (mount,), (written_to,) = only["volumeMounts"], container(merge)["volumeMounts"]
    require(mount["name"] == volume["name"], "the container mounts another volume")
    require(mount["mountPath"] == written_to["mountPath"], "the job writes to another path")
    book, written = option(only["args"], "book"), option(container(merge)["args"], "out")
    require(book == written, f"the job writes {written}, not {book}")


def check_options(program: str, deployment: dict) -> None:
    args = container(deployment)["args"]
    shown = subprocess.run([program, args[0], "--help"], check=True, stdout=subprocess.PIPE)
    known = set(re.findall(r"--[a-z-]+", shown.stdout.decode()))
    unknown = {arg.partition("=")[0] for arg in args[1:]} - known
    require(not unknown, f"{args[0]} --help does not have {', '.join(sorted(unknown))}")


def check_kubectl(folder: Path, objects: dict[str, dict]) -> None:
    """Checks that kubectl, if installed, reads the kustomization in the same way."""
    if shutil.which("kubectl"):
        command = ["kubectl", "kustomize", str(folder)]
        made = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        theirs = {each["kind"]: each for each in yaml.safe_load_all(made)}
        require(theirs == objects, f"kubectl makes something else of {folder}")


def run(program: str, volume: Path, deployment: dict) -> None:
    """Starts the server as the container would, but on a free port, sends the requests of the
    probes, and ends it."""
    only = container(deployment)
    args = [re.sub(r"^--bind=.*", "--bind=127.0.0.1:0", arg) for arg in only["args"]]
    for mount in only.get("volumeMounts", []):
        args = [arg.replace(mount["mountPath"], str(volume)) for arg in args]
    empty = volume / "root-of-image"
    empty.mkdir()
    # As in the image, no variables are set.
    with Server([program, *args], volume / "log", cwd=empty, env={}) as server:

        def get(path: str) -> bytes:
            with urllib.request.urlopen(server.address + path, timeout=60) as answer:
                return answer.read()

        for path in {only[probe]["httpGet"]["path"] for probe in PROBES}:
            get(path)
        book = json.loads(get("/v1/book"))
        expected = Path(option(args, "book")).name if "volumeMounts" in only else None
        require(book["loaded"] and book["file"] == expected, f"it answers from {book['file']}")
        code = server.stop()
    require(code == 0, f"after SIGTERM it ended with {code}")
    require(not os.listdir(empty), f"it wrote {', '.join(os.listdir(empty))}")
    empty.rmdir()


def check(program: str, volume: Path) -> None:
    jobs = [read("shards.yaml"), read("merge.yaml")]
    description = json.loads((ROOT / "server/openapi.json").read_text(encoding="utf-8"))
    for folder in KUSTOMIZATIONS:
        objects = kustomized(folder)
        deployment = objects["Deployment"]
        check_kubectl(folder, objects)
        check_names(objects, jobs)
        check_ports(objects)
        check_probes(deployment, description)
        check_end(deployment)
        check_disruptions(objects)
        check_confined(deployment, jobs)
        check_options(program, deployment)
        if "volumes" in deployment["spec"]["template"]["spec"]:
            check_volume(deployment, read("claim.yaml"), jobs[-1])
        run(program, volume, deployment)


if __name__ == "__main__":
    program, volume = (Path(argument).resolve() for argument in sys.argv[1:])
    success = "the server's manifests are what they say"
    sys.exit(report(lambda: check(str(program), volume), success))
