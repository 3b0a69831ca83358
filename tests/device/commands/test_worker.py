"""`tongbox worker` from outside: its database may be away when it begins."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.postgresql import PostgresqlServer


@contextmanager
def worker(url: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Begin one; what it says to either stream comes by stdout."""
    command = [sys.executable, "-m", "device.cli", "worker", "--store", url, "--data", str(folder)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_it_waits_for_its_database_and_says_each_reason_once(
    postgresql: PostgresqlServer, tmp_path: Path
) -> None:
    url = postgresql.database()
    postgresql.stop()
    with worker(url, tmp_path / "worker") as process:
        output_lines = [process.stdout.readline() if process.stdout else ""]
        postgresql.start()
        assert process.stdout
        while "reads what phones send" not in output_lines[-1]:
            output_lines.append(process.stdout.readline())
            assert output_lines[-1], f"it ended: {output_lines}"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    outage_lines = [line for line in output_lines if "does not answer" in line]
    assert 1 <= len(outage_lines) == len(set(outage_lines)), (
        "a database that is just starting is another reason"
    )


def test_while_it_waits_it_ends_when_it_is_told_to(
    postgresql: PostgresqlServer, tmp_path: Path
) -> None:
    url = postgresql.url("away").replace(str(postgresql.folder), str(tmp_path))
    with worker(url, tmp_path / "worker") as process:
        assert process.stdout
        assert "does not answer" in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
