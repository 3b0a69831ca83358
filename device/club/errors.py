"""The error that the club's pages show."""

from __future__ import annotations

from scorer.message import Message


class ClubError(Exception):
    """A refused action, with the sentence that explains why."""

    def __init__(self, sentence: Message) -> None:
        super().__init__(sentence.key)
        self.message = sentence
