"""The club's pages: tables, players, tournaments, the season, the board by the door."""
