"""Add a table of tried PINs, so that all processes which share the log count the same tries.

The events do not change, so an earlier Tongbox can still use such a log.
"""

from __future__ import annotations

from device.store.migrations import statements

revision = "r6"
down_revision = "r5"

_TRIES = """CREATE TABLE tries (
    who   TEXT PRIMARY KEY,
    wrong {number} NOT NULL,
    until {seconds} NOT NULL,
    since TEXT NOT NULL
)"""


def upgrade() -> None:
    """Run the migration."""
    statements(
        sqlite=(_TRIES.format(number="INTEGER", seconds="REAL"),),
        postgresql=(_TRIES.format(number="BIGINT", seconds="DOUBLE PRECISION"),),
    )
