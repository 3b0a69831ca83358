"""Describe camera faults."""

from __future__ import annotations

from device.cameras.protocol import camera_message
from device.i18n.words import say
from scorer.message import Message

_PASSES = camera_message("starting")


def wrong_in_words(title: str, sentence: Message | None) -> str:
    """Return what is wrong with a camera, in words; empty when nothing is.

    A camera with a title is one of several: the text names it and says that phones still work.
    """
    if sentence is None or not title or sentence == _PASSES:
        return say(sentence) if sentence else ""
    return say("camera.of-table-lost", camera=title, reason=say(sentence))
