"""Hands to practise on: made by level, asked about step by step, marked line by line."""
