"""A made-up system that is booted, has a log of events, and can be cut off at any command.

Commands that change anything are counted, and before the one that is named the session is lost
(SIGHUP), what runs is killed (SIGKILL), or the power goes. With the power goes what was written
since the last `sync`: the contents of such files alone, or also names and links ("gone").
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from tests.deploy.conftest import MAKE_VENV, FakeSystem

REPO = Path(__file__).parents[2]

MODES = ("session", "kill", "power", "gone")

HANDS = 12
"""Events of the beginning."""

COUNTED = ("cp", "ln", "mkdir", "mktemp", "mv", "rm", "touch")
"""The system's own programs that change something."""

COUNT = """
read -r n <"$STATE/count"; n=$((n + 1)); echo $n >"$STATE/count"
read -r at <"$STATE/at"
[ $n -ne "$at" ] || pretend strike
"""

PRETEND = """
pretend() { "$REAL_PYTHON" -E -s -S "$PRETEND" "$TONGBOX_ROOT" "$STATE" "$1"; }
"""

SYSTEMCTL = """
case "$*" in
    "start tongbox-update") exec 9>&-
        setsid -w "$REAL_PYTHON" -E -s -S "$PRETEND" "$TONGBOX_ROOT" "$STATE" finish ;;
    "stop tongbox") pretend stop ;;
    "start tongbox" | "restart tongbox") pretend start ;;
    "enable --quiet "*) touch "$STATE/enabled-$3" ;;
    daemon-reload | "start tongbox-take.path" | "restart avahi-daemon") ;;
    *) echo "systemctl knows no $*" >&2; exit 2 ;;
esac"""

SYNC = """
read -r mode <"$STATE/mode"
case $mode in power | gone) ;; *) exit 0 ;; esac
/bin/rm -rf "$STATE/synced"
/bin/cp -a "$TONGBOX_ROOT" "$STATE/synced"
find "$TONGBOX_ROOT" -type f -printf '%i %s %T@\\n' | sed 's/0$//' >"$STATE/safe"
"""

VENV_PYTHON = """
case "$*" in
    *device.store.updating*) PYTHONPATH=$REPO exec "$REAL_PYTHON" "$FSYNC" "$@" ;;
    *http.client*) pretend health ;;
    *device.updates.take*)
        read -r said <"$4"
        echo "$said"
        [ "$said" = 9.9.9 ] && cp -R "$STATE/bundle" "$6" ;;
esac"""
"""Whoever signed it is not asked here (tests/device/updates): the file says what is made of it."""

FSYNC = """
import os, runpy, sys
def fsync(number, real=os.fsync):
    real(number)
    told = os.fstat(number)
    with open(os.environ["STATE"] + "/safe", "a") as file:
        seconds, rest = divmod(told.st_mtime_ns, 10**9)
        file.write(f"{told.st_ino} {told.st_size} {seconds}.{rest:09d}\\n")
os.fsync = fsync
sys.argv[:] = ["updating", *sys.argv[4:]]
runpy.run_module("device.store.updating", run_name="__main__")
"""
"""Runs what the script asks for, and writes down which files it brought to the disk itself."""

PYTHON = f"""
case "$*" in
    *ask.py) pretend ask ;;{MAKE_VENV}
    *"import numpy"*) echo 2.2.4 ;;
esac"""

VENV_PIP = """
venv=$(dirname "$0")/..
for source; do :; done
[ ! -e "$source/fails" ] || exit 1
for mark in ill writes dead deaf; do [ ! -e "$source/$mark" ] || touch "$venv/$mark"; done
[ ! -e "$source/device/code.py" ] || cp "$source/device/code.py" "$venv/code"
"""

PROGRAMS = {
    "sync": SYNC,
    "systemctl": SYSTEMCTL,
    "runuser": 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
    "python3": PYTHON,
    "venv-python": VENV_PYTHON,
    "venv-pip": VENV_PIP,
}

ONLY_ASKED = ("getconf", "getent", "id", "install", "sleep", "uname", "dpkg-query", "apt-cache")
"""Nothing is different when these are cut off."""


@dataclass(frozen=True)
class Machine(FakeSystem):
    """A booted system; `state` is what is not on its disk."""

    @property
    def state(self) -> Path:
        return self.root.parent / "state"

    @property
    def counting(self) -> Path:
        """Return the folder of programs that count what changes something, and then do it."""
        return self.root.parent / "counting"

    @classmethod
    def made(cls, folder: Path) -> Machine:
        """Return a machine with a first version and some hands, made in a new folder."""
        machine = cls(folder / "root", folder / "source", folder / "programs")
        machine.state.mkdir(parents=True)
        machine.lay_out()
        return machine

    def program(self, name: str, script: str) -> None:
        counts = COUNT if name not in ONLY_ASKED else ""
        super().program(name, f"{PRETEND}{counts}{script}")

    def lay_out(self) -> None:
        """Make its programs, install a first version, and let some hands be played."""
        super().lay_out()
        self.state.joinpath("starts").write_text("")
        self.state.joinpath("fsync.py").write_text(FSYNC)
        self.counting.mkdir()
        counting = replace(self, programs=self.counting)
        for name in COUNTED:
            counting.program(name, f'exec {shutil.which(name)} "$@"')
        for name, script in PROGRAMS.items():
            self.program(name, script)
        (self.root / "var/lib/tongbox").mkdir(parents=True)
        self._play()
        self.change_source()
        done = self.update(script="install")
        assert (done.returncode, done.stderr) == (0, ""), done

    def _play(self) -> None:
        """Keep hands as a box does that is stopped dead: not all of it is in the main file."""
        half = self.state / "log"
        with closing(sqlite3.connect(half)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("CREATE TABLE events (said TEXT)")
            db.execute("PRAGMA user_version = 3")
            db.commit()
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            db.executemany("INSERT INTO events VALUES (?)", [(f"hand {n}",) for n in range(HANDS)])
            db.commit()
            for end in ("", "-wal"):
                shutil.copy(f"{half}{end}", f"{self.log}{end}")

    def update(
        self,
        *options: str,
        at: int = 0,
        mode: str = "",
        script: str = "update",
        counts: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Run a script, cut off before its command number `at`, and wait for what goes on.

        Commands are counted where it is to be cut off, or where that is asked for: to count one
        takes as long as to run it.
        """
        if mode in ("power", "gone"):
            self._cut_at(0, mode)
            self.sync()
        self._cut_at(at, mode)
        with (self.state / "out").open("w+") as out, (self.state / "err").open("w+") as err:
            started = subprocess.Popen(
                ["sh", "-c", 'export GROUP=$$; echo $$ >"$STATE/groups"; exec sh "$0" "$@"',
                 str(self.source / "deploy" / f"{script}.sh"), *options],
                env=self._environment(counts=counts or at > 0), stdin=subprocess.DEVNULL,
                stdout=out, stderr=err, start_new_session=True,
            )  # fmt: skip
            code = started.wait(120)
            if not self._power_goes(mode, at):
                # What systemd has begun goes on without whoever asked for it.
                subprocess.run(["flock", str(self.state / "unit-lock"), "true"], check=True)
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess([script], code, out.read(), err.read())

    def _power_goes(self, mode: str, at: int) -> bool:
        if mode not in ("power", "gone") or self.commands < at:
            return False
        self._lose(names=mode == "gone")
        self._cut_at(0, "")
        self.state.joinpath("groups").write_text("")
        self.pretend("boot")
        return True

    def _lose(self, *, names: bool) -> None:
        """Let go what was not brought to the disk; SQLite sees to the log itself."""
        safe = set((self.state / "safe").read_text().splitlines())
        log = self.log.parent
        for path in self.root.rglob("*"):
            if path.is_symlink() or not path.is_file() or path.parent == log:
                continue
            told = path.stat()
            seconds, rest = divmod(told.st_mtime_ns, 10**9)
            if f"{told.st_ino} {told.st_size} {seconds}.{rest:09d}" not in safe:
                path.write_bytes(b"")
        if names:
            kept = self.state / "hands"
            shutil.move(log, kept)
            shutil.rmtree(self.root)
            shutil.copytree(self.state / "synced", self.root, symlinks=True)
            shutil.rmtree(log)
            shutil.move(kept, log)

    def _cut_at(self, at: int, mode: str) -> None:
        for name, text in (("count", "0"), ("at", str(at)), ("mode", mode)):
            (self.state / name).write_text(f"{text}\n" if name != "mode" else text)

    def copied(self, to: Path) -> Machine:
        """Return the same machine in another folder."""
        shutil.copytree(self.root.parent, to, symlinks=True)
        return Machine(to / "root", to / "source", to / "programs")

    def sync(self) -> None:
        """Bring all that was written to the disk."""
        subprocess.run(["sync"], env=self._environment(), check=True)

    @property
    def commands(self) -> int:
        """Return how many commands were counted in the last run."""
        return int((self.state / "count").read_text())

    def pretend(self, what: str) -> None:
        command = [
            sys.executable,
            "-E",
            "-s",
            "-S",
            str(Path(__file__).with_name("pretend.py")),
            str(self.root),
        ]
        subprocess.run([*command, str(self.state), what], env=self._environment(), check=True)

    def _environment(self, *, counts: bool = False) -> dict[str, str]:
        programs = f"{self.programs}:{self.counting}" if counts else f"{self.programs}"
        return {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "CALLS": str(self.root.parent / "calls"),
            "TONGBOX_ROOT": str(self.root),
            "TONGBOX_PYTHON": str(self.programs / "python3"),
            "REAL_PYTHON": sys.executable,
            "PRETEND": str(Path(__file__).with_name("pretend.py")),
            "FSYNC": str(self.state / "fsync.py"),
            "REPO": str(REPO),
            "STATE": str(self.state),
            "TONGBOX_TRIES": "2",
            "GROUP": "0",
        }

    @property
    def running(self) -> str:
        file = self.state / "running"
        return file.read_text() if file.exists() else ""

    def said(self, log: Path) -> list[str]:
        """Return what a log's events say; nothing for one that is not whole."""
        try:
            with closing(sqlite3.connect(f"{log.as_uri()}?mode=rw", uri=True)) as db:
                if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                    return []
                return [str(row[0]) for row in db.execute("SELECT said FROM events")]
        except sqlite3.Error:
            return []

    def wrong(self) -> Iterator[str]:
        """Yield what is not as it must be, at any time at which nothing is being done."""
        if not self.running:
            yield "no version runs"
        elif self.running != self.current:
            yield "another version runs than the link says"
        has = set(self.said(self.log))
        if {f"hand {n}" for n in range(HANDS)} - has:
            yield "hands of before are gone"
        for path in self.log.parent.rglob("events.sqlite3"):
            has.update(self.said(path))
        if set((self.state / "starts").read_text().splitlines()) - has:
            yield "later events are nowhere"
