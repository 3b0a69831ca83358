"""What is being played in the room: at the one table of a box, or at several."""

from __future__ import annotations

from device.club.tables import ClubTables, running_matches
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import MatchBegun, MatchEnded


def begun(*players: str) -> MatchBegun:
    return MatchBegun(players=players, ruleset="bmja", limit=1000, house=())


def test_every_table_shows_its_match_and_one_that_is_over_is_not_there(
    store: Store, hands: HandRepository
) -> None:
    matches, tables = MatchRepository(hands.store), ClubTables(store)
    assert running_matches(matches, tables) == ()
    matches.begin(begun("Ann", "Bob", "Cy", "Di"))
    (alone,) = running_matches(matches, tables)
    assert (alone.table, alone.match.game.players[0]) == ("", "Ann")
    window, door = tables.lay("By the window"), tables.lay("By the door")
    at_door = matches.at_table(door).begin(begun("Eve", "Fay", "Gus", "Hal"))
    matches.at_table(window).begin(begun("Ida", "Jo", "Kit", "Lou"))
    shown = [(each.table, each.match.game.players[0]) for each in running_matches(matches, tables)]
    assert shown == [("", "Ann"), ("By the window", "Ida"), ("By the door", "Eve")]
    matches.at_table(door).change(at_door, MatchEnded())
    assert len(running_matches(matches, tables)) == 2
