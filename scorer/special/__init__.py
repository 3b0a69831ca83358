"""The special hands: each in one place, what it is made of, why a hand is not it, what is missing.

A family of hands is a file; `table` has them all by the names that a ruleset's file uses.
"""
