"""Bundles of the committed project for a trial, some of another version or with a fault in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import minisign

from deploy.release import bundle, wheels
from deploy.release.__main__ import take_commit
from tests.real.roots import CACHE, REPO

BREAK = ("def run(args: argparse.Namespace) -> int:\n", "    raise SystemExit(3)  # broken\n")


def as_it_is(_: Path) -> None:
    """Change nothing."""


def break_version(tree: Path) -> None:
    """Let the box end as soon as it starts."""
    serve = tree / "device/commands/serve.py"
    text = serve.read_text()
    assert BREAK[0] in text
    serve.write_text(text.replace(BREAK[0], "".join(BREAK)))


def add_comment(tree: Path) -> None:
    """Make the box another version that does the same."""
    serve = tree / "device/commands/serve.py"
    serve.write_text(serve.read_text() + "#\n")


def make_bundle(
    folder: Path, machine: str, version: str, secret: minisign.SecretKey,
    change: Callable[[Path], None] = as_it_is,
) -> Path:  # fmt: skip
    """Return a bundle's zip, made in a new folder; what it is unpacked to lies beside it.

    Args:
        folder: where, with the bundle laid out in `laid_tree`.
        machine: "x86_64" or "aarch64".
        version: the number that it has in place of the project's.
        secret: what it is signed with.
        change: what is changed in the source.

    """
    folder.mkdir(parents=True)
    tree, laid_tree, packed = folder / "tree", folder / "laid", folder / f"tongbox-{version}.zip"
    commit = take_commit(REPO, tree)
    project = tree / "pyproject.toml"
    number = re.compile(r'^version = ".*"$', re.M)
    project.write_text(number.sub(f'version = "{version}"', project.read_text(), count=1))
    change(tree)
    fetched_wheels = wheels.fetch(tree, machine, CACHE / "wheels" / machine)
    bundle.lay_out(tree, fetched_wheels, version, commit, secret, laid_tree)
    bundle.pack(laid_tree, commit, packed)
    return packed
