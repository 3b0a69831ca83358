"""What the club refuses, in words."""

from __future__ import annotations

from scorer.message import Message


class ClubError(Exception):
    """Something that cannot be, with the sentence that says why."""

    def __init__(self, what: Message) -> None:
        super().__init__(what.key)
        self.message = what
