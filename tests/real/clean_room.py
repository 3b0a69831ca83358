"""Run the README's two commands on a computer that has nothing of ours: `make clean-room`.

For each release of Debian a minimal root is made of Debian's own packages. The commit is cloned
into it, and a user who may install packages by sudo runs `make run` and `make test`. Needs root and
mmdebstrap. It runs before anything is installed, so it uses the standard library alone.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.real.page import Page, wait_until
from tests.real.roots import CERTIFICATES, REPO, Root, copy_root
from tests.reporting import say

SUITES = ("bookworm", "trixie")

PACKAGES = ("ca-certificates", "git", "make", "python3", "python3-venv", "sudo")
"""What the README asks for, sudo to install the rest, and what HTTPS is checked by."""

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}

USER = "visitor"
HOME = f"/home/{USER}"
CHECKOUT = f"{HOME}/tongbox"

MAX_ROOT_AGE_S = 24 * 3600
MAX_RUN_S = 300.0
MAX_READING_S = 120.0

SAMPLE = REPO / "device" / "samples" / "concealed-kong.jpg"

CANNOT_BUILD = 3
"""The exit status when a root cannot be built here, so nothing was tried."""

ADDRESS = re.compile(r"http://[\w.-]+:(\d+)")


def main() -> int:
    """Run the commands in each root; return 0, 1 when one fails, or CANNOT_BUILD."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("suites", nargs="*", default=SUITES, metavar="SUITE")
    parser.add_argument("--only", choices=("run", "test"), help="leave out the other command")
    options = parser.parse_args()
    missing = _missing()
    if missing:
        say(f"No clean room here: {missing}.")
        return CANNOT_BUILD
    results = []
    for suite in options.suites:
        try:
            root = build_room(suite)
        except (OSError, subprocess.CalledProcessError) as error:
            say(f"No clean room of {suite} could be built: {error}")
            return CANNOT_BUILD
        trials = {"run": try_run, "test": try_test}
        for name in [options.only] if options.only else trials:
            start = time.monotonic()
            outcome = trials[name](root)
            seconds = time.monotonic() - start
            results.append((f"{suite}: make {name}: {outcome or 'well'}, {seconds:.0f} s", outcome))
            say(results[-1][0])
        shutil.rmtree(root.path)
    say("\n".join(line for line, _ in results))
    return 1 if any(outcome for _, outcome in results) else 0


def _missing() -> str:
    """Return what is missing for a clean room on this computer; empty if nothing is."""
    if os.geteuid() != 0:
        return "it needs root"
    if not shutil.which("mmdebstrap"):
        return "it needs Debian's package mmdebstrap"
    return ""


def build_room(suite: str) -> Root:
    """Return a minimal Debian with a clone of this commit and a user who may use sudo."""
    architecture = ARCHITECTURES[platform.machine()]
    root = copy_root(
        f"clean-{suite}", suite, architecture, PACKAGES, kind="clean", max_age_s=MAX_ROOT_AGE_S
    )
    shutil.copy("/etc/hosts", root.path / "etc/hosts")
    root.run("useradd", "--create-home", "--shell", "/bin/sh", USER)
    (root.path / "etc/sudoers.d/visitor").write_text(f"{USER} ALL=(ALL) NOPASSWD: ALL\n")
    clone = ["git", "clone", "--quiet", "--no-local", str(REPO), f"{root.path}{CHECKOUT}"]
    subprocess.run(clone, check=True)
    root.run("chown", "--recursive", f"{USER}:{USER}", CHECKOUT)
    return root


def as_visitor(root: Root, script: str) -> list[str]:
    """Return how to run a shell script in the checkout; its processes end with it and with us."""
    command = root.command(
        "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation=unchanged",
        "runuser", "-u", USER, "--", "env", "--chdir", CHECKOUT, "sh", "-euc", script,
    )  # fmt: skip
    return ["setpriv", "--pdeathsig=KILL", *command]


def user_environment() -> dict[str, str]:
    """Return the environment of a new user's shell, with the authorities that pip trusts."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME": HOME,
        "USER": USER,
        "PIP_CERT": CERTIFICATES,
        "SSL_CERT_FILE": CERTIFICATES,  # uv
        "CPUINFO": "",
    }


def try_test(root: Root) -> str:
    """Run `make test`; return what went wrong."""
    result = subprocess.run(as_visitor(root, "make test"), env=user_environment(), check=False)
    return f"exit status {result.returncode}" if result.returncode else ""


def try_run(root: Root) -> str:
    """Run `make run` and let it read a sample photograph; return what went wrong."""
    with _run_meanwhile(root) as (process, log):

        def port() -> int:
            match = ADDRESS.search(log.read_text())
            if process.poll() is not None:
                raise AssertionError("make run has ended")
            return int(match[1]) if match else 0

        try:
            page = Page("127.0.0.1", int(wait_until(port, MAX_RUN_S, "make run gives no address")))
            wait_until(page.is_well, MAX_RUN_S, "the page does not answer")
            tiles = page.hand_text(page.send(SAMPLE), MAX_READING_S)
        except AssertionError as error:
            return f"{error}\n{log.read_text()[-4000:]}"
    say(f"make run reads a sample as {tiles}")
    return ""


@contextmanager
def _run_meanwhile(root: Root) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Give `make run` and the file of what it prints; end it afterwards."""
    log = root.path / "tmp/make-run.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            as_visitor(root, "make run"),
            env=user_environment(),
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        try:
            yield process, log
        finally:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
