"""What streams came to is kept: it need not be replayed from the beginning after each start.

The events are as they were, so an earlier Tongbox goes on with such a log.
"""

from __future__ import annotations

from device.store.migrations.steps import statements

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
    """Take the step."""
    statements(
        sqlite=(_PROJECTIONS.format(number="INTEGER", bytes="BLOB"),),
        postgresql=(_PROJECTIONS.format(number="BIGINT", bytes="BYTEA"),),
    )
