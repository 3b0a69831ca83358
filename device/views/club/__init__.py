"""What the club's pages and papers show: players, season standings, tournaments."""
