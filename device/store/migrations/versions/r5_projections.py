"""Add a cache of replayed records, so that long streams need no full replay after each start.

The events do not change, so an earlier Tongbox can still use such a log.
"""

from __future__ import annotations

from device.store.migrations import statements

revision = "r5"
down_revision = "r4"

_PROJECTIONS = """CREATE TABLE projections (
    sort    TEXT NOT NULL,
    stream  TEXT NOT NULL,
    version {number} NOT NULL,
    events  {number} NOT NULL,
    at      TEXT NOT NULL,
    form    TEXT NOT NULL,
    record  {bytes} NOT NULL,
    PRIMARY KEY (sort, stream)
)"""


def upgrade() -> None:
    """Run the migration."""
    statements(
        sqlite=(_PROJECTIONS.format(number="INTEGER", bytes="BLOB"),),
        postgresql=(_PROJECTIONS.format(number="BIGINT", bytes="BYTEA"),),
    )
