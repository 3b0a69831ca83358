"""The sentences of the rules are what rule pages, card and reasons teach: their figures are true.

A row of the ruleset says in words what it gives. Who changes the figure has to change the sentence,
and what the other languages make of it.
"""

from __future__ import annotations

import re

import pytest

from device.i18n.words import LANGUAGES, catalogue
from scorer.hand import RULESETS
from scorer.message import Message
from scorer.rulesets.builtin import load_builtin

pytestmark = pytest.mark.slow

ROWS = [row for name in RULESETS for row in load_builtin(name).every_rule]
TIMES = {
    "en-GB": (r"\bonce\b", r"\btwice\b", "three times"),
    "fr": ("une fois", "deux fois", "trois fois"),
    "zh-Hant": ("一番", "兩番", "三番"),
}
"""How each language says that something doubles once, twice, three times, as patterns."""

RANKS = re.compile(r"\b1s\b|\b9s\b|\b2 (?:to|à) 8\b|\b1, 9\b|\b1 ou de 9\b")
"""Names of tiles, which are no figures of the rules."""

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def sentence_in(sentence: Message, language: str) -> str:
    """Return a sentence of the rules in a language, with plain spaces."""
    return catalogue(language).say(sentence).replace("\N{NO-BREAK SPACE}", " ")


def times_said(text: str, language: str) -> int:
    """Return how often a sentence says first that something doubles; 0 where it does not say."""
    words = enumerate(TIMES[language], 1)
    places = [(at.start(), number) for number, word in words if (at := re.search(word, text))]
    return min(places)[1] if places else 0


@in_every_language
def test_a_row_says_what_it_gives(language: str) -> None:
    for row in ROWS:
        sentence = sentence_in(row.sentence, language)
        numbers = re.findall(r"\d+(?:[\u202f,]\d{3})*", RANKS.sub("", sentence))
        figures = {int(re.sub(r"[\u202f,]", "", each)) for each in numbers}
        points = {row.exposed_points, row.concealed_points, row.below} - {0}
        assert figures == points, f"{row.id}: {sentence}"
        if row.doubles:
            assert times_said(sentence, language) == row.doubles, f"{row.id}: {sentence}"


@in_every_language
def test_a_special_hand_says_how_often_it_is_doubled(language: str) -> None:
    (purity,) = [special for special in load_builtin("bmja").specials if special.doubles]
    assert times_said(sentence_in(purity.sentence, language), language) == purity.doubles


@in_every_language
def test_the_choice_of_two_players_says_its_figures(language: str) -> None:
    bmja = load_builtin("bmja")
    (choice,) = [option for option in bmja.options if option.rule == "BMJA-N02"]
    assert bmja.two_players is not None
    figures = {int(each) for each in re.findall(r"\d+", sentence_in(choice.sentence, language))}
    assert figures - {2} == {bmja.two_players.doubles, bmja.two_players.points}
