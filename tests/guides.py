"""Do what a guide says, in a copy of the checkout.

A guide's block of code says behind its language where the code goes:

    python device/cameras/rtsp.py                a new file
    toml FILE end                                at the end of a file
    python FILE below: a line that is there      below the one line that holds this text
    python FILE above: a line that is there      above it
    python FILE instead of: a line that is there in its place
    toml FILE above the table of: a line         above the heading of the table that holds it

A line `cp -r FOLDER FOLDER` is done before all blocks. Lines of a block keep their indentation,
but for that of the list in which the block stands. Two empty lines follow a function or class
that is put above another.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

_BLOCK = re.compile(r"^( *)```(\w+) (\S+\.\w+)(?: ([^\n]+))?\n(.*?)^ *```$", re.DOTALL | re.M)

_FOLDER_COPY = re.compile(r"^ +cp -r (\S+) (\S+)$", re.M)

_COMMAND = re.compile(r"^ +((?:\.venv/bin/|make |tongbox )\S.*)$|`(\.venv/bin/[^`\n]+)`", re.M)

_WAYS = {"above": (0, 0), "above the table of": (0, 0), "below": (1, 1), "instead of": (0, 1)}
"""Which lines a block takes the place of, counted from the line that is named."""


@dataclass(frozen=True, slots=True)
class Step:
    """A block of code, and where it goes."""

    file: str
    place: str
    """Empty for a new file; `end`; or a way of the module's docstring, a colon, and a text."""
    code: str

    def apply(self, tree: Path) -> None:
        """Put the code into a tree; raise ValueError if its place is not there exactly once."""
        path = tree / self.file
        if path.exists() != bool(self.place):
            raise ValueError(f"{self.file}: {'is there already' if path.exists() else 'missing'}")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8") if self.place else ""
        path.write_text(self._insert(text), "utf-8")

    def _insert(self, text: str) -> str:
        if self.place in ("", "end"):
            return f"{text}\n{self.code}" if text else self.code
        kind, _, anchor = self.place.partition(": ")
        lines = text.splitlines(keepends=True)
        line_numbers = [number for number, line in enumerate(lines) if anchor in line]
        if len(line_numbers) != 1:
            raise ValueError(f"{self.file}: {len(line_numbers)} lines hold {anchor!r}")
        (line_number,) = line_numbers
        if kind == "above the table of":
            line_number = max(
                number for number in range(line_number) if lines[number].startswith("[")
            )
        first, last = _WAYS[kind]
        gap = "\n\n" if kind == "above" and self.code.startswith(("def ", "class ", "@")) else ""
        lines[line_number + first : line_number + last] = [self.code + gap]
        return "".join(lines)


def read_steps(guide: Path) -> Iterator[Step]:
    """Yield the steps of a guide."""
    for indent, _language, file, place, code in _BLOCK.findall(guide.read_text("utf-8")):
        margin = len(indent)
        lines = (line[margin:] if line.strip() else "\n" for line in code.splitlines(keepends=True))
        yield Step(file, place, "".join(lines))


def read_folder_copies(guide: Path) -> list[tuple[str, str]]:
    """Return the folders that a guide has its reader copy, and where to."""
    return _FOLDER_COPY.findall(guide.read_text("utf-8"))


GUIDES = tuple(
    sorted(
        (guide for guide in (ROOT / "docs").glob("*.md") if [*read_steps(guide)]),
        key=lambda guide: (len(read_folder_copies(guide)), guide),
    )
)
"""The guides whose code can be put into a copy; last those that copy what others change."""


def read_commands(guide: Path) -> list[str]:
    """Return the commands that a guide has its reader run, but for those that serve a page."""
    commands = (one or other for one, other in _COMMAND.findall(guide.read_text("utf-8")))
    return [command for command in commands if " serve" not in command]


def follow(guide: Path, tree: Path) -> list[Step]:
    """Apply a guide to a copy of the checkout; return its steps."""
    for source, target in read_folder_copies(guide):
        shutil.copytree(tree / source, tree / target)
    steps = list(read_steps(guide))
    for step in steps:
        step.apply(tree)
    return steps


def run_command(command: str, tree: Path) -> None:
    """Run a command in a copy; raise AssertionError with what it printed if it fails."""
    command = re.sub(r"^make ", "make --old-file=.venv/.test --old-file=.venv/.packages ", command)
    # The copy goes before the tree that is linked into the virtual environment.
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PYTHONPATH": str(tree), "PATH": programs}
    process = subprocess.run(
        ["sh", "-ec", command], cwd=tree, env=environment, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert process.returncode == 0, f"{command}\n{textwrap.indent(process.stdout[-4000:], '  ')}"
