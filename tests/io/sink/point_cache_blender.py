# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# Run by point_cache_blender.sh inside Blender: -- STEM
import math
import os
import sys

import bpy

TOLERANCE = 2e-6  # m: a few roundings of floats near 1, by the importer and the object's rotation

(stem,) = sys.argv[sys.argv.index("--") + 1 :]


def read(frame):
    lines = [l.split() for l in open(f"{stem}_{frame:04d}.obj") if l.startswith("v ")]
    return [tuple(map(float, l[1:4])) for l in lines]


# applied: the importer's rotation is made part of the mesh, so the modifier has to turn the axes
for kind, applied in (("PC2", False), ("PC2", True), ("MDD", False), ("MDD", True)):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = 60 if kind == "PC2" else 30
    bpy.ops.wm.obj_import(filepath=f"{stem}_0000.obj")
    (mesh,) = bpy.context.selected_objects
    cache = mesh.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = kind
    cache.filepath = os.path.abspath(f"{stem}.{kind.lower()}")
    cache.frame_start = 0
    if applied:
        mesh.data.transform(mesh.matrix_world)
        mesh.rotation_euler = (0, 0, 0)
        cache.forward_axis = "POS_Z"
        cache.up_axis = "NEG_Y"
    if kind == "MDD":
        cache.time_mode = "TIME"
    for frame in (0, 20, 46, 100, 180):
        scene.frame_set(frame if kind == "PC2" else frame // 2)
        shown = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
        points = [shown.matrix_world @ v.co for v in shown.to_mesh().vertices]
        wanted = read(frame)
        assert len(points) == len(wanted)
        # our y is up, Blender's z
        worst = max(math.dist((p.x, p.z, -p.y), w) for p, w in zip(points, wanted))
        print(f"frame {frame} of {kind}: {len(points)} vertices within {1e6 * worst:.3f} micrometres")
        assert worst < TOLERANCE
        still = max(math.dist(a, b) for a, b in zip(read(0), wanted))
        assert frame == 0 or still > 0.01, "the run must move for this to mean anything"
