"""What matches gave: derived once, remembered, and never believed of other events."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from device.club.match_statistics import ClubStatistics, load_statistics
from device.matches.repository import MatchRepository, open_hands
from device.store import Store
from device.store.events import (
    ChangeUndone,
    DealCorrected,
    DealSettled,
    HandGiven,
    MatchEnded,
    MatchResumed,
    SetAdded,
    TileCorrected,
    WinnerEntered,
)
from tests.device.events import write_raw
from tests.device.long_matches import AGREED_TERMS, LOSER, WINNER, MatchWriter
from tests.device.spoilt_records import SPOILING_STATEMENTS, say
from tests.device.work import count_work

DEALS = 3

WORTH = {"Ann": 1000, "Bob": 20, "Cy": 10, "Di": 0}
"""Scores of a deal in which Ann has a special hand worth the limit."""

WINDS = (*(("exposed", (wind,) * 3) for wind in ("WE", "WS", "WW")),
         ("exposed", ("DR",) * 3), ("concealed", ("DG",) * 2))  # fmt: skip
"""All Winds and Dragons, which BMJA-S21 prices at 1,000."""


def load_in_new_box(folder: Path, max_new: int = 0) -> tuple[ClubStatistics, int, int]:
    """Return what a box that was just started finds, and how much it replayed and scored."""
    with closing(Store(folder)) as store, count_work() as work:
        statistics = load_statistics(open_hands(store), max_new)
    return statistics, work["events of matches replayed"], work["events read"]


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """Return a folder with six matches that are over, and one that goes on."""
    with closing(Store(tmp_path)) as store:
        for number in range(6):
            MatchWriter(store).match(f"m{number}", DEALS, is_over=True)
        MatchWriter(store).match("on", DEALS)
    return tmp_path


def test_a_match_that_is_over_is_replayed_once(box: Path) -> None:
    first, replay_count, _ = load_in_new_box(box)
    assert replay_count > 0
    assert [each.id for each in first.matches] == [f"m{number}" for number in range(6)]
    with closing(Store(box)) as store:
        event_count = len(store.events("on"))
    second_statistics, replay_count, read = load_in_new_box(box)
    assert (second_statistics, replay_count, read) == (first, event_count - 1, 7 + event_count), (
        "that which goes on"
    )


def test_within_a_box_what_is_kept_is_not_read_again(box: Path) -> None:
    load_in_new_box(box)
    with closing(Store(box)) as store:
        hands = open_hands(store)
        statistics = load_statistics(hands)
        say(box, "DELETE FROM projections")
        with count_work() as work:
            assert load_statistics(hands) == statistics
        assert work["events of matches replayed"] == 0
        assert work["events read"] == 0


def test_what_a_match_gave(box: Path) -> None:
    match = load_in_new_box(box)[0].matches[0]
    ann = match.players[0]
    assert match.names == ("Ann", "Bob", "Cy", "Di")
    assert (ann.deals, ann.scored, ann.won) == (DEALS, DEALS, 2)
    assert ann.points == 2 * WINNER + LOSER
    assert sum(each.gain for each in match.players) == 0
    assert ann.best
    assert (ann.best.score, ann.best.deal) == (WINNER, 1)
    assert ann.best.hand == "m0-1"


def special(store: Store) -> tuple[str, str]:
    """Play a match of one deal, which Ann won with a special hand; return both their ids."""
    tables = MatchRepository(store)
    match = tables.begin(AGREED_TERMS)
    hand = open_hands(store).begin_by_hand("bmja", match)
    for row, tiles in WINDS:
        open_hands(store).change(hand, SetAdded(tiles, row))
    tables.change(match, WinnerEntered(winner="Ann", won_by="discard"))
    tables.change(match, HandGiven(player="Ann", hand=hand))
    tables.change(match, DealSettled(winner="Ann", scores=WORTH))
    tables.change(match, MatchEnded())
    return match, hand


@pytest.fixture
def special_match(tmp_path: Path) -> tuple[Path, str, str]:
    """Return a folder with a match in which Ann made a special hand; the match and the hand."""
    with closing(Store(tmp_path)) as store:
        return (tmp_path, *special(store))


def ann(folder: Path) -> tuple[int, int, int]:
    """Return Ann's best score, how many special hands she made and how many reached the limit."""
    ((player, *_),) = (match.players for match in load_in_new_box(folder)[0].matches)
    return (player.best.score if player.best else 0, len(player.specials), len(player.limits))


def test_a_special_hand_is_told_of(special_match: tuple[Path, str, str]) -> None:
    folder, _, hand = special_match
    ((player, *other_players),) = (match.players for match in load_in_new_box(folder)[0].matches)
    assert [(each.special, each.hand) for each in player.specials] == [
        ("All Winds and Dragons", hand)
    ]
    assert not any(each.specials or each.limits for each in other_players)
    assert ann(folder) == (1000, 1, 1)


def _tile_corrected(store: Store, match: str, hand: str) -> None:
    store.append(hand, TileCorrected(14 - 1, "B1"))


def _deal_corrected(store: Store, match: str, hand: str) -> None:
    scores = {**WORTH, "Ann": 40}
    store.append(match, DealCorrected(number=1, winner="Ann", scores=scores))


def _deal_struck(store: Store, match: str, hand: str) -> None:
    store.append(match, DealCorrected(number=1, struck=True))


def _continue_hand(store: Store, match: str, hand: str) -> None:
    store.append(match, MatchResumed())
    store.append(match, DealCorrected(number=1, winner="Bob", scores=WORTH))
    store.append(match, MatchEnded())


CORRECTIONS = (
    (_tile_corrected, (1000, 0, 1), "a tile of it: the score that was settled still counts"),
    (_deal_corrected, (40, 0, 0), "its score"),
    (_deal_struck, (0, 0, 0), "the deal does not count at all"),
    (_continue_hand, (1000, 0, 1), "somebody else has won it"),
)


@pytest.mark.parametrize(("correct", "comes_to", "reason"), CORRECTIONS)
def test_a_correction_of_an_old_deal_shows_at_once(
    special_match: tuple[Path, str, str],
    correct: Callable[[Store, str, str], None],
    comes_to: tuple[int, int, int],
    reason: str,
) -> None:
    folder, match, hand = special_match
    assert ann(folder) == (1000, 1, 1)
    with closing(Store(folder)) as store:
        hands = open_hands(store)
        assert load_statistics(hands).matches[0].players[0].specials, (
            "remembered within the box, too"
        )
        correct(store, match, hand)
        statistics = load_statistics(hands).matches[0].players[0]
    assert ann(folder) == comes_to, reason
    best = statistics.best.score if statistics.best else 0
    assert (best, len(statistics.specials), len(statistics.limits)) == comes_to, reason


def test_a_match_that_goes_on_again_counts_no_more_until_it_is_over(box: Path) -> None:
    assert len(load_in_new_box(box)[0].matches) == 6
    with closing(Store(box)) as store:
        end = store.events("m5")[-1].seq
        store.append("m5", ChangeUndone(end))
    assert [each.id for each in load_in_new_box(box)[0].matches] == [
        f"m{number}" for number in range(5)
    ]


def test_a_box_with_years_of_matches_works_them_out_a_part_at_a_time(box: Path) -> None:
    lefts: list[int] = []
    while not lefts or lefts[-1]:
        statistics, _, _ = load_in_new_box(box, max_new=2)
        lefts.append(statistics.left)
    assert lefts == [4, 2, 0]
    assert statistics == load_in_new_box(box)[0]


def test_what_cannot_be_believed_is_made_again(box: Path) -> None:
    """Each way in which it cannot is in `matches/test_summary.py`."""
    first, _, _ = load_in_new_box(box)
    say(box, SPOILING_STATEMENTS[-1][0])
    second_statistics, replay_count, _ = load_in_new_box(box)
    assert second_statistics == first
    assert replay_count > 6


def test_a_torn_match_hides_no_other(box: Path) -> None:
    with closing(Store(box)) as store:
        write_raw(store, "m3", "match-won", {})
    assert [each.id for each in load_in_new_box(box)[0].matches] == ["m0", "m1", "m2", "m4", "m5"]
