"""Split tiles into sets: complete hands, unfinished hands, hands with wild tiles."""
