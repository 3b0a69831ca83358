"""Compose pictures of tables by painting: the drawn scenes that the networks learn from.

Nothing is traced. `grounds` and `papers` draw flat pictures; `lofts` gives bodies as stacks of
outlines. `paint` lays them over each other from far to near. Shadows are blurred outlines.
Lengths are centimetres; x points right, y away from the player, z up from the table's top.
"""
