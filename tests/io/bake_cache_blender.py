# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# Run by bake_cache_blender.sh inside Blender: -- RIG SCRIPT EXACT.glb
import ast
import math
import runpy
import sys

import bpy
import numpy

numpy.bool = bool  # Debian's importer asks for an alias that Debian's numpy has dropped

rig, script, exact = sys.argv[sys.argv.index("--") + 1 :]
TOLERANCE = 1e-4  # of the size: keys of Blender's importer are floats of frames
SAMPLES = (0, 1, 6, 12)


# World positions of objects, by their place in the list and sample
def look(objects):
    shown = {}
    for sample in SAMPLES:
        frame = 24 * (cache["first"] + sample / cache["rate"])
        bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
        graph = bpy.context.evaluated_depsgraph_get()
        for i, o in enumerate(objects):
            seen = o.evaluated_get(graph)
            shown[i, sample] = [tuple(seen.matrix_world @ v.co) for v in seen.to_mesh().vertices]
    return shown


# Objects of these names and numbers of vertices; names may have got other numbers.
def find(objects):
    found = []
    for name, count in objects:
        fit = [o for o in bpy.data.objects if o.type == "MESH" and len(o.data.vertices) == count]
        found.append(fit[0] if len(fit) == 1 else bpy.data.objects[name])
    return found


def load(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 24
    bpy.ops.import_scene.gltf(filepath=path)


caches = ast.literal_eval(open(script).read().split("CACHES = ")[1].split("\n\n\n")[0])
cache = caches[0]  # all begin at the same time
load(exact)
names = [(c["names"][0], c["vertices"]) for c in caches]
wanted = look(find(names))
load(rig)
objects = find(names)
plain = look(objects)
runpy.run_path(script)
played = [o for o in bpy.data.objects if o.modifiers.get("Sinew")]
assert set(objects) == set(played) and len(played) == len(caches), (played, objects)
for o in played:
    assert not any(m.type == "ARMATURE" and m.show_viewport for m in o.modifiers)
    assert o.modifiers[0].name == "Sinew"
shown = look(objects)
everything = [p for points in wanted.values() for p in points]
size = max(max(p[k] for p in everything) - min(p[k] for p in everything) for k in range(3))
flesh = 0
for sample in SAMPLES:
    worst = 0
    for i in range(len(objects)):
        a, b, c = shown[i, sample], wanted[i, sample], plain[i, sample]
        assert len(a) == len(b)
        worst = max(worst, max(map(math.dist, a, b)))
        flesh = max(flesh, max(map(math.dist, c, b)))
    print(f"sample {sample}: {sum(n for _, n in names)} vertices of {len(objects)} objects within {100 * worst / size:.5f} % of the size")
    assert worst < TOLERANCE * size
assert flesh > 10 * TOLERANCE * size, "flesh must move for this to mean anything"
