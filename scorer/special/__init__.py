"""The special hands. Each is a class: its test, why a hand fails it, and which tiles are missing.

Each family is a file. `registry` has all hands by the names that ruleset files use.
"""
