"""Rename the column `hand` to `stream`: events happen to matches and tile sets as well."""

from __future__ import annotations

from device.store.migrations import statements

revision = "r3"
down_revision = "r2"

_BOTH = (
    "ALTER TABLE events RENAME COLUMN hand TO stream",
    "DROP INDEX events_by_hand",
    "CREATE INDEX events_by_stream ON events (stream, seq)",
)


def upgrade() -> None:
    """Run the migration."""
    statements(sqlite=(*_BOTH, "PRAGMA user_version = 3"), postgresql=_BOTH)
