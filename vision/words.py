"""Messages of the photo reading in English, for terminals and programs."""

from __future__ import annotations

from scorer.message import Message, english_catalogue


def to_english(text: Message) -> str:
    """Return a message of vision or scorer in English."""
    return english_catalogue("scorer", "vision").say(text)
