"""docs/rules.md says of every rule what the box says of it."""

from __future__ import annotations

import re
from pathlib import Path

from device.views.tutor.rules_page import write_document
from scorer.teach.lessons.rulebook import RULE_IDS

WRITTEN = (Path(__file__).parents[3] / "docs" / "rules.md").read_text("utf-8")


def test_the_page_of_the_rules_is_as_the_rules_are() -> None:
    due = "run `python -m device.views.tutor.rules_page > docs/rules.md`"
    assert "\n".join(write_document()) == WRITTEN, due


def test_every_rule_is_told_in_a_sentence() -> None:
    told = dict(re.findall(r"^- \*\*([\w-]+)\*\* (.*)$", WRITTEN, re.MULTILINE))
    assert list(told) == list(RULE_IDS)
    assert [rule for rule, said in told.items() if not re.match(r"(?!See ).{20,}[.)]$", said)] == []
