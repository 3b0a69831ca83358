"""Explain a score: its sum, alternatives, warnings, rules not counted, waits, missing tiles."""
