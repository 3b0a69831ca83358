"""Act as the made-up machine's systemd, box and page: `python pretend.py ROOT STATE WHAT`.

A box that starts opens its log as Tongbox does: it finishes a restore that was cut off, migrates an
older format and refuses a newer one. Then it adds an event. It does not start from incomplete
files.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

OLD_FORMAT, NEWER_FORMAT = 3, 4

FINISH = """
import pathlib, sys
from device.store.data_folder import finish_restore
finish_restore(pathlib.Path(sys.argv[1]))
"""
"""What the box does when a restore was cut off, before it opens the log."""

PAGES = ("/health", "/", "/matches")

MAX_STARTS = 5
"""systemd's own limit for a unit that is killed again and again."""


class PretendedMachine:
    """The machine in a folder."""

    def __init__(self, root: Path, state: Path) -> None:
        self.root = root
        self.state = state
        self.data = root / "var/lib/tongbox"
        self.units = root / "etc/systemd/system"

    @property
    def running_version(self) -> str:
        """Return the version that runs, if one does."""
        file = self.state / "running"
        return file.read_text() if file.exists() else ""

    def stop(self) -> int:
        (self.state / "running").unlink(missing_ok=True)
        return 0

    def start(self) -> int:
        """Start the box, as the unit has it; return 1 when it does not come up."""
        self.stop()
        venv = self.root / "opt/tongbox/current/venv"
        unit = self.units / "tongbox.service"
        files = (unit, venv / "code", venv / "bin/python", venv.parent / "whole")
        if not all(path.exists() for path in files):
            return 1
        is_whole = "[Install]" in unit.read_text() and (venv / "code").read_text()
        if not is_whole or (venv / "dead").exists():
            return 1
        version = venv.resolve().parent.name
        if not self._open_log(version, NEWER_FORMAT if (venv / "writes").exists() else OLD_FORMAT):
            return 1
        (self.state / "running").write_text(version)
        return 0

    def _open_log(self, version: str, knows: int) -> bool:
        if (self.data / "restored").exists():
            self._run(sys.executable, "-c", FINISH, str(self.data), PYTHONPATH=os.environ["REPO"])
        with closing(sqlite3.connect(self.data / "events.sqlite3")) as db:
            (has,) = db.execute("PRAGMA user_version").fetchone()
            if has > knows:
                return False
            db.execute("CREATE TABLE IF NOT EXISTS events (said TEXT)")
            db.execute(f"PRAGMA user_version = {knows}")
            starts = len((self.state / "starts").read_text().splitlines())
            db.execute("INSERT INTO events VALUES (?)", (f"start {starts} of {version}",))
            db.commit()
            with (self.state / "starts").open("a") as file:
                file.write(f"start {starts} of {version}\n")
        return True

    def ask(self) -> int:
        """Print the pages that are broken, as ask.py does."""
        if self.health():
            sys.stdout.writelines(f"{page}\n" for page in PAGES)
            return 1
        sys.stdout.write("/\n" if self._is("ill") else "")
        return 0

    def health(self) -> int:
        """Return 0 if /health would be well."""
        return 0 if self.running_version and not self._is("deaf") else 1

    def _is(self, mark: str) -> bool:
        """Whether the version that runs is marked so."""
        return (self.root / "opt/tongbox/versions" / self.running_version / "venv" / mark).exists()

    def finish(self) -> int:
        """Run tongbox-update.service, or wait for it where it runs."""
        unit_lock = (self.state / "unit-lock").open("w")
        try:
            fcntl.flock(unit_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(unit_lock, fcntl.LOCK_EX)
            return 0
        self._group(os.getpgid(0))
        return self._run_unit(
            "tongbox-update.service", "ConditionPathIsSymbolicLink=|", Path.is_symlink
        )

    def take(self) -> int:
        """Run tongbox-take.service where there is something to take."""
        return self._run_unit("tongbox-take.service", "ConditionPathExists=|", Path.exists)

    def _run_unit(self, name: str, condition: str, holds: Callable[[Path], bool]) -> int:
        """Run a unit's command while its condition holds; again when it is killed."""
        unit = self.units / name
        if not unit.exists():
            return 0
        lines = unit.read_text().splitlines()
        places = [line.removeprefix(condition) for line in lines if line.startswith(condition)]
        command = next(line for line in lines if line.startswith("ExecStart=")).split()[1]
        for _ in range(MAX_STARTS):
            if not any(holds(Path(f"{self.root}{place}")) for place in places):
                return 0
            code = self._run("sh", f"{self.root}{command}")
            if code >= 0:
                return code
            assert "Restart=on-abnormal" in lines
        return 1

    def _run(self, *command: str, **environment: str) -> int:
        """Run a program in a session of its own; return how it ended."""
        os.environ.update(environment)
        child = os.fork()
        if not child:
            os.setsid()
            os.environ["GROUP"] = str(os.getpid())
            os.execvp(command[0], command)  # noqa: S606
        self._group(child)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def _group(self, number: int) -> None:
        """Note a process group that a power cut ends."""
        with (self.state / "groups").open("a") as file:
            file.write(f"{number}\n")

    def boot(self) -> int:
        """Start the enabled units, in their order."""
        self.stop()
        if (self.state / "enabled-tongbox").exists():
            self.start()  # and again and again where it fails: the same each time
        if (self.state / "enabled-tongbox-update").exists():
            self.finish()
        if (self.state / "enabled-tongbox-take.service").exists():
            self.take()
        return 0

    def strike(self) -> int:
        """Cut off what runs; the command at the chosen place calls this."""
        mode = (self.state / "mode").read_text()
        session, *other_groups = map(int, (self.state / "groups").read_text().split())
        if mode == "session":
            os.killpg(session, signal.SIGHUP)
        elif mode == "kill":
            os.killpg(int(os.environ["GROUP"]), signal.SIGKILL)
        else:
            os.setsid()  # so that this is not ended itself
            for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # all at once
                for group in (*other_groups, session):
                    with suppress(ProcessLookupError):
                        os.killpg(group, signal_number)
        return 0


if __name__ == "__main__":
    root, state, action = sys.argv[1:]
    sys.exit(getattr(PretendedMachine(Path(root), Path(state)), action)())
