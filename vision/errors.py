"""What can go wrong with a photograph, in words for the player."""

from __future__ import annotations


class PhotoError(Exception):
    """A photograph that cannot be read: `code` is for programs, the message a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ModelError(Exception):
    """A model file that is missing, altered, or not what its card says."""
