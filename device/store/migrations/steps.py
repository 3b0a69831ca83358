"""What the steps have in common: statements, in the words of each of the two engines."""

from __future__ import annotations

from alembic import op
from sqlalchemy import text


def statements(*, sqlite: tuple[str, ...], postgresql: tuple[str, ...]) -> None:
    """Give the engine at hand its statements, one after the other."""
    here = {"sqlite": sqlite, "postgresql": postgresql}
    for each in here[op.get_context().dialect.name]:
        op.execute(text(each.replace(":", r"\:")))
