"""`tongbox wall`: show where dice break the wall, what is set apart and who is dealt what."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from random import SystemRandom
from typing import Any

from device.commands.console import write
from device.commands.ruleset_options import add_rules, load_rules
from device.tutoring.square import broken_square, draw_square, write_legend
from scorer.errors import english_error
from scorer.match.seating import FIRST_SEATS
from scorer.parsing import parse_int
from scorer.rulesets.builtin import load_builtin
from scorer.table_setup.east import throw_dice
from scorer.table_setup.wall import (
    MINIATURE,
    DealtWall,
    Wall,
    WallError,
    WallPlace,
    WallRules,
    break_wall,
    deal,
    miniature_wall,
    usual_player_count,
    wall_rules,
)
from scorer.tiles import WINDS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "throws",
        nargs="*",
        metavar="THROW",
        help="sum of two dice: East's throw, then that of the wall's player "
        "(default: the box throws)",
    )
    add_rules(parser, f"build it by {MINIATURE} (Safalra's game for two), or")
    parser.add_argument("--players", type=int, help="number of players (default: 4, or 2)")
    parser.add_argument(
        "--seat",
        type=_parse_wind,
        default="E",
        metavar="WIND",
        help="seat to look from (default: East)",
    )
    parser.add_argument(
        "--spread", action="store_true", help="loose tiles on the first and the third pair"
    )
    parser.add_argument("--json", action="store_true", help="print every place as JSON")


def run(args: argparse.Namespace) -> None:
    """Break the wall and deal; raise ScorerError for impossible dice or players."""
    box_throws = not args.throws
    rules = _load_wall(args)
    throws = _parse_throws(args.throws)
    if box_throws:
        throws = [sum(throw_dice(SystemRandom())) for _ in range(rules.throws)]
    players = usual_player_count(rules) if args.players is None else args.players
    wall = break_wall(throws, rules, players=players)
    dealt_wall = deal(wall, FIRST_SEATS[players])
    if args.json:
        write(json.dumps(_wall_json(wall, dealt_wall)))
        return
    if box_throws:
        write(f"The box throws {' and '.join(map(str, throws))}.\n")
    write("\n".join(_describe_wall(wall, dealt_wall, args.seat)))


def _load_wall(args: argparse.Namespace) -> WallRules:
    """Return the wall that the options name; raise RulesetError."""
    if args.rules == MINIATURE:
        return miniature_wall()
    rules = load_rules(args) or load_builtin("bmja")
    if args.spread and not list(rules.unknown_choices(SPREAD)):
        rules = rules.with_choices(SPREAD)
    return wall_rules(rules)


SPREAD = ("loose_tiles_spread:on",)
"""The choice that `--spread` makes (BMJA-C10)."""

_THROW_ADVICE = "write what two dice show together, 2 to 12."


def _parse_throws(words: list[str]) -> list[int]:
    """Return the throws; `8+12` counts as two. Raise WallError for anything else."""
    throw_words = " ".join(words).replace("+", " ").split()
    throws = [parse_int(word) for word in throw_words]
    problems = [
        english_error("dice", f"{word[:20]!r} is no throw; {_THROW_ADVICE}")
        for word, throw in zip(throw_words, throws, strict=True)
        if throw is None
    ]
    WallError.raise_for(problems)
    return [throw for throw in throws if throw is not None]


def _parse_wind(word: str) -> str:
    """Return the letter of a wind given by letter or name."""
    for wind, name in WINDS.items():
        if word.casefold() in (wind.casefold(), name.casefold()):
            return wind
    raise argparse.ArgumentTypeError(f"{word!r} is not East, South, West or North")


def _describe_wall(wall: Wall, dealt_wall: DealtWall, seat: str) -> Iterator[str]:
    for number, step in enumerate((*wall.steps, *dealt_wall.steps), 1):
        yield f"{number}. {step.text}  ({step.rule})"
    yield ""
    square = broken_square(wall, seat, "dealt", dealt_wall)
    yield from draw_square(square)
    yield write_legend(square)
    counts = ", ".join(f"{WINDS[wind]} {count}" for wind, count in dealt_wall.counts.items())
    yield f"Dealt: {counts}. Left in the live wall: {len(dealt_wall.left)} tiles."


def _wall_json(wall: Wall, dealt_wall: DealtWall) -> dict[str, Any]:
    return {
        "throws": wall.throws,
        "chosen": wall.side,
        "count": wall.count,
        "broken_at": {"wall": wall.broken_at.wall, "pair": wall.broken_at.number},
        "loose": [
            {**_place_json(each.place), "on": {"wall": each.pair.wall, "pair": each.pair.number}}
            for each in wall.loose
        ],
        "kong_box": [_place_json(place) for place in wall.kong_box],
        "packets": [
            {"seat": packet.seat, "places": [_place_json(place) for place in packet.places]}
            for packet in dealt_wall.packets
        ],
        "left": [_place_json(place) for place in dealt_wall.left],
        "steps": [{"rule": s.rule, "text": s.text} for s in (*wall.steps, *dealt_wall.steps)],
    }


def _place_json(place: WallPlace) -> dict[str, str | int]:
    return {"wall": place.wall, "pair": place.pair, "layer": place.layer}
