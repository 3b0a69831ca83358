"""A match is what its events come to, whoever wrote them and in whatever order hands came in."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from device.hands.repository import ChangeRefusedError, HandRepository
from device.matches.match import GivenHand
from device.matches.replay import MATCHES
from device.matches.repository import MatchRepository, OvertakenError
from device.store import Envelope, Store, StoreError
from device.store.events import (
    ChargeMade,
    DealSettled,
    HandAgreed,
    HandGiven,
    MatchEvent,
    PhotoTaken,
    ScoreTyped,
    TilesConfirmed,
    WinnerEntered,
)
from device.store.projection import replay_all
from scorer.match.game import GameError
from scorer.match.settlement import MAX_SCORE_POINTS
from tests.device.events import write_raw
from tests.device.match_play import AGREED_TERMS, PLAYERS, SCORES

MANY_POINTS = MAX_SCORE_POINTS + 1


@pytest.fixture
def match(matches: MatchRepository) -> str:
    return matches.begin(AGREED_TERMS)


def test_another_winner_has_every_hand_looked_at_again(
    matches: MatchRepository, match: str
) -> None:
    matches.change(match, WinnerEntered(winner="Cy"))
    matches.change(match, ScoreTyped(player="Cy", score=64))
    matches.change(match, WinnerEntered(winner="Di"))
    assert matches.get(match).deal.given_hand("Cy") == GivenHand(typed=64)


def test_what_is_taken_back_is_as_if_it_had_not_been(matches: MatchRepository, match: str) -> None:
    matches.change(match, WinnerEntered(winner="Cy"))
    before = matches.get(match)
    matches.change(match, DealSettled(winner="Cy", scores=SCORES, by="Ann"))
    last_action = matches.get(match).doings[-1]
    assert (last_action.kind, last_action.by) == ("deal-settled", "Ann")
    matches.undo(match, last_action.seq)
    after = matches.get(match)
    assert (after.game, after.deal, after.past) == (before.game, before.deal, before.past)


def test_only_the_last_thing_can_be_taken_back(matches: MatchRepository, match: str) -> None:
    matches.change(match, WinnerEntered(winner="Cy"))
    first = matches.get(match).doings[-1].seq
    matches.change(match, ScoreTyped(player="Cy", score=64))
    with pytest.raises(OvertakenError):
        matches.undo(match, first)


REFUSED_EVENTS = [
    (WinnerEntered("Eve"), ChangeRefusedError, "'Eve' does not sit at the table"),
    (WinnerEntered("Ann", "luck"), ChangeRefusedError, "'luck' is no way to win"),
    (ScoreTyped("Ann", True), ChangeRefusedError, "Expected `int`, got `bool`"),
    (ScoreTyped("Eve", 8), ChangeRefusedError, "'Eve' does not sit at the table"),
    (HandAgreed("Ann", "abc"), ChangeRefusedError, "another hand has been given in since"),
    (DealSettled("Ann", SCORES), ChangeRefusedError, "nobody has said how the deal ended"),
    (AGREED_TERMS, ChangeRefusedError, "a match begins once"),
    (TilesConfirmed(), ChangeRefusedError, "is no event of a match"),
    (ScoreTyped("Ann", -2), GameError, "Ann's score is -2, but no hand scores below 0"),
    (ScoreTyped("Ann", MANY_POINTS), GameError, "Ann's score is more than any hand can score"),
    (ChargeMade("Ann", {"Bob": MANY_POINTS}, "A slip"), GameError, "a payment can be"),
    (ChargeMade("Ann", {"Bob": 10**30}, "A book on a key"), GameError, "a payment can be"),
]


@pytest.mark.parametrize(("event", "error", "says"), REFUSED_EVENTS)
def test_what_does_not_fit_is_refused_and_not_kept(
    matches: MatchRepository, match: str, event: MatchEvent, error: type[Exception], says: str
) -> None:
    before = matches.get(match)
    with pytest.raises(error, match=says):
        matches.change(match, event)
    assert matches.get(match) == before


@pytest.mark.parametrize("digits", [10, 20, 4300])
def test_what_an_older_version_kept_beyond_that_is_read_as_the_most(
    matches: MatchRepository, match: str, store: Store, digits: int
) -> None:
    write_raw(store, match, "charge-made", CHARGE.replace("50", "9" * digits))
    write_raw(store, match, "winner-said", {"winner": "Ann"})
    typed_seq = write_raw(store, match, "score-typed", TYPED_JSON.replace("50", "9" * digits))
    record = matches.get(match)
    assert record.course.totals["Bob"] == 2000 + MAX_SCORE_POINTS
    assert record.deal.given_hand("Cy").typed == MAX_SCORE_POINTS
    matches.undo(match, typed_seq)
    assert matches.get(match).deal.given_hand("Cy").typed is None


CHARGE = '{"payer": "Ann", "amounts": {"Bob": 50}, "why": "A book on a key"}'
TYPED_JSON = '{"player": "Cy", "score": 50}'


@pytest.mark.parametrize(
    ("players", "reason"),
    [
        (("Ann", "ann"), "in small letters"),
        (("Zo\u00eb", "Zoe\u0308"), "the accent apart"),
        (("Ann", "Ａｎｎ"), "in wide letters"),
        (("Ann", "Ann"), "the very same"),
    ],
)
def test_no_two_players_have_one_name(
    matches: MatchRepository, players: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(GameError, match="Two players have the same name"):
        matches.begin(structs.replace(AGREED_TERMS, players=players))
    assert matches.find_newest() is None, reason


def test_a_match_of_an_older_version_may_have_such_names(
    matches: MatchRepository, store: Store
) -> None:
    store.append("abc", structs.replace(AGREED_TERMS, players=("Ann", "ann")))
    assert matches.get("abc").game.players == ("Ann", "ann")


def test_who_acts_on_an_old_page_is_told_so(matches: MatchRepository, match: str) -> None:
    seen_version = matches.get(match).version
    matches.change(match, WinnerEntered(winner="Cy", by="Bob"), seen_version=seen_version)
    with pytest.raises(OvertakenError) as error:
        matches.change(match, WinnerEntered(winner="Di", by="Ann"), seen_version=seen_version)
    assert error.value.match.doings[-1].by == "Bob"


def test_a_new_match_ends_the_one_before(matches: MatchRepository, match: str) -> None:
    new = matches.begin(structs.replace(AGREED_TERMS, players=("Eve", "Fay")))
    assert matches.get(match).ended
    assert [each.id for each in matches.list_page().matches] == [new, match]
    with pytest.raises(ChangeRefusedError):
        matches.change(match, WinnerEntered(winner="Ann"))


def test_events_that_make_no_match_are_told(store: Store) -> None:
    write_raw(store, "m", "match-begun", {"players": PLAYERS})
    with pytest.raises(StoreError, match="makes no sense"):
        replay_all(MATCHES, store.stream("m"))


def test_a_photographed_hand_knows_its_table(
    matches: MatchRepository, match: str, hands: HandRepository, read_hand: str, store: Store
) -> None:
    photo_event, reading = (each.event for each in store.events(read_hand)[:2])
    assert isinstance(photo_event, PhotoTaken)
    store.append("h", structs.replace(photo_event, match=match))
    store.append("h", reading)
    matches.change(match, HandGiven(player="Cy", hand="h"))
    situation = hands.get("h").situation
    assert (situation.seat_wind, situation.prevailing_wind) == ("W", "E")
    matches.change(match, WinnerEntered(winner="Di", won_by="discard"))
    assert not hands.get("h").situation.winner
    matches.change(match, WinnerEntered(winner="Cy", won_by="discard"))
    situation = hands.get("h").situation
    assert (situation.winner, situation.won_by) == (True, "discard")
    matches.change(match, DealSettled(winner="Cy", scores=SCORES))
    assert hands.get("h").situation == situation  # a settled deal's hands stay what they were


@given(winners=st.lists(st.sampled_from([None, *PLAYERS]), max_size=12), data=st.data())
def test_totals_always_come_to_what_was_there(
    winners: list[str | None], data: st.DataObject
) -> None:
    said: list[MatchEvent] = [AGREED_TERMS]
    for winner in winners:
        scores = {name: data.draw(st.integers(0, 1000)) for name in PLAYERS}
        said += WinnerEntered(winner), DealSettled(winner, scores)
    current_time = datetime.now(UTC)
    events = [Envelope(seq, "m", event, current_time) for seq, event in enumerate(said, 1)]
    assert sum(replay_all(MATCHES, events).course.totals.values()) == 8000
