# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

"""Run by blender.sh inside Blender, -- OUT FILE.glb...: where Blender puts every vertex of every mesh at
three times of every clip. Records for tests/io/gltf/data.c; vertices of no triangle, which Blender leaves out, are
not numbers there. Times are keys of all rotations that change: between keys Blender interpolates otherwise."""

import os
import struct
import sys

import bpy
import numpy

numpy.bool = bool  # Debian's importer asks for an alias that Debian's numpy has dropped

from io_scene_gltf2.blender.imp import gltf2_blender_scene as importer
from io_scene_gltf2.blender.imp.gltf2_blender_animation import BlenderAnimation
from io_scene_gltf2.blender.imp.gltf2_blender_mesh import points_edges_tris
from io_scene_gltf2.io.imp.gltf2_io_binary import BinaryData

RATE = 60  # frames a second of Blender's scene
SHARES = (0, 0.43, 1)  # of a clip

document = None  # as the importer has it
rest = []  # what an animation may change, as it was before


def keep(gltf, create=importer.BlenderScene.create_animations):
    """Takes the place of the importer's step that makes animations."""
    global document
    document = gltf
    for o in bpy.data.objects:
        rest.append((o, o.matrix_basis.copy()))
        rest.extend((b, b.matrix_basis.copy()) for b in (o.pose.bones if o.pose else ()))
    create(gltf)


importer.BlenderScene.create_animations = staticmethod(keep)


def times_of(animation):
    """Times near SHARES of the clip that are keys of every rotation and cubic curve that changes."""
    spans, shared, free = [], None, []
    for channel in animation.channels:
        if channel.target.node is None:
            continue
        sampler = animation.samplers[channel.sampler]
        keys = numpy.array(BinaryData.get_data_from_accessor(document, sampler.input)).ravel()
        values = numpy.array(BinaryData.get_data_from_accessor(document, sampler.output))
        spans += [keys[0], keys[-1]]
        cubic = sampler.interpolation == "CUBICSPLINE"
        if not cubic and (channel.target.path != "rotation" or (values == values[0]).all()):
            free.append(keys)
            continue
        shared = keys if shared is None else shared[numpy.isclose(shared[:, None], keys, atol=1e-5).any(1)]
    first, last = min(spans), max(spans)
    chosen = numpy.unique(numpy.concatenate(free)) if shared is None else shared
    assert len(chosen) > 0, animation.track_name
    return sorted({float(chosen[abs(chosen - first - s * (last - first)).argmin()]) for s in SHARES})


def play(name):
    for what, matrix in rest:
        what.matrix_basis = matrix
    for key in bpy.data.shape_keys:
        for block in key.key_blocks:
            block.value = 0
    BlenderAnimation.restore_animation(document, name)


def parts_of(vnode):
    """Node, primitive, and of each primitive its number of vertices and which of them Blender has."""
    node = document.data.nodes[vnode.mesh_node_idx]
    for number, primitive in enumerate(document.data.meshes[node.mesh].primitives):
        count = document.data.accessors[primitive.attributes["POSITION"]].count
        indices = numpy.arange(count, dtype=numpy.uint32)
        if primitive.indices is not None:
            indices = BinaryData.decode_accessor(document, primitive.indices).ravel()
        lists = points_edges_tris(4 if primitive.mode is None else primitive.mode, indices)
        used = numpy.unique(next(l for l in lists if l is not None))
        yield vnode.mesh_node_idx, number, count, used


def points_of(vnode, graph):
    """In glTF's axes: its y is up, Blender's z."""
    shown = vnode.blender_object.evaluated_get(graph)
    mesh = shown.to_mesh()
    x = numpy.empty(3 * len(mesh.vertices), numpy.float32)
    mesh.vertices.foreach_get("co", x)
    world = numpy.array(shown.matrix_world)
    x = x.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
    shown.to_mesh_clear()
    return numpy.stack((x[:, 0], x[:, 2], -x[:, 1]), 1)


def record(out, name, clip, time, parts):
    bpy.context.scene.frame_set(int(RATE * time // 1), subframe=RATE * time % 1)
    graph = bpy.context.evaluated_depsgraph_get()
    count = sum(len(list_) for _, list_ in parts)
    out.write(struct.pack("<64siid", name.encode()[:63], clip, count, time))
    for vnode, list_ in parts:
        points = points_of(vnode, graph)
        assert len(points) == sum(len(used) for *_, used in list_), (name, vnode.blender_object.name)
        for node, primitive, vertices, used in list_:
            x = numpy.full((vertices, 3), numpy.nan, numpy.float32)
            x[used], points = points[: len(used)], points[len(used) :]
            out.write(struct.pack("<iii", node, primitive, vertices))
            out.write(x.tobytes())


path, *files = sys.argv[sys.argv.index("--") + 1 :]
with open(path, "wb") as out:
    for file in files:
        rest.clear()
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = RATE
        bpy.ops.import_scene.gltf(filepath=file)
        meshes = [v for v in document.vnodes.values() if v.mesh_node_idx is not None]
        parts = [(v, list(parts_of(v))) for v in meshes]
        moving = [a for a in document.data.animations or [] if a.channels]
        for clip, animation in enumerate(document.data.animations or []):
            if animation not in moving:
                continue
            play(animation.track_name)
            for time in times_of(animation):
                record(out, os.path.basename(file), clip, time, parts)
        print(f"played {os.path.basename(file)}: {len(meshes)} meshes, {len(moving)} clips", flush=True)
