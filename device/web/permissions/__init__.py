"""Who may do what: one row for every route that changes something, and one place that enforces it.

`rows` is the table, `check` enforces it before any view runs, and `document` prints it for
`docs/permissions.md`. A route that changes something and has no row is refused.
"""
