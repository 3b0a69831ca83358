"""The walls that tables build by the shipped rulesets."""

from __future__ import annotations

from scorer.rulesets.builtin import load_builtin
from scorer.table_setup.wall import miniature_wall, wall_rules

_BMJA = load_builtin("bmja")

BMJA = wall_rules(_BMJA)
BMJA_BOOK_WALL = wall_rules(_BMJA.with_choices(("loose_tiles_spread:on",)))
SAFALRA = wall_rules(load_builtin("safalra"))
SAFALRA_MINIATURE_WALL = miniature_wall()
