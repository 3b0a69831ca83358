"""Build and run the image and compose.yaml of `deploy/server`: `python -m tests.real.containers`.

It is typed as docs/many-rooms.md says, but two base images stand in for the official ones
(`standing_in.py`). podman builds the image; Docker Compose starts a database, two pages and two
workers. Two tables play while each of these is killed again and again. Then all is taken down,
started again, given a wrong password, and started with an older version's data. Nothing can be
reached from there, and attempts are counted.

Needs root, the packages that tests/real/README.md names, and a Python 3.12 of this machine. Leaves
only the bare systems of `roots.py` behind.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.real import container_trials as trials
from tests.real import standing_in
from tests.real.compose_project import (
    IN_OWN_NAMESPACE,
    IN_OWN_NETWORK,
    ComposeServices,
    Names,
    keep_in,
    lay_network,
    no_groups_left,
    run_engine,
)
from tests.real.container_trials import NEWER_IMAGE, Trial
from tests.real.hall import PAGES, WORKERS
from tests.real.needs import ROOTS, need
from tests.real.roots import REPO, Root
from tests.reporting import say

ENGINE = (
    "podman", "buildah", "runc", "/usr/lib/podman/netavark", "/usr/lib/podman/aardvark-dns", "ip",
    "iptables",
)  # fmt: skip

COMPOSES = ("/usr/libexec/docker/cli-plugins/docker-compose", "docker-compose")


def main() -> int:
    """Try one thing after the other; return 1 when anything was not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=8, help="of the first match at each table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--compose", default=_missing_programs(COMPOSES), help="Docker Compose, 2.20 or newer"
    )
    parser.add_argument(
        "--python", default=_missing_programs(("python3.12",)), help="of this machine"
    )
    parser.add_argument("--stage", choices=("images", "run"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stage:
        keep_in(options.folder)
        return {"images": make_images, "run": run}[options.stage](options)
    need(*ROOTS, *ENGINE)
    if not (options.compose and options.python):
        parser.error("this needs Docker Compose (--compose) and a Python 3.12 (--python)")
    with tempfile.TemporaryDirectory(prefix="tongbox-containers-") as folder, no_groups_left():
        itself = [sys.executable, "-m", "tests.real.containers", *sys.argv[1:],
                  "--compose", options.compose, "--folder", folder]  # fmt: skip
        for stage, wrapper in (("images", ()), ("run", IN_OWN_NETWORK)):
            result = subprocess.run(
                [*IN_OWN_NAMESPACE, *wrapper, *itself, "--stage", stage], check=False
            )
            if result.returncode:
                return result.returncode
    return 0


def _missing_programs(names: tuple[str, ...]) -> str:
    return next(filter(None, map(shutil.which, names)), "")


def make_images(options: argparse.Namespace) -> int:
    """Make the base images, and build this version's image."""
    standing_in.begin(options.python)
    start = time.monotonic()
    standing_in.build(NEWER_IMAGE, Root(options.folder).take_source())
    size = standing_in.size(NEWER_IMAGE) - standing_in.size(standing_in.PYTHON_IMAGE)
    say(f"     image built in {time.monotonic() - start:.0f} s, {size >> 20} MiB of its own")
    return 0


def run(options: argparse.Namespace) -> int:
    """Try everything; return 1 when anything was not as it should be."""
    lay_network(options.folder)
    names = Names()
    names.start()
    # The newer checkout's compose.yaml for all: it is what a person has.
    trial = Trial(services=ComposeServices(options.compose, options.folder / "src"))
    with run_engine(options.folder):
        trial.attempt("the image", trials.in_the_image)
        trial.attempt("without a password", lambda: trials.without_password(trial))
        trial.attempt("begun", lambda: trials.begin_trial(trial))
        for name in (*PAGES, *WORKERS):
            trial.attempt(f"{name} may do little", lambda name=name: trials.may_do_little(name))  # type: ignore[misc]
        trial.attempt("what listens", trials.what_listens)
        trials.an_evening(trial, options.folder, options.seed, options.deals)
        trial.attempt("a wrong password", lambda: trials.wrong_password(trial))
        trial.attempt("a box's memory moved in", lambda: trials.move_in(trial, options.folder))
        trial.attempt("nothing calls out", lambda: trials.nothing_calls_out(trial, names))
        trial.attempt("taken away", lambda: trials.remove_all(trial))
    return trial.conclude()


if __name__ == "__main__":
    assert (REPO / "deploy").exists()
    sys.exit(main())
