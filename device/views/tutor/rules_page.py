"""Write docs/rules.md: `python -m device.views.tutor.rules_page > docs/rules.md`.

Every sentence comes from the rulesets' rows or from the rulebook's strings.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby

from device.i18n.words import is_said
from device.views.tutor.rules import say_rule, say_section
from scorer.message import to_english
from scorer.ruleset import Option, Rule, Ruleset, SpecialHand
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.rulebook import (
    RELATED_RULES,
    RULE_IDS,
    book_of,
    options_about,
    rows_of,
    section_of,
)

_INTRODUCTION = """\
# The rules, by their ids

Code, tests, answers and pages cite a rule by its id, such as `BMJA-D10`; the short `D10` is of the
British rules unless Safalra's are spoken of. This is what each says, in our own words and as the
rules come. `tests/scorer/catalogue.toml` names the code and the tests of each. Pages of the box say
the same of the rules that a table plays by, and show a hand for most.

Made by `python -m device.views.tutor.rules_page > docs/rules.md` from `scorer/rulesets/*.toml` and
`device/i18n/strings/en-GB/rulebook.toml`: change a rule there, never here.
"""


def write_document() -> Iterator[str]:
    """Yield the document line by line."""
    yield _INTRODUCTION
    for book, ids in groupby(RULE_IDS, book_of):
        rules = load_builtin(book)
        yield f"## {to_english(rules.title)}\n"
        if rules.notice:
            yield f"{to_english(rules.notice)}\n"
        for section, those in groupby(ids, section_of):
            yield f"### {say_section(f'{section}00')} ({section})\n"
            yield from (_format_rule(rule, rules) for rule in those)
            yield ""


def _format_rule(rule: str, rules: Ruleset) -> str:
    """Return a rule as one list item with everything that is said about it."""
    choices = options_about(rule, rules)
    said = [
        *([say_rule(rule, rules)] if is_said(f"rulebook.{rule}") else []),
        *map(_format_row, rows_of(rule, rules)),
        *([_format_special(rules.specials_by_id[rule])] if rule in rules.specials_by_id else []),
        *(_format_option(option) for option in choices if option.rule == rule),
    ]
    other = [option.rule for option in choices if option.rule != rule]
    more = dict.fromkeys([*RELATED_RULES.get(rule, ()), *other])
    see = [f"See {', '.join(more)}."] if more else []
    return " ".join([f"- **{rule}**", *said, *see])


def _format_row(row: Rule) -> str:
    return f"{to_english(row.heading)}: {to_english(row.sentence)}"


def _format_special(special: SpecialHand) -> str:
    worth = [f"{special.doubles} doubles" if special.doubles else str(special.value)]
    fishing = [f"{special.fishing} when fishing for it"] if special.fishing else []
    name, made_of = to_english(special.name), to_english(special.sentence)
    return f"{name}: {made_of} ({', '.join(worth + fishing)})"


def _format_option(option: Option) -> str:
    as_it_comes = "on" if option.default else "off"
    played = to_english(option.sentence)
    return f"A table's choice, `{option.name}`, {as_it_comes} as the rules come: {played}"


if __name__ == "__main__":
    sys.stdout.write("\n".join(write_document()))
