"""A hand that is said to have won and is no Mah-Jong: which tile was likely misread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.misreading import find_misread_tile
from device.hands.readings import reading_event
from device.hands.record import HandRecord
from device.hands.repository import HandRepository
from tests.device.fake_reader import Group, lay
from tests.device.page import get_page
from tests.device.read_hands import hand_read
from vision.reading import Reading

Alternatives = Mapping[int, tuple[tuple[str, float], ...]]
"""What else tiles may be, by their position."""

SETS: tuple[Group, ...] = (("exposed", "DR DR DR"), ("exposed", "C2 C3 C4"))
PUNG: Group = ("concealed", "C1 C1 C1")
MISREAD_GROUPS: tuple[Group, ...] = (*SETS, PUNG, ("concealed", "B6 B9 B9"), ("concealed", "C7 C7"))
"""A pung of nines of which the first was read as a six."""

SIX = 9
NINE: Alternatives = {SIX: (("B9", 0.0012),)}


def read(
    groups: tuple[Group, ...] = MISREAD_GROUPS,
    alternatives: Alternatives = NINE,
    doubtful: tuple[int, ...] = (),
) -> Reading:
    reading = lay(groups, doubtful)
    tiles = tuple(
        structs.replace(tile, alternatives=alternatives.get(place, ()))
        for place, tile in enumerate(reading.tiles)
    )
    return structs.replace(reading, tiles=tiles)


@dataclass(frozen=True, slots=True)
class Case:
    """A hand as it was read, and the tile that is asked about."""

    reading: Reading
    misread_tile: int | None
    reason: str
    is_won: bool = True
    checked_tiles: frozenset[int] = field(default_factory=frozenset)


CASES = [
    Case(read(), SIX, "with a nine it is four sets and a pair"),
    Case(read(), None, "a hand that did not win need be no Mah-Jong", is_won=False),
    Case(read(alternatives={}), None, "its reading knows no other face"),
    Case(read(alternatives={SIX: (("B9", 0.0),)}), None, "its reading gives the nine no chance"),
    Case(read(alternatives={SIX: (("B8", 0.01),)}), None, "with an eight it is none either"),
    Case(read(), None, "a player has looked at it", checked_tiles=frozenset({SIX})),
    Case(read(doubtful=(SIX,)), None, "it was doubtful when read", checked_tiles=frozenset({SIX})),
    Case(
        read((*SETS, PUNG, ("concealed", "B9 B9 B9"), ("concealed", "C7 C7"))),
        None,
        "it is a Mah-Jong",
    ),
    Case(
        read((*SETS, PUNG, ("concealed", "B6 B9 B9"), ("concealed", "C7 C6"))),
        None,
        "two tiles are wrong: no one change makes it a Mah-Jong",
    ),
    Case(
        read(
            (*SETS, PUNG, ("concealed", "B9 B9 B9"), ("concealed", "C7 C6")),
            {12: (("C6", 0.001),), 13: (("C7", 0.002),)},
        ),
        13,
        "of two tiles, the one that is likelier another",
    ),
    Case(
        read(
            (*SETS, PUNG, ("concealed", "B9 B9 B9"), ("concealed", "C7 C6")),
            {12: (("C6", 0.001),), 13: (("C7", 0.002),)},
        ),
        None,
        "the likeliest was looked at: one question is enough",
        checked_tiles=frozenset({13}),
    ),
    Case(
        read(
            (("exposed", "B2 B3 B4"), *SETS[1:], PUNG, ("concealed", "DR DR DR"),
             ("concealed", "C7 C7")),
            {0: (("B3", 0.01),), 3: (("C3", 0.01),)},
        ),
        None,
        "too many chows are no misreading",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.reason)
def test_the_likeliest_tile_that_makes_it_a_mah_jong(case: Case) -> None:
    record = hand_read(case.reading, is_winner=case.is_won)
    tiles = (replace(t, is_confirmed=k in case.checked_tiles) for k, t in enumerate(record.tiles))
    assert find_misread_tile(replace(record, tiles=tuple(tiles))) == case.misread_tile


def test_an_enquiry_says_of_nothing_that_it_is_no_mah_jong() -> None:
    assert find_misread_tile(replace(hand_read(read(), is_winner=True), is_question=True)) is None


def begin(hands: HandRepository, hand: str) -> HandRecord:
    hands.change(hand, reading_event(read()))
    return hands.get(hand)


def test_the_page_says_why_it_asks_and_one_tap_puts_it_right(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    begin(hands, unread_hand)
    page = get_page(client, f"/hand/{unread_hand}/")
    assert page.single("#question").text == (
        "Is this the 6 bamboo? "
        "These tiles do not make four sets and a pair. One tile may have been misread."
    )
    assert [each["data-tile"] for each in page.all("#strip .doubtful")] == [str(SIX)]
    sheet = get_page(client, page.single("#bar").link("No"))
    assert sheet.button("9 bamboo")["value"] == "B9"
    answer = client.post(f"/hand/{unread_hand}/tile/{SIX}", data={"code": "B9", "alike": str(SIX)})
    assert answer.location.endswith(f"/hand/{unread_hand}/")
    page = get_page(client, answer.location)
    assert not page.all("#strip .doubtful")
    assert page.all("#bar .sum-word"), "it has a score"


def test_where_it_was_read_rightly_one_tap_says_so(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    begin(hands, unread_hand)
    right = get_page(client, f"/hand/{unread_hand}/").single("#bar").button("Yes")
    answer = client.post(f"/hand/{unread_hand}/check", data={"tiles": right["value"]})
    page = get_page(client, answer.location)
    assert page.single("#question").text == "These tiles do not make four sets and a pair."
    assert page.single("#bar").button("Did not win")["value"] == "no"
    assert not page.all("#strip .doubtful")
