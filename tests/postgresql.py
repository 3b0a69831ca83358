"""A PostgreSQL server of the tests' own, from the system's packages: real, and gone afterwards."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import make_url

from device.store.postgresql_log import PostgresqlLog

USER = "tongbox"

SERVER, POSTMASTER, BACKENDS, BACKEND = "server", "postmaster", "backends", "backend"
STOPPABLE = (SERVER, POSTMASTER, BACKENDS, BACKEND)
"""What may hang: all of it, who lets connections in, who serves a database's connections, or who
serves the newest of them."""

# Another user must reach the folder, and a socket's name has 107 letters at most.
PARENT = "/dev/shm" if tempfile.gettempdir() == "/dev/shm" else "/tmp"  # noqa: S108

SETTINGS = (
    "listen_addresses=",
    "max_connections=200",
    # Its own log stays small, for the folder may lie in memory.
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_wal_size=64MB",
    "min_wal_size=32MB",
    # No test cuts the power of the computer itself, and none has a table that needs sweeping.
    "fsync=off",
    "full_page_writes=off",
    "autovacuum=off",
    "jit=off",
)


def program(name: str) -> str:
    """Return the path of one of PostgreSQL's programs, of the newest version there is.

    Raises FileNotFoundError where PostgreSQL is not installed.
    """
    programs = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=_version)
    path = str(programs[-1]) if programs else shutil.which(name)
    if not path:
        raise FileNotFoundError("PostgreSQL is not installed: see tests/install-packages")
    return path


def _version(path: Path) -> int:
    return int(path.parts[4])


class PostgresqlServer:
    """A server that listens in a folder alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names = (f"box{number}" for number in itertools.count())
        # It refuses to be root.
        self._user = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
        if self._user:
            shutil.chown(folder, "postgres", "postgres")
        subprocess.run(
            [program("initdb"), "-D", str(folder / "data"), "-U", USER, "--auth=trust",
             "--encoding=UTF8", "--locale=C", "--no-sync"],
            check=True, capture_output=True, **self._user,  # type: ignore[call-overload]
        )  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [program("postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder),
                 *(word for setting in SETTINGS for word in ("-c", setting))],
                stdout=log, stderr=log, **self._user,  # type: ignore[call-overload]
            )  # fmt: skip
        ready = [program("pg_isready"), "-q", "-h", str(self.folder), "-U", USER, "-d", "postgres"]
        for _ in range(600):
            if subprocess.run([*ready, "-t", "1"], check=False).returncode == 0:
                return
            assert self._process.poll() is None, (self.folder / "log").read_text()
        raise AssertionError("the server does not start")

    def stop(self, stop_signal: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT takes the connections with it, SIGQUIT is a pulled plug."""
        self._process.send_signal(stop_signal)
        self._process.wait()

    def freeze(self, process_kind: str = SERVER, name: str = "") -> None:
        """Let one of `STOPPABLE` answer nobody, as a machine that hangs; `name` is a database."""
        backends = self._backends(name) if process_kind in (BACKENDS, BACKEND) else []
        if process_kind in (SERVER, POSTMASTER):  # first, or it begins others meanwhile
            os.kill(self._process.pid, signal.SIGSTOP)
        for pid in {
            SERVER: self._children(),
            POSTMASTER: [],
            BACKENDS: backends,
            BACKEND: backends[-1:],
        }[process_kind]:
            os.kill(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let all of it go on."""
        for pid in [self._process.pid, *self._children()]:
            os.kill(pid, signal.SIGCONT)

    def _backends(self, name: str) -> list[int]:
        """Return the processes that serve a database's connections, the oldest first."""
        query = "SELECT pid FROM pg_stat_activity WHERE datname = %s ORDER BY backend_start"
        with self.connect("postgres") as connection:
            return [int(str(pid)) for (pid,) in connection.execute(query, [name]).fetchall()]

    def _children(self) -> list[int]:
        pid = self._process.pid
        return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]

    def database(self, template: str = "template1") -> str:
        """Make a database with nothing in it, or with what is in a template; return its URL."""
        name = next(self._names)
        # The other strategy writes each page twice, first to the log.
        create = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy")
        with self.connect("postgres") as connection:
            connection.execute(create.format(sql.Identifier(name), sql.Identifier(template)))
        return self.url(name)

    def drop(self, url: str) -> None:
        """Delete a database: at the end of a run hundreds would take a minute."""
        drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
        with self.connect("postgres") as connection:
            connection.execute(drop.format(sql.Identifier(str(make_url(url).database))))

    @cached_property
    def server_start(self) -> str:
        """The name of a database in which a store was begun, to be a template for others."""
        url = self.database()
        PostgresqlLog(make_url(url)).close()
        return str(make_url(url).database)

    def connect(self, name: str) -> psycopg.Connection[tuple[object, ...]]:
        """Return a connection to a database, each statement a transaction."""
        return psycopg.connect(host=str(self.folder), user=USER, dbname=name, autocommit=True)

    def url(self, name: str) -> str:
        """Return a database's URL."""
        return f"postgresql://{USER}@/{name}?host={self.folder}"


@contextmanager
def running_server() -> Iterator[PostgresqlServer]:
    """Run a server in a folder of its own until the block ends.

    Raises FileNotFoundError where PostgreSQL is not installed.
    """
    with tempfile.TemporaryDirectory(
        prefix="tongbox-pg-", dir=PARENT, ignore_cleanup_errors=True
    ) as folder:
        server = PostgresqlServer(Path(folder))
        try:
            yield server
        finally:
            server.stop()
