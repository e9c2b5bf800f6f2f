# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# Run by bake_blender.sh inside Blender: -- FILE.glb, beside which FILE.glb.points lies
import math
import sys

import bpy
import numpy

numpy.bool = bool  # Debian's importer asks for an alias that Debian's numpy has dropped

glb = sys.argv[sys.argv.index("--") + 1]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 60
bpy.ops.import_scene.gltf(filepath=glb)
meshes = [o for o in bpy.data.objects if o.type == "MESH" and o.data.shape_keys]
assert len(meshes) == 1, [o.name for o in bpy.data.objects]
lines = open(glb + ".points").read().split("\n")
while lines and lines[0]:
    time, error, count = map(float, lines[0].split())
    wanted = [tuple(map(float, l.split())) for l in lines[1 : 1 + int(count)]]
    lines = lines[1 + int(count) :]
    frame = 60 * time
    scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
    shown = meshes[0].evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = [shown.matrix_world @ v.co for v in shown.to_mesh().vertices]
    assert len(points) == len(wanted), (len(points), len(wanted))
    size = max(math.dist(wanted[0], w) for w in wanted)
    # glTF's y is up, Blender's z
    worst = max(math.dist((p.x, p.z, -p.y), w) for p, w in zip(points, wanted))
    print(f"key at {time:.4f} s: {len(points)} vertices within {100 * worst / size:.4f} % of the size")
    assert worst < error + 1e-4 * size  # Blender's keys are floats of frames
