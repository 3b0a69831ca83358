"""What the pages of rules and of special hands show.

`python -m device.views.tutor.rules` writes every rule by its id, as Markdown. Every sentence comes
from the rulesets' rows or from the rulebook's strings.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType

from device.i18n.words import (
    group_digits,
    is_said,
    say,
    say_figures,
    say_limit,
    tile_name,
    wind_name,
)
from device.views.tutor.exercise import ShownHand, show_hand
from scorer.errors import HandError
from scorer.explain.foreign_rules import describe_foreign_rule
from scorer.hand import RULESETS, Hand
from scorer.message import Message, to_english
from scorer.notation import parse_hand
from scorer.ruleset import Option, Rule, Ruleset, SpecialHand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score, score_total
from scorer.teach.lessons.examples import (
    find_exposure,
    find_rule_example,
    fishing_example,
    special_example,
)
from scorer.teach.lessons.figures import collect_figures
from scorer.teach.lessons.rulebook import (
    RELATED_RULES,
    RULE_IDS,
    book_of,
    options_about,
    rows_of,
    section_of,
    switch_rule_on,
)
from scorer.teach.practice.set_questions import Layings
from scorer.tiles import FACE_DOWN


@dataclass(frozen=True, slots=True)
class ScoredExample:
    """An example hand with the facts that its tiles cannot show."""

    hand: ShownHand
    facts: tuple[str, ...]
    reason: Message | None = None
    """Why the rule does not apply here; None where it applies."""
    otherwise: tuple[str, ...] = ()
    """The effect of the table's choices."""


@dataclass(frozen=True, slots=True)
class TableChoice:
    """One of the table's choices and its present state."""

    option: Option
    on: bool

    @property
    def usual(self) -> bool:
        """Return whether the choice is the default one."""
        return self.on == self.option.default


@dataclass(frozen=True, slots=True)
class RuleView:
    """One rule."""

    rule: str
    section: str
    title: str
    sentence: str
    """Empty where its rows say everything."""
    rows: tuple[Rule, ...]
    off: bool
    """None of its rows counts at this table."""
    choices: tuple[TableChoice, ...]
    laid: tuple[str, ...]
    """A set as this rule lays it on the table; empty for most rules."""
    lit_line: str
    """The rule whose line the examples highlight."""
    elsewhere: tuple[Message, ...]
    """What other families of rules count against this rule."""
    examples: tuple[ScoredExample, ...]
    misses: tuple[ScoredExample, ...]


@dataclass(frozen=True, slots=True)
class SpecialPage:
    """The extra content of a special hand's page."""

    special: SpecialHand
    exposure: str
    """Which discards may be claimed, in a sentence."""
    fishing: ScoredExample | None
    """The example one tile short."""
    otherwise: str
    """The example's score as an ordinary hand (BMJA-S08); empty for an event's hand."""
    over_limit: int | None
    """The table's limit, where the hand is worth more."""
    more: tuple[tuple[str, str], ...]
    """Related rules: sentence and id."""


def rule_view(rule: str, table: Ruleset) -> RuleView:
    """Return what the page of a rule shows; `table` is its ruleset as played at the table."""
    rules = switch_rule_on(rule, table)
    rows = rows_of(rule, table)
    example = find_rule_example(rule, table)
    return RuleView(
        rule=rule,
        section=say_section(rule) if rule in RULE_IDS else say(table.title),
        title=_rule_title(rule, table, rows),
        sentence=say_rule(rule, table),
        rows=rows,
        off=bool(rows) and not any(row in table.rules for row in rows),
        choices=tuple(
            TableChoice(each, table.is_on(each.name)) for each in options_about(rule, table)
        ),
        laid=laid_set(rule),
        lit_line=example.look or rule,
        elsewhere=tuple(
            describe_foreign_rule(each, table) for each in table.foreign_rules if each.rule == rule
        ),
        examples=tuple(_find_examples(rule, example.hands, rules)),
        misses=tuple(_find_misses(rule, example.misses, rules)),
    )


def say_rule(rule: str, rules: Ruleset) -> str:
    """Return the sentence of a rule; empty where its rows say everything."""
    key = f"rulebook.{rule}"
    if not is_said(key):
        return ""
    prevailing = rules.is_on("prevailing_wind_doubles")  # BMJA-C15
    double = say("rulepage.double.prevailing") if prevailing else say("rulepage.double.east")
    words = {"limit": say_limit(rules), "double": double}
    if rule in _WORDS_OF_RULE:
        name, find_words = _WORDS_OF_RULE[rule]
        words[name] = find_words(rules)
    return say_figures(key, collect_figures(rules), **words)


def say_after_wash_out(rules: Ruleset) -> str:
    """Return what follows a wash-out, in a sentence (BMJA-P18)."""
    return say("rulepage.goulash-follows" if rules.goulash else "rulepage.deal-again")


def _say_false_mah_jong(rules: Ruleset) -> str:
    """Return what a false Mah-Jong costs (BMJA-P19)."""
    fixed_payment = rules.payments.false_mah_jong
    return say("rulepage.half-the-limit") if fixed_payment is None else group_digits(fixed_payment)


_WORDS_OF_RULE: Mapping[str, tuple[str, Callable[[Ruleset], str]]] = MappingProxyType(
    {
        "BMJA-P18": ("after_wash_out", say_after_wash_out),
        "BMJA-P19": ("false_mah_jong", _say_false_mah_jong),
    }
)
"""The words of single rules that follow from the ruleset, after their name in the sentence."""


def say_section(rule: str) -> str:
    """Return the name of a rule's section."""
    return capitalise(say(f"section.{section_of(rule)}"))


def capitalise(text: str) -> str:
    """Return a text with a capital first letter, for a heading."""
    return text[:1].upper() + text[1:]


def _rule_title(rule: str, rules: Ruleset, rows: tuple[Rule, ...]) -> str:
    if rule in rules.specials_by_id:
        return say(rules.specials_by_id[rule].name)
    labels = {row.heading for row in rows}
    return say(labels.pop()) if len(labels) == 1 else say_section(rule)


def _find_examples(rule: str, texts: tuple[str, ...], rules: Ruleset) -> Iterator[ScoredExample]:
    """Yield the hands that show a rule, but for those that a custom ruleset refuses."""
    for text in texts:
        with suppress(HandError):
            yield _rule_example(rule, parse_hand(text), rules)


def _rule_example(rule: str, hand: Hand, rules: Ruleset) -> ScoredExample:
    """Return an example; for a table's choice, with its score either way."""
    choices = [option for option in rules.options if option.rule == rule]
    both_ways = [(option, *_either_way(option, rules)) for option in choices]
    standing = next(
        (r for _, on, off in both_ways for r in (on, off) if _score_text(hand, r)), rules
    )
    shown_example = _show_example(hand, rules if _score_text(hand, rules) else standing)
    score_texts = tuple(
        say(
            "rulepage.either",
            sentence=option.sentence,
            on=_score_text(hand, on) or say("rulepage.refused"),
            off=_score_text(hand, off) or say("rulepage.refused"),
        )
        for option, on, off in both_ways
    )
    return replace(shown_example, otherwise=score_texts)


def _either_way(option: Option, rules: Ruleset) -> tuple[Ruleset, Ruleset]:
    rules_on, rules_off = (
        rules.with_choices((f"{option.name}:{state}",)) for state in ("on", "off")
    )
    return rules_on, rules_off


def _score_text(hand: Hand, rules: Ruleset) -> str:
    """Return a hand's score; empty for one that these rules refuse."""
    try:
        return str(score_total(hand, rules))
    except HandError:
        return ""


def _show_example(hand: Hand, rules: Ruleset, reason: Message | None = None) -> ScoredExample:
    return ScoredExample(show_hand(hand, rules), tuple(_describe_situation(hand, rules)), reason)


def _describe_situation(hand: Hand, rules: Ruleset) -> Iterator[str]:
    """Yield the player's wind and how the hand was won."""
    yield say("rulepage.seat", wind=wind_name(hand.seat_wind))
    if rules.prevailing_wind:
        yield say("rulepage.prevailing", wind=wind_name(hand.prevailing_wind))
    for way in hand.won_by:
        if is_said(f"how.{way}"):
            way_text = say(f"how.{way}")
            tile = hand.winning_tile
            yield say("rulepage.won", how=way_text, tile=tile_name(tile)) if tile else way_text
    if hand.made_original_call:
        yield say("situation.original-call")
    if not hand.winner:
        yield say("situation.not-won")
    if hand.goulash:
        yield say("rulepage.goulash")
    if hand.players != Hand().players:
        yield say("rulepage.players", count=hand.players)


def _find_misses(rule: str, texts: tuple[str, ...], rules: Ruleset) -> Iterator[ScoredExample]:
    """Yield the hands that do not count, unless the table's choices make them count."""
    for text in texts:
        try:
            shown_example = _show_example(parse_hand(text), rules)
        except HandError:  # a custom ruleset refuses it
            continue
        reasons = [n.reason for n in shown_example.hand.breakdown.not_counted if n.rule == rule]
        if reasons:
            yield replace(shown_example, reason=reasons[0])


def special_page(special: SpecialHand, rules: Ruleset) -> SpecialPage:
    """Return the extra content of a special hand's page."""
    limit = rules.limit
    return SpecialPage(
        special=special,
        exposure=say(f"exposure.{find_exposure(special, rules).replace(' ', '-')}"),
        fishing=_fishing_example(special, rules),
        otherwise=_ordinary_score(special, special_example(special), rules),
        over_limit=limit if limit is not None and limit < special.value else None,
        more=tuple((say_rule(each, rules), each) for each in RELATED_RULES.get(special.id, ())),
    )


def _fishing_example(special: SpecialHand, rules: Ruleset) -> ScoredExample | None:
    """Return the example one tile short, where that is worth anything."""
    hand = fishing_example(special)
    if hand is None or not _score_text(hand, rules):
        return None
    ordinary = _ordinary_score(special, hand, rules)
    return replace(_show_example(hand, rules), otherwise=(ordinary,) if ordinary else ())


def _ordinary_score(special: SpecialHand, hand: Hand, rules: Ruleset) -> str:
    """Return an example's score as an ordinary hand, where it is one (BMJA-S08)."""
    if not _score_text(hand, rules):
        return ""
    ordinary = [way for way in score(hand, rules).compared if way.rule is None]
    if not ordinary or special.of == "event":
        return ""
    return say("specials.otherwise", total=ordinary[0].total, working=ordinary[0].working)


LAYINGS: Layings = {rules: load_builtin(rules).layings for rules in RULESETS}
"""All layouts by ruleset; the usual way of each set comes first."""

SAMPLE_TILE = "C3"
"""The tile that shows a layout."""

_CHOW_EXAMPLES = {"BMJA-V01": ("C3", "C4", "C5")}

_SAME_LAYOUT = {"BMJA-V07": "BMJA-V04", "SAF-V04": "SAF-V01"}
"""Rules that lay a set as another rule does."""


def laid_set(rule: str) -> tuple[str, ...]:
    """Return a set as this rule lays it; empty for rules about other things.

    >>> laid_set("BMJA-V05")
    ('C3', '??', 'C3')
    """
    every_laying = (laying for layings in LAYINGS.values() for laying in layings)
    laying_row = next(
        (each for each in every_laying if each.rule == _SAME_LAYOUT.get(rule, rule)), None
    )
    if laying_row is None:
        return _CHOW_EXAMPLES.get(rule, ())
    return tuple(FACE_DOWN if place == "?" else SAMPLE_TILE for place in laying_row.shape)


_INTRODUCTION = """\
# The rules, by their ids

Code, tests, answers and pages cite a rule by its id, such as `BMJA-D10`; the short `D10` is of the
British rules unless Safalra's are spoken of. This is what each says, in our own words and as the
rules come. `git grep` finds the code and the tests of each by its id. Pages of the box say the same
of the rules that a table plays by, and show a hand for most.

Made by `python -m device.views.tutor.rules` from `scorer/rulesets/*.toml` and
`device/i18n/strings/en-GB/rulebook.toml`: change a rule there.
"""


def write_document() -> Iterator[str]:
    """Yield the document line by line."""
    yield _INTRODUCTION
    for book, ids in groupby(RULE_IDS, book_of):
        rules = load_builtin(book)
        yield f"## {to_english(rules.title)}\n"
        if rules.notice:
            yield f"{to_english(rules.notice)}\n"
        for section, section_rules in groupby(ids, section_of):
            yield f"### {say_section(f'{section}00')} ({section})\n"
            yield from (_format_rule(rule, rules) for rule in section_rules)
            yield ""


def _format_rule(rule: str, rules: Ruleset) -> str:
    """Return a rule as one list item with everything that is said about it."""
    choices = options_about(rule, rules)
    sentences = [
        *([say_rule(rule, rules)] if is_said(f"rulebook.{rule}") else []),
        *(f"{to_english(row.heading)}: {to_english(row.sentence)}" for row in rows_of(rule, rules)),
        *([_format_special(rules.specials_by_id[rule])] if rule in rules.specials_by_id else []),
        *(_format_option(option) for option in choices if option.rule == rule),
    ]
    other = [option.rule for option in choices if option.rule != rule]
    related_rules = dict.fromkeys([*RELATED_RULES.get(rule, ()), *other])
    see = [f"See {', '.join(related_rules)}."] if related_rules else []
    return " ".join([f"- **{rule}**", *sentences, *see])


def _format_special(special: SpecialHand) -> str:
    worth = [f"{special.doubles} doubles" if special.doubles else str(special.value)]
    fishing = [f"{special.fishing} when fishing for it"] if special.fishing else []
    name, sentence = to_english(special.name), to_english(special.sentence)
    return f"{name}: {sentence} ({', '.join(worth + fishing)})"


def _format_option(option: Option) -> str:
    as_it_comes = "on" if option.default else "off"
    sentence = to_english(option.sentence)
    return f"A table's choice, `{option.name}`, {as_it_comes} as the rules come: {sentence}"


if __name__ == "__main__":
    sys.stdout.write("\n".join(write_document()))
