"""The small network that reads print: its teacher, what it is shown, and its training."""
