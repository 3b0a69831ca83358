"""Hands to practise on: made to order, asked about step by step, and marked with the reason."""
