"""Long tests in parts: `python -m pytest -p tests.record --record FILE [--shard 1/4]`.

FILE gets a line for each test: at which commit it ran, what came of it, how long it took, what
it printed and why it failed. What has passed at the commit that is checked out is skipped, so that
a run that was stopped goes on; what took longest the last time comes first. With files changed
since the commit nothing is skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

MAX_PRINTED_CHARACTERS = 8000
"""What is kept of a test's output, from its end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
    parser.addoption("--record", type=Path, required=True, help="where results are kept")
    parser.addoption("--shard", default="1/1", help="which part of how many: 1/4")


def pytest_configure(config: pytest.Config) -> None:
    """Begin with what the record says."""
    config.pluginmanager.register(Record(config))


class Record:
    """What came of each test, in a file."""

    def __init__(self, config: pytest.Config) -> None:
        self._path: Path = config.getoption("record")
        self._shard, self._shards = map(int, config.getoption("shard").split("/"))
        self._writes = not hasattr(config, "workerinput")
        self._commit = _commit(config.rootpath)
        text = self._path.read_text("utf-8") if self._path.exists() else ""
        rows = [json.loads(line) for line in text.splitlines()]
        self._seconds = {row["test"]: row["seconds"] for row in rows}
        outcomes = {row["test"]: row["outcome"] for row in rows if row["commit"] == self._commit}
        self._outcomes = {} if self._commit.endswith("-dirty") else outcomes
        self._durations: defaultdict[str, float] = defaultdict(float)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave the other shards' tests out, and skip what has passed already."""
        items[:] = items[self._shard - 1 :: self._shards]
        items.sort(key=lambda item: -self._seconds.get(item.nodeid, 0.0))
        for item in items:
            if self._outcomes.get(item.nodeid) == "passed":
                item.add_marker(pytest.mark.skip(f"passed already, at {self._commit}"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Note how much of the processor it took, with all that it started and waited for."""
        before = sum(os.times()[:4])
        try:
            yield
        finally:
            item.user_properties.append(("processor", round(sum(os.times()[:4]) - before, 1)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a line once it has run, and another if it failed in taking down what it used."""
        self._durations[report.nodeid] += report.duration
        has_run = report.when == "call" or report.failed
        if not has_run or report.skipped or not self._writes:
            return
        row = {
            "test": report.nodeid,
            "commit": self._commit,
            "outcome": report.outcome,
            "seconds": round(self._durations[report.nodeid], 1),
            **dict(report.user_properties),
            "printed": report.capstdout[-MAX_PRINTED_CHARACTERS:],
            **({"why": report.longreprtext[-MAX_PRINTED_CHARACTERS:]} if report.failed else {}),
        }
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _commit(folder: Path) -> str:
    """Return the commit that is checked out, with "-dirty" if files were changed since."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--exclude=*"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
