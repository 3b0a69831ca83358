"""What a club has beyond one table: its players, what a season's matches give, who is first."""
