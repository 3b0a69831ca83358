"""The tables of the log, the same in SQLite and PostgreSQL, and how an older log is migrated.

A new log is created in the newest format. An older one is migrated by Alembic in one transaction,
with the steps in `device/store/migrations`. Alembic takes half a second and 10 MB to load, so it
is loaded only if there is something to migrate.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

FORMAT = 3
"""Format of the events table, which SQLite keeps as `user_version`. A Tongbox refuses a log of a
higher format. It uses a log of its own format, whatever tables a newer Tongbox has added."""

HEAD = "r6"
"""The newest of the migrations."""

METADATA = MetaData()

EVENTS = Table(
    "events",
    METADATA,
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("stream", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("json", Text, nullable=False),
    Column("at", Text, nullable=False),
)
"""The events. Triggers forbid changing and removing rows."""

PICTURES = Table(
    "pictures",
    METADATA,
    Column("folder", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""Photographs and pictures of tiles, if they are kept in the database instead of folders."""

JOBS = Table(
    "jobs",
    METADATA,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("of", Text, nullable=False),
    UniqueConstraint("kind", "of"),
)
"""The queue of photographs to read. A job is taken with `FOR UPDATE SKIP LOCKED` and removed when
it is done. The queue can be made again from the log."""

PROJECTIONS = Table(
    "projections",
    METADATA,
    Column("sort", Text, primary_key=True),
    Column("stream", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("events", BigInteger, nullable=False),
    Column("at", Text, nullable=False),
    Column("form", Text, nullable=False),
    Column("record", LargeBinary, nullable=False),
)
"""Cached records of streams (`device.store.derived`). Each has number and time of the
last event, the number of events, and the version of the program that wrote it."""

TRIES = Table(
    "tries",
    METADATA,
    Column("who", Text, primary_key=True),
    Column("wrong", BigInteger, nullable=False),
    Column("until", Double, nullable=False),
    Column("since", Text, nullable=False),
)
"""Wrong tries of PINs (`device.store.try_rows`): how many, and until when the next is
refused, in seconds since the start of a clock."""
