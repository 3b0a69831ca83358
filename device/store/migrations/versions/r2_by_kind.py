"""Index the events by kind, for the queries of every page.

Every page asks for the newest hands and the tile set in use. Without the index, each such query
reads all events.
"""

from __future__ import annotations

from device.store.migrations import statements

revision = "r2"
down_revision = "r1"

_BOTH = ("CREATE INDEX events_by_kind ON events (kind, seq)",)


def upgrade() -> None:
    """Run the migration."""
    statements(sqlite=(*_BOTH, "PRAGMA user_version = 2"), postgresql=_BOTH)
