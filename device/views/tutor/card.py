"""The text of the reference card, for the page and the printed card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from device.i18n.words import in_vocabulary, say, translated
from device.views.tutor.rules import capital, rule_said
from device.views.tutor.sets_as_laid import laid
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
    limit = rules.limit
    said = say("rules.no-limit") if limit is None else say("rules.limit", limit=limit)
    return CardView(
        title=say("card.title", rules=rules.title),
        lead=capital(said),
        notice=_said(rules.notice),
        parts=tuple(part for part in _parts(make_reference_card(rules), rules) if part.rows),
    )


def _parts(card: ReferenceCard, rules: Ruleset) -> Iterator[CardPart]:
    both = (say("tiles.exposed"), say("tiles.concealed"))
    yield CardPart(say("card.sets"), tuple(_set_row(row) for row in card.sets), both)
    pairs = say("card.pairs") if rules.bonus_tiles else say("card.pairs-alone")
    yield CardPart(pairs, _points(card.pairs_and_bonus))
    yield CardPart(say("card.winner"), _points(card.winner))
    yield CardPart(say("rulelist.doubles"), _doubles(card.doubles))
    yield CardPart(say("rulelist.winner"), _doubles(card.winner_doubles))
    worth = (say("specials.won"), say("specials.fishing"))
    yield CardPart(say("specials.title"), tuple(map(_special_row, card.specials)), worth)
    yield CardPart(say("card.beside"), tuple(_beside(card, rules)))
    yield CardPart(say("card.laying"), tuple(_rules(card.laying, rules)))
    yield CardPart(say("card.settling"), tuple(_rules(card.settling, rules)))
    yield CardPart(say("rules.own"), tuple(_choices(card)))


def _said(text: str) -> str:
    """Return a text of the scorer in the players' language and vocabulary."""
    return in_vocabulary(str(translated(text)))


def _label(row: Rule) -> str:
    return _said(capital(row.label))


def _set_row(row: Rule) -> CardRow:
    return CardRow(_label(row), (str(row.exposed_points), str(row.concealed_points)), row.id)


def _points(rows: Iterable[Rule]) -> tuple[CardRow, ...]:
    return tuple(CardRow(_label(row), (str(row.concealed_points),), row.id) for row in rows)


def _doubles(rows: Iterable[Rule]) -> tuple[CardRow, ...]:
    return tuple(CardRow(_label(row), (_times(row.doubles),), row.id) for row in rows)


def _times(doubles: int) -> str:
    return write_doubles(doubles)


def _special_row(special: SpecialHand) -> CardRow:
    """Return the line of a special hand; for Purity its multiplier, won or fishing."""
    times = f"×{1 << special.doubles}"
    value = (str(special.value), str(special.fishing or "–"))
    amounts = (times, times) if special.doubles else value
    return CardRow(_said(special.name), amounts, special.id, _said(special.sentence))


def _beside(card: ReferenceCard, rules: Ruleset) -> Iterator[CardRow]:
    if card.specials:
        yield CardRow(rule_said("BMJA-S02", rules), (), "BMJA-S02")
        yield from (CardRow(_said(row.sentence), (), row.id) for row in card.beside_specials)


def _rules(ids: Iterable[str], rules: Ruleset) -> Iterator[CardRow]:
    yield from (
        CardRow(in_vocabulary(rule_said(rule, rules)), (), rule, laid=laid(rule)) for rule in ids
    )


def _choices(card: ReferenceCard) -> Iterator[CardRow]:
    for option, is_on in card.choices:
        yes_or_no = say("rules.on") if is_on else say("rules.off")
        yield CardRow(f"{yes_or_no} {_said(option.sentence)}", (), option.rule)
