"""Messages of the photo reading in English, for terminals and programs."""

from __future__ import annotations

from scorer.message import Message, in_english


def english(what: Message) -> str:
    """Return a message of vision or scorer in English."""
    return in_english("scorer", "vision").say(what)
