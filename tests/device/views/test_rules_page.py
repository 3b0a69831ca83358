"""The list of rules by their ids says of every rule what the box says of it."""

from __future__ import annotations

import re

from device.views.tutor.rules import write_document
from scorer.teach.lessons.rulebook import RULE_IDS


def test_every_rule_is_told_in_a_sentence() -> None:
    document = "\n".join(write_document())
    sentences = dict(re.findall(r"^- \*\*([\w-]+)\*\* (.*)$", document, re.MULTILINE))
    assert list(sentences) == list(RULE_IDS)
    assert [
        rule for rule, said in sentences.items() if not re.match(r"(?!See ).{20,}[.)]$", said)
    ] == []
