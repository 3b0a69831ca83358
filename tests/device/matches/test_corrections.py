"""A correction of an earlier deal is worked out before it is kept, and nothing is lost by it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from device.hands.repository import ChangeRefusedError, HandRepository
from device.matches.corrections import (
    apply_correction,
    changed_entries,
    find_recounts,
    latest_entries,
    scores_from_tiles,
)
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import DealCorrected, DealSettled, HandAgreed, TileCorrected, WinnerEntered
from scorer.match.entries import Charge, WashOut, WonDeal
from tests.device.events import event_of
from tests.device.match_play import AGREED_TERMS, FEE, SCORES, give_hand, played_match, settle


@pytest.fixture
def match(matches: MatchRepository) -> str:
    return matches.begin(AGREED_TERMS)


def test_who_wrote_what_is_kept_by_entry(matches: MatchRepository, match: str) -> None:
    settle(matches, match, "Cy", tap_id="Ann")
    matches.change(match, replace(FEE, by="Bob"))
    matches.change(match, DealCorrected(number=1, struck=True, by="Di"))
    writers = matches.get(match).written
    assert [(each.entry, each.kind, each.by) for each in writers] == [
        (1, "deal-settled", "Ann"),
        (2, "charge-made", "Bob"),
        (1, "deal-corrected", "Di"),
    ]


def test_what_is_taken_back_was_written_by_nobody(matches: MatchRepository, match: str) -> None:
    settle(matches, match, "Cy")
    matches.undo(match, matches.get(match).doings[-1].seq)
    assert matches.get(match).written == ()


@pytest.mark.parametrize(
    ("corrections", "expected", "reason"),
    [
        ([], WonDeal("Cy", SCORES), "as it was settled"),
        ([{"winner": "Di", "scores": SCORES}], WonDeal("Di", SCORES), "the correction counts"),
        ([{"winner": None}], WashOut(), "it turned out that nobody had won"),
        ([{"struck": True}], WonDeal("Cy", SCORES), "what was struck out can be brought back"),
        (
            [{"winner": "Di", "scores": SCORES}, {"struck": True}],
            WonDeal("Di", SCORES),
            "as it was before it was struck out",
        ),
    ],
)
def test_what_an_entry_last_said(
    matches: MatchRepository,
    match: str,
    corrections: list[dict[str, Any]],
    expected: object,
    reason: str,
) -> None:
    settle(matches, match, "Cy")
    for correction in corrections:
        matches.change(match, event_of("deal-corrected", {"number": 1, **correction}))
    assert latest_entries(matches.get(match))[1] == expected, reason
    assert 9 not in latest_entries(matches.get(match))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"number": 2, "winner": "Ann", "scores": SCORES}, "entry 2 is a payment and no deal"),
        ({"number": 1, "winner": "Ann", "won_by": "luck", "scores": SCORES}, "no way to win"),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused(
    matches: MatchRepository, match: str, data: dict[str, Any], reason: str
) -> None:
    settle(matches, match, "Cy")
    matches.change(match, FEE)
    with pytest.raises(ChangeRefusedError):
        matches.change(match, event_of("deal-corrected", data))


def test_a_payment_can_be_struck_out(matches: MatchRepository, match: str) -> None:
    matches.change(match, FEE)
    assert isinstance(latest_entries(matches.get(match))[1], Charge)
    matches.change(match, DealCorrected(number=1, struck=True))
    assert set(matches.get(match).course.totals.values()) == {2000}


def test_another_winner_has_made_no_original_call(matches: MatchRepository, match: str) -> None:
    matches.change(match, WinnerEntered(winner="Cy", original_call=True))
    matches.change(match, DealSettled(winner="Cy", scores=SCORES))
    for winner, call in (("Cy", True), ("Di", False)):
        after = apply_correction(matches.get(match), DealCorrected(1, winner=winner, scores=SCORES))
        past = after.past_deal(1)
        assert past
        assert past.state.ending
        assert past.state.ending.original_call is call


def test_later_winds_and_payments_move_with_a_winner(matches: MatchRepository, match: str) -> None:
    for winner in ("Cy", "Bob", None):
        settle(matches, match, winner)
    before = matches.get(match)
    after = apply_correction(before, DealCorrected(1, winner="Ann", scores=SCORES))
    changed_rows = {each.number: each for each in changed_entries(before, after)}
    assert list(changed_rows) == [1, 2, 3]
    second = changed_rows[2]
    assert second.before
    assert second.after
    assert second.before.deal
    assert second.after.deal
    assert second.before.deal.seats["E"] == "Bob"
    assert second.after.deal.seats["E"] == "Ann", "East won, so East stays"
    assert second.before.changes != second.after.changes, "East pays and receives double"
    assert not second.only_totals


def test_other_scores_alone_move_only_totals_later(matches: MatchRepository, match: str) -> None:
    for winner in ("Cy", "Bob"):
        settle(matches, match, winner)
    before = matches.get(match)
    other = {**SCORES, "Di": 20}
    after = apply_correction(before, DealCorrected(1, winner="Cy", scores=other))
    assert [each.only_totals for each in changed_entries(before, after)] == [False, True]


def test_nothing_moves_where_nothing_was_corrected(matches: MatchRepository, match: str) -> None:
    settle(matches, match, "Cy")
    before = matches.get(match)
    unchanged_match = apply_correction(before, DealCorrected(1, winner="Cy", scores=SCORES))
    assert changed_entries(before, unchanged_match) == ()


def test_a_hand_is_counted_again_with_the_winds_that_a_correction_gives_it(
    matches: MatchRepository, match: str, hands: HandRepository, store: Store, read_hand: str
) -> None:
    settle(matches, match, "Cy")  # East passes to Bob
    hand = give_hand(matches, match, store, read_hand, "Bob", winner="Bob")
    matches.change(match, HandAgreed(player="Bob", hand=hand))
    matches.change(match, DealSettled(winner="Bob", scores={**SCORES, "Bob": 224}))
    before = matches.get(match)
    assert scores_from_tiles(before, 2, hands) == {"Bob": 224}, "his pair of East winds is his own"
    assert find_recounts(before, (1, 2), hands) == ()
    after = apply_correction(before, DealCorrected(1, winner="Ann", scores=SCORES))
    (recount,) = find_recounts(after, (1, 2), hands)
    assert (recount.number, recount.player, recount.hand) == (2, "Bob", hand)
    assert (recount.original_score, recount.tiles) == (224, 108), (
        "as South: neither seat wind nor own flower"
    )


def test_tiles_put_right_since_are_told(
    matches: MatchRepository, match: str, hands: HandRepository, store: Store, read_hand: str
) -> None:
    hand = give_hand(matches, match, store, read_hand, "Ann", winner="Ann")
    matches.change(match, DealSettled(winner="Ann", scores={**SCORES, "Ann": 224}))
    hands.change(hand, TileCorrected(tile=15, code=None))
    (recount,) = find_recounts(matches.get(match), (1, 2), hands)
    assert (recount.player, recount.original_score, recount.tiles) == ("Ann", 224, 104)


WINNERS = st.lists(st.sampled_from([None, "Ann", "Bob", "Cy", "Di"]), min_size=1, max_size=8)


@given(winners=WINNERS, data=st.data())
def test_a_correction_keeps_what_there_is_and_can_be_put_back(
    winners: list[str | None], data: st.DataObject
) -> None:
    before = played_match(winners)
    number = data.draw(st.integers(1, len(winners)))
    winner = data.draw(st.sampled_from([None, "Ann", "Bob", "Cy", "Di"]))
    after = apply_correction(before, DealCorrected(number, winner=winner, scores=SCORES))
    assert sum(after.course.totals.values()) == 8000
    assert all(each.number >= number for each in changed_entries(before, after)), (
        "what came before stays"
    )
    restored_match = apply_correction(
        after, DealCorrected(number, winner=winners[number - 1], scores=SCORES)
    )
    assert _rows(restored_match) == _rows(before)


def _rows(match: Match) -> list[object]:
    return [(row.deal, row.changes, row.totals) for row in match.course.rows]
