"""A made-up system that is booted, has a log of events, and can be cut off at any command.

Commands that change something are counted. Before the chosen one the session is lost (SIGHUP), what
runs is killed (SIGKILL), or the power goes. With the power goes what was written since the last
`sync`: the contents of files alone, or also names and links ("gone").
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.deploy.conftest import MAKE_VENV
from tests.deploy.counted_system import (
    CHANGING_PROGRAMS,
    COPY_SYNCED,
    LOOKING_PROGRAMS,
    CountedSystem,
)

REPO = Path(__file__).parents[2]
PRETEND_PROGRAM = Path(__file__).with_name("pretend.py")

MODES = ("session", "kill", "power", "gone")

HAND_COUNT = 12
"""Events that the log has at first."""

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

SYSTEMD_RUN = """
[ "$1 $2" = "--quiet --on-active=60" ] || exit 2
shift 2
echo "$*" >"$STATE/in-a-minute"
"""

SYNC = """
read -r mode <"$STATE/mode"
case $mode in power | gone) ;; *) exit 0 ;; esac
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
"""Signatures are not checked here (tests/device/updates does): the file says the result."""

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
"""Runs `device.store.updating`, and notes which files it brought to the disk itself."""

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
    "sync": SYNC + COPY_SYNCED,
    "systemctl": SYSTEMCTL,
    "systemd-run": SYSTEMD_RUN,
    "runuser": 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
    "python3": PYTHON,
    "venv-python": VENV_PYTHON,
    "venv-pip": VENV_PIP,
}


@dataclass(frozen=True)
class Machine(CountedSystem):
    """A booted system; `state` is what is not on its disk."""

    @classmethod
    def create(cls, folder: Path) -> Machine:
        """Return a machine with a first version and some hands, made in a new folder."""
        machine = cls(folder / "root", folder / "source", folder / "programs")
        machine.state.mkdir(parents=True)
        machine.lay_out()
        return machine

    def program(self, name: str, script: str) -> None:
        counts = COUNT if name not in LOOKING_PROGRAMS else ""
        super().program(name, f"{PRETEND}{counts}{script}")

    def lay_out(self) -> None:
        """Make its programs, install a first version, and play some hands."""
        super().lay_out()
        self.state.joinpath("starts").write_text("")
        self.state.joinpath("fsync.py").write_text(FSYNC)
        self.make_programs(CHANGING_PROGRAMS, PROGRAMS)
        (self.root / "var/lib/tongbox").mkdir(parents=True)
        self._play()
        self.change_source()
        result = self.update(script="install")
        assert (result.returncode, result.stderr) == (0, ""), result

    def _play(self) -> None:
        """Keep hands as a box does that is stopped dead: not all of it is in the main file."""
        half = self.state / "log"
        with closing(sqlite3.connect(half)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("CREATE TABLE events (said TEXT)")
            db.execute("PRAGMA user_version = 3")
            db.commit()
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            db.executemany(
                "INSERT INTO events VALUES (?)", [(f"hand {n}",) for n in range(HAND_COUNT)]
            )
            db.commit()
            for end in ("", "-wal"):
                shutil.copy(f"{half}{end}", f"{self.log}{end}")

    def update(
        self,
        *options: str,
        number: int = 0,
        mode: str = "",
        script: str = "update",
        counts: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Run a script, cut off before its command number `number`, and wait for what goes on.

        Commands are counted where it is to be cut off, or where that is asked for: to count one
        takes as long as to run it.
        """
        if mode in ("power", "gone"):
            self._cut_at(0, mode)
            self.sync()
        self._cut_at(number, mode)
        with (self.state / "out").open("w+") as output_file, (self.state / "err").open("w+") as err:
            process = subprocess.Popen(
                ["sh", "-c", 'export GROUP=$$; echo $$ >"$STATE/groups"; exec sh "$0" "$@"',
                 str(self.source / "deploy" / f"{script}.sh"), *options],
                env=self.environment(counts=counts or number > 0), stdin=subprocess.DEVNULL,
                stdout=output_file, stderr=err, start_new_session=True,
            )  # fmt: skip
            code = process.wait(120)
            if not self._power_goes(mode, number):
                # What systemd has begun goes on without whoever asked for it.
                subprocess.run(["flock", str(self.state / "unit-lock"), "true"], check=True)
            output_file.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess([script], code, output_file.read(), err.read())

    def _power_goes(self, mode: str, number: int) -> bool:
        if mode not in ("power", "gone") or self.commands < number:
            return False
        self._lose(names=mode == "gone")
        self._cut_at(0, "")
        self.state.joinpath("groups").write_text("")
        self.pretend("boot")
        return True

    def _lose(self, *, names: bool) -> None:
        """Drop what was not brought to the disk; SQLite sees to the log itself."""
        log = self.log.parent
        self.empty_unsynced(lambda path: path.parent == log)
        if names:
            hands_folder = self.state / "hands"
            shutil.move(log, hands_folder)
            self.restore_synced()
            shutil.rmtree(log)
            shutil.move(hands_folder, log)

    def _cut_at(self, number: int, mode: str) -> None:
        for name, text in (("count", "0"), ("at", str(number)), ("mode", mode)):
            (self.state / name).write_text(f"{text}\n" if name != "mode" else text)

    def copy_to(self, folder: Path) -> Machine:
        """Return the same machine in another folder."""
        shutil.copytree(self.root.parent, folder, symlinks=True)
        return Machine(folder / "root", folder / "source", folder / "programs")

    def sync(self) -> None:
        """Bring all that was written to the disk."""
        subprocess.run(["sync"], env=self.environment(), check=True)

    def pretend(self, action: str) -> None:
        """Let the made-up systemd, box or page do something."""
        command = [sys.executable, "-E", "-s", "-S", str(PRETEND_PROGRAM), str(self.root)]
        subprocess.run([*command, str(self.state), action], env=self.environment(), check=True)

    def environment(self, *, counts: bool = False) -> dict[str, str]:
        """Return the environment of a command on this machine."""
        return super().environment(counts=counts) | {
            "PRETEND": str(PRETEND_PROGRAM),
            "FSYNC": str(self.state / "fsync.py"),
            "REPO": str(REPO),
            "GROUP": "0",
        }

    @property
    def running_version(self) -> str:
        file = self.state / "running"
        return file.read_text() if file.exists() else ""

    def log_lines(self, log: Path) -> list[str]:
        """Return the events of a log; empty for a torn one."""
        try:
            with closing(sqlite3.connect(f"{log.as_uri()}?mode=rw", uri=True)) as db:
                if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                    return []
                return [str(row[0]) for row in db.execute("SELECT said FROM events")]
        except sqlite3.Error:
            return []

    def wrong(self) -> Iterator[str]:
        """Yield what is wrong while nothing is under way."""
        if not self.running_version:
            yield "no version runs"
        elif self.running_version != self.current:
            yield "another version runs than the link says"
        has = set(self.log_lines(self.log))
        if {f"hand {n}" for n in range(HAND_COUNT)} - has:
            yield "hands of before are gone"
        for path in self.log.parent.rglob("events.sqlite3"):
            has.update(self.log_lines(path))
        if set((self.state / "starts").read_text().splitlines()) - has:
            yield "later events are nowhere"
