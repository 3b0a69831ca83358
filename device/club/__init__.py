"""The club beyond a single table: several tables, players, seasons and tournaments."""
