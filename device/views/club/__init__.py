"""What the club's pages and papers show: players, the season's standing, tournaments."""
