"""A tile's body as a mesh: bevelled, two-coloured, its face laid out for a texture."""

from __future__ import annotations

import bmesh
import bpy
from mathutils import Matrix, Vector

from models.train.cycles.spots import Shape

FRONT, BACK, FACE = 0, 1, 2
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
        side.material_index = BACK if is_back else FACE if side.normal.z > 0.5 else FRONT
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
