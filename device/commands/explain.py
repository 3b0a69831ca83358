"""`tongbox explain`: explain a hand and its score to a learner."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator

from device.commands.console import write
from device.commands.ruleset_options import add_rules, load_rules
from scorer.breakdown import Breakdown, Line, UncountedRule
from scorer.explain.foreign_rules import find_foreign_rules
from scorer.explain.sums import cuts_as_ordinary, write_amount, write_score
from scorer.hand import Hand
from scorer.message import message, to_english
from scorer.notation import parse_hand
from scorer.ruleset import Ruleset
from scorer.score import score
from scorer.score_json import breakdown_to_json
from scorer.tile_names import describe_set, name_tile
from scorer.tiles import WINDS
from scorer.validate.circumstance_checks import choose_rules
from scorer.wording import capitalise, join_words

_Lines = Iterator[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("hand", nargs="+", metavar="HAND_TEXT", help='such as "B222 | C345 |"')
    parser.add_argument("--json", action="store_true", help="print it as JSON, part by part")
    add_rules(parser, "explain")


def run(args: argparse.Namespace) -> None:
    """Explain one hand; raise ScorerError if it cannot be scored."""
    rules = load_rules(args)
    hand = parse_hand(" ".join(args.hand))
    breakdown = score(hand, rules)
    parts = explain_hand(hand, breakdown, choose_rules(hand, rules))
    if args.json:
        lessons = [{"title": title, "lines": lines} for title, lines in parts.items()]
        write(json.dumps({**breakdown_to_json(breakdown), "explained": lessons}))
    else:
        write("\n\n".join("\n".join([title, *_indent(lines)]) for title, lines in parts.items()))


def explain_hand(hand: Hand, breakdown: Breakdown, rules: Ruleset) -> dict[str, list[str]]:
    """Return the explanation in parts by title; empty parts are left out."""
    parts = {
        "The hand": _explain_tiles(hand, breakdown, rules),
        "Points": _explain_lines(breakdown, doubles=False),
        "Doubles": _explain_lines(breakdown, doubles=True),
        "The sum": _explain_sum(breakdown, rules),
        "To look at again": (problem.text for problem in breakdown.problems),
        "What did not count": _explain_uncounted(breakdown.not_counted),
        "What counts elsewhere": _explain_uncounted(find_foreign_rules(hand, breakdown, rules)),
        "Other ways to count it": _explain_other_ways(breakdown),
        "What it waits for": _explain_waits(breakdown, rules),
        "Special hands it is near to": _explain_near_hands(breakdown, rules),
        "The rules": _explain_rules(breakdown, rules),
    }
    filled_parts = {title: list(lines) for title, lines in parts.items()}
    return {title: lines for title, lines in filled_parts.items() if lines}


def _explain_uncounted(rules: Iterable[UncountedRule]) -> _Lines:
    return (f"{to_english(each.reason)} ({each.rule})" for each in rules)


def _indent(lines: list[str]) -> _Lines:
    yield from (f"  {line}" for line in lines)


def _explain_tiles(hand: Hand, breakdown: Breakdown, rules: Ruleset) -> _Lines:
    """Yield the sets, and the facts that tiles cannot show."""
    for scored_set in breakdown.sets:
        loose = scored_set.kind == "loose"
        names = join_words([_tile_name(code) for code in scored_set.tiles])
        codes = f" ({' '.join(scored_set.tiles)})" if scored_set.stands_for else ""
        yield (
            f"Single tiles: {names}."
            if loose
            else f"{capitalise(to_english(describe_set(scored_set)))}{codes}."
        )
    if hand.bonus:
        yield f"Flowers and seasons: {join_words([_tile_name(code) for code in hand.bonus])}."
    winds = f"The player is {WINDS[hand.seat_wind]}"
    if rules.prevailing_wind:
        winds += f"; {WINDS[hand.prevailing_wind]} prevails"
    yield f"{winds}."
    winning_source = f"the {_tile_name(hand.winning_tile)}" if hand.winning_tile else "a tile"
    sources = [to_english(message(f"source.{each}")) for each in sorted(hand.sources)]
    source = f" from {join_words(sources)}" if sources else ""
    yield f"It won with {winning_source}{source}." if hand.winner else "It did not win."


def _explain_lines(breakdown: Breakdown, *, doubles: bool) -> _Lines:
    """Yield each line of the score, and below it the sentence of its rule."""
    for line in breakdown.lines:
        if bool(line.doubles) == doubles:
            note = " (flowers and seasons apart)" if line.part == "bonus" else ""
            yield f"{write_amount(line):>5}  {to_english(line.label)}{note}{_line_tiles(line)}"
            yield f"       {to_english(line.sentence)} ({line.rule})"


def _line_tiles(line: Line) -> str:
    """Return the tiles of a line, unless the line concerns the whole hand."""
    return f": {' '.join(line.tiles)}" if 0 < len(line.tiles) <= MAX_TILES_IN_SET else ""


MAX_TILES_IN_SET = 4


def _explain_sum(breakdown: Breakdown, rules: Ruleset) -> _Lines:
    """Yield the sum step by step: points, doubles, separate bonus tiles, the limit."""
    running_total = breakdown.base
    yield f"Points together: {running_total}."
    for number in range(1, breakdown.doubles + 1):
        yield f"Double {number}: {running_total} × 2 = {running_total * 2}."
        running_total *= 2
    if breakdown.bonus_base:
        bonus = breakdown.bonus_base << breakdown.bonus_doubles
        doubled_note = (
            f", doubled {_say_times(breakdown.bonus_doubles)}" if breakdown.bonus_doubles else ""
        )
        yield f"Flowers and seasons apart: {breakdown.bonus_base}{doubled_note} = {bonus}."
        yield f"Together: {running_total} + {bonus} = {running_total + bonus}."
        running_total += bonus
    if breakdown.limited:
        kind = " for ordinary hands" if cuts_as_ordinary(breakdown, rules) else ""
        yield f"The limit of {breakdown.limit}{kind} cuts {running_total} to {breakdown.total}."
    yield f"The hand scores {breakdown.total}. In one line: {to_english(write_score(breakdown))}"


def _say_times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _explain_other_ways(breakdown: Breakdown) -> _Lines:
    for way in breakdown.compared:
        if not way.chosen:
            rule = f" ({way.rule})" if way.rule else ""
            label, calculation = to_english(way.label), to_english(way.working)
            yield f"{label}: {calculation}, which gives {way.total}{rule}."


def _explain_waits(breakdown: Breakdown, rules: Ruleset) -> _Lines:
    for wait in breakdown.waits:
        left = f"at most {wait.left} left" if wait.left else "none left: it cannot come"
        name = f" for {to_english(rules.specials_by_id[wait.special].name)}" if wait.special else ""
        yield f"{capitalise(_tile_name(wait.tile))}{name}: would score {wait.total} ({left})."


def _explain_near_hands(breakdown: Breakdown, rules: Ruleset) -> _Lines:
    for hand in breakdown.nearest:
        lacks = join_words([_tile_name(code) for code in hand.needed])
        yield f"{to_english(hand.name)} lacks {len(hand.needed)}: {lacks} ({hand.rule})."
        yield f"       {to_english(rules.specials_by_id[hand.rule].sentence)}"


def _explain_rules(breakdown: Breakdown, rules: Ruleset) -> _Lines:
    limit = "no limit" if breakdown.limit is None else f"limit {breakdown.limit}"
    yield f"{to_english(rules.title)}, {limit}."
    for each in breakdown.options:
        if not each.is_usual:
            yield f"{'Yes' if each.value else 'No'}: {to_english(each.sentence)} ({each.rule})"
    if breakdown.notice:
        yield to_english(breakdown.notice)


def _tile_name(code: str) -> str:
    return to_english(name_tile(code))
