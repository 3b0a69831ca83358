"""What the photo reading says, in English: for terminals and programs."""

from __future__ import annotations

from scorer.message import Message, in_english


def english(what: Message) -> str:
    """Return a message of the reading's, or one of the scorer's, in English."""
    return in_english("scorer", "vision").say(what)
