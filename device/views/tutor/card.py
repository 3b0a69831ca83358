"""The text of the reference card, for the page and the printed card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from device.i18n.words import say, say_limit, spoken
from device.views.tutor.rules import capitalise, laid_set, say_rule
from scorer.explain.sums import write_doubles
from scorer.ruleset import Rule, Ruleset, SpecialHand
from scorer.teach.lessons.reference_card import ReferenceCard, make_reference_card


@dataclass(frozen=True, slots=True)
class CardRow:
    """One line of the card."""

    words: str
    amounts: tuple[str, ...] = ()
    """One amount for each column."""
    rule: str = ""
    shape: str = ""
    """What a special hand consists of."""
    laid: tuple[str, ...] = ()
    """A set as it is laid on the table, in tile codes."""


@dataclass(frozen=True, slots=True)
class CardPart:
    """A group of lines."""

    title: str
    rows: tuple[CardRow, ...]
    columns: tuple[str, ...] = ()
    """Headings of the amounts; empty where the title says it."""


@dataclass(frozen=True, slots=True)
class CardView:
    """The whole card; empty parts are left out."""

    title: str
    lead: str
    """The limit."""
    notice: str
    parts: tuple[CardPart, ...]


def card_view(rules: Ruleset) -> CardView:
    """Return the card of these rules in the current language."""
    return CardView(
        title=say("card.title", rules=rules.title),
        lead=capitalise(say_limit(rules)),
        notice=spoken(rules.notice),
        parts=tuple(part for part in _card_parts(make_reference_card(rules), rules) if part.rows),
    )


def _card_parts(card: ReferenceCard, rules: Ruleset) -> Iterator[CardPart]:
    labels = (say("tiles.exposed"), say("tiles.concealed"))
    yield CardPart(say("card.sets"), tuple(_set_row(row) for row in card.sets), labels)
    pairs = say("card.pairs") if rules.bonus_tiles else say("card.pairs-alone")
    yield CardPart(pairs, _point_rows(card.pairs_and_bonus))
    yield CardPart(say("card.winner"), _point_rows(card.winner))
    yield CardPart(say("rulelist.doubles"), _double_rows(card.doubles))
    yield CardPart(say("rulelist.winner"), _double_rows(card.winner_doubles))
    worth = (say("specials.won"), say("specials.fishing"))
    yield CardPart(say("specials.title"), tuple(map(_special_row, card.specials)), worth)
    yield CardPart(say("card.beside"), tuple(_bonus_rows(card, rules)))
    yield CardPart(say("card.laying"), tuple(_rule_rows(card.laying, rules)))
    yield CardPart(say("card.settling"), tuple(_rule_rows(card.settling, rules)))
    yield CardPart(say("rules.own"), tuple(_choice_rows(card)))


def _set_row(row: Rule) -> CardRow:
    return CardRow(say(row.heading), (str(row.exposed_points), str(row.concealed_points)), row.id)


def _point_rows(rows: Iterable[Rule]) -> tuple[CardRow, ...]:
    return tuple(CardRow(say(row.heading), (str(row.concealed_points),), row.id) for row in rows)


def _double_rows(rows: Iterable[Rule]) -> tuple[CardRow, ...]:
    return tuple(CardRow(say(row.heading), (write_doubles(row.doubles),), row.id) for row in rows)


def _special_row(special: SpecialHand) -> CardRow:
    """Return the line of a special hand; for Purity its multiplier, won or fishing."""
    times = f"×{1 << special.doubles}"
    value = (str(special.value), str(special.fishing or "–"))
    amounts = (times, times) if special.doubles else value
    return CardRow(say(special.name), amounts, special.id, say(special.sentence))


def _bonus_rows(card: ReferenceCard, rules: Ruleset) -> Iterator[CardRow]:
    if card.specials:
        yield CardRow(say_rule("BMJA-S02", rules), (), "BMJA-S02")
        yield from (CardRow(say(row.sentence), (), row.id) for row in card.beside_specials)


def _rule_rows(ids: Iterable[str], rules: Ruleset) -> Iterator[CardRow]:
    yield from (CardRow(say_rule(rule, rules), (), rule, laid=laid_set(rule)) for rule in ids)


def _choice_rows(card: ReferenceCard) -> Iterator[CardRow]:
    for option, is_on in card.choices:
        yes_or_no = say("rules.on") if is_on else say("rules.off")
        yield CardRow(f"{yes_or_no} {say(option.sentence)}", (), option.rule)
