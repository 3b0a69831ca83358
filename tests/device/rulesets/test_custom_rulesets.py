"""Custom rulesets in the log: their versions, two phones at once, and matches that keep theirs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from device.hands.repository import HandRepository
from device.hands.scoring import find_total
from device.matches.replay import MATCHES
from device.matches.repository import MatchRepository, open_hands
from device.matches.snapshot import decode_match, encode_match
from device.rulesets.repository import (
    CUSTOM_RULESETS,
    MAX_TITLE_CHARS,
    MAX_VERSIONS_AHEAD,
    CustomRulesets,
    NoSuchRulesetError,
    TitleTakenError,
)
from device.store import Store, TornEventError
from device.store.errors import ConcurrentChangeError, EventRefusedError
from device.store.events import (
    RULESET,
    HandGiven,
    MatchBegun,
    MatchEnded,
    RulesetReturned,
    RulesetSaved,
    WinnerEntered,
)
from device.store.projection import get_projector, replay_all
from scorer.errors import ScorerError
from scorer.match.game import GameError
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.custom import stamp
from scorer.rulesets.files import SAMPLES, load_builtin_text, load_sample_text
from scorer.rulesets.reader import RulesetError
from scorer.rulesets.schema import MAX_RULESET_VERSION
from tests.device.hands.test_entering import enter_sets
from tests.device.match_play import AGREED_TERMS

PUNG = "exposed pung B1, exposed pung C9, exposed pung O9, exposed pung B9, concealed pair B5"
"""Four pungs of major tiles and a pair: 4 points each."""


def dearer(text: str, price: int = 100) -> str:
    """Return a ruleset's text with another price of an exposed pung of a major tile."""
    old = 'label = "pung of a major tile"\nexposed = 4'
    assert old in text
    return text.replace(old, f'label = "pung of a major tile"\nexposed = {price}')


def test_a_copy_is_a_ruleset_of_its_own(rulesets: CustomRulesets) -> None:
    ruleset_key = rulesets.copy("bmja", "Our rules", "Ann")
    (offered_ruleset,) = rulesets.list_offered()
    assert (offered_ruleset.id, offered_ruleset.title, offered_ruleset.newest.number) == (
        ruleset_key,
        "Our rules",
        1,
    )
    assert (offered_ruleset.rules.author, offered_ruleset.newest.origin) == ("Ann", "bmja")
    assert offered_ruleset.rules.every_rule == load_builtin("bmja").every_rule
    second_key = rulesets.copy(f"{ruleset_key}@1", "Theirs")
    assert rulesets.get(second_key).newest.origin == f"{ruleset_key}@1"


@pytest.mark.parametrize("name", SAMPLES)
def test_the_rules_of_others_can_be_brought(rulesets: CustomRulesets, name: str) -> None:
    assert rulesets.keep_file(load_sample_text(name)).is_new


@pytest.mark.parametrize("title", ["our rules", "BRITISH Mah-Jong (BMJA)"])
def test_two_rulesets_have_two_titles(rulesets: CustomRulesets, title: str) -> None:
    rulesets.copy("bmja", "Our rules")
    with pytest.raises(TitleTakenError):
        rulesets.copy("safalra", title)


def test_a_change_is_a_version_and_the_old_one_stays(rulesets: CustomRulesets) -> None:
    ruleset_key = rulesets.copy("bmja", "Our rules")
    before = rulesets.get(ruleset_key)
    version = rulesets.keep_version(ruleset_key, dearer(before.newest.text), before.seen)
    assert (version.version, version.is_new) == (2, True)
    assert [each.number for each in rulesets.get(ruleset_key).versions] == [1, 2]
    assert rulesets.rules(f"{ruleset_key}@1").version == 1
    assert rulesets.rules(ruleset_key).version == 2
    assert rulesets.pin_version(ruleset_key) == f"{ruleset_key}@2"
    same_version = rulesets.keep_version(
        ruleset_key, rulesets.get(ruleset_key).newest.text, before.seen
    )
    assert (same_version.version, same_version.is_new) == (2, False), (
        "the same rules are no new version"
    )


def test_two_phones_that_change_one_ruleset_are_told(rulesets: CustomRulesets) -> None:
    ruleset_key = rulesets.copy("bmja", "Our rules")
    current_ruleset = rulesets.get(ruleset_key)
    rulesets.keep_version(ruleset_key, dearer(current_ruleset.newest.text), current_ruleset.seen)
    with pytest.raises(ConcurrentChangeError):
        rulesets.keep_version(
            ruleset_key, dearer(current_ruleset.newest.text, 50), current_ruleset.seen
        )
    assert len(rulesets.get(ruleset_key).versions) == 2, "nothing is kept of the second"


def test_a_file_with_faults_is_not_kept_at_all(rulesets: CustomRulesets) -> None:
    text = load_builtin_text("bmja").replace('title = "', 'title = "Our ', 1)
    with pytest.raises(RulesetError) as failure:
        rulesets.keep_file(text.replace("points = 20", "points = x").replace("limit", "limits", 1))
    assert all(each.text.startswith("Line ") for each in failure.value.problems)
    assert rulesets.list_all() == ()


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("British Mah-Jong (BMJA)", "another ruleset"),
        ("x" * (MAX_TITLE_CHARS + 1), "1 to 40 letters"),
        ("\\u200b", "1 to 40 letters"),
    ],
)
def test_a_file_has_a_title_that_forms_can_show(
    rulesets: CustomRulesets, title: str, says: str
) -> None:
    text = load_builtin_text("bmja").replace("British Mah-Jong (BMJA)", title, 1)
    with pytest.raises(RulesetError, match=f"Line 16: .*{says}"):
        rulesets.keep_file(text)


def test_a_file_goes_from_box_to_box(rulesets: CustomRulesets) -> None:
    ruleset_key = rulesets.copy("bmja", "Our rules", "Ann")
    first = rulesets.get(ruleset_key).newest.text
    rulesets.keep_version(ruleset_key, dearer(first), rulesets.get(ruleset_key).seen)
    second = rulesets.get(ruleset_key).newest.text
    assert rulesets.keep_file(second).is_new is False
    their_text = second.replace("Our rules", "Their rules")
    brought_key = rulesets.keep_file(their_text, by="Bob")
    assert (brought_key.version, brought_key.is_new) == (2, True), "the version that the file says"
    assert rulesets.get(brought_key.id).rules.author == "Ann"
    third = rulesets.keep_file(dearer(their_text.replace("exposed = 100", "exposed = 4", 1), 8))
    assert (third.id, third.version) == (brought_key.id, 3), "the next version of the same title"


def test_a_change_cannot_take_the_title_of_another(rulesets: CustomRulesets) -> None:
    ruleset_key = rulesets.copy("bmja", "Our rules")
    rulesets.copy("bmja", "Theirs")
    current_ruleset = rulesets.get(ruleset_key)
    with pytest.raises(RulesetError, match="another ruleset"):
        rulesets.keep_version(
            ruleset_key,
            current_ruleset.newest.text.replace("Our rules", "theirs"),
            current_ruleset.seen,
        )


def test_the_last_version_has_none_after_it(rulesets: CustomRulesets) -> None:
    text = stamp(load_builtin_text("bmja"), title="Ours", author="", version=MAX_RULESET_VERSION)
    rulesets._store.append(f"{RULESET}ours-1", RulesetSaved(MAX_RULESET_VERSION, text))
    with pytest.raises(RulesetError, match="no number is left"):
        rulesets.keep_file(dearer(rulesets.get("ours-1").newest.text))


def test_no_file_uses_up_the_numbers(rulesets: CustomRulesets) -> None:
    ruleset_key = rulesets.copy("bmja", "Ours")
    text = dearer(rulesets.get(ruleset_key).newest.text)
    for version in (99999, MAX_VERSIONS_AHEAD + 2):
        far_text = text.replace("version = 1", f"version = {version}", 1)
        with pytest.raises(RulesetError, match=r'Line 22: "version" is .* 1,001 at most'):
            rulesets.keep_file(far_text)
        with pytest.raises(RulesetError, match="1,000 at most"):
            rulesets.keep_file(far_text.replace('"Ours"', '"Theirs"', 1))
    ahead_text = text.replace("version = 1", f"version = {MAX_VERSIONS_AHEAD + 1}", 1)
    assert rulesets.keep_file(ahead_text).version == MAX_VERSIONS_AHEAD + 1


def test_rules_whose_numbers_an_older_tongbox_let_run_out_go_on(rulesets: CustomRulesets) -> None:
    text = stamp(load_builtin_text("bmja"), title="Ours", author="", version=99_999)
    rulesets._store.append(f"{RULESET}ours-1", RulesetSaved(99_999, text))
    assert rulesets.keep_file(dearer(text)).version == 100_000
    assert rulesets.rules("ours-1@100000").version == 100_000


def test_a_retired_ruleset_is_offered_no_more_and_comes_back(rulesets: CustomRulesets) -> None:
    ruleset_key = rulesets.copy("safalra", "Our rules")
    rulesets.retire(ruleset_key)
    rulesets.retire(ruleset_key)
    assert rulesets.list_offered() == ()
    assert rulesets.offered_key(f"{ruleset_key}@1") == "safalra"
    assert rulesets.offered_key("ours-9") == "bmja"
    with pytest.raises(EventRefusedError):
        get_projector(rulesets._store, CUSTOM_RULESETS).change(
            RULESET + ruleset_key, RulesetSaved(2, rulesets.get(ruleset_key).newest.text)
        )
    rulesets.bring_back(ruleset_key)
    rulesets.bring_back(ruleset_key)
    assert rulesets.offered_key(f"{ruleset_key}@1") == ruleset_key
    rulesets.retire(ruleset_key)
    assert rulesets.keep_file(rulesets.get(ruleset_key).newest.text).is_new is False
    assert rulesets.list_offered(), "whoever brings it again wants it"


@pytest.mark.parametrize("event", [RulesetReturned(), RulesetSaved(1, "")])
def test_what_cannot_happen_to_a_ruleset_is_refused(
    rulesets: CustomRulesets, event: RulesetReturned | RulesetSaved
) -> None:
    ruleset_key = rulesets.copy("bmja", "Our rules")
    with pytest.raises(EventRefusedError):
        get_projector(rulesets._store, CUSTOM_RULESETS).change(RULESET + ruleset_key, event)


@pytest.mark.parametrize("key", ["riichi", "ours-1", "ours-7@2", "ours-x"])
def test_a_match_is_not_begun_by_rules_that_there_are_not(
    matches: MatchRepository, key: str
) -> None:
    with pytest.raises(ScorerError, match="is not one of bmja, safalra"):
        matches.begin(structs.replace(AGREED_TERMS, ruleset=key))


def test_a_version_that_there_is_not_is_none(rulesets: CustomRulesets) -> None:
    ruleset_key = rulesets.copy("bmja", "Our rules")
    with pytest.raises(NoSuchRulesetError):
        rulesets.find_version(f"{ruleset_key}@2")


def test_a_match_is_for_as_many_as_its_rules_say(
    rulesets: CustomRulesets, matches: MatchRepository
) -> None:
    text = load_builtin_text("bmja").replace("British Mah-Jong (BMJA)", "For four", 1)
    four = rulesets.keep_file(text.replace("players = [2, 3, 4, 5]", "players = [4]")).id
    with pytest.raises(GameError, match="4 may play, not 3"):
        matches.begin(structs.replace(AGREED_TERMS, ruleset=four, players=("Ann", "Bob", "Cy")))


def begin(rulesets: CustomRulesets, matches: MatchRepository, ruleset: str) -> str:
    """Begin a match by a custom ruleset; Ann goes out with four pungs of major tiles."""
    match = matches.begin(structs.replace(AGREED_TERMS, ruleset=ruleset))
    matches.change(match, WinnerEntered("Ann"))
    return match


def give_in(store: Store, matches: MatchRepository, match: str) -> str:
    """Give in a hand for Ann; return its id."""
    hands = open_hands(store)
    hand = hands.begin_by_hand(matches.get(match).game.ruleset, match)
    enter_sets(hands, hand, PUNG)
    matches.change(match, HandGiven(player="Ann", hand=hand))
    return hand


def test_a_match_is_scored_by_the_version_that_it_began_with(
    store: Store, rulesets: CustomRulesets, matches: MatchRepository, hands: HandRepository
) -> None:
    ruleset_key = rulesets.copy("bmja", "Our rules")
    first = begin(rulesets, matches, ruleset_key)
    hand = give_in(store, matches, first)
    usual = find_total(hands.get(hand))
    assert usual
    current_ruleset = rulesets.get(ruleset_key)
    rulesets.keep_version(ruleset_key, dearer(current_ruleset.newest.text, 6), current_ruleset.seen)
    assert find_total(hands.get(hand)) == usual, "a running match goes on as it began"
    second = begin(rulesets, matches, ruleset_key)
    other = give_in(store, matches, second)
    assert find_total(hands.get(other)) != usual
    rulesets.retire(ruleset_key)
    store.caches.clear()
    assert find_total(open_hands(store).get(hand)) == usual
    assert matches.get(first).agreement.rules.version == 1
    assert matches.get(second).agreement.rules.version == 2


def test_a_match_needs_nothing_but_its_own_events(
    store: Store, rulesets: CustomRulesets, matches: MatchRepository
) -> None:
    ruleset_key = rulesets.copy("safalra", "Our rules")
    match = matches.begin(structs.replace(AGREED_TERMS, ruleset=ruleset_key))
    replayed_match = replay_all(MATCHES, store.stream(match))
    assert replayed_match.agreement.rules.version == 1
    assert replayed_match.game.ruleset == "safalra"
    decoded_match = decode_match(encode_match(replayed_match))
    assert decoded_match.agreement == replayed_match.agreement
    assert decoded_match.agreement.rules is replayed_match.agreement.rules
    (begin_event,) = store.of_kinds(MatchBegun)
    assert begin_event.event.ruleset == f"{ruleset_key}@1"


def test_a_text_that_is_no_ruleset_damages_its_match_alone(
    store: Store, matches: MatchRepository
) -> None:
    event = structs.replace(AGREED_TERMS, ruleset="ours-1@1", rules_text="nonsense")
    store.append("torn", event)
    store.append("torn", MatchEnded())
    whole_match = matches.begin(AGREED_TERMS, match="whole")
    with pytest.raises(TornEventError, match="Line 1"):
        matches.get("torn")
    assert matches.get(whole_match).agreement.rules is load_builtin("bmja").with_limit(1000)


def test_what_is_agreed_by_a_ruleset_alone(rulesets: CustomRulesets) -> None:
    text = load_builtin_text("bmja").replace("British Mah-Jong (BMJA)", "High", 1)
    high = rulesets.keep_file(text.replace("limit = 1000", "limit = 2000")).id
    agreement = rulesets.agreement(high)
    assert (agreement.ruleset, agreement.limit, agreement.rules.limit) == ("bmja", 2000, 2000)
    assert agreement.custom_rules
    assert replace(agreement, limit=None).rules.limit is None
    assert rulesets.agreement("safalra").custom_rules is None
