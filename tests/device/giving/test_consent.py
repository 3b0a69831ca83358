"""Whose hands are written: the players' word then and now, and each player's own."""

from __future__ import annotations

import pytest

from device.club.people import PeopleRepository
from device.giving.consent import confirmation_number
from device.store import Store
from device.store.events import BOX, PictureSharingAnswered, PlayerKeptOut
from tests.device.events import write_raw
from tests.device.fake_reader import lay
from tests.device.giving.giving_box import GivingBox, tile_reading

ANSWERS: list[tuple[str, str, str]] = [
    ("a", "", "nobody was asked: off by default"),
    ("a yes", "", "confirmed before anybody agreed"),
    ("yes a", "a", "agreed, then confirmed"),
    ("no a", "", "refused"),
    ("yes a no", "", "taken back: nothing of before either"),
    ("yes a no yes", "a", "agreed again: what was given before counts again"),
    ("yes a no b yes", "a", "what was confirmed in between stays out for good"),
    ("yes no yes a", "a", "a change of mind before the hand"),
    ("a yes b", "b", "only from then on"),
    ("a yes a- a", "a", "taken back and confirmed anew, by players who had agreed"),
    ("yes a no a- a yes", "", "confirmed anew while the answer was no"),
    ("yes a a-", "", "no longer said to be right"),
]
"""What happens in order (a letter: that hand is confirmed; with -: taken back), which hands are
written then, and why."""


FLOWERS = {"a": "F1", "b": "F2", "c": "F3"}
"""By which tile a hand is known where its picture is all there is."""


@pytest.mark.parametrize(("steps", "written_codes", "reason"), ANSWERS)
def test_the_answer_counts_then_and_now(
    giving_box: GivingBox, steps: str, written_codes: str, reason: str
) -> None:
    hands: dict[str, str] = {}
    for step in steps.split():
        if step in ("yes", "no"):
            giving_box.answer(step == "yes")
        elif step.endswith("-"):
            hand = hands[step[0]]
            giving_box.hands.undo(hand, giving_box.hands.get(hand).changes[-1].seq)
        else:
            flower = tile_reading(lay(), 15, code=FLOWERS[step])
            hands[step] = giving_box.confirm(hands.get(step) or giving_box.take(flower))
    seen_codes = {tile["code"] for row in giving_box.rows() for tile in row["tiles"]}
    assert {name for name, flower in FLOWERS.items() if flower in seen_codes} == set(
        written_codes
    ), reason
    is_agreed = giving_box.log.read()
    numbers = {
        name: confirmation_number(giving_box.hands.get(hand)) for name, hand in hands.items()
    }
    assert {name for name, at in numbers.items() if at and is_agreed.covers(at)} == set(
        written_codes
    ), reason


PLAYERS: list[tuple[str, int, str]] = [
    ("keep Ann|play Ann|play Bob", 1, "said before"),
    ("play Ann|play Bob|keep Ann", 1, "said afterwards"),
    ("keep Ann|play Ann|play Bob|give Ann", 2, "and given after all"),
    ("keep ann|play Ann|play Bob", 1, "in whichever letters"),
    ("keep Ann|play Ann|rename Ann Anna|play Bob", 1, "called otherwise since"),
    ("play Ann|rename Ann Anna|keep Anna|play Bob", 1, "kept under the new name"),
    ("keep Ann|rename Ann Anna|rename Anna Anne|play Anne", 0, "called otherwise twice"),
    ("keep Ann|play |play Bob", 1, "nobody knows whose it is: it may be Ann's"),
    ("keep Zoe|play |play Bob", 2, "Zoe does not play in this match"),
    ("keep Ann|alone|play Bob", 2, "a hand of no match is nobody's by name"),
    ("keep Bob|keep Ann|play Ann|play Bob", 0, "two of them"),
    ("keep Ann|lost|play Bob", 1, "of a match that is not there: nobody can say whose it is"),
    ("lost|play Bob", 2, "but nobody keeps anything"),
    ("keep Annie|same Ann Annie|play Ann|play Bob", 1, "the club knows Ann as Annie, too"),
    ("play Ann|play Bob|keep Ann|same Ann Annie", 1, "said of her under another name since"),
    ("keep Annie|same Ann Annie|play Ann|play Bob|give Ann", 2, "given again under either"),
]
"""What happens in a match of players who have agreed, how many hands are written, and why."""


@pytest.mark.parametrize(("steps", "written_count", "reason"), PLAYERS)
def test_each_player_may_keep_theirs(
    giving_box: GivingBox, steps: str, written_count: int, reason: str
) -> None:
    giving_box.answer(True)
    giving_box.begin()
    for step in steps.split("|"):
        action, *names = step.split(" ")
        if action in ("keep", "give"):
            giving_box.log.keep_out(names[0], is_kept_out=action == "keep")
        elif action == "play":
            giving_box.play(names[0])
        elif action == "rename":
            giving_box.rename(*names)
        elif action == "same":
            people = PeopleRepository(giving_box.hands.store)
            person, other = map(people.register().find_person, names)
            people.merge(person, other)
        elif action == "lost":
            giving_box.confirm(giving_box.take(match="0123456789ab"))
        else:
            giving_box.confirm()
    assert len(giving_box.rows()) == written_count, reason


def test_the_same_is_not_written_down_twice(giving_box: GivingBox, store: Store) -> None:
    for _ in range(2):
        giving_box.answer(True)
        giving_box.log.keep_out("Ann", is_kept_out=True)
        giving_box.log.keep_out("ANN", is_kept_out=True)
    assert store.tally() == {PictureSharingAnswered.kind: 1, PlayerKeptOut.kind: 1}
    giving_box.log.keep_out("Bob", is_kept_out=False)
    assert store.tally()[PlayerKeptOut.kind] == 1, "nobody ever kept Bob's"


def test_an_answer_that_makes_no_sense_is_none(giving_box: GivingBox, store: Store) -> None:
    write_raw(store, BOX, PictureSharingAnswered.kind, {"agreed": "perhaps"})
    assert giving_box.log.read().latest_answer is None
    giving_box.confirm()
    assert giving_box.rows() == []
