"""Begin with the tables of Tongbox 0.5.0.

A new log gets them from `schema-sqlite.sql` or `schema-postgresql.sql`, without Alembic.
"""

from __future__ import annotations

revision = "r6"
down_revision = None


def upgrade() -> None:
    """Do nothing: no log without these tables is migrated."""
