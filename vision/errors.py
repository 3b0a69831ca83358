"""Errors about photographs and models, with messages for the player."""

from __future__ import annotations

from scorer.errors import RefusalError
from scorer.message import Message
from vision.words import to_english


class PhotoError(RefusalError):
    """A photograph that cannot be read. `code` is for programs; the message is a sentence."""

    def __init__(self, code: str, message: Message) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return to_english(self.message)


class ModelError(RefusalError):
    """A model file that is missing, altered, or not what its card says."""
