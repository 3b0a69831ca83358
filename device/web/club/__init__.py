"""The club's pages: tables, players, tournaments, seasons and the board."""
