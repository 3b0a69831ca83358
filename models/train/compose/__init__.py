"""Compose pictures of tables by painting, as a second opinion beside `models.train.render`.

Nothing is traced. `grounds` and `papers` draw flat pictures; `lofts` gives bodies as stacks of
outlines. `paint` lays them over each other from far to near. Shadows are blurred outlines.
The two renderers err differently, so a network that learns from both learns neither's errors.
Lengths are centimetres; x points right, y away from the player, z up from the table's top.
"""
