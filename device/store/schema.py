"""The tables of the log, the same in SQLite and in PostgreSQL.

How they came to be, and how a log that an earlier Tongbox wrote is brought up to date, is in
`device/store/migrations`.
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
"""Of the events' table, as SQLite's `user_version` has it. A Tongbox reads and writes a log of its
own format whatever else a newer one has put beside; it refuses one of a higher."""

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
"""What happened. Rows are never changed or removed: triggers see to that."""

PICTURES = Table(
    "pictures",
    METADATA,
    Column("folder", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""Photographs and tiles' pictures, where they lie in the same store and in no folder."""

JOBS = Table(
    "jobs",
    METADATA,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("of", Text, nullable=False),
    UniqueConstraint("kind", "of"),
)
"""What workers are to read: taken with `FOR UPDATE SKIP LOCKED`, and gone when it is done. The log
says the same of each, so this can be made again."""

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
"""What streams came to: with the number and time of the event that was the last by then, how many
there were, and which program of which form wrote it (`device.store.derived`). The log says the same
of each."""

TRIES = Table(
    "tries",
    METADATA,
    Column("who", Text, primary_key=True),
    Column("wrong", BigInteger, nullable=False),
    Column("until", Double, nullable=False),
    Column("since", Text, nullable=False),
)
"""Who has tried PINs (`device.store.try_rows`): how often wrongly, and until when the next try does
not count, in seconds since a start of a clock. Nothing else follows from it."""
