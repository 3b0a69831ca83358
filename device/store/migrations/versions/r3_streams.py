"""What an event happened to was called a hand before there were matches, tile sets and pupils."""

from __future__ import annotations

from device.store.migrations.steps import statements

revision = "r3"
down_revision = "r2"

_BOTH = (
    "ALTER TABLE events RENAME COLUMN hand TO stream",
    "DROP INDEX events_by_hand",
    "CREATE INDEX events_by_stream ON events (stream, seq)",
)


def upgrade() -> None:
    """Take the step."""
    statements(sqlite=(*_BOTH, "PRAGMA user_version = 3"), postgresql=_BOTH)
