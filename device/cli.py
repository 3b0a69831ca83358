"""The `tongbox` command."""

from __future__ import annotations


def main() -> int:
    """Run the command line; return its exit status."""
    return 0
