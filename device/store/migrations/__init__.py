"""The migrations of the log's tables, run by Alembic.

Migrations are only ever added. One that changes the format of the events table also sets SQLite's
`user_version`, which earlier versions check.
"""
