"""Figures that may be a slip are pointed out, and are no fault."""

from __future__ import annotations

import pytest

from scorer.hand import RULESETS
from scorer.message import to_english
from scorer.rulesets.custom import read_new_ruleset
from scorer.rulesets.doubtful_figures import find_doubtful_figures
from scorer.rulesets.files import SAMPLES, load_builtin_text, load_sample_text

OUR_RULES = load_builtin_text("bmja").replace("British Mah-Jong (BMJA)", "Our rules", 1)

EXPOSED_ROW = (
    '[[special]]\nid = "X-1"\nname = "Shown"\npattern = "x1-9, pung y, pair z"\nvalue = {}\n'
)
CONCEALED_ROW = (
    '[[special]]\nid = "X-2"\nname = "Hidden"\npattern = "y1-9, pung z, pair x"\n'
    "concealed = true\nvalue = {}\n"
)

ROWS = [
    ("exposed = 2\n", "exposed = 20\n", ["20 exposed, but only 4 concealed"], "a set"),
    ("exposed = 2\n", "exposed = 4\n", [], "as much is often meant"),
    (None, EXPOSED_ROW.format(500) + CONCEALED_ROW.format(1000), [], "the usual way round"),
    (None, EXPOSED_ROW.format(500) + CONCEALED_ROW.format(500), [], "as much"),
    (None, CONCEALED_ROW.format(400) + EXPOSED_ROW.format(500),
     ["Shown: 500, but only 400 for Hidden"], "a hand"),
    (None, EXPOSED_ROW.format("500\nfishing = 300") + CONCEALED_ROW.format("800\nfishing = 200"),
     ["Shown: 300, but only 200 for Hidden"], "one tile short"),
    (None, EXPOSED_ROW.format("500\nfishing = 300") + CONCEALED_ROW.format(800), [],
     "0 is no figure"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "says", "reason"), ROWS, ids=[row[3] for row in ROWS])
def test_what_is_dearer_exposed_is_pointed_out(
    old: str | None, new: str, says: list[str], reason: str
) -> None:
    text = OUR_RULES.replace(old, new, 1) if old else f"{OUR_RULES}\n{new}"
    assert text != OUR_RULES
    sentences = [to_english(each.message) for each in find_doubtful_figures(read_new_ruleset(text))]
    assert len(sentences) == len(says), reason
    assert all(part in sentence for part, sentence in zip(says, sentences, strict=True))


@pytest.mark.parametrize(
    "text", [*map(load_builtin_text, RULESETS), *map(load_sample_text, SAMPLES)]
)
def test_nothing_shipped_is_doubtful(text: str) -> None:
    rules = read_new_ruleset(text)
    assert [*find_doubtful_figures(rules)] == []
