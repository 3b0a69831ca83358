"""Practice: random hands by level, questions step by step, answers marked line by line."""
