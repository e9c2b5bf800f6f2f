# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# Run by glb_blender.sh inside Blender: -- FILE.glb OBJ_STEM TOLERANCE
import math
import sys

import bpy
import numpy

numpy.bool = bool  # Debian's importer asks for an alias that Debian's numpy has dropped

glb, stem, tolerance = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 60
bpy.ops.import_scene.gltf(filepath=glb)
meshes = [o for o in bpy.data.objects if o.type == "MESH"]
assert len(meshes) == 1, [o.name for o in bpy.data.objects]
for frame in (0, 20, 47, 100, 180):
    scene.frame_set(frame)
    shown = meshes[0].evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = [shown.matrix_world @ v.co for v in shown.to_mesh().vertices]
    lines = [l.split() for l in open(f"{stem}_{frame:04d}.obj") if l.startswith("v ")]
    wanted = [tuple(map(float, l[1:4])) for l in lines]
    assert len(points) == len(wanted)
    # glTF's y is up, Blender's z
    worst = max(math.dist((p.x, p.z, -p.y), w) for p, w in zip(points, wanted))
    print(f"frame {frame}: {len(points)} vertices within {1e3 * worst:.3f} mm")
    assert worst < float(tolerance)
