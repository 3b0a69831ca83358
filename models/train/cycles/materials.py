"""What things are made of, as Blender's materials."""

from __future__ import annotations

import bpy
import numpy as np

from models.train.cycles.room import Body, Colour
from models.train.cycles.tables import REPEAT_CM, RGB, ROUGHNESS, TEXTURES

TABLE_SIDE_CM = 400.0
"""Centimetres of the plane that is the table."""


def matter(name: str, colour: Colour, roughness: float) -> bpy.types.Material:
    """Return a material of one colour."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    return material


def plain(name: str, colour: Colour, body: Body) -> bpy.types.Material:
    """Return what a tile's sides and back are made of."""
    material = matter(name, colour, body.roughness)
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Coat Weight"].default_value = body.coat
    shader.inputs["Coat Roughness"].default_value = 0.08
    shader.inputs["Subsurface Weight"].default_value = body.depth
    shader.inputs["Subsurface Radius"].default_value = (0.3, 0.2, 0.1)
    return material


def painted(name: str, texture: RGB, body: Body) -> bpy.types.Material:
    """Return a tile's face: the front's colour under the ink, which may be engraved."""
    material = plain(name, body.front, body)
    tree = material.node_tree
    shader = tree.nodes["Principled BSDF"]
    ink = _image(tree, name, texture)
    mix = tree.nodes.new("ShaderNodeMix")
    mix.data_type, mix.blend_type = "RGBA", "MULTIPLY"
    mix.inputs["Factor"].default_value = 1.0
    colours = [each for each in mix.inputs if each.type == "RGBA"]
    colours[0].default_value = (*body.front, 1.0)
    tree.links.new(ink.outputs["Color"], colours[1])
    result = next(each for each in mix.outputs if each.type == "RGBA")
    tree.links.new(result, shader.inputs["Base Color"])
    if body.engraved:
        bump = tree.nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value = body.engraved
        bump.inputs["Distance"].default_value = 0.06
        tree.links.new(ink.outputs["Color"], bump.inputs["Height"])
        tree.links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return material


def table(name: str, seed: int) -> bpy.types.Material:
    """Return a table top."""
    material = matter(name, (0.5, 0.5, 0.5), ROUGHNESS[name])
    tree = material.node_tree
    texture = _image(tree, name, TEXTURES[name](np.random.default_rng(seed)))
    place = tree.nodes.new("ShaderNodeTexCoord")
    scale = tree.nodes.new("ShaderNodeMapping")
    times = TABLE_SIDE_CM / REPEAT_CM[name]
    scale.inputs["Scale"].default_value = (times, times, 1.0)
    scale.inputs["Rotation"].default_value = (0.0, 0.0, seed % 7 * 0.5)
    tree.links.new(place.outputs["UV"], scale.inputs["Vector"])
    tree.links.new(scale.outputs["Vector"], texture.inputs["Vector"])
    tree.links.new(texture.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    return material


def _image(tree: bpy.types.NodeTree, name: str, rgb: RGB) -> bpy.types.Node:
    tall, wide = rgb.shape[:2]
    image = bpy.data.images.new(name, wide, tall)
    flat = np.ones((tall, wide, 4), np.float32)
    flat[:, :, :3] = rgb[::-1] / np.float32(255)
    image.pixels.foreach_set(flat.ravel())
    image.update()
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    return node
