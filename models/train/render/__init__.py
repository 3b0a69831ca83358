"""Render photographs of tiles on a table, with the exact place of every tile.

`recipe.random_scene` makes up a table, `render.render` turns a scene into light,
`camera.expose` turns light into a photograph, `labels.label_scene` says what is in it.
Lengths are centimetres; x points right, y away from the player, z up from the table's top.
"""
