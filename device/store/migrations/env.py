"""Run the migrations; Alembic loads this file. The caller provides connection and transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
