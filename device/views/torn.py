"""What is said of a hand or a match that cannot be shown."""

from __future__ import annotations

from device.i18n.words import say
from device.store import TornEventError


def torn_in_words(torn: TornEventError) -> str:
    """Return the sentence that says by which event it is torn, and that all else is there."""
    return say("error.torn", number=torn.seq, kind=torn.kind)
