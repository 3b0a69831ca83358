"""A figure that a table changes leaves the rule's sentence in the phone's language, and true."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from device.i18n.words import ENGLISH, LANGUAGES, catalogue
from scorer.hand import RULESETS
from scorer.message import rule_text
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.rows import change_row, find_row, list_rows

TRANSLATIONS = [language for language in LANGUAGES if language != ENGLISH]
AMOUNTS = ("points", "exposed", "concealed", "doubles")


def changed_sentences() -> Iterator[tuple[str, str, int]]:
    """Yield each shipped rule's sentence, the same with a figure changed, and the figure."""
    for name in RULESETS:
        text = load_builtin_text(name)
        for row in list_rows(text):
            for key in AMOUNTS if row.block == "rule" else ():
                if row.data.get(key):
                    new = row.data[key] + 5
                    changed = find_row(change_row(text, row, {key: str(new)}), row.address)
                    assert changed
                    yield row.data["sentence"], changed.data["sentence"], new


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_changed_figure_stands_in_the_sentence_of_the_language(language: str) -> None:
    texts = catalogue(language)
    sentences = list(changed_sentences())
    assert len(sentences) > 50
    for usual, changed, figure in sentences:
        old, new = (texts.say(rule_text(text)) for text in (usual, changed))
        assert new != changed, "left in English"
        assert str(figure) in re.findall(r"\d+", new)
        assert len(re.findall(r"\d+", new)) >= len(re.findall(r"\d+", old))


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_figure_within_a_number_is_no_number_of_times(language: str) -> None:
    usual = (
        "A special hand worth less than 1,000, won with the last discard, doubles its bonus "
        "tiles once more."
    )
    texts = catalogue(language)
    old, new = (texts.say(rule_text(text)) for text in (usual, usual.replace("1,000", "7,000")))
    assert re.sub(r"\d", "", old) == re.sub(r"\d", "", new), "only the limit is another"
    assert "7" in new


FORMER_SENTENCES = (
    "A pung or kong of the player's own wind doubles the score once.",
    "Winning with the final discard doubles once.",
    "The player who goes Mah Jong scores 25.",
)
"""What a custom ruleset copied from an earlier version says."""


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("sentence", FORMER_SENTENCES)
def test_a_copy_of_earlier_rules_is_still_translated(sentence: str, language: str) -> None:
    assert catalogue(language).say(rule_text(sentence)) != sentence


def tile_figures() -> Iterator[tuple[str, str]]:
    """Yield each shipped sentence, and the same with one of its figures the next one up to 9."""
    for name in RULESETS:
        for row in list_rows(load_builtin_text(name)):
            usual = str(row.data.get("sentence", ""))
            for found in re.finditer(r"\b[1-9]\b", usual):
                new = str(int(found[0]) % 9 + 1)
                yield usual, usual[: found.start()] + new + usual[found.end() :]


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_changed_number_of_a_tile_is_said_in_the_language(language: str) -> None:
    texts = catalogue(language)
    sentences = list(tile_figures())
    assert len(sentences) > 40
    for usual, changed in sentences:
        old, new = (texts.say(rule_text(text)) for text in (usual, changed))
        assert new != changed, "left in English"
        other = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
        assert len(other) == 1, f"{new}: one figure is another, and nothing else"


def test_chinese_tiles_and_points_are_told_apart() -> None:
    usual = "Four alike of 2 to 8 in a suit score 8 exposed and 16 concealed."
    texts = catalogue("zh-Hant")
    assert texts.say(rule_text(usual.replace("to 8", "to 7"))) == "二至七的槓，明槓8分，暗槓16分。"
    assert (
        texts.say(rule_text(usual.replace("score 8", "score 7")))
        == "二至八的槓，明槓7分，暗槓16分。"
    )
    ten = usual.replace("to 8", "to 10")
    assert texts.say(rule_text(ten)) == ten, "there is no such tile"
