"""The special hands of a ruleset are limited together, so that a hand is scored quickly."""

from __future__ import annotations

import pytest

from scorer.message import to_english
from scorer.patterns.frames import MAX_OPEN_FACES, compile_pattern
from scorer.rulesets.files import SAMPLES, load_builtin_text, load_sample_text
from scorer.rulesets.reader import RulesetError, read_ruleset
from tests.scorer.patterns.test_patterns import ROWS

OPEN = "pung xn, pung yn, pung zm, pair any, pung honour"
OPENER = "pung xn, pung ym, 4 pairs any"


def add_specials(*patterns: str, extra: str = "") -> str:
    """Return the British rules' file with further special hands."""
    return load_builtin_text("bmja") + "".join(
        f'\n[[special]]\nid = "OWN-{n}"\nname = "Own {n}"\nvalue = 500\npattern = "{each}"\n{extra}'
        for n, each in enumerate(patterns)
    )


@pytest.mark.parametrize(
    ("patterns", "refused_pattern", "reason"),
    [
        (("7 pairs minor", OPEN), "", "one open hand"),
        (("7 pairs minor", OPENER, "7 pairs terminal"), OPENER, "too open by itself"),
        ((OPEN.replace("honour", "suit"), OPEN.replace("honour", "any"), OPEN, "7 pairs terminal"),
         OPEN, "the third of three"),
    ],
)  # fmt: skip
def test_open_patterns_are_refused_by_the_line_that_is_too_much(
    patterns: tuple[str, ...], refused_pattern: str, reason: str
) -> None:
    text = add_specials(*patterns)
    if not refused_pattern:
        assert len(read_ruleset(text).specials) == 19 + len(patterns), reason
        return
    with pytest.raises(RulesetError) as failure:
        read_ruleset(text)
    (fault,) = map(to_english, (each.message for each in failure.value.problems))
    line = text.split("\n").index(f'pattern = "{refused_pattern}"') + 1
    assert fault.startswith(f"Line {line}: "), reason
    assert "leave too many choices open" in fault


def test_a_hand_that_is_not_played_costs_nothing() -> None:
    assert read_ruleset(add_specials(OPENER, extra="played = false\n"))


def test_the_hands_of_many_clubs_fit_together() -> None:
    samples = [read_ruleset(load_sample_text(name)) for name in SAMPLES]
    patterns = {each.pattern.text for rules in samples for each in rules.specials if each.pattern}
    patterns |= {row[0] for row in ROWS}
    assert len(patterns) > 90
    assert sum(compile_pattern(each).open_faces for each in patterns) < MAX_OPEN_FACES * 2 / 3
