"""Asks Kajongg's robot what it would do: a program for the Python that Kajongg is installed for.

A line in has, with tabs in between: the player's wind, the prevailing wind, the hand as Kajongg
writes it, the tiles in sight, and the discard to claim, if any. A line out is the tile
to discard, or the letter of the claim that the robot would make: p, c and the chow, or a dash.
Nothing of Kajongg (GPL-2.0) is in this project: it is asked, where it is installed.
"""

from __future__ import annotations

import sys
from importlib import import_module
from random import Random
from types import SimpleNamespace
from typing import Any


def main() -> None:
    """Answer every line."""
    game, player = make_player()
    intelligence = import_module("intelligence").AIDefaultAI(player)
    for line in sys.stdin:
        answer = _answer(line.rstrip("\n").split("\t"), game, player, intelligence)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


class Game(SimpleNamespace):
    """What Kajongg asks of a game."""


def make_player() -> tuple[Game, Any]:
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
        lastDiscard=None,
        randomGenerator=Random(0),
        dangerousFor=lambda *_: [],  # nothing is, as to Kajongg's mean player
    )
    return game, import_module("player").Player(game, "Player")


def _answer(fields: list[str], game: Any, player: Any, intelligence: Any) -> str:  # noqa: ANN401
    wind, tile = import_module("wind").Wind, import_module("tile").Tile
    own_wind, prevailing, text, visible, discard = fields
    player.wind, game.roundWind = wind(own_wind), wind(prevailing)
    player.handCache.clear()
    hand = import_module("hand").Hand(player, text)
    visible_tiles = visible.split()
    type(player).tileAvailable = lambda _, face, hand: 4 - visible_tiles.count(str(face.exposed))
    if not discard:
        return str(intelligence.selectDiscard(hand).exposed)
    tile_to_claim = tile(discard)
    message = import_module("message").Message
    claimness = import_module("common").IntDict()
    for rule in game.ruleset.filterRules("claimness"):
        claimness += rule.claimness(hand, tile_to_claim)
    hand_tiles = [str(each.exposed) for each in hand.tilesInHand]
    if hand_tiles.count(discard) >= 2 and claimness[message.Pung] >= 0:
        return "p"
    return "c" if claimness[message.Chow] >= 0 else "-"


if __name__ == "__main__":
    main()
