"""Permissions: which phones may use each route that changes something.

`rows` lists the routes and writes them as `docs/permissions.md`. `check` enforces the list before
any view runs. A route that changes something and has no row is refused.
"""
