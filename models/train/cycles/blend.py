"""The scene in Blender and its rendering by Cycles; with `materials`, all that needs `bpy`."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy  # brings bmesh and mathutils, so it comes first

# isort: split
import bmesh
import numpy as np
from mathutils import Matrix, Vector

from models.train.cycles import materials
from models.train.cycles.camera import Floats, Light, View
from models.train.cycles.room import Lamp, Room
from models.train.cycles.spots import Shape, Spot, corners
from models.train.cycles.styles import Style, face_texture, shrink_texture
from models.train.cycles.things import PlacedThing

FRONT_SLOT, BACK_SLOT, FACE_SLOT = 0, 1, 2
"""Places of the materials."""


def tile_mesh(shape: Shape, sides: tuple[bpy.types.Material, bpy.types.Material]) -> bpy.types.Mesh:
    """Return a tile, centred, face upwards; materials: front, back, a place for the face."""
    body = bmesh.new()
    bmesh.ops.create_cube(body, size=1, matrix=Matrix.Diagonal((*_size(shape), 1.0)))
    bmesh.ops.bevel(
        body, geom=body.edges[:], offset=shape.bevel, segments=3, profile=0.5, affect="EDGES"
    )
    border = (shape.back - 0.5) * shape.depth
    if shape.back:
        geometry = [*body.verts, *body.edges, *body.faces]
        bmesh.ops.bisect_plane(
            body, geom=geometry, plane_co=(0, 0, border), plane_no=(0, 0, 1), dist=1e-5
        )
    layer = body.loops.layers.uv.new("face")
    flats = [
        Vector(v) for v in ((0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))
    ]
    for side in body.faces:
        side.normal_update()
        side.smooth = all(side.normal.dot(flat) < 0.999 for flat in flats)
        is_back = shape.back and side.calc_center_median().z < border
        side.material_index = (
            BACK_SLOT if is_back else FACE_SLOT if side.normal.z > 0.5 else FRONT_SLOT
        )
        for loop in side.loops:
            at = loop.vert.co
            loop[layer].uv = (at.x / shape.width + 0.5, at.y / shape.height + 0.5)
    mesh = bpy.data.meshes.new("tile")
    body.to_mesh(mesh)
    body.free()
    for material in (*sides, None):
        mesh.materials.append(material)
    return mesh


def _size(shape: Shape) -> tuple[float, float, float]:
    return shape.width, shape.height, shape.depth


SAMPLES_PER_PIXEL = 3
"""Few; the denoiser makes up for it."""
SENSOR_WIDTH_MM = 36.0
VISIBILITY_GRID = 5
"""Points each way at which a tile is tested for being seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Linear light (height, width, 3), and how much of each tile can be seen, 0 to 1."""

    light: Light
    visible: tuple[float, ...]


def photograph(
    spots: Sequence[Spot], things: Sequence[PlacedThing], style: Style, room: Room, view: View
) -> Picture:
    """Build the scene and render it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    middle = np.mean([(s.x, s.y) for s in spots], axis=0)
    _table(room, middle)
    tiles = _tiles(spots, style, room, _detail(spots, room, view))
    for thing in things:
        _thing(thing)
    for lamp in room.lamps:
        _lamp(lamp, middle)
    world = bpy.data.worlds.new("room")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (*room.ambient, 1.0)
    scene.world = world
    _camera(scene, room, view, spots)
    return Picture(_render(scene, view), _visible_shares(tiles, spots, room, view))


def _detail(spots: Sequence[Spot], room: Room, view: View) -> int:
    """Return how tall a face's texture is to be, pixels; larger, few samples see specks."""
    quads = view.project(np.concatenate([corners(s, room.body.shape) for s in spots]))
    tall = np.linalg.norm(np.diff(quads.reshape(-1, 4, 2), axis=1), axis=2).max(axis=1)
    return round(1.25 * float(np.quantile(tall, 0.75)))


def _tiles(spots: Sequence[Spot], style: Style, room: Room, detail: int) -> list[bpy.types.Object]:
    body = room.body
    mesh = tile_mesh(body.shape, (materials.plain("front", body.front, body),
                                  materials.plain("back", body.back, body)))  # fmt: skip
    painted: dict[str, bpy.types.Material] = {}
    found = []
    for spot in spots:
        each = bpy.data.objects.new("tile", mesh)
        rise = Matrix.Translation((spot.x, spot.y, body.shape.depth / 2))
        pose = rise @ Matrix.Rotation(spot.turn, 4, "Z")
        each.matrix_world = pose @ Matrix.Rotation(math.pi, 4, "Y") if spot.down else pose
        bpy.context.scene.collection.objects.link(each)
        if spot.code not in painted:
            art = shrink_texture(face_texture(style, spot.code), detail)
            painted[spot.code] = materials.painted(spot.code, art, body)
        each.material_slots[2].link = "OBJECT"
        each.material_slots[2].material = painted[spot.code]
        found.append(each)
    return found


def _table(room: Room, middle: Floats) -> None:
    bpy.ops.mesh.primitive_plane_add(size=400, location=(*middle, 0.0))
    bpy.context.object.data.materials.append(materials.table(room.table, room.texture))


def _thing(placed: PlacedThing) -> None:
    wide, deep, tall = placed.thing.size
    if placed.thing.round:
        bpy.ops.mesh.primitive_cylinder_add(vertices=40, radius=wide / 2, depth=tall)
    else:
        bpy.ops.mesh.primitive_cube_add(size=1)
        bpy.context.object.scale = (wide, deep, tall)
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    each = bpy.context.object
    flat = placed.thing.lies_along
    each.location = (placed.x, placed.y, wide / 2 if flat else tall / 2)
    each.rotation_euler = (math.pi / 2 if flat else 0.0, 0.0, placed.turn)
    bevel = each.modifiers.new("edge", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method = min(placed.thing.size) * 0.15, 2, "ANGLE"
    each.data.materials.append(
        materials.matter(placed.thing.name, placed.colour, placed.thing.roughness)
    )


def _lamp(lamp: Lamp, middle: Floats) -> None:
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape, light.size, light.color = "DISK", lamp.size, lamp.colour
    light.energy = lamp.power * 2 * (math.pi * lamp.distance) ** 2
    each = bpy.data.objects.new("lamp", light)
    c = math.cos(lamp.elevation)
    away = Vector(
        (math.cos(lamp.azimuth) * c, math.sin(lamp.azimuth) * c, math.sin(lamp.elevation))
    )
    each.location = Vector((*middle, 0.0)) + away * lamp.distance
    each.rotation_euler = away.to_track_quat("Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(each)


def _camera(scene: bpy.types.Scene, room: Room, view: View, spots: Sequence[Spot]) -> None:
    camera = bpy.data.cameras.new("phone")
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", SENSOR_WIDTH_MM
    camera.lens = view.focal * SENSOR_WIDTH_MM / view.size[0]
    camera.clip_end = 5000.0
    if room.stance.aperture > 0.02:
        points = np.concatenate([corners(s, room.body.shape) for s in spots])
        camera.dof.use_dof = True
        camera.dof.focus_distance = float((view.eye - points.mean(axis=0)) @ view.axes[2])
        camera.dof.aperture_fstop = camera.lens / 1000 / room.stance.aperture
    each = bpy.data.objects.new("phone", camera)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = view.axes.T, view.eye
    each.matrix_world = Matrix(pose.tolist())
    scene.collection.objects.link(each)
    scene.camera = each


def _render(scene: bpy.types.Scene, view: View) -> Light:
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_adaptive_sampling = "CPU", SAMPLES_PER_PIXEL, False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 1, 1
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.use_light_tree = False
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_quality, cycles.denoising_prefilter = "FAST", "NONE"
    cycles.denoising_input_passes = "RGB_ALBEDO"
    render = scene.render
    render.threads_mode, render.threads = "FIXED", 1
    render.resolution_x, render.resolution_y = view.size
    render.image_settings.file_format = "OPEN_EXR"
    render.image_settings.color_depth = "16"
    with tempfile.TemporaryDirectory() as folder:
        render.filepath = str(Path(folder) / "light.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(render.filepath)
        flat = np.empty(view.size[0] * view.size[1] * image.channels, np.float32)
        image.pixels.foreach_get(flat)
        light = flat.reshape(view.size[1], view.size[0], image.channels)[::-1, :, :3]
    return np.asarray(light, np.float32)


def _visible_shares(
    tiles: Sequence[bpy.types.Object], spots: Sequence[Spot], room: Room, view: View
) -> tuple[float, ...]:
    """Return for each tile the share of its upper side with nothing before it."""
    graph = bpy.context.evaluated_depsgraph_get()
    steps = (np.arange(VISIBILITY_GRID) + 0.5) / VISIBILITY_GRID * 0.9 + 0.05
    eye = Vector(view.eye.tolist())
    shares = []
    for tile, spot in zip(tiles, spots, strict=True):
        a, b, _, d = corners(spot, room.body.shape)
        points = [a + u * (b - a) + v * (d - a) for u in steps for v in steps]
        pixels = view.project(np.array(points))
        inside = ((pixels > 0) & (pixels < np.array(view.size) - 1)).all(axis=1)
        clear = 0
        for point in np.array(points)[inside]:
            way = Vector(point.tolist()) - eye
            hit = bpy.context.scene.ray_cast(graph, eye, way.normalized(), distance=way.length + 1)
            clear += bool(hit[0] and hit[4] is not None and hit[4].original == tile)
        shares.append(clear / VISIBILITY_GRID**2)
    return tuple(shares)
