"""Execute the statements of a migration in the dialect of the engine."""

from __future__ import annotations

from alembic import op
from sqlalchemy import text


def statements(*, sqlite: tuple[str, ...], postgresql: tuple[str, ...]) -> None:
    """Execute the statements for the engine in use."""
    by_engine = {"sqlite": sqlite, "postgresql": postgresql}
    for each in by_engine[op.get_context().dialect.name]:
        op.execute(text(each.replace(":", r"\:")))
