"""What a club has beyond one table: several of them, its players, a season, tournaments."""
