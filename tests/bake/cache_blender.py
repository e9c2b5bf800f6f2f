# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# Run by cache_blender.sh inside Blender: -- RIG SCRIPT EXACT.glb
import ast
import json
import math
import runpy
import struct
import sys

import bpy
import numpy

numpy.bool = bool  # Debian's importer asks for an alias that Debian's numpy has dropped

rig, script, exact = sys.argv[sys.argv.index("--") + 1 :]
TOLERANCE = 1e-4  # of the size: keys of Blender's importer are floats of frames
STILL = 2e-3  # of the size: what moves less, of an FBX file, shows where its importer puts it
SAMPLES = (0, 1, 6, 12)
IS_FBX = rig.endswith(".fbx")


# World positions of objects, by their place in the list and sample. zero: frame of time 0
def look(objects, zero):
    scene = bpy.context.scene
    shown = {}
    for sample in SAMPLES:
        frame = zero + scene.render.fps / scene.render.fps_base * (cache["first"] + sample / cache["rate"])
        scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
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
    if path.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=path)
        play(cache["clip"])
    else:
        bpy.ops.import_scene.gltf(filepath=path)


# Of an FBX file's takes, each an action, the one that was baked
def play(clip):
    action = next(a for a in bpy.data.actions if clip in a.name)
    for o in bpy.data.objects:
        if o.type == "ARMATURE":
            o.animation_data_create().action = action


# Control points of the vertices of a GLB's object, as its importer orders them
def points_of(path, name):
    data = open(path, "rb").read()
    length = struct.unpack_from("<I", data, 12)[0]
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]

    def read(index):
        a = document["accessors"][index]
        view = document["bufferViews"][a["bufferView"]]
        kind = {5126: "f4", 5125: "u4", 5123: "u2"}[a["componentType"]]
        start = view.get("byteOffset", 0) + a.get("byteOffset", 0)
        return numpy.frombuffer(binary, "<" + kind, a["count"], start)

    mesh = next(m for m in document["meshes"] if m.get("extras", {}).get("model") == name)
    found = []
    for p in mesh["primitives"]:
        used = numpy.unique(read(p["indices"]))
        found += [int(k) for k in read(p["attributes"]["_CONTROL_POINT"])[used]]
    return found


caches = ast.literal_eval(open(script).read().split("CACHES = ")[1].split("\n\n\n")[0])
cache = caches[0]  # all begin at the same time
names = [(c["names"][0], c["vertices"]) for c in caches]
points = [points_of(exact, name) if IS_FBX else range(count) for name, count in names]
load(exact)
wanted = look(find([(name, len(p)) for (name, _), p in zip(names, points)]), 0)
load(rig)
objects = find(names)
plain = look(objects, IS_FBX)
runpy.run_path(script)
played = [o for o in bpy.data.objects if o.modifiers.get("Sinew")]
assert set(objects) == set(played) and len(played) == len(caches), (played, objects)
for o in played:
    assert not any(m.type == "ARMATURE" and m.show_viewport for m in o.modifiers)
    assert o.modifiers[0].name == "Sinew"
shown = look(objects, IS_FBX)
everything = [p for points_there in wanted.values() for p in points_there]
size = max(max(p[k] for p in everything) - min(p[k] for p in everything) for k in range(3))
flesh = 0
for sample in SAMPLES:
    worst, moved = 0, []
    for i in range(len(objects)):
        a, b, c = shown[i, sample], wanted[i, sample], plain[i, sample]
        assert len(a) == len(c) == names[i][1] and len(b) == len(points[i])
        assert set(points[i]) == set(range(len(a))), "every control point has a vertex"
        worst = max(worst, max(math.dist(a[k], there) for k, there in zip(points[i], b)))
        moved += map(math.dist, c, a)
    flesh = max(flesh, max(moved))
    least = sorted(moved)[len(moved) // 50]
    print(f"sample {sample}: {len(moved)} vertices of {len(objects)} objects within {100 * worst / size:.5f} % of the size, two in a hundred move less than {100 * least / size:.5f} %")
    assert worst < TOLERANCE * size
    assert not IS_FBX or least < STILL * size
assert flesh > 10 * TOLERANCE * size, "flesh must move for this to mean anything"
