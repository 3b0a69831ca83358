"""The rules as data: the built-in ruleset files, and how a table's own file is read."""
