"""Score a hand, and locate the tiles of each line of the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from device.hands.record import HandRecord
from scorer.breakdown import Breakdown, UncountedRule
from scorer.errors import HandError, HandProblem, error
from scorer.explain.foreign_rules import find_foreign_rules
from scorer.hand import WILD_CODES, Hand
from scorer.message import message
from scorer.ruleset import Ruleset
from scorer.score import score, score_total, score_unexplained
from scorer.validate.circumstance_checks import choose_rules
from scorer.validate.tile_checks import check_tile_count
from vision.hand.assembly import AssembledHand
from vision.hand.questions import ask_block

MAX_CACHED_BREAKDOWNS, MAX_CACHED_TOTALS = 64, 512
"""Scores in memory. Each phone at the table asks for those of the deal, on several pages."""


def hand_from(record: HandRecord) -> Hand:
    """Return the hand to score; raise HandError if tiles are missing or unknown."""
    parts = record.assembled_hand
    if not any(laid.tiles for laid in parts.sets):
        raise HandError((error("no-tiles", message("entering.no-tiles")),))
    if parts.unresolved_tiles:
        raise HandError(tuple(_face_down(tile) for tile in parts.unresolved_tiles))
    block = record.block_in_question
    if block and not block.included:
        question = ask_block(block)
        raise HandError((error(question.code, question.message),))
    situation = record.situation
    winning = situation.winning_tile
    codes = {t: code for s in parts.sets for t, code in zip(s.tiles, s.codes, strict=True)}
    return replace(
        hand_in_play(record, parts),
        winner=situation.winner,
        won_by=(situation.won_by,) if situation.winner else (),
        winning_tile=codes.get(winning) if situation.winner and winning is not None else None,
        original_call=situation.original_call,
    )


def hand_in_play(record: HandRecord, parts: AssembledHand) -> Hand:
    """Return the tiles as a hand that has not won, with the table's agreement."""
    situation, agreement = record.situation, record.agreement
    return Hand(
        exposed=parts.exposed,
        declared_kongs=parts.declared_kongs,
        concealed=parts.concealed,
        bonus=parts.bonus,
        seat_wind=situation.seat_wind,
        prevailing_wind=situation.prevailing_wind,
        ruleset=record.rules,
        players=agreement.players,
        goulash=agreement.goulash,
        limit=agreement.limit,
        house=agreement.house,
    )


def _face_down(tile: int) -> HandProblem:
    return error("face-down-unknown", message("entering.face-down", number=tile + 1))


def score_hand(record: HandRecord) -> Breakdown:
    """Return the hand's score; raise HandError with all reasons why there is none."""
    return _score(hand_from(record), record.agreement.custom_rules)


def find_total(record: HandRecord) -> int | None:
    """Return the hand's total; None if it has none."""
    try:
        return find_hand_total(hand_from(record), record.agreement.custom_rules)
    except HandError:
        return None


@lru_cache(maxsize=MAX_CACHED_BREAKDOWNS)
def _score(hand: Hand, rules: Ruleset | None) -> Breakdown:
    return score(hand, rules)


@lru_cache(maxsize=MAX_CACHED_BREAKDOWNS)
def find_counted_elsewhere(hand: Hand, rules: Ruleset | None) -> tuple[UncountedRule, ...]:
    """Return what other families of rules count in a hand that has a score."""
    return find_foreign_rules(hand, _score(hand, rules), choose_rules(hand, rules))


@lru_cache(maxsize=MAX_CACHED_TOTALS)
def find_hand_total(hand: Hand, rules: Ruleset | None) -> int | None:
    """Return the total of a hand to score, by a custom ruleset or its own; None if it has none."""
    try:
        return score_total(hand, rules)
    except HandError:
        return None


def is_no_mah_jong(record: HandRecord) -> bool:
    """Whether a hand is said to have won and its tiles do not make a Mah-Jong."""
    if not record.situation.winner or find_total(record) is not None:
        return False
    try:
        score_total(hand_from(record), record.agreement.custom_rules)
    except HandError as error:
        return any(problem.code == "not-mah-jong" for problem in error.problems)
    return False


def is_miscounted(record: HandRecord) -> bool:
    """Whether a scored hand has too few or too many tiles for a hand that did not win."""
    try:
        hand, rules = hand_from(record), record.agreement.custom_rules
        problems = score_unexplained(hand, rules).problems
    except HandError:
        return False  # there is no score, and the page says why
    return any(problem.code == "tile-count" for problem in problems)


def has_right_count(record: HandRecord) -> bool:
    """Whether a hand has as many tiles as it must have, whatever they are.

    Until it is said whether the hand won, that is a winner's number, the larger one.
    """
    situation = record.situation
    is_said = record.match or "winner" in situation.answered
    hand = replace(
        hand_in_play(record, record.assembled_hand), winner=situation.winner or not is_said
    )
    return not any(check_tile_count(hand, record.agreement.rules))


def find_wild_faces(record: HandRecord, breakdown: Breakdown | None) -> dict[int, str]:
    """Return what each wild tile of a goulash counts as, by place; empty where no set tells.

    A set that lies as it scores keeps its own wild tiles; others take what is left in order.
    """
    if not record.agreement.goulash:
        return {}
    wilds = {
        place: (code, Counter(laid.codes))
        for laid in record.assembled_hand.sets
        for place, code in zip(laid.tiles, laid.codes, strict=True)
        if code in WILD_CODES
    }
    faces = dict.fromkeys(wilds, "")
    wild_sets = filter(lambda tile_set: tile_set.stands_for, breakdown.sets if breakdown else ())
    laid_codes = [codes for _, codes in wilds.values()]
    for tile_set in sorted(
        wild_sets, key=lambda tile_set: Counter(tile_set.tiles) not in laid_codes
    ):
        codes = Counter(tile_set.tiles)
        for wild in filter(WILD_CODES.__contains__, tile_set.tiles):
            places = [place for place in wilds if not faces[place] and wilds[place][0] == wild]
            places.sort(key=lambda place: wilds[place][1] != codes)
            faces |= dict.fromkeys(places[:1], tile_set.tile.code)
    return faces


def locate_tiles(codes: Sequence[str], hand: AssembledHand) -> tuple[int, ...]:
    """Return where the tiles of a score line lie, in the photograph's order.

    A set that matches completely goes first: a line means the pung that scored, not the same tile
    in a chow beside it.
    """
    code_counts, in_order = Counter(codes), sorted(codes)
    whole_first = sorted(hand.sets, key=lambda s: sorted(s.codes) != in_order)
    places = []
    for assembled_set in whole_first:
        for place, code in zip(assembled_set.tiles, assembled_set.codes, strict=True):
            if code_counts[code] > 0:
                code_counts[code] -= 1
                places.append(place)
    return tuple(sorted(places))
