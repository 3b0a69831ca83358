"""Choose the lines of the locks for each system that a bundle is for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

STANZA = re.compile(r"^(?=[a-z0-9])(?:.*\\\n)*.*$", re.M)
"""A package of a lock: its line, and the lines of its hashes."""


@dataclass(frozen=True)
class Target:
    """A system: its Python and the processor and C library that wheels must fit."""

    name: str
    python: str
    platforms: tuple[str, ...]
    locks: tuple[str, ...]
    """Locks besides requirements.lock."""


def manylinux(machine: str, newest_glibc: int) -> tuple[str, ...]:
    """Return the platform tags that run with glibc 2.NEWEST, newest first.

    >>> manylinux("aarch64", 18)
    ('manylinux_2_18_aarch64', 'manylinux_2_17_aarch64', 'manylinux2014_aarch64')
    """
    exact = (f"manylinux_2_{minor}_{machine}" for minor in range(newest_glibc, 16, -1))
    return (*exact, f"manylinux2014_{machine}")


def targets(machine: str) -> tuple[Target, ...]:
    """Return the systems with a processor, each with its Debian's glibc."""
    pip_lock = "deploy/release/pip.lock"
    return (
        Target("bookworm", "3.11", manylinux(machine, 36), (pip_lock, "deploy/bookworm.lock")),
        Target("trixie", "3.13", manylinux(machine, 41), (pip_lock,)),
    )


def lines(lock: str, python: str) -> Iterator[str]:
    r"""Yield the packages of a lock, with hashes, that a system with this Python gets.

    >>> text = "a==1 ; python_full_version < '3.12' \\\n    --hash=sha256:0f\nb==2 --hash=x\n"
    >>> list(lines(text, "3.13"))
    ['b==2 --hash=x']
    >>> list(lines(text, "3.11"))[0]
    'a==1 \\\n    --hash=sha256:0f'
    """
    system = {
        "python_version": python, "python_full_version": f"{python}.0", "os_name": "posix",
        "sys_platform": "linux", "platform_system": "Linux", "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }  # fmt: skip
    for stanza in STANZA.findall(lock):
        words, hashes, rest = stanza.partition("--hash")
        requirement = Requirement(words.strip(" \\\n"))
        if requirement.marker is None or requirement.marker.evaluate(dict(system)):
            gap = " \\\n    " if "\\" in words else " "
            yield f"{requirement.name}{requirement.specifier}{gap}{hashes}{rest}"


def lock_of(target: Target, tree: Path) -> list[str]:
    """Return a lock for each file of this target: two may name one package in two versions."""
    files = ("requirements.lock", *target.locks)
    return ["\n".join(lines((tree / name).read_text(), target.python)) for name in files]
