"""Who has tried PINs stands beside the log: all processes that share it count the same tries.

The events are as they were, so an earlier Tongbox goes on with such a log.
"""

from __future__ import annotations

from device.store.migrations.steps import statements

revision = "r6"
down_revision = "r5"

_TRIES = """CREATE TABLE tries (
    who   TEXT PRIMARY KEY,
    wrong {number} NOT NULL,
    until {seconds} NOT NULL,
    since TEXT NOT NULL
)"""


def upgrade() -> None:
    """Take the step."""
    statements(
        sqlite=(_TRIES.format(number="INTEGER", seconds="REAL"),),
        postgresql=(_TRIES.format(number="BIGINT", seconds="DOUBLE PRECISION"),),
    )
