"""A salvage that is killed is finished by the next start, or has never begun."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from device.store import Store
from device.store.data_folder import LOG_FILE
from device.store.events import LogSalvaged, SettingChanged
from tests.device import damages

STEPS = 6
"""Renames: what was read gets its name, the damaged log and the two files beside it go aside, the
new one takes its place, the damaged ones get a name of their own."""

KILLED = """
import os, signal, sys
from pathlib import Path
from device.store import Store
real, steps = Path.rename, iter(range(99))
def rename(path, target):
    if next(steps) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(path, target)
Path.rename = rename
Store(Path(sys.argv[2])).close()
"""


@pytest.mark.slow
@pytest.mark.parametrize("step", range(STEPS + 1))
def test_a_salvage_that_is_killed_is_finished_at_the_next_start(tmp_path: Path, step: int) -> None:
    store = Store(tmp_path)
    for number in range(100):
        store.append("m", SettingChanged(str(number), "x" * 200))
    store.close()
    damages.blot(tmp_path, b'"name":"50"')
    spoilt = (tmp_path / LOG_FILE).read_bytes()
    command = [sys.executable, "-c", KILLED, str(step), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == (0 if step == STEPS else -signal.SIGKILL), done.stderr
    again = Store(tmp_path)
    told = again.of_kinds(LogSalvaged)
    events = {each.seq: each.event.name for each in again.of_kinds(SettingChanged)}
    again.close()
    assert len(told) == 1, "told once"
    lost = {seq for first, last in told[0].event.missing for seq in range(first, last + 1)}
    assert events == {n + 1: str(n) for n in range(100) if n + 1 not in lost}
    assert (tmp_path / "broken-1" / LOG_FILE).read_bytes() == spoilt
    left = {path.name for path in tmp_path.iterdir() if path.name[-4:] not in ("-wal", "-shm")}
    assert left == {LOG_FILE, "broken-1", "lock", "photos"}
    with closing(sqlite3.connect(tmp_path / LOG_FILE)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
