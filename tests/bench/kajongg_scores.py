"""Scores hands by Kajongg's BMJA ruleset: a program for the Python that Kajongg is installed for.

    /usr/bin/python3 tests/bench/kajongg_scores.py /usr/share/kajongg < hands

A line in is the player's wind, the prevailing wind and the hand as Kajongg writes it, with tabs in
between; a line out is the total. Nothing of Kajongg (GPL-2.0) is in this file or anywhere in this
project: it is asked, where it is installed.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import SimpleNamespace
from typing import Any


def main() -> None:
    """Answer every line."""
    game, player = make_player()
    hand, wind = import_module("hand").Hand, import_module("wind").Wind
    for line in sys.stdin:
        own_wind, prevailing, text = line.rstrip("\n").split("\t")
        player.wind, game.roundWind = wind(own_wind), wind(prevailing)
        player.handCache.clear()  # a hand that was scored at another seat
        sys.stdout.write(f"{hand(player, text).score.total()}\n")


class Game(SimpleNamespace):
    """What Kajongg asks of a game."""


def make_player(**attributes: object) -> tuple[Game, Any]:
    """Return a game by Kajongg's BMJA ruleset, and a player, who does not keep the game alive."""
    sys.path.insert(0, sys.argv[1])
    common, predefined_module = import_module("common"), import_module("predefined")
    common.Internal.isServer = True  # no window
    predefined_module.load()
    rules = predefined_module.ClassicalChineseBMJA()
    rules.load()
    game = Game(
        ruleset=rules,
        moves=(),
        visibleTiles=common.IntDict(),
        discardedTiles=common.IntDict(),
        dangerousTiles=(),
        players=(),
        **attributes,
    )
    return game, import_module("player").Player(game, "Player")


if __name__ == "__main__":
    main()
