"""Where tiles lie: the table's plane, rows, gaps, which way up, the mat."""
