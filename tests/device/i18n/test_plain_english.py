"""English texts are short and usual, and call each thing by one word.

The rows say what was found and mended; `design/plain-english.md` of the shared folder has more of
the kind. A new text that needs one of these words needs a row in `EXCEPTIONS` with its reason.
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from device.i18n.words import load, shipped_texts

ENGLISH = {key: re.sub(r"\{[^}]*\}", "…", text) for key, text in load().items()}
"""Every text by its key, without the names of what fills its braces."""

ALL_TEXTS = ENGLISH | {text: text for text in shipped_texts("fr")}
"""And those of the rulesets and samples, which other languages have by their English text."""

BANNED_PHRASES = [
    (r"\b[Bb]y (?:these|other|British|Safalra's|our|the) rules\b|\bby the rules of\b",
     "under these rules", "Two may play by these rules."),
    (r"\b(?:is|are|was|were|be|been|has been|so) (?:not )?kept\b(?! concealed)|\bKept\b",
     "saved", "Nothing has been kept."),
    (r"^Keep (?:it|this|these|the name|the result|the season)\b", "Save", "Keep this score"),
    (r"\breckon|\bdearest\b|\bdearer\b", "work out, count; highest", "the dearest hand"),
    (r"\b[Ss]trike it\b|\b[Ss]truck out\b", "Delete", "Strike it out"),
    (r"\bsettled\b", "scored, confirmed", "No deal was settled."),
    (r"\b(?:is|was|be) away\b", "does not answer", "The box is away for half a minute."),
    (r"\bput it right\b|\b[Pp]ut right\b(?! since)", "correct it", "Tap a tile to put it right."),
    (r"\b[Tt]ake (?:it|this hand) out\b|\b[Tt]aken out\b|: take out$",
     "Remove", "Taken out: Purity"),
    (r"^That is all$|\b[Nn]obody can tell\b|^Yours\?$", "Done; Nobody remembers", "That is all"),
    (r"\b[Ll]ook (?:into|again)\b(?! in)", "Check", "Look into this score"),
    (r"\bsaid at\b", "entered", "Margaret said at 16:06 who went out."),
    (r"\bplays? differently\b|\bplayed otherwise\b",
     "House rules", "What your table plays differently"),
    (r"\b[Oo]ffer (?:them|it) (?:again|no more)\b", "Remove from the list", "Offer them no more"),
    (r"\bbe given\b|\b(?:is|are) given:", "share", "May they be given to others?"),
    (r"\bmerely\b|\bso many (?:pairs|doubles|points)\b|\bof which\b|\bmeanwhile\.",
     "(the usual word)", "count so many pairs from the right end"),
    (r", for (?:there is|it is|East was|he |she |they |the pictures)",
     "because", "There is one, for there is no other."),
    (r"\bif you like\)", "(optional)", "Who made them (if you like)"),
    (r"\b(?:some|any|every)one\b(?! else['’]s)", "somebody, everybody", "when someone wins"),
]  # fmt: skip
"""A turn of phrase that is gone, what to say instead, and a text that had it."""

TERMS = [
    ("deal", r"\b(?:[Aa]|the|one|each|every|dead|next|last) games?\b|^One game\b", "in one game"),
    ("match", r"\b[Gg]ame has\b|\bin this game\b", "A game has two to five players."),
    ("wash-out", r"\bdead (?:game|deal|hand)\b|\bdrawn (?:game|deal)\b", "after a dead game"),
    ("kong box", r"\bkong tiles?\b|\bdead wall\b", "the last 14 kong tiles"),
    ("loose tile", r"\breplacement tile|\bextra tile|\bfor a kong tile\b", "a replacement tile"),
    ("wild tile, joker", r"\bwildcard|\bfree tile", "a wildcard"),
    ("exposed", r"\bopen (?:set|pung|kong|hand)|\bmelded\b|\blays the set open\b", "an open pung"),
    ("concealed", r"\b(?:hidden|closed) (?:set|pung|kong|hand)", "a hidden pung"),
    ("score sheet", r"\bscore ?cards?\b|\bscoresheet|\bscoring sheet", "Mat, label, score card"),
    ("prevailing wind", r"\bround wind\b|\bwind’s round\b", "Which wind’s round was it?"),
    ("photo", r"\b(?:a|no|the|this|of) photographs?\b|\bphotographs\b", "read the photograph"),
    ("Mah-Jong", r"(?<!Safalra’s )(?<!Safalra's )\bMah Jong\b|\bmah-?jong\b|\bMahjong\b",
     "Mah Jong comes first."),
    ("seat wind", r"\b(?:player's|[Yy]our|as) own winds?\b", "a pair of your own wind"),
    ("last discard", r"\bfinal discard", "Winning with the final discard doubles once."),
    ("East", r"\bdealer\b|\bbanker\b", "the dealer pays double"),
    ("special hand", r"\blimit hands?\b(?! )|\bbig hands?\b", "a limit hand"),
    ("tile set", r"\bset of tiles\b|\btileset", "a set of tiles"),
    ("discard", r"\bthrow the fourth away\b|\bthrows? (?:a|the) tile\b", "throw the fourth away"),
    ("single tile", r"\b^loose …$|^Loose$", "Loose"),
    ("the box", r"\bthe device\b|\bthe appliance\b|\bthe server\b", "the device is busy"),
    ("limit of a hand", r"\b[Mm]ost of (?:any|an|a) \b", "The most of any hand"),
]  # fmt: skip
"""The one word for a thing, other words for it that must not come back, and a text that had one."""

EXCEPTIONS = {
    "lesson.word-session.answer": "explains what others call a deal",
    "lesson.word-walls.answer": "explains what others call the kong box",
    "lesson.word-walls.question": "explains what others call the kong box",
    "ruleset-file.unknown-game": "the kind of game that a file is for",
}
"""Keys that may have such a word, with the reason."""

MAX_WORDS = 20
MAX_WORDS_ON_BUTTONS = 12
"""Words of a sentence; buttons, headings and notes are read in passing."""

NOTES = ("hint", "lead", "stays")
"""How the keys of notes end."""

LONG_TEXTS: dict[str, str] = {}
"""Keys with a longer sentence, and why it is not two."""


def _sentences(text: str) -> list[str]:
    """Return the parts of a text between full stops, colons and semicolons."""
    return re.split(r"(?<=[.?!:;])[”\")]?\s+", text)


def _count_words(sentence: str) -> int:
    return sum(1 for word in sentence.split() if re.search(r"\w", word))


def _max_words(key: str, text: str) -> int:
    is_button = not re.search(r"[.?!:](?:\s|$)", text)
    is_note = key.rpartition(".")[2].endswith(NOTES)
    return MAX_WORDS_ON_BUTTONS if is_button or is_note else MAX_WORDS


def _find(pattern: str, example: str) -> dict[str, str]:
    """Return the texts with a match, by key, once the pattern has matched its example."""
    assert re.search(pattern, example), "the row finds what it is for"
    return {
        k: text for k, text in ALL_TEXTS.items() if re.search(pattern, text) and k not in EXCEPTIONS
    }


@pytest.mark.parametrize(("pattern", "instead", "example"), BANNED_PHRASES)
def test_what_is_gone_does_not_come_back(pattern: str, instead: str, example: str) -> None:
    assert _find(pattern, example) == {}, f"say: {instead}"


@pytest.mark.parametrize(("term", "pattern", "example"), TERMS)
def test_one_thing_has_one_word(term: str, pattern: str, example: str) -> None:
    assert _find(pattern, example) == {}, f"the word is: {term}"


def test_sentences_are_short() -> None:
    long_sentences = {
        key: sentence
        for key, text in ENGLISH.items()
        for sentence in _sentences(text)
        if _count_words(sentence) > _max_words(key, text)
    }
    assert long_sentences.keys() - LONG_TEXTS == set(), {
        key: long_sentences[key] for key in long_sentences.keys() - LONG_TEXTS
    }
    assert LONG_TEXTS.keys() - long_sentences.keys() == set(), "these are short now"


def test_every_exception_is_still_needed() -> None:
    patterns = [re.compile(row[0]) for row in BANNED_PHRASES] + [
        re.compile(row[1]) for row in TERMS
    ]
    assert [key for key in EXCEPTIONS if not any(p.search(ENGLISH[key]) for p in patterns)] == []


PUNCTUATION = re.compile(r"\}\}[.,;!?](?=[\s<]|$)|(?<!translate)(?<!rotate)\(\{\{", re.MULTILINE)
"""Punctuation beside what a template fills in: each language has its own, in its strings."""


def test_templates_hold_no_punctuation() -> None:
    folder = Path(str(files("device.web"))) / "templates"
    offences = [
        f"{page.relative_to(folder)}: {sign[0]}"
        for page in folder.rglob("*.html")
        for sign in PUNCTUATION.finditer(page.read_text("utf-8"))
    ]
    assert offences == []
