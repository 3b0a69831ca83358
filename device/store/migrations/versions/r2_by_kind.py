"""The newest hands, and which set is on the table, are asked for with every page.

Without this, all events ever written are looked through each time.
"""

from __future__ import annotations

from device.store.migrations.steps import statements

revision = "r2"
down_revision = "r1"

_BOTH = ("CREATE INDEX events_by_kind ON events (kind, seq)",)


def upgrade() -> None:
    """Take the step."""
    statements(sqlite=(*_BOTH, "PRAGMA user_version = 2"), postgresql=_BOTH)
