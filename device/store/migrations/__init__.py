"""How the tables of the log came to be, step by step, for Alembic.

Steps are only ever added. One that leads from a format of the events' table to the next says so to
SQLite as well, whose `user_version` earlier Tongboxes look at (`device.store.schema.FORMAT`).
"""
