"""The migrations of the log's tables after those of a new log, run by Alembic.

Migrations are only ever added, and the schema files follow. One that changes the format of the
events table also sets SQLite's `user_version`, which earlier versions check.
"""

from alembic import op
from sqlalchemy import text


def statements(*, sqlite: tuple[str, ...], postgresql: tuple[str, ...]) -> None:
    """Execute the statements for the engine in use."""
    by_engine = {"sqlite": sqlite, "postgresql": postgresql}
    for each in by_engine[op.get_context().dialect.name]:
        op.execute(text(each.replace(":", r"\:")))
