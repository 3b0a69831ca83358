"""Tournaments: seating, rounds, results and ranking."""
