"""The data tables of lessons, all derived from the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from device.i18n.words import say, signed, wind_name
from scorer.explain.sums import write_doubles
from scorer.hand import Codes
from scorer.match.settlement import Settlement, settle
from scorer.ruleset import Rule, Ruleset
from scorer.table_setup.east import EXCHANGE_PAIRS
from scorer.table_setup.wall import TWO_DICE_TOTALS, choose_wall
from scorer.tiles import RANKS, SUITS, WINDS, Tile, copies_in_set

SCORES = MappingProxyType({"E": 80, "S": 84, "W": 208, "N": 416})
"""Scores of the settlement example: a small win, with East among the payers."""

MANY_KINDS = 8
"""With more kinds than this, one tile of each suit is drawn."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: its name and its cells."""

    name: str
    cells: tuple[str, ...]
    codes: Codes = ()
    """Tiles drawn beside the name."""


@dataclass(frozen=True, slots=True)
class Table:
    """A data table in a lesson."""

    name: str
    """Its key in `LESSON_TABLES`."""
    caption: str
    rows: tuple[TableRow, ...]
    heads: tuple[str, ...] = ()
    """Headings of the cells; may be empty."""


def number(value: int) -> str:
    """Return a number with the language's thousands separator."""
    return f"{value:,}".replace(",", say("lessons.thousands"))


def table_of(name: str, rules: Ruleset) -> Table:
    """Return one of `LESSON_TABLES`; raise KeyError for any other name."""
    rows, heads = TABLES[name], HEADS.get(name, ())
    scores = {seat: number(score) for seat, score in SCORES.items()}
    caption = say(f"lesson-table.{name}", **scores)
    return Table(name, caption, tuple(rows(rules)), tuple(map(say, heads)))


def _tiles(rules: Ruleset) -> Iterator[TableRow]:
    sorts = [("suits", "".join(SUITS)), ("winds", "W"), ("dragons", "D")]
    whole = 0
    for name, families in [*sorts, ("bonus", "FS")] if rules.bonus_tiles else sorts:
        tiles = [Tile(family, rank) for family in families for rank in RANKS[family]]
        count = sum(copies_in_set(tile) for tile in tiles)
        whole += count
        key = "lesson-table.copies-one" if count == len(tiles) else "lesson-table.copies"
        said = say(key, kinds=len(tiles), copies=count // len(tiles))
        shown = tiles if len(tiles) <= MANY_KINDS else [Tile(family, "5") for family in families]
        codes = tuple(tile.code for tile in shown)
        yield TableRow(say(f"lesson-table.{name}"), (said, number(count)), codes)
    yield TableRow(say("lesson-table.together"), ("", number(whole)))


def _seats(rules: Ruleset) -> Iterator[TableRow]:
    where = ("first", "to-right", "opposite", "to-left")
    for wind, place in zip(WINDS, where, strict=True):
        yield TableRow(wind_name(wind), (say(f"lesson-table.{place}"),), (f"W{wind}",))


def _numbers(rules: Ruleset) -> Iterator[TableRow]:
    for wind, rank in zip(WINDS, RANKS["F"], strict=True):
        yield TableRow(wind_name(wind), (rank,), (f"F{rank}", f"S{rank}"))


def _throws(rules: Ruleset) -> Iterator[TableRow]:
    for wind, name in WINDS.items():
        throws = [str(throw) for throw in TWO_DICE_TOTALS if choose_wall(throw) == wind]
        yield TableRow(say("lesson-table.wall-of", wind=name), (say("lessons.list").join(throws),))


def _points(rules: Ruleset) -> Iterator[TableRow]:
    """Yield the sets, cheapest first: 5s for minor tiles, winds for any other."""
    for rule in reversed(_of_sets(rules)):
        code = "O5" if rule.when in ("minor", "suit") else "WS"
        codes = (code,) * (4 if "kong" in rule.kinds else 3)
        for concealed in (False, True):
            points = rule.points_for(concealed=concealed)
            yield TableRow(rule.label_for(concealed=concealed), (str(points),), codes)


def _of_sets(rules: Ruleset) -> list[Rule]:
    shapes = {"pung", "kong"}
    return [r for r in rules.rules_by_subject["set"] if shapes & set(r.kinds) and not r.doubles]


def _winner(rules: Ruleset) -> Iterator[TableRow]:
    """Yield the winner's doubles, except those of a special hand (BMJA-S32)."""
    for rule in rules.rules:
        if rule.winner_only and rule.doubles and rule.of in ("hand", "win"):
            if rule.when == "purity-concealed":
                continue
            yield TableRow(rule.label, (_doubled(rule.doubles),))


def _specials(rules: Ruleset) -> Iterator[TableRow]:
    for special in rules.specials:
        worth = [special.value, special.fishing]
        said = [number(value) if value else _doubled(special.doubles) for value in worth]
        yield TableRow(special.name, tuple(said))


def _doubled(times: int) -> str:
    return write_doubles(times) or "–"


def _swaps(rules: Ruleset) -> Iterator[TableRow]:
    for place, pairs in enumerate(EXCHANGE_PAIRS, 1):
        said = [
            say("lesson-table.swap-pair", one=wind_name(pair[0]), other=wind_name(pair[1]))
            for pair in pairs
        ]
        name = say("lesson-table.swap", number=place)
        yield TableRow(name, (say("lessons.list").join(said),))


def _payments(rules: Ruleset) -> Iterator[TableRow]:
    settled: Settlement = settle(SCORES, "S")
    for payment in settled.payments:
        payer, payee = wind_name(payment.payer), wind_name(payment.payee)
        said = say("lesson-table.pays", payer=payer, payee=payee)
        doubled = "E" in (payment.payer, payment.payee)
        sum_ = say("lesson-table.doubled", amount=payment.amount // 2) if doubled else ""
        yield TableRow(said, (sum_, number(payment.amount)))
    for seat, change in settled.net.items():
        name = say("lesson-table.balance", player=wind_name(seat))
        yield TableRow(name, ("", signed(change)))


TABLES: Mapping[str, Callable[[Ruleset], Iterator[TableRow]]] = MappingProxyType(
    {
        "tiles": _tiles,
        "seats": _seats,
        "numbers": _numbers,
        "throws": _throws,
        "points": _points,
        "winner": _winner,
        "specials": _specials,
        "swaps": _swaps,
        "payments": _payments,
    }
)
"""The function that makes the rows of each table, by the name in the lesson."""

HEADS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"specials": ("lesson-table.won", "lesson-table.fishing")}
)
