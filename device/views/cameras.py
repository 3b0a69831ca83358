"""What is wrong with a camera, in words."""

from __future__ import annotations

from device.cameras.protocol import says
from device.i18n.words import say
from scorer.message import Message

_PASSES = says("starting")


def wrong_in_words(title: str, sentence: Message | None) -> str:
    """Return what is wrong with a camera; empty when nothing is.

    Of one of several, which has a title, it is said which, and that phones do meanwhile.
    """
    if sentence is None or not title or sentence == _PASSES:
        return say(sentence) if sentence else ""
    return say("camera.of-table-lost", camera=title, reason=say(sentence))
